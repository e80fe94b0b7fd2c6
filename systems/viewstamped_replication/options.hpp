// The constants of viewstamped_replication, which the model and the implementation have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gainsay/gainsay.hpp"
#include "systems/viewstamped_replication/model.hpp"

namespace viewstamped_replication {

enum class Members { ab, abc, abc_acd, a_acd };
enum class Witness { none, a, c };
enum class Impatient { all, last };

// Constants whose graphs come near to given sizes (README.md).
enum class Size { chosen, seed_a, seed_b, seed_c };

// What the options of the model and of the implementation have in common.
template <class O> void describe_options(gainsay::Describe<O>& d) {
  d.field(&O::bug, "the seeded bug");
  d.value(Bug::none, "the protocol as it should be");
  d.value(Bug::longest_log, "the new primary takes the longest log, not the most recent one");
  d.value(Bug::no_download, "the new primary starts with its own log");
  d.value(Bug::cut_to_commit, "who fetches entries first forgets what it has not committed");
  d.value(Bug::keep_differing, "an entry that differs from the source's is kept");
  d.value(Bug::early_ack, "a backup acknowledges its own log before it has fetched the primary's");
  d.value(Bug::witness_ignored, "the new primary does not wait for what a witness has acknowledged");
  d.value(Bug::old_majority, "majorities are those of the old members after the reconfiguration");
  d.value(Bug::old_start_view, "the start of an earlier view is accepted");
  d.value(Bug::commit_unbounded, "a commit beyond the log is taken");
  d.value(Bug::commit_dropped, "a commit that comes too early is lost");
  d.value(Bug::same_view_change,
          "a late wish for the present view throws a replica back into the view change");
  d.value(Bug::early_shutdown, "a replica that leaves is off at once");
  d.value(Bug::majority_shutdown, "a replica that leaves is off when a majority has entered the epoch");
  d.value(Bug::catchup_interrupted, "a replica that is late for the epoch takes part in old view changes");
  d.value(Bug::epoch_at_append, "the reconfiguration is carried out before it is committed");
  d.value(Bug::stale_prepare_ok, "acknowledgements of earlier views are counted");
  d.field(&O::size,
          "constants for a graph of a certain size; anything but `chosen` overrides the options below");
  d.value(Size::chosen, "the options below");
  d.field(&O::members, "the members before and after the reconfiguration");
  d.value(Members::ab, "A, B; no reconfiguration");
  d.value(Members::abc, "A, B, C; no reconfiguration");
  d.value(Members::abc_acd, "A, B, C; then A, C, D");
  d.value(Members::a_acd, "A; then A, C, D");
  d.field(&O::witness, "the replica that keeps no log");
  d.field(&O::old_views, "highest view number before the reconfiguration").range(0, 4);
  d.field(&O::new_views, "highest view number after the reconfiguration").range(0, 4);
  d.field(&O::queries, "how many queries a log gets").range(0, 4);
  d.field(&O::impatient, "which replicas time out and want another view");
  d.value(Impatient::all, "every member");
  d.value(Impatient::last, "the last member of a configuration: fewer states");
  d.field(&O::stale, "what happens to messages that their receiver would drop");
  d.value(Stale::delivered, "they are delivered and dropped");
  d.value(Stale::kept, "they are never delivered: fewer states");
}

struct Options {
  Bug bug = Bug::none;
  Size size = Size::chosen;
  Members members = Members::abc_acd;
  Witness witness = Witness::a;
  std::uint32_t old_views = 1;
  std::uint32_t new_views = 1;
  std::uint32_t queries = 1;
  Impatient impatient = Impatient::all;
  Stale stale = Stale::delivered;

  static void describe(gainsay::Describe<Options>& d) { describe_options(d); }
};

// Who there is, by name, and which of them are what.
struct Plan {
  std::vector<std::string> names;
  std::vector<std::size_t> old_members;
  std::vector<std::size_t> new_members;
  std::vector<std::size_t> witnesses;
  Number old_views = 0;
  Number new_views = 0;
  Number queries = 1;
  bool all_impatient = true;
  Stale stale = Stale::delivered;
};

Plan make_plan(const Options& options);
template <class O> Plan plan_of(const O& o) {
  return make_plan(
      {o.bug, o.size, o.members, o.witness, o.old_views, o.new_views, o.queries, o.impatient, o.stale});
}
// REQUIRES: the replicas are the first actors of the world, in the order of their names.
Constants constants_of(const Plan& plan, Bug bug);

}  // namespace viewstamped_replication
