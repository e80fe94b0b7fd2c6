#include "gainsay/report/progress.hpp"

#include <algorithm>
#include <utility>

#include "gainsay/report/row.hpp"

namespace gainsay {

Progress::Progress(std::function<std::string()> line, ProgressOptions options)
    : line_(std::move(line)), options_(std::move(options)), thread_([this] { watch(); }) {}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Progress::watch() {
  std::unique_lock lock(mutex_);
  const auto first = options_.terminal ? options_.redraw_every : options_.plain_first;
  const auto every = options_.terminal ? options_.redraw_every : options_.plain_every;
  for (auto pause = first; !changed_.wait_for(lock, pause, [this] { return done_; }); pause = every) draw();
  wipe();
}

void Progress::draw() {
  const std::string line = line_();
  if (options_.terminal) {
    // The last column stays free: some terminals wrap as soon as it is written.
    const std::size_t columns = std::max<std::size_t>(options_.columns(), 2) - 1;
    std::fprintf(options_.out, "\r%s\x1b[K", shortened(line, columns, "…").c_str());
    drawn_ = true;
  } else {
    std::fprintf(options_.out, "%s\n", line.c_str());
  }
  std::fflush(options_.out);
}

void Progress::wipe() {
  if (!drawn_) return;
  std::fprintf(options_.out, "\r\x1b[K");
  std::fflush(options_.out);
}

}  // namespace gainsay
