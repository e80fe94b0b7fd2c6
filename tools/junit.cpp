#include "tools/junit.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "gainsay/report/row.hpp"

namespace gainsay::tools {
namespace {

std::string xml(std::string_view text) {
  std::string out;
  for (const char c : clean(text, false)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

std::string junit_text(const std::string& suite, const std::string& group,
                       const std::vector<JunitCase>& cases) {
  const auto count = [&](auto is) { return std::count_if(cases.begin(), cases.end(), is); };
  const auto failures = count([](const JunitCase& each) { return each.code == 1; });
  const auto errors = count([](const JunitCase& each) { return each.code > 1; });
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n", xml(suite),
                     cases.size(), failures, errors);
  for (const JunitCase& each : cases) {
    out += fmt::format("  <testcase classname=\"{}\" name=\"{}\"", xml(group), xml(each.name));
    if (each.code == 0) {
      out += "/>\n";
      continue;
    }
    const char* const element = each.code == 1 ? "failure" : "error";
    out += fmt::format(">\n    <{} message=\"{}\">{}</{}>\n  </testcase>\n", element, xml(each.message),
                       xml(each.detail), element);
  }
  return out + "</testsuite>\n";
}

}  // namespace gainsay::tools
