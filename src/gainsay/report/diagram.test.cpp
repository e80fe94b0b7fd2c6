#include "gainsay/report/diagram.hpp"

#include <gtest/gtest.h>

#include "gainsay/scenario/actor.hpp"

namespace diagram_test {
namespace {

using gainsay::DiagramFormat;
using gainsay::machine_diagram;

struct Push {};
struct Knock {};
struct Burn {};
template <class T> struct Call {};

struct Door {
  enum class State { open, shut, locked };
  using Receives = gainsay::Messages<Push, Knock, Burn, Call<int>>;
  gainsay::Machine<State> machine{};

  static void table(gainsay::Table<Door>& t) {
    t.start(State::shut);
    t.in(State::shut)
        .entry(&Door::enter)
        .go_to<Push>(State::open)
        .on<Knock>(&Door::enter)
        .push<Call<int>>(State::locked);
    t.in(State::open)
        .exit(&Door::enter)
        .defer<Knock>()
        .ignore<Call<int>>()
        .halt<Burn>()
        .may_go_to(State::shut);
    t.in(State::locked).pop<Push>().may_push(State::open);
  }
  void enter() {}
};

TEST(Diagram, Mermaid) {
  EXPECT_EQ(machine_diagram(*gainsay::value_actor_type<Door>().machine, DiagramFormat::mermaid),
            "%% diagram_test::{anonymous}::Door\n"
            "stateDiagram-v2\n"
            "  [*] --> shut\n"
            "  open\n"
            "  open : exit\n"
            "  open : defers Knock\n"
            "  open : ignores Call#lt;int#gt;\n"
            "  shut\n"
            "  shut : entry\n"
            "  shut : on Knock\n"
            "  locked\n"
            "  locked : pops on Push\n"
            "  open --> [*] : halt on Burn\n"
            "  open --> shut\n"
            "  shut --> open : Push\n"
            "  shut --> locked : push on Call#lt;int#gt;\n"
            "  locked --> open : push\n");
}

TEST(Diagram, Graphviz) {
  EXPECT_EQ(machine_diagram(*gainsay::value_actor_type<Door>().machine, DiagramFormat::dot),
            "digraph \"diagram_test::{anonymous}::Door\" {\n"
            "  node [shape=box, style=rounded];\n"
            "  \"(start)\" [shape=point];\n"
            "  \"open\" [label=\"open\\nexit\\ndefers Knock\\nignores Call<int>\"];\n"
            "  \"shut\" [label=\"shut\\nentry\\non Knock\"];\n"
            "  \"locked\" [label=\"locked\\npops on Push\"];\n"
            "  \"(halt)\" [shape=doublecircle, label=\"\", width=0.15];\n"
            "  \"(start)\" -> \"shut\";\n"
            "  \"open\" -> \"(halt)\" [label=\"halt on Burn\"];\n"
            "  \"open\" -> \"shut\" [label=\"\"];\n"
            "  \"shut\" -> \"open\" [label=\"Push\"];\n"
            "  \"shut\" -> \"locked\" [label=\"push on Call<int>\", style=dashed];\n"
            "  \"locked\" -> \"open\" [label=\"push\", style=dashed];\n"
            "}\n");
}

}  // namespace
}  // namespace diagram_test
