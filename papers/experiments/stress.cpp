// Section 7 of the paper on P#: systematic testing against a stress test, the same systems on real threads and sleeps
// without control. How often does each bug show in the same time?
#include <chrono>

#include <fmt/format.h>

#include "gainsay/base/text.hpp"
#include "gainsay/execution/campaign/hunt.hpp"
#include "papers/searches/threads.hpp"
#include "papers/zoo/columns.hpp"
#include "papers/zoo/experiment.hpp"
#include "papers/zoo/print.hpp"
#include "papers/zoo/table.hpp"

namespace gainsay::tools::zoo {
namespace {

using Clock = std::chrono::steady_clock;

Rows shown(const Subject& subject, const Budget& budget, const std::string& strategy, double seconds,
           const ExperimentHow& how) {
  HuntOptions hunting;
  hunting.strategy = strategy;
  hunting.time = std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
  if (budget.steps) hunting.steps_max = *budget.steps;
  hunting.keep_going = true;
  hunting.stop = how.stop;
  const Clock::time_point started = Clock::now();
  Rows first;
  hunting.found = [&](const FoundViolation&) {
    if (first.is_null()) first = std::chrono::duration<double>(Clock::now() - started).count();
  };
  const HuntResult result = hunt(find_scenario(subject.scenario), subject.all_options(), hunting);
  return {{"runs", result.runs}, {"buggy", result.buggy_runs}, {"steps", result.steps}, {"first_s", first}};
}

Rows measure_stress(const ExperimentHow& how) {
  register_threads();
  const Table table = find_table("azure");
  const double seconds = how.quick ? 0.5 : 10;
  Rows rows = Rows::array();
  for (const Subject& subject : table.subjects) {
    if (how.stopped()) return rows;
    const Budget budget = table.budget.with(subject.budget);
    rows.push_back({{"subject", subject.title},
                    {"bug", subject.bug},
                    {"seconds", seconds},
                    {"threads", shown(subject, budget, "threads", seconds, how)},
                    {"random", shown(subject, budget, "random", seconds, how)}});
  }
  return rows;
}

std::string first_text(const Rows& side) {
  return side["first_s"].is_null() ? "-" : time_text(side["first_s"].get<double>());
}

Rendered render_stress(const Rows& rows) {
  std::vector<std::vector<std::string>> cells = {
      {"bug", "stress: runs", "buggy", "first after", "`random`: runs", "buggy runs", "first bug after"}};
  std::size_t by_threads = 0, by_random = 0;
  std::uint64_t threads_buggy = 0, random_buggy = 0;
  std::vector<std::string> missed;
  for (const Rows& row : rows) {
    const Rows& threads = row["threads"];
    const Rows& random = row["random"];
    cells.push_back({row["subject"].get<std::string>(), number_text(threads["runs"]),
                     number_text(threads["buggy"]), first_text(threads), number_text(random["runs"]),
                     number_text(random["buggy"]), first_text(random)});
    const auto t = threads["buggy"].get<std::uint64_t>(), r = random["buggy"].get<std::uint64_t>();
    by_threads += t > 0 ? 1 : 0;
    by_random += r > 0 ? 1 : 0;
    threads_buggy += t;
    random_buggy += r;
    if (t == 0) missed.push_back(row["subject"].get<std::string>());
  }
  const double seconds = rows.empty() ? 0 : rows[0]["seconds"].get<double>();
  Rendered rendered;
  rendered.text = fmt::format(
      "Each bug for {} s of a clock on either side. Under stress a thread for each actor sleeps for what a "
      "message takes "
      "(up to 200 µs) or a timer (5 ms, which stands for the second of production), and what wakes up first "
      "is next; "
      "inputs are drawn on both sides. Handlers are executed one at a time, as everywhere here, so data "
      "races within the "
      "code are outside of the comparison. `random` is controlled: it chooses among what may happen, "
      "whatever its time.\n\n",
      seconds);
  rendered.text += markdown_table(cells);
  rendered.text += fmt::format(
      "\nStress shows {} of {} bugs, in {} runs; `random` shows {}, in {} runs.{} The paper announces this "
      "comparison and "
      "has no figures of it; it says that the stress test of vNext failed from time to time after very long "
      "executions.\n",
      by_threads, rows.size(), with_commas(threads_buggy), by_random, with_commas(random_buggy),
      missed.empty() ? "" : fmt::format(" Not seen under stress: {}.", fmt::join(missed, ", ")));
  return rendered;
}

const RegisterExperiment stress_registration{
    {"stress", "Section 7 of Deligiannis et al.: controlled testing and stress testing in the same time",
     &measure_stress, &render_stress}};

}  // namespace
}  // namespace gainsay::tools::zoo
