// Judge: is it right? Evaluates a scenario's properties on a world, when something they read has changed.
//
// Invariants (`always`) with a scope are looked at only when an actor of the scope changed; `finally`
// conditions, deadlock (an actor that says it still waits) and liveness conditions that are still hot where the
// execution is quiescent; goals (`reached`) until they have been seen once; histories where an execution ends.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "gainsay/scenario/blueprint.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

class LinearizableFilter;

// A violation of what clients saw, at the first entry after which nothing can make it right again.
struct CertainViolation {
  Violation violation;
  std::size_t steps = 0;  // so many steps were made then
};

class Judge {
 public:
  explicit Judge(const Blueprint& blueprint);
  ~Judge();
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  // Whether a change of this actor concerns any property.
  bool concerned(ActorId actor) const {
    return !everywhere_.empty() || (actor.raw < watchers_.size() && !watchers_[actor.raw].empty());
  }
  // Whether a change of this actor cannot bring a complaint, because all it concerns was looked at before in
  // the same states. `version_of(actor)` is WorldReader::version for actors of the scenario, given directly
  // because this is asked at every step.
  template <class VersionOf>
  [[gnu::always_inline]] bool settled(ActorId actor, const VersionOf& version_of) const {
    if (!everywhere_.empty()) return false;
    if (actor.raw >= watchers_.size() || watchers_[actor.raw].empty()) return true;
    if (version_of(actor) == 0) return false;
    for (const std::uint32_t index : watchers_[actor.raw]) {
      const Remembered& memory = remembered_[index];
      if (memory.lines.empty()) {
        if (!settled_wide(index, version_of)) return false;
        continue;
      }
      Versions versions;
      if (!versions.fill(blueprint_.properties[index].scope, version_of) ||
          !(memory.lines[versions.line()] == versions))
        return false;
    }
    return true;
  }
  // The first complaint about the world as it is, after `step`. `changed` is who changed; `nobody`: look at
  // everything.
  std::optional<Violation> look(const WorldReader& world, ActorId changed, std::uint32_t step) {
    // Mostly nothing is wrong; then nothing large is made.
    if (!something_complains(world, changed, step)) [[likely]]
      return std::nullopt;
    return std::exchange(violation_, std::nullopt);
  }
  // The first complaint about what clients saw in an execution that ends here, or is cut here: then only properties
  // that judge prefixes are asked. Histories that were found right are remembered, and those that could not be judged.
  enum class Extent : std::uint8_t { whole, prefix };
  std::optional<Violation> look_at_history(std::span<const HistoryEntry> history, const WorldReader& world,
                                           std::uint32_t step, Extent extent = Extent::whole) {
    return look_at_history(history, world, step, extent, {});
  }
  // Whether a property could not judge the history that was looked at last: no complaint does not mean right then.
  bool unjudged() const { return unjudged_; }
  // The shortest beginning of a history of which this property complains. Nothing: it does not, or does not judge
  // prefixes.
  std::optional<CertainViolation> first_certain(const std::string& property,
                                                std::span<const HistoryEntry> history,
                                                const WorldReader& world);
  // The first complaint about a quiescent world.
  std::optional<Violation> look_at_end(const WorldReader& world, std::uint32_t step);

  // Versions of states and numbers of values have lost their meaning: forget what was remembered by them.
  void forget();

  // Goals seen so far, by index of the property; others are true.
  const std::vector<bool>& reached() const { return reached_; }
  // A goal was seen elsewhere.
  void note_reached(std::size_t goal) {
    if (!reached_[goal]) retire(goal);
  }

 private:
  // Whether a property complains, which is rare; then `violation_` says of what. Any that the change of this actor
  // concerns (`nobody`: any at all); this one; this one, which is asked whatever is remembered; this one, which said
  // this.
  bool something_complains(const WorldReader& world, ActorId changed, std::uint32_t step);
  bool complains(std::size_t index, const WorldReader& world, std::uint32_t step);
  bool complains_anew(std::size_t index, const WorldReader& world, std::uint32_t step);
  bool violates(std::size_t index, const Complaint& complaint, std::uint32_t step);
  // Whether the actor waits though nothing happens; then `violation_` says for what.
  bool is_deadlocked(const WorldReader& world, ActorId actor, std::uint32_t step);
  void retire(std::size_t goal);
  std::optional<Violation> look_at_history(std::span<const HistoryEntry> history, const WorldReader& world,
                                           std::uint32_t step, Extent extent, const std::string& only);
  const char* nothing_happens() const;

  const Blueprint& blueprint_;
  std::vector<LivenessCondition> liveness_;
  std::vector<std::vector<std::uint32_t>> watchers_;  // by actor: properties whose scope has it
  std::vector<std::uint32_t> everywhere_;             // properties without a scope
  std::vector<bool> reached_;

  // Contentment is remembered by the versions of what a property reads: in two words where that is little, else in
  // rows of their own.
  static constexpr std::size_t most_remembered_scope = 4;
  static constexpr std::size_t remembered_lines = 256;
  static constexpr std::size_t wide_lines = 1024;
  static constexpr std::size_t most_wide_scope = 64;
  struct Versions {
    std::uint64_t words[most_remembered_scope / 2] = {};

    // False where a version is unknown.
    template <class VersionOf> bool fill(const std::vector<ActorId>& scope, const VersionOf& version_of) {
      for (std::size_t i = 0; i < scope.size(); ++i) {
        const std::uint32_t version = version_of(scope[i]);
        if (version == 0) return false;
        words[i / 2] |= static_cast<std::uint64_t>(version) << (32 * (i % 2));
      }
      return true;
    }
    std::size_t line() const { return ((words[0] + words[1] * 31) * 0x9e3779b97f4a7c15ULL) >> 56U; }
    friend bool operator==(const Versions& a, const Versions& b) {
      return a.words[0] == b.words[0] && a.words[1] == b.words[1];
    }
  };
  struct Remembered {
    std::vector<Versions> lines;  // empty: its scope is wide
    std::vector<std::uint32_t>
        wide;  // `wide_lines` rows, one version for each actor; empty: it is not remembered
    const std::vector<ActorId>* scope = nullptr;  // null: it may read anything
    std::uint64_t first_64 = 0;                   // which of the actors with the lowest ids are in its scope
  };
  // Where the row of a wide scope in its present states is; the present states are in `wide_versions_`. Nothing where
  // a version is unknown.
  template <class VersionOf>
  std::optional<std::size_t> wide_row(std::size_t index, const VersionOf& version_of) const {
    const std::vector<ActorId>& scope = blueprint_.properties[index].scope;
    if (remembered_[index].wide.empty()) return std::nullopt;
    wide_versions_.resize(scope.size());
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < scope.size(); ++i) {
      wide_versions_[i] = version_of(scope[i]);
      if (wide_versions_[i] == 0) return std::nullopt;
      hash = (hash + wide_versions_[i]) * 0x9e3779b97f4a7c15ULL;
    }
    return (hash >> 32U) % wide_lines * scope.size();
  }
  bool is_in_row(std::size_t index, std::size_t row) const {
    return std::equal(wide_versions_.begin(), wide_versions_.end(),
                      remembered_[index].wide.begin() + static_cast<std::ptrdiff_t>(row));
  }
  template <class VersionOf> bool settled_wide(std::size_t index, const VersionOf& version_of) const {
    const auto row = wide_row(index, version_of);
    return row && is_in_row(index, *row);
  }
  static_assert(most_remembered_scope == 4 && remembered_lines == 256);
  std::vector<Remembered> remembered_;
  mutable std::vector<std::uint32_t> wide_versions_;  // scratch
  struct Histories {
    std::unique_ptr<LinearizableFilter> filter;  // null: there is none
    bool of_clients = false;  // the property reads neither who made an entry nor in which step
    boost::unordered_flat_set<std::uint64_t> right;     // hashes of what it was content with
    boost::unordered_flat_set<std::uint64_t> unjudged;  // of what it could not judge
    std::uint64_t looked_up = 0;                        // how often one was looked for,
    std::uint64_t found = 0;                            // and was there
  };
  std::vector<Histories> histories_;    // by property of histories
  std::optional<Violation> violation_;  // found, and not yet told
  bool unjudged_ = false;
  bool may_wait_ = false;  // some actor of the scenario has waiting()
};

}  // namespace gainsay
