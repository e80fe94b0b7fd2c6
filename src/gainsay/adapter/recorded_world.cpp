#include "gainsay/adapter/recorded_world.hpp"

#include <vector>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay {

Blueprint build_world(const Scenario& scenario, const OptionTexts& options) {
  try {
    return scenario.build(options);
  } catch (const UserError&) {
    throw;
  } catch (const std::exception& error) {
    throw UserError(
        fmt::format("scenario '{}' cannot be built: its body threw: {}", scenario.name(), error.what()));
  } catch (...) {
    throw UserError(
        fmt::format("scenario '{}' cannot be built: its body threw something that is not a "
                    "std::exception",
                    scenario.name()));
  }
}

Blueprint recorded_world(const std::string& file, const TraceDocument& recorded) {
  std::vector<std::string> names;
  for (const Scenario* scenario : scenarios()) {
    names.push_back(scenario->name());
    if (scenario->name() != recorded.scenario) continue;
    try {
      return build_world(*scenario, recorded.options);
    } catch (const UserError& error) {
      throw UserError(fmt::format("{}: {}; the trace is from a different build", file, error.what()));
    }
  }
  throw UserError(fmt::format("{}: the trace is for scenario '{}', which this program does not have{}", file,
                              recorded.scenario, did_you_mean(recorded.scenario, names)));
}

}  // namespace gainsay
