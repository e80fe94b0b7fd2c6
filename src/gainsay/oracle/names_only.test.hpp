// A world of which only the names of actors are asked.
#pragma once

#include <string>
#include <vector>

#include "gainsay/scenario/view.hpp"

namespace gainsay {

class NamesOnly final : public WorldReader {
 public:
  Status status(ActorId) const override { return Status::alive; }
  const ActorType* type(ActorId) const override { return nullptr; }
  const void* state(ActorId) const override { return nullptr; }
  const void* durable(ActorId, const ValueType&) const override { return nullptr; }
  std::uint32_t version(ActorId) const override { return 0; }
  std::uint64_t identity(ActorId) const override { return 0; }
  bool has_spawned() const override { return false; }
  std::vector<ActorId> actors() const override { return {}; }
  std::string name(ActorId actor) const override { return "client " + std::to_string(actor.raw); }
};

}  // namespace gainsay
