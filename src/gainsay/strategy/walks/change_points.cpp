#include "gainsay/strategy/walks/change_points.hpp"

#include <algorithm>

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
  const std::vector<std::uint64_t> drawn = draw_change_points(count, n, rng);
  for (std::size_t i = 0; i < drawn.size(); ++i) points_.emplace_back(drawn[i], i + 1);
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
  gated = gated || other.gated;
  mailbox = mailbox && other.mailbox;
  for (const auto& [n, count] : other.sound_by_n) sound_by_n[n] += count;
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
  lessons.gated = world.gated;
  lessons.mailbox = world.mailbox;
  if (!outgrown && !run.livelocked && !run.fair && !run.crowded) ++lessons.sound_by_n[run.n];
}

std::string share_of_runs(std::uint64_t part, std::uint64_t all) {
  return fmt::format("{} of {} run{}", with_commas(part), with_commas(all), all == 1 ? "" : "s");
}

Guarantee priority_bound(const PriorityLessons& lessons, std::uint64_t depth, std::uint64_t given_n,
                         const std::string& chain_name) {
  Guarantee guarantee;
  const std::uint64_t n = given_n != 0 ? given_n : lessons.steps_max;
  guarantee.inputs = {{"depth", depth}, {"events", n}, {"chains", lessons.chains_max}};
  if (lessons.runs == 0 || n == 0 || lessons.chains_max == 0) {
    guarantee.statement = "none: nothing was run";
    return guarantee;
  }
  const auto of_runs = [&](std::uint64_t part) { return share_of_runs(part, lessons.runs); };
  if (lessons.timed)
    guarantee.voids.emplace_back("simulated time: what is enabled depends on more than on causes");
  if (given_n != 0 && lessons.outgrown > 0) {
    guarantee.voids.push_back(
        fmt::format("{} had more than n={} events (the longest had {}); give a larger n, or none to have it "
                    "learned",
                    of_runs(lessons.outgrown), with_commas(given_n), with_commas(lessons.steps_max)));
  }
  if (n < depth - 1) {
    guarantee.voids.push_back(fmt::format(
        "depth {} needs {} change points, and executions have only {} events; ask for a smaller depth", depth,
        depth - 1, with_commas(n)));
  }
  const bool void_for_all = !guarantee.voids.empty();
  std::uint64_t sound = 0;
  std::uint64_t small = 0;
  for (const auto& [drawn_from, runs] : lessons.sound_by_n) (drawn_from >= n ? sound : small) += runs;
  if (given_n == 0 && small + lessons.outgrown > 0) {
    guarantee.voids.push_back(
        fmt::format("{} do not count: executions of {} events were not known yet when they were drawn",
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
    guarantee.voids.push_back(fmt::format("{} do not count: two events of one {} were possible at once",
                                          of_runs(lessons.crowded), chain_name));
  }
  if (void_for_all || sound == 0) {
    guarantee.statement = "void";
    return guarantee;
  }
  guarantee.per_run = family::pctcp_bound(lessons.chains_max, n, depth);
  guarantee.runs = sound;
  const std::string chains_text =
      fmt::format("{} {}{}", with_commas(lessons.chains_max), chain_name, lessons.chains_max == 1 ? "" : "s");
  const std::string events_text = depth == 1 ? "" : fmt::format(" * {}^{}", with_commas(n), depth - 1);
  guarantee.statement =
      fmt::format("a run hits a bug of depth {} with probability at least 1/({}{}) = {:.3g}", depth,
                  chains_text, events_text, *guarantee.per_run);
  guarantee.assumptions.push_back(fmt::format("no execution has more than {} events or {} {}s",
                                              with_commas(n), with_commas(lessons.chains_max), chain_name));
  if (lessons.gated)
    guarantee.assumptions.emplace_back(
        "a message that its receiver refuses for a while counts as not yet sent");
  return guarantee;
}

void PriorityCampaign::begin(const RunInfo& run) {
  rng_ = Rng(run.seed, run.index);
  world_ = run.world;
  scout_ = run.scout;
  n_ = given_n_ != 0 ? given_n_ : learned_.steps_max;
  points_.draw(scout_ ? 0 : depth_ - 1, n_, rng_);
}

void PriorityCampaign::end(const RunEnd& end, PriorityRun seen) {
  if (end.ending == Ending::interrupted) return;
  if (scout_) {  // it says how large executions are, and is no run that could have hit anything
    lessons_.scouted = true;
    lessons_.steps_max = std::max(lessons_.steps_max, seen.steps);
    return;
  }
  seen.n = depth_ == 1 ? ~std::uint64_t{0} : n_;
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
