// Stacks.
//
// A value that need not stay (its remove begins before its insert has ended) is pushed and popped at once, in any
// gap that both have: it disturbs nobody. A gap at which nothing must be inside can be made empty. Between two
// such gaps lies a *block*, in which the stack is never empty: the value at its bottom is pushed first and popped
// last. So some value of the block must have a push that begins before every other push has ended, and a pop that
// ends after every other pop has begun; if there is none, there is no order. Any such value will do: an order of
// the others can have all its pushes delayed until after that push, and its pops hurried before that pop. Taking
// it away opens gaps in the block, which falls into smaller ones.
//
// O(n log n) by segment trees over the events: coverage of gaps, and the best candidates by the event at which
// their push ended.
#include <algorithm>
#include <limits>

#include "gainsay/base/check.hpp"
#include "gainsay/oracle/linearizable/shapes.hpp"

namespace gainsay::linearizable {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// How often each gap is covered; finds gaps that are not.
class Coverage {
 public:
  explicit Coverage(std::uint32_t gaps) {
    while (size_ < gaps) size_ *= 2;
    least_.assign(2 * size_, 0);
    added_.assign(2 * size_, 0);
  }
  void add(std::uint32_t begin, std::uint32_t end, std::int64_t amount) {
    add(1, 0, size_, begin, end, amount);
  }
  // The first gap of the range that nothing covers, or none.
  std::uint32_t first_free(std::uint32_t begin, std::uint32_t end) const {
    return first_free(1, 0, size_, begin, end, 0);
  }

 private:
  void add(std::uint32_t node, std::uint32_t from, std::uint32_t to, std::uint32_t begin, std::uint32_t end,
           std::int64_t amount) {
    if (end <= from || to <= begin) return;
    if (begin <= from && to <= end) {
      least_[node] += amount;
      added_[node] += amount;
      return;
    }
    const std::uint32_t half = (from + to) / 2;
    add(2 * node, from, half, begin, end, amount);
    add(2 * node + 1, half, to, begin, end, amount);
    least_[node] = std::min(least_[2 * node], least_[2 * node + 1]) + added_[node];
  }
  std::uint32_t first_free(std::uint32_t node, std::uint32_t from, std::uint32_t to, std::uint32_t begin,
                           std::uint32_t end, std::int64_t above) const {
    if (end <= from || to <= begin || least_[node] + above > 0) return none;
    if (to - from == 1) return from;
    const std::uint32_t half = (from + to) / 2;
    const std::uint32_t left = first_free(2 * node, from, half, begin, end, above + added_[node]);
    return left != none ? left : first_free(2 * node + 1, half, to, begin, end, above + added_[node]);
  }

  std::uint32_t size_ = 1;
  std::vector<std::int64_t> least_;
  std::vector<std::int64_t> added_;
};

// The greatest entry of a range of positions, and where it is.
class Greatest {
 public:
  explicit Greatest(std::uint32_t positions) {
    while (size_ < positions) size_ *= 2;
    best_.assign(2 * size_, {-1, none});
  }
  using Entry = std::pair<std::int64_t, std::uint32_t>;  // what, position
  void set(std::uint32_t position, std::int64_t what) {
    std::uint32_t node = position + size_;
    best_[node] = {what, position};
    while (node /= 2) best_[node] = std::max(best_[2 * node], best_[2 * node + 1]);
  }
  Entry in(std::uint32_t begin, std::uint32_t end) const {
    Entry best{-1, none};
    for (begin += size_, end += size_; begin < end; begin /= 2, end /= 2) {
      if (begin % 2 == 1) best = std::max(best, best_[begin++]);
      if (end % 2 == 1) best = std::max(best, best_[--end]);
    }
    return best;
  }

 private:
  std::uint32_t size_ = 1;
  std::vector<Entry> best_;
};

struct Life {  // of a value that must be inside for a while; events
  std::uint32_t push_from;
  std::uint32_t push_to;
  std::uint32_t pop_from;
  std::uint32_t pop_to;
  std::uint32_t push;
  std::uint32_t pop;  // none: it stays
};

class Blocks {
 public:
  Blocks(const std::vector<Life>& lives, std::uint32_t gaps)
      : lives_(lives),
        gaps_(gaps),
        by_push_(gaps + 1, none),
        coverage_(gaps),
        beginning_(gaps),
        ready_(gaps),
        push_ended_(gaps),
        pop_begun_(gaps) {
    for (std::uint32_t i = 0; i < lives.size(); ++i) {
      const Life& life = lives[i];
      by_push_[life.push_to] = i;
      coverage_.add(life.push_to, life.pop_from, 1);
      beginning_.set(life.push_to, gaps - std::int64_t{life.push_from});
      push_ended_.set(life.push_to, gaps - std::int64_t{life.push_to});
      pop_begun_.set(life.push_to, life.pop_from);
    }
  }

  Coverage& coverage() { return coverage_; }

  // Takes all blocks apart, adding pushes and pops in the order in which they happen. False if one cannot be.
  bool run(std::vector<Placed>& order) {
    if (!open(0, gaps_)) return true;
    while (!tasks_.empty()) {
      const Task task = tasks_.back();
      tasks_.pop_back();
      if (task.begin == none) {
        place(order, lives_[task.value].pop, lives_[task.value].pop_from);
        continue;
      }
      if (task.is_outermost) now_ = std::max(now_, late(task.begin - 1));
      const std::uint32_t bottom = find_bottom(task.begin, task.end);
      if (bottom == none) return false;
      const Life& life = lives_[bottom];
      place(order, life.push, life.push_from);
      beginning_.set(life.push_to, -1);
      ready_.set(life.push_to, -1);
      push_ended_.set(life.push_to, -1);
      pop_begun_.set(life.push_to, -1);
      coverage_.add(life.push_to, life.pop_from, -1);
      tasks_.push_back({none, none, bottom, false});
      open(task.begin, task.end);
    }
    return true;
  }

 private:
  struct Task {
    std::uint32_t begin;  // a block to take apart; none: the pop of `value`
    std::uint32_t end;
    std::uint32_t value;
    bool is_outermost;
  };

  // Splits a range of gaps into blocks and puts them on the tasks, the first one on top; false if there are none.
  bool open(std::uint32_t begin, std::uint32_t end) {
    const std::size_t before = tasks_.size();
    const bool is_outermost = tasks_.empty();
    std::uint32_t from = begin;
    while (from < end) {
      const std::uint32_t free = coverage_.first_free(from, end);
      const std::uint32_t to = free == none ? end : free;
      if (from < to) tasks_.push_back({from, to, none, is_outermost});
      if (free != none) coverage_.add(free, free + 1, never_free);  // found once is enough
      from = to + 1;
    }
    std::reverse(tasks_.begin() + static_cast<std::ptrdiff_t>(before), tasks_.end());
    return tasks_.size() > before;
  }

  std::uint32_t find_bottom(std::uint32_t begin, std::uint32_t end) {
    const std::int64_t first_push_ended = gaps_ - push_ended_.in(begin, end).first;
    for (;;) {  // whose push begins before the first one has ended; that stays so
      const auto [from_end, position] = beginning_.in(begin, end);
      if (from_end < 0 || gaps_ - from_end >= first_push_ended) break;
      beginning_.set(position, -1);
      ready_.set(position, lives_[by_push_[position]].pop_to);
    }
    const std::int64_t last_pop_begun = pop_begun_.in(begin, end).first;
    const auto [pop_to, position] = ready_.in(begin, end);
    GAINSAY_CHECK(last_pop_begun >= 0, "a block holds values");
    return pop_to > last_pop_begun ? by_push_[position] : none;
  }

  void place(std::vector<Placed>& order, std::uint32_t operation, std::uint32_t from) {
    now_ = std::max(now_, early(from));
    if (operation != none) order.push_back({now_, sequence_, 0, operation});
    ++sequence_;
  }

  static constexpr std::int64_t never_free = std::int64_t{1} << 40U;

  const std::vector<Life>& lives_;
  std::uint32_t gaps_;
  std::vector<std::uint32_t> by_push_;  // by the event at which a push ended: its value
  Coverage coverage_;
  Greatest beginning_;   // by the same events: how early the push began, of those not ready
  Greatest ready_;       // how late the pop ends, of those whose push can be the first
  Greatest push_ended_;  // how early the push ended
  Greatest pop_begun_;   // how late the pop began
  std::vector<Task> tasks_;
  std::uint64_t now_ = 0;
  std::uint64_t sequence_ = 0;
};

}  // namespace

ShapeAnswer judge_stack(const Lives& lives) {
  ShapeAnswer answer;
  std::vector<Life> staying;
  std::uint64_t at_once = std::uint64_t{1} << 40U;  // sequence numbers apart from those of the blocks
  // Pops that never came are events of their own after all others, all concurrent.
  std::uint32_t pop_from = lives.events;
  const std::uint32_t pop_to = lives.events + static_cast<std::uint32_t>(lives.values.size()) + 1;
  for (const Value& value : lives.values) {
    const Interval& push = *value.insert;
    if (value.remove && value.remove->from < push.to) {
      const std::uint64_t point = early(std::max(push.from, value.remove->from));
      answer.order.push_back({point, at_once, 0, push.operation});
      answer.order.push_back({point, at_once++, 1, value.remove->operation});
      continue;
    }
    if (value.remove) {
      staying.push_back({push.from, push.to, value.remove->from, value.remove->to, push.operation,
                         value.remove->operation});
    } else {
      staying.push_back({push.from, push.to, pop_from++, pop_to, push.operation, none});
    }
  }
  Blocks blocks(staying, pop_to + 1);
  for (const Interval& each : lives.nothing) {
    const std::uint32_t gap = blocks.coverage().first_free(each.from, each.to);
    if (gap == none) return {};
    answer.order.push_back({middle(gap), 0, 0, each.operation});
  }
  answer.linearizable = blocks.run(answer.order);
  return answer;
}

}  // namespace gainsay::linearizable
