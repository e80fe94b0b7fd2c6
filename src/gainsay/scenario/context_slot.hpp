// ContextSlot: gives a wrapped component the Context of the handler that calls it (scenario/wrapping.hpp).
#pragma once

#include "gainsay/base/check.hpp"
#include "gainsay/scenario/context.hpp"

namespace gainsay {

// Lends a handler's Context to the objects that a wrapped component calls.
class ContextSlot {
 public:
  class Loan {
   public:
    ~Loan() { slot_->context_ = former_; }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

   private:
    friend class ContextSlot;
    Loan(ContextSlot& slot, Context& context) : slot_(&slot), former_(slot.context_) {
      slot.context_ = &context;
    }
    ContextSlot* slot_;
    Context* former_;
  };

  [[nodiscard]] Loan lend(Context& context) { return {*this, context}; }
  Context* operator->() const {
    if (context_ == nullptr) {
      throw UserError(
          "a wrapped component uses its Context outside a handler: in a constructor or destructor, or from "
          "its own thread or timer; turn these off and call the component from handlers");
    }
    return context_;
  }
  Context& operator*() const { return *operator->(); }

 private:
  Context* context_ = nullptr;
};

}  // namespace gainsay
