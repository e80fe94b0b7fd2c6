// DPOR-DS: how many executions its two forms make, beside all of them and the number of classes; and how they grow
// with the bound on steps.
#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "papers/experiments/small_search.hpp"
#include "papers/zoo/chart.hpp"
#include "papers/zoo/print.hpp"

namespace gainsay::tools::zoo {
namespace {

struct CountedWorld {
  std::string title;
  Scenario scenario;
  OptionTexts options;
};

struct CountedSearch {
  const char* column;
  const char* strategy;
  OptionTexts options;
};

std::vector<CountedWorld> counted_worlds() {
  std::vector<CountedWorld> worlds;
  worlds.push_back({"figure 3", figure_3_world(), {}});
  for (int n = 3; n <= 7; ++n)
    worlds.push_back({fmt::format("{} messages to one actor", n), letters_world(n), {}});
  const auto system = [&](const char* title, const char* name, OptionTexts options) {
    worlds.push_back({title, find_scenario(name), std::move(options)});
  };
  system("paxos, one proposer", "paxos", {{"proposers", "1"}});
  system("correct register, 2r+1w", "register_dr", {{"harness", "2r+1w"}});
  system("erroneous register, 2r+1w", "register_edr", {{"harness", "2r+1w"}, {"bug", "local_read"}});
  system("another register, 2r+1w", "register_adr", {{"harness", "2r+1w"}});
  system("Open Chord, 2r+1w", "open_chord", {{"harness", "2r+1w"}, {"bug", "serves_before_join"}});
  system("Multi-Paxos, 2r+1w", "multi_paxos_map", {{"harness", "2r+1w"}});
  return worlds;
}

const std::vector<CountedSearch>& counted_searches() {
  static const std::vector<CountedSearch> searches = {{"dfs", "dfs", {}},
                                                      {"naive", "dpor-ds", {{"naive", "true"}}},
                                                      {"forced", "dpor-ds", {}},
                                                      {"sdpor", "sdpor", {{"dependence", "receiver"}}},
                                                      {"odpor", "odpor", {{"dependence", "receiver"}}}};
  return searches;
}

Rows count_of(const Searched& searched) {
  return {{"runs", searched.runs},
          {"blocked", searched.blocked},
          {"classes", searched.classes},
          {"ended", searched.ended}};
}

Rows measure_dpor_ds(const ExperimentHow& how) {
  Rows rows = Rows::array();
  const std::uint64_t runs_max = how.quick ? 6'000 : 1'000'000;
  for (const CountedWorld& world : counted_worlds()) {
    Rows row = {{"kind", "count"}, {"world", world.title}, {"runs_max", runs_max}};
    for (const CountedSearch& search : counted_searches()) {
      if (how.stopped()) return rows;
      row[search.column] =
          count_of(search_all(world.scenario, world.options, search.strategy, search.options, runs_max, how));
    }
    rows.push_back(std::move(row));
  }
  const Scenario& register_dr = find_scenario("register_dr");
  const std::uint64_t depth_max = how.quick ? 8 : 24;
  for (const CountedSearch& search : counted_searches()) {
    for (std::uint64_t depth = 1; depth <= depth_max && !how.stopped(); ++depth) {
      OptionTexts options = search.options;
      const bool is_dfs = std::string(search.strategy) == "dfs";
      if (!is_dfs) options.emplace_back("depth", std::to_string(depth));
      const Searched one = search_all(register_dr, {{"harness", "2r+1w"}}, search.strategy, options, runs_max,
                                      how, is_dfs ? depth : 0);
      rows.push_back({{"kind", "growth"},
                      {"search", search.column},
                      {"depth", depth},
                      {"runs", one.runs},
                      {"ended", one.ended}});
      if (!one.ended) break;
    }
  }
  return rows;
}

std::string cell(const Rows& count) {
  return (count["ended"].get<bool>() ? "" : "more than ") + number_text(count["runs"]);
}

bool all_ended(const Rows& row, std::initializer_list<const char*> columns) {
  return std::all_of(columns.begin(), columns.end(),
                     [&](const char* column) { return row[column]["ended"].get<bool>(); });
}

// What the counts say, in words. Theory: neither form repeats an execution, so neither has more than dfs. That forced
// has no more than naive is no theorem.
std::string said_of_counts(const std::vector<Rows>& counts) {
  std::vector<std::string> forced_more;
  std::size_t compared = 0;
  std::uint64_t naive_sum = 0, forced_sum = 0;
  for (const Rows& row : counts) {
    if (!all_ended(row, {"naive", "forced"})) continue;
    ++compared;
    const auto naive = row["naive"]["runs"].get<std::uint64_t>();
    const auto forced = row["forced"]["runs"].get<std::uint64_t>();
    naive_sum += naive;
    forced_sum += forced;
    if (forced > naive)
      forced_more.push_back(fmt::format("{} ({} against {})", row["world"].get<std::string>(),
                                        with_commas(forced), with_commas(naive)));
    if (!all_ended(row, {"dfs"})) continue;
    const auto dfs = row["dfs"]["runs"].get<std::uint64_t>();
    GAINSAY_CHECK(naive <= dfs && forced <= dfs,
                  "no execution is made twice, so there are at most all of them");
  }
  std::string text = fmt::format(
      "No execution is made twice, so neither form has more than `dfs`; that holds in every row by "
      "construction. "
      "That forced makes no more executions than naive is no theorem: naive starts each event at most once "
      "in a state "
      "and leaves open what follows, forced may start one event several times, once for each order that it "
      "is to "
      "force. Of the {} worlds that both finished, ",
      compared);
  if (forced_more.empty()) {
    text += "forced has no more executions than naive in all.";
  } else {
    text += fmt::format("forced has more than naive in {}: {}.", forced_more.size(),
                        fmt::join(forced_more, ", "));
  }
  return text + fmt::format(" Together: {} executions of naive, {} of forced.\n", with_commas(naive_sum),
                            with_commas(forced_sum));
}

Rendered render_dpor_ds(const Rows& rows) {
  std::vector<std::vector<std::string>> cells = {
      {"world", "dfs", "naive", "forced", "blocked", "sdpor", "odpor", "classes"}};
  std::vector<Rows> counts;
  std::vector<chart::Line> lines;
  for (const Rows& row : rows) {
    if (row["kind"] == "count") {
      counts.push_back(row);
      const bool known = row["odpor"]["ended"].get<bool>();
      cells.push_back({row["world"].get<std::string>(), cell(row["dfs"]), cell(row["naive"]),
                       cell(row["forced"]), number_text(row["forced"]["blocked"]), cell(row["sdpor"]),
                       cell(row["odpor"]), known ? number_text(row["odpor"]["classes"]) : "-"});
    } else {
      const std::string name = row["search"].get<std::string>();
      if (lines.empty() || lines.back().name != name) lines.push_back({name, {}});
      lines.back().points.emplace_back(row["depth"].get<double>(), row["runs"].get<double>());
    }
  }
  Rendered rendered;
  rendered.text =
      "Executions, up to the end of the search or to its limit of runs. `blocked`: executions of forced that "
      "left their "
      "order where the tree had been before. `classes` are those of the same-receiver dependence.\n\n" +
      markdown_table(cells) + "\n" + said_of_counts(counts);
  const auto figure =
      std::find_if(counts.begin(), counts.end(), [](const Rows& row) { return row["world"] == "figure 3"; });
  if (figure != counts.end())
    rendered.text += fmt::format(
        "\n*Figure 3 of the paper* (e1 and e2 can come first, e2 leads to e3, e1 and e3 go to one actor). "
        "The text says "
        "that naive explores 3 paths and forced 2. Here naive has {} and forced {}, and so has the "
        "pseudo-code as "
        "printed: after [e1 e2 e3] it forces [e2 e3 e1]; there e1 comes after e3 and could have come before "
        "it, so "
        "[e1 e3] is inserted below e2, and no line of the pseudo-code knows that [e2 e1 e3] is equivalent to "
        "the first "
        "path. With sleep sets, which know it, there are {} (`sdpor`), one for each of the {} classes.\n",
        number_text((*figure)["naive"]["runs"]), number_text((*figure)["forced"]["runs"]),
        number_text((*figure)["sdpor"]["runs"]), number_text((*figure)["odpor"]["classes"]));
  if (!lines.empty()) {
    rendered.text +=
        "\nGrowth with the bound on steps (the correct register, 2r+1w):\n\n![Executions by "
        "depth](results/dpor-ds.svg)\n";
    rendered.svgs["dpor-ds.svg"] = chart::lines_svg(
        "Executions of the correct register (2r+1w) by bound on steps", "steps", "executions", lines);
  }
  return rendered;
}

const RegisterExperiment registration{
    {"dpor-ds", "DPOR-DS: executions of its two forms", &measure_dpor_ds, &render_dpor_ds}};

}  // namespace
}  // namespace gainsay::tools::zoo
