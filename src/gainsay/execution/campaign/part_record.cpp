#include "gainsay/execution/campaign/part_record.hpp"

#include <array>

#include "gainsay/base/bytes.hpp"
#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

// All counts, in one order, for who writes them and who reads them.
template <class Counts> auto fields_of(Counts& counts) {
  return std::array{&counts.runs,
                    &counts.blocked_runs,
                    &counts.buggy_runs,
                    &counts.cut_runs,
                    &counts.starved_runs,
                    &counts.fair_runs,
                    &counts.steps,
                    &counts.steps_max_seen,
                    &counts.enabled_max_seen,
                    &counts.enabled_max_sum,
                    &counts.unjudged_runs};
}
static_assert(sizeof(RunCounts) == 11 * sizeof(std::uint64_t), "every count is written down");

void write_decision(ByteWriter& out, const Decision& decision) {
  out.number(static_cast<std::uint64_t>(decision.kind));
  out.number(decision.id.raw);
  out.flag(decision.receiver.has_value());
  out.number(decision.receiver.value_or(nobody).raw);
  out.flag(decision.type.has_value());
  out.number(decision.type.value_or(0));
  out.number(decision.answers.size());
  for (const DataChoice& choice : decision.answers) {
    out.number(choice.answer);
    out.number(choice.among);
    out.flag(choice.coin);
    out.flag(choice.late);
    out.flag(choice.is_time);
    out.number(static_cast<std::uint64_t>(choice.time_ns));
  }
}

Decision read_decision(ByteReader& in) {
  Decision decision;
  decision.kind = static_cast<EventKind>(in.number(event_kinds - 1));
  decision.id = EventId{in.number()};
  const bool has_receiver = in.flag();
  const ActorId receiver{in.number()};
  if (has_receiver) decision.receiver = receiver;
  const bool has_type = in.flag();
  const std::uint64_t type = in.number();
  if (has_type) decision.type = type;
  for (std::size_t left = in.count(); left > 0; --left) {
    DataChoice choice;
    choice.answer = static_cast<std::uint32_t>(in.number(UINT32_MAX));
    choice.among = static_cast<std::uint32_t>(in.number(UINT32_MAX));
    choice.coin = in.flag();
    choice.late = in.flag();
    choice.is_time = in.flag();
    choice.time_ns = static_cast<std::int64_t>(in.number());
    decision.answers.push_back(choice);
  }
  return decision;
}

void write_violation(ByteWriter& out, const TalliedViolation& tallied) {
  out.text(tallied.key);
  out.text(tallied.violation.property);
  out.text(tallied.violation.message);
  out.number(tallied.violation.actor.raw);
  out.number(tallied.violation.step);
  out.number(tallied.violation.loop_from);
  out.number(tallied.violation.hot_from);
  out.number(static_cast<std::uint64_t>(tallied.violation.fairness));
  out.number(tallied.runs);
  out.number(tallied.first_run);
  out.number(tallied.steps.size());
  for (const Decision& decision : tallied.steps) write_decision(out, decision);
}

TalliedViolation read_violation(ByteReader& in) {
  TalliedViolation tallied;
  tallied.key = in.text();
  tallied.violation.property = in.text();
  tallied.violation.message = in.text();
  tallied.violation.actor.raw = in.number();
  tallied.violation.step = static_cast<std::uint32_t>(in.number(UINT32_MAX));
  tallied.violation.loop_from = static_cast<std::uint32_t>(in.number(UINT32_MAX));
  tallied.violation.hot_from = static_cast<std::uint32_t>(in.number(UINT32_MAX));
  tallied.violation.fairness =
      static_cast<FairnessKind>(in.number(static_cast<std::uint64_t>(FairnessKind::strong)));
  tallied.runs = in.number();
  tallied.first_run = in.number();
  for (std::size_t left = in.count(); left > 0; --left) tallied.steps.push_back(read_decision(in));
  return tallied;
}

// Hashes, one for each new behaviour: there are very many, and as bytes they are copied at once.
void write_numbers(ByteWriter& out, const std::vector<std::uint64_t>& numbers) {
  out.text({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::uint64_t)});
}

std::vector<std::uint64_t> read_numbers(ByteReader& in) {
  const std::string bytes = in.text();
  std::vector<std::uint64_t> numbers(bytes.size() / sizeof(std::uint64_t));
  bytes.copy(reinterpret_cast<char*>(numbers.data()), numbers.size() * sizeof(std::uint64_t));
  return numbers;
}

void write_tally(ByteWriter& out, const Tally& tally) {
  for (const std::uint64_t* count : fields_of(tally.counts)) out.number(*count);
  out.number(tally.violations.size());
  for (const TalliedViolation& violation : tally.violations) write_violation(out, violation);
  write_numbers(out, tally.trace_classes);
  write_numbers(out, tally.run_classes);
  out.number(tally.restless.size());
  for (const RestlessTimer& timer : tally.restless) {
    out.text(timer.actor);
    out.text(timer.timer);
    out.number(timer.fired);
  }
  out.bits(tally.reached);
  out.bits(tally.notified_monitors);
  out.bits(tally.heated_monitors);
  out.flag(tally.checked);
  tally.coverage.save(out);
}

void read_tally(ByteReader& in, Tally& tally) {
  for (std::uint64_t* count : fields_of(tally.counts)) *count = in.number();
  for (std::size_t left = in.count(); left > 0; --left) tally.violations.push_back(read_violation(in));
  tally.trace_classes = read_numbers(in);
  tally.run_classes = read_numbers(in);
  for (std::size_t left = in.count(); left > 0; --left) {
    RestlessTimer timer;
    timer.actor = in.text();
    timer.timer = in.text();
    timer.fired = in.number();
    tally.restless.push_back(std::move(timer));
  }
  tally.reached = in.bits();
  tally.notified_monitors = in.bits();
  tally.heated_monitors = in.bits();
  tally.checked = in.flag();
  tally.coverage.load(in);
}

}  // namespace

std::string part_record(const PartEntry& entry) {
  ByteWriter out;
  out.number(entry.part);
  out.number(entry.next);
  out.flag(entry.found);
  write_tally(out, entry.tally);
  if (entry.lessons != nullptr) {
    const bool saved = entry.lessons->save(out);
    GAINSAY_CHECK(saved, "what can be resumed can be written down");
  }
  return out.take();
}

std::optional<PartRecord> read_part(const std::string& record, const CampaignPlan& plan) {
  ByteReader in(record);
  PartRecord read;
  read.part = in.number();
  read.next = in.number();
  read.found = in.flag();
  read_tally(in, read.tally);
  const std::unique_ptr<Strategy> strategy = plan.make_strategy();
  if (strategy->learner() != nullptr) {
    read.lessons = strategy->learner()->take_lessons();
    if (!read.lessons->load(in)) return std::nullopt;
  }
  const bool within = read.next >= read.part * part_runs && read.next <= (read.part + 1) * part_runs;
  if (!in.good() || !in.at_end() || !within || (read.found && read.next == 0)) return std::nullopt;
  return read;
}

bool can_be_resumed(const CampaignPlan& plan) {
  if (plan.search) return false;
  const std::unique_ptr<Strategy> strategy = plan.make_strategy();
  if (strategy->needs().in_order) return false;
  if (strategy->learner() == nullptr) return true;
  ByteWriter out;
  return strategy->learner()->take_lessons()->save(out);
}

}  // namespace gainsay
