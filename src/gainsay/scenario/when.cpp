#include "gainsay/scenario/when.hpp"

namespace gainsay::detail {

void Gathering::begin(Strand& strand, Waiter& waiter) {
  waiter_ = &waiter;
  parts_ = parts();
  left_ = parts_.size();
  done_ = until_ == Until::all && left_ == 0;
  beginning_ = true;
  for (Operation* part : parts_) {
    if (!done_) part->begin(strand, *this);
  }
  beginning_ = false;
  if (done_) waiter_->completed(*this);
}

void Gathering::completed(Operation& part) {
  GAINSAY_CHECK(!done_ && left_ > 0, "parts end once, and not after the whole");
  --left_;
  last_ = &part;
  if (until_ == Until::all && left_ > 0 && !part.failed()) return;
  done_ = true;
  for (Operation* other : parts_) {
    if (other != &part && left_ > 0) other->cancel();
  }
  if (!beginning_) waiter_->completed(*this);
}

void Gathering::cancel() {
  for (Operation* part : parts_) part->cancel();
  parts_.clear();
}

std::string Gathering::describe(const ActorNames& names) const {
  std::string text;
  for (const Operation* part : parts_) text += (text.empty() ? "" : ", ") + part->describe(names);
  return std::string(until_ == Until::all ? "all of" : "any of") + " (" + text + ")";
}

// Of all, one that cannot end is enough; of any, each must be such.
bool Gathering::stuck() const {
  for (const Operation* part : parts_) {
    if (part->stuck() == (until_ == Until::all)) return until_ == Until::all;
  }
  return until_ == Until::any;
}

}  // namespace gainsay::detail
