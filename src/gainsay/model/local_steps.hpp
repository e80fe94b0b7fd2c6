// LocalSteps: the different local steps of a scenario's graph: an actor's value, the event it takes, its next value.
//
// A graph has very many edges and few local steps; collecting them is a pass over all edges with table look-ups,
// shared by any number of workers. The result is sorted, so it does not depend on them.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/model/conform_plan.hpp"

namespace gainsay {

struct LocalStep {
  std::uint32_t column = 0;
  std::uint32_t value = 0;
  std::uint32_t event = 0;
  std::uint32_t next = 0;

  friend auto operator<=>(const LocalStep&, const LocalStep&) = default;
};

class LocalSteps {
 public:
  // `why_not` says why the graph has no such steps, and is empty where it has.
  LocalSteps(const ConformPlan& plan, const ConformOptions& options, std::string& why_not);

  const std::vector<LocalStep>& all() const { return steps_; }
  // Where the steps of a value begin and end.
  std::pair<std::size_t, std::size_t> of(std::uint32_t column, std::uint32_t value) const;
  // REQUIRES: the graph has it.
  std::size_t find(std::uint32_t value, std::uint32_t event) const { return index_.at(key_of(value, event)); }

  static std::uint64_t key_of(std::uint32_t value, std::uint32_t event) {
    return std::uint64_t{value} << 32U | event;
  }

 private:
  std::vector<LocalStep> steps_;
  boost::unordered_flat_map<std::uint64_t, std::size_t> index_;
};

}  // namespace gainsay
