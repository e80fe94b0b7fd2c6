#include "systems/viewstamped_replication/options.hpp"

#include <algorithm>

namespace viewstamped_replication {

namespace {

Options with_size(Options options) {
  switch (options.size) {
    case Size::chosen:
      return options;
    case Size::seed_a:
    case Size::seed_c:
      options.members = Members::abc_acd;
      options.witness = Witness::c;
      options.old_views = options.new_views = 0;
      break;
    case Size::seed_b:
      options.members = Members::a_acd;
      options.witness = Witness::c;
      options.old_views = 0;
      options.new_views = 1;
      break;
  }
  options.queries = 1;
  options.stale = Stale::delivered;
  return options;
}

}  // namespace

Plan make_plan(const Options& given) {
  const Options options = with_size(given);
  Plan plan;
  switch (options.members) {
    case Members::ab:
      plan.names = {"A", "B"};
      plan.old_members = {0, 1};
      break;
    case Members::abc:
      plan.names = {"A", "B", "C"};
      plan.old_members = {0, 1, 2};
      break;
    case Members::abc_acd:
      plan.names = {"A", "B", "C", "D"};
      plan.old_members = {0, 1, 2};
      plan.new_members = {0, 2, 3};
      break;
    case Members::a_acd:
      plan.names = {"A", "C", "D"};
      plan.old_members = {0};
      plan.new_members = {0, 1, 2};
      break;
  }
  if (options.witness != Witness::none) {
    const std::string name = options.witness == Witness::a ? "A" : "C";
    const auto found = std::ranges::find(plan.names, name);
    if (found == plan.names.end())
      throw gainsay::UserError("scenario 'viewstamped_replication': the witness is not among the members");
    plan.witnesses = {static_cast<std::size_t>(found - plan.names.begin())};
    if (plan.old_members == plan.witnesses)
      throw gainsay::UserError(
          "scenario 'viewstamped_replication': with members=a_acd the witness is C or nobody: "
          "somebody must keep the log");
  }
  plan.old_views = static_cast<Number>(options.old_views);
  plan.new_views = static_cast<Number>(options.new_views);
  plan.queries = static_cast<Number>(options.queries);
  plan.all_impatient = options.impatient == Impatient::all;
  plan.stale = options.stale;
  return plan;
}

Constants constants_of(const Plan& plan, Bug bug) {
  const auto ids = [](const std::vector<std::size_t>& places) {
    std::vector<gainsay::ActorId> all;
    for (const std::size_t place : places) all.push_back(gainsay::ActorId{place});
    return all;
  };
  Constants constants;
  constants.old_members = ids(plan.old_members);
  constants.new_members = ids(plan.new_members);
  const auto witnesses = ids(plan.witnesses);
  constants.witnesses = {witnesses.begin(), witnesses.end()};
  constants.old_views = plan.old_views;
  constants.new_views = plan.new_views;
  constants.queries = plan.queries;
  constants.all_impatient = plan.all_impatient;
  constants.stale = plan.stale;
  constants.bug = bug;
  return constants;
}

}  // namespace viewstamped_replication
