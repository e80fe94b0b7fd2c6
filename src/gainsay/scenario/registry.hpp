// The registry: scenarios by name. GAINSAY_SCENARIO(name, "what it is", Options) { ...body... } adds one.
//
// The body sees `world` (World&) and `options` (const Options&). Put it in an executable or an OBJECT library,
// because linkers drop registrations from static libraries.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay {

class Scenario {
 public:
  template <class O>
  static Scenario make(std::string name, std::string description, void (*body)(World&, const O&)) {
    return make<O>(std::move(name), std::move(description), std::function<void(World&, const O&)>(body));
  }
  template <class O>
  static Scenario make(std::string name, std::string description,
                       std::function<void(World&, const O&)> body) {
    return Scenario(
        std::move(name), std::move(description), option_infos<O>(),
        [body = std::move(body)](World* world, const OptionTexts& texts, const std::string& owner) {
          const O options = parse_options<O>(texts, owner);
          if (world != nullptr) body(*world, options);
          return option_texts(options);
        });
  }
  // A scenario without options, for tests and programs with one scenario.
  static Scenario of(std::string name, std::function<void(World&)> body);

  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  const std::vector<OptionInfo>& options() const { return options_; }
  const SourcePlace& place() const { return place_; }
  Scenario at(const char* file, std::uint32_t line) && {
    place_ = {file, line};
    return std::move(*this);
  }

  // Runs the body. Throws UserError for invalid options and for mistakes in the body.
  Blueprint build(const OptionTexts& options = {}) const;
  // All options with their values: the given ones, and defaults for the rest.
  OptionTexts complete(const OptionTexts& options) const;

 private:
  // Reads the options, fills the world if there is one, and says every option with its value.
  using Body = std::function<OptionTexts(World* world, const OptionTexts& texts, const std::string& owner)>;

  Scenario(std::string name, std::string description, std::vector<OptionInfo> options, Body body);
  std::string owner() const { return "scenario '" + name_ + "'"; }

  std::string name_;
  std::string description_;
  std::vector<OptionInfo> options_;
  Body body_;
  SourcePlace place_;
};

// In alphabetical order.
std::vector<const Scenario*> scenarios();
// Throws UserError with the nearest name if there is none.
const Scenario& find_scenario(std::string_view name);

struct RegisterScenario {
  explicit RegisterScenario(Scenario scenario);
};

}  // namespace gainsay

#define GAINSAY_SCENARIO_OPTIONS_(...) \
  GAINSAY_SCENARIO_PICK_(__VA_ARGS__ __VA_OPT__(, )::gainsay::NoOptions, )
#define GAINSAY_SCENARIO_PICK_(first, ...) first
#define GAINSAY_SCENARIO(name, description, ...)                                                       \
  static void gainsay_scenario_body_##name(::gainsay::World& world,                                    \
                                           const GAINSAY_SCENARIO_OPTIONS_(__VA_ARGS__) & options);    \
  static const ::gainsay::RegisterScenario gainsay_scenario_registration_##name{                       \
      ::gainsay::Scenario::make<GAINSAY_SCENARIO_OPTIONS_(__VA_ARGS__)>(#name, description,            \
                                                                        &gainsay_scenario_body_##name) \
          .at(__FILE__, __LINE__)};                                                                    \
  static void gainsay_scenario_body_##name(                                                            \
      [[maybe_unused]] ::gainsay::World& world,                                                        \
      [[maybe_unused]] const GAINSAY_SCENARIO_OPTIONS_(__VA_ARGS__) & options)
