#include "gainsay/base/options.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "gainsay/base/print.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay::detail {
namespace {

std::string range_text(const FieldRules& rules) { return fmt::format("{}..{}", *rules.least, *rules.most); }

template <class T> bool parse_number(void* field, std::string_view text, const FieldRules* rules) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  if (rules != nullptr && rules->least) {
    const double number = static_cast<double>(value);
    if (!(number >= *rules->least && number <= *rules->most)) return false;
  }
  *static_cast<T*>(field) = value;
  return true;
}

// The names that can be said: a value without an enumerator has none.
std::vector<std::string> names_of(const OptionType& type) {
  std::vector<std::string> names;
  for (const std::string_view name : type.enumerators()) {
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

std::string expected_text(const OptionType& type, const FieldRules* rules) {
  switch (type.kind) {
    case OptionType::Kind::boolean:
      return "true or false";
    case OptionType::Kind::one_of:
      return fmt::format("one of {}", fmt::join(names_of(type), " "));
    case OptionType::Kind::duration:
      return "a duration such as 500ms, 15s or 2m";
    case OptionType::Kind::text:
      return "text";
    case OptionType::Kind::integer:
    case OptionType::Kind::number:
      break;
  }
  const std::string kind = type.kind == OptionType::Kind::number ? "a number" : "a whole number";
  return rules != nullptr && rules->least ? kind + " in " + range_text(*rules) : kind;
}

[[noreturn]] void bad_option(std::string_view name, std::string_view text, const std::string& expected) {
  throw UserError(fmt::format("option {}={}: expected {}", name, text, expected));
}

void set_option(const OptionField& option, void* field, std::string_view text, const FieldRules* rules) {
  const OptionType& type = *option.type;
  bool fits = true;
  switch (type.kind) {
    case OptionType::Kind::boolean:
      fits = text == "true" || text == "false";
      if (fits) *static_cast<bool*>(field) = text == "true";
      break;
    case OptionType::Kind::text:
      *static_cast<std::string*>(field) = std::string(text);
      break;
    case OptionType::Kind::one_of: {
      const std::span<const std::string_view> names = type.enumerators();
      const auto named = std::find(names.begin(), names.end(), text);
      if (text.empty() || named == names.end())
        bad_option(option.name, text, expected_text(type, rules) + did_you_mean(text, names_of(type)));
      type.store(field, named - names.begin());
      break;
    }
    case OptionType::Kind::duration: {
      const std::optional<std::int64_t> parsed = parse_duration(text);
      fits = parsed.has_value();
      if (fits) type.store(field, *parsed);
      break;
    }
    case OptionType::Kind::integer:
    case OptionType::Kind::number:
      fits = type.parse(field, text, rules);
      break;
  }
  if (!fits) bad_option(option.name, text, expected_text(type, rules));
}

std::string option_text(const OptionType& type, const void* field) {
  switch (type.kind) {
    case OptionType::Kind::boolean:
      return *static_cast<const bool*>(field) ? "true" : "false";
    case OptionType::Kind::text:
      return *static_cast<const std::string*>(field);
    case OptionType::Kind::duration:
      return duration_text(type.load(field));
    case OptionType::Kind::integer:
    case OptionType::Kind::number:
      return type.print(field);
    case OptionType::Kind::one_of:
      break;
  }
  const std::int64_t value = type.load(field);
  const std::span<const std::string_view> names = type.enumerators();
  const bool in_table = value >= 0 && static_cast<std::uint64_t>(value) < names.size();
  const std::string_view name = in_table ? names[static_cast<std::size_t>(value)] : "";
  return name.empty() ? std::to_string(value) : std::string(name);
}

const void* at(const OptionField& field, const void* options) {
  return static_cast<const char*>(options) + field.offset;
}

}  // namespace

constinit const OptionType bool_option{.kind = OptionType::Kind::boolean};
constinit const OptionType text_option{.kind = OptionType::Kind::text};

template <class T> const OptionType& number_option() {
  static constexpr OptionType type{
      .kind = std::is_floating_point_v<T> ? OptionType::Kind::number : OptionType::Kind::integer,
      .parse = &parse_number<T>,
      .print = [](const void* field) { return print(*static_cast<const T*>(field)); }};
  return type;
}
template const OptionType& number_option<char>();
template const OptionType& number_option<signed char>();
template const OptionType& number_option<unsigned char>();
template const OptionType& number_option<short>();
template const OptionType& number_option<unsigned short>();
template const OptionType& number_option<int>();
template const OptionType& number_option<unsigned int>();
template const OptionType& number_option<long>();
template const OptionType& number_option<unsigned long>();
template const OptionType& number_option<long long>();
template const OptionType& number_option<unsigned long long>();
template const OptionType& number_option<float>();
template const OptionType& number_option<double>();
template const OptionType& number_option<long double>();

const FieldRules* Description::find(const OptionField& field) const {
  for (const auto& [offset, rules] : rules_) {
    if (offset == field.offset) return &rules;
  }
  return nullptr;
}

std::vector<std::pair<std::string, std::string>> Description::values_of(const OptionType& type) const {
  std::vector<std::pair<std::string, std::string>> values;
  for (const ValueHelp& each : value_help_) {
    if (each.enum_name == type.enum_name) values.emplace_back(each.enumerator, each.help);
  }
  return values;
}

FieldRules& Description::rules_at(std::size_t offset) {
  for (auto& [at, rules] : rules_) {
    if (at == offset) return rules;
  }
  return rules_.emplace_back(offset, FieldRules{}).second;
}

void Description::add_value(std::string_view enum_name, std::string_view enumerator, std::string help) {
  value_help_.push_back({enum_name, std::string(enumerator), std::move(help)});
}

std::vector<OptionInfo> option_infos(const OptionFields& fields, const Description& description,
                                     const void* initial) {
  std::vector<OptionInfo> infos;
  for (const OptionField& field : fields) {
    const OptionType& type = *field.type;
    const FieldRules* rules = description.find(field);
    OptionInfo& info = infos.emplace_back();
    info.name = field.name;
    info.default_text = option_text(type, at(field, initial));
    if (rules != nullptr) info.help = rules->help;
    switch (type.kind) {
      case OptionType::Kind::boolean:
        info.type = "bool";
        info.values = {"false", "true"};
        break;
      case OptionType::Kind::one_of:
        info.type = "one of";
        info.values = names_of(type);
        info.value_help = description.values_of(type);
        break;
      case OptionType::Kind::duration:
        info.type = "duration";
        break;
      case OptionType::Kind::text:
        info.type = "text";
        break;
      case OptionType::Kind::integer:
      case OptionType::Kind::number:
        info.type = type.kind == OptionType::Kind::number ? "number" : "integer";
        if (rules != nullptr && rules->least) info.values = {range_text(*rules)};
        break;
    }
  }
  return infos;
}

void set_options(const OptionFields& fields, const Description& description, void* options,
                 const OptionTexts& texts, std::string_view owner) {
  for (const auto& [name, text] : texts) {
    const auto field =
        std::find_if(fields.begin(), fields.end(),
                     [&, &wanted = name](const OptionField& each) { return each.name == wanted; });
    if (field == fields.end()) {
      std::vector<std::string> names;
      for (const OptionField& each : fields) names.emplace_back(each.name);
      throw UserError(std::string(owner) + " has no option '" + name + "'" + did_you_mean(name, names));
    }
    set_option(*field, static_cast<char*>(options) + field->offset, text, description.find(*field));
  }
}

OptionTexts option_texts(const OptionFields& fields, const void* options) {
  OptionTexts texts;
  for (const OptionField& field : fields)
    texts.emplace_back(std::string(field.name), option_text(*field.type, at(field, options)));
  return texts;
}

}  // namespace gainsay::detail
