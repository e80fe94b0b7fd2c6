#include "gainsay/oracle/models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gainsay/base/text.hpp"
#include "gainsay/oracle/specs/collections.hpp"
#include "gainsay/oracle/specs/counter.hpp"
#include "gainsay/oracle/specs/kv.hpp"
#include "gainsay/oracle/specs/log.hpp"
#include "gainsay/oracle/specs/multi_register.hpp"
#include "gainsay/oracle/specs/mutex.hpp"
#include "gainsay/oracle/specs/register.hpp"
#include "gainsay/oracle/specs/set.hpp"

namespace gainsay {
namespace {

using Typed = std::pair<AnyValue, AnyValue>;

template <class... Names> bool is(const Call& call, Names... names) {
  return ((call.function == names) || ...);
}

[[noreturn]] void unknown_function(const Call& call, std::string_view model,
                                   const std::vector<std::string>& known) {
  throw UserError(fmt::format("the model {} has no operation '{}'; it has {}{}", model, call.function,
                              fmt::join(known, ", "), did_you_mean(call.function, known)));
}

const Datum& part(const Call& call, std::size_t n, std::size_t size, std::string_view shape) {
  const Datum::List* list = call.argument.list();
  if (list == nullptr || list->size() != size) {
    throw UserError(fmt::format("{} wants {}, not {}", call.function, shape, to_text(call.argument)));
  }
  return (*list)[n];
}

std::int64_t number(const Call& call, const Datum& datum) {
  if (const std::int64_t* value = datum.integer()) return *value;
  throw UserError(fmt::format("{} needs a number, not {}", call.function, to_text(datum)));
}

// The result of an ok operation that says whether it took place: only an explicit `false` says no.
bool took_place(const Datum& result) { return result.boolean() == nullptr || *result.boolean(); }

template <class Spec> Typed typed(typename Spec::Op op, std::optional<typename Spec::Result> result) {
  return {AnyValue::of(op), result ? AnyValue::of(*result) : AnyValue{}};
}

// --- register, cas-register --------------------------------------------------------------------------------

template <class Spec> Typed read_register(const Call& call, const Datum* result) {
  using Result = typename Spec::Result;
  if (is(call, "read", "r", "get")) {
    if (result == nullptr) return typed<Spec>(typename Spec::Read{}, std::nullopt);
    return typed<Spec>(typename Spec::Read{}, Result(std::in_place_index<1>, *result));
  }
  if (is(call, "write", "w", "set", "put")) {
    return typed<Spec>(typename Spec::Write{call.argument}, Result(std::in_place_index<0>));
  }
  if constexpr (requires { typename Spec::Cas; }) {
    if (is(call, "cas", "compare-and-set")) {
      const typename Spec::Cas cas{part(call, 0, 2, "[expected new]"), part(call, 1, 2, "[expected new]")};
      if (result == nullptr) return typed<Spec>(cas, std::nullopt);
      return typed<Spec>(cas, Result(std::in_place_index<2>, took_place(*result)));
    }
    unknown_function(call, "cas-register", {"read", "write", "cas"});
  }
  unknown_function(call, "register", {"read", "write"});
}

// --- kv ----------------------------------------------------------------------------------------------------

using KvSpec = specs::Kv<>;

Datum kv_value(const Datum& datum) { return datum.is_nil() ? specs::absent_value<Datum>() : datum; }

Typed read_kv(const Call& call, const Datum* result) {
  using Result = KvSpec::Result;
  const Result done(std::in_place_index<0>);
  const auto one_key = [&]() -> Datum {
    const Datum::List* list = call.argument.list();
    if (list == nullptr) return call.argument;
    if (list->empty()) throw UserError(call.function + " wants a key");
    return list->front();  // [key] or [key nil]
  };
  if (is(call, "get", "read", "r")) {
    const KvSpec::Get get{one_key()};
    if (result == nullptr) return typed<KvSpec>(get, std::nullopt);
    return typed<KvSpec>(get, Result(std::in_place_index<1>, kv_value(*result)));
  }
  if (is(call, "put", "write", "w", "set")) {
    const KvSpec::Put put{part(call, 0, 2, "[key value]"), kv_value(part(call, 1, 2, "[key value]"))};
    return typed<KvSpec>(put, done);
  }
  if (is(call, "append")) {
    return typed<KvSpec>(KvSpec::Append{part(call, 0, 2, "[key value]"), part(call, 1, 2, "[key value]")},
                         done);
  }
  if (is(call, "remove", "delete")) return typed<KvSpec>(KvSpec::Remove{one_key()}, done);
  if (is(call, "cas")) {
    const Datum* pair = element(call.argument, 1);
    const bool nested = pair != nullptr && pair->list() != nullptr && pair->list()->size() == 2 &&
                        call.argument.list()->size() == 2;
    const std::string_view shape = "[key expected new]";
    const KvSpec::Cas cas = nested ? KvSpec::Cas{*element(call.argument, 0), kv_value(*element(*pair, 0)),
                                                 kv_value(*element(*pair, 1))}
                                   : KvSpec::Cas{part(call, 0, 3, shape), kv_value(part(call, 1, 3, shape)),
                                                 kv_value(part(call, 2, 3, shape))};
    if (result == nullptr) return typed<KvSpec>(cas, std::nullopt);
    return typed<KvSpec>(cas, Result(std::in_place_index<2>, took_place(*result)));
  }
  unknown_function(call, "kv", {"get", "put", "append", "cas", "remove"});
}

// --- multi-register ----------------------------------------------------------------------------------------

using MultiSpec = specs::MultiRegister<>;

Typed read_multi(const Call& call, const Datum* result) {
  MultiSpec::Op op;
  MultiSpec::Result seen;
  if (is(call, "read", "r")) {
    op.push_back({call.argument, std::nullopt});
    if (result != nullptr) seen.emplace_back(*result);
  } else if (is(call, "write", "w")) {
    op.push_back({part(call, 0, 2, "[key value]"), part(call, 1, 2, "[key value]")});
  } else if (is(call, "txn")) {
    const std::string_view wanted = "[[read key value] [write key value] ...]";
    const Datum::List* list = call.argument.list();
    if (list == nullptr) throw UserError(fmt::format("txn needs {}, not {}", wanted, to_text(call.argument)));
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Datum& access = (*list)[i];
      const Datum* name = element(access, 0);
      const Datum* key = element(access, 1);
      if (name == nullptr || name->text() == nullptr || key == nullptr)
        throw UserError(fmt::format("txn needs {}, not {}", wanted, to_text(access)));
      const std::string& f = *name->text();
      if (f == "read" || f == "r") {
        op.push_back({*key, std::nullopt});
        const Datum* back = result == nullptr ? nullptr : element(*result, i);
        const Datum* value = back == nullptr ? nullptr : element(*back, 2);
        seen.push_back(value == nullptr || value->is_nil() ? std::optional<Datum>{} : *value);
      } else if (f == "write" || f == "w") {
        const Datum* value = element(access, 2);
        if (value == nullptr)
          throw UserError(fmt::format("a write in a txn needs [write key value], not {}", to_text(access)));
        op.push_back({*key, *value});
      } else {
        throw UserError(fmt::format("a txn of multi-register reads and writes; it has no '{}'", f));
      }
    }
  } else {
    unknown_function(call, "multi-register", {"txn", "read", "write"});
  }
  bool reads = false;
  for (const MultiSpec::Access& access : op) reads = reads || !access.write;
  if (reads && result == nullptr) return typed<MultiSpec>(op, std::nullopt);
  return typed<MultiSpec>(op, seen);
}

// --- mutex, set, counter, log ------------------------------------------------------------------------------

Typed read_mutex(const Call& call, const Datum* result) {
  const bool acquires = is(call, "acquire", "lock");
  if (!acquires && !is(call, "release", "unlock")) unknown_function(call, "mutex", {"acquire", "release"});
  using M = specs::Mutex;
  const M::Op op = acquires ? M::Op(M::Acquire{}) : M::Op(M::Release{});
  return typed<M>(op, result == nullptr ? std::optional<bool>{} : took_place(*result));
}

using SetSpec = specs::Set<>;

Typed read_set(const Call& call, const Datum* result) {
  const auto truth = [&]() -> std::optional<SetSpec::Result> {
    if (result == nullptr || result->boolean() == nullptr) return std::nullopt;
    return SetSpec::Result(*result->boolean());
  };
  if (is(call, "add", "insert", "put")) return typed<SetSpec>(SetSpec::Add{call.argument}, truth());
  if (is(call, "remove", "delete")) return typed<SetSpec>(SetSpec::Remove{call.argument}, truth());
  if (is(call, "contains", "has")) return typed<SetSpec>(SetSpec::Contains{call.argument}, truth());
  if (is(call, "read")) {
    if (result == nullptr || result->is_nil()) return typed<SetSpec>(SetSpec::Read{}, std::nullopt);
    const Datum::List* list = result->list();
    if (list == nullptr)
      throw UserError(fmt::format("read of a set gives a list of elements, not {}", to_text(*result)));
    return typed<SetSpec>(SetSpec::Read{}, SetSpec::Result(std::set<Datum>(list->begin(), list->end())));
  }
  unknown_function(call, "set", {"add", "remove", "contains", "read"});
}

Typed read_counter(const Call& call, const Datum* result) {
  using C = specs::Counter;
  const auto said = [&]() -> std::optional<C::Result> {
    if (result == nullptr || result->is_nil()) return std::nullopt;
    return C::Result(number(call, *result));
  };
  if (is(call, "add")) return typed<C>(C::Add{number(call, call.argument)}, C::Result{});
  if (is(call, "increment", "inc", "incr"))
    return typed<C>(C::Add{call.argument.is_nil() ? 1 : number(call, call.argument)}, C::Result{});
  if (is(call, "decrement", "dec", "decr")) {
    const std::int64_t amount = call.argument.is_nil() ? 1 : number(call, call.argument);
    return typed<C>(C::Add{static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(amount))}, C::Result{});
  }
  if (is(call, "read", "r", "get")) return typed<C>(C::Read{}, said());
  if (is(call, "add-and-get")) return typed<C>(C::AddAndGet{number(call, call.argument)}, said());
  unknown_function(call, "counter", {"add", "increment", "decrement", "read", "add-and-get"});
}

Typed read_log(const Call& call, const Datum* result) {
  using L = specs::Log<>;
  using Result = L::Result;
  if (is(call, "append", "add", "write")) {
    if (result == nullptr || result->integer() == nullptr || call.function != "append")
      return typed<L>(L::Append{call.argument}, std::nullopt);
    return typed<L>(L::Append{call.argument}, Result(std::in_place_index<0>, *result->integer()));
  }
  if (is(call, "read", "r")) {
    if (call.argument.integer() != nullptr) {
      const L::ReadAt at{*call.argument.integer()};
      if (result == nullptr) return typed<L>(at, std::nullopt);
      return typed<L>(at, Result(std::in_place_index<1>,
                                 result->is_nil() ? std::optional<Datum>{} : std::optional<Datum>(*result)));
    }
    if (result == nullptr || result->is_nil()) return typed<L>(L::Read{}, std::nullopt);
    const Datum::List* list = result->list();
    if (list == nullptr)
      throw UserError(fmt::format("read of a log gives a list of entries, not {}", to_text(*result)));
    return typed<L>(L::Read{}, Result(std::in_place_index<2>, *list));
  }
  unknown_function(call, "log", {"append", "read"});
}

// --- queue, stack, priority-queue --------------------------------------------------------------------------

template <class Spec, class Insert, class Remove>
Typed read_collection(const Call& call, const Datum* result, std::string_view model,
                      const std::vector<std::string>& names) {
  if (is(call, "enqueue", "enq", "push", "add", "insert", "offer")) {
    return typed<Spec>(Insert{call.argument}, typename Spec::Result{});
  }
  if (is(call, "dequeue", "deq", "pop", "remove", "poll", "remove-min", "remove-max")) {
    if (result == nullptr) return typed<Spec>(Remove{}, std::nullopt);
    const bool nothing = result->is_nil() || (result->text() != nullptr && *result->text() == "empty");
    return typed<Spec>(Remove{}, nothing ? typename Spec::Result{} : typename Spec::Result(*result));
  }
  unknown_function(call, model, names);
}

Typed read_queue(const Call& call, const Datum* result) {
  using Q = specs::Queue<>;
  return read_collection<Q, Q::Enqueue, Q::Dequeue>(call, result, "queue", {"enqueue", "dequeue"});
}
Typed read_stack(const Call& call, const Datum* result) {
  using S = specs::Stack<>;
  return read_collection<S, S::Push, S::Pop>(call, result, "stack", {"push", "pop"});
}
template <bool greatest_first> Typed read_priority_queue(const Call& call, const Datum* result) {
  using P = specs::PriorityQueue<Datum, greatest_first>;
  return read_collection<P, typename P::Insert, typename P::Remove>(
      call, result, greatest_first ? "priority-queue-max" : "priority-queue", {"insert", "remove"});
}

// --- the list ----------------------------------------------------------------------------------------------

template <class Spec>
Model model(std::string name, std::string description, std::vector<std::string> functions,
            Typed (*read)(const Call&, const Datum*)) {
  return {std::move(name),    std::move(description), std::move(functions),
          &spec_type<Spec>(), AnyValue::of(Spec{}),   read};
}

std::vector<Model> all_models() {
  std::vector<Model> all;
  all.push_back(model<specs::Register<>>("register", "one value, written and read", {"read", "write"},
                                         &read_register<specs::Register<>>));
  all.push_back(model<specs::CasRegister<>>("cas-register", "a register with compare-and-set",
                                            {"read", "write", "cas"}, &read_register<specs::CasRegister<>>));
  all.push_back(model<KvSpec>("kv", "a map with put, append and compare-and-set, judged key by key",
                              {"get", "put", "append", "cas", "remove"}, &read_kv));
  all.push_back(model<MultiSpec>("multi-register", "registers, several at a time", {"txn", "read", "write"},
                                 &read_multi));
  all.push_back(model<specs::Mutex>("mutex", "a lock", {"acquire", "release"}, &read_mutex));
  all.push_back(model<SetSpec>("set", "a set of elements", {"add", "remove", "contains", "read"}, &read_set));
  all.push_back(model<specs::Queue<>>("queue", "first in, first out", {"enqueue", "dequeue"}, &read_queue));
  all.push_back(model<specs::Stack<>>("stack", "last in, first out", {"push", "pop"}, &read_stack));
  all.push_back(model<specs::PriorityQueue<>>("priority-queue", "the smallest element comes out",
                                              {"insert", "remove"}, &read_priority_queue<false>));
  all.push_back(model<specs::PriorityQueue<Datum, true>>("priority-queue-max",
                                                         "the largest element comes out",
                                                         {"insert", "remove"}, &read_priority_queue<true>));
  all.push_back(model<specs::Counter>(
      "counter", "a sum", {"add", "increment", "decrement", "read", "add-and-get"}, &read_counter));
  all.push_back(model<specs::Log<>>("log", "entries at positions", {"append", "read"}, &read_log));
  return all;
}

AnyValue initial_state(const Model& model, const Datum& initial) {
  if (model.name == "register") return AnyValue::of(specs::Register<>{initial});
  if (model.name == "cas-register") return AnyValue::of(specs::CasRegister<>{initial});
  if (model.name == "multi-register") {
    MultiSpec state;
    const Datum::List* list = initial.list();
    bool fits = list != nullptr;
    for (std::size_t i = 0; fits && i < list->size(); ++i) {
      const Datum* key = element((*list)[i], 0);
      const Datum* value = element((*list)[i], 1);
      fits = key != nullptr && value != nullptr;
      if (fits) state.content[*key] = *value;
    }
    if (fits) return AnyValue::of(state);
    throw UserError("the initial value of multi-register is a list of [key value], not " + to_text(initial));
  }
  throw UserError(fmt::format(
      "the model {} has no initial value; register, cas-register and multi-register do", model.name));
}

}  // namespace

std::vector<std::string> Model::names() {
  std::vector<std::string> all;
  for (const Model& each : all_models()) all.push_back(each.name);
  return all;
}

Model Model::named(std::string_view name, const ModelOptions& options) {
  for (Model& each : all_models()) {
    if (each.name != name) continue;
    if (options.initial) each.initial = initial_state(each, *options.initial);
    return std::move(each);
  }
  const std::vector<std::string> known = names();
  throw UserError(fmt::format("unknown model '{}'; models: {}{}", name, fmt::join(known, ", "),
                              did_you_mean(name, known)));
}

History Model::typed(const History& history) const {
  std::vector<std::pair<AnyValue, AnyValue>> values;
  values.reserve(history.size());
  const ValueType* call_type = &reflect::value_type<Call>();
  const ValueType* datum_type = &reflect::value_type<Datum>();
  for (const Operation& operation : history.operations()) {
    if (&operation.op.type() == spec->op) {
      values.emplace_back(operation.op, operation.result);
      continue;
    }
    GAINSAY_CHECK(&operation.op.type() == call_type,
                  "an operation is a Call or belongs to the specification");
    const auto& call = *static_cast<const Call*>(operation.op.data());
    const Datum* result = nullptr;
    // What nobody was told, and what never happened, has no result.
    if (operation.status == OperationStatus::ok && operation.result.has_value()) {
      GAINSAY_CHECK(&operation.result.type() == datum_type, "the result of a Call is a Datum");
      result = static_cast<const Datum*>(operation.result.data());
    }
    try {
      values.push_back(read(call, result));
      if (operation.status != OperationStatus::ok) values.back().second = AnyValue{};
    } catch (const UserError& error) {
      throw HistoryError((operation.source.empty() ? "" : operation.source + ": ") + error.what());
    }
  }
  return history.with_values(std::move(values));
}

}  // namespace gainsay
