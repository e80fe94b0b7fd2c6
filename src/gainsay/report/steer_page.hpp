// The page in which a person plays the scheduler: the trace page, with what can happen next to click on.
//
// The page comes from a server on the same machine and asks it for every change; what it gets is the whole moment.
#pragma once

#include <string>
#include <vector>

#include "gainsay/report/trace_page.hpp"

namespace gainsay {

struct SteerMoment {
  const SeenTrace& trace;
  const std::vector<TraceSight::Offer>& possible;
  bool ended = false;
  std::size_t at_hand = 0;  // steps that can be jumped to
  std::string save_as;
  std::vector<std::string> strategies;
};

std::string steer_page(const SteerMoment& moment);
// `problem`: why what was asked for was not done; `saved`: the file that was written. Both may be empty.
std::string steer_moment_json(const SteerMoment& moment, const std::string& problem,
                              const std::string& saved);

}  // namespace gainsay
