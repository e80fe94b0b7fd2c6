// World: the builder that a scenario's body writes into. It runs once per campaign.
//
//   auto acceptors = world.group<Acceptor>("acceptor", 3);
//   auto leader = world.spawn("leader", Leader{.acceptors = acceptors});
//   world.send(leader, Start{});  // an outside message, pending at the start
//   world.always("one leader", nodes, [nodes](View v) -> Complaint { ... });
//
// A mistake in a body (an actor that is declared but never gets a state, a name used twice) is a UserError when the
// world is built.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gainsay/scenario/blueprint.hpp"
#include "gainsay/scenario/context.hpp"
#include "gainsay/scenario/monitor.hpp"
#include "gainsay/scenario/source_place.hpp"

namespace gainsay {

// A set of actors as an argument: a handle, a group, or a list of either.
class Actors {
 public:
  Actors() = default;
  Actors(ActorId one) : ids_{one} {}
  template <class A> Actors(Group<A> group) {
    for (const Ref<A> each : group) ids_.push_back(each);
  }
  Actors(std::initializer_list<Actors> parts) {
    for (const Actors& part : parts) ids_.insert(ids_.end(), part.ids_.begin(), part.ids_.end());
  }
  Actors(const std::vector<ActorId>& ids) : ids_(ids) {}

  const std::vector<ActorId>& ids() const { return ids_; }

 private:
  std::vector<ActorId> ids_;
};

// Options for the cuts of a family.
struct Cutting {
  std::uint32_t rounds = 1;     // how often it may go through the phases of the family
  std::uint32_t for_steps = 0;  // a cut ends after so many steps; 0: when it is healed
  bool drops = false;           // what crosses a cut is lost; else it waits
};

// The faults of an execution: optional events with budgets. The strategy chooses when they happen.
class Faults {
 public:
  explicit Faults(FaultPlan& plan) : plan_(&plan) {}

  // At most `budget` pending messages are lost: any message, or only the types M. Types can have separate budgets:
  // `drop<Vote>(1).drop<Ping, Pong>(2)`.
  template <class... M> Faults& drop(std::uint32_t budget) {
    plan_->drops.push_back({{&reflect::value_type<M>()...}, budget});
    return *this;
  }
  template <class... M> Faults& duplicate(std::uint32_t budget) {
    plan_->duplicates.push_back({{&reflect::value_type<M>()...}, budget});
    return *this;
  }
  // At most `budget` pending M are replaced by change(m).
  template <class M> Faults& corrupt(std::uint32_t budget, std::function<M(const M&)> change) {
    plan_->said.push_back("corrupt<" + std::string(reflect::type_name<M>()) + ">");
    plan_->corruptions.push_back({&reflect::value_type<M>(),
                                  [change = std::move(change)](const void* message) {
                                    return AnyValue::of<M>(change(*static_cast<const M*>(message)));
                                  },
                                  budget});
    return *this;
  }
  Faults& crash(std::uint32_t budget, const Actors& whom) {
    plan_->said.push_back("crash");
    plan_->crashes = budget;
    plan_->crashable = whom.ids();
    return *this;
  }
  Faults& restart(std::uint32_t budget) {
    plan_->said.push_back("restart");
    plan_->restarts = budget;
    return *this;
  }
  // Every crashed actor eventually restarts: an execution may not end before, and an infinite execution in which an
  // actor stays down although it could restart is not fair. There are as many restarts as crashes.
  Faults& restarts_eventually() {
    plan_->said.push_back("restarts_eventually");
    plan_->restarts_obliged = true;
    return *this;
  }
  // A possible cut between blocks of actors; `partitions(n)` sets how many cuts may happen in total (default 1).
  Faults& partition(std::string name, std::vector<Actors> blocks, std::uint32_t for_steps = 0,
                    bool drops = false);
  Faults& partitions(std::uint32_t budget) {
    plan_->partition_events = budget;
    return *this;
  }
  // The cuts of a family (family/partitions/cuts.hpp); `nodes` lists the actors on each node. Actors on no node,
  // such as clients, reach everybody. The cuts of the next phase are possible.
  Faults& partitions(const family::Cuts& cuts, const std::vector<Actors>& nodes, Cutting cutting = {});
  // Every cut that lasts until a heal is eventually healed.
  Faults& heals_eventually() {
    plan_->said.push_back("heals_eventually");
    plan_->heals_obliged = true;
    return *this;
  }
  // At most `budget` times, one of these actors is cut off from all others for `for_steps` steps: messages from and
  // to it wait, or are lost (`drops`). The outside still reaches it. Only one partition or isolation is in force at
  // a time.
  Faults& isolate(std::uint32_t budget, const Actors& whom, std::uint32_t for_steps, bool drops = false);
  // At most `budget` times, one of these actors, up or down, is replaced by a new one with the same name. It has its
  // initial fields, no durable state and no timers, and `on_start` runs in the same step. Messages on their way to
  // it still arrive.
  Faults& recreate(std::uint32_t budget, const Actors& whom);

  // Disk faults: each affects the next write of one of these actors (Context::persist). This one stores nothing, and
  // `persist` returns false.
  Faults& fail_write(std::uint32_t budget, const Actors& whom);
  // Stores tear(before, value), and `persist` returns true. `before` is D{} if nothing was stored. It affects the
  // next write of a type that can be torn.
  template <class D>
  Faults& tear_write(std::uint32_t budget, const Actors& whom, std::function<D(const D&, const D&)> tear) {
    plan_->said.push_back("tear_write<" + std::string(reflect::type_name<D>()) + ">");
    Tear plan;
    plan.whom = whom.ids();
    plan.budget = budget;
    plan.type = &reflect::value_type<D>();
    plan.tear = [tear = std::move(tear)](const void* before, const void* value) {
      return AnyValue::of<D>(
          tear(before == nullptr ? D{} : *static_cast<const D*>(before), *static_cast<const D*>(value)));
    };
    plan_->tears.push_back(std::move(plan));
    return *this;
  }
  // Stores the value, and `persist` returns true; but if the actor crashes before its next write, the old value is
  // back.
  Faults& lose_write(std::uint32_t budget, const Actors& whom);

  // Simulated time: at most `budget` times, the clock of one of these actors jumps by `by`, forwards or (negative)
  // backwards. `now` shows it; timers use a clock that never jumps.
  Faults& jump_clock(std::uint32_t budget, const Actors& whom, Duration by);

 private:
  FaultPlan* plan_;
};

class World {
 public:
  explicit World(std::string scenario) { blueprint_.scenario = std::move(scenario); }

  // --- actors ---
  template <class A> Ref<A> spawn(std::string name, const A& initial = A{}) {
    const Ref<A> ref = declare<A>(std::move(name));
    init(ref, initial);
    return ref;
  }
  // Declares an actor that gets its state later, for actors that refer to each other.
  template <class A> Ref<A> declare(std::string name) {
    return Ref<A>(add(std::move(name), value_actor_type<A>()));
  }
  template <class A> Group<A> declare(const std::string& name, std::size_t n) {
    return {Ref<A>(add_group(name, n, value_actor_type<A>())), static_cast<std::uint32_t>(n)};
  }
  template <class A> void init(Ref<A> actor, const A& initial) {
    static_assert(reflect::require_value<A>());
    if constexpr (std::copy_constructible<A>) set_initial(actor, AnyValue::of<A>(detail::at_start(initial)));
  }
  // n actors that may know each other: make(i, all) or make(i) returns the state of actor i. Names are "name.i".
  template <class A, class F> Group<A> group(const std::string& name, std::size_t n, F make) {
    const Group<A> all = declare<A>(name, n);
    for (std::size_t i = 0; i < n; ++i) {
      if constexpr (std::is_invocable_v<F, std::size_t, Group<A>>) {
        init<A>(all[i], make(i, all));
      } else {
        init<A>(all[i], make(i));
      }
    }
    return all;
  }
  template <class A> Group<A> group(const std::string& name, std::size_t n) {
    return group<A>(name, n, [](std::size_t) { return A{}; });
  }
  // An opaque actor, constructed as A(args...) for every execution. The arguments are copied.
  template <class A, class... Args> Ref<A> wrap(std::string name, Args... args) {
    const ActorId id = add(std::move(name), opaque_actor_type<A>());
    static_assert(std::constructible_from<A, const Args&...>,
                  "gainsay: `wrap` constructs the actor from these arguments, but the actor has no "
                  "constructor that takes them");
    if constexpr (std::constructible_from<A, const Args&...>)
      blueprint_.actors[id.raw].make = [args...] { return detail::make_opaque<A>(args...); };
    return Ref<A>(id);
  }

  // --- messages that are pending at the start ---
  template <class A, class M> void send(Ref<A> to, const M& message) { send_from(outside, to, message); }
  template <class A, class M> void send_from(ActorId from, Ref<A> to, const M& message) {
    static_assert(
        Receives<A, M>,
        "gainsay: the receiver does not accept this message; add it to its `Receives` and give it an `on`");
    blueprint_.messages.push_back({from, to, AnyValue::of<M>(message)});
  }

  // --- network ---
  void order(Delivery order) { blueprint_.order = order; }
  void order(const Actors& from, const Actors& to, Delivery order);

  // --- time ---
  // Turns simulated time on: everything happens within a window of time (docs/time.md). Otherwise an armed timer may
  // fire at any moment.
  void simulated_time() { blueprint_.timed = true; }
  void latency(Duration least, Duration most);
  void latency(const Actors& from, const Actors& to, Duration least, Duration most);
  void clock_offset(const Actors& whom, Duration ahead);
  // The clocks of these actors run too fast or too slow, by at most this much. Every timer and every span between
  // two readings has its own error.
  void clock_drift(const Actors& whom, double parts_per_million);
  // Untimed worlds: at most `budget` timers of type M fire in an execution.
  template <class M> void timer_budget(std::uint32_t budget) {
    blueprint_.timer_budgets.push_back({&reflect::value_type<M>(), budget});
  }
  // Whether armed timers alone keep an execution from being quiescent (default: they do).
  void timers_keep_alive(bool keep) { blueprint_.timers_keep_alive = keep; }

  // --- tasks ---
  // As in C#: a new task (ctx.start, when_all, when_any) runs to its first await in the step that creates it. By
  // default it begins in its own step, when the strategy chooses it; this allows more orders.
  void eager_tasks() { blueprint_.eager_tasks = true; }

  // --- faults ---
  Faults faults() { return Faults(blueprint_.faults); }
  void to_crashed(ToCrashed what) { blueprint_.to_crashed = what; }

  // --- properties ---
  // Must hold in every state. With a scope it is checked only when one of these actors has changed, and may read only
  // these.
  void always(std::string name, const Actors& scope, std::function<Complaint(View)> check,
              const std::source_location& where = std::source_location::current()) {
    add_property(Property::Kind::always, std::move(name), scope, std::move(check), where);
  }
  void always(std::string name, std::function<Complaint(View)> check,
              const std::source_location& where = std::source_location::current()) {
    always(std::move(name), {}, std::move(check), where);
  }
  // Must hold in every state of each of these actors by itself: `check(view, actor)` reads that actor and no other. It
  // is checked only for the actor that has changed.
  template <class A, class Check>
    requires std::is_invocable_r_v<Complaint, const Check&, View, Ref<A>>
  void always_each(const std::string& name, const Group<A>& actors, const Check& check,
                   const std::source_location& where = std::source_location::current()) {
    for (const Ref<A> actor : actors) {
      add_property(
          Property::Kind::always, name, {actor},
          [check, actor](View view) -> Complaint { return check(view, actor); }, where);
      blueprint_.properties.back().is_another = actor != actors[0];
    }
  }
  // Must hold when the execution is quiescent.
  void finally(std::string name, std::function<Complaint(View)> check,
               const std::source_location& where = std::source_location::current()) {
    add_property(Property::Kind::finally, std::move(name), {}, std::move(check), where);
  }
  // Gives a clear compile error for a function that is not a property.
  template <detail::NoProperty F> void always(std::string, const Actors&, F) {
    static_assert(detail::require_property<F>());
  }
  template <detail::NoProperty F> void always(std::string, F) {
    static_assert(detail::require_property<F>());
  }
  template <detail::NoProperty F> void finally(std::string, F) {
    static_assert(detail::require_property<F>());
  }
  // Liveness: must hold infinitely often, or for ever from some point on, on every infinite fair execution, and
  // where an execution ends. `check` returns what is missing. With a scope it is checked only when one of these
  // actors has changed, and may read only these.
  void always_eventually(std::string name, const Actors& scope, std::function<Complaint(View)> check,
                         const std::source_location& where = std::source_location::current()) {
    add_property(Property::Kind::always_eventually, std::move(name), scope, std::move(check), where);
  }
  void always_eventually(std::string name, std::function<Complaint(View)> check,
                         const std::source_location& where = std::source_location::current()) {
    always_eventually(std::move(name), {}, std::move(check), where);
  }
  void eventually_always(std::string name, const Actors& scope, std::function<Complaint(View)> check,
                         const std::source_location& where = std::source_location::current()) {
    add_property(Property::Kind::eventually_always, std::move(name), scope, std::move(check), where);
  }
  void eventually_always(std::string name, std::function<Complaint(View)> check,
                         const std::source_location& where = std::source_location::current()) {
    eventually_always(std::move(name), {}, std::move(check), where);
  }
  // Should be true at some point of some execution. A campaign that never reaches it may not test what it should.
  void reached(std::string name, const Actors& scope, std::function<bool(View)> goal);
  void reached(std::string name, std::function<bool(View)> goal) {
    reached(std::move(name), {}, std::move(goal));
  }

  // A monitor (scenario/monitor.hpp), at most one of each type in a world. Handlers reach it with
  // ctx.notify<M>(event), properties with View.
  template <class M>
  Ref<M> monitor(std::string name, const M& initial = M{},
                 const std::source_location& where = std::source_location::current()) {
    blueprint_.places.emplace_back(name, where);
    const Ref<M> ref(add(std::move(name), monitor_type<M>()));
    init(ref, initial);
    return ref;
  }
  // For liveness of systems that count for ever: two worlds are the same if they differ only in what the view leaves
  // out. For actors, monitors and messages of type T; view(const T&) returns any reflected value. A loop found this
  // way is reported as found on an abstraction.
  template <class T, class F> void view(F view) {
    using V = std::invoke_result_t<F, const T&>;
    blueprint_.abstractions.push_back(
        {&reflect::value_type<T>(), [view = std::move(view)](const void* value) {
           return AnyValue::of<V>(view(*static_cast<const T*>(value)));
         }});
  }
  // Judges client histories (Context::invoke, Context::complete). `reads` says which part of their order matters;
  // `prefixes` says whether every prefix of a right history is right, so that executions that were cut off can be
  // judged.
  void history(std::string name,
               std::function<Complaint(std::span<const HistoryEntry>, const WorldReader&)> check,
               HistoryProperty::Reads reads = HistoryProperty::Reads::order,
               HistoryProperty::Prefixes prefixes = HistoryProperty::Prefixes::closed,
               const std::source_location& where = std::source_location::current()) {
    blueprint_.places.emplace_back(name, where);
    blueprint_.history_properties.push_back({std::move(name), std::move(check), reads, prefixes});
  }

  // --- keyed dependence, for searches that are told to use it ---
  // Two deliveries at one actor are independent if their keys differ. key(const M&) returns any reflected value. The
  // scenario promises that handlers of different keys share no state.
  template <class M, class F> void key(F key) {
    blueprint_.message_keys.push_back(
        {&reflect::value_type<M>(), MessageKey::Kind::key, [key = std::move(key)](const void* message) {
           return reflect::hash(key(*static_cast<const M*>(message)));
         }});
  }
  // The same for messages that only read: two reads of one key are independent, but a read and a write are not.
  template <class M, class F> void read_key(F of) {
    key<M>(std::move(of));
    blueprint_.message_keys.back().reads = true;
  }
  // Whether two deliveries at one actor depend on each other: dependent(const A&, const B&) for messages of these
  // two types. Takes precedence over keys. `hunt --check-dependence` tests it.
  template <class A, class B, class F> void dependence(F dependent) {
    if (blueprint_.message_pairs == nullptr) blueprint_.message_pairs = std::make_shared<StatedPairs>();
    blueprint_.message_pairs->state(reflect::value_type<A>(), reflect::value_type<B>(),
                                    [dependent = std::move(dependent)](const void* a, const void* b) -> bool {
                                      return dependent(*static_cast<const A*>(a), *static_cast<const B*>(b));
                                    });
  }
  // These depend on every key.
  template <class... M> void any_key() {
    (blueprint_.message_keys.push_back({&reflect::value_type<M>(), MessageKey::Kind::any, nullptr}), ...);
  }
  // These depend on nothing, not even on each other.
  template <class... M> void no_key() {
    (blueprint_.message_keys.push_back({&reflect::value_type<M>(), MessageKey::Kind::none, nullptr}), ...);
  }

  // Linearizability: the results that clients saw must be possible if each operation took effect at one moment
  // between its invocation and its completion (oracle/client_history.hpp). An operation that never completed may
  // have happened at any later moment, or never. Operations and results are those of Spec, or alternatives of its
  // variants. explore refuses it: use hunt.
  template <class Spec>
  void linearizable(std::string name = "linearizable", const Spec& initial = Spec{},
                    const std::source_location& where = std::source_location::current());
  // Sequential consistency: only the order of each client's operations counts, not time.
  template <class Spec>
  void sequentially_consistent(std::string name = "sequentially consistent", const Spec& initial = Spec{},
                               const std::source_location& where = std::source_location::current());

  // The finished blueprint; throws UserError if the body made a mistake.
  Blueprint take();

 private:
  ActorId add(std::string name, const ActorType& type);
  // Returns the first; `nobody` if there is none.
  ActorId add_group(const std::string& name, std::size_t n, const ActorType& type);
  void set_initial(ActorId actor, AnyValue initial);
  void add_property(Property::Kind kind, std::string name, const Actors& scope,
                    std::function<Complaint(View)> check, const SourcePlace& where = {});

  Blueprint blueprint_;
};

}  // namespace gainsay
