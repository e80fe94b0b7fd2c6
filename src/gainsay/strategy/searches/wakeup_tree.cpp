#include "gainsay/strategy/searches/wakeup_tree.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"

namespace gainsay {

bool weak_initial(EventId id, const Footprint& footprint, std::span<const WakeupEvent> v,
                  const DependenceRules& rules, std::size_t& at) {
  for (at = 0; at < v.size(); ++at) {
    if (v[at].id == id) return true;
    if (dependent(footprint, v[at].footprint, rules)) return false;
  }
  return true;
}

bool WakeupTree::insert(std::vector<WakeupEvent> v, const DependenceRules& rules) {
  GAINSAY_CHECK(!v.empty(), "a sequence has an event");
  WakeupTree* tree = this;
  while (!v.empty()) {
    Child* next = nullptr;
    std::size_t at = 0;
    for (Child& child : tree->children_) {
      if (!weak_initial(child.event.id, child.event.footprint, v, rules, at)) continue;
      next = &child;
      break;
    }
    if (next == nullptr) {
      // The rest becomes a branch of its own.
      for (const WakeupEvent& event : v) {
        tree->children_.push_back({event, {}});
        if (&event == &v.back()) break;
        Child& made = tree->children_.back();
        made.below.push_back({event.answers, std::make_unique<WakeupTree>()});
        tree = made.below.back().tree.get();
      }
      return true;
    }
    if (next->below.empty()) return false;
    GAINSAY_CHECK(at <= v.size(), "a place in the sequence, or its end");
    std::uint64_t answers = next->event.answers;
    if (at < v.size()) {
      answers = v[at].answers;
      v.erase(v.begin() + static_cast<std::ptrdiff_t>(at));
    }
    const auto found = std::find_if(next->below.begin(), next->below.end(),
                                    [&](const Below& below) { return below.answers == answers; });
    if (found == next->below.end()) return false;  // nothing is prescribed after these answers
    tree = found->tree.get();
    if (tree->empty()) return false;
  }
  return false;
}

WakeupTree::Child WakeupTree::take_front() {
  GAINSAY_CHECK(!children_.empty(), "there is something to take");
  Child child = std::move(children_.front());
  children_.erase(children_.begin());
  return child;
}

std::size_t WakeupTree::size() const {
  std::size_t count = children_.size();
  for (const Child& child : children_) {
    for (const Below& below : child.below) count += below.tree->size();
  }
  return count;
}

}  // namespace gainsay
