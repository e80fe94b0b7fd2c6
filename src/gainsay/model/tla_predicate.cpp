#include "gainsay/model/tla_predicate.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"

namespace gainsay {

// An operation, or a leaf: a variable's number, a bound name's depth, a value.
struct TlaPredicate::Node {
  enum class Kind : std::uint8_t { constant, variable, bound, operation, all, some, filter };
  Kind kind = Kind::constant;
  TlaValue value{};
  std::size_t number = 0;
  std::string operation{};
  std::vector<std::unique_ptr<Node>> parts{};
  std::vector<std::string> fields{};  // of a record
};

namespace {

using PredicateNode = TlaPredicate::Node;
using NodePtr = std::unique_ptr<PredicateNode>;

// Recursive descent, one function for each strength of binding.
class PredicateParser {
 public:
  PredicateParser(const std::string& text, const std::vector<std::string>& variables)
      : text_(text), variables_(variables) {}

  NodePtr whole() {
    NodePtr node = implication();
    skip();
    if (at_ != text_.size()) fail("an operator or the end");
    return node;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw UserError(fmt::format("'{}': expected {} at '{}'", text_, expected,
                                at_ >= text_.size() ? std::string("the end") : text_.substr(at_, 30)));
  }
  static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  // A word ends where no letter follows.
  bool next_is(std::string_view token) {
    skip();
    if (!std::string_view(text_).substr(at_).starts_with(token)) return false;
    const std::size_t end = at_ + token.size();
    return !is_word(token.back()) || end >= text_.size() || !is_word(text_[end]);
  }
  bool take(std::string_view token) {
    if (!next_is(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail(fmt::format("'{}'", token));
  }
  static NodePtr make(std::string operation, std::vector<NodePtr> parts) {
    auto node = std::make_unique<PredicateNode>();
    node->kind = PredicateNode::Kind::operation;
    node->operation = std::move(operation);
    node->parts = std::move(parts);
    return node;
  }
  template <class... Parts> static NodePtr make_of(std::string operation, Parts... parts) {
    std::vector<NodePtr> list;
    (list.push_back(std::move(parts)), ...);
    return make(std::move(operation), std::move(list));
  }

  NodePtr implication() {
    NodePtr left = disjunction();
    if (take("=>")) return make_of("=>", std::move(left), implication());
    return left;
  }
  NodePtr disjunction() {
    take("\\/");  // a list may begin with its bullet
    NodePtr left = conjunction();
    while (take("\\/")) left = make_of("\\/", std::move(left), conjunction());
    return left;
  }
  NodePtr conjunction() {
    take("/\\");
    NodePtr left = negation();
    while (take("/\\")) left = make_of("/\\", std::move(left), negation());
    return left;
  }
  NodePtr negation() {
    if (take("~") || take("\\lnot")) return make_of("~", negation());
    if (next_is("\\A") || next_is("\\E")) return quantifier();
    return comparison();
  }
  NodePtr quantifier() {
    auto node = std::make_unique<PredicateNode>();
    node->kind = take("\\A") ? PredicateNode::Kind::all : PredicateNode::Kind::some;
    if (node->kind == PredicateNode::Kind::some) expect("\\E");
    bind(*node, ":");
    node->parts.push_back(implication());
    bound_.pop_back();
    return node;
  }
  // `x \in S :`
  void bind(PredicateNode& node, std::string_view after) {
    const std::string name = word();
    expect("\\in");
    node.parts.push_back(sum());
    expect(after);
    bound_.push_back(name);
  }
  NodePtr comparison() {
    NodePtr left = sum();
    for (const char* operation :
         {"\\notin", "\\in", "\\subseteq", "/=", "#", "<=", "=<", ">=", "\\leq", "\\geq", "=", "<", ">"}) {
      if (!next_is(operation) || next_is("=>") || next_is("<<") || next_is(">>")) continue;
      take(operation);
      return make_of(operation, std::move(left), sum());
    }
    return left;
  }
  NodePtr sum() {
    NodePtr left = prefix();
    while (true) {
      const char* found = nullptr;
      for (const char* operation : {"..", "+", "-", "\\cup", "\\union", "\\cap", "\\intersect"}) {
        if (next_is(operation)) found = operation;
      }
      // Set difference is a backslash alone.
      if (found == nullptr && next_is("\\") && at_ + 1 < text_.size() && text_[at_ + 1] == ' ') found = "\\";
      if (found == nullptr) return left;
      take(found);
      left = make_of(found, std::move(left), prefix());
    }
  }
  NodePtr prefix() {
    if (take("DOMAIN")) return make_of("DOMAIN", prefix());
    if (next_is("-") && at_ + 1 < text_.size() && text_[at_ + 1] >= '0' && text_[at_ + 1] <= '9') {
      take("-");
      return make_of("negative", postfix());
    }
    return postfix();
  }
  NodePtr postfix() {
    NodePtr left = primary();
    while (true) {
      if (take("[")) {
        left = make_of("[]", std::move(left), implication());
        expect("]");
      } else if (!next_is("..") && take(".")) {
        NodePtr field = constant(TlaValue::text(word()));
        left = make_of("[]", std::move(left), std::move(field));
      } else {
        return left;
      }
    }
  }
  static NodePtr constant(TlaValue value) {
    auto node = std::make_unique<PredicateNode>();
    node->value = std::move(value);
    return node;
  }
  std::string word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (at_ == begin) fail("a name");
    return text_.substr(begin, at_ - begin);
  }
  std::vector<NodePtr> list_until(std::string_view end) {
    std::vector<NodePtr> list;
    if (take(end)) return list;
    do {
      list.push_back(implication());
    } while (take(","));
    expect(end);
    return list;
  }
  NodePtr primary() {
    if (take("(")) {
      NodePtr inner = implication();
      expect(")");
      return inner;
    }
    if (take("<<")) return make("<<>>", list_until(">>"));
    if (take("{")) return set();
    if (take("[")) return record();
    if (next_is("\"")) {
      const std::size_t begin = at_;
      std::size_t end = begin + 1;
      while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
      if (end >= text_.size()) fail("a closing quote");
      at_ = end + 1;
      return constant(TlaValue::parse(std::string_view(text_).substr(begin, at_ - begin)));
    }
    skip();
    if (at_ == text_.size() || !is_word(text_[at_])) fail("a value, a variable or '('");
    const std::string name = word();
    for (const char* function : {"Len", "Cardinality", "Head"}) {
      if (name != function) continue;
      expect("(");
      NodePtr argument = implication();
      expect(")");
      return make_of(name, std::move(argument));
    }
    return named(name);
  }
  NodePtr set() {
    // {x \in S : P}, if a name and \in come next.
    const std::size_t begin = at_;
    skip();
    if (at_ < text_.size() && is_word(text_[at_])) {
      (void)word();
      const bool filtered = next_is("\\in");
      at_ = begin;
      if (filtered) {
        auto node = std::make_unique<PredicateNode>();
        node->kind = PredicateNode::Kind::filter;
        bind(*node, ":");
        node->parts.push_back(implication());
        bound_.pop_back();
        expect("}");
        return node;
      }
    }
    return make("{}", list_until("}"));
  }
  NodePtr record() {
    NodePtr node = make("record", {});
    do {
      node->fields.push_back(word());
      expect("|->");
      node->parts.push_back(implication());
    } while (take(","));
    expect("]");
    return node;
  }
  NodePtr named(const std::string& name) {
    auto node = std::make_unique<PredicateNode>();
    for (std::size_t i = bound_.size(); i-- > 0;) {
      if (bound_[i] != name) continue;
      node->kind = PredicateNode::Kind::bound;
      node->number = i;
      return node;
    }
    const auto variable = std::find(variables_.begin(), variables_.end(), name);
    if (variable != variables_.end()) {
      node->kind = PredicateNode::Kind::variable;
      node->number = static_cast<std::size_t>(variable - variables_.begin());
      return node;
    }
    node->value = TlaValue::parse(name);
    return node;
  }

  const std::string& text_;
  const std::vector<std::string>& variables_;
  std::size_t at_ = 0;
  std::vector<std::string> bound_;
};

// The value of an expression in a state.
class Evaluation {
 public:
  Evaluation(const std::string& text, const std::vector<const TlaValue*>& values)
      : text_(text), values_(values) {}

  bool truth(const PredicateNode& node) {
    const TlaValue value = of(node);
    if (value.kind() != TlaValue::Kind::boolean) fail(fmt::format("TRUE or FALSE, not {}", value.print()));
    return value.is_true();
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw UserError(fmt::format("'{}' has no value in some state: expected {}", text_, expected));
  }
  const TlaValue& must(const TlaValue& value, TlaValue::Kind kind, const char* what) const {
    if (value.kind() != kind) fail(fmt::format("{}, not {}", what, value.print().substr(0, 60)));
    return value;
  }
  std::int64_t number(const PredicateNode& node) {
    return must(of(node), TlaValue::Kind::number, "a number").as_number();
  }
  TlaValue set(const PredicateNode& node) { return must(of(node), TlaValue::Kind::set, "a set"); }

  TlaValue of(const PredicateNode& node) {
    switch (node.kind) {
      case PredicateNode::Kind::constant:
        return node.value;
      case PredicateNode::Kind::variable:
        GAINSAY_CHECK(node.number < values_.size(), "every variable has a value");
        return *values_[node.number];
      case PredicateNode::Kind::bound:
        return bound_[node.number];
      case PredicateNode::Kind::operation:
        return operation(node);
      case PredicateNode::Kind::all:
      case PredicateNode::Kind::some:
      case PredicateNode::Kind::filter:
        break;
    }
    std::vector<TlaValue> kept;
    const TlaValue from = set(*node.parts[0]);
    bool some = false;
    for (const TlaValue& element : from.elements()) {
      bound_.push_back(element);
      const bool yes = truth(*node.parts[1]);
      bound_.pop_back();
      some = some || yes;
      if (yes) kept.push_back(element);
    }
    if (node.kind == PredicateNode::Kind::some) return TlaValue::boolean(some);
    if (node.kind == PredicateNode::Kind::all) return TlaValue::boolean(kept.size() == from.size());
    return TlaValue::set(std::move(kept));
  }

  TlaValue operation(const PredicateNode& node) {
    const std::string& op = node.operation;
    const auto& parts = node.parts;
    if (op == "/\\") return TlaValue::boolean(truth(*parts[0]) && truth(*parts[1]));
    if (op == "\\/") return TlaValue::boolean(truth(*parts[0]) || truth(*parts[1]));
    if (op == "=>") return TlaValue::boolean(!truth(*parts[0]) || truth(*parts[1]));
    if (op == "~") return TlaValue::boolean(!truth(*parts[0]));
    if (op == "=") return TlaValue::boolean(of(*parts[0]) == of(*parts[1]));
    if (op == "#" || op == "/=") return TlaValue::boolean(of(*parts[0]) != of(*parts[1]));
    if (op == "<") return TlaValue::boolean(number(*parts[0]) < number(*parts[1]));
    if (op == ">") return TlaValue::boolean(number(*parts[0]) > number(*parts[1]));
    if (op == "<=" || op == "=<" || op == "\\leq")
      return TlaValue::boolean(number(*parts[0]) <= number(*parts[1]));
    if (op == ">=" || op == "\\geq") return TlaValue::boolean(number(*parts[0]) >= number(*parts[1]));
    if (op == "\\in") return TlaValue::boolean(set(*parts[1]).contains(of(*parts[0])));
    if (op == "\\notin") return TlaValue::boolean(!set(*parts[1]).contains(of(*parts[0])));
    if (op == "+") return TlaValue::number(number(*parts[0]) + number(*parts[1]));
    if (op == "-") return TlaValue::number(number(*parts[0]) - number(*parts[1]));
    if (op == "negative") return TlaValue::number(-number(*parts[0]));
    if (op == "Cardinality") return TlaValue::number(static_cast<std::int64_t>(set(*parts[0]).size()));
    if (op == "..") return interval(number(*parts[0]), number(*parts[1]));
    if (op == "[]" || op == "DOMAIN" || op == "Len" || op == "Head") return of_function(node);
    if (op == "record") {
      std::vector<TlaValue::Pair> pairs;
      for (std::size_t i = 0; i < parts.size(); ++i)
        pairs.emplace_back(TlaValue::text(node.fields[i]), of(*parts[i]));
      return TlaValue::function(std::move(pairs));
    }
    if (op == "{}" || op == "<<>>") {
      std::vector<TlaValue> list;
      for (const NodePtr& part : parts) list.push_back(of(*part));
      return op == "{}" ? TlaValue::set(std::move(list)) : TlaValue::sequence(std::move(list));
    }
    return of_sets(op, set(*parts[0]), set(*parts[1]));
  }
  TlaValue interval(std::int64_t first, std::int64_t last) const {
    if (last > first && last - first > 100'000) fail("an interval of at most 100,000 numbers");
    std::vector<TlaValue> list;
    for (std::int64_t i = first; i <= last; ++i) list.push_back(TlaValue::number(i));
    return TlaValue::set(std::move(list));
  }
  TlaValue of_function(const PredicateNode& node) {
    const TlaValue function =
        must(of(*node.parts[0]), TlaValue::Kind::function, "a function, record or sequence");
    if (node.operation == "Len") return TlaValue::number(static_cast<std::int64_t>(function.size()));
    if (node.operation == "DOMAIN") {
      std::vector<TlaValue> domain;
      for (const auto& [argument, value] : function.pairs()) domain.push_back(argument);
      return TlaValue::set(std::move(domain));
    }
    const TlaValue argument = node.operation == "Head" ? TlaValue::number(1) : of(*node.parts[1]);
    const TlaValue* found = function.at(argument);
    if (found == nullptr)
      fail(fmt::format("{} in the domain of {}", argument.print(), function.print().substr(0, 60)));
    return *found;
  }
  static TlaValue of_sets(const std::string& op, const TlaValue& left, const TlaValue& right) {
    std::vector<TlaValue> list;
    for (const TlaValue& each : left.elements()) {
      if (op == "\\subseteq" && !right.contains(each)) return TlaValue::boolean(false);
      const bool kept = op == "\\cup" || op == "\\union" || right.contains(each) != (op == "\\");
      if (kept) list.push_back(each);
    }
    if (op == "\\subseteq") return TlaValue::boolean(true);
    if (op == "\\cup" || op == "\\union")
      list.insert(list.end(), right.elements().begin(), right.elements().end());
    return TlaValue::set(std::move(list));
  }

  const std::string& text_;
  const std::vector<const TlaValue*>& values_;
  std::vector<TlaValue> bound_;
};

}  // namespace

TlaPredicate::TlaPredicate(std::string text, const std::vector<std::string>& variables)
    : text_(std::move(text)), root_(PredicateParser(text_, variables).whole()) {}
TlaPredicate::~TlaPredicate() = default;
TlaPredicate::TlaPredicate(TlaPredicate&&) noexcept = default;

bool TlaPredicate::holds(const std::vector<const TlaValue*>& values) const {
  return Evaluation(text_, values).truth(*root_);
}

std::vector<bool> evaluate(const StateGraph& graph, const std::string& predicate) {
  if (!graph.has_values())
    throw UserError(
        "predicates need the values of variables, which this graph does not have; make it with --values");
  const TlaPredicate parsed(predicate, graph.columns);
  std::vector<std::optional<TlaValue>> known(graph.values.size());
  std::vector<const TlaValue*> values(graph.columns.size());
  std::vector<bool> holds(graph.nodes());
  for (GraphNode node = 0; node < graph.nodes(); ++node) {
    const auto row = graph.row(node);
    for (std::size_t column = 0; column < row.size(); ++column) {
      std::optional<TlaValue>& value = known[row[column]];
      if (!value) value = TlaValue::parse(graph.values[row[column]]);
      values[column] = &*value;
    }
    holds[node] = parsed.holds(values);
  }
  return holds;
}

}  // namespace gainsay
