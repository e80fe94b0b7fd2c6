// CoverCheckpoint: prices and flow of a cover between two rounds, as a file (explorer/checkpoint_file.hpp).
//
// The next round depends on nothing else, so a cover that goes on from a checkpoint makes the suite that it would have
// made. The graph is not part of it: whoever goes on brings the graph, and another one is refused.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "gainsay/base/budget.hpp"
#include "gainsay/base/facts.hpp"

namespace gainsay {

class CoverFlow;

class CoverCheckpoint {
 public:
  enum class Begin : std::uint8_t { anew, from_file };

  // `facts`: of which cover it is. Throws UserError where it begins from a file that is no checkpoint of this cover.
  CoverCheckpoint(std::string path, Facts facts, std::chrono::nanoseconds every, Begin begin);

  // What belongs to the flow and is not part of it.
  struct Beside {
    std::uint64_t graph_digest = 0;
    std::uint64_t required_hash = 0;
    std::uint64_t test_price = 0;
    std::uint64_t needs_before = 0;  // the last round
  };
  // Whether there is a file to go on from: one was there, or was written since.
  bool resumes() const { return begin_ == Begin::from_file; }
  // Puts the flow where the file left it, and gives the needs before its last round. REQUIRES: `resumes()`; no round
  // was made. Throws UserError where the file belongs to another graph.
  std::uint64_t restore(CoverFlow& flow, const Beside& expected) const;

  // Writes the file. A file that cannot be written does not end the cover: see `error`.
  void keep(const CoverFlow& flow, const Beside& beside);
  // The same once in a while: writing takes at most a tenth of the time.
  void keep_if_due(const CoverFlow& flow, const Beside& beside);

  const std::string& path() const { return path_; }
  const std::string& error() const { return error_; }  // of the last writing; empty: it went well

 private:
  std::string path_;
  Facts facts_;
  double every_s_;
  Begin begin_;
  Budget clock_{};
  double next_s_ = 0;
  std::string error_;
};

}  // namespace gainsay
