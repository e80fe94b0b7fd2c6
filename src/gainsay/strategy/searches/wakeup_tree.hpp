// WakeupTree: sequences of events that must be executed from a state, as an ordered tree (Abdulla et al., JACM 2017,
// section 6).
//
// A sequence v is inserted so that whoever explores the tree explores an extension of it: going down from the root,
// the leftmost child that may come first in v (a weak initial: it is in v with nothing before it that it depends on,
// or it depends on nothing in v) is taken, and taken out of v; at a leaf everything below will be explored anyway, and
// nothing is left to do; where no child fits, the rest of v becomes a new rightmost branch. An event that asks
// questions is one child with a subtree for each list of answers, because all answers are tried.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gainsay/strategy/dependence.hpp"

namespace gainsay {

// One event of a sequence.
struct WakeupEvent {
  EventId id;
  std::uint64_t answers = 0;  // hash of its data choices
  Footprint footprint;
};

// Whether the event may come first in v; `at` is then its place there, or v.size() where it is not in v.
bool weak_initial(EventId id, const Footprint& footprint, std::span<const WakeupEvent> v,
                  const DependenceRules& rules, std::size_t& at);

class WakeupTree {
 public:
  struct Child;
  // Below an event whose questions were answered in this way.
  struct Below {
    std::uint64_t answers = 0;
    std::unique_ptr<WakeupTree> tree;
  };
  struct Child {
    WakeupEvent event;
    std::vector<Below> below;  // empty: a leaf
  };

  bool empty() const { return children_.empty(); }
  const Child& front() const { return children_.front(); }
  // True if it had to grow.
  bool insert(std::vector<WakeupEvent> v, const DependenceRules& rules);
  // The leftmost child leaves the tree.
  Child take_front();
  std::size_t size() const;

 private:
  std::vector<Child> children_;
};

}  // namespace gainsay
