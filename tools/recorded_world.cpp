#include "tools/recorded_world.hpp"

#include <vector>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/scenario/registry.hpp"
#include "tools/arguments.hpp"

namespace gainsay::tools {

Blueprint recorded_world(const std::string& file, const TraceDocument& recorded) {
  std::vector<std::string> names;
  for (const Scenario* scenario : scenarios()) {
    names.push_back(scenario->name());
    if (scenario->name() != recorded.scenario) continue;
    try {
      return build_world(*scenario, recorded.options);
    } catch (const UserError& error) {
      throw UserError(fmt::format("{}: {}; the trace is of another build", file, error.what()));
    }
  }
  throw UserError(fmt::format("{}: the trace is of scenario '{}', which this program does not have{}", file,
                              recorded.scenario, did_you_mean(recorded.scenario, names)));
}

}  // namespace gainsay::tools
