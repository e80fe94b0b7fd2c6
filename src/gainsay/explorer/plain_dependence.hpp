// plain_dependence: what the dependence policies of searches mean, said once more as a plain relation on executed
// events, for enumerators, estimates and certificates. It shares nothing with the searches' own footprints.
//
// It holds only what a policy is about (actors, properties, histories), not what merely keeps swaps from being
// executions (budgets, mailboxes): a search complete under a finer relation has visited every class of this one.
#pragma once

#include <string>

#include "gainsay/scenario/blueprint.hpp"
#include "gainsay/trace/trace_order.hpp"

namespace gainsay {

struct PlainRules {
  bool properties = false;     // events that notify one monitor, or change what one global property reads
  bool histories = false;      // the end of an operation and the beginning of one
  bool history_order = false;  // all ends and beginnings: where somebody judges their order
  // What else must keep its order so that every order of a class is an execution: sends to one mailbox, and all steps
  // where a cut lasts for a number of steps.
  bool swappable = false;
};

// The blueprint must outlive the relation.
Dependent plain_dependence(const Blueprint& blueprint, const PlainRules& rules);

// The rules that the scenario's properties ask for.
PlainRules rules_of(const Blueprint& blueprint);

// A property that more than one actor decides: it is seen in some orders of independent events and not in others.
bool is_global(const Property& property);

}  // namespace gainsay
