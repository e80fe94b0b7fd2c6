#include "gainsay/strategy/catalogue.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "gainsay/base/text.hpp"
#include "gainsay/strategy/searches/delay.hpp"
#include "gainsay/strategy/searches/dfs.hpp"
#include "gainsay/strategy/searches/dpor.hpp"
#include "gainsay/strategy/searches/optimal_dpor.hpp"
#include "gainsay/strategy/searches/source_dpor.hpp"
#include "gainsay/strategy/walks/hitting.hpp"
#include "gainsay/strategy/walks/nemesis.hpp"
#include "gainsay/strategy/walks/pct.hpp"
#include "gainsay/strategy/walks/pctcp.hpp"
#include "gainsay/strategy/walks/portfolio.hpp"
#include "gainsay/strategy/walks/pos.hpp"
#include "gainsay/strategy/walks/qlearning.hpp"
#include "gainsay/strategy/walks/random.hpp"
#include "gainsay/strategy/walks/surw.hpp"

namespace gainsay {
namespace {

// The bundled ones are named here, not registered by static objects: a linker would drop those from a static
// library.
std::vector<std::unique_ptr<StrategyInfo>> bundled() {
  std::vector<std::unique_ptr<StrategyInfo>> list;
  for (StrategyInfo (*const info)() :
       {delay_strategy, dfs_strategy, dpor_strategy, hitting_strategy, nemesis_strategy, odpor_strategy,
        pct_strategy, pctcp_strategy, portfolio_strategy, pos_strategy, qlearning_strategy, random_strategy,
        sdpor_strategy, surw_strategy})
    list.push_back(std::make_unique<StrategyInfo>(info()));
  return list;
}

std::vector<std::unique_ptr<StrategyInfo>>& all() {
  static std::vector<std::unique_ptr<StrategyInfo>> list = bundled();
  return list;
}

}  // namespace

bool StrategyInfo::has_option(std::string_view asked) const {
  return std::any_of(options.begin(), options.end(),
                     [&](const OptionInfo& option) { return option.name == asked; });
}

RegisterStrategy::RegisterStrategy(StrategyInfo info) {
  for (const auto& existing : all()) {
    if (existing->name == info.name) {
      std::fprintf(stderr, "gainsay: two strategies are named '%s'; rename one\n", info.name.c_str());
      std::exit(2);
    }
  }
  all().push_back(std::make_unique<StrategyInfo>(std::move(info)));
}

std::vector<const StrategyInfo*> strategies() {
  std::vector<const StrategyInfo*> sorted;
  for (const auto& info : all()) sorted.push_back(info.get());
  std::sort(sorted.begin(), sorted.end(),
            [](const StrategyInfo* a, const StrategyInfo* b) { return a->name < b->name; });
  return sorted;
}

const StrategyInfo& find_strategy(std::string_view name) {
  std::vector<std::string> names;
  for (const StrategyInfo* info : strategies()) {
    if (info->name == name) return *info;
    names.push_back(info->name);
  }
  throw UserError(fmt::format("unknown strategy '{}'{} (strategies: {})", name, did_you_mean(name, names),
                              fmt::join(names, ", ")));
}

}  // namespace gainsay
