// LinearizableFilter: tells quickly that what clients saw is linearizable, for campaigns that judge a history after
// every run.
//
// Lowe's just-in-time linearization ("Testing for linearizability", 2017): going through the entries, it keeps every
// (state, operations that took effect before they returned) that explains them so far. An operation takes effect only
// when its own return, or that of another one on the same key, asks for it: what concerns other keys need not come
// before it (Herlihy and Wing 1990, theorem 1), and what leads to a state in which the operation cannot return what it
// returned need not either (Spec::may_reach). Where every operation has one key, each key is explained by itself. What
// an operation does to a state is computed once and remembered from history to history, and so is what an entry does to
// a situation (what is open, and all explanations): where situations come again, a history costs one look-up for each
// entry; those of single keys do so often.
//
// Right means right: every step was the specification's own. Anything else (a contradiction, a malformed history, a
// nondeterministic specification, too many explanations to follow) is left to who can explain it.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "gainsay/oracle/client_history.hpp"
#include "gainsay/scenario/blueprint.hpp"

namespace gainsay {

class LinearizableFilter {
 public:
  LinearizableFilter(const ClientTypes& types, AnyValue initial)
      : types_(types), initial_(std::move(initial)) {
    forget();
  }

  // False: it is not linearizable, or this cannot tell.
  bool surely_right(std::span<const HistoryEntry> history);

  static constexpr std::size_t configurations_max = 256;
  static constexpr std::size_t open_max = 64;  // operations that have not returned
  static constexpr std::size_t remembered_max = std::size_t{1} << 16U;
  static constexpr std::size_t situations_max = std::size_t{1} << 18U;  // all that is in them
  // After so many, situations are remembered only where half of them were known.
  static constexpr std::size_t situations_tried = std::size_t{1} << 16U;

 private:
  static constexpr std::uint32_t none = 0xffffffffU;

  // Values, numbered from 0 in the order in which they are first met.
  class Table {
   public:
    std::uint32_t number(const ValueType& type, const void* data);
    const AnyValue& operator[](std::uint32_t number) const { return entries_[number].value; }
    std::size_t size() const { return entries_.size(); }
    void clear();

   private:
    struct Entry {
      AnyValue value;
      std::uint32_t next = none;  // another value of the same hash
    };
    std::vector<Entry> entries_;
    boost::unordered_flat_map<std::uint64_t, std::uint32_t> first_;  // by hash
  };
  // An operation or a result as a client gave it, and as the specification has it: empty where it is none.
  struct Given {
    AnyValue op;
    AnyValue result;
    std::uint32_t key = none;  // the only one that the operation touches; none: it may touch all
    bool resets = true;        // it may undo what others have done
  };
  struct Operation {
    ActorId process;
    std::uint32_t number = 0;
    std::uint32_t op = none;
    std::uint32_t result = none;  // none: any will do
    bool returned = false;
    bool left_out = false;  // it did not happen, or nobody can tell whether it did
    std::uint32_t label = 0;
  };
  struct Entry {
    std::uint32_t operation = 0;
    bool is_return = false;
  };
  // Bit i of `done`: operation number i among those that have not returned has taken effect.
  struct Configuration {
    std::uint32_t state = 0;
    std::uint64_t done = 0;
    friend auto operator<=>(const Configuration&, const Configuration&) = default;
  };
  // How far the entries of one key, or of all keys together, have been followed.
  struct Lane {
    std::uint32_t key = none;
    std::vector<std::uint32_t> open;  // operations that have not returned, in the order of their invocations
    std::size_t open_on_all = 0;      // those of them that may touch all keys
    std::size_t open_resetting = 0;   // those of them that may undo something
    std::vector<Configuration> configurations;
    std::uint32_t at = none;  // the situation; none: they are not remembered
  };
  // Between two entries of a lane: what is open, by label, and what explains the entries so far.
  struct Situation {
    std::vector<std::uint32_t> open;
    std::vector<Configuration> configurations;
    std::uint32_t next = none;  // another situation of the same hash
  };

  void forget();
  void forget_situations();
  bool read(std::span<const HistoryEntry> history);
  bool replay();
  Lane& lane_of(std::uint32_t key, bool remember);
  bool is_worth_remembering() const {
    return situations_met_ < situations_tried || situations_known_ * 2 >= situations_met_;
  }
  std::uint32_t situation_after(Lane& lane, const Entry& entry, std::size_t place);
  std::uint32_t situation(const Lane& lane);
  bool take(Lane& lane, const Entry& entry, std::size_t place);
  void note_open(Lane& lane, const Entry& entry, std::size_t place);
  bool take_return(Lane& lane, std::size_t place);
  std::uint32_t given(const ValueType& type, const void* data);
  std::uint32_t label(std::uint32_t op, std::uint32_t result);
  std::uint32_t after(std::uint32_t state, std::uint32_t label);
  bool is_apart(const Lane& lane, std::size_t place, std::size_t other) const;
  bool is_hopeless(const Lane& lane, const Configuration& from, std::size_t place) const;

  ClientTypes types_;
  AnyValue initial_;

  // Remembered from history to history.
  Table values_;
  std::vector<Given> given_;  // by number of the value
  struct Late {
    const void* data = nullptr;
    std::uint32_t number = none;
  };
  std::vector<Late> late_;  // where values were lately; looked at before they are hashed
  Table keys_;
  Table states_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> labels_;  // operation and result
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> label_of_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> after_;  // by state and label; none: another result
  std::vector<Situation> situations_;                              // the first: nothing has happened
  std::size_t situations_size_ = 0;                                // of all that is in them
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> situation_of_;  // by hash
  boost::unordered_flat_map<std::uint64_t, std::uint32_t>
      situation_after_;  // and an entry; none: left to others
  std::size_t situations_met_ = 0;
  std::size_t situations_known_ = 0;

  // Of one history.
  std::vector<Operation> operations_;
  std::vector<std::uint32_t> open_operations_;
  std::vector<Entry> entries_;
  std::vector<Lane> lanes_;  // there may be more than this history has
  std::uint32_t lanes_used_ = 0;
  std::vector<std::uint32_t> key_lane_;  // by key: its lane, if that is in use and has this key
  std::vector<Configuration> next_;
  std::vector<Configuration> tried_;
  std::vector<std::uint32_t> to_do_;  // places in tried_
};

}  // namespace gainsay
