#include "gainsay/base/whole_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

mode_t usual_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666U & ~mask;
}

// Where the text goes in the end: behind all symbolic links, also one that points to nothing yet.
std::string behind_links(const std::string& path) {
  constexpr int links_max = 40;
  std::filesystem::path target = path;
  for (int links = 0; links < links_max; ++links) {
    std::error_code error;
    const std::filesystem::path next = std::filesystem::read_symlink(target, error);
    if (error) return target.string();
    target = target.parent_path() / next;  // or `next` alone where it is absolute
  }
  return path;
}

UserError complaint(const std::string& path, std::string_view what, int error) {
  return UserError(fmt::format("{}: cannot write the {}: {}", path, what, std::strerror(error)));
}

}  // namespace

WholeFile::WholeFile(const std::string& path, std::string_view what)
    : path_(path), what_(what), target_(behind_links(path)) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  struct stat found {};
  const bool exists = stat(target_.c_str(), &found) == 0;
  if (exists && S_ISDIR(found.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(found.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    mode_ = exists ? found.st_mode & 07777U : usual_mode();
    temporary_ = target_ + ".XXXXXX";
    descriptor_ = mkostemp(temporary_.data(), O_CLOEXEC);
  }
  if (descriptor_ < 0) fail(errno);
}

WholeFile::~WholeFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void WholeFile::fail(int error) const { throw complaint(path_, what_, error); }

void WholeFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(written < 0 ? errno : EIO);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void WholeFile::commit() {
  if (!temporary_.empty() && fchmod(descriptor_, mode_) != 0) fail(errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void write_whole_file(const std::string& path, std::string_view what, std::string_view text) {
  WholeFile file(path, what);
  file.write(text);
  file.commit();
}

void require_writable(const std::string& path, std::string_view what) {
  const std::string target = behind_links(path);
  struct stat found {};
  if (stat(target.c_str(), &found) == 0) {
    if (S_ISDIR(found.st_mode)) throw complaint(path, what, EISDIR);
    if (access(target.c_str(), W_OK) != 0) throw complaint(path, what, errno);
    if (!S_ISREG(found.st_mode)) return;
  }
  // The nearest folder that exists.
  std::filesystem::path folder = std::filesystem::absolute(target).parent_path();
  while (stat(folder.c_str(), &found) != 0 && errno == ENOENT && folder.has_relative_path())
    folder = folder.parent_path();
  if (stat(folder.c_str(), &found) != 0) throw complaint(path, what, errno);
  if (!S_ISDIR(found.st_mode)) throw complaint(path, what, ENOTDIR);
  if (access(folder.c_str(), W_OK | X_OK) != 0) throw complaint(path, what, errno);
}

}  // namespace gainsay
