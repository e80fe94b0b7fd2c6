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

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/base/reflect.hpp"
#include "gainsay/base/value_type.hpp"

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

// How a field is read and written, whatever struct it stands in. The members below `kind` are for the kinds named.
struct OptionType {
  enum class Kind : std::uint8_t { boolean, integer, number, text, duration, one_of };

  Kind kind = Kind::text;
  std::string_view enum_name{};  // one_of
  std::span<const std::string_view> (*enumerators)() =
      nullptr;                                               // one_of: by value; empty where there is none
  std::int64_t (*load)(const void* field) = nullptr;         // one_of: the value; duration: nanoseconds
  void (*store)(void* field, std::int64_t value) = nullptr;  // the same
  bool (*parse)(void* field, std::string_view text, const FieldRules* rules) = nullptr;  // integer, number
  std::string (*print)(const void* field) = nullptr;                                     // integer, number
};

struct OptionField {
  std::string_view name;
  const OptionType* type = nullptr;
  std::size_t offset = 0;  // in the struct
};
using OptionFields = std::vector<OptionField>;

extern const OptionType bool_option;
extern const OptionType text_option;
// For every arithmetic type but bool.
template <class T> const OptionType& number_option();

template <class T> const OptionType& option_type() {
  if constexpr (std::is_enum_v<T>) {
    static constexpr OptionType type{
        .kind = OptionType::Kind::one_of,
        .enum_name = reflect::full_type_name<T>(),
        .enumerators = &reflect::enumerator_names<T>,
        .load = [](const void* field) { return static_cast<std::int64_t>(*static_cast<const T*>(field)); },
        .store = [](void* field, std::int64_t value) { *static_cast<T*>(field) = static_cast<T>(value); }};
    return type;
  } else if constexpr (reflect::detail::is_duration<T>) {
    static constexpr OptionType type{
        .kind = OptionType::Kind::duration,
        .load =
            [](const void* field) {
              return std::int64_t{
                  std::chrono::duration_cast<std::chrono::nanoseconds>(*static_cast<const T*>(field))
                      .count()};
            },
        .store =
            [](void* field, std::int64_t value) {
              *static_cast<T*>(field) = std::chrono::duration_cast<T>(std::chrono::nanoseconds(value));
            }};
    return type;
  } else if constexpr (std::same_as<T, bool>) {
    return bool_option;
  } else if constexpr (std::same_as<T, std::string>) {
    return text_option;
  } else {
    return number_option<T>();
  }
}
template <class T>
inline constexpr bool is_option = std::is_enum_v<T> || reflect::detail::is_duration<T> ||
                                  std::is_arithmetic_v<T> || std::same_as<T, std::string>;

// Fails to compile, naming struct and field, where a field is no option.
template <class Owner, class Field, reflect::detail::Label field> consteval bool require_option() {
  static_assert(
      is_option<Field>,
      "gainsay: an option is a bool, a number, a std::string, a scoped enum or a duration: one word on the "
      "command line");
  return is_option<Field>;
}

template <class O> OptionFields option_fields(const O& options) {
  const auto offset = [&](const auto& field) {
    return static_cast<std::size_t>(reinterpret_cast<const char*>(&field) -
                                    reinterpret_cast<const char*>(&options));
  };
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    if constexpr ((require_option<O, std::remove_cvref_t<reflect::field_type<I, const O>>,
                                  reflect::detail::label_of<O, I>()>() &&
                   ...))
      return OptionFields{{reflect::field_names<O>()[I], &option_type<reflect::field_type<I, const O>>(),
                           offset(reflect::get_field<I>(options))}...};
    else
      return OptionFields{};
  }
  (std::make_index_sequence<reflect::field_count<O>>{});
}

// What a struct says of its options: of fields by their offset, of enumerators by name.
class Description {
 public:
  const FieldRules* find(const OptionField& field) const;
  std::vector<std::pair<std::string, std::string>> values_of(const OptionType& type) const;

 protected:
  FieldRules& rules_at(std::size_t offset);
  void add_value(std::string_view enum_name, std::string_view enumerator, std::string help);

 private:
  struct ValueHelp {
    std::string_view enum_name;
    std::string enumerator;
    std::string help;
  };
  std::vector<std::pair<std::size_t, FieldRules>> rules_;
  std::vector<ValueHelp> value_help_;
};

std::vector<OptionInfo> option_infos(const OptionFields& fields, const Description& description,
                                     const void* initial);
void set_options(const OptionFields& fields, const Description& description, void* options,
                 const OptionTexts& texts, std::string_view owner);
OptionTexts option_texts(const OptionFields& fields, const void* options);

}  // namespace detail

template <class O> class Describe : public detail::Description {
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
    detail::FieldRules& rules = rules_at(static_cast<std::size_t>(
        reinterpret_cast<const char*>(&(probe_.*member)) - reinterpret_cast<const char*>(&probe_)));
    rules.help = std::move(help);
    return Field(rules);
  }
  template <class E>
    requires std::is_enum_v<E>
  void value(E enumerator, std::string help) {
    add_value(reflect::full_type_name<E>(), reflect::enumerator_name(enumerator), std::move(help));
  }

 private:
  O probe_{};
};

namespace detail {

template <class O> Description description() {
  Describe<O> d;
  if constexpr (requires { O::describe(d); }) O::describe(d);
  return d;
}

}  // namespace detail

template <class O> std::vector<OptionInfo> option_infos() {
  const O initial{};
  return detail::option_infos(detail::option_fields(initial), detail::description<O>(), &initial);
}

// Sets the named fields; throws UserError for an unknown name (with the nearest one) or an invalid value.
template <class O> O parse_options(const OptionTexts& texts, std::string_view owner) {
  O options{};
  detail::set_options(detail::option_fields(options), detail::description<O>(), &options, texts, owner);
  return options;
}

// Every option with its value as text, in the order of the struct.
template <class O> OptionTexts option_texts(const O& options) {
  return detail::option_texts(detail::option_fields(options), &options);
}

struct NoOptions {};

}  // namespace gainsay
