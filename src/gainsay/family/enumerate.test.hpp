// All small orders, for tests that look at every one of them.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gainsay/family/poset.hpp"
#include "gainsay/family/series_parallel.hpp"
#include "gainsay/family/tree.hpp"

namespace gainsay::family::enumerate {

inline bool long_tests() { return std::getenv("GAINSAY_LONG") != nullptr; }

// Every poset whose numbers are upgrowing (nobody above a later number): 1, 2, 7, 40, 357, 4824, ...
inline void upgrowing_posets(std::size_t n, const std::function<void(const Poset&)>& use) {
  std::vector<std::uint32_t> below;  // as bits
  const std::function<void()> extend = [&] {
    if (below.size() == n) {
      std::vector<Relation> relations;
      for (Element y = 0; y < n; ++y) {
        for (Element x = 0; x < y; ++x) {
          if (below[y] >> x & 1U) relations.push_back({x, y});
        }
      }
      return use(Poset(n, relations));
    }
    for (std::uint32_t set = 0; set < 1U << below.size(); ++set) {
      bool closed = true;
      for (std::size_t x = 0; x < below.size(); ++x)
        closed = closed && (!(set >> x & 1U) || (below[x] & ~set) == 0);
      if (!closed) continue;
      below.push_back(set);
      extend();
      below.pop_back();
    }
  };
  extend();
}

// One of each kind up to isomorphism: 1, 2, 5, 16, 63, 318, ... The least matrix over all renumberings tells
// kinds apart.
inline std::vector<Poset> posets(std::size_t n) {
  std::vector<Poset> kinds;
  std::set<std::vector<bool>> seen;
  upgrowing_posets(n, [&](const Poset& poset) {
    std::vector<Element> numbers(n);
    for (Element x = 0; x < n; ++x) numbers[x] = x;
    std::vector<bool> least;
    do {
      std::vector<bool> matrix;
      for (const Element x : numbers) {
        for (const Element y : numbers) matrix.push_back(poset.less(x, y));
      }
      if (least.empty() || matrix < least) least = matrix;
    } while (std::next_permutation(numbers.begin(), numbers.end()));
    if (seen.insert(least).second) kinds.push_back(poset);
  });
  return kinds;
}

// One of each rooted tree: 1, 1, 2, 4, 9, 20, 48, 115 with 1..8 nodes.
inline std::vector<Tree> trees(std::size_t n) {
  std::vector<Tree> kinds;
  std::set<std::string> seen;
  std::vector<Element> parents{no_parent};
  const std::function<void()> extend = [&] {
    if (parents.size() == n) {
      const Tree tree(parents);
      const std::function<std::string(Element)> code = [&](Element x) {
        std::vector<std::string> parts;
        for (const Element child : tree.children(x)) parts.push_back(code(child));
        std::sort(parts.begin(), parts.end());
        std::string text = "(";
        for (const std::string& part : parts) text += part;
        return text + ")";
      };
      if (seen.insert(code(0)).second) kinds.push_back(tree);
      return;
    }
    for (Element parent = 0; parent < parents.size(); ++parent) {
      parents.push_back(parent);
      extend();
      parents.pop_back();
    }
  };
  extend();
  return kinds;
}

// One of each series-parallel order, as an expression: 1, 2, 5, 15, 48, 167, 602 with 1..7 elements. '#' is
// an element.
inline std::vector<std::string> series_parallel_shapes(std::size_t n) {
  // Sequences (series) or multisets (parallel) of at least two parts of the other kind.
  static std::map<std::pair<std::size_t, bool>, std::vector<std::string>> memo;
  const std::function<const std::vector<std::string>&(std::size_t, bool)> compositions =
      [&](std::size_t size, bool series) -> const std::vector<std::string>& {
    const auto known = memo.find({size, series});
    if (known != memo.end()) return known->second;
    std::set<std::string> found;
    std::vector<std::string> parts;
    const std::function<void(std::size_t)> fill = [&](std::size_t left) {
      if (left == 0) {
        if (parts.size() < 2) return;
        std::vector<std::string> sorted = parts;
        if (!series) std::sort(sorted.begin(), sorted.end());
        std::string text;
        for (const std::string& part : sorted) {
          if (!text.empty()) text += series ? " . " : " | ";
          text += part == "#" ? part : "(" + part + ")";
        }
        found.insert(text);
        return;
      }
      for (std::size_t first = 1; first <= left && first < size; ++first) {
        std::vector<std::string> options =
            first == 1 ? std::vector<std::string>{"#"} : compositions(first, !series);
        for (const std::string& option : options) {
          parts.push_back(option);
          fill(left - first);
          parts.pop_back();
        }
      }
    };
    fill(size);
    return memo[{size, series}] = {found.begin(), found.end()};
  };
  if (n == 1) return {"#"};
  std::vector<std::string> all = compositions(n, true);
  const std::vector<std::string>& parallel = compositions(n, false);
  all.insert(all.end(), parallel.begin(), parallel.end());
  return all;
}

inline SpOrder series_parallel(const std::string& shape) {
  std::string text;
  int number = 0;
  for (const char c : shape) text += c == '#' ? "x" + std::to_string(number++) : std::string(1, c);
  return parse_series_parallel(text).order;
}

}  // namespace gainsay::family::enumerate
