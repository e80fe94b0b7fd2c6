// Reducer: the role of searches that leave executions out because others stand for them.
//
// Such a search says what it has covered, names the class of each run, and may share its work with others. A search
// without this role covers every execution within its bounds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/trace/results.hpp"

namespace gainsay {

class Reducer {
 public:
  // When the search has ended.
  virtual SearchClaim claim() const = 0;
  // The class of the last run under the dependence in force (strategy/dependence.hpp); nothing: the kernel's own
  // trace class, which is that of same-receiver dependence.
  virtual std::optional<std::uint64_t> run_class() const = 0;
  // Takes one of `shares` parts of the tree, so that all parts together have the same classes for any number of
  // them; false: this search cannot be split. Called before the first run.
  virtual bool take_share(unsigned share, unsigned shares) = 0;
  // Whether the last run counts; where a search is split, it may belong to another share.
  virtual bool owns_run() const = 0;

 protected:
  ~Reducer() = default;
};

}  // namespace gainsay
