// when_all, when_any: several operations at once, in an actor's task.
//
//   auto [a, b] = co_await when_all(ctx.call<Ack>(first, Put{1}), ctx.call<Ack>(second, Put{1}));
//   auto got = co_await when_any(ctx.call<Ack>(first, Put{1}), ctx.sleep(10ms));  // got.index() == 1: too late
//
// A Task among them becomes a separate task, which begins like a task of ctx.start; calls, receives, sleeps and
// joins begin at once. when_all returns a tuple, or a vector for a vector; when_any returns a variant, or First for
// a vector. An operation without a result counts as std::monostate. The losers of when_any are cancelled in the step
// in which the first one ends. If an operation of when_all throws, the others are cancelled and the exception is
// rethrown.
#pragma once

#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "gainsay/scenario/task_context.hpp"

namespace gainsay {

// The operation of a vector that ended first: its index and its result.
template <class R> struct First {
  std::size_t index = 0;
  R result;
};

namespace detail {

// A Task as an operation: a task of its own, named after the one that awaits it.
template <class T> class ChildTask final : public Operation {
 public:
  explicit ChildTask(Task<T> task) : task_(std::move(task)) {}
  ChildTask(ChildTask&& other) noexcept = default;

  void begin(Strand& parent, Waiter& waiter) override {
    GAINSAY_CHECK(task_.handle() && !task_.handle().done(), "a Task is awaited once");
    strand_ = std::make_unique<Strand>(parent.host, parent.name + "." + std::to_string(parent.children++),
                                       parent.received);
    strand_->background = parent.background;
    strand_->suspended = task_.handle();
    strand_->on_finish = [this, &waiter] { waiter.completed(*this); };
    task_.handle().promise().strand = strand_.get();
    parent.host.begin(*strand_);
  }
  void cancel() override {
    task_ = Task<T>();
    strand_.reset();
  }
  bool failed() const override {
    return task_.handle() && task_.handle().done() && task_.handle().promise().error != nullptr;
  }
  std::string describe(const ActorNames& names) const override {
    return strand_ == nullptr ? "nothing" : strand_->describe(names);
  }
  bool stuck() const override { return strand_ != nullptr && strand_->stuck(); }
  auto result() {
    if constexpr (std::is_void_v<T>) {
      task_.handle().promise().take();
      return std::monostate{};
    } else {
      return task_.handle().promise().take();
    }
  }

 private:
  std::unique_ptr<Strand> strand_;
  Task<T> task_;  // destroyed before the strand, which its frames refer to
};

template <class T> ChildTask<T> operation_of(Task<T>&& task) { return ChildTask<T>(std::move(task)); }
template <class Op>
  requires std::derived_from<Op, Operation> Op operation_of(Op&& operation) { return std::move(operation); }

// What when_all and when_any have in common; the parts are owned by whoever derives from it.
class Gathering : public Operation, protected Waiter {
 public:
  enum class Until : std::uint8_t { all, any };
  explicit Gathering(Until until) : until_(until) {}

  void begin(Strand& strand, Waiter& waiter) override;
  void cancel() override;
  bool failed() const override { return done_ && last_ != nullptr && last_->failed(); }
  std::string describe(const ActorNames& names) const override;
  bool stuck() const override;

  bool await_ready() const { return false; }
  template <class P> void await_suspend(std::coroutine_handle<P> awaiting) {
    Strand& strand = *awaiting.promise().strand;
    strand.suspend(awaiting, *this);
    begin(strand, strand);
  }

 protected:
  virtual std::vector<Operation*> parts() = 0;
  const Operation* last() const { return last_; }  // the one that ended it

 private:
  void completed(Operation& part) override;

  Until until_;
  std::vector<Operation*> parts_;
  std::size_t left_ = 0;
  const Operation* last_ = nullptr;
  Waiter* waiter_ = nullptr;
  bool beginning_ = false;
  bool done_ = false;
};

template <class... Op> class WhenAll final : public Gathering {
 public:
  explicit WhenAll(Op&&... op) : Gathering(Until::all), operations_(std::move(op)...) {}
  auto result() {
    return std::apply(
        [&](auto&... op) {
          const auto rethrow = [&](auto& each) {
            if (each.failed()) each.result();
          };
          (rethrow(op), ...);
          return std::tuple<decltype(op.result())...>{op.result()...};
        },
        operations_);
  }
  auto await_resume() { return result(); }

 private:
  std::vector<Operation*> parts() override {
    return std::apply([](auto&... op) { return std::vector<Operation*>{&op...}; }, operations_);
  }
  std::tuple<Op...> operations_;
};

template <class... Op> class WhenAny final : public Gathering {
 public:
  using Result = std::variant<decltype(std::declval<Op&>().result())...>;
  explicit WhenAny(Op&&... op) : Gathering(Until::any), operations_(std::move(op)...) {}
  Result result() { return pick(std::index_sequence_for<Op...>{}); }
  Result await_resume() { return result(); }

 private:
  template <std::size_t... I> Result pick(std::index_sequence<I...>) {
    std::optional<Result> picked;
    const auto look = [&]<std::size_t i>(std::integral_constant<std::size_t, i>) {
      auto& op = std::get<i>(operations_);
      if (&op == last()) picked.emplace(std::in_place_index<i>, op.result());
    };
    (look(std::integral_constant<std::size_t, I>{}), ...);
    return std::move(*picked);
  }
  std::vector<Operation*> parts() override {
    return std::apply([](auto&... op) { return std::vector<Operation*>{&op...}; }, operations_);
  }
  std::tuple<Op...> operations_;
};

template <class Op> class WhenAllOf final : public Gathering {
 public:
  explicit WhenAllOf(std::vector<Op> operations)
      : Gathering(Until::all), operations_(std::move(operations)) {}
  auto result() {
    for (Op& op : operations_) {
      if (op.failed()) op.result();
    }
    std::vector<decltype(operations_[0].result())> results;
    for (Op& op : operations_) results.push_back(op.result());
    return results;
  }
  auto await_resume() { return result(); }

 private:
  std::vector<Operation*> parts() override {
    std::vector<Operation*> all;
    for (Op& op : operations_) all.push_back(&op);
    return all;
  }
  std::vector<Op> operations_;
};

template <class Op> class WhenAnyOf final : public Gathering {
 public:
  explicit WhenAnyOf(std::vector<Op> operations)
      : Gathering(Until::any), operations_(std::move(operations)) {}
  auto result() {
    std::size_t index = 0;
    while (&operations_[index] != last()) ++index;
    return First<decltype(operations_[0].result())>{index, operations_[index].result()};
  }
  auto await_resume() { return result(); }

 private:
  std::vector<Operation*> parts() override {
    std::vector<Operation*> all;
    for (Op& op : operations_) all.push_back(&op);
    return all;
  }
  std::vector<Op> operations_;
};

template <class T> auto operations_of(std::vector<T>&& each) {
  std::vector<decltype(operation_of(std::move(each[0])))> operations;
  operations.reserve(each.size());
  for (T& one : each) operations.push_back(operation_of(std::move(one)));
  return operations;
}

}  // namespace detail

template <class... T> auto when_all(T&&... each) {
  return detail::WhenAll<decltype(detail::operation_of(std::move(each)))...>(
      detail::operation_of(std::move(each))...);
}
template <class... T> auto when_any(T&&... each) {
  static_assert(sizeof...(T) > 0, "gainsay: when_any of nothing never ends");
  return detail::WhenAny<decltype(detail::operation_of(std::move(each)))...>(
      detail::operation_of(std::move(each))...);
}
template <class T> auto when_all(std::vector<T> each) {
  auto operations = detail::operations_of(std::move(each));
  return detail::WhenAllOf<typename decltype(operations)::value_type>(std::move(operations));
}
template <class T> auto when_any(std::vector<T> each) {
  auto operations = detail::operations_of(std::move(each));
  return detail::WhenAnyOf<typename decltype(operations)::value_type>(std::move(operations));
}

}  // namespace gainsay
