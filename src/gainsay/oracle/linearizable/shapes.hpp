// What the fast paths share: a history in terms of values, and orders as sorted points.
//
// Time is counted in gaps: gap g lies between event g and event g + 1 of the part, so an operation with events i and
// r may take effect in the gaps i, ..., r - 1. A value *must be inside* from the return of its insert to the
// invocation of its remove (gaps insert.to, ..., remove.from - 1), if that is not empty. At a gap where no value
// must be inside, a collection can be made empty: whatever is inside can leave just before, or come just after.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace gainsay::linearizable {

struct Interval {
  std::uint32_t operation = 0;  // index in the history
  std::uint32_t from = 0;       // event of the invocation
  std::uint32_t to = 0;         // event of the return; past all events if it never came
};

struct Value {
  std::optional<Interval> insert;  // or the write
  std::optional<Interval> remove;
  std::vector<Interval> seen;    // reads of it, or "it is inside"
  std::vector<Interval> missed;  // "it is not inside"
  bool is_initial = false;       // registers: what is there before any write
};

struct Lives {
  std::vector<Value> values;      // for priority queues: the first to leave first
  std::vector<Interval> nothing;  // removes that found nothing
  std::uint32_t events = 0;       // of the part
};

// Points within a gap: removes and what comes and goes at once; removes that find nothing; inserts, and what begins a
// block of a stack.
inline std::uint64_t early(std::uint64_t gap) { return 3 * gap; }
inline std::uint64_t middle(std::uint64_t gap) { return 3 * gap + 1; }
inline std::uint64_t late(std::uint64_t gap) { return 3 * gap + 2; }

// An operation of an order. Sorted by point, then rank, then sequence.
struct Placed {
  std::uint64_t point;
  std::uint64_t rank;
  std::uint64_t sequence;
  std::uint32_t operation;
};

struct ShapeAnswer {
  bool linearizable = false;
  std::vector<Placed> order;  // unsorted
};

// REQUIRES: every value has at most one insert and one remove, and a remove or a read has an insert (or is of the
// initial value) that was invoked before it returned.
ShapeAnswer judge_register(const Lives& lives);
ShapeAnswer judge_element(const Lives& lives);  // one value
ShapeAnswer judge_queue(const Lives& lives);
ShapeAnswer judge_stack(const Lives& lives);
ShapeAnswer judge_priority_queue(const Lives& lives);

// Gaps in which something must be inside, as they are added; the next one without.
class Covered {
 public:
  explicit Covered(std::uint32_t gaps) : next_(gaps + 1) {
    for (std::uint32_t i = 0; i <= gaps; ++i) next_[i] = i;
  }
  // The first gap from `gap` on that is not covered; past all gaps if there is none.
  std::uint32_t first_free(std::uint32_t gap) {
    std::uint32_t root = gap;
    while (next_[root] != root) root = next_[root];
    while (next_[gap] != root) gap = std::exchange(next_[gap], root);
    return root;
  }
  void cover(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t gap = first_free(begin); gap < end; gap = first_free(gap)) next_[gap] = gap + 1;
  }

 private:
  std::vector<std::uint32_t> next_;
};

}  // namespace gainsay::linearizable
