// IdlePort: what a context is bound to while no step runs. It does nothing.
#pragma once

#include <string>
#include <string_view>

#include "gainsay/scenario/context.hpp"

namespace gainsay {

class IdlePort final : public HandlerPort {
 public:
  void send(ActorId, const ValueType&, const void*) override {}
  void arm(Duration, Duration, const ValueType&, const void*) override {}
  void cancel(const ValueType&) override {}
  ActorId spawn(const ActorType&, std::string_view, const void*) override { return nobody; }
  ActorId spawn_opaque(const ActorType&, std::string_view, OpaqueFactory) override { return nobody; }
  std::uint32_t choose(std::uint32_t, bool, std::string_view) override { return 0; }
  Time now() override { return Time(0); }
  void fail(std::string) override {}
  bool persist(const ValueType&, const void*) override { return true; }
  const void* recover(const ValueType&) override { return nullptr; }
  void halt() override {}
  void note(std::string) override {}
  void notify(const ActorType&, const ValueType&, const void*) override {}
  std::uint32_t invoke(const ValueType&, const void*) override { return 0; }
  void complete(std::uint32_t, Completion, const ValueType*, const void*) override {}
  void invoke_for(ActorId, const ValueType&, const void*) override {}
  void complete_for(ActorId, Completion, const ValueType*, const void*) override {}
  void reply(Caller, const ValueType&, const void*) override {}
  std::uint32_t call(ActorId, const ValueType&, const void*) override { return 0; }
  void task_step(const ValueType&, const void*) override {}
  void withdraw(EventKind, const ValueType&, const void*) override {}
  bool eager_tasks() const override { return false; }
  void warn(std::string) override {}
  void violate(std::string, std::string) override {}
  void fail_as(std::string, std::string) override {}
  std::string name_of(ActorId) const override { return {}; }
  std::uint8_t* coverage_of(const MachineType&) override { return nullptr; }
};

}  // namespace gainsay
