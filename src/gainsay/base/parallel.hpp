// run_together: the same work on several threads, the calling one included. What a worker throws is thrown
// again after all have ended.
#pragma once

#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace gainsay {

// Calls work(0), ..., work(count - 1), each on a thread of its own where one can be had; with fewer threads
// some are not called, so work must be something that any number of workers can share.
template <class Work> void run_together(unsigned count, const Work& work) {
  std::vector<std::exception_ptr> failures(count);
  const auto guarded = [&](unsigned worker) {
    try {
      work(worker);
    } catch (...) {
      failures[worker] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(count);
  for (unsigned worker = 1; worker < count; ++worker) {
    try {
      threads.emplace_back(guarded, worker);
    } catch (const std::system_error&) {
      break;  // no more threads to be had: those that run do the work
    }
  }
  guarded(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace gainsay
