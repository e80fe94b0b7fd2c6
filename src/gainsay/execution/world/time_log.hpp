// TimeLog: everything that an execution demands of the times of its steps, and times that meet it.
//
// A class of times (time_class.hpp) forgets moments that no longer matter. Whoever prints an execution needs a time for
// each step: the least that all demands allow. Demands are differences, so the least times are found by raising what
// is too low until nothing is (Bellman and Ford); as many passes as there are steps are enough.
#pragma once

#include <cstdint>
#include <vector>

#include "gainsay/base/check.hpp"

namespace gainsay {

class TimeLog {
 public:
  // Moment 0 is the beginning; step k, counted from 0, is moment k + 1.
  void demand(std::uint32_t a, std::uint32_t b, double most) { demands_.push_back({a, b, most}); }

  // By step.
  std::vector<std::int64_t> earliest(std::size_t steps) const {
    std::vector<double> times(steps + 1, 0);
    bool changed = true;
    for (std::size_t pass = 0; changed; ++pass) {
      GAINSAY_CHECK(pass <= times.size() + 1, "some times meet all demands");
      changed = false;
      for (const Demand& each : demands_) {  // a - b <= most
        if (each.a > steps || each.b > steps || times[each.b] >= times[each.a] - each.most) continue;
        times[each.b] = times[each.a] - each.most;
        changed = true;
      }
    }
    std::vector<std::int64_t> whole;
    for (std::size_t i = 1; i < times.size(); ++i) whole.push_back(static_cast<std::int64_t>(times[i]));
    return whole;
  }

 private:
  struct Demand {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    double most = 0;
  };
  std::vector<Demand> demands_;
};

}  // namespace gainsay
