// JUnit: the report that CI servers read, of cases that have an exit code each.
//
// 0 is a pass, 1 (violated) a failure, anything else (bad input, unknown) an error: nothing was decided.
#pragma once

#include <string>
#include <vector>

namespace gainsay::tools {

struct JunitCase {
  std::string name;
  int code = 0;
  std::string message;  // where it is not 0
  std::string detail;   // what to do next
};

std::string junit_text(const std::string& suite, const std::string& group,
                       const std::vector<JunitCase>& cases);

}  // namespace gainsay::tools
