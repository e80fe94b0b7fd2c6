// Progress: a thread that says how far something long has come, while it runs.
//
// On a terminal one line is redrawn about eight times a second, clipped to the
// terminal's width, and wiped when the object dies; elsewhere a plain line appears every
// few seconds, the first one late enough that short work is silent. What the line says
// is the caller's: a function that is called on the watcher's thread and must not throw.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace gainsay {

struct ProgressOptions {
  std::FILE* out = stderr;
  bool terminal = false;  // whether `out` is one
  std::function<std::size_t()> columns = [] {
    return std::size_t{80};
  };  // of the terminal, asked at every redraw
  std::chrono::milliseconds redraw_every{125};
  std::chrono::milliseconds plain_first{2000};
  std::chrono::milliseconds plain_every{5000};
};

class Progress {
 public:
  Progress(std::function<std::string()> line, ProgressOptions options);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void watch();
  void draw();
  void wipe();

  std::function<std::string()> line_;
  ProgressOptions options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  bool drawn_ = false;  // a live line stands on the terminal
  std::thread thread_;
};

}  // namespace gainsay
