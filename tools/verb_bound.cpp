// bound: what the guarantees mean, without running anything. It answers four kinds of questions: what a run
// of a strategy promises (--n, --d and --w, --chains or --threads), what N tests cover (--p), how long a
// random sequence of operations must be (--length, --operations), and which hitting family an order has
// (--order, --sp, --tree, --shape).
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/family/choose.hpp"
#include "gainsay/family/coverage.hpp"
#include "gainsay/family/lower_bounds.hpp"
#include "gainsay/family/strong.hpp"
#include "gainsay/family/verify.hpp"
#include "gainsay/strategy/walks/change_points.hpp"
#include "tools/arguments.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

using Json = nlohmann::ordered_json;
using Number = std::optional<std::uint64_t>;

struct BoundArguments {
  std::string strategy = "pctcp";
  Number n, w, chains, threads, d, runs, goals;
  Number length, operations, targets;
  std::optional<double> p, confidence;
  std::optional<std::uint64_t> degree;
  std::string order, sp, tree, shape, construction;
  bool verify = false;
  bool strong = false;
  bool least = false;
  bool list = false;
  bool json = false;
};

// What is said, in words and as a document.
struct Answer {
  std::string text;
  Json json;
};

std::string count_text(double count) {
  return count < 1e15 ? with_commas(static_cast<std::uint64_t>(std::llround(count)))
                      : fmt::format("{:.3g}", count);
}

std::string runs_text(std::uint64_t runs) {
  return runs == family::too_many ? "more than 10^18" : with_commas(runs);
}

// 1/N where that is exact enough to read.
std::string probability_text(double p) {
  if (p >= 0.999999) return fmt::format("{:g}", p);
  const double inverse = 1 / p;
  if (std::abs(inverse - std::round(inverse)) < 1e-6 * inverse) return "1/" + count_text(inverse);
  return fmt::format("{:.3g}", p);
}

// Never rounded up to a certainty that is not there.
std::string confidence_text(double confidence) {
  if (confidence >= 1) return "100 %";
  if (1 - confidence < 1e-6) return "more than 99.9999 %";
  return fmt::format("{:.6g} %", std::floor(confidence * 1e6) / 1e4);
}

// "What after N clean runs, how many runs for 95 %": the same for every kind of bound.
void add_runs(Answer& answer, const BoundArguments& arguments, double log_goals, double p, const char* unit) {
  const auto needed = [&](double confidence) {
    return family::tests_needed_sharp(log_goals, p, 1 - confidence);
  };
  std::vector<double> wanted{0.95, 0.99};
  if (arguments.confidence && *arguments.confidence != 0.95 && *arguments.confidence != 0.99)
    wanted.push_back(*arguments.confidence);
  answer.text += fmt::format("  {} needed: ", unit);
  Json table = Json::array();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::uint64_t runs = wanted[i] < 1 ? needed(wanted[i]) : p == 1 ? 1 : family::too_many;
    answer.text += fmt::format("{}{} for {}", i == 0 ? "" : ", ",
                               wanted[i] >= 1 && p < 1 ? "no number of runs is enough" : runs_text(runs),
                               confidence_text(wanted[i]));
    table.push_back({{"confidence", wanted[i]}, {"runs", runs == family::too_many ? Json() : Json(runs)}});
  }
  answer.text += "\n";
  answer.json["runs_for"] = std::move(table);
  if (!arguments.runs) return;
  const double confidence = family::confidence_after(log_goals, p, *arguments.runs);
  answer.text += fmt::format("  after {} clean {}: confidence {}\n", with_commas(*arguments.runs), unit,
                             confidence_text(confidence));
  answer.json["runs"] = *arguments.runs;
  answer.json["confidence"] = confidence;
}

std::uint64_t needs(const Number& number, const char* option, const char* question) {
  if (!number) throw UserError(fmt::format("bound needs {} {}; see `bound --help`", option, question));
  return *number;
}

Answer per_run(const BoundArguments& arguments) {
  Answer answer;
  const std::uint64_t n = needs(arguments.n, "--n", "(events of the longest execution)");
  const std::uint64_t d = needs(arguments.d, "--d", "(the depth of the bug)");
  answer.json["question"] = arguments.strategy;
  answer.json["n"] = n;
  answer.json["d"] = d;
  double p = 0;
  if (arguments.strategy == "hitting") {
    const double any = std::max(1.0, family::falling_factorial(static_cast<double>(n), d - 1));
    p = 1 / any;
    answer.text = fmt::format(
        "hitting, d = {}, orders of n = {} events: at most {} schedules hit every admissible {}-tuple\n  "
        "n^(d-1) for any order (Proposition 5.1){}; use --order, --sp or --tree for a specific order\n  the "
        "whole family hits every tuple; a random schedule of it hits a given tuple with probability at least "
        "{}\n",
        d, with_commas(n), count_text(any), d,
        d >= 2 ? fmt::format(
                     "; 2 n^(d-2) = {} if the dimension is two (Proposition 5.2)",
                     count_text(2 * std::max(1.0, family::falling_factorial(static_cast<double>(n), d - 2))))
               : "",
        probability_text(p));
    answer.json["family_size"] = any;
  } else if (arguments.strategy == "pct") {
    const std::uint64_t k = needs(arguments.threads ? arguments.threads : arguments.w, "--threads",
                                  "(the number of threads or mailboxes)");
    p = family::pct_bound(k, n, d);
    answer.text = fmt::format(
        "pct, depth {}, n = {} events, {} threads: a run shows such a bug with probability at least {}\n  1 "
        "/ (k n^(d-1)) (Burckhardt et al. 2010); for actors only under mailbox order\n",
        d, with_commas(n), with_commas(k), probability_text(p));
    answer.json["threads"] = k;
  } else {
    if (!arguments.chains && !arguments.w)
      throw UserError(
          "bound needs --w (maximum number of concurrent events) or --chains (maximum number of chains) for "
          "pctcp");
    const std::uint64_t chains =
        arguments.chains ? *arguments.chains : family::chains_for_width(*arguments.w);
    p = family::pctcp_bound(chains, n, d);
    answer.text = fmt::format(
        "pctcp, depth {}, n = {} events, {} chains{}: a run shows such a bug with probability at least {}\n"
        "  1 / (chains n^(d-1)) (Corollary 6.9); {} schedule indices\n",
        d, with_commas(n), with_commas(chains),
        arguments.chains ? "" : fmt::format(" (width {}: at most w(w+1)/2)", with_commas(*arguments.w)),
        probability_text(p), count_text(family::schedule_indices(chains, n, d)));
    answer.json["chains"] = chains;
    answer.json["schedule_indices"] = family::schedule_indices(chains, n, d);
  }
  answer.json["per_run"] = p;
  add_runs(answer, arguments, 0, p, "runs");
  // The same sentences as in the summary of a hunt, which knows which of them matter to a scenario.
  std::vector<std::string> assumptions;
  if (arguments.strategy == "hitting") {
    assumptions.emplace_back("no execution has events that are not in the order");
  } else {
    assumptions.emplace_back("no execution has more events or more chains");
    if (arguments.strategy != "pct") assumptions.emplace_back(assumes_fixed_chains());
    assumptions.emplace_back(assumes_no_answers());
    assumptions.emplace_back(fmt::format("{}, and none is drawn", assumes_no_drawn_faults()));
    if (arguments.strategy != "pct") assumptions.emplace_back(assumes_no_other_crashes());
  }
  for (const std::string& each : assumptions) answer.text += fmt::format("  if {}\n", each);
  answer.json["assumes"] = assumptions;
  return answer;
}

Answer coverage(const BoundArguments& arguments) {
  Answer answer;
  const std::uint64_t goals = arguments.goals.value_or(1);
  const double log_goals = std::log(static_cast<double>(goals));
  answer.text = fmt::format(
      "{} {}, each covered by a random test with probability at least {} (Theorem 3.1)\n"
      "  a covering family of {} tests exists\n",
      with_commas(goals), goals == 1 ? "goal" : "goals", probability_text(*arguments.p),
      runs_text(family::tests_that_exist(log_goals, *arguments.p)));
  answer.json["question"] = "coverage";
  answer.json["goals"] = goals;
  answer.json["per_run"] = *arguments.p;
  answer.json["exists"] = family::tests_that_exist(log_goals, *arguments.p);
  if (arguments.degree) {
    const std::uint64_t local =
        family::tests_by_local_lemma(*arguments.p, static_cast<double>(*arguments.degree));
    answer.text += fmt::format(
        "  a covering family of {} tests exists if each goal is independent of all but {} others (Theorem "
        "3.3, the "
        "local lemma)\n",
        runs_text(local), with_commas(*arguments.degree));
    answer.json["degree"] = *arguments.degree;
    answer.json["exists_by_local_lemma"] = local;
  }
  add_runs(answer, arguments, log_goals, *arguments.p, "tests");
  return answer;
}

Answer sequences(const BoundArguments& arguments) {
  const std::uint64_t k = needs(arguments.length, "--length", "(the length of a wanted sequence)");
  const std::uint64_t r = needs(arguments.operations, "--operations", "(the number of different operations)");
  const std::uint64_t targets = arguments.targets.value_or(1);
  const double confidence = arguments.confidence.value_or(0.95);
  if (confidence >= 1) throw UserError("no random sequence is long enough for a confidence of 100 %");
  const std::uint64_t length =
      family::operations_needed(k, static_cast<double>(r), static_cast<double>(targets), 1 - confidence);
  Answer answer;
  answer.text = fmt::format(
      "{} random operations out of {} contain one of {} wanted {} of length {} with probability {}\n"
      "  (Proposition 3.2)\n",
      runs_text(length), with_commas(r), with_commas(targets), targets == 1 ? "sequence" : "sequences", k,
      confidence_text(confidence));
  answer.json = {{"question", "sequence"},   {"length", k},
                 {"operations", r},          {"targets", targets},
                 {"confidence", confidence}, {"needed", length == family::too_many ? Json() : Json(length)}};
  return answer;
}

// The order in question: facts, the closure where it fits, names.
struct Asked {
  family::OrderFacts facts;
  std::optional<family::Poset> poset;
  std::vector<std::string> names;
};

Asked asked_poset(family::Poset poset, std::vector<std::string> names) {
  Asked asked;
  asked.facts = family::recognise(poset);
  asked.poset = std::move(poset);
  asked.names = std::move(names);
  return asked;
}

Asked asked_tree(const family::Tree& tree, std::vector<std::string> names) {
  if (tree.size() <= 2000) return asked_poset(tree.poset(), std::move(names));
  return {family::recognise(tree), std::nullopt, std::move(names)};
}

Asked asked_shape(const std::string& shape) {
  const std::size_t colon = shape.find(':');
  const std::string kind = shape.substr(0, colon);
  std::uint64_t size = 0;
  const std::string number = colon == std::string::npos ? "" : shape.substr(colon + 1);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), size);
  const bool numeric = !number.empty() && error == std::errc{} && end == number.data() + number.size();
  if (!numeric || size == 0 || size > 5'000'000)
    throw UserError(fmt::format(
        "--shape '{}': expected antichain:N, chain:N, beside:N, binary:HEIGHT or standard:N with N from "
        "1 to 5000000",
        shape));
  // Orders that are no trees are kept as a matrix.
  constexpr std::uint64_t matrix_most = 20'000;
  if ((kind == "beside" || kind == "standard") && size > matrix_most)
    throw UserError(fmt::format("--shape '{}': expected {}:N with N from 1 to {}", shape, kind, matrix_most));
  const auto n = static_cast<std::size_t>(size);
  std::vector<family::Element> parents(n, family::no_parent);
  if (kind == "antichain") return asked_tree(family::Tree(parents), {});
  if (kind == "chain") {
    for (family::Element x = 1; x < n; ++x) parents[x] = x - 1;
    return asked_tree(family::Tree(parents), {});
  }
  if (kind == "beside") return asked_poset(family::chain_with_independent(n), {});
  if (kind == "binary") return asked_tree(family::complete_binary_tree(n), {});
  if (kind == "standard") return asked_poset(family::standard_example(n), {});
  throw UserError(fmt::format(
      "--shape '{}': expected antichain:N, chain:N, beside:N (a chain and one more), binary:HEIGHT or "
      "standard:N",
      shape));
}

Asked asked_order(const BoundArguments& arguments) {
  if (!arguments.order.empty()) {
    family::NamedPoset parsed = family::parse_relations(arguments.order);
    return asked_poset(std::move(parsed.poset), std::move(parsed.names));
  }
  if (!arguments.sp.empty()) {
    family::NamedSpOrder parsed = family::parse_series_parallel(arguments.sp);
    return asked_poset(parsed.order.poset(), std::move(parsed.names));
  }
  if (!arguments.tree.empty()) {
    family::NamedTree parsed = family::parse_tree(arguments.tree);
    return asked_tree(parsed.tree, std::move(parsed.names));
  }
  return asked_shape(arguments.shape);
}

std::string name_of(const Asked& asked, family::Element x) { return family::text_of({x}, asked.names); }

// "a tree of 7 elements, height 3, width 4".
std::string order_text(const Asked& asked, Json& json) {
  const family::OrderFacts& facts = asked.facts;
  std::string kind = "an order of dimension three or more";
  if (facts.realiser) kind = "an order of dimension two";
  if (!facts.dimension_known) kind = "an order";
  if (facts.series_parallel) kind = "a series-parallel order";
  if (facts.tree) kind = facts.tree->roots().size() == 1 ? "a tree" : "a forest";
  if (facts.chain) kind = "a chain";
  if (facts.antichain && facts.size > 1) kind = "an antichain";
  json = {
      {"elements", facts.size}, {"height", facts.height}, {"kind", kind}, {"series_parallel", !facts.zigzag}};
  std::string text =
      fmt::format("{} of {} elements, height {}", kind, with_commas(facts.size), with_commas(facts.height));
  if (asked.poset) {
    const std::size_t width = family::width(*asked.poset);
    text += fmt::format(", width {}", with_commas(width));
    json["width"] = width;
  }
  if (facts.zigzag) {
    const family::ZigZag& z = *facts.zigzag;
    const std::string path = fmt::format("{} < {} > {} < {}", name_of(asked, z.a), name_of(asked, z.b),
                                         name_of(asked, z.c), name_of(asked, z.d));
    text += fmt::format("\n  not series-parallel: it has the zig-zag {}", path);
    json["zigzag"] = path;
  }
  return text + "\n";
}

void verify(Answer& answer, const Asked& asked, const family::Family& built, std::size_t d) {
  const double tuples = family::falling_factorial(static_cast<double>(asked.facts.size), d);
  constexpr double tuples_max = 5e7;
  if (!asked.poset || tuples > tuples_max)
    throw UserError(fmt::format("--verify checks every {}-tuple; this order has {}, and the limit is {}", d,
                                count_text(tuples), count_text(tuples_max)));
  const std::optional<family::Tuple> missed = family::missed_tuple(*asked.poset, built, d);
  answer.json["verified"] = !missed;
  GAINSAY_CHECK(!missed, "a hitting family hits every admissible tuple");
  answer.text += fmt::format("  verified: every admissible {}-tuple is hit\n", d);
}

void least(Answer& answer, const Asked& asked, std::size_t d) {
  constexpr std::size_t least_size_max = 5;
  if (asked.facts.size > least_size_max)
    throw UserError(
        fmt::format("--least searches all sets of schedules, for at most {} elements; this order has {}",
                    least_size_max, with_commas(asked.facts.size)));
  const auto found = family::least_family(*asked.poset, d);
  GAINSAY_CHECK(found, "five elements have few schedules");
  answer.text += fmt::format("  the smallest family has {} (by search)\n", found->family.size());
  answer.json["least"] = found->family.size();
}

// Every strong family of depth d hits all (d+1)-tuples (Remark 3), so what those need is a lower bound for it.
Answer strong_hitting_family(const BoundArguments& arguments, const Asked& asked) {
  const auto d = static_cast<std::size_t>(needs(arguments.d, "--d", "(the number of elements in a tuple)"));
  if (!asked.poset) throw UserError("--strong is for orders of at most 2000 elements");
  const family::Upgrown upgrown = family::upgrown(*asked.poset);
  const family::OnlineChains chains = family::online_chains(upgrown.poset);
  const double bound = family::schedule_indices(chains.chains, asked.facts.size, d);
  constexpr double entries_max = 1e8;
  if (bound * static_cast<double>(asked.facts.size) > entries_max)
    throw UserError(
        fmt::format("a strong {}-hitting family of this order has up to {} schedules, too many to build; use "
                    "a smaller d or a smaller order",
                    d, count_text(bound)));
  const family::Family built = family::strong_family(upgrown.poset, d);
  GAINSAY_CHECK(static_cast<double>(built.size()) <= bound, "a family keeps its bound");
  Answer answer;
  answer.json["question"] = "strong family";
  answer.text = order_text(asked, answer.json["order"]);
  answer.json["d"] = d;
  answer.json["chains"] = chains.chains;
  answer.json["schedules"] = built.size();
  answer.json["schedules_at_most"] = bound;
  answer.text += fmt::format(
      "strong {}-hitting family: {} schedules, {} chains of the online partition; at most {} (Theorem 6.2)\n "
      " it also hits every {}-tuple; pctcp exhaustive=true does the same for executions\n",
      d, with_commas(built.size()), chains.chains, count_text(bound), d + 1);
  if (arguments.verify) {
    GAINSAY_CHECK(!family::strongly_missed_tuple(upgrown.poset, built, d),
                  "a strong family hits every tuple strongly");
    GAINSAY_CHECK(d + 1 > asked.facts.size || !family::missed_tuple(upgrown.poset, built, d + 1),
                  "a strong family hits tuples of one more");
    answer.text += fmt::format("  verified: every {}-tuple is strongly hit\n", d);
    answer.json["verified"] = true;
  }
  return answer;
}

void add_lower_bounds(Answer& answer, const Asked& asked, std::size_t built, std::size_t d) {
  answer.json["at_least"] = Json::array();
  for (const family::LowerBound& bound :
       family::lower_bounds(asked.facts, asked.poset ? &*asked.poset : nullptr, d)) {
    GAINSAY_CHECK(bound.schedules <= built, "no family is smaller than a lower bound");
    answer.text += fmt::format("  at least {}: {}{}\n", with_commas(bound.schedules), bound.because,
                               bound.schedules == built ? "; so no family is smaller" : "");
    answer.json["at_least"].push_back({{"schedules", bound.schedules}, {"because", bound.because}});
  }
}

Answer hitting_family(const BoundArguments& arguments) {
  const Asked asked = asked_order(arguments);
  if (arguments.strong) return strong_hitting_family(arguments, asked);
  const auto d = static_cast<std::size_t>(needs(arguments.d, "--d", "(the number of elements in a tuple)"));
  Answer answer;
  answer.json["question"] = "family";
  answer.text = order_text(asked, answer.json["order"]);
  answer.json["d"] = d;
  answer.json["plans"] = Json::array();
  for (const family::Plan& plan : family::plans(asked.facts, d))
    answer.json["plans"].push_back(
        {{"construction", family::name_of(plan.construction)}, {"schedules_at_most", plan.size}});
  const family::BuiltFamily built = family::build(asked.facts, asked.poset ? &*asked.poset : nullptr, d, 1,
                                                  family::entries_default, arguments.construction);
  answer.text +=
      fmt::format("{}-hitting family: {} {}, by {}; at most {}\n", d, with_commas(built.family.size()),
                  built.family.size() == 1 ? "schedule" : "schedules",
                  family::name_of(built.plan.construction), count_text(built.plan.size));
  if (!built.remark.empty()) answer.text += "  " + built.remark + "\n";
  answer.json["construction"] = family::name_of(built.plan.construction);
  answer.json["schedules"] = built.family.size();
  answer.json["schedules_at_most"] = built.plan.size;
  answer.json["remark"] = built.remark;
  for (const family::Plan& plan : family::plans(asked.facts, d)) {
    if (plan.construction != built.plan.construction)
      answer.text +=
          fmt::format("  at most {} by {}\n", count_text(plan.size), family::name_of(plan.construction));
  }
  add_lower_bounds(answer, asked, built.family.size(), d);
  if (arguments.verify) verify(answer, asked, built.family, d);
  if (arguments.least) least(answer, asked, d);
  if (arguments.list) {
    Json schedules = Json::array();
    for (const family::Schedule& schedule : built.family) {
      answer.text += "  " + family::text_of(schedule, asked.names) + "\n";
      Json one = Json::array();
      for (const family::Element x : schedule) one.push_back(name_of(asked, x));
      schedules.push_back(std::move(one));
    }
    answer.json["family"] = std::move(schedules);
  }
  return answer;
}

int bound_verb(const BoundArguments& arguments) {
  const bool order = !arguments.order.empty() || !arguments.sp.empty() || !arguments.tree.empty() ||
                     !arguments.shape.empty();
  const bool sequence = arguments.length || arguments.operations;
  const int questions = (order ? 1 : 0) + (sequence ? 1 : 0) + (arguments.p ? 1 : 0) + (arguments.n ? 1 : 0);
  if (questions > 1) throw UserError("bound takes one of --n, --p, --length with --operations, and an order");
  const Answer answer = order         ? hitting_family(arguments)
                        : sequence    ? sequences(arguments)
                        : arguments.p ? coverage(arguments)
                                      : per_run(arguments);
  say(arguments.json ? answer.json.dump(2) + "\n" : answer.text);
  return 0;
}

}  // namespace

Verb add_bound(CLI::App& app) {
  auto arguments = std::make_shared<BoundArguments>();
  BoundArguments& a = *arguments;
  constexpr std::uint64_t large = 1'000'000'000'000'000;
  add_word(app, "--strategy", {"pctcp", "pct", "hitting"}, a.strategy, "the strategy (pctcp)");
  add_number(app, "--n", a.n, {1, large}, "events of the longest execution");
  add_number(app, "--w", a.w, {1, 1'000'000'000},
             "maximum number of concurrent events; gives w(w+1)/2 chains");
  add_number(app, "--chains", a.chains, {1, large}, "maximum number of chains, if known");
  add_number(app, "--threads", a.threads, {1, large}, "number of threads, for pct");
  add_number(app, "--d", a.d, {1, 64}, "depth of the bug, or elements of a tuple");
  add_number(app, "--runs", a.runs, {1, UINT64_MAX}, "print the confidence after this many clean runs");
  add_probability(app, "--confidence", a.confidence,
                  "print the runs needed for this confidence, in addition to 95 % and 99 %");
  add_probability(app, "--p", a.p, "Theorem 3.1: probability that a random test covers a goal");
  add_number(app, "--goals", a.goals, {1, UINT64_MAX}, "number of goals (1)");
  add_number(app, "--degree", a.degree, {0, large},
             "Theorem 3.3: each goal is independent of all but this many others");
  add_number(app, "--length", a.length, {1, 1'000'000},
             "Proposition 3.2: length of a wanted sequence of operations");
  add_number(app, "--operations", a.operations, {1, large}, "number of different operations");
  add_number(app, "--targets", a.targets, {1, large}, "wanted sequences (1)");
  add_text(app, "--order", "RELATIONS", a.order, "the hitting family of this order: \"a<b<c, d<c\"");
  add_text(app, "--sp", "EXPRESSION", a.sp, "the same for a series-parallel order: \"a . (b | c) . d\"");
  add_text(app, "--tree", "TREE", a.tree, "the same for a tree: \"a(b(c d) e)\"");
  add_text(app, "--shape", "KIND:N", a.shape,
           "the same for antichain:N, chain:N, beside:N, binary:HEIGHT, standard:N");
  add_word(app, "--construction", family::construction_words(), a.construction,
           "use this construction (the smallest that fits)");
  add_flag(app, "--strong", a.strong, "build the strong hitting family of section 6.2 instead");
  add_flag(app, "--verify", a.verify, "check by brute force that the family hits every tuple");
  add_flag(app, "--least", a.least, "search for the smallest family, up to 5 elements");
  add_flag(app, "--list", a.list, "print the schedules");
  add_flag(app, "--json", a.json, "one JSON document on stdout");
  return [arguments] { return bound_verb(*arguments); };
}

}  // namespace gainsay::tools
