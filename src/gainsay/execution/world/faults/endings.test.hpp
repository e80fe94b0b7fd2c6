// Every execution of a tiny world as a text, with what a property said of its end.
#pragma once

#include <string>
#include <vector>

#include "gainsay/execution/run/every_run.test.hpp"

namespace gainsay::every_run {

// "crash a, Mark{n: 1} => complaint", in the order of dfs. The scenario's `finally` is to complain of every end.
inline std::vector<std::string> endings(const Body& body) {
  const Blueprint blueprint = build(body);
  std::vector<std::string> all = texts(body);
  const std::vector<OneRun> runs = every_run(blueprint);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_TRUE(runs[i].trace.violation) << all[i];
    all[i] += " => " + (runs[i].trace.violation ? runs[i].trace.violation->message : "");
  }
  return all;
}

}  // namespace gainsay::every_run
