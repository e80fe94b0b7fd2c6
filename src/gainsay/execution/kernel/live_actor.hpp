// LiveActor: an actor that is executed in place instead of being interned: opaque actors always, value actors
// where the memo does not pay or is switched off. Copies of value actors are deep; opaque actors cannot be
// copied.
#pragma once

#include <memory>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"
#include "gainsay/base/user_call.hpp"
#include "gainsay/execution/kernel/interner.hpp"

namespace gainsay {

class LiveActor {
 public:
  LiveActor() = default;
  static LiveActor of_value(const ActorType& type, const AnyValue& initial) {
    LiveActor actor;
    actor.type = &type;
    actor.status = ActorStatus::alive;
    actor.initial_ = std::make_shared<const AnyValue>(initial);
    actor.value_ = initial;
    return actor;
  }
  static LiveActor of_opaque(const ActorType& type, OpaqueFactory make) {
    LiveActor actor;
    actor.type = &type;
    actor.status = ActorStatus::alive;
    actor.opaque_ = actor.made(make);
    actor.make_ = std::move(make);
    return actor;
  }

  void* object() { return opaque_ ? opaque_.get() : value_.data(); }
  const void* object() const { return opaque_ ? opaque_.get() : value_.data(); }
  bool is_opaque() const { return opaque_ != nullptr; }
  bool exists() const { return type != nullptr; }
  // Whether it is in the same local state. REQUIRES: value actors.
  bool is_same(const LiveActor& other) const {
    return status == other.status && disk == other.disk && spawned == other.spawned &&
           invoked == other.invoked && same_value(value_, other.value_) &&
           same_value(durable, other.durable) && same_value(synced, other.synced);
  }
  // What a restart begins with. REQUIRES: a value actor.
  const AnyValue& initial() const { return *initial_; }
  // Back to the first state: what a restart begins with. Durable state and counters stay. An opaque actor that has
  // lost by itself what a crash loses stays what it is.
  void reset() {
    past = mix(past, 1);
    if (type->on_crash != nullptr) return;
    make_anew();
  }
  void make_anew() {
    if (make_) {
      opaque_ = made(make_);
    } else {
      value_ = *initial_;
    }
  }

  // It goes down, and what its disk had only cached is gone.
  void crash() {
    GAINSAY_CHECK(status == ActorStatus::alive, "only a living actor crashes");
    status = ActorStatus::crashed;
    if (type->on_crash != nullptr) {
      const UserCall running(mix(past, crash_call));
      type->on_crash(object());
    }
    if (disk != Disk::cached) return;
    disk = Disk::sound;
    durable = std::move(synced);
    synced = AnyValue{};
  }
  // Back to the first state, with an empty disk. Counters stay.
  void recreate() {
    past = mix(past, 1);
    make_anew();
    status = ActorStatus::alive;
    disk = Disk::sound;
    durable = AnyValue{};
    synced = AnyValue{};
  }

  const ActorType* type = nullptr;  // null: absent
  AnyValue durable;
  AnyValue synced;         // Disk::cached only
  std::uint64_t past = 0;  // a hash of all that has happened to it
  std::uint32_t spawned = 0;
  std::uint32_t invoked = 0;
  std::uint32_t calls = 0;  // made by its tasks so far, before and after restarts
  ActorStatus status = ActorStatus::absent;
  Disk disk = Disk::sound;

 private:
  static constexpr std::uint64_t crash_call = 0x6372617368;  // tells the call from that of a handler

  std::shared_ptr<void> made(const OpaqueFactory& make) const {
    const UserCall running(mix(past, type->name_hash));
    return make();
  }
  static bool same_value(const AnyValue& a, const AnyValue& b) {
    if (!a.has_value() || !b.has_value()) return a.has_value() == b.has_value();
    return &a.type() == &b.type() && a.type().equal(a.data(), b.data());
  }

  AnyValue value_;
  std::shared_ptr<const AnyValue> initial_;
  std::shared_ptr<void> opaque_;
  OpaqueFactory make_;
};

}  // namespace gainsay
