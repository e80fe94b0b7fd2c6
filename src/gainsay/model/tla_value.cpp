#include "gainsay/model/tla_value.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"

namespace gainsay {
namespace {

constexpr std::int64_t widest_interval = 4096;
constexpr int deepest_value = 200;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '!';
}

class ValueParser {
 public:
  explicit ValueParser(std::string_view text) : text_(text) {}

  TlaValue whole() {
    TlaValue value = parse();
    skip();
    if (at_ != text_.size()) fail("the end of the value");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    const std::string_view rest = text_.substr(std::min(at_, text_.size()));
    throw UserError(fmt::format("expected {} at '{}'", expected,
                                rest.empty() ? std::string("the end") : std::string(rest.substr(0, 40))));
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool next_is(std::string_view word) {
    skip();
    return text_.substr(at_).starts_with(word);
  }
  bool take(std::string_view word) {
    if (!next_is(word)) return false;
    at_ += word.size();
    return true;
  }
  void expect(std::string_view word) {
    if (!take(word)) fail(fmt::format("'{}'", word));
  }

  TlaValue parse() {
    if (++depth_ > deepest_value) fail("a value that is not so deep");
    TlaValue value = parse_one();
    --depth_;
    // Sets that TLC did not expand.
    for (const std::string_view operation : {"\\union", "\\cup", "\\intersect", "\\cap", "\\X", "\\"}) {
      if (!next_is(operation)) continue;
      at_ += operation.size();
      const TlaValue right = parse();
      return TlaValue::unexpanded(fmt::format("{} {} {}", value.print(), operation, right.print()));
    }
    return value;
  }

  TlaValue parse_one() {
    skip();
    if (at_ == text_.size()) fail("a value");
    const char c = text_[at_];
    if (c == '"') return TlaValue::text(quoted_text());
    if (c == '{') return parse_set();
    if (next_is("<<")) return parse_sequence();
    if (c == '(') return parse_function();
    if (c == '[') return parse_record();
    if (c == '-' || is_word(c)) return parse_word();
    fail("a value of TLA+");
  }

  std::string quoted_text() {
    std::string value;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      char c = text_[at_];
      if (c == '\\') {
        if (++at_ == text_.size()) break;
        constexpr std::string_view names = "\"\\tnfr";
        constexpr std::string_view meanings = "\"\\\t\n\f\r";
        const std::size_t which = names.find(text_[at_]);
        if (which == std::string_view::npos) fail("one of \\\" \\\\ \\t \\n \\f \\r");
        c = meanings[which];
      }
      value += c;
    }
    if (at_ >= text_.size()) fail("a closing quote");
    ++at_;
    return value;
  }

  std::vector<TlaValue> list_until(std::string_view end) {
    std::vector<TlaValue> list;
    if (take(end)) return list;
    do {
      list.push_back(parse());
    } while (take(","));
    expect(end);
    return list;
  }
  TlaValue parse_set() {
    ++at_;
    return TlaValue::set(list_until("}"));
  }
  TlaValue parse_sequence() {
    at_ += 2;
    return TlaValue::sequence(list_until(">>"));
  }
  TlaValue parse_function() {
    ++at_;
    std::vector<TlaValue::Pair> pairs;
    do {
      TlaValue argument = parse();
      expect(":>");
      TlaValue value = parse();
      pairs.emplace_back(std::move(argument), std::move(value));
    } while (take("@@"));
    expect(")");
    return TlaValue::function(std::move(pairs));
  }
  std::string identifier() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (at_ == begin) fail("a name");
    return std::string(text_.substr(begin, at_ - begin));
  }
  // A record, or a set of records or functions that TLC did not expand.
  TlaValue parse_record() {
    const std::size_t begin = at_++;
    std::vector<TlaValue::Pair> pairs;
    do {
      const std::size_t before = at_;
      skip();
      const bool named = at_ < text_.size() && is_word(text_[at_]);
      const std::string name = named ? identifier() : std::string();
      if (named && take("|->")) {
        pairs.emplace_back(TlaValue::text(name), parse());
        continue;
      }
      if (named && next_is(":") && !next_is(":>")) return unexpanded_from(begin);
      at_ = before;
      (void)parse();
      expect("->");
      (void)parse();
      expect("]");
      return TlaValue::unexpanded(std::string(text_.substr(begin, at_ - begin)));
    } while (take(","));
    expect("]");
    return TlaValue::function(std::move(pairs));
  }
  // [a: S, b: T]: the name of its first field was read.
  TlaValue unexpanded_from(std::size_t begin) {
    do {
      if (!next_is(":")) (void)identifier();
      expect(":");
      (void)parse();
    } while (take(","));
    expect("]");
    return TlaValue::unexpanded(std::string(text_.substr(begin, at_ - begin)));
  }

  TlaValue parse_word() {
    const std::size_t begin = at_;
    if (text_[at_] == '-') ++at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word == "TRUE") return TlaValue::boolean(true);
    if (word == "FALSE") return TlaValue::boolean(false);
    if (word == "SUBSET") return TlaValue::unexpanded("SUBSET " + parse().print());
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (end != word.data() + word.size() || error != std::errc{}) {
      if (word.front() == '-' || error == std::errc::result_out_of_range) fail("a number");
      return TlaValue::model(std::string(word));
    }
    if (!take("..")) return TlaValue::number(number);
    skip();
    const std::size_t second = at_;
    if (at_ < text_.size() && text_[at_] == '-') ++at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    std::int64_t last = 0;
    const std::string_view digits = text_.substr(second, at_ - second);
    if (std::from_chars(digits.data(), digits.data() + digits.size(), last).ec != std::errc{})
      fail("a number");
    if (last >= number && static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(number) >=
                              static_cast<std::uint64_t>(widest_interval))
      return TlaValue::unexpanded(fmt::format("{}..{}", number, last));
    std::vector<TlaValue> elements;
    for (std::int64_t i = number; i <= last; ++i) elements.push_back(TlaValue::number(i));
    return TlaValue::set(std::move(elements));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

TlaValue TlaValue::boolean(bool value) {
  TlaValue result;
  result.kind_ = Kind::boolean;
  result.number_ = value ? 1 : 0;
  return result;
}

TlaValue TlaValue::number(std::int64_t value) {
  TlaValue result;
  result.kind_ = Kind::number;
  result.number_ = value;
  return result;
}

TlaValue TlaValue::text(std::string value) {
  TlaValue result;
  result.kind_ = Kind::text;
  result.text_ = std::move(value);
  return result;
}

TlaValue TlaValue::model(std::string name) {
  TlaValue result = text(std::move(name));
  result.kind_ = Kind::model;
  return result;
}

TlaValue TlaValue::unexpanded(std::string words) {
  TlaValue result = text(std::move(words));
  result.kind_ = Kind::unexpanded;
  return result;
}

TlaValue TlaValue::set(std::vector<TlaValue> elements) {
  TlaValue result;
  result.kind_ = Kind::set;
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  result.elements_ = std::move(elements);
  return result;
}

TlaValue TlaValue::sequence(std::vector<TlaValue> elements) {
  TlaValue result;
  for (std::size_t i = 0; i < elements.size(); ++i)
    result.pairs_.emplace_back(number(static_cast<std::int64_t>(i) + 1), std::move(elements[i]));
  return result;
}

TlaValue TlaValue::function(std::vector<Pair> pairs) {
  TlaValue result;
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.first < b.first; });
  pairs.erase(std::unique(pairs.begin(), pairs.end(),
                          [](const Pair& a, const Pair& b) { return a.first == b.first; }),
              pairs.end());
  result.pairs_ = std::move(pairs);
  return result;
}

TlaValue TlaValue::parse(std::string_view text) { return ValueParser(text).whole(); }

std::strong_ordering operator<=>(const TlaValue& a, const TlaValue& b) {
  if (a.kind_ != b.kind_) return a.kind_ <=> b.kind_;
  switch (a.kind_) {
    case TlaValue::Kind::boolean:
    case TlaValue::Kind::number:
      return a.number_ <=> b.number_;
    case TlaValue::Kind::text:
    case TlaValue::Kind::model:
    case TlaValue::Kind::unexpanded:
      return a.text_ <=> b.text_;
    case TlaValue::Kind::set:
      return std::lexicographical_compare_three_way(a.elements_.begin(), a.elements_.end(),
                                                    b.elements_.begin(), b.elements_.end());
    case TlaValue::Kind::function:
      break;
  }
  const auto by_pair = [](const TlaValue::Pair& x, const TlaValue::Pair& y) {
    const auto by_argument = x.first <=> y.first;
    return by_argument != 0 ? by_argument : x.second <=> y.second;
  };
  return std::lexicographical_compare_three_way(a.pairs_.begin(), a.pairs_.end(), b.pairs_.begin(),
                                                b.pairs_.end(), by_pair);
}

const TlaValue* TlaValue::at(const TlaValue& argument) const {
  const auto found =
      std::lower_bound(pairs_.begin(), pairs_.end(), argument,
                       [](const Pair& pair, const TlaValue& wanted) { return pair.first < wanted; });
  return found != pairs_.end() && found->first == argument ? &found->second : nullptr;
}

const TlaValue* TlaValue::field(std::string_view name) const { return at(text(std::string(name))); }

bool TlaValue::contains(const TlaValue& element) const {
  return kind_ == Kind::set && std::binary_search(elements_.begin(), elements_.end(), element);
}

std::string TlaValue::print() const {
  const auto join = [](const auto& list, std::string_view between, const auto& show) {
    std::string all;
    for (const auto& each : list) {
      if (!all.empty()) all += between;
      all += show(each);
    }
    return all;
  };
  switch (kind_) {
    case Kind::boolean:
      return number_ != 0 ? "TRUE" : "FALSE";
    case Kind::number:
      return std::to_string(number_);
    case Kind::text: {
      std::string quoted = "\"";
      constexpr std::string_view meanings = "\"\\\t\n\f\r";
      constexpr std::string_view names = "\"\\tnfr";
      for (const char c : text_) {
        const std::size_t which = meanings.find(c);
        if (which != std::string_view::npos) quoted += '\\';
        quoted += which != std::string_view::npos ? names[which] : c;
      }
      return quoted + '"';
    }
    case Kind::model:
    case Kind::unexpanded:
      return text_;
    case Kind::set:
      return "{" + join(elements_, ", ", [](const TlaValue& each) { return each.print(); }) + "}";
    case Kind::function:
      break;
  }
  const auto is_field = [](const TlaValue& argument) {
    return argument.kind_ == Kind::text && !argument.text_.empty() &&
           std::all_of(argument.text_.begin(), argument.text_.end(), is_word);
  };
  bool sequence = true;
  for (std::size_t i = 0; i < pairs_.size() && sequence; ++i)
    sequence = pairs_[i].first == number(static_cast<std::int64_t>(i) + 1);
  if (sequence) return "<<" + join(pairs_, ", ", [](const Pair& each) { return each.second.print(); }) + ">>";
  if (std::all_of(pairs_.begin(), pairs_.end(), [&](const Pair& each) { return is_field(each.first); })) {
    return "[" +
           join(pairs_, ", ",
                [](const Pair& each) {
                  return fmt::format("{} |-> {}", each.first.text_, each.second.print());
                }) +
           "]";
  }
  return "(" +
         join(pairs_, " @@ ",
              [](const Pair& each) {
                return fmt::format("{} :> {}", each.first.print(), each.second.print());
              }) +
         ")";
}

std::uint64_t TlaValue::hash() const {
  Hasher hasher(static_cast<std::uint64_t>(kind_));
  hasher.add(static_cast<std::uint64_t>(number_));
  hasher.add_text(text_);
  for (const TlaValue& each : elements_) hasher.add(each.hash());
  for (const Pair& each : pairs_) {
    hasher.add(each.first.hash());
    hasher.add(each.second.hash());
  }
  return hasher.finish();
}

std::vector<TlaValue> taken_away(const TlaValue& before, const TlaValue& after) {
  std::vector<TlaValue> taken;
  for (const TlaValue& each : before.elements()) {
    if (!after.contains(each)) taken.push_back(each);
  }
  for (const auto& [element, count] : before.pairs()) {
    const TlaValue* left = after.at(element);
    const std::int64_t still = left != nullptr ? left->as_number() : 0;
    for (std::int64_t i = still; i < count.as_number(); ++i) taken.push_back(element);
  }
  return taken;
}

}  // namespace gainsay
