#include "tools/trace_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"
#include "gainsay/trace/trace_file.hpp"
#include "gainsay/trace/trace_file_name.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

// "a/./b/" -> "a/b": a folder has one name only.
std::filesystem::path without_slash(const std::string& path) {
  const std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

}  // namespace

TraceFolder::TraceFolder(std::string path) : path_(std::move(path)) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (fs::path folder = without_slash(path_); !folder.empty() && !fs::exists(folder, error);
       folder = folder.parent_path()) {
    made_.insert(made_.begin(), folder.string());
  }
  fs::create_directories(path_, error);
  if (!error && !fs::is_directory(path_, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (!error && access(path_.c_str(), W_OK | X_OK) != 0)
    error = std::error_code(errno, std::generic_category());
  if (error) throw UserError(fmt::format("--out {}: {}; expected a writable folder", path_, error.message()));
}

TraceFolder::~TraceFolder() {
  // Removes what is empty and nothing else.
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) {
    if (rmdir(folder->c_str()) != 0) break;
  }
}

std::string TraceFolder::write(const FoundViolation& found, const std::vector<OptionInfo>& defaults) {
  const std::string stem =
      (std::filesystem::path(path_) / trace_file_name(found.document, defaults)).string();
  std::string file = stem + ".trace";
  for (std::size_t next = 2; std::find(files_.begin(), files_.end(), file) != files_.end(); ++next)
    file = fmt::format("{}-{}.trace", stem, next);
  try {
    files_.push_back(write_trace_file(file, found.document));
  } catch (const UserError& error) {
    // The finding matters more than its file.
    complain(error.what());
    files_.emplace_back();
  }
  return files_.back();
}

std::vector<std::string> TraceFolder::write(const std::vector<FoundViolation>& violations,
                                            const std::vector<OptionInfo>& defaults) {
  for (std::size_t i = files_.size(); i < violations.size(); ++i) write(violations[i], defaults);
  return files_;
}

}  // namespace gainsay::tools
