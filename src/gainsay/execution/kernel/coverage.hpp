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
  Coverage() = default;
  Coverage(const Coverage& other) : loaded_(other.loaded_), entries_(other.entries_) {}
  Coverage& operator=(const Coverage& other) {
    loaded_ = other.loaded_;
    entries_ = other.entries_;
    last_type_ = nullptr;  // its marks stand elsewhere
    return *this;
  }
  ~Coverage() = default;
  // By item: what is gone through is to be set to 1 here. Valid until another machine is added with +=.
  std::uint8_t* marks(const MachineType& type) {
    if (last_type_ != &type) [[unlikely]]
      find(type);
    return last_marks_;
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
    std::vector<std::uint8_t> seen;  // 0 or 1
  };

  // From now on the one that was asked for last.
  void find(const MachineType& type);
  std::vector<std::uint8_t>& of(const MachineType& type) {
    find(type);
    return entries_[last_].seen;
  }
  void adopt_loaded(Entry& entry);

  std::map<std::string, std::vector<std::uint8_t>, std::less<>>
      loaded_;                  // of machines that were not met yet, by name
  std::vector<Entry> entries_;  // a few; in the order in which they were first met
  // The one that was asked for last.
  const MachineType* last_type_ = nullptr;
  std::size_t last_ = 0;
  std::uint8_t* last_marks_ = nullptr;
};

}  // namespace gainsay
