#include <memory>

#include <CLI/CLI.hpp>

#include "gainsay/base/check.hpp"
#include "gainsay/report/json.hpp"
#include "gainsay/report/summary.hpp"
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
  bool json = false;
};

Listing listing_of(const Scenario& scenario) {
  Listing listing{scenario.name(), scenario.description(), "", scenario.options(), {}, ""};
  try {
    for (const ActorPlan& actor : build_world(scenario, {}).actors) listing.actors.push_back(actor.name);
  } catch (const UserError& error) {
    listing.problem = error.what();
  }
  return listing;
}

Listing listing_of(const StrategyInfo& info) {
  return {
      info.name, info.description, info.kind == StrategyKind::search ? "search" : "random", info.options, {},
      ""};
}

int list(const ListArguments& arguments) {
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
  if (arguments.json) {
    say(json_text(listings));
  } else {
    say(listings.empty() ? "this program has no scenarios\n"
                         : summary_text(listings, terminal_columns(stdout)));
  }
  return 0;
}

}  // namespace

Verb add_list(CLI::App& app) {
  auto arguments = std::make_shared<ListArguments>();
  add_positional(app, "NAME", arguments->name, "only this one");
  add_flag(app, "--strategies", arguments->strategies,
           "the strategies and their options instead of the scenarios");
  add_flag(app, "--json", arguments->json, "one JSON document on stdout");
  return [arguments] { return list(*arguments); };
}

}  // namespace gainsay::tools
