// What the experiments share: a search of a world that is no bundled system, and what it amounts to.
#pragma once

#include <functional>
#include <string>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/scenario/world.hpp"
#include "papers/zoo/experiment.hpp"

namespace gainsay::tools::zoo {

struct Letter {
  int n = 0;
};
struct Box {
  using Receives = Messages<Letter>;
  std::vector<int> got;
  void on(const Letter& letter) { got.push_back(letter.n); }
};
struct Leads {};
struct Lead {
  using Receives = Messages<Leads>;
  Ref<Box> box{nobody};
  void on(const Leads&, Context& ctx) { ctx.send(box, Letter{3}); }
};

// n messages to one actor: n! executions, and as many classes.
Scenario letters_world(int n);
// Figure 3 of the paper of DPOR-DS: e1 and e2 can come first, e2 leads to e3, e1 and e3 go to one actor.
Scenario figure_3_world();

// All executions of a search, up to `runs_max`; `steps_max` 0: of any length.
struct Searched {
  std::uint64_t runs = 0;
  std::uint64_t blocked = 0;
  std::uint64_t classes = 0;  // of the executions, as same-receiver dependence has them
  bool ended = false;         // nothing was left to do
};
Searched search_all(const Scenario& scenario, const OptionTexts& options, const std::string& strategy,
                    const OptionTexts& strategy_options, std::uint64_t runs_max, const ExperimentHow& how,
                    std::uint64_t steps_max = 0);

}  // namespace gainsay::tools::zoo
