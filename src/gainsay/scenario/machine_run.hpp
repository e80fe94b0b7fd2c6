// MachineRun: one event's way through a machine: the row it selects, exits and entries, and whatever the
// actions ask for, until the machine is at rest. All of it is one step of the execution.
#pragma once

#include "gainsay/scenario/machine_type.hpp"

namespace gainsay {

// What an action may ask of the machine it belongs to; reached through its Context.
class MachinePort {
 public:
  virtual void raise(const ValueType& type, const void* event) = 0;
  virtual void go_to(std::uint64_t state_type, StateIndex state) = 0;
  virtual void push(std::uint64_t state_type, StateIndex state) = 0;
  virtual void pop() = 0;
  virtual void halted() = 0;

 protected:
  ~MachinePort() = default;
};

// Enters the start state.
void start_machine(const MachineType& type, void* actor, Context& context);
void run_machine(const MachineType& type, void* actor, EventIndex event, const void* message,
                 Context& context);

}  // namespace gainsay
