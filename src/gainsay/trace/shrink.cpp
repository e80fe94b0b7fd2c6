#include "gainsay/trace/shrink.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "gainsay/base/check.hpp"

namespace gainsay {

ShrinkSize size_of(const std::vector<Step>& steps) {
  ShrinkSize size;
  size.steps = steps.size();
  for (const Step& step : steps) {
    for (const DataChoice& choice : step.choices) {
      size.answers += choice.answer != 0 ? 1 : 0;
      size.sum += choice.answer;
    }
  }
  return size;
}

namespace {

constexpr std::size_t groups_most = 256;  // actors, and types of messages, that are tried one by one
constexpr std::size_t coarsest = 64;      // parts of a list that the first round tries

bool has_answer(const Step& step) {
  return std::any_of(step.choices.begin(), step.choices.end(),
                     [](const DataChoice& choice) { return choice.answer != 0; });
}

class Shrinker {
 public:
  Shrinker(std::vector<Step> steps, const TryShrunk& attempt, const ShrinkPlan& plan)
      : attempt_(attempt), plan_(plan) {
    best_.steps = std::move(steps);
  }

  Shrunk run() {
    leave_out_irrelevant();
    leave_out_groups();
    for (std::size_t finest = std::max<std::size_t>(1, best_.steps.size() / coarsest);; finest /= 8) {
      finest = std::max<std::size_t>(1, finest);
      bool smaller = true;
      while (smaller && !over()) {
        smaller = leave_out([](const Step& step) { return is_fault(step.event.kind); }, finest, false);
        smaller |= lower_answers(finest);
        smaller |= leave_out([](const Step&) { return true; }, finest, false);
        smaller |= leave_out([](const Step&) { return true; }, finest, true);
        if (finest > 1) break;
      }
      if (finest == 1 || over()) break;
    }
    best_.minimal = !over();
    return std::move(best_);
  }

 private:
  using Chosen = std::function<bool(const Step&)>;

  bool over() const { return best_.attempts >= plan_.attempts_max || (plan_.spent && plan_.spent()); }

  // Whether the list shows the violation in an execution that is smaller.
  bool try_list(std::vector<Step> list, bool stand_ins, std::size_t steps_most) {
    if (over()) return false;
    ++best_.attempts;
    auto executed = attempt_({std::move(list), stand_ins, steps_most});
    if (!executed || size_of(*executed) >= size_of(best_.steps)) return false;
    GAINSAY_CHECK(executed->size() <= best_.steps.size(), "nothing grows");
    best_.steps = std::move(*executed);
    return true;
  }

  bool keep_only(const std::vector<bool>& kept, bool stand_ins) {
    GAINSAY_CHECK(kept.size() == best_.steps.size(), "every step is kept or not");
    std::vector<Step> list;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (kept[i]) list.push_back(best_.steps[i]);
    }
    if (list.size() == kept.size() || kept.empty()) return false;
    return try_list(std::move(list), stand_ins, kept.size() - 1);
  }

  // Steps that caused one of `kept` or came before it at the same actor. What cuts the network concerns everybody.
  void keep_what_led_to(std::vector<bool>& kept) const {
    std::map<ActorId, bool> needed;  // whether a later step of this actor is kept
    for (std::size_t i = kept.size(); i-- > 0;) {
      const Event& event = best_.steps[i].event;
      const bool everybody = event.receiver == nobody;
      if (!everybody && needed[event.receiver]) kept[i] = true;
      if (everybody) kept[i] = true;
      if (!kept[i]) continue;
      if (!everybody) needed[event.receiver] = true;
      if (event.parent != no_step && event.parent < i) kept[event.parent] = true;
    }
  }

  void leave_out_irrelevant() {
    if (best_.steps.size() < 2) return;
    std::vector<bool> kept(best_.steps.size(), false);
    kept.back() = true;
    keep_what_led_to(kept);
    if (keep_only(kept, false) || plan_.concerned.empty()) return;
    for (const ActorId actor : plan_.concerned) {
      for (std::size_t i = kept.size(); i-- > 0;) {
        if (best_.steps[i].event.receiver != actor) continue;
        kept[i] = true;
        break;
      }
    }
    keep_what_led_to(kept);
    keep_only(kept, false);
  }

  // All of an actor; all of one type at one actor. The busiest go first.
  void leave_out_groups() {
    const auto by = [this](const auto& key_of) {
      std::map<decltype(key_of(best_.steps.front())), std::size_t> counts;
      for (const Step& step : best_.steps) ++counts[key_of(step)];
      using Key = typename decltype(counts)::key_type;
      std::vector<std::pair<std::size_t, Key>> order;
      for (const auto& [key, count] : counts) order.emplace_back(count, key);
      std::stable_sort(order.begin(), order.end(),
                       [](const auto& a, const auto& b) { return a.first > b.first; });
      if (order.size() > groups_most) order.resize(groups_most);
      for (const auto& [count, key] : order) {
        if (over()) return;
        std::vector<bool> kept;
        for (const Step& step : best_.steps) kept.push_back(key_of(step) != key);
        keep_only(kept, false);
      }
    };
    if (best_.steps.empty()) return;
    by([](const Step& step) { return step.event.receiver; });
    by([](const Step& step) { return std::tuple(step.event.receiver, step.event.kind, step.event.type); });
  }

  std::vector<std::size_t> places_of(const Chosen& chosen) const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < best_.steps.size(); ++i) {
      if (chosen(best_.steps[i])) places.push_back(i);
    }
    return places;
  }

  // Leaves parts of the chosen steps out, halves first, then smaller parts down to `finest`.
  bool leave_out(const Chosen& chosen, std::size_t finest, bool stand_ins) {
    bool any = false;
    for (std::size_t size = std::max(finest, places_of(chosen).size() / 2);;
         size = std::max(finest, size / 2)) {
      bool smaller = false;
      std::vector<std::size_t> places = places_of(chosen);
      // From the end: what comes late is needed least often.
      for (std::size_t end = places.size(); end > 0 && !over();) {
        const std::size_t begin = end > size ? end - size : 0;
        std::vector<bool> kept(best_.steps.size(), true);
        for (std::size_t i = begin; i < end; ++i) kept[places[i]] = false;
        if (keep_only(kept, stand_ins)) {
          smaller = any = true;
          places = places_of(chosen);
          end = std::min(begin, places.size());
        } else {
          end = begin;
        }
      }
      if (over() || (size == finest && !(smaller && finest == 1))) return any;
    }
  }

  // Answers of steps [begin, end) of `places` become 0. Whoever asked creates other ids then: like events stand in.
  bool clear_answers(const std::vector<std::size_t>& places, std::size_t begin, std::size_t end) {
    std::vector<Step> list = best_.steps;
    for (std::size_t i = begin; i < end; ++i) {
      for (DataChoice& choice : list[places[i]].choices) choice.answer = 0;
    }
    return try_list(std::move(list), true, best_.steps.size());
  }

  bool lower_answers(std::size_t finest) {
    bool any = false;
    std::vector<std::size_t> places = places_of(has_answer);
    if (places.empty()) return false;
    for (std::size_t size = std::max(finest, places.size());; size = std::max(finest, size / 2)) {
      for (std::size_t end = places.size(); end > 0 && !over();) {
        const std::size_t begin = end > size ? end - size : 0;
        if (clear_answers(places, begin, end)) {
          any = true;
          places = places_of(has_answer);
          end = std::min(begin, places.size());
        } else {
          end = begin;
        }
      }
      if (over() || places.empty() || size == finest) break;
    }
    if (finest == 1) any |= lower_single_answers();
    return any;
  }

  // Each answer by itself: 0, half of it, one less.
  bool lower_single_answers() {
    bool any = false;
    for (std::size_t i = 0; i < best_.steps.size() && !over(); ++i) {
      for (std::size_t k = 0; i < best_.steps.size() && k < best_.steps[i].choices.size(); ++k) {
        const std::uint32_t answer = best_.steps[i].choices[k].answer;
        if (answer == 0) continue;
        for (const std::uint32_t lower : std::set<std::uint32_t>{0U, answer / 2, answer - 1}) {
          std::vector<Step> list = best_.steps;
          list[i].choices[k].answer = lower;
          if (!try_list(std::move(list), true, best_.steps.size())) continue;
          any = true;
          break;
        }
      }
    }
    return any;
  }

  const TryShrunk& attempt_;
  const ShrinkPlan& plan_;
  Shrunk best_;
};

}  // namespace

Shrunk shrink(std::vector<Step> steps, const TryShrunk& attempt, const ShrinkPlan& plan) {
  return Shrinker(std::move(steps), attempt, plan).run();
}

}  // namespace gainsay
