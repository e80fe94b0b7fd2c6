#include "papers/zoo/table.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/scenario/registry.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "papers/zoo/built_in.hpp"

namespace gainsay::tools::zoo {
namespace {

using Json = nlohmann::ordered_json;

template <class T> std::optional<T> lesser(const std::optional<T>& a, const std::optional<T>& b) {
  if (!a) return b;
  if (!b) return a;
  return std::min(*a, *b);
}

// Reads JSON values, with complaints that say where.
class Reader {
 public:
  Reader(std::string where, std::string path) : where_(std::move(where)), path_(std::move(path)) {}

  [[noreturn]] void complain(const std::string& what) const {
    throw UserError(fmt::format("{}: {}{}", where_, path_.empty() ? "" : path_ + ": ", what));
  }
  // What others complain of is told with its place.
  template <class Work> void located(const Work& work) const {
    try {
      work();
    } catch (const UserError& error) {
      complain(error.what());
    }
  }
  Reader at(const std::string& name) const { return {where_, path_.empty() ? name : path_ + "." + name}; }

  const Json& object(const Json& json, const std::vector<std::string>& known) const {
    if (!json.is_object()) complain("expected an object in braces");
    for (const auto& [name, value] : json.items()) {
      if (std::find(known.begin(), known.end(), name) == known.end())
        complain(fmt::format("unknown field '{}'{} (fields: {})", name, did_you_mean(name, known),
                             fmt::join(known, ", ")));
    }
    return json;
  }
  const Json& list(const Json& json, const std::string& name) const {
    static const Json empty = Json::array();
    if (!json.contains(name)) return empty;
    if (!json[name].is_array()) at(name).complain("expected a list in brackets");
    return json[name];
  }
  std::string text(const Json& json, const std::string& name) const {
    if (!json.contains(name)) return "";
    if (!json[name].is_string()) at(name).complain("expected a text in quotes");
    return json[name].get<std::string>();
  }
  std::optional<std::uint64_t> number(const Json& json, const std::string& name) const {
    if (!json.contains(name)) return std::nullopt;
    if (!json[name].is_number_unsigned() || json[name].get<std::uint64_t>() == 0)
      at(name).complain("expected a whole number, at least 1");
    return json[name].get<std::uint64_t>();
  }
  OptionTexts options(const Json& json) const {
    OptionTexts texts;
    if (!json.contains("options")) return texts;
    if (!json["options"].is_object()) at("options").complain("expected an object in braces");
    for (const auto& [name, value] : json["options"].items()) {
      if (!value.is_string()) at("options." + name).complain("expected a text in quotes");
      texts.emplace_back(name, value.get<std::string>());
    }
    return texts;
  }
  Budget budget(const Json& json, const std::string& name) const {
    Budget budget;
    if (!json.contains(name)) return budget;
    const Reader inner = at(name);
    const Json& object = inner.object(json[name], {"runs", "time", "seeds", "steps", "states", "fair_after"});
    budget.runs = inner.number(object, "runs");
    budget.seeds = inner.number(object, "seeds");
    budget.steps = inner.number(object, "steps");
    budget.states = inner.number(object, "states");
    budget.fair_after = inner.number(object, "fair_after");
    if (object.contains("time")) {
      const auto time = parse_duration(inner.text(object, "time"));
      if (!time || *time <= 0)
        inner.at("time").complain("expected a duration such as \"500ms\", \"15s\" or \"2m\"");
      budget.time = std::chrono::nanoseconds(*time);
    }
    return budget;
  }
  Table::Measure measure(const Json& json) const {
    using Measure = Table::Measure;
    static const std::map<std::string, Measure> known = {{"bugs", Measure::bugs},
                                                         {"first_bugs", Measure::first_bugs},
                                                         {"shares", Measure::shares},
                                                         {"histories", Measure::histories}};
    const auto found = known.find(text(json, "measure"));
    if (found == known.end())
      at("measure").complain("expected \"bugs\", \"first_bugs\", \"shares\" or \"histories\"");
    return found->second;
  }
  std::vector<std::string> columns(const Json& json) const {
    if (!json.contains("columns")) return default_columns();
    std::vector<std::string> names;
    for (const Json& column : list(json, "columns")) {
      if (!column.is_string()) at("columns").complain("expected texts in quotes");
      const auto name = column.get<std::string>();
      if (std::find(column_names().begin(), column_names().end(), name) == column_names().end())
        at("columns").complain(fmt::format("unknown column '{}'{} (columns: {})", name,
                                           did_you_mean(name, column_names()),
                                           fmt::join(column_names(), ", ")));
      names.push_back(name);
    }
    if (names.empty()) at("columns").complain("a table needs at least one column");
    return names;
  }
  PaperFigures paper(const Json& json) const {
    PaperFigures figures;
    if (!json.contains("paper")) return figures;
    if (!json["paper"].is_object()) at("paper").complain("expected an object in braces");
    for (const auto& [algorithm, row] : json["paper"].items()) {
      for (const auto& [symbol, value] : row.items()) {
        if (value.is_null()) continue;
        figures[algorithm][symbol] =
            value.is_string() ? value.get<std::string>() : with_commas(value.get<std::uint64_t>());
      }
    }
    return figures;
  }

 private:
  std::string where_;
  std::string path_;
};

const Scenario* known_scenario(const std::string& name) {
  for (const Scenario* scenario : scenarios()) {
    if (scenario->name() == name) return scenario;
  }
  return nullptr;
}

std::vector<std::string> bugs_of(const Scenario& scenario) {
  for (const OptionInfo& option : scenario.options()) {
    if (option.name == "bug") return option.values;
  }
  return {};
}

// A subject for every bug that is not named yet.
void add_other_bugs(std::vector<Subject>& subjects, Subject general) {
  const Scenario& scenario = find_scenario(general.scenario);
  for (const std::string& bug : bugs_of(scenario)) {
    const bool named = std::any_of(subjects.begin(), subjects.end(), [&](const Subject& s) {
      return s.scenario == general.scenario && s.bug == bug;
    });
    if (named) continue;
    general.bug = bug;
    subjects.push_back(general);
  }
}

Subject read_subject(const Reader& reader, const Json& json) {
  reader.object(json, {"title", "scenario", "bug", "options", "budget", "paper"});
  Subject subject;
  subject.title = reader.text(json, "title");
  subject.scenario = reader.text(json, "scenario");
  if (subject.scenario.empty()) reader.complain("a subject needs a \"scenario\"");
  subject.bug = reader.text(json, "bug");
  subject.options = reader.options(json);
  subject.budget = reader.budget(json, "budget");
  subject.paper = reader.paper(json);
  return subject;
}

std::vector<Subject> read_subjects(const Reader& reader, const Json& json, bool built_in) {
  std::vector<Subject> named;
  std::vector<Subject> general;
  const Json& list = reader.list(json, "subjects");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Reader inner = reader.at(fmt::format("subjects[{}]", i));
    Subject subject = read_subject(inner, list[i]);
    if (known_scenario(subject.scenario) == nullptr) {
      if (built_in) continue;
      find_scenario(subject.scenario);  // throws
    }
    (subject.bug.empty() ? general : named).push_back(std::move(subject));
  }
  for (Subject& subject : general) add_other_bugs(named, subject);
  if (json.contains("every") && json["every"] == true) {
    for (const Scenario* scenario : scenarios()) add_other_bugs(named, {.scenario = scenario->name()});
    std::stable_sort(named.begin(), named.end(),
                     [](const Subject& a, const Subject& b) { return a.scenario < b.scenario; });
  }
  return named;
}

}  // namespace

Budget Budget::with(const Budget& other) const {
  Budget both = *this;
  if (other.runs) both.runs = other.runs;
  if (other.time) both.time = other.time;
  if (other.seeds) both.seeds = other.seeds;
  if (other.steps) both.steps = other.steps;
  if (other.states) both.states = other.states;
  if (other.fair_after) both.fair_after = other.fair_after;
  return both;
}

Budget Budget::at_most(const Budget& other) const {
  return {lesser(runs, other.runs),   lesser(time, other.time),     lesser(seeds, other.seeds),
          lesser(steps, other.steps), lesser(states, other.states), lesser(fair_after, other.fair_after)};
}

std::string Budget::text() const {
  std::vector<std::string> parts;
  if (runs) parts.push_back(with_commas(*runs) + " runs");
  if (time) parts.push_back(duration_text(time->count()));
  if (seeds) parts.push_back(with_commas(*seeds) + (*seeds == 1 ? " seed" : " seeds"));
  if (steps) parts.push_back(with_commas(*steps) + " steps");
  if (states) parts.push_back(with_commas(*states) + " states");
  if (fair_after) parts.push_back(fmt::format("fair after {} steps", *fair_after));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string StrategyPlan::name() const {
  std::string text = strategy;
  for (const auto& [option, value] : options) text += fmt::format(" {}={}", option, value);
  return text;
}

OptionTexts Subject::all_options() const {
  OptionTexts all = options;
  if (!bug.empty()) all.emplace_back("bug", bug);
  return all;
}

bool Subject::has(const Row& row) const {
  return row.subject == title && row.system == scenario && row.bug == (bug.empty() ? "none" : bug) &&
         row.options == options;
}

const Figures* Subject::beside(const Row& row) const {
  const auto found = paper.find(row.paper);
  return found == paper.end() ? nullptr : &found->second;
}

Budget Table::budget_of(const Subject& subject, const StrategyPlan& strategy, bool is_quick) const {
  const Budget whole = budget.with(subject.budget).with(strategy.budget);
  return is_quick ? whole.at_most(quick) : whole;
}

Table parse_table(const std::string& name, const std::string& text, const std::string& where, bool built_in) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    const std::size_t line =
        1 + static_cast<std::size_t>(std::count(
                text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size())),
                '\n'));
    throw UserError(fmt::format("{}:{}: not JSON; a table of the zoo is a JSON object", where, line));
  }
  const Reader reader(where, "");
  reader.object(json, {"about", "measure", "columns", "budget", "quick", "strategies", "every", "subjects"});
  Table table;
  table.name = name;
  table.about = reader.text(json, "about");
  table.measure = reader.measure(json);
  table.columns = reader.columns(json);
  table.budget = reader.budget(json, "budget");
  table.quick = reader.budget(json, "quick");
  const Json& plans = reader.list(json, "strategies");
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const Reader inner = reader.at(fmt::format("strategies[{}]", i));
    inner.object(plans[i], {"strategy", "options", "budget", "paper"});
    StrategyPlan plan{inner.text(plans[i], "strategy"), inner.options(plans[i]),
                      inner.budget(plans[i], "budget"), inner.text(plans[i], "paper")};
    inner.located([&] { (void)find_strategy(plan.strategy).make(plan.options); });
    table.strategies.push_back(std::move(plan));
  }
  table.subjects = read_subjects(reader, json, built_in);
  for (const Subject& subject : table.subjects)
    reader.located([&] { (void)find_scenario(subject.scenario).complete(subject.all_options()); });
  if (table.strategies.empty()) reader.complain("a table needs at least one of \"strategies\"");
  return table;
}

constexpr std::size_t table_bytes_max = 16 << 20;

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const BuiltInTable& table : built_in_tables()) names.push_back(table.name);
  return names;
}

Table find_table(const std::string& name_or_path) {
  for (const BuiltInTable& table : built_in_tables()) {
    if (table.name == name_or_path) return parse_table(table.name, table.text, "table " + table.name, true);
  }
  std::ifstream file(name_or_path);
  if (!file) {
    const std::vector<std::string> names = table_names();
    throw UserError(fmt::format("unknown table '{}'{} (tables: {}; or the path of a file)", name_or_path,
                                did_you_mean(name_or_path, names), fmt::join(names, ", ")));
  }
  std::string text(table_bytes_max + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > table_bytes_max)
    throw UserError(fmt::format("{}: longer than {}; expected a table of the zoo, a JSON file", name_or_path,
                                human_bytes(table_bytes_max)));
  return parse_table(name_or_path, text, name_or_path, false);
}

}  // namespace gainsay::tools::zoo
