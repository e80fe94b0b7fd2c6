// The three ways of conform.hpp, and what they have in common: where a difference was seen, and when to stop.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "gainsay/model/conform_paths.hpp"
#include "gainsay/model/lockstep.hpp"

namespace gainsay {

// A difference where it was first seen, not yet on a shortest path.
struct ConformSight {
  std::uint64_t rank =
      0;  // lower ones are reported first, and in the end do not depend on the number of workers
  std::optional<std::uint64_t> test{};
  TestPath path;  // shows it, with its last step
  ConformDifference difference;
};

// What workers find.
class ConformSights {
 public:
  ConformSights(const ConformOptions& options, std::size_t most) : options_(options), most_(most) {}

  void add(ConformSight sight);
  // Whether sights of this rank or a higher one would not be reported any more.
  bool enough_below(std::uint64_t rank) const { return rank >= bound_.load(std::memory_order_relaxed); }
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }
  // By rank.
  std::vector<ConformSight> take();

 private:
  const ConformOptions& options_;
  std::size_t most_;
  std::mutex mutex_;
  std::vector<ConformSight> sights_;  // of different kinds, by rank
  std::atomic<std::uint64_t> bound_{~std::uint64_t{0}};
};

// Each compares, counts in `result`, and tells of what differs.
void conform_walk(const ConformPlan& plan, const ConformOptions& options, ConformSights& sights,
                  ConformResult& result);
void conform_tree(const ConformPlan& plan, const ConformOptions& options, const ShortestPaths& paths,
                  ConformSights& sights, ConformResult& result);
// False, with a reason in `result.instead`: this needs to be done by tree.
bool conform_local(const ConformPlan& plan, const ConformOptions& options, ConformSights& sights,
                   ConformResult& result);

}  // namespace gainsay
