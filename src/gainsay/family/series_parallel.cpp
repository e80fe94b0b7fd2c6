#include "gainsay/family/series_parallel.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay::family {

SpOrder SpOrder::single(Element element) {
  SpOrder order;
  order.nodes_.push_back({Kind::element, element, {}});
  order.elements_ = 1;
  return order;
}

SpOrder SpOrder::series(std::vector<SpOrder> parts) { return compose(Kind::series, std::move(parts)); }

SpOrder SpOrder::parallel(std::vector<SpOrder> parts) { return compose(Kind::parallel, std::move(parts)); }

SpOrder SpOrder::compose(Kind kind, std::vector<SpOrder> parts) {
  GAINSAY_CHECK(!parts.empty(), "a composition has parts");
  if (parts.size() == 1) return std::move(parts.front());
  // The first part's nodes are kept where they are, so that composing step by step stays linear.
  SpOrder whole = std::move(parts.front());
  Node top{kind, 0, {}};
  const auto adopt = [&](const SpOrder& part, std::uint32_t root) {
    if (part.nodes_[root].kind == kind) {
      const std::vector<std::uint32_t>& inner = part.nodes_[root].parts;
      top.parts.insert(top.parts.end(), inner.begin(), inner.end());
    } else {
      top.parts.push_back(root);
    }
  };
  adopt(whole, whole.root_);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto offset = static_cast<std::uint32_t>(whole.nodes_.size());
    SpOrder& part = parts[i];
    for (Node& node : part.nodes_) {
      for (std::uint32_t& inner : node.parts) inner += offset;
      whole.nodes_.push_back(std::move(node));
    }
    whole.elements_ += part.elements_;
    adopt(whole, part.root_ + offset);
  }
  whole.root_ = static_cast<std::uint32_t>(whole.nodes_.size());
  whole.nodes_.push_back(std::move(top));
  return whole;
}

std::vector<std::uint32_t> SpOrder::bottom_up() const {
  std::vector<std::uint32_t> order{root_};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node& node = nodes_[order[i]];
    order.insert(order.end(), node.parts.begin(), node.parts.end());
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::size_t SpOrder::parallels() const {
  const std::vector<std::uint32_t> order = bottom_up();
  return static_cast<std::size_t>(std::count_if(
      order.begin(), order.end(), [&](std::uint32_t index) { return nodes_[index].kind == Kind::parallel; }));
}

std::size_t SpOrder::widest_parallel() const {
  std::size_t most = 1;
  for (const std::uint32_t index : bottom_up()) {
    if (nodes_[index].kind == Kind::parallel) most = std::max(most, nodes_[index].parts.size());
  }
  return most;
}

std::size_t SpOrder::height() const {
  std::vector<std::size_t> heights(nodes_.size(), 0);
  for (const std::uint32_t index : bottom_up()) {
    const Node& node = nodes_[index];
    std::size_t& height = heights[index];
    if (node.kind == Kind::element) height = 1;
    for (const std::uint32_t part : node.parts)
      height = node.kind == Kind::series ? height + heights[part] : std::max(height, heights[part]);
  }
  return heights[root_];
}

Poset SpOrder::poset() const {
  // The minimal and maximal elements of every part; a series relates the maximal ones of each part with the
  // minimal ones of the next, and transitivity does the rest.
  struct Ends {
    std::vector<Element> low, high;
  };
  std::vector<Ends> ends(nodes_.size());
  std::vector<Relation> relations;
  for (const std::uint32_t index : bottom_up()) {
    const Node& node = nodes_[index];
    Ends& own = ends[index];
    if (node.kind == Kind::element) own = {{node.element}, {node.element}};
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      Ends& part = ends[node.parts[i]];
      if (node.kind == Kind::parallel) {
        own.low.insert(own.low.end(), part.low.begin(), part.low.end());
        own.high.insert(own.high.end(), part.high.begin(), part.high.end());
      } else if (i == 0) {
        own = part;
      } else {
        for (const Element x : own.high) {
          for (const Element y : part.low) relations.push_back({x, y});
        }
        own.high = part.high;
      }
      part = {};
    }
  }
  return Poset(elements_, relations);
}

std::pair<Schedule, Schedule> SpOrder::realiser() const {
  Schedule left;
  Schedule right;
  for (const bool mirrored : {false, true}) {
    Schedule& schedule = mirrored ? right : left;
    std::vector<std::uint32_t> open{root_};
    while (!open.empty()) {
      const Node& node = nodes_[open.back()];
      open.pop_back();
      if (node.kind == Kind::element) schedule.push_back(node.element);
      // What is pushed last comes first.
      if (node.kind == Kind::parallel && mirrored) {
        open.insert(open.end(), node.parts.begin(), node.parts.end());
      } else {
        open.insert(open.end(), node.parts.rbegin(), node.parts.rend());
      }
    }
  }
  return {std::move(left), std::move(right)};
}

std::string SpOrder::text(const std::vector<std::string>& names) const {
  std::vector<std::string> texts(nodes_.size());
  for (const std::uint32_t index : bottom_up()) {
    const Node& node = nodes_[index];
    if (node.kind == Kind::element)
      texts[index] = node.element < names.size() ? names[node.element] : std::to_string(node.element);
    for (const std::uint32_t part : node.parts) {
      std::string& text = texts[index];
      if (!text.empty()) text += node.kind == Kind::series ? " . " : " | ";
      const bool brackets = node.kind == Kind::series && nodes_[part].kind == Kind::parallel;
      text += brackets ? "(" + texts[part] + ")" : texts[part];
    }
  }
  return texts[root_];
}

namespace {

class SpParser {
 public:
  explicit SpParser(std::string_view text) : text_(text) {}

  NamedSpOrder parse() {
    NamedSpOrder result{expression(0), {}};
    if (skip() < text_.size())
      fail(text_[at_] == ')' ? "the end: this ')' closes nothing" : "'.', '|' or the end");
    result.names = std::move(names_);
    return result;
  }

 private:
  static constexpr std::size_t nesting_max = 500;

  std::size_t skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    return at_;
  }

  [[noreturn]] void fail(std::string_view expected) {
    const std::string found = at_ < text_.size() ? fmt::format("'{}'", text_[at_]) : "the end";
    throw UserError(
        fmt::format("series-parallel expression {}, column {}: expected {}, found {}; write for example "
                    "a . (b | c) . d",
                    quoted(text_), at_ + 1, expected, found));
  }

  SpOrder expression(std::size_t nesting) {
    if (nesting > nesting_max)
      throw UserError(fmt::format("series-parallel expression: more than {} nested brackets", nesting_max));
    std::vector<SpOrder> parts;
    parts.push_back(term(nesting));
    while (skip() < text_.size() && text_[at_] == '|') {
      ++at_;
      if (at_ < text_.size() && text_[at_] == '|') ++at_;
      parts.push_back(term(nesting));
    }
    return SpOrder::parallel(std::move(parts));
  }

  SpOrder term(std::size_t nesting) {
    std::vector<SpOrder> parts;
    parts.push_back(factor(nesting));
    while (skip() < text_.size() && text_[at_] == '.') {
      ++at_;
      parts.push_back(factor(nesting));
    }
    return SpOrder::series(std::move(parts));
  }

  SpOrder factor(std::size_t nesting) {
    if (skip() < text_.size() && text_[at_] == '(') {
      ++at_;
      SpOrder inner = expression(nesting + 1);
      if (skip() == text_.size() || text_[at_] != ')') fail("'.', '|' or ')'");
      ++at_;
      return inner;
    }
    const std::size_t begin = at_;
    const auto is_name = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    if (at_ == begin) fail("an element's name or '('");
    const std::string name(text_.substr(begin, at_ - begin));
    const auto [entry, fresh] = numbers_.try_emplace(name, static_cast<Element>(names_.size()));
    if (!fresh)
      throw UserError(
          fmt::format("series-parallel expression {}, column {}: element '{}' occurs twice (an order that "
                      "needs it twice is not series-parallel: use --order instead)",
                      quoted(text_), begin + 1, name));
    names_.push_back(name);
    return SpOrder::single(entry->second);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string> names_;
  std::map<std::string, Element> numbers_;
};

// The parts of `elements` that `joined` connects, each in ascending order.
template <class Joined>
std::vector<std::vector<Element>> components(const std::vector<Element>& elements, const Joined& joined) {
  std::vector<std::vector<Element>> result;
  std::vector<Element> rest = elements;
  while (!rest.empty()) {
    std::vector<Element> part{rest.front()};
    rest.erase(rest.begin());
    for (std::size_t i = 0; i < part.size(); ++i) {
      const Element x = part[i];
      const auto split =
          std::stable_partition(rest.begin(), rest.end(), [&](Element y) { return !joined(x, y); });
      part.insert(part.end(), split, rest.end());
      rest.erase(split, rest.end());
    }
    std::sort(part.begin(), part.end());
    result.push_back(std::move(part));
  }
  return result;
}

std::optional<SpOrder> split(const Poset& poset, const std::vector<Element>& elements,
                             std::vector<Element>& stuck) {
  if (elements.size() == 1) return SpOrder::single(elements.front());
  const auto comparable = [&](Element x, Element y) { return poset.less(x, y) || poset.less(y, x); };
  const auto incomparable = [&](Element x, Element y) { return poset.incomparable(x, y); };
  auto parts = components(elements, comparable);
  const bool parallel = parts.size() > 1;
  if (!parallel) {
    parts = components(elements, incomparable);
    if (parts.size() == 1) {
      stuck = elements;
      return std::nullopt;
    }
    std::sort(parts.begin(), parts.end(),
              [&](const auto& p, const auto& q) { return poset.less(p.front(), q.front()); });
  }
  std::vector<SpOrder> orders;
  for (const std::vector<Element>& part : parts) {
    std::optional<SpOrder> order = split(poset, part, stuck);
    if (!order) return std::nullopt;
    orders.push_back(std::move(*order));
  }
  return parallel ? SpOrder::parallel(std::move(orders)) : SpOrder::series(std::move(orders));
}

std::optional<ZigZag> zigzag_among(const Poset& poset, const std::vector<Element>& elements) {
  for (const Element c : elements) {
    for (const Element b : elements) {
      if (!poset.less(c, b)) continue;
      for (const Element a : elements) {
        if (!poset.less(a, b) || !poset.incomparable(a, c)) continue;
        for (const Element d : elements) {
          if (poset.less(c, d) && poset.incomparable(d, b) && poset.incomparable(a, d))
            return ZigZag{a, b, c, d};
        }
      }
    }
  }
  return std::nullopt;
}

std::vector<SpOrder> both(SpOrder first, SpOrder second) {
  std::vector<SpOrder> parts;
  parts.push_back(std::move(first));
  parts.push_back(std::move(second));
  return parts;
}

std::vector<Element> all_elements(const Poset& poset) {
  std::vector<Element> all(poset.size());
  for (Element x = 0; x < all.size(); ++x) all[x] = x;
  return all;
}

}  // namespace

NamedSpOrder parse_series_parallel(std::string_view text) { return SpParser(text).parse(); }

std::variant<SpOrder, ZigZag> decompose(const Poset& poset) {
  GAINSAY_CHECK(poset.size() > 0, "an order has elements");
  std::vector<Element> stuck;
  std::optional<SpOrder> order = split(poset, all_elements(poset), stuck);
  if (order) return std::move(*order);
  const std::optional<ZigZag> witness = zigzag_among(poset, stuck);
  GAINSAY_CHECK(witness, "what does not fall apart has a zig-zag");
  return *witness;
}

std::optional<ZigZag> find_zigzag(const Poset& poset) { return zigzag_among(poset, all_elements(poset)); }

bool is_series_parallel(const Poset& poset) { return std::holds_alternative<SpOrder>(decompose(poset)); }

SpOrder binary_semilattice(const SpOrder& order) {
  auto next = static_cast<Element>(order.size());
  std::vector<SpOrder> built(order.nodes());
  std::vector<std::uint32_t> top_down{order.root()};
  for (std::size_t i = 0; i < top_down.size(); ++i) {
    const SpOrder::Node& node = order.node(top_down[i]);
    top_down.insert(top_down.end(), node.parts.begin(), node.parts.end());
  }
  for (std::size_t i = top_down.size(); i-- > 0;) {
    const SpOrder::Node& node = order.node(top_down[i]);
    std::vector<SpOrder> parts;
    for (const std::uint32_t part : node.parts) parts.push_back(std::move(built[part]));
    SpOrder& own = built[top_down[i]];
    if (node.kind == SpOrder::Kind::element) own = SpOrder::single(node.element);
    if (node.kind == SpOrder::Kind::series) own = SpOrder::series(std::move(parts));
    if (node.kind != SpOrder::Kind::parallel) continue;
    // Pair up, each pair below a new infimum, until one is left.
    while (parts.size() > 1) {
      std::vector<SpOrder> paired;
      for (std::size_t k = 0; k < parts.size(); k += 2) {
        if (k + 1 == parts.size()) {
          paired.push_back(std::move(parts[k]));
          continue;
        }
        SpOrder pair = SpOrder::parallel(both(std::move(parts[k]), std::move(parts[k + 1])));
        paired.push_back(SpOrder::series(both(SpOrder::single(next++), std::move(pair))));
      }
      parts = std::move(paired);
    }
    own = std::move(parts.front());
  }
  return std::move(built[order.root()]);
}

}  // namespace gainsay::family
