#include <algorithm>
#include <memory>
#include <vector>

#include "gainsay/adapter/recorded_world.hpp"
#include "gainsay/base/check.hpp"
#include "gainsay/report/diagram.hpp"
#include "gainsay/report/json.hpp"
#include "gainsay/report/listing.hpp"
#include "gainsay/scenario/registry.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "tools/arguments.hpp"
#include "tools/terminal.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

struct ListArguments {
  std::string name;
  bool strategies = false;
  Output output;
  std::string diagram;  // "": none is wanted
};

const char* kind_text(Property::Kind kind) {
  switch (kind) {
    case Property::Kind::always:
      return "always";
    case Property::Kind::finally:
      return "finally";
    case Property::Kind::reached:
      return "reached";
    case Property::Kind::always_eventually:
      return "always eventually";
    case Property::Kind::eventually_always:
      return "eventually always";
  }
  return "";
}

Listing listing_of(const Scenario& scenario) {
  Listing listing;
  listing.name = scenario.name();
  listing.description = scenario.description();
  listing.options = scenario.options();
  try {
    const Blueprint world = build_world(scenario, {});
    for (const ActorPlan& actor : world.actors)
      (actor.type->monitor ? listing.monitors : listing.actors).push_back(actor.name);
    for (const Property& property : world.properties) {
      if (!property.is_another)
        listing.properties.push_back(std::string(kind_text(property.kind)) + ": " + property.name);
    }
    for (const HistoryProperty& property : world.history_properties)
      listing.properties.push_back(property.name);
  } catch (const UserError& error) {
    listing.problem = error.what();
  }
  return listing;
}

Listing listing_of(const StrategyInfo& info) {
  Listing listing;
  listing.name = info.name;
  listing.description = info.description;
  listing.kind = info.kind == StrategyKind::search ? "search" : "random";
  listing.options = info.options;
  return listing;
}

// Every machine type of the scenario once, in the order in which its actors were made.
std::vector<const MachineType*> machines_of(const Scenario& scenario) {
  std::vector<const MachineType*> machines;
  for (const ActorPlan& actor : build_world(scenario, {}).actors) {
    if (actor.type->machine == nullptr) continue;
    if (std::find(machines.begin(), machines.end(), actor.type->machine) == machines.end())
      machines.push_back(actor.type->machine);
  }
  return machines;
}

// The diagrams alone, so that they can be piped to what draws them.
int draw(const ListArguments& arguments) {
  if (arguments.strategies) throw UserError("--diagram draws the machines of scenarios, not --strategies");
  if (arguments.output.json)
    throw UserError("--diagram prints Mermaid or Graphviz; it cannot be used with --json");
  const DiagramFormat format = arguments.diagram == "dot" ? DiagramFormat::dot : DiagramFormat::mermaid;
  if (!arguments.name.empty()) find_scenario(arguments.name);
  std::string text;
  for (const Scenario* scenario : scenarios()) {
    if (!arguments.name.empty() && arguments.name != scenario->name()) continue;
    std::vector<const MachineType*> machines;
    try {
      machines = machines_of(*scenario);
    } catch (const UserError&) {
      if (!arguments.name.empty()) throw;  // one that cannot be built must not hide the others
    }
    for (const MachineType* machine : machines)
      text += (text.empty() ? "" : "\n") + machine_diagram(*machine, format);
  }
  if (text.empty()) {
    throw UserError(arguments.name.empty() ? "no scenario has a machine"
                                           : "scenario '" + arguments.name + "' has no machine to draw");
  }
  say(text);
  return 0;
}

int list(const ListArguments& arguments) {
  if (!arguments.diagram.empty()) return draw(arguments);
  std::vector<Listing> listings;
  if (arguments.strategies) {
    if (!arguments.name.empty()) find_strategy(arguments.name);
    for (const StrategyInfo* info : strategies()) {
      if (arguments.name.empty() || arguments.name == info->name) listings.push_back(listing_of(*info));
    }
  } else {
    if (!arguments.name.empty()) find_scenario(arguments.name);
    for (const Scenario* scenario : scenarios()) {
      if (arguments.name.empty() || arguments.name == scenario->name())
        listings.push_back(listing_of(*scenario));
    }
  }
  if (listings.empty()) throw UserError(no_scenarios);
  if (arguments.output.json) {
    say(json_text(listings));
  } else {
    say(summary_text(listings, terminal_columns(stdout)));
  }
  return 0;
}

}  // namespace

Verb add_list(CLI::App& app) {
  auto arguments = std::make_shared<ListArguments>();
  add_positional(app, "NAME", arguments->name, "show only this scenario or strategy");
  add_flag(app, "--strategies", arguments->strategies,
           "list strategies and their options instead of scenarios");
  add_word_flag(app, "--diagram", {"mermaid", "dot"}, arguments->diagram,
                "draw the machines of the scenarios, for Mermaid or Graphviz");
  add_json(app, arguments->output);
  return [arguments] { return list(*arguments); };
}

}  // namespace gainsay::tools
