#include "gainsay/scenario/registry.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "gainsay/base/text.hpp"

namespace gainsay {
namespace {

std::vector<std::unique_ptr<Scenario>>& all() {
  static std::vector<std::unique_ptr<Scenario>> list;
  return list;
}

}  // namespace

Scenario::Scenario(std::string name, std::string description, std::vector<OptionInfo> options, Body body)
    : name_(std::move(name)),
      description_(std::move(description)),
      options_(std::move(options)),
      body_(std::move(body)) {}

Scenario Scenario::of(std::string name, std::function<void(World&)> body) {
  return make<NoOptions>(std::move(name), "",
                         [body = std::move(body)](World& world, const NoOptions&) { body(world); });
}

Blueprint Scenario::build(const OptionTexts& options) const {
  World world(name_);
  body_(&world, options, owner());
  return world.take();
}

OptionTexts Scenario::complete(const OptionTexts& options) const { return body_(nullptr, options, owner()); }

RegisterScenario::RegisterScenario(Scenario scenario) {
  for (const auto& existing : all()) {
    if (existing->name() == scenario.name()) {
      std::fprintf(stderr, "gainsay: two scenarios are named '%s'; rename one\n", scenario.name().c_str());
      std::exit(2);
    }
  }
  all().push_back(std::make_unique<Scenario>(std::move(scenario)));
}

std::vector<const Scenario*> scenarios() {
  std::vector<const Scenario*> sorted;
  for (const auto& scenario : all()) sorted.push_back(scenario.get());
  std::sort(sorted.begin(), sorted.end(),
            [](const Scenario* a, const Scenario* b) { return a->name() < b->name(); });
  return sorted;
}

const Scenario& find_scenario(std::string_view name) {
  std::vector<std::string> names;
  for (const Scenario* scenario : scenarios()) {
    if (scenario->name() == name) return *scenario;
    names.push_back(scenario->name());
  }
  throw UserError(
      fmt::format("unknown scenario '{}'{}{}", name, did_you_mean(name, names), " (`list` shows all)"));
}

}  // namespace gainsay
