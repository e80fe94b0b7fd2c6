// Files that are written whole or not at all: into a temporary file beside the target, which then takes its name.
//
// A symbolic link stays one: what it points to is written. What is no regular file (a device, a pipe) is written in
// place, never replaced. The temporary file is new and ours, so nobody else's link is followed and two writers of one
// target do not meet.
#pragma once

#include <string>
#include <string_view>

namespace gainsay {

// A file that is written piece by piece. The target does not change before `commit`; without it nothing is left behind.
// Makes missing folders. Throws UserError "PATH: cannot write the WHAT: REASON".
class WholeFile {
 public:
  WholeFile(const std::string& path, std::string_view what);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_;  // as it was given
  std::string what_;
  std::string target_;     // behind all links
  std::string temporary_;  // empty: it is written in place
  unsigned mode_ = 0;
  int descriptor_ = -1;
};

// The same at once.
void write_whole_file(const std::string& path, std::string_view what, std::string_view text);
// The same complaint where the place is such that nothing could be written there; nothing is left behind. For work
// that takes long: say it before.
void require_writable(const std::string& path, std::string_view what);

}  // namespace gainsay
