#include "gainsay/strategy/walks/nemesis.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/family/coverage.hpp"
#include "gainsay/family/partitions/reach.hpp"
#include "gainsay/strategy/some_events.hpp"
#include "gainsay/strategy/walks/pctcp.hpp"
#include "gainsay/strategy/walks/pos.hpp"
#include "gainsay/strategy/walks/random.hpp"

namespace gainsay {
namespace {

std::unique_ptr<Strategy> inside(const NemesisOptions& options) {
  if (options.inside == NemesisOptions::Inside::pctcp) {
    PctcpOptions pctcp;
    pctcp.depth = options.depth;
    return std::make_unique<PctcpStrategy>(pctcp);
  }
  if (options.inside == NemesisOptions::Inside::pos) return std::make_unique<PosStrategy>(PosOptions{});
  return std::make_unique<RandomStrategy>(RandomOptions{});
}

// The goals that one round met: those of which every phase's cut did its part.
std::vector<std::uint32_t> met_in_round(const family::Cuts& cuts, const std::vector<std::size_t>& made,
                                        std::size_t round) {
  std::vector<std::uint32_t> met;
  for (std::size_t phase = 0; phase < cuts.phases.size(); ++phase) {
    const std::vector<std::uint32_t>& now =
        cuts.phases[phase][made[round * cuts.phases.size() + phase]].meets;
    if (phase == 0) {
      met = now;
      continue;
    }
    std::vector<std::uint32_t> both;
    std::set_intersection(met.begin(), met.end(), now.begin(), now.end(), std::back_inserter(both));
    met = std::move(both);
  }
  return met;
}

// The chance that so many rounds, drawn uniformly, met every goal.
double all_met(const family::Cuts& cuts, double least_chance, std::uint64_t rounds) {
  if (cuts.goals.size() > family::Reach::goals_max)
    return family::confidence_after(std::log(static_cast<double>(cuts.goals.size())), least_chance, rounds);
  std::vector<std::uint32_t> masks = {
      static_cast<std::uint32_t>((std::uint64_t{1} << cuts.goals.size()) - 1)};
  for (const std::vector<family::Cut>& phase : cuts.phases) {
    std::vector<std::uint32_t> next;
    for (const std::uint32_t before : masks) {
      for (const family::Cut& cut : phase) {
        std::uint32_t mask = 0;
        for (const std::uint32_t goal : cut.meets) mask |= std::uint32_t{1} << goal;
        next.push_back(before & mask);
      }
    }
    masks = std::move(next);
  }
  return family::Reach(cuts.goals.size(), masks).all_met_after(rounds);
}

}  // namespace

void NemesisOptions::describe(Describe<NemesisOptions>& d) {
  d.field(&NemesisOptions::inside, "what orders the events between cuts and heals");
  d.field(&NemesisOptions::depth, "depth of pctcp, if it is inside").range(1, 1000);
  d.field(&NemesisOptions::draw, "which cut is next");
  d.value(Draw::uniform, "any cut of the phase, uniformly");
  d.value(Draw::turn, "cuts in turn, from run to run");
  d.field(&NemesisOptions::settle,
          "periods after a cut and after the last heal, in which every armed timer fires once")
      .range(0, 1000);
  d.field(&NemesisOptions::warmup, "periods at the beginning").range(0, 1000);
  d.field(&NemesisOptions::before, "operations before the first cut").range(0, 1'000'000);
  d.field(&NemesisOptions::operations, "operations during a cut").range(0, 1'000'000);
  d.field(&NemesisOptions::wait, "periods after each operation").range(0, 1000);
  d.field(&NemesisOptions::concurrent, "start the operations of a cut together");
}

StrategyInfo nemesis_strategy() {
  return StrategyInfo::of<NemesisOptions>(
      "nemesis", "rounds of a cut from the scenario's family, operations and a heal; counts the goals met",
      StrategyKind::random, [](const NemesisOptions& options) {
        return std::make_unique<NemesisStrategy>(options, inside(options));
      });
}

NemesisLessons::NemesisLessons(const NemesisLessons& other)
    : Lessons(other),
      runs(other.runs),
      rounds(other.rounds),
      rounds_of_run(other.rounds_of_run),
      met(other.met),
      cuts(other.cuts),
      inner(other.inner ? other.inner->clone() : nullptr) {}

void NemesisLessons::merge(const Lessons& later) {
  const auto& other = dynamic_cast<const NemesisLessons&>(later);
  if (other.runs > 0)
    rounds_of_run = runs == 0 ? other.rounds_of_run : std::min(rounds_of_run, other.rounds_of_run);
  runs += other.runs;
  rounds += other.rounds;
  if (met.size() < other.met.size()) met.resize(other.met.size(), 0);
  for (std::size_t goal = 0; goal < other.met.size(); ++goal) met[goal] += other.met[goal];
  if (!cuts) cuts = other.cuts;
  if (inner && other.inner) {
    inner->merge(*other.inner);
  } else if (other.inner) {
    inner = other.inner->clone();
  }
}

// The cuts are the world's: they come with the lessons that are loaded into, or with later ones.
bool NemesisLessons::save(ByteWriter& out) const {
  out.number(runs);
  out.number(rounds);
  out.number(rounds_of_run);
  out.number(met.size());
  for (const std::uint64_t times : met) out.number(times);
  out.flag(inner != nullptr);
  return inner == nullptr || inner->save(out);
}

bool NemesisLessons::load(ByteReader& in) {
  runs = in.number();
  rounds = in.number();
  rounds_of_run = in.number();
  met.resize(in.count());
  for (std::uint64_t& times : met) times = in.number();
  const bool learned = in.flag();
  if (learned != (inner != nullptr)) return false;
  return in.good() && (inner == nullptr || inner->load(in));
}

std::optional<Keep> NemesisStrategy::begin(const RunInfo& run) {
  if (!run.world.cuts)
    throw UserError(
        "the strategy nemesis needs a family of cuts; add world.faults().partitions(cuts, nodes) to the "
        "scenario");
  run_ = run;
  rng_ = Rng(mix(run.seed, 0x6e656d6573697300), run.index);
  act_ = 0;
  period_.reset();
  made_.clear();
  write_script();
  return inner().begin(run);
}

void NemesisStrategy::write_script() {
  const auto periods = [this](std::uint32_t count) { script_.insert(script_.end(), count, Act::period); };
  const auto operations = [&](std::uint32_t count, bool together) {
    for (std::uint32_t i = 0; i < count; ++i) {
      script_.push_back(Act::operate);
      if (together && i + 1 < count) continue;
      script_.push_back(Act::drain);
      periods(options_.wait);
    }
  };
  const std::size_t phases = run_.world.cuts->phases.size();
  const std::size_t rounds = run_.world.budgets[static_cast<std::size_t>(EventKind::partition)] / phases;
  script_.assign(1, Act::drain);
  periods(options_.warmup);
  operations(options_.before, false);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t phase = 0; phase < phases; ++phase) {
      script_.push_back(Act::cut);
      periods(options_.settle);
      operations(options_.operations, options_.concurrent);
      script_.push_back(Act::heal);
    }
    script_.push_back(Act::drain);
    periods(options_.settle);
  }
}

void NemesisStrategy::sort_events(const ChoicePoint& point) {
  flows_.clear();
  timers_.clear();
  operations_.clear();
  for (std::size_t i = 0; i < point.ordinary(); ++i) {
    const Event event = point.event(i);
    if (event.kind == EventKind::timer) {
      timers_.push_back(i);
    } else if (event.sender == outside && scheduled_as(event.kind) == EventKind::deliver) {
      operations_.push_back(i);
    } else {
      flows_.push_back(i);
    }
  }
}

std::size_t NemesisStrategy::choose(const ChoicePoint& point) {
  if (point.is_value()) return inner().choose(point);
  sort_events(point);
  while (act_ < script_.size()) {
    if (const auto chosen = act(point)) return *chosen;
  }
  return finish(point);
}

void NemesisStrategy::next_act() {
  GAINSAY_CHECK(act_ < script_.size(), "an act is being played");
  ++act_;
  period_.reset();
}

// What the current act does here; nothing: it is over, and the next one has begun.
std::optional<std::size_t> NemesisStrategy::act(const ChoicePoint& point) {
  const Act now = script_[act_];
  if (now == Act::drain || now == Act::period) {
    if (now == Act::period && !period_) {
      period_.emplace();
      for (std::size_t i = timers_.size(); i-- > 0;) period_->push_back(point.event(timers_[i]).id);
    }
    if (!flows_.empty()) return choose_among(point, flows_);
    if (now == Act::period) {
      if (const auto timer = next_timer(point)) return timer;
    }
    next_act();
    return std::nullopt;
  }
  std::optional<std::size_t> chosen;
  if (now == Act::operate) chosen = operation(point);
  if (now == Act::cut) chosen = cut(point);
  if (now == Act::heal) {
    for (std::size_t i = point.ordinary(); i < point.size(); ++i) {
      if (point.kind(i) == EventKind::heal) chosen = i;
    }
  }
  next_act();
  return chosen;
}

// Timers that were disarmed, or may not fire now, are left out.
std::optional<std::size_t> NemesisStrategy::next_timer(const ChoicePoint& point) {
  while (!period_->empty()) {
    const EventId id = period_->back();
    period_->pop_back();
    for (const std::size_t i : timers_) {
      if (point.event(i).id == id) return i;
    }
  }
  return std::nullopt;
}

// Receivers and types are alike, however many messages there are for each.
std::optional<std::size_t> NemesisStrategy::operation(const ChoicePoint& point) {
  std::vector<std::size_t> kinds;
  for (const std::size_t i : operations_) {
    const Event event = point.event(i);
    const bool known = std::any_of(kinds.begin(), kinds.end(), [&](std::size_t other) {
      const Event seen = point.event(other);
      return seen.receiver == event.receiver && seen.type == event.type;
    });
    if (!known) kinds.push_back(i);
  }
  if (kinds.empty()) return std::nullopt;
  return kinds[rng_.below(kinds.size())];
}

std::optional<std::size_t> NemesisStrategy::cut(const ChoicePoint& point) {
  std::vector<std::size_t> possible;
  for (std::size_t i = point.ordinary(); i < point.size(); ++i) {
    if (point.kind(i) == EventKind::partition) possible.push_back(i);
  }
  if (possible.empty()) return std::nullopt;
  const family::Cuts& cuts = *run_.world.cuts;
  GAINSAY_CHECK(possible.size() == cuts.phases[made_.size() % cuts.phases.size()].size(),
                "all cuts of the phase are possible");
  std::size_t which = 0;
  if (options_.draw == NemesisOptions::Draw::uniform) {
    which = rng_.below(possible.size());
  } else {  // as the digits of a number: every combination of phases comes
    std::uint64_t number = run_.index;
    const std::size_t rounds =
        run_.world.budgets[static_cast<std::size_t>(EventKind::partition)] / cuts.phases.size();
    number = number * rounds + made_.size() / cuts.phases.size();
    for (std::size_t phase = 0; phase < made_.size() % cuts.phases.size(); ++phase)
      number /= cuts.phases[phase].size();
    which = number % possible.size();
  }
  made_.push_back(which);
  return possible[which];
}

std::size_t NemesisStrategy::choose_among(const ChoicePoint& point, const std::vector<std::size_t>& shown) {
  if (shown.size() == point.ordinary() && point.ordinary() == point.size()) return inner().choose(point);
  const SomeEvents source(point.source(), shown);
  const std::size_t chosen =
      inner().choose(ChoicePoint::events(source, point.step(), shown.size(), shown.size()));
  GAINSAY_CHECK(chosen < shown.size(), "a strategy chooses what it sees");
  return shown[chosen];
}

// The rounds are over: whatever is left happens, and the run ends where it may.
std::size_t NemesisStrategy::finish(const ChoicePoint& point) {
  if (!flows_.empty()) return choose_among(point, flows_);
  if (!operations_.empty()) return choose_among(point, operations_);
  if (point.may_stop()) return point.size() - 1;
  if (!timers_.empty()) return choose_among(point, timers_);
  return rng_.below(point.size());  // a heal that was not possible before
}

void NemesisStrategy::end(const RunEnd& end) {
  inner().end(end);
  if (run_.scout || end.ending == Ending::interrupted) return;
  const family::Cuts& cuts = *run_.world.cuts;
  const std::size_t rounds = made_.size() / cuts.phases.size();
  lessons_.cuts = run_.world.cuts;
  lessons_.rounds_of_run =
      lessons_.runs == 0 ? rounds : std::min<std::uint64_t>(lessons_.rounds_of_run, rounds);
  ++lessons_.runs;
  lessons_.rounds += rounds;
  lessons_.met.resize(cuts.goals.size(), 0);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const std::uint32_t goal : met_in_round(cuts, made_, round)) ++lessons_.met[goal];
  }
}

std::unique_ptr<Lessons> NemesisStrategy::take_lessons() {
  if (inner().learner() != nullptr) lessons_.inner = inner().learner()->take_lessons();
  auto taken = std::make_unique<NemesisLessons>(lessons_);
  lessons_.runs = lessons_.rounds = lessons_.rounds_of_run = 0;
  lessons_.met.clear();
  lessons_.inner.reset();
  return taken;
}

void NemesisStrategy::learn(const Lessons& all) {
  const auto& lessons = dynamic_cast<const NemesisLessons&>(all);
  learned_.runs = lessons.runs;
  learned_.rounds = lessons.rounds;
  learned_.rounds_of_run = lessons.rounds_of_run;
  learned_.met = lessons.met;
  learned_.cuts = lessons.cuts;
  if (lessons.inner && inner().learner() != nullptr) inner().learner()->learn(*lessons.inner);
}

Guarantee NemesisStrategy::guarantee() const {
  Guarantee guarantee;
  guarantee.statement = "none: there were no runs";
  if (!learned_.cuts || learned_.runs == 0) return guarantee;
  const family::Cuts& cuts = *learned_.cuts;
  guarantee.inputs = {{"rounds", learned_.rounds}, {"goals", cuts.goals.size()}};
  const std::string played = fmt::format("{} of {}", counted(learned_.rounds, "round"), cuts.name);
  if (cuts.goals.empty()) {
    guarantee.statement = fmt::format("none: {}, and the family has no goals", played);
    return guarantee;
  }
  double least = 1;
  std::uint64_t met = 0;
  std::uint64_t rarest = learned_.met.empty() ? 0 : learned_.met.front();
  std::string missed;
  for (std::uint32_t goal = 0; goal < cuts.goals.size(); ++goal) {
    least = std::min(least, family::chance_of(cuts, goal));
    const std::uint64_t times = goal < learned_.met.size() ? learned_.met[goal] : 0;
    met += times > 0 ? 1 : 0;
    rarest = std::min(rarest, times);
    if (times == 0 && missed.empty()) missed = cuts.goals[goal];
  }
  guarantee.inputs.emplace_back("met", met);
  const std::string counted_text =
      fmt::format("met so far: {} of {}{}", met, counted(cuts.goals.size(), "goal"),
                  missed.empty() ? fmt::format(", each at least {}", counted(rarest, "time"))
                                 : fmt::format(", not {}", missed));
  if (options_.draw == NemesisOptions::Draw::turn) {
    guarantee.statement = fmt::format("{}, in turn; {} goals {}", played, cuts.notion, counted_text);
    return guarantee;
  }
  guarantee.per_run = -std::expm1(static_cast<double>(learned_.rounds_of_run) * std::log1p(-least));
  if (*guarantee.per_run <= 0) {
    guarantee.per_run.reset();
    guarantee.statement = fmt::format("none: {}; {}", played, counted_text);
    return guarantee;
  }
  guarantee.runs = learned_.runs;
  guarantee.shows_when = fmt::format("a given goal of {} is met, for any operations", cuts.notion);
  guarantee.statement = fmt::format(
      "a round of {} meets a given goal ({}) with probability {:.4g}; {} meet all {} with probability "
      "{}{:.6g}; {}",
      cuts.name, cuts.notion, least, counted(learned_.rounds, "round"), cuts.goals.size(),
      cuts.goals.size() > family::Reach::goals_max ? "at least " : "", all_met(cuts, least, learned_.rounds),
      counted_text);
  return guarantee;
}

}  // namespace gainsay
