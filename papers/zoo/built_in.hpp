// The tables that a program brings along: the texts of papers/zoo/tables/*.json, put into it by the build.
#pragma once

#include <string>
#include <vector>

namespace gainsay::tools::zoo {

struct BuiltInTable {
  std::string name;
  std::string text;
};

const std::vector<BuiltInTable>& built_in_tables();

}  // namespace gainsay::tools::zoo
