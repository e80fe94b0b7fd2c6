#include "gainsay/trace/trace_order.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"

namespace gainsay {

bool same_receiver(const ExecutedEvent& a, const ExecutedEvent& b) {
  return a.event.receiver == b.event.receiver || a.event.receiver == nobody || b.event.receiver == nobody;
}

struct TraceOrder::Link {
  mutable std::shared_ptr<const Link> before;  // given up when the last owner goes
  ExecutedEvent executed;
  std::uint32_t index = 0;
  std::uint64_t label = 0;          // what happened, whenever
  std::vector<std::uint64_t> past;  // one bit for every earlier event that comes before this one
  std::uint64_t sum = 0;            // over the events up to this one

  bool follows(std::uint32_t earlier) const { return (past[earlier / 64] >> (earlier % 64) & 1U) != 0; }
  void add_to_past(const Link& earlier) {
    for (std::size_t i = 0; i < earlier.past.size(); ++i) past[i] |= earlier.past[i];
    past[earlier.index / 64] |= std::uint64_t{1} << (earlier.index % 64);
  }
};

// Long executions are long chains: they are taken apart from the end, not by recursion.
TraceOrder::~TraceOrder() {
  while (last_ != nullptr && last_.use_count() == 1) {
    std::shared_ptr<const Link> before = std::move(last_->before);
    last_ = std::move(before);
  }
}

TraceOrder TraceOrder::extended(ExecutedEvent executed, const Dependent& dependent) const {
  auto link = std::make_shared<Link>();
  link->before = last_;
  link->index = static_cast<std::uint32_t>(size());
  GAINSAY_CHECK(executed.event.parent == no_step || executed.event.parent < link->index,
                "an event is created before it is executed");
  link->label = mix(executed.event.id.raw, executed.lost ? 2 : 1);
  // Times are no part of an order.
  for (const DataChoice& choice : executed.answers) {
    if (choice.is_time || choice.late) continue;
    link->label = mix(link->label, choice.answer + 1ULL);
  }
  link->executed = std::move(executed);
  link->past.assign(link->index / 64 + 1, 0);
  std::uint64_t past_sum = 0;
  for (const Link* earlier = last_.get(); earlier != nullptr; earlier = earlier->before.get()) {
    if (!link->follows(earlier->index) &&
        (link->executed.event.parent == earlier->index || dependent(earlier->executed, link->executed)))
      link->add_to_past(*earlier);
    if (link->follows(earlier->index)) past_sum += scramble(earlier->label);
  }
  link->sum = (last_ != nullptr ? last_->sum : 0) + scramble(mix(link->label, past_sum + 1));
  TraceOrder longer;
  longer.last_ = std::move(link);
  return longer;
}

std::uint64_t TraceOrder::hash() const { return scramble(last_ != nullptr ? last_->sum + 1 : 1); }

std::size_t TraceOrder::size() const { return last_ != nullptr ? last_->index + std::size_t{1} : 0; }

std::vector<const ExecutedEvent*> TraceOrder::events() const {
  std::vector<const ExecutedEvent*> events;
  for (const Link* link = last_.get(); link != nullptr; link = link->before.get())
    events.push_back(&link->executed);
  std::reverse(events.begin(), events.end());
  return events;
}

std::vector<std::vector<std::uint64_t>> TraceOrder::pasts() const {
  std::vector<std::vector<std::uint64_t>> pasts;
  for (const Link* link = last_.get(); link != nullptr; link = link->before.get())
    pasts.push_back(link->past);
  std::reverse(pasts.begin(), pasts.end());
  return pasts;
}

std::vector<Decision> TraceOrder::decisions() const {
  std::vector<Decision> decisions;
  for (const ExecutedEvent* each : events()) decisions.push_back(decision_of(each->event, each->answers));
  return decisions;
}

void SetHash::add(std::uint64_t member) {
  low_ += scramble(mix(member, 1));
  high_ += scramble(mix(member, 2));
}

std::string SetHash::text() const { return fmt::format("{:016x}{:016x}", high_, low_); }

}  // namespace gainsay
