// reference_dependence: the dependence policies of searches as a simple relation on executed events, for the reference
// enumerator, estimates and certificates.
//
// Independent on purpose: it judges searches, so it shares no rule with their footprints (strategy/dependence.hpp) and
// no order with execution/. It takes only facts of the blueprint from elsewhere (Property::is_global,
// FaultPlan::counts_steps). Do not merge the two.
//
// It holds only what a policy is about (actors, properties, histories), not what merely keeps swaps from being
// executions (budgets, mailboxes): a search complete under a finer relation has visited every class of this one.
#pragma once

#include <string>

#include "gainsay/scenario/blueprint.hpp"
#include "gainsay/trace/trace_order.hpp"

namespace gainsay {

struct ReferenceRules {
  bool properties = false;     // events that notify one monitor, or change what one global property reads
  bool histories = false;      // the end of an operation and the beginning of one
  bool history_order = false;  // all ends and beginnings: where somebody judges their order
  bool clients = false;  // what is done for one client by several actors: where somebody judges its order
  // What else must keep its order so that every order of a class is an execution: sends to one mailbox, and all steps
  // where a cut lasts for a number of steps.
  bool swappable = false;
};

// The blueprint must outlive the relation.
Dependent reference_dependence(const Blueprint& blueprint, const ReferenceRules& rules);

// The rules that the scenario's properties ask for.
ReferenceRules rules_of(const Blueprint& blueprint);

}  // namespace gainsay
