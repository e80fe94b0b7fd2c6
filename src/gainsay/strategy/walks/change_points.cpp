#include "gainsay/strategy/walks/change_points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/family/coverage.hpp"

namespace gainsay {

std::vector<std::uint64_t> draw_change_points(std::uint64_t count, std::uint64_t n, Rng& rng) {
  std::vector<std::uint64_t> points;
  count = std::min(count, n);
  while (points.size() < count) {
    const std::uint64_t point = 1 + rng.below(n);
    if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
  }
  return points;
}

void ChangePoints::draw(std::uint64_t count, std::uint64_t n, Rng& rng) {
  points_.clear();
  next_ = 0;
  if (count == 0 || n == 0) return;
  set(draw_change_points(count, n, rng));
}

void ChangePoints::set(const std::vector<std::uint64_t>& places) {
  points_.clear();
  next_ = 0;
  for (std::size_t i = 0; i < places.size(); ++i) points_.emplace_back(places[i], i + 1);
  std::sort(points_.begin(), points_.end());
}

void PriorityLessons::merge(const Lessons& later) {
  const auto& other = dynamic_cast<const PriorityLessons&>(later);
  scouted = scouted || other.scouted;
  runs += other.runs;
  steps_max = std::max(steps_max, other.steps_max);
  chains_max = std::max(chains_max, other.chains_max);
  chains_sum += other.chains_sum;
  outgrown += other.outgrown;
  livelocked += other.livelocked;
  fair += other.fair;
  crowded += other.crowded;
  timed = timed || other.timed;
  queues = queues || other.queues;
  gated = gated || other.gated;
  mailbox = mailbox && other.mailbox;
  asked = asked || other.asked;
  tasks = tasks || other.tasks;
  crashes = crashes || other.crashes;
  branched = branched || other.branched;
  fault_rate = std::max(fault_rate, other.fault_rate);
  fault_points_max = std::max(fault_points_max, other.fault_points_max);
  stop_drawn = stop_drawn || other.stop_drawn;
  scouted_chains = std::max(scouted_chains, other.scouted_chains);
  for (const auto& [stage, count] : other.indices_done) indices_done[stage] += count;
  for (const auto& [n, count] : other.sound_by_n) sound_by_n[n] += count;
}

namespace {

// All that is in lessons, in one order, for who writes it and who reads it.
template <class Lessons, class Number, class Flag>
void each_field(Lessons& lessons, const Number& number, const Flag& flag) {
  for (auto* field : {&lessons.runs, &lessons.steps_max, &lessons.chains_max, &lessons.chains_sum,
                      &lessons.outgrown, &lessons.livelocked, &lessons.fair, &lessons.crowded,
                      &lessons.fault_points_max, &lessons.scouted_chains})
    number(*field);
  for (auto* field : {&lessons.scouted, &lessons.timed, &lessons.gated, &lessons.mailbox, &lessons.asked,
                      &lessons.crashes, &lessons.branched, &lessons.stop_drawn})
    flag(*field);
}

}  // namespace

bool PriorityLessons::save(ByteWriter& out) const {
  each_field(
      *this, [&](std::uint64_t value) { out.number(value); }, [&](bool value) { out.flag(value); });
  out.number(std::bit_cast<std::uint64_t>(fault_rate));
  out.number(indices_done.size());
  for (const auto& [stage, count] : indices_done) {
    out.number(stage.first);
    out.number(stage.second);
    out.number(count);
  }
  out.number(sound_by_n.size());
  for (const auto& [n, count] : sound_by_n) {
    out.number(n);
    out.number(count);
  }
  return true;
}

bool PriorityLessons::load(ByteReader& in) {
  each_field(
      *this, [&](std::uint64_t& value) { value = in.number(); }, [&](bool& value) { value = in.flag(); });
  fault_rate = std::bit_cast<double>(in.number());
  indices_done.clear();
  for (std::size_t left = in.count(); left > 0; --left) {
    const std::uint64_t events = in.number();
    const std::uint64_t chains = in.number();
    indices_done[{events, chains}] = in.number();
  }
  sound_by_n.clear();
  for (std::size_t left = in.count(); left > 0; --left) {
    const std::uint64_t n = in.number();
    sound_by_n[n] = in.number();
  }
  return in.good();
}

void add_run(PriorityLessons& lessons, const PriorityRun& run, const WorldTraits& world) {
  ++lessons.runs;
  lessons.steps_max = std::max(lessons.steps_max, run.steps);
  lessons.chains_max = std::max(lessons.chains_max, run.chains);
  lessons.chains_sum += run.chains;
  const bool outgrown = run.steps > run.n;
  lessons.outgrown += outgrown ? 1 : 0;
  lessons.livelocked += run.livelocked ? 1 : 0;
  lessons.fair += run.fair ? 1 : 0;
  lessons.crowded += run.crowded ? 1 : 0;
  lessons.timed = world.timed;
  lessons.queues = world.queues;
  lessons.gated = world.gated;
  lessons.mailbox = world.mailbox;
  lessons.asked = lessons.asked || run.asked;
  lessons.tasks = lessons.tasks || run.tasks;
  lessons.crashes = lessons.crashes || run.crashes;
  lessons.branched = lessons.branched || run.branched;
  lessons.fault_rate = std::max(lessons.fault_rate, run.fault_rate);
  lessons.fault_points_max = std::max(lessons.fault_points_max, run.fault_points);
  lessons.stop_drawn = lessons.stop_drawn || run.stop_drawn;
  if (run.index_chains > 0) ++lessons.indices_done[{run.n, run.index_chains}];
  if (!outgrown && !run.livelocked && !run.fair && !run.crowded) ++lessons.sound_by_n[run.n];
}

std::string share_of_runs(std::uint64_t part, std::uint64_t all) {
  return fmt::format("{} of {} run{}", with_commas(part), with_commas(all), all == 1 ? "" : "s");
}

std::string_view assumes_no_answers() {
  return "the bug needs no particular answer to a data choice (if it needs one of k, divide by k)";
}
std::string_view assumes_no_drawn_faults() {
  return "the bug needs no fault that is drawn outside the schedule";
}
std::string_view assumes_no_other_crashes() {
  return "no unnecessary crash uses up the budget of a crash that the bug needs";
}
std::string_view assumes_fixed_chains() {
  return "the first effect of a step does not depend on the state (otherwise the chain of an event does)";
}

namespace {

// That no fault is drawn in a run, as far as a bug that needs none is concerned.
double no_fault_factor(const PriorityLessons& lessons) {
  if (lessons.fault_rate <= 0) return 1;
  return std::pow(1 - lessons.fault_rate, static_cast<double>(lessons.fault_points_max)) *
         (lessons.stop_drawn ? 0.5 : 1);
}

void add_conditions(const PriorityLessons& lessons, Guarantee& guarantee) {
  if (lessons.branched) guarantee.assumptions.emplace_back(assumes_fixed_chains());
  if (lessons.asked) guarantee.assumptions.emplace_back(assumes_no_answers());
  if (lessons.fault_rate > 0) guarantee.assumptions.emplace_back(assumes_no_drawn_faults());
  if (lessons.crashes) guarantee.assumptions.emplace_back(assumes_no_other_crashes());
  if (lessons.gated)
    guarantee.assumptions.emplace_back(
        "a message that its receiver does not accept yet counts as not yet sent");
}

}  // namespace

std::uint64_t count_indices(std::uint64_t chains, std::uint64_t n, std::uint64_t depth) {
  std::uint64_t count = chains;
  for (std::uint64_t i = 0; i + 1 < depth; ++i) {
    if (i >= n || __builtin_mul_overflow(count, n - i, &count)) return i >= n ? 0 : ~std::uint64_t{0};
  }
  return count;
}

Guarantee priority_bound(const PriorityLessons& lessons, std::uint64_t depth, std::uint64_t given_n,
                         const std::string& chain_name) {
  Guarantee guarantee;
  const std::uint64_t n = given_n != 0 ? given_n : lessons.steps_max;
  guarantee.inputs = {{"depth", depth}, {"events", n}, {"chains", lessons.chains_max}};
  if (lessons.runs == 0 || n == 0 || lessons.chains_max == 0) {
    guarantee.statement = "none: there were no runs";
    return guarantee;
  }
  const auto of_runs = [&](std::uint64_t part) { return share_of_runs(part, lessons.runs); };
  if (lessons.timed)
    guarantee.voids.emplace_back("simulated time: causes alone do not decide what is enabled");
  if (lessons.queues) guarantee.voids.emplace_back("queue order: causes alone do not decide what is enabled");
  if (given_n != 0 && lessons.outgrown > 0) {
    guarantee.voids.push_back(
        fmt::format("{} had more than n={} events (the longest had {}); give a larger n, or none to learn it",
                    of_runs(lessons.outgrown), with_commas(given_n), with_commas(lessons.steps_max)));
  }
  if (n < depth - 1) {
    guarantee.voids.push_back(fmt::format(
        "depth {} needs {} change points, but executions have only {} events; use a smaller depth", depth,
        depth - 1, with_commas(n)));
  }
  const bool void_for_all = !guarantee.voids.empty();
  std::uint64_t sound = 0;
  std::uint64_t small = 0;
  for (const auto& [drawn_from, runs] : lessons.sound_by_n) (drawn_from >= n ? sound : small) += runs;
  if (given_n == 0 && small + lessons.outgrown > 0) {
    guarantee.voids.push_back(
        fmt::format("{} do not count: they were drawn before executions of {} events were known",
                    of_runs(small + lessons.outgrown), with_commas(n)));
  }
  if (lessons.livelocked > 0) {
    guarantee.voids.push_back(
        fmt::format("{} do not count: the livelock rule set a chain aside", of_runs(lessons.livelocked)));
  }
  if (lessons.fair > 0) {
    guarantee.voids.push_back(
        fmt::format("{} do not count: they ended with a fair suffix", of_runs(lessons.fair)));
  }
  if (lessons.crowded > 0) {
    guarantee.voids.push_back(fmt::format("{} do not count: two events of one {} were enabled at once",
                                          of_runs(lessons.crowded), chain_name));
  }
  if (void_for_all || sound == 0) {
    guarantee.statement = "void";
    return guarantee;
  }
  guarantee.per_run = family::pctcp_bound(lessons.chains_max, n, depth) * no_fault_factor(lessons);
  guarantee.runs = sound;
  const std::string chains_text =
      fmt::format("{} {}{}", with_commas(lessons.chains_max), chain_name, lessons.chains_max == 1 ? "" : "s");
  const std::string events_text = depth == 1 ? "" : fmt::format(" * {}^{}", with_commas(n), depth - 1);
  const std::string faults_text =
      lessons.fault_rate <= 0
          ? ""
          : fmt::format(" * {:.4g}^{}{} (no fault is drawn)", 1 - lessons.fault_rate,
                        with_commas(lessons.fault_points_max), lessons.stop_drawn ? " / 2" : "");
  guarantee.statement =
      fmt::format("a run hits a bug of depth {} with probability at least 1/({}{}){} = {:.3g}", depth,
                  chains_text, events_text, faults_text, *guarantee.per_run);
  guarantee.assumptions.push_back(fmt::format("no execution has more than {} events or {} {}s",
                                              with_commas(n), with_commas(lessons.chains_max), chain_name));
  add_conditions(lessons, guarantee);
  return guarantee;
}

bool PriorityCampaign::begin(const RunInfo& run) {
  rng_ = Rng(run.seed, run.index);
  world_ = run.world;
  scout_ = run.scout;
  n_ = given_n_ != 0 ? given_n_ : learned_.steps_max;
  if (has_index()) return next_index();
  points_.draw(scout_ ? 0 : depth_ - 1, n_, rng_);
  return true;
}

// The number of an index has the chain as its last digit and the change points before it, the first one last.
bool PriorityCampaign::next_index() {
  const std::uint64_t seen = std::max(learned_.steps_max, lessons_.steps_max);
  const std::uint64_t n = given_n_ != 0 ? given_n_ : std::max<std::uint64_t>(seen, 1);
  const std::uint64_t chains = std::max({learned_.chains_max, lessons_.chains_max, learned_.scouted_chains,
                                         lessons_.scouted_chains, std::uint64_t{1}});
  if (next_index_ > 0 && (n != n_of_indices_ || chains != index_chains_)) next_index_ = 0;
  n_ = n_of_indices_ = n;
  index_chains_ = chains;
  if (next_index_ >= count_indices(chains, n, depth_)) return false;
  std::uint64_t rest = next_index_++;
  lowest_chain_ = rest % chains;
  rest /= chains;
  std::vector<std::uint64_t> places;
  for (std::uint64_t i = 0; i + 1 < depth_; ++i) {
    // The digit counts the numbers that are not taken yet.
    std::uint64_t place = 1 + rest % (n - i);
    rest /= n - i;
    std::vector<std::uint64_t> taken = places;
    std::sort(taken.begin(), taken.end());
    for (const std::uint64_t each : taken) place += each <= place ? 1 : 0;
    places.push_back(place);
  }
  GAINSAY_CHECK(rest == 0, "an index has no more digits");
  points_.set(places);
  return true;
}

Guarantee PriorityCampaign::index_guarantee() const {
  Guarantee guarantee;
  const std::uint64_t n = given_n_ != 0 ? given_n_ : learned_.steps_max;
  const std::uint64_t chains = std::max(learned_.chains_max, learned_.scouted_chains);
  const std::uint64_t all = count_indices(chains, n, depth_);
  const auto found = learned_.indices_done.find({n, chains});
  const std::uint64_t done = found == learned_.indices_done.end() ? 0 : found->second;
  guarantee.inputs = {
      {"depth", depth_}, {"events", n}, {"chains", chains}, {"indices", all}, {"indices_done", done}};
  if (learned_.timed)
    guarantee.voids.emplace_back("simulated time: causes alone do not decide what is enabled");
  if (learned_.queues)
    guarantee.voids.emplace_back("queue order: causes alone do not decide what is enabled");
  if (given_n_ != 0 && learned_.outgrown > 0)
    guarantee.voids.push_back(fmt::format("{} had more than n={} events; give a larger n, or none",
                                          share_of_runs(learned_.outgrown, learned_.runs),
                                          with_commas(given_n_)));
  const std::uint64_t spoiled = learned_.livelocked + learned_.fair;
  if (spoiled > 0)
    guarantee.voids.push_back(
        fmt::format("{} did not follow their index to the end (livelock rule, fair suffix)",
                    share_of_runs(spoiled, learned_.runs)));
  const std::string progress = fmt::format("{} of {} schedule indices of depth {} are done",
                                           with_commas(done), with_commas(all), depth_);
  if (!guarantee.voids.empty()) {
    guarantee.statement = "void: " + progress;
    return guarantee;
  }
  if (all == 0 || done < all) {
    guarantee.statement = "not yet: " + progress;
    return guarantee;
  }
  guarantee.per_run = no_fault_factor(learned_);
  guarantee.runs = 1;  // the one with the bug's own index
  guarantee.statement = fmt::format(
      "{}: a bug of depth {} would have been hit {}", progress, depth_,
      *guarantee.per_run < 1
          ? fmt::format("with probability at least {:.3g} (no fault is drawn)", *guarantee.per_run)
          : "for certain");
  guarantee.assumptions.push_back(
      fmt::format("no execution has more than {} events or {} chains", with_commas(n), with_commas(chains)));
  add_conditions(learned_, guarantee);
  return guarantee;
}

void PriorityCampaign::end(const RunEnd& end, PriorityRun seen) {
  if (end.ending == Ending::interrupted) return;
  if (scout_) {  // it says how large executions are, and is no run that could have hit anything
    lessons_.scouted = true;
    lessons_.steps_max = std::max(lessons_.steps_max, seen.steps);
    lessons_.scouted_chains = std::max(lessons_.scouted_chains, seen.chains);
    return;
  }
  seen.n = depth_ == 1 && !exhaustive_ ? ~std::uint64_t{0} : n_;
  seen.index_chains = exhaustive_ ? index_chains_ : 0;
  seen.fair = end.fair_suffix;
  add_run(lessons_, seen, world_);
}

std::unique_ptr<Lessons> PriorityCampaign::take_lessons() {
  auto taken = std::make_unique<PriorityLessons>(lessons_);
  lessons_ = PriorityLessons{};
  return taken;
}

void PriorityCampaign::learn(const Lessons& all) { learned_ = dynamic_cast<const PriorityLessons&>(all); }

}  // namespace gainsay
