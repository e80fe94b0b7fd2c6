#include "gainsay/base/whole_file.hpp"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

// An open file that is closed in any case.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool open() const { return number_ >= 0; }
  // 0 or the reason why it failed.
  int write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(number_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return written < 0 ? errno : EIO;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
  }
  int close() {
    const int result = ::close(std::exchange(number_, -1));
    return result == 0 ? 0 : errno;
  }
  int number() const { return number_; }

 private:
  int number_;
};

mode_t usual_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666U & ~mask;
}

// Where the text goes in the end: behind all symbolic links.
std::string behind_links(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target.string();
}

int write_in_place(const std::string& path, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.open()) return errno;
  const int error = file.write(text);
  const int closing = file.close();
  return error != 0 ? error : closing;
}

int write_and_rename(const std::string& path, mode_t mode, std::string_view text) {
  std::string temporary = path + ".XXXXXX";
  Descriptor file(mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.open()) return errno;
  int error = file.write(text);
  if (error == 0 && fchmod(file.number(), mode) != 0) error = errno;
  const int closing = file.close();
  if (error == 0) error = closing;
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) unlink(temporary.c_str());
  return error;
}

UserError complaint(const std::string& path, std::string_view what, int error) {
  return UserError(fmt::format("{}: cannot write the {}: {}", path, what, std::strerror(error)));
}

}  // namespace

void write_whole_file(const std::string& path, std::string_view what, std::string_view text) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  const std::string target = behind_links(path);
  struct stat found {};
  const bool exists = stat(target.c_str(), &found) == 0;
  int error = 0;
  if (exists && S_ISDIR(found.st_mode)) {
    error = EISDIR;
  } else if (exists && !S_ISREG(found.st_mode)) {
    error = write_in_place(target, text);
  } else {
    error = write_and_rename(target, exists ? found.st_mode & 07777U : usual_mode(), text);
  }
  if (error != 0) throw complaint(path, what, error);
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
