// Options of a scenario (or of a strategy): a plain reflected struct, read from `--option name=value`.
//
//   struct Options {
//     Bug bug = Bug::none;
//     std::uint32_t proposers = 2;
//     static void describe(gainsay::Describe<Options>& d) {
//       d.field(&Options::proposers, "how many proposers compete").range(1, 8);
//       d.value(Bug::lowest, "keeps the value of the lowest ballot");
//     }
//   };
// Fields may be bool, integers, doubles, strings, scoped enums and durations. `describe` is optional.
#pragma once

#include <charconv>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/base/print.hpp"
#include "gainsay/base/reflect.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay {

using OptionTexts = std::vector<std::pair<std::string, std::string>>;

struct OptionInfo {
  std::string name;
  std::string type;                 // "bool", "integer", "number", "text", "duration", "one of"
  std::vector<std::string> values;  // what can be said: enumerators, true/false, or a range like "1..8"
  std::string default_text;
  std::string help;
  // Enumerators with a description: {"lowest", "keeps ..."}.
  std::vector<std::pair<std::string, std::string>> value_help;
};

namespace detail {

struct FieldRules {
  std::string help;
  std::optional<double> least;
  std::optional<double> most;
};

std::string range_text(const FieldRules& rules);

template <class T> std::string option_text(const T& value) {
  if constexpr (std::same_as<T, std::string>) {
    return value;
  } else {
    return print(value);
  }
}

}  // namespace detail

template <class O> class Describe {
 public:
  class Field {
   public:
    explicit Field(detail::FieldRules& rules) : rules_(&rules) {}
    Field& range(double least, double most) {
      rules_->least = least;
      rules_->most = most;
      return *this;
    }

   private:
    detail::FieldRules* rules_;
  };

  template <class T> Field field(T O::*member, std::string help) {
    detail::FieldRules& rules = rules_of(&(probe_.*member));
    rules.help = std::move(help);
    return Field(rules);
  }
  template <class E>
    requires std::is_enum_v<E>
  void value(E enumerator, std::string help) {
    value_help_.push_back({std::string(reflect::full_type_name<E>()),
                           {std::string(reflect::enumerator_name(enumerator)), std::move(help)}});
  }

  const detail::FieldRules* find(std::size_t index) const {
    for (const auto& [at, rules] : rules_) {
      if (at == index) return &rules;
    }
    return nullptr;
  }
  template <class E> std::vector<std::pair<std::string, std::string>> values_of() const {
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& [type, entry] : value_help_) {
      if (type == reflect::full_type_name<E>()) out.push_back(entry);
    }
    return out;
  }

 private:
  detail::FieldRules& rules_of(const void* field) {
    std::size_t index = 0;
    std::size_t found = 0;
    reflect::for_each_field(probe_, [&](std::string_view, auto& part) {
      if (static_cast<const void*>(&part) == field) found = index;
      ++index;
    });
    for (auto& [at, rules] : rules_) {
      if (at == found) return rules;
    }
    return rules_.emplace_back(found, detail::FieldRules{}).second;
  }

  O probe_{};
  std::vector<std::pair<std::size_t, detail::FieldRules>> rules_;
  std::vector<std::pair<std::string, std::pair<std::string, std::string>>> value_help_;
};

namespace detail {

template <class O> Describe<O> description() {
  Describe<O> d;
  if constexpr (requires { O::describe(d); }) O::describe(d);
  return d;
}

[[noreturn]] void bad_option(std::string_view name, std::string_view text, const std::string& expected);

template <class T> std::string expected_text(const FieldRules* rules) {
  if constexpr (std::same_as<T, bool>) return "true or false";
  if constexpr (std::is_enum_v<T>) {
    std::string all = "one of";
    for (const std::string_view name : reflect::enumerator_names<T>) {
      if (!name.empty()) all += " " + std::string(name);
    }
    return all;
  }
  if constexpr (reflect::detail::is_duration<T>) return "a duration such as 500ms, 15s or 2m";
  if constexpr (std::same_as<T, std::string>) return "text";
  const std::string kind = std::is_floating_point_v<T> ? "a number" : "a whole number";
  return rules != nullptr && rules->least ? kind + " in " + range_text(*rules) : kind;
}

template <class T>
void set_option(std::string_view name, T& field, std::string_view text, const FieldRules* rules) {
  const auto bad = [&] { bad_option(name, text, expected_text<T>(rules)); };
  if constexpr (std::same_as<T, bool>) {
    if (text != "true" && text != "false") bad();
    field = text == "true";
  } else if constexpr (std::is_enum_v<T>) {
    for (std::size_t i = 0; i < reflect::enumerator_names<T>.size(); ++i) {
      if (!text.empty() && reflect::enumerator_names<T>[i] == text) {
        field = static_cast<T>(i);
        return;
      }
    }
    std::vector<std::string> names;
    for (const std::string_view candidate : reflect::enumerator_names<T>) {
      if (!candidate.empty()) names.emplace_back(candidate);
    }
    bad_option(name, text, expected_text<T>(rules) + did_you_mean(text, names));
  } else if constexpr (reflect::detail::is_duration<T>) {
    const auto parsed = parse_duration(text);
    if (!parsed) bad();
    field = std::chrono::duration_cast<T>(std::chrono::nanoseconds(*parsed));
  } else if constexpr (std::same_as<T, std::string>) {
    field = std::string(text);
  } else {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) bad();
    if (rules != nullptr && rules->least &&
        !(static_cast<double>(value) >= *rules->least && static_cast<double>(value) <= *rules->most)) {
      bad();
    }
    field = value;
  }
}

template <class T> OptionInfo option_info(std::string_view name, const T& initial, const FieldRules* rules) {
  OptionInfo info;
  info.name = name;
  info.default_text = option_text(initial);
  if (rules != nullptr) info.help = rules->help;
  if constexpr (std::same_as<T, bool>) {
    info.type = "bool";
    info.values = {"false", "true"};
  } else if constexpr (std::is_enum_v<T>) {
    info.type = "one of";
    for (const std::string_view enumerator : reflect::enumerator_names<T>) {
      if (!enumerator.empty()) info.values.emplace_back(enumerator);
    }
  } else if constexpr (reflect::detail::is_duration<T>) {
    info.type = "duration";
  } else if constexpr (std::same_as<T, std::string>) {
    info.type = "text";
  } else {
    info.type = std::is_floating_point_v<T> ? "number" : "integer";
    if (rules != nullptr && rules->least) info.values = {range_text(*rules)};
  }
  return info;
}

}  // namespace detail

template <class O> std::vector<OptionInfo> option_infos() {
  const Describe<O> d = detail::description<O>();
  std::vector<OptionInfo> infos;
  const O initial{};
  reflect::for_each_field(initial, [&](std::string_view name, const auto& field) {
    using T = std::remove_cvref_t<decltype(field)>;
    OptionInfo info = detail::option_info<T>(name, field, d.find(infos.size()));
    if constexpr (std::is_enum_v<T>) info.value_help = d.template values_of<T>();
    infos.push_back(std::move(info));
  });
  return infos;
}

// Sets the named fields; throws UserError for an unknown name (with the nearest one) or a value that does not
// fit.
template <class O> O parse_options(const OptionTexts& texts, std::string_view owner) {
  const Describe<O> d = detail::description<O>();
  O options{};
  for (const auto& [name, text] : texts) {
    bool found = false;
    std::size_t index = 0;
    std::vector<std::string> names;
    reflect::for_each_field(options, [&](std::string_view field_name, auto& field) {
      names.emplace_back(field_name);
      if (field_name == name) {
        found = true;
        detail::set_option(name, field, text, d.find(index));
      }
      ++index;
    });
    if (!found) {
      throw UserError(std::string(owner) + " has no option '" + name + "'" + did_you_mean(name, names));
    }
  }
  return options;
}

// Every option with its value as text, in the order of the struct.
template <class O> OptionTexts option_texts(const O& options) {
  OptionTexts texts;
  reflect::for_each_field(options, [&](std::string_view name, const auto& field) {
    texts.emplace_back(std::string(name), detail::option_text(field));
  });
  return texts;
}

struct NoOptions {};

}  // namespace gainsay
