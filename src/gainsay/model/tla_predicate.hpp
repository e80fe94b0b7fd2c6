// TlaPredicate: a small part of TLA+'s expressions, for questions about the states of a TLC graph.
//
//   \A i \in DOMAIN active : ~active[i] \/ pc[i] = "idle"
//
// Names are variables of the model, bound names, or else model values. There are =, #, <, <=, >, >=, \in, \notin,
// \subseteq, /\, \/, ~, =>, +, -, .., \cup, \cap, \, \A, \E, {..}, {x \in S : P}, <<..>>, [a |-> ..], f[x], r.a,
// DOMAIN, Len, Cardinality, Head. What has no value (a field that is not there, a number compared with a set) is an
// error that names the state. Values are parsed when a state is asked about, each once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gainsay/model/state_graph.hpp"
#include "gainsay/model/tla_value.hpp"

namespace gainsay {

class TlaPredicate {
 public:
  // Throws UserError, which says what was expected and where, for what cannot be read.
  TlaPredicate(std::string text, const std::vector<std::string>& variables);
  ~TlaPredicate();
  TlaPredicate(TlaPredicate&&) noexcept;

  // `values`: by variable. Throws UserError where the expression has no value, or one that is neither TRUE nor FALSE.
  bool holds(const std::vector<const TlaValue*>& values) const;
  const std::string& text() const { return text_; }

  struct Node;

 private:
  std::string text_;
  std::unique_ptr<Node> root_;
};

// By node of the graph. Throws UserError for a graph without values.
std::vector<bool> evaluate(const StateGraph& graph, const std::string& predicate);

}  // namespace gainsay
