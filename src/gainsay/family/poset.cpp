#include "gainsay/family/poset.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay::family {
namespace {

constexpr std::uint64_t bit(Element x) { return std::uint64_t{1} << (x % 64); }

// A topological order of the relations, least numbers first; shorter than `size` where there is a cycle.
std::vector<Element> topological(std::size_t size, std::span<const Relation> relations,
                                 std::vector<std::vector<Element>>& out) {
  out.assign(size, {});
  std::vector<std::uint32_t> waiting(size, 0);
  for (const Relation& relation : relations) {
    out[relation.below].push_back(relation.above);
    ++waiting[relation.above];
  }
  std::vector<Element> ready;
  for (Element x = 0; x < size; ++x) {
    if (waiting[x] == 0) ready.push_back(x);
  }
  std::vector<Element> order;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    order.push_back(ready[i]);
    for (const Element y : out[ready[i]]) {
      if (--waiting[y] == 0) ready.push_back(y);
    }
  }
  return order;
}

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class WidthMatching {
 public:
  explicit WidthMatching(const Poset& poset) : poset_(poset), partner_(poset.size(), none) {}

  std::size_t size() {
    std::size_t matched = 0;
    for (Element x = 0; x < poset_.size(); ++x) {
      unseen_.assign((poset_.size() + 63) / 64, ~std::uint64_t{0});
      matched += match(x) ? 1 : 0;
    }
    return matched;
  }

 private:
  static constexpr Element none = 0xffffffffU;

  bool match(Element x) {
    const auto row = poset_.above(x);
    for (std::size_t word = 0; word < row.size(); ++word) {
      while (const std::uint64_t open = row[word] & unseen_[word]) {
        const auto y = static_cast<Element>(word * 64 + static_cast<std::size_t>(std::countr_zero(open)));
        unseen_[word] &= ~bit(y);
        if (partner_[y] != none && !match(partner_[y])) continue;
        partner_[y] = x;
        return true;
      }
    }
    return false;
  }

  const Poset& poset_;
  std::vector<Element> partner_;
  std::vector<std::uint64_t> unseen_;
};

bool extend(const Poset& poset, Schedule& schedule, std::vector<std::uint32_t>& waiting,
            const std::function<bool(const Schedule&)>& use) {
  if (schedule.size() == poset.size()) return use(schedule);
  for (Element x = 0; x < poset.size(); ++x) {
    if (waiting[x] != 0) continue;
    schedule.push_back(x);
    waiting[x] = 0xffffffffU;
    for (Element y = 0; y < poset.size(); ++y) waiting[y] -= poset.less(x, y) ? 1 : 0;
    const bool go_on = extend(poset, schedule, waiting, use);
    for (Element y = 0; y < poset.size(); ++y) waiting[y] += poset.less(x, y) ? 1 : 0;
    waiting[x] = 0;
    schedule.pop_back();
    if (!go_on) return false;
  }
  return true;
}

}  // namespace

std::vector<Element> find_cycle(std::size_t size, std::span<const Relation> relations) {
  std::vector<std::vector<Element>> out;
  const std::vector<Element> order = topological(size, relations, out);
  if (order.size() == size) return {};
  std::vector<bool> sorted(size, false);
  for (const Element x : order) sorted[x] = true;
  // Every element left has a predecessor that is left: walk down until one comes again.
  std::vector<Element> below(size, 0);
  for (Element x = 0; x < size; ++x) {
    for (const Element y : out[x]) {
      if (!sorted[x]) below[y] = x;
    }
  }
  Element x = 0;
  while (sorted[x]) ++x;
  for (std::size_t i = 0; i < size; ++i) x = below[x];
  std::vector<Element> cycle;
  for (Element y = x; cycle.empty() || y != x; y = below[y]) cycle.push_back(y);
  std::reverse(cycle.begin(), cycle.end());
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  return cycle;
}

Poset::Poset(std::size_t size, std::span<const Relation> relations) : size_(size), words_((size + 63) / 64) {
  if (size > size_max)
    throw UserError(
        fmt::format("an order of {} elements is too large: its closure is kept for at most {}; give a tree "
                    "if it is one",
                    with_commas(size), with_commas(size_max)));
  for (const Relation& relation : relations) {
    if (std::max(relation.below, relation.above) >= size)
      throw UserError(fmt::format("the relation {} < {} names an element that is not below {}",
                                  relation.below, relation.above, size));
  }
  std::vector<std::vector<Element>> out;
  const std::vector<Element> order = topological(size, relations, out);
  if (order.size() < size) {
    const std::vector<Element> cycle = find_cycle(size, relations);
    throw UserError(fmt::format("the order is cyclic: {} < {}", fmt::join(cycle, " < "), cycle.front()));
  }
  above_.assign(size_ * words_, 0);
  below_.assign(size_ * words_, 0);
  for (std::size_t i = order.size(); i-- > 0;) {
    const Element x = order[i];
    for (const Element y : out[x]) {
      above_[x * words_ + y / 64] |= bit(y);
      for (std::size_t word = 0; word < words_; ++word)
        above_[x * words_ + word] |= above_[y * words_ + word];
    }
  }
  for (Element x = 0; x < size_; ++x) {
    for (Element y = 0; y < size_; ++y) {
      if (less(x, y)) below_[y * words_ + x / 64] |= bit(x);
    }
  }
}

std::vector<Element> Poset::nearest(std::span<const std::uint64_t> side,
                                    const std::vector<std::uint64_t>& other) const {
  std::vector<Element> found;
  for (Element y = 0; y < size_; ++y) {
    if (!(side[y / 64] >> (y % 64) & 1U)) continue;
    bool between = false;
    for (std::size_t word = 0; word < words_ && !between; ++word)
      between = (side[word] & other[y * words_ + word]) != 0;
    if (!between) found.push_back(y);
  }
  return found;
}

NamedPoset parse_relations(std::string_view text) {
  NamedPoset parsed;
  std::map<std::string, Element, std::less<>> numbers;
  std::vector<Relation> relations;
  std::optional<Element> lower;  // the name before the last '<'
  bool wants_name = false;       // after '<'
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (is_name_char(c)) {
      std::size_t end = at;
      while (end < text.size() && is_name_char(text[end])) ++end;
      const auto [entry, fresh] =
          numbers.try_emplace(std::string(text.substr(at, end - at)), static_cast<Element>(numbers.size()));
      if (fresh) parsed.names.push_back(entry->first);
      if (wants_name) relations.push_back({*lower, entry->second});
      lower = entry->second;
      wants_name = false;
      at = end;
    } else if (c == '<' && lower && !wants_name) {
      wants_name = true;
      ++at;
    } else if (c == ',' && !wants_name) {
      lower.reset();
      ++at;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      ++at;
    } else {
      throw UserError(fmt::format(
          "order {}, column {}: expected {}, found '{}'; write relations such as a<b<c, d<b", quoted(text),
          at + 1, lower && !wants_name ? "'<' or ','" : "the name of an element", c));
    }
  }
  if (wants_name)
    throw UserError(
        fmt::format("order {}: expected the name of an element after the last '<'", quoted(text)));
  if (parsed.names.empty()) throw UserError("the order has no elements; write relations such as a<b<c, d<b");
  const std::vector<Element> cycle = find_cycle(parsed.names.size(), relations);
  if (!cycle.empty()) {
    std::string path;
    for (const Element x : cycle) path += parsed.names[x] + " < ";
    throw UserError(fmt::format("the order is cyclic: {}{}", path, parsed.names[cycle.front()]));
  }
  parsed.poset = Poset(parsed.names.size(), relations);
  return parsed;
}

std::string text_of(const Tuple& tuple, std::span<const std::string> names) {
  std::string text;
  for (const Element x : tuple) {
    if (!text.empty()) text += ' ';
    text += x < names.size() ? names[x] : std::to_string(x);
  }
  return text;
}

Poset antichain(std::size_t n) { return Poset(n, {}); }

Poset chain(std::size_t n) {
  std::vector<Relation> relations;
  for (Element x = 1; x < n; ++x) relations.push_back({x - 1, x});
  return Poset(n, relations);
}

Poset chain_with_independent(std::size_t n) {
  std::vector<Relation> relations;
  for (Element x = 1; x < n; ++x) relations.push_back({x - 1, x});
  return Poset(n + 1, relations);
}

Poset standard_example(std::size_t n) {
  std::vector<Relation> relations;
  for (Element i = 0; i < n; ++i) {
    for (Element j = 0; j < n; ++j) {
      if (i != j) relations.push_back({i, static_cast<Element>(n + j)});
    }
  }
  return Poset(2 * n, relations);
}

Poset restriction(const Poset& poset, std::span<const Element> kept) {
  std::vector<Relation> relations;
  for (Element x = 0; x < kept.size(); ++x) {
    for (Element y = 0; y < kept.size(); ++y) {
      if (poset.less(kept[x], kept[y])) relations.push_back({x, y});
    }
  }
  return Poset(kept.size(), relations);
}

std::vector<std::uint32_t> layers(const Poset& poset) {
  std::vector<std::uint32_t> layer(poset.size(), 0);
  for (const Element x : first_schedule(poset)) {
    for (Element y = 0; y < poset.size(); ++y) {
      if (poset.less(x, y)) layer[y] = std::max(layer[y], layer[x] + 1);
    }
  }
  return layer;
}

std::size_t height(const Poset& poset) {
  std::size_t most = 0;
  for (const std::uint32_t layer : layers(poset)) most = std::max<std::size_t>(most, layer + 1);
  return most;
}

// Dilworth and König: as many chains cover the poset as elements are left without a partner above.
std::size_t width(const Poset& poset) { return poset.size() - WidthMatching(poset).size(); }

Schedule first_schedule(const Poset& poset) {
  std::vector<std::uint32_t> waiting(poset.size(), 0);
  for (Element x = 0; x < poset.size(); ++x) {
    for (const std::uint64_t word : poset.below(x))
      waiting[x] += static_cast<std::uint32_t>(std::popcount(word));
  }
  // A heap would do; a set of bits scanned from the least is as short.
  Schedule schedule;
  std::vector<bool> ready(poset.size(), false);
  for (Element x = 0; x < poset.size(); ++x) ready[x] = waiting[x] == 0;
  Element next = 0;
  while (schedule.size() < poset.size()) {
    while (!ready[next]) ++next;
    const Element x = next;
    ready[x] = false;
    schedule.push_back(x);
    for (Element y = 0; y < poset.size(); ++y) {
      if (!poset.less(x, y) || --waiting[y] > 0) continue;
      ready[y] = true;
      next = std::min(next, y);
    }
    GAINSAY_CHECK(next < poset.size(), "an order without cycles always has a minimal element");
  }
  return schedule;
}

bool is_schedule(const Poset& poset, const Schedule& schedule) {
  if (schedule.size() != poset.size()) return false;
  std::vector<bool> done(poset.size(), false);
  for (const Element x : schedule) {
    if (x >= poset.size() || done[x]) return false;
    done[x] = true;
    for (Element y = 0; y < poset.size(); ++y) {
      if (poset.less(y, x) && !done[y]) return false;
    }
  }
  return true;
}

bool for_all_schedules(const Poset& poset, const std::function<bool(const Schedule&)>& use) {
  std::vector<std::uint32_t> waiting(poset.size(), 0);
  for (Element x = 0; x < poset.size(); ++x) {
    for (Element y = 0; y < poset.size(); ++y) waiting[y] += poset.less(x, y) ? 1 : 0;
  }
  Schedule schedule;
  return extend(poset, schedule, waiting, use);
}

}  // namespace gainsay::family
