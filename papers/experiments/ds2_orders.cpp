// DS2 over many first orders: what its schedulers amount to depends on which receive they happen to begin with, so one
// order says little. The paper gives the mean of three runs that are not deterministic.
#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "papers/experiments/small_search.hpp"
#include "papers/zoo/chart.hpp"
#include "papers/zoo/history_census.hpp"
#include "papers/zoo/print.hpp"
#include "papers/zoo/table.hpp"

namespace gainsay::tools::zoo {
namespace {

struct OrderedSearch {
  const char* label;  // of the paper
  const char* strategy;
  OptionTexts options;
};

const std::vector<OrderedSearch>& ordered_searches() {
  static const std::vector<OrderedSearch> searches = {{"DP", "ds2", {{"rule", "dp"}}},
                                                      {"TD", "ds2", {{"rule", "td"}}},
                                                      {"IR", "ds2", {{"rule", "ir"}}},
                                                      {"LV", "ds2", {{"rule", "lv"}}},
                                                      {"", "dpor", {{"dependence", "receiver"}}},
                                                      {"", "transdpor", {{"dependence", "receiver"}}},
                                                      {"", "sdpor", {{"dependence", "receiver"}}},
                                                      {"", "sdpor", {}}};
  return searches;
}

std::string search_text(const OrderedSearch& search) {
  std::string text = search.strategy;
  for (const auto& [name, value] : search.options) text += fmt::format(" {}={}", name, value);
  return text;
}

// One search with one first order.
Rows census_of(const Subject& subject, const OrderedSearch& search, std::uint64_t first,
               std::uint64_t runs_max, const ExperimentHow& how) {
  const Scenario& scenario = find_scenario(subject.scenario);
  const Blueprint blueprint = scenario.build(subject.all_options());
  HistoryCensus census(blueprint);
  HuntOptions hunting;
  hunting.strategy = search.strategy;
  hunting.strategy_options = search.options;
  hunting.strategy_options.emplace_back("first", std::to_string(first));
  hunting.runs = runs_max;
  hunting.steps_max = 400;
  hunting.keep_going = true;
  hunting.judge_histories = false;
  hunting.stop = how.stop;
  hunting.watch = [&](const Execution& execution, const RunOutcome&) {
    census.add(execution.history(), execution);
  };
  const HuntResult result = hunt(scenario, subject.all_options(), hunting);
  Rows row = {{"S", result.runs},
              {"UH", census.unique()},
              {"NL", census.wrong()},
              {"PC", census.precedence_classes().size()},
              {"WPC", census.wrong_precedence_classes().size()},
              {"ended", result.runs < runs_max}};
  row["first_wrong"] =
      census.executions_before_wrong() ? Rows(*census.executions_before_wrong() + 1) : Rows();
  return row;
}

Rows measure_orders(const ExperimentHow& how) {
  Rows rows = Rows::array();
  const std::uint64_t orders = how.quick ? 4 : 40;
  const std::uint64_t runs_max = how.quick ? 100 : 2'500;
  for (const Subject& subject : find_table("ds2").subjects) {
    for (const OrderedSearch& search : ordered_searches()) {
      Rows row = {{"subject", subject.title}, {"bug", subject.bug},   {"strategy", search_text(search)},
                  {"paper", search.label},    {"runs_max", runs_max}, {"orders", Rows::array()}};
      for (std::uint64_t first = 0; first < orders; ++first) {
        if (how.stopped()) return rows;
        row["orders"].push_back(census_of(subject, search, first, runs_max, how));
      }
      if (const auto theirs = subject.paper.find(search.label); theirs != subject.paper.end()) {
        for (const char* figure : {"S", "UH", "NL"}) row["theirs"][figure] = theirs->second.at(figure);
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

struct Spread {
  double least = 0, median = 0, most = 0;
};

Spread spread_of(const Rows& row, const char* figure, const char* per = nullptr) {
  std::vector<double> values;
  for (const Rows& one : row["orders"]) {
    const double below = per == nullptr ? 1 : one[per].get<double>();
    values.push_back(below == 0 ? 0 : one[figure].get<double>() / below);
  }
  GAINSAY_CHECK(!values.empty(), "a row has at least one order");
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {values.front(), median, values.back()};
}

std::string spread_text(const Spread& spread) {
  const auto text = [](double value) { return with_commas(static_cast<std::uint64_t>(value)); };
  if (spread.least == spread.most) return text(spread.median);
  return fmt::format("{} ({} to {})", text(spread.median), text(spread.least), text(spread.most));
}

std::size_t orders_that_found(const Rows& row) {
  return static_cast<std::size_t>(
      std::count_if(row["orders"].begin(), row["orders"].end(),
                    [](const Rows& one) { return one["NL"].get<std::uint64_t>() > 0; }));
}

std::size_t orders_that_ended(const Rows& row) {
  return static_cast<std::size_t>(std::count_if(row["orders"].begin(), row["orders"].end(),
                                                [](const Rows& one) { return one["ended"].get<bool>(); }));
}

std::string theirs_text(const Rows& row, const char* figure) {
  return row.contains("theirs") ? row["theirs"][figure].get<std::string>() : "";
}

// Of LiViola, whose few schedules depend most on where they begin.
std::string said_of_liviola(const Rows& rows) {
  std::string text;
  for (const Rows& row : rows) {
    if (row["paper"] != "LV" || row["bug"] == "none") continue;
    text += fmt::format("{}LiViola finds the bug of *{}* for {} of {} first orders", text.empty() ? "" : "; ",
                        row["subject"].get<std::string>(), orders_that_found(row), row["orders"].size());
  }
  return text.empty() ? "" : text + ".\n";
}

Rendered render_orders(const Rows& rows) {
  Rendered rendered;
  std::vector<std::vector<std::string>> cells = {{"table", "strategy", "found for", "ended for", "#S",
                                                  "paper #S", "#UH", "paper #UH", "#NL", "paper #NL",
                                                  "classes", "wrong classes"}};
  const std::vector<std::tuple<std::string, const char*, const char*>> pictures = {
      {"schedules", "S", nullptr}, {"histories", "UH", nullptr}, {"violations", "NL", nullptr},
      {"progression", "UH", "S"},  {"quality", "NL", "UH"},      {"precision", "NL", "S"}};
  std::map<std::string, std::vector<chart::Mark>> marks;
  for (const Rows& row : rows) {
    const std::string subject = row["subject"];
    const std::string strategy = row["strategy"];
    cells.push_back(
        {subject.substr(0, subject.find(':')), "`" + strategy + "`",
         row["bug"] == "none" ? "-" : fmt::format("{} of {}", orders_that_found(row), row["orders"].size()),
         fmt::format("{} of {}", orders_that_ended(row), row["orders"].size()),
         spread_text(spread_of(row, "S")), theirs_text(row, "S"), spread_text(spread_of(row, "UH")),
         theirs_text(row, "UH"), spread_text(spread_of(row, "NL")), theirs_text(row, "NL"),
         spread_text(spread_of(row, "PC")), spread_text(spread_of(row, "WPC"))});
    for (const auto& [name, figure, per] : pictures) {
      const Spread spread = spread_of(row, figure, per);
      marks[name].push_back({subject, strategy, spread.median, spread.least, spread.most});
    }
  }
  rendered.text =
      "Median, least and most over first orders (`first=0`, 1, ...). `ds2` has the rules of the paper's "
      "section 2.2, "
      "`dpor` and `transdpor` those of the original papers. A search ends after " +
      (rows.empty() ? std::string("-") : number_text(rows[0]["runs_max"])) +
      " schedules; the paper's ended after 50,000. *Classes* are precedence classes: what was answered, and "
      "before "
      "what was begun, which is all that linearizability depends on.\n\n" +
      markdown_table(cells) + "\n" + said_of_liviola(rows) + "\nThe paper's figures 8 and 9:\n";
  for (const auto& [name, figure, per] : pictures) {
    if (marks[name].empty()) continue;
    const std::string file = "ds2-" + name + ".svg";
    rendered.svgs[file] =
        chart::marks_svg(fmt::format("#{}{}: median, least and most over first orders", figure,
                                     per == nullptr ? "" : fmt::format(" / #{}", per)),
                         marks[name]);
    rendered.text += fmt::format("\n![{}](results/{})\n", name, file);
  }
  return rendered;
}

const RegisterExperiment ds2_orders_registration{
    {"ds2-orders", "DS2's schedulers over many first orders", &measure_orders, &render_orders}};

}  // namespace
}  // namespace gainsay::tools::zoo
