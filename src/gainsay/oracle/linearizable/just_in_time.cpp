#include <algorithm>

#include "gainsay/oracle/linearizable/search.hpp"

namespace gainsay::linearizable {
namespace {

class JustInTime final : public Search {
 public:
  JustInTime(const Problem& problem, StateSpace& space, const Budget& budget)
      : problem_(problem),
        moves_(problem, space),
        budget_(budget),
        key_words_(1 + problem.mask_words),
        stride_(key_words_ + problem.lanes.words) {
    std::vector<std::uint64_t> words(stride_, 0);
    Position start;
    start.state = space.initial();
    std::vector<std::uint32_t> placed;
    moves_.settle(start, words.data() + 1, placed);
    add(start, words, none, placed, 0);
  }

  SearchOutcome run(std::uint64_t steps) override;
  std::vector<std::uint32_t> order() const override { return order_to(found_); }
  std::vector<Reached> furthest() const override;
  std::uint64_t bytes() const override;

 private:
  static constexpr std::uint32_t none = 0xffffffffU;

  // How a configuration came about; kept to the end, for the order.
  struct Origin {
    std::uint32_t parent;
    std::uint32_t placed_begin;
    std::uint32_t placed_end;
  };
  // All configurations with one base, by how many crashed operations they have used.
  struct Level {
    Level(std::uint32_t key_words, Lanes lanes, std::uint64_t bytes_max)
        : visited(key_words, lanes, bytes_max) {}
    struct Member {
      Position at;
      std::uint32_t origin;
      std::uint32_t words;  // where they begin, in strides
    };
    Visited visited;
    std::vector<std::uint64_t> words;
    std::vector<std::vector<Member>> by_used;
  };

  void add(const Position& at, std::vector<std::uint64_t>& words, std::uint32_t parent,
           const std::vector<std::uint32_t>& placed, std::size_t used);
  // Every configuration that one move leads to.
  void expand(const Level::Member& member, std::size_t used);
  std::vector<std::uint32_t> order_to(std::uint32_t origin) const;

  const Problem& problem_;
  Moves moves_;
  const Budget& budget_;
  std::uint32_t key_words_;
  std::uint32_t stride_;
  std::map<std::uint32_t, Level> levels_;  // by base; the first one is being worked on
  std::size_t used_ = 0;                   // in the first level: the bucket and
  std::size_t next_ = 0;                   // the member of it to expand next
  std::vector<Origin> origins_;
  std::vector<std::uint32_t> placed_;
  std::uint32_t found_ = none;
  bool full_ = false;
  bool exhausted_ = false;
  std::vector<std::uint64_t> scratch_;
};

void JustInTime::add(const Position& at, std::vector<std::uint64_t>& words, std::uint32_t parent,
                     const std::vector<std::uint32_t>& placed, std::size_t used) {
  const auto origin = static_cast<std::uint32_t>(origins_.size());
  const auto remember = [&] {
    const auto begin = static_cast<std::uint32_t>(placed_.size());
    placed_.insert(placed_.end(), placed.begin(), placed.end());
    origins_.push_back({parent, begin, static_cast<std::uint32_t>(placed_.size())});
  };
  if (at.base >= problem_.end()) {
    remember();
    found_ = origin;
    return;
  }
  if (moves_.is_hopeless(at, words.data() + 1)) return;
  auto level = levels_.find(at.base);
  if (level == levels_.end())
    level = levels_.try_emplace(at.base, key_words_, problem_.lanes, budget_.search_bytes_max()).first;
  words[0] = std::uint64_t{at.state} << 32U | at.base;
  const Visited::Outcome outcome =
      level->second.visited.insert(at.hash(), words.data(), words.data() + key_words_);
  full_ = full_ || outcome == Visited::Outcome::full;
  if (outcome == Visited::Outcome::known) return;
  remember();
  Level& into = level->second;
  if (into.by_used.size() <= used) into.by_used.resize(used + 1);
  into.by_used[used].push_back({at, origin, static_cast<std::uint32_t>(into.words.size() / stride_)});
  into.words.insert(into.words.end(), words.begin(), words.end());
}

void JustInTime::expand(const Level::Member& member, std::size_t used) {
  const Level& level = levels_.begin()->second;
  const auto begin = level.words.begin() + std::ptrdiff_t{member.words} * stride_;
  const std::vector<std::uint64_t> before(begin, begin + stride_);
  // A later configuration with fewer crashed operations has taken its place.
  if (!level.visited.is_minimal(member.at.hash(), before.data(), before.data() + key_words_)) return;
  std::vector<std::uint32_t> placed;
  const std::size_t first = problem_.candidates_begin[member.at.base];
  const std::size_t end = problem_.candidates_begin[member.at.base + 1];
  for (std::size_t c = first; c < end && found_ == none; ++c) {
    const std::uint32_t i = problem_.candidates[c];
    const Problem::Required& each = problem_.required[i];
    if (each.pure || moves_.is_placed(member.at, before.data() + 1, i)) continue;
    Position next = member.at;
    next.state = moves_.space().step(member.at.state, each.cls);
    if (next.state == refused) continue;
    scratch_ = before;
    placed.assign(1, i);
    moves_.place(next, scratch_.data() + 1, i);
    moves_.settle(next, scratch_.data() + 1, placed);
    add(next, scratch_, member.origin, placed, used);
  }
  for (std::size_t cls = 0; cls < problem_.crashed.size() && found_ == none; ++cls) {
    if (!moves_.may_use(member.at, before.data() + 1, cls)) continue;
    Position next = member.at;
    next.state = moves_.space().step(member.at.state, problem_.crashed[cls].cls);
    if (next.state == refused || next.state == member.at.state) continue;
    scratch_ = before;
    placed.assign(1, Moves::crashed_flag | static_cast<std::uint32_t>(cls));
    moves_.use(scratch_.data() + 1, cls);
    moves_.settle(next, scratch_.data() + 1, placed);
    add(next, scratch_, member.origin, placed, used + 1);
  }
}

SearchOutcome JustInTime::run(std::uint64_t steps) {
  const std::uint64_t steps_end = moves_.space().steps() + steps;
  for (std::uint32_t count = 0; found_ == none; ++count) {
    if (moves_.space().broken()) return SearchOutcome::broken;
    if (full_) return SearchOutcome::no_memory;
    if (exhausted_ || levels_.empty()) return SearchOutcome::none;
    if (count % 256 == 255) {
      if (budget_.is_over()) return SearchOutcome::no_time;
      if (bytes() + moves_.space().bytes() > budget_.search_bytes_max()) return SearchOutcome::no_memory;
    }
    if (moves_.space().steps() >= steps_end) return SearchOutcome::paused;
    Level& level = levels_.begin()->second;
    if (used_ < level.by_used.size() && next_ < level.by_used[used_].size()) {
      const Level::Member member = level.by_used[used_][next_++];
      expand(member, used_);
      continue;
    }
    next_ = 0;
    if (++used_ < level.by_used.size()) continue;
    used_ = 0;
    if (levels_.size() == 1) {
      exhausted_ = true;
      continue;
    }
    levels_.erase(levels_.begin());
  }
  return moves_.space().broken() ? SearchOutcome::broken : SearchOutcome::found;
}

std::vector<std::uint32_t> JustInTime::order_to(std::uint32_t origin) const {
  std::vector<std::uint32_t> chain;
  for (std::uint32_t each = origin; each != none; each = origins_[each].parent) chain.push_back(each);
  std::vector<std::uint32_t> all;
  for (auto each = chain.rbegin(); each != chain.rend(); ++each) {
    all.insert(all.end(), placed_.begin() + origins_[*each].placed_begin,
               placed_.begin() + origins_[*each].placed_end);
  }
  return all;
}

std::vector<Reached> JustInTime::furthest() const {
  std::vector<Reached> all;
  if (levels_.empty()) return all;
  const Level& level = levels_.rbegin()->second;
  for (const std::vector<Level::Member>& bucket : level.by_used) {
    for (const Level::Member& each : bucket) {
      if (all.size() >= attempts_max) return all;
      if (std::any_of(all.begin(), all.end(),
                      [&](const Reached& known) { return known.state == each.at.state; }))
        continue;
      const auto begin = level.words.begin() + std::ptrdiff_t{each.words} * stride_;
      all.push_back({each.at.base, each.at.state, order_to(each.origin), {begin + 1, begin + stride_}});
    }
  }
  return all;
}

std::uint64_t JustInTime::bytes() const {
  std::uint64_t all = origins_.capacity() * sizeof(Origin) + placed_.capacity() * 4 + problem_.bytes();
  for (const auto& [base, level] : levels_) {
    all += level.visited.bytes() + level.words.capacity() * 8;
    for (const std::vector<Level::Member>& bucket : level.by_used)
      all += bucket.capacity() * sizeof(Level::Member);
  }
  return all;
}

}  // namespace

std::unique_ptr<Search> just_in_time(const Problem& problem, StateSpace& space, const Budget& budget) {
  return std::make_unique<JustInTime>(problem, space, budget);
}

}  // namespace gainsay::linearizable
