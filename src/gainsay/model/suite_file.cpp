#include "gainsay/model/suite_file.hpp"

#include <fmt/format.h>

#include "gainsay/model/section_file.hpp"
#include "gainsay/model/tour.hpp"

namespace gainsay {
namespace {

constexpr char suite_letter = 'S';
constexpr std::uint32_t suite_version = 1;

// The numbers of SuiteFacts, in their order.
std::vector<std::uint64_t> numbers_of(const SuiteFacts& f) {
  return {f.tests, f.steps,      f.longest,     f.covered,    f.required,
          f.cost,  f.cost_bound, f.tests_bound, f.steps_bound};
}

}  // namespace

void SuiteFile::write(const std::string& path, const Suite& suite, const std::string& graph_path) {
  SectionWriter file(path, suite_letter, suite_version, "suite");
  file.texts("graph", std::vector<std::string>{graph_path});
  file.numbers("digest", std::vector<std::uint64_t>{suite.graph_digest});
  file.texts("minimized", std::vector<std::string>{suite.facts.minimized});
  file.numbers("facts", numbers_of(suite.facts));
  if (const auto* tour = dynamic_cast<const TourSuite*>(&suite)) {
    file.texts("kind", std::vector<std::string>{"tour"});
    file.numbers("limits", std::vector<std::uint64_t>{tour->length_max.value_or(0), tour->reset_cost});
    file.numbers("edges", std::vector<std::uint64_t>{tour->extra_.size()});
    file.bits("required", tour->required_);
    file.numbers("extra", tour->extra_);
    std::vector<std::uint32_t> many;
    for (const auto& [edge, count] : tour->extra_many_) many.insert(many.end(), {edge, count});
    file.numbers("extra many", many);
    file.numbers("starts", tour->starts_);
  } else {
    const auto* paths = dynamic_cast<const PathSuite*>(&suite);
    GAINSAY_CHECK(paths != nullptr, "there are two kinds of suites");
    file.texts("kind", std::vector<std::string>{"paths"});
    std::vector<std::uint32_t> numbers;
    for (const TestPath& test : paths->tests()) {
      numbers.insert(numbers.end(), {test.start, static_cast<std::uint32_t>(test.edges.size())});
      numbers.insert(numbers.end(), test.edges.begin(), test.edges.end());
    }
    file.numbers("paths", numbers);
  }
  file.finish();
}

bool SuiteFile::is_one(const std::string& path) { return is_section_file(path, suite_letter); }

std::string SuiteFile::graph_path(const std::string& path) {
  SectionReader file(path, suite_letter, suite_version, "suite");
  const std::vector<std::string> names = file.texts("graph");
  if (names.size() != 1) file.fail("graph", "one name");
  return names[0];
}

std::unique_ptr<Suite> SuiteFile::read(const std::string& path, const StateGraph& graph) {
  SectionReader file(path, suite_letter, suite_version, "suite");
  (void)file.texts("graph");
  const std::vector<std::uint64_t> digest = file.numbers<std::uint64_t>("digest");
  if (digest.size() != 1) file.fail("digest", "one number");
  if (digest[0] != graph.digest())
    throw UserError(fmt::format("{}: this suite belongs to another graph; make it again with `cover`", path));
  SuiteFacts facts;
  const std::vector<std::string> minimized = file.texts("minimized");
  if (minimized.size() != 1) file.fail("minimized", "one word");
  facts.minimized = minimized[0];
  const std::vector<std::uint64_t> n = file.numbers<std::uint64_t>("facts");
  if (n.size() != 9) file.fail("facts", "nine numbers");
  facts = {facts.minimized, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]};
  const std::vector<std::string> kind = file.texts("kind");
  std::unique_ptr<Suite> suite;
  if (kind == std::vector<std::string>{"tour"}) {
    std::unique_ptr<TourSuite> tour(new TourSuite());
    const std::vector<std::uint64_t> limits = file.numbers<std::uint64_t>("limits");
    if (limits.size() != 2) file.fail("limits", "two numbers");
    if (limits[0] != 0) tour->length_max = limits[0];
    tour->reset_cost = limits[1];
    const std::vector<std::uint64_t> edges = file.numbers<std::uint64_t>("edges");
    if (edges.size() != 1 || edges[0] != graph.edges()) file.fail("edges", "as many as the graph has");
    const bool all = facts.required == graph.edges();
    tour->required_ = file.bits("required", all ? 0 : graph.edges());
    tour->extra_ = file.numbers<std::uint8_t>("extra");
    if (tour->extra_.size() != graph.edges()) file.fail("extra", "a number for each edge");
    const std::vector<std::uint32_t> many = file.numbers<std::uint32_t>("extra many");
    if (many.size() % 2 != 0) file.fail("extra many", "pairs");
    for (std::size_t i = 0; i < many.size(); i += 2) {
      if (many[i] >= graph.edges() || (i > 0 && many[i - 2] >= many[i]))
        file.fail("extra many", "edges in order");
      tour->extra_many_.emplace_back(many[i], many[i + 1]);
    }
    std::size_t looked_up = 0;
    for (const std::uint8_t extra : tour->extra_) looked_up += extra == TourSuite::many ? 1 : 0;
    if (looked_up != tour->extra_many_.size()) file.fail("extra many", "a number for each edge walked often");
    tour->starts_ = file.numbers<std::uint64_t>("starts");
    if (tour->starts_.size() != graph.initial.size()) file.fail("starts", "a number for each initial state");
    suite = std::move(tour);
  } else {
    if (kind != std::vector<std::string>{"paths"}) file.fail("kind", "tour or paths");
    const std::vector<std::uint32_t> numbers = file.numbers<std::uint32_t>("paths");
    std::vector<TestPath> tests;
    for (std::size_t at = 0; at < numbers.size();) {
      if (numbers.size() - at < 2 || numbers.size() - at - 2 < numbers[at + 1])
        file.fail("paths", "whole paths");
      const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(at + 2);
      tests.push_back({numbers[at], {begin, begin + numbers[at + 1]}});
      at += 2 + std::size_t{numbers[at + 1]};
    }
    suite = std::make_unique<PathSuite>(std::move(tests));
  }
  file.finish();
  suite->facts = std::move(facts);
  suite->graph_digest = digest[0];
  return suite;
}

}  // namespace gainsay
