#include <algorithm>

#include "gainsay/oracle/linearizable/search.hpp"

namespace gainsay::linearizable {
namespace {

class DepthFirst final : public Search {
 public:
  DepthFirst(const Problem& problem, StateSpace& space, const Budget& budget)
      : problem_(problem),
        moves_(problem, space),
        budget_(budget),
        block_(1 + moves_.words()),
        visited_(1 + problem.mask_words, problem.lanes, budget.search_bytes_max()) {
    blocks_.resize(block_);
    Position start;
    start.state = space.initial();
    moves_.settle(start, blocks_.data() + 1, order_);
    enter(start, 0);
  }

  SearchOutcome run(std::uint64_t steps) override;
  std::vector<std::uint32_t> order() const override { return order_; }
  std::vector<Reached> furthest() const override;
  std::uint64_t bytes() const override {
    return visited_.bytes() + frames_.capacity() * sizeof(Frame) + blocks_.capacity() * 8 +
           order_.capacity() * 4 + moves_.problem().bytes();
  }

 private:
  struct Frame {
    Position at;
    std::uint32_t cursor;        // the next alternative: candidates, then crashed classes
    std::uint32_t order_before;  // the order's length before this configuration was entered
  };

  std::uint64_t* block(std::size_t frame) { return blocks_.data() + frame * block_; }
  // Takes the block above the frames as a configuration, unless it is known or hopeless.
  void enter(const Position& at, std::uint32_t order_before);
  // Tries the next alternative of the last frame; false if there is none.
  bool advance();
  void note_dead_end(const Frame& frame);

  const Problem& problem_;
  Moves moves_;
  const Budget& budget_;
  std::uint32_t block_;
  Visited visited_;
  std::vector<Frame> frames_;
  std::vector<std::uint64_t> blocks_;  // one for each frame, and one for the configuration being made
  std::vector<std::uint32_t> order_;
  std::vector<Reached> reached_;
  bool found_ = false;
  bool full_ = false;
};

void DepthFirst::enter(const Position& at, std::uint32_t order_before) {
  std::uint64_t* made = block(frames_.size());
  if (at.base >= problem_.end()) {
    found_ = true;
    return;
  }
  bool fresh = !moves_.is_hopeless(at, made + 1);
  if (fresh) {
    made[0] = std::uint64_t{at.state} << 32U | at.base;
    const Visited::Outcome outcome = visited_.insert(at.hash(), made, made + 1 + problem_.mask_words);
    full_ = full_ || outcome == Visited::Outcome::full;
    fresh = outcome != Visited::Outcome::known;
  }
  if (!fresh) {
    order_.resize(order_before);
    return;
  }
  frames_.push_back({at, 0, order_before});
  if (blocks_.size() < (frames_.size() + 1) * block_) blocks_.resize((frames_.size() + 1) * block_ * 2);
}

bool DepthFirst::advance() {
  Frame& frame = frames_.back();
  const std::size_t depth = frames_.size() - 1;
  const std::size_t first = problem_.candidates_begin[frame.at.base];
  const auto candidates = static_cast<std::uint32_t>(problem_.candidates_begin[frame.at.base + 1] - first);
  while (frame.cursor < candidates) {
    const std::uint32_t i = problem_.candidates[first + frame.cursor++];
    const Problem::Required& each = problem_.required[i];
    // A pure one that is not placed does not fit this state: settling would have placed it.
    if (each.pure || moves_.is_placed(frame.at, block(depth) + 1, i)) continue;
    Position next = frame.at;
    next.state = moves_.space().step(frame.at.state, each.cls);
    if (next.state == refused) continue;
    std::copy(block(depth), block(depth) + block_, block(depth + 1));
    const auto order_before = static_cast<std::uint32_t>(order_.size());
    order_.push_back(i);
    moves_.place(next, block(depth + 1) + 1, i);
    moves_.settle(next, block(depth + 1) + 1, order_);
    enter(next, order_before);
    return true;
  }
  while (frame.cursor < candidates + problem_.crashed.size()) {
    const std::size_t cls = frame.cursor++ - candidates;
    if (!moves_.may_use(frame.at, block(depth) + 1, cls)) continue;
    Position next = frame.at;
    next.state = moves_.space().step(frame.at.state, problem_.crashed[cls].cls);
    if (next.state == refused || next.state == frame.at.state) continue;
    std::copy(block(depth), block(depth) + block_, block(depth + 1));
    const auto order_before = static_cast<std::uint32_t>(order_.size());
    order_.push_back(Moves::crashed_flag | static_cast<std::uint32_t>(cls));
    moves_.use(block(depth + 1) + 1, cls);
    moves_.settle(next, block(depth + 1) + 1, order_);
    enter(next, order_before);
    return true;
  }
  return false;
}

void DepthFirst::note_dead_end(const Frame& frame) {
  if (!reached_.empty() && frame.at.base < reached_.front().base) return;
  if (!reached_.empty() && frame.at.base > reached_.front().base) reached_.clear();
  if (reached_.size() >= attempts_max) return;
  for (const Reached& each : reached_) {
    if (each.state == frame.at.state) return;
  }
  const std::uint64_t* words = block(frames_.size() - 1) + 1;
  reached_.push_back({frame.at.base, frame.at.state, order_, {words, words + moves_.words()}});
}

SearchOutcome DepthFirst::run(std::uint64_t steps) {
  const std::uint64_t steps_end = moves_.space().steps() + steps;
  for (std::uint32_t count = 0; !found_; ++count) {
    if (moves_.space().broken()) return SearchOutcome::broken;
    if (full_) return SearchOutcome::no_memory;
    if (frames_.empty()) return SearchOutcome::none;
    if (count % 256 == 255) {
      if (budget_.is_over()) return SearchOutcome::no_time;
      if (bytes() + moves_.space().bytes() > budget_.search_bytes_max()) return SearchOutcome::no_memory;
    }
    if (moves_.space().steps() >= steps_end) return SearchOutcome::paused;
    if (advance()) continue;
    const Frame frame = frames_.back();
    note_dead_end(frame);
    order_.resize(frame.order_before);
    frames_.pop_back();
  }
  return moves_.space().broken() ? SearchOutcome::broken : SearchOutcome::found;
}

std::vector<Reached> DepthFirst::furthest() const {
  // Dead ends only: where the search stands now may be further.
  std::vector<Reached> all = reached_;
  if (frames_.empty()) return all;
  const Frame& last = frames_.back();
  if (!all.empty() && last.at.base < all.front().base) return all;
  if (!all.empty() && last.at.base > all.front().base) all.clear();
  const std::uint64_t* words = blocks_.data() + (frames_.size() - 1) * block_ + 1;
  if (all.size() < attempts_max && std::none_of(all.begin(), all.end(), [&](const Reached& each) {
        return each.state == last.at.state;
      })) {
    all.push_back({last.at.base, last.at.state, order_, {words, words + moves_.words()}});
  }
  return all;
}

}  // namespace

std::unique_ptr<Search> depth_first(const Problem& problem, StateSpace& space, const Budget& budget) {
  return std::make_unique<DepthFirst>(problem, space, budget);
}

std::vector<std::size_t> operations_of(const Problem& problem, const std::vector<std::uint32_t>& order) {
  std::vector<std::size_t> used(problem.crashed.size(), 0);
  std::vector<std::size_t> all;
  all.reserve(order.size());
  for (const std::uint32_t each : order) {
    if ((each & Moves::crashed_flag) == 0) {
      all.push_back(problem.required[each].operation);
      continue;
    }
    const std::size_t cls = each & ~Moves::crashed_flag;
    all.push_back(problem.crashed[cls].operations[used[cls]++]);
  }
  return all;
}

}  // namespace gainsay::linearizable
