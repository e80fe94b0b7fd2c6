// Coverage: which items of which machines' tables were gone through. It only grows, and merges with +=, so
// that the union over a set of runs does not depend on who did which run.
//
// A handler that is remembered is not called again, and need not be: what it covers was marked when it ran.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gainsay/base/bytes.hpp"
#include "gainsay/scenario/blueprint.hpp"
#include "gainsay/trace/results.hpp"

namespace gainsay {

class Coverage {
 public:
  void mark(const MachineType& type, std::uint32_t item) {
    std::vector<bool>& seen = of(type);
    seen[item] = true;
  }
  Coverage& operator+=(const Coverage& other);
  // As bytes, for another process: there a machine is known by its name, once it is met.
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

  // In words: every machine type of the scenario, and those that were spawned, by name.
  std::vector<MachineCoverage> report(const Blueprint& blueprint) const;

 private:
  struct Entry {
    const MachineType* type = nullptr;
    std::vector<bool> seen;
  };

  std::vector<bool>& of(const MachineType& type) {
    if (last_ < entries_.size() && entries_[last_].type == &type) return entries_[last_].seen;
    for (last_ = 0; last_ < entries_.size(); ++last_) {
      if (entries_[last_].type == &type) return entries_[last_].seen;
    }
    entries_.push_back({&type, std::vector<bool>(type.items(), false)});
    if (!loaded_.empty()) adopt_loaded(entries_.back());
    return entries_.back().seen;
  }

  void adopt_loaded(Entry& entry);

  std::map<std::string, std::vector<bool>, std::less<>>
      loaded_;                  // of machines that were not met yet, by name
  std::vector<Entry> entries_;  // a few; in the order in which they were first met
  std::size_t last_ = 0;        // the one that was asked for last
};

}  // namespace gainsay
