#include "papers/experiments/web_trees.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/family/lower_bounds.hpp"
#include "papers/zoo/experiment.hpp"
#include "papers/zoo/print.hpp"

namespace gainsay::tools::zoo {

using family::Element;
using family::Schedule;
using family::Tree;

Tree web_tree(std::size_t events, std::size_t height, Rng& rng) {
  GAINSAY_CHECK(height > 0 && height <= events, "a tree is at most as high as it is large");
  std::vector<Element> parents(events, family::no_parent);
  std::vector<std::size_t> depths(events, 0);
  for (std::size_t i = 1; i < height; ++i) {
    parents[i] = static_cast<Element>(i - 1);
    depths[i] = i;
  }
  for (std::size_t i = height; i < events; ++i) {
    // Not below the end of a longest path; of a backbone of one element everything else is a tree of its own.
    std::size_t parent = 0;
    do {
      parent = rng.below(i);
    } while (height > 1 && depths[parent] + 1 >= height);
    if (height == 1) continue;
    parents[i] = static_cast<Element>(parent);
    depths[i] = depths[parent] + 1;
  }
  // Children come in the order of their numbers: with new ones the backbone is not always the first child.
  std::vector<Element> numbers(events);
  std::iota(numbers.begin(), numbers.end(), 0U);
  for (std::size_t i = 0; i < events; ++i) std::swap(numbers[i], numbers[i + rng.below(events - i)]);
  std::vector<Element> renumbered(events, family::no_parent);
  for (std::size_t i = 0; i < events; ++i) {
    if (parents[i] != family::no_parent) renumbered[numbers[i]] = numbers[parents[i]];
  }
  return Tree(std::move(renumbered));
}

std::vector<Element> drawn_elements(const Tree& tree, std::size_t count, Rng& rng) {
  GAINSAY_CHECK(count <= tree.size(), "no more elements are drawn than there are");
  std::vector<Element> all(tree.size());
  std::iota(all.begin(), all.end(), 0U);
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + rng.below(all.size() - i)]);
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

std::size_t schedules_of_three(const Tree& tree, const std::vector<Element>& chosen) {
  // By hashes of 64 bits: two of 15,000 different schedules have the same with probability below
  // 15,000^2 / 2^65 = 6e-12.
  std::set<std::uint64_t> different;
  const std::array<Schedule, 2> traversals = {tree.traversal(false), tree.traversal(true)};
  std::vector<char> is_first(tree.size(), 0);
  for (const Element first : chosen) {
    Schedule path;
    for (Element x = first; x != family::no_parent; x = tree.parent(x)) path.push_back(x);
    std::reverse(path.begin(), path.end());
    for (const Element x : path) is_first[x] = 1;
    std::uint64_t begun = 0;
    for (const Element x : path) begun = mix(begun, x + 1);
    for (const Schedule& traversal : traversals) {
      std::uint64_t hash = begun;
      for (const Element x : traversal) {
        if (is_first[x] == 0) hash = mix(hash, x + 1);
      }
      different.insert(hash);
    }
    for (const Element x : path) is_first[x] = 0;
  }
  return different.size();
}

namespace {

// Table 5.1.
struct Page {
  const char* site;
  std::size_t events, height, schedules, pruned;
};
const std::vector<Page> pages = {
    {"abc.xyz", 337, 288, 561, 0},
    {"newscorp.com", 1362, 875, 2689, 100},
    {"thehartford.com", 2018, 1547, 3913, 138},
    {"www.allstate.com", 4534, 3822, 9023, 106},
    {"www.americanexpress.com", 2971, 2586, 5897, 340},
    {"www.bankofamerica.com", 2305, 2095, 4561, 150},
    {"www.bestbuy.com", 301, 248, 576, 10},
    {"www.comcast.com", 188, 118, 337, 16},
    {"www.conocophillips.com", 4184, 3478, 8286, 248},
    {"www.costco.com", 7331, 6390, 14614, 364},
    {"www.deere.com", 2286, 1902, 4516, 236},
    {"www.generaldynamics.com", 2820, 2010, 5611, 272},
    {"www.gm.com", 2337, 1473, 4600, 94},
    {"www.gofurther.com", 1117, 638, 2154, 568},
    {"www.homedepot.com", 3780, 2100, 7515, 1526},
    {"www.humana.com", 5611, 4325, 11174, 2058},
    {"www.johnsoncontrols.com", 2953, 2395, 5881, 450},
    {"www.jpmorganchase.com", 4134, 3519, 8247, 1316},
    {"www.libertymutual.com", 3885, 3560, 7735, 324},
    {"www.lowes.com", 6938, 4383, 13778, 3438},
    {"www.massmutual.com", 3882, 3313, 7682, 1852},
    {"www.morganstanley.com", 2752, 2301, 5402, 128},
    {"www.utc.com", 4081, 3266, 8100, 206},
    {"www.valero.com", 2116, 1849, 4178, 38},
};

Rows measure_pages(const ExperimentHow& how) {
  Rows rows = Rows::array();
  for (std::size_t i = 0; i < pages.size() && !how.stopped(); ++i) {
    const Page& page = pages[i];
    if (how.quick && page.events > 1000) continue;
    Rng rng(1, i);
    const Tree tree = web_tree(page.events, page.height, rng);
    std::vector<Element> all(tree.size());
    std::iota(all.begin(), all.end(), 0U);
    rows.push_back({{"site", page.site},
                    {"events", tree.size()},
                    {"height", tree.height()},
                    {"racing", page.pruned / 2},
                    {"schedules", schedules_of_three(tree, all)},
                    {"pruned", schedules_of_three(tree, drawn_elements(tree, page.pruned / 2, rng))},
                    {"layers", 4 * family::binary_embedding(tree).height},
                    {"at_least", family::chain_beside(tree) + 1},
                    {"thesis", page.schedules},
                    {"thesis_pruned", page.pruned}});
  }
  return rows;
}

Rendered render_pages(const Rows& rows) {
  std::vector<std::vector<std::string>> cells = {
      {"page", "events", "height", "d=3", "thesis", "pruned", "thesis, pruned", "Theorem 5.10", "at least"}};
  std::uint64_t ours = 0, theirs = 0, pruned = 0, pruned_theirs = 0;
  std::size_t layers_fewer = 0;
  double share_least = 1;
  for (const Rows& row : rows) {
    cells.push_back({row["site"].get<std::string>(), number_text(row["events"]), number_text(row["height"]),
                     number_text(row["schedules"]), number_text(row["thesis"]), number_text(row["pruned"]),
                     number_text(row["thesis_pruned"]), number_text(row["layers"]),
                     number_text(row["at_least"])});
    ours += row["schedules"].get<std::uint64_t>();
    theirs += row["thesis"].get<std::uint64_t>();
    pruned += row["pruned"].get<std::uint64_t>();
    pruned_theirs += row["thesis_pruned"].get<std::uint64_t>();
    layers_fewer += row["layers"] < row["schedules"] ? 1 : 0;
    share_least = std::min(share_least, row["at_least"].get<double>() / row["schedules"].get<double>());
  }
  Rendered rendered;
  rendered.text =
      "The trees are made: a backbone as long as the thesis' tree is high, the other events hung up below it "
      "at random, "
      "and as many events in races as its pruned column implies (two schedules for each), drawn at random. "
      "`d=3`: "
      "different schedules of Proposition 5.2; `pruned`: with the first event among the racing ones; Theorem "
      "5.10: "
      "at most so many schedules of the construction by layers; `at least`: what every 3-hitting family has "
      "(Proposition 5.3).\n\n" +
      markdown_table(cells);
  rendered.text += fmt::format(
      "\nTogether: {} schedules here and {} in the thesis, pruned {} and {}. The construction by layers "
      "needs fewer "
      "for {} of {} pages: these trees are nearly as high as they are large. Whatever the construction, at "
      "least "
      "{:.0f} % of the schedules of Proposition 5.2 are needed without pruning, for each page. What differs "
      "from the thesis: "
      "it says which events race, not at which place of the tree; and schedules that happen to be the same "
      "are counted "
      "once in both, which depends on where side branches are.\n",
      with_commas(ours), with_commas(theirs), with_commas(pruned), with_commas(pruned_theirs), layers_fewer,
      rows.size(), 100 * share_least);
  return rendered;
}

const RegisterExperiment web_registration{
    {"web-pages", "Table 5.1 of Niksic (2019): hitting families for trees of the sizes of web pages",
     &measure_pages, &render_pages}};

}  // namespace
}  // namespace gainsay::tools::zoo
