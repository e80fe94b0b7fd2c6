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
// operation and one for each entry; those of single keys do so often. Values are known by numbers that whoever interned
// them gave them, so that none is hashed twice.
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

#include "gainsay/base/flat_row.hpp"
#include "gainsay/base/number_map.hpp"
#include "gainsay/oracle/client_history.hpp"
#include "gainsay/scenario/blueprint.hpp"

namespace gainsay {

class LinearizableFilter {
 public:
  LinearizableFilter(const ClientTypes& types, AnyValue initial)
      : types_(types), initial_(std::move(initial)) {
    forget();
  }

  // False: it is not linearizable, or this cannot tell; so it is where values have no numbers (HistoryEntry::value).
  bool surely_right(std::span<const HistoryEntry> history);
  // The numbers of values have lost their meaning.
  void forget_numbers() { known_.clear(); }

  static constexpr std::size_t configurations_max = 256;
  static constexpr std::size_t open_max = 64;  // operations that have not returned
  static constexpr std::size_t remembered_max = std::size_t{1} << 16U;
  static constexpr std::size_t situations_max = std::size_t{1} << 18U;  // all that is in them
  // After so many, situations are remembered only where half of them were known before.
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
  // An operation with its result.
  struct Label {
    std::uint32_t op = none;
    std::uint32_t result = none;  // none: any will do
    std::uint32_t key = none;     // of the operation
    bool pure = false;            // the operation never changes anything
  };
  // An invocation, by whose place its operation is known, or a completion.
  struct Entry {
    std::uint32_t operation = 0;  // the place of its invocation: this one, or one before it
    std::uint32_t label = none;   // none: there is nothing to explain
  };
  // An operation that has not returned, and by what its return is recognised.
  struct Begun {
    ActorId process;
    std::uint32_t number = 0;
    std::uint32_t operation = 0;
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
    std::uint32_t at = none;      // the situation; none: they are not remembered
    FlatRow<std::uint32_t> open;  // operations that have not returned, in the order of their invocations
    bool open_on_all = false;     // one of them may touch all keys; where take_return has looked
    bool open_resetting = false;  // one of them may undo something; likewise
    std::vector<Configuration> configurations;  // where situations are not remembered, or this one is new
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
  bool replay(std::span<const Entry> entries);
  std::uint32_t new_lane(std::uint32_t key, bool remember);
  bool is_worth_remembering() const {
    return situations_met_ < situations_tried || situations_new_ * 2 <= situations_met_;
  }
  std::uint32_t new_situation_after(Lane& lane, std::uint32_t entry, std::size_t place, std::uint32_t what);
  std::uint32_t situation(const Lane& lane);
  bool take(Lane& lane, std::uint32_t entry, std::size_t place);
  void note_open(Lane& lane, std::uint32_t entry, std::size_t place);
  bool take_return(Lane& lane, std::size_t place);
  std::uint32_t given(const ValueType& type, const void* data);
  std::uint32_t label(const HistoryEntry& invocation, const HistoryEntry& completion);
  std::uint32_t new_label(const HistoryEntry& invocation, const HistoryEntry& completion);
  std::uint32_t after(std::uint32_t state, std::uint32_t label);
  void look_at_open(Lane& lane) const;
  bool is_apart(const Lane& lane, std::size_t place, std::size_t other) const;
  bool is_hopeless(const Lane& lane, const Configuration& from, std::size_t place) const;

  ClientTypes types_;
  AnyValue initial_;

  // Remembered from history to history.
  Table values_;
  std::vector<Given> given_;  // by number of the value
  Table keys_;
  Table states_;
  std::vector<Label> labels_;
  NumberMap known_;     // labels by the numbers that histories give the values; none: they are of other types
  NumberMap label_of_;  // by operation and result
  NumberMap after_;     // by state and label; none: another result
  std::vector<Situation> situations_;                                     // the first: nothing has happened
  std::size_t situations_size_ = 0;                                       // of all that is in them
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> situation_of_;  // by hash
  NumberMap situation_after_;  // by situation and what follows; none: left to others
  std::size_t situations_met_ = 0;
  std::size_t situations_new_ = 0;  // those of them that were not known

  // Of one history.
  std::vector<Entry> entries_;  // there may be more than it has
  std::vector<Begun> begun_;    // likewise
  bool by_key_ = true;          // every operation that counts touches one key
  std::vector<Lane> lanes_;     // there may be more than this history has
  std::uint32_t lanes_used_ = 0;
  std::vector<std::uint32_t> key_lane_;  // by key: its lane; none: it has none yet
  std::vector<Configuration> next_;
  std::vector<Configuration> tried_;
  std::vector<std::uint32_t> to_do_;  // places in tried_
};

}  // namespace gainsay
