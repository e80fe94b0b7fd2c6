// Sequential consistency (Lamport 1979): each process's own order holds, real time does not.
//
// The same depth-first search with other keys: how far each process has come. A crashed operation may happen at
// any point after what its process did before it; what the process did later does not wait for it. A client may be
// several processes (History::belongs_to): an operation waits for those of the others that were completed before it was
// begun, which are a beginning of each. Objects cannot be judged apart here: two of them, each sequentially consistent,
// need not be so together.
#include <algorithm>
#include <map>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"
#include "gainsay/oracle/linearizable/part.hpp"
#include "gainsay/oracle/linearizable/states.hpp"
#include "gainsay/oracle/linearizable/visited.hpp"

namespace gainsay::linearizable {
namespace {

// Another process of the client must have come so far.
struct Need {
  std::uint32_t process;
  std::uint32_t position;
};
using Needs = std::vector<Need>;

struct Done {
  std::uint32_t operation;
  std::uint32_t cls;
  bool pure;
  Needs needs;
};

struct CrashedClass {
  std::uint32_t cls;
  std::uint32_t process;
  std::vector<std::uint32_t> operations;  // in the order of the process
  std::vector<Needs> after;               // of each: what the client has done before
};

class ProcessOrder {
 public:
  ProcessOrder(const History& history, const Part& part, const SpecType& spec, const AnyValue& initial,
               const Budget& budget, const std::vector<bool>* forgotten)
      : budget_(budget), space_(spec, initial, budget) {
    std::map<std::uint32_t, std::uint32_t> process_index;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> class_index;
    std::map<std::uint32_t, std::vector<std::uint32_t>> of_client;  // its processes
    for (const std::uint32_t index : part) {
      const Operation& each = history[index];
      const auto process =
          process_index.emplace(each.process, static_cast<std::uint32_t>(process_index.size())).first->second;
      if (process == processes_.size()) {
        processes_.emplace_back();
        of_client[history.client_of(each.process)].push_back(process);
      }
      Needs needs = needs_of(history, each, process, of_client[history.client_of(each.process)]);
      has_needs_ = has_needs_ || !needs.empty();
      const bool is_crashed =
          each.status == OperationStatus::info || (forgotten != nullptr && (*forgotten)[index]);
      const std::uint32_t cls = space_.op_class(each.op, is_crashed ? AnyValue{} : each.result);
      const bool pure = space_.pure(cls);
      if (!is_crashed) {
        processes_[process].push_back({index, cls, pure, std::move(needs)});
      } else if (!pure) {
        const auto known = class_index.emplace(std::pair(cls, process), crashed_.size());
        if (known.second) crashed_.push_back({cls, process, {}, {}});
        crashed_[known.first->second].operations.push_back(index);
        needs.push_back({process, static_cast<std::uint32_t>(processes_[process].size())});
        crashed_[known.first->second].after.push_back(std::move(needs));
      }
    }
    space_.start();
    std::size_t most = 0;
    for (const CrashedClass& each : crashed_) most = std::max(most, each.operations.size());
    lanes_ = Lanes::for_counts(crashed_.size(), most);
  }

  PartResult run() {
    const std::uint32_t key_words = 1 + static_cast<std::uint32_t>((processes_.size() + 1) / 2);
    Visited visited(key_words, lanes_, budget_.search_bytes_max());
    block_ = key_words + lanes_.words;
    std::vector<Frame> frames;
    std::vector<std::uint64_t> blocks(block_, 0);
    PartResult result;
    result.method = "depth first, process order";
    const auto enter = [&](std::uint32_t state, std::size_t order_before) -> bool {
      std::uint64_t* made = blocks.data() + frames.size() * block_;
      settle(state, made);
      made[0] = state;
      Hasher hasher;
      for (std::uint32_t i = 0; i < key_words; ++i) hasher.add(made[i]);
      const Visited::Outcome outcome = visited.insert(hasher.finish(), made, made + key_words);
      if (outcome == Visited::Outcome::full) out_of_memory_ = true;
      if (outcome == Visited::Outcome::known) {
        order_.resize(order_before);
        return false;
      }
      frames.push_back({state, 0, order_before});
      if (blocks.size() < (frames.size() + 1) * block_) blocks.resize((frames.size() + 1) * block_ * 2);
      return true;
    };
    enter(space_.initial(), 0);
    for (std::uint32_t count = 0;; ++count) {
      const bool over = count % 256 == 255 && budget_.is_over();
      const bool used_up = space_.steps() >= budget_.steps_max();
      if (over || used_up || space_.broken() || out_of_memory_) {
        result.unknown_because = !space_.impure_because().empty() ? space_.impure_because()
                                 : out_of_memory_                 ? budget_.text(StopReason::memory)
                                 : used_up                        ? budget_.text(StopReason::steps)
                                                                  : budget_.text(budget_.over());
        result.out_of_memory = out_of_memory_;
        result.over_budget = space_.impure_because().empty();
        break;
      }
      if (frames.empty()) {
        result.verdict = Verdict::violated;
        break;
      }
      Frame& frame = frames.back();
      const std::size_t depth = frames.size() - 1;
      if (is_complete(blocks.data() + depth * block_)) {
        result.verdict = Verdict::ok;
        break;
      }
      if (count % 256 == 0 &&
          visited.bytes() + space_.bytes() + blocks.capacity() * 8 > budget_.search_bytes_max())
        out_of_memory_ = true;
      if (frame.cursor >= processes_.size() + crashed_.size()) {
        note_dead_end(result, frame.state, blocks.data() + depth * block_);
        order_.resize(frame.order_before);
        frames.pop_back();
        continue;
      }
      const std::size_t alternative = frame.cursor++;
      std::copy_n(blocks.data() + depth * block_, block_, blocks.data() + (depth + 1) * block_);
      const std::size_t order_before = order_.size();
      const std::uint32_t next = move(alternative, frame.state, blocks.data() + (depth + 1) * block_);
      if (next != refused) enter(next, order_before);
    }
    result.steps = space_.steps();
    result.bytes = visited.bytes() + space_.bytes() + blocks.capacity() * 8;
    if (result.verdict != Verdict::violated) result.culprit.reset();
    if (result.verdict == Verdict::ok) {
      result.linearization = order_;
      result.attempts.clear();
    }
    return result;
  }

 private:
  struct Frame {
    std::uint32_t state;
    std::size_t cursor;
    std::size_t order_before;
  };

  // What other processes of its client had completed before the operation was begun.
  Needs needs_of(const History& history, const Operation& operation, std::uint32_t process,
                 const std::vector<std::uint32_t>& of_client) const {
    Needs needs;
    for (const std::uint32_t other : of_client) {
      if (other == process) continue;
      const std::vector<Done>& done = processes_[other];
      const auto end = std::find_if(done.begin(), done.end(), [&](const Done& each) {
        return history[each.operation].returned > operation.invoked;
      });
      if (end != done.begin()) needs.push_back({other, static_cast<std::uint32_t>(end - done.begin())});
    }
    return needs;
  }
  static bool met(const Needs& needs, const std::uint64_t* block) {
    return std::all_of(needs.begin(), needs.end(),
                       [&](const Need& need) { return at(block, need.process) >= need.position; });
  }

  static std::uint32_t at(const std::uint64_t* block, std::size_t process) {
    return static_cast<std::uint32_t>(block[1 + process / 2] >> (process % 2 * 32));
  }
  static void go_on(std::uint64_t* block, std::size_t process) {
    block[1 + process / 2] += std::uint64_t{1} << (process % 2 * 32);
  }
  std::uint64_t* counts(std::uint64_t* block) const { return block + block_ - lanes_.words; }

  bool is_complete(const std::uint64_t* block) const {
    for (std::size_t p = 0; p < processes_.size(); ++p) {
      if (at(block, p) < processes_[p].size()) return false;
    }
    return true;
  }

  // The state after the alternative, or `refused` where there is none.
  std::uint32_t move(std::size_t alternative, std::uint32_t state, std::uint64_t* block) {
    if (alternative < processes_.size()) {
      const std::uint32_t position = at(block, alternative);
      if (position >= processes_[alternative].size()) return refused;
      const Done& each = processes_[alternative][position];
      if (each.pure || !met(each.needs, block)) return refused;  // settling would have placed what is pure
      const std::uint32_t next = space_.step(state, each.cls);
      if (next == refused) return refused;
      go_on(block, alternative);
      order_.push_back(each.operation);
      return next;
    }
    const std::size_t cls = alternative - processes_.size();
    const CrashedClass& crashed = crashed_[cls];
    const std::uint64_t used = lanes_.get(counts(block), cls);
    if (used >= crashed.operations.size() || !met(crashed.after[used], block)) return refused;
    const std::uint32_t next = space_.step(state, crashed.cls);
    if (next == refused || next == state) return refused;
    lanes_.increment(counts(block), cls);
    order_.push_back(crashed.operations[used]);
    return next;
  }

  // Places what changes nothing. One more round while that lets other processes of a client go on.
  void settle(std::uint32_t state, std::uint64_t* block) {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t p = 0; p < processes_.size(); ++p) {
        for (std::uint32_t position = at(block, p); position < processes_[p].size(); ++position) {
          const Done& each = processes_[p][position];
          if (!each.pure || !met(each.needs, block) || space_.step(state, each.cls) == refused) break;
          go_on(block, p);
          order_.push_back(each.operation);
          again = again || has_needs_;
        }
      }
    }
  }

  void note_dead_end(PartResult& result, std::uint32_t state, const std::uint64_t* block) {
    if (!result.attempts.empty() && order_.size() <= result.attempts.front().order.size()) return;
    Explanation::Attempt attempt;
    attempt.order = order_;
    attempt.state = space_.text(state);
    for (std::size_t p = 0; p < processes_.size(); ++p) {
      if (at(block, p) >= processes_[p].size() || !met(processes_[p][at(block, p)].needs, block)) continue;
      const Done& each = processes_[p][at(block, p)];
      const std::optional<bool> fits = space_.fits(state, each.cls);
      if (!fits) break;  // the time is over
      attempt.next.push_back({each.operation, *fits ? std::string{} : space_.reason(state, each.cls)});
    }
    result.culprit.reset();
    for (const Explanation::Attempt::Next& each : attempt.next) {
      if (!result.culprit && !each.why.empty()) result.culprit = each.operation;
    }
    result.attempts.assign(1, std::move(attempt));
  }

  const Budget& budget_;
  StateSpace space_;
  std::vector<std::vector<Done>> processes_;
  std::vector<CrashedClass> crashed_;
  Lanes lanes_;
  std::uint32_t block_ = 0;
  bool has_needs_ = false;  // some operation waits for another process
  std::vector<std::size_t> order_;
  bool out_of_memory_ = false;
};

}  // namespace

PartResult judge_sequential(const History& history, const Part& part, const SpecType& spec,
                            const AnyValue& initial, const Budget& budget,
                            const std::vector<bool>* forgotten) {
  return ProcessOrder(history, part, spec, initial, budget, forgotten).run();
}

}  // namespace gainsay::linearizable
