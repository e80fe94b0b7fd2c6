// TlaValue: a value of TLA+ as TLC prints it, read into what it means.
//
// What is printed in several ways is one value: a function over 1..n and a sequence, a function of strings and a
// record, an interval and the set of its numbers, the empty function and the empty sequence. So sequences and records
// are functions here, and sets and functions are kept in an order of their own. Sets that TLC leaves unexpanded (SUBSET
// S, [S -> T], a wide interval) are kept as their text.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gainsay {

class TlaValue {
 public:
  enum class Kind : std::uint8_t { boolean, number, text, model, set, function, unexpanded };
  using Pair = std::pair<TlaValue, TlaValue>;

  TlaValue() = default;  // the empty function
  static TlaValue boolean(bool value);
  static TlaValue number(std::int64_t value);
  static TlaValue text(std::string value);
  static TlaValue model(std::string name);
  static TlaValue unexpanded(std::string text);
  static TlaValue set(std::vector<TlaValue> elements);  // in any order, with repetitions
  static TlaValue sequence(std::vector<TlaValue> elements);
  static TlaValue function(
      std::vector<Pair> pairs);  // in any order; of two equal arguments the first one counts

  // Throws UserError, which says what was expected and where in the text, for what TLC does not print.
  static TlaValue parse(std::string_view text);

  Kind kind() const { return kind_; }
  bool is_true() const { return kind_ == Kind::boolean && number_ != 0; }
  std::int64_t as_number() const { return number_; }
  const std::string& as_text() const { return text_; }  // of texts, model values, unexpanded sets
  const std::vector<TlaValue>& elements() const { return elements_; }  // of a set, ascending
  const std::vector<Pair>& pairs() const { return pairs_; }            // of a function, ascending by argument

  // What a function is at an argument; null: the argument is not in its domain, or it is no function.
  const TlaValue* at(const TlaValue& argument) const;
  const TlaValue* field(std::string_view name) const;
  const TlaValue* index(std::int64_t i) const { return at(number(i)); }
  bool contains(const TlaValue& element) const;  // of a set
  std::size_t size() const { return kind_ == Kind::set ? elements_.size() : pairs_.size(); }

  std::string print() const;
  std::uint64_t hash() const;

  friend std::strong_ordering operator<=>(const TlaValue& a, const TlaValue& b);
  friend bool operator==(const TlaValue& a, const TlaValue& b) { return (a <=> b) == 0; }

 private:
  Kind kind_ = Kind::function;
  std::int64_t number_ = 0;
  std::string text_;
  std::vector<TlaValue> elements_;
  std::vector<Pair> pairs_;
};

// The elements of `before` that are not in `after`, where both are sets, or functions from elements to how often they
// are there (bags): what a step took away. So the event of a step is found where a model keeps its pending messages.
std::vector<TlaValue> taken_away(const TlaValue& before, const TlaValue& after);

}  // namespace gainsay
