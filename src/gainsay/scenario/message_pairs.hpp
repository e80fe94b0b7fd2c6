// StatedPairs: what a scenario says of pairs of messages at one actor (World::dependence), and which messages it was
// asked about.
//
// A search compares messages of executions that are long over, so the messages themselves are kept, one of each value,
// under numbers. What was said of two numbers is said again without asking. Several workers may ask at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gainsay/base/value_type.hpp"
#include "gainsay/trace/message_key.hpp"

namespace gainsay {

class StatedPairs final : public MessagePairs {
 public:
  StatedPairs();
  ~StatedPairs() override;

  using Says = std::function<bool(const void* a, const void* b)>;

  // Of messages of these types, in either order. What is said later wins.
  void state(const ValueType& a, const ValueType& b, Says dependent);
  // The number of a message of this value; nothing: nothing is said of its type.
  std::optional<std::uint32_t> number_of(const ValueType& type, const void* message);

  std::optional<bool> dependent(std::uint32_t a, std::uint32_t b) const override;

 private:
  struct Statement {
    const ValueType* a = nullptr;
    const ValueType* b = nullptr;
    Says dependent;
  };
  const Statement* find(const ValueType& a, const ValueType& b, bool& swapped) const;

  std::vector<Statement> statements_;
  struct Known;  // apart, so that scenarios need not read what it is made of
  std::unique_ptr<Known> known_;
};

}  // namespace gainsay
