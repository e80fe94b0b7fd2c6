// View: typed read access to a world's actors, for properties. Complaint: the result of a property.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/scenario/actor.hpp"

namespace gainsay {

// What a property can read of a world, type-erased; implemented by the kernel.
class WorldReader {
 public:
  enum class Status { absent, alive, crashed, halted };

  virtual Status status(ActorId actor) const = 0;
  virtual const ActorType* type(ActorId actor) const = 0;                       // null: absent
  virtual const void* state(ActorId actor) const = 0;                           // null: absent
  virtual const void* durable(ActorId actor, const ValueType& type) const = 0;  // null: nothing of this type
  // Identifies the actor's current local state: equal numbers mean equal states; 0 means unknown.
  virtual std::uint32_t version(ActorId actor) const = 0;
  // A hash of the actor's local state, the same in every process; if the state cannot be hashed, a hash of its past.
  virtual std::uint64_t identity(ActorId actor) const = 0;
  virtual bool has_spawned() const = 0;             // actors beyond those of the scenario may exist
  virtual std::vector<ActorId> actors() const = 0;  // those that exist, in a fixed order
  virtual std::string name(ActorId actor) const = 0;

  // While it lives, what a property reads of the world is compared with its scope.
  class Watch {
   public:
    // `first_64`: which of the actors with the lowest ids are in the scope.
    Watch(const WorldReader& world, const std::vector<ActorId>& scope, std::uint64_t first_64)
        : world_(world) {
      world.scope_ = &scope;
      world.first_64_ = first_64;
      world.stray_ = nobody;
    }
    ~Watch() {
      world_.scope_ = nullptr;
      world_.first_64_ = ~std::uint64_t{0};
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    // The first actor that was read and is not in the scope; `nobody`: there is none.
    ActorId stray() const { return world_.stray_; }

   private:
    const WorldReader& world_;
  };
  // A property reads this actor.
  void note_read(ActorId actor) const {
    if (actor.raw < 64 ? (first_64_ >> actor.raw & 1U) != 0 : scope_ == nullptr) [[likely]]
      return;
    note_far_read(actor);
  }

 protected:
  WorldReader() = default;
  // A copy reads the same world and is watched by nobody.
  WorldReader(const WorldReader&) {}
  WorldReader& operator=(const WorldReader&) { return *this; }
  ~WorldReader() = default;

 private:
  void note_far_read(ActorId actor) const;

  mutable const std::vector<ActorId>* scope_ = nullptr;  // null: nobody watches
  mutable std::uint64_t first_64_ = ~std::uint64_t{0};
  mutable ActorId stray_ = nobody;
};

class View {
 public:
  explicit View(const WorldReader& world) : world_(&world) {}

  // The actor's current fields. REQUIRES: the actor exists (a crashed one shows its last fields).
  template <class A> const A& operator[](Ref<A> actor) const {
    world_->note_read(actor);
    const void* state = world_->state(actor);
    if (state == nullptr)
      throw UserError("a property reads an actor that does not exist (ask View::exists first)");
    return *static_cast<const A*>(state);
  }
  bool alive(ActorId actor) const { return status(actor) == WorldReader::Status::alive; }
  bool crashed(ActorId actor) const { return status(actor) == WorldReader::Status::crashed; }
  bool halted(ActorId actor) const { return status(actor) == WorldReader::Status::halted; }
  bool exists(ActorId actor) const { return status(actor) != WorldReader::Status::absent; }
  template <class D> std::optional<D> durable(ActorId actor) const {
    world_->note_read(actor);
    const void* stored = world_->durable(actor, reflect::value_type<D>());
    return stored == nullptr ? std::nullopt : std::optional<D>(*static_cast<const D*>(stored));
  }

 private:
  WorldReader::Status status(ActorId actor) const {
    world_->note_read(actor);
    return world_->status(actor);
  }

  const WorldReader* world_;
};

// Nothing, or what is wrong: `return {};` if all is well, `return "two leaders";` otherwise.
class Complaint {
 public:
  Complaint() = default;
  Complaint(std::string text) : text_(std::move(text)) {}
  Complaint(const char* text) : text_(text) {}

  // Neither right nor wrong: what had to be judged was too much. Counted, and never a violation; of histories only.
  static Complaint unjudged(std::string text) {
    Complaint complaint(std::move(text));
    complaint.unjudged_ = true;
    return complaint;
  }

  explicit operator bool() const { return text_.has_value(); }
  const std::string& text() const { return *text_; }
  bool is_unjudged() const { return unjudged_; }

 private:
  std::optional<std::string> text_;
  bool unjudged_ = false;
};

namespace detail {

template <class F>
concept NoProperty = !std::is_convertible_v<F, std::function<Complaint(View)>>;

template <class F> consteval bool require_property() {
  static_assert(!NoProperty<F>,
                "gainsay: a property returns a gainsay::Complaint: a text if something is wrong, otherwise "
                "`return {};`. Write it as `[](gainsay::View v) -> gainsay::Complaint { ... }`");
  return true;
}

}  // namespace detail

}  // namespace gainsay
