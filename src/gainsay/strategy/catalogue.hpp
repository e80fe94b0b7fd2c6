// The catalogue: strategies by name, with their options. A user's program adds its own with a
// RegisterStrategy object.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

enum class StrategyKind { random, search };

struct StrategyInfo {
  std::string name;
  std::string description;
  StrategyKind kind = StrategyKind::random;
  std::vector<OptionInfo> options;
  std::function<std::unique_ptr<Strategy>(const OptionTexts&)> make;
  bool heuristic = false;              // a search that never claims to be complete
  bool unlisted_is_free = false;       // it takes messages without a key for independent of everything
  std::string depth_option = "depth";  // which of the options `--depth` sets, if there is one of this name
  // With some options a search becomes a random walk; null: never.
  std::function<StrategyKind(const OptionTexts&)> kind_for;

  StrategyKind kind_with(const OptionTexts& texts) const { return kind_for ? kind_for(texts) : kind; }
  bool has_depth() const { return has_option(depth_option); }
  bool has_option(std::string_view asked) const;

  template <class O>
  static StrategyInfo of(std::string name, std::string description, StrategyKind kind,
                         std::function<std::unique_ptr<Strategy>(const O&)> create) {
    StrategyInfo info;
    info.name = std::move(name);
    info.description = std::move(description);
    info.kind = kind;
    info.options = option_infos<O>();
    const std::string owner = "strategy '" + info.name + "'";
    info.make = [owner, create = std::move(create)](const OptionTexts& texts) {
      return create(parse_options<O>(texts, owner));
    };
    return info;
  }
};

// In alphabetical order.
std::vector<const StrategyInfo*> strategies();
// Throws UserError with the nearest name where there is none.
const StrategyInfo& find_strategy(std::string_view name);

struct RegisterStrategy {
  explicit RegisterStrategy(StrategyInfo info);
};

}  // namespace gainsay
