#include "gainsay/oracle/judge.hpp"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "gainsay/base/user_call.hpp"
#include "gainsay/oracle/heat.hpp"
#include "gainsay/oracle/linearizable_filter.hpp"

namespace gainsay {
Judge::Judge(const Blueprint& blueprint) : blueprint_(blueprint), liveness_(blueprint.liveness()) {
  reached_.assign(blueprint.properties.size(), true);
  remembered_.resize(blueprint.properties.size());
  watchers_.resize(blueprint.actors.size());
  for (const HistoryProperty& property : blueprint.history_properties) {
    Histories& memory = histories_.emplace_back();
    const auto* check = property.check.target<ClientHistoryCheck>();
    memory.of_clients = check != nullptr;
    if (check != nullptr && check->real_time)
      memory.filter = std::make_unique<LinearizableFilter>(check->types, check->initial);
  }
  for (const ActorPlan& actor : blueprint.actors) may_wait_ = may_wait_ || actor.type->waiting != nullptr;
  for (std::uint32_t i = 0; i < blueprint.properties.size(); ++i) {
    const Property& property = blueprint.properties[i];
    if (property.kind == Property::Kind::finally) continue;
    // Of liveness it is judged elsewhere; here only whether the property reads nothing but its scope.
    if (property.is_liveness() && property.scope.empty()) continue;
    if (property.kind == Property::Kind::reached) reached_[i] = false;
    if (property.scope.empty()) everywhere_.push_back(i);
    if (!property.scope.empty() && property.scope.size() <= most_remembered_scope) {
      remembered_[i].lines.assign(remembered_lines, Versions{});
    } else if (!property.scope.empty() && property.scope.size() <= most_wide_scope) {
      remembered_[i].wide.assign(wide_lines * property.scope.size(), 0);
    }
    if (!property.scope.empty()) remembered_[i].scope = &property.scope;
    for (const ActorId actor : property.scope) {
      if (actor.raw < 64) remembered_[i].first_64 |= std::uint64_t{1} << actor.raw;
      auto& list = watchers_[actor.raw];
      if (std::find(list.begin(), list.end(), i) == list.end()) list.push_back(i);
    }
  }
}

Judge::~Judge() = default;

void Judge::forget() {
  for (Remembered& each : remembered_) {
    std::fill(each.lines.begin(), each.lines.end(), Versions{});
    std::fill(each.wide.begin(), each.wide.end(), 0);
  }
  for (Histories& each : histories_) {
    if (each.filter != nullptr) each.filter->forget_numbers();
  }
}

// Without remembering anything: where the version of something that it reads is unknown, nothing can be. A property
// that reads more than its scope is not looked at when it should be, by whatever looks: that is a mistake to tell.
bool Judge::complains_anew(std::size_t index, const WorldReader& world, std::uint32_t step) {
  const Property& property = blueprint_.properties[index];
  const Remembered& memory = remembered_[index];
  if (memory.scope == nullptr) return violates(index, complaint_about(property, world), step);
  const WorldReader::Watch watch(world, *memory.scope, memory.first_64);
  const Complaint complaint = complaint_about(property, world);
  if (watch.stray() != nobody) [[unlikely]] {
    violation_ = Violation{property.name,
                           fmt::format("the property reads {}, which is not in its scope: add it there, or "
                                       "leave the scope out",
                                       world.name(watch.stray())),
                           nobody, step};
    return true;
  }
  if (property.kind == Property::Kind::always && !complaint) [[likely]]
    return false;
  return !property.is_liveness() && violates(index, complaint, step);
}

bool Judge::violates(std::size_t index, const Complaint& complaint, std::uint32_t step) {
  const Property& property = blueprint_.properties[index];
  const bool is_goal = property.kind == Property::Kind::reached;
  if (is_goal && !complaint) retire(index);
  if (is_goal || !complaint) return false;
  violation_ = Violation{property.name, complaint.text(), nobody, step};
  return true;
}

bool Judge::complains(std::size_t index, const WorldReader& world, std::uint32_t step) {
  const Property& property = blueprint_.properties[index];
  const auto version_of = [&](ActorId actor) { return world.version(actor); };
  Versions versions;
  Versions* line = nullptr;
  std::optional<std::size_t> row;
  if (remembered_[index].lines.empty()) {
    row = wide_row(index, version_of);
    if (row && is_in_row(index, *row)) return false;
  } else if (versions.fill(property.scope, version_of)) {
    line = &remembered_[index].lines[versions.line()];
    if (*line == versions) return false;
  }
  if (complains_anew(index, world, step)) return true;
  if (line != nullptr) *line = versions;
  if (row)
    std::copy(wide_versions_.begin(), wide_versions_.end(),
              remembered_[index].wide.begin() + static_cast<std::ptrdiff_t>(*row));
  return false;
}

// A goal that has been seen need not be looked at again.
void Judge::retire(std::size_t goal) {
  reached_[goal] = true;
  const auto drop = [&](std::vector<std::uint32_t>& list) {
    std::erase(list, static_cast<std::uint32_t>(goal));
  };
  drop(everywhere_);
  for (auto& list : watchers_) drop(list);
}

bool Judge::something_complains(const WorldReader& world, ActorId changed, std::uint32_t step) {
  if (changed == nobody) {
    for (std::size_t i = 0; i < blueprint_.properties.size(); ++i) {
      const Property::Kind kind = blueprint_.properties[i].kind;
      if (blueprint_.properties[i].is_liveness() && blueprint_.properties[i].scope.empty()) continue;
      if (kind == Property::Kind::finally || (kind == Property::Kind::reached && reached_[i])) continue;
      if (complains(i, world, step)) return true;
    }
    return false;
  }
  // Indexes, not iterators: a goal that is reached leaves the list while it is walked.
  for (std::size_t k = 0; k < everywhere_.size();) {
    const std::uint32_t index = everywhere_[k];
    if (complains(index, world, step)) return true;
    if (k < everywhere_.size() && everywhere_[k] == index) ++k;
  }
  if (changed.raw >= watchers_.size()) return false;
  const std::vector<std::uint32_t>& list = watchers_[changed.raw];
  const bool known = !list.empty() && world.version(changed) != 0;
  for (std::size_t k = 0; k < list.size();) {
    const std::uint32_t index = list[k];
    if (known ? complains(index, world, step) : complains_anew(index, world, step)) return true;
    if (k < list.size() && list[k] == index) ++k;
  }
  return false;
}

namespace {

// Of all that the property may read.
std::uint64_t history_hash(std::span<const HistoryEntry> history, bool of_clients) {
  Hasher hasher(history.size());
  for (const HistoryEntry& entry : history) {
    hasher.add(entry.process.raw);
    hasher.add((static_cast<std::uint64_t>(entry.number) << 8U) + (entry.invocation ? 4U : 0U) +
               static_cast<std::uint64_t>(entry.how));
    hasher.add(entry.type == nullptr ? 0 : mix(entry.type->name_hash, entry.type->hash(entry.data)));
    if (of_clients) continue;
    hasher.add(entry.actor.raw);
    hasher.add(entry.step);
  }
  return hasher.finish();
}

Complaint complaint_of(const HistoryProperty& property, std::span<const HistoryEntry> history,
                       const WorldReader& world, std::uint64_t call) {
  try {
    const UserCall running(call, UserCall::Length::any);
    return property.check(history, world);
  } catch (const CallDied& died) {
    return fmt::format("the property ended with {}", died.what());
  } catch (const std::exception& error) {
    return fmt::format("the property threw: {}", error.what());
  } catch (...) {
    return "the property threw something that is not a std::exception";
  }
}

}  // namespace

std::optional<Violation> Judge::look_at_history(std::span<const HistoryEntry> history,
                                                const WorldReader& world, std::uint32_t step, Extent extent,
                                                const std::string& only) {
  static constexpr std::size_t most_remembered = std::size_t{1} << 16U;
  GAINSAY_CHECK(histories_.size() == blueprint_.history_properties.size(), "one memory for each property");
  unjudged_ = false;
  for (std::size_t i = 0; i < histories_.size(); ++i) {
    const HistoryProperty& property = blueprint_.history_properties[i];
    if (extent == Extent::prefix && property.prefixes == HistoryProperty::Prefixes::open) continue;
    if (!only.empty() && property.name != only) continue;
    Histories& memory = histories_[i];
    // A hash is cheaper than a look, and of no use where no history comes twice.
    const bool is_filtered_first = memory.filter != nullptr && memory.found * 2 < memory.looked_up;
    if (is_filtered_first && memory.filter->surely_right(history)) continue;
    const std::uint64_t hash = history_hash(history, memory.of_clients);
    ++memory.looked_up;
    if (memory.right.contains(hash)) {
      ++memory.found;
      continue;
    }
    const bool is_right =
        memory.filter != nullptr && !is_filtered_first && memory.filter->surely_right(history);
    if (!is_right) {
      const bool is_known = memory.unjudged.contains(hash);
      const Complaint complaint =
          is_known ? Complaint{}
                   : complaint_of(property, history, world, mix(hash, hash_text(property.name)));
      if (complaint && !complaint.is_unjudged())
        return Violation{property.name, complaint.text(), nobody, step};
      if (is_known || complaint) {
        unjudged_ = true;
        if (memory.unjudged.size() < most_remembered) memory.unjudged.insert(hash);
        continue;
      }
    }
    if (memory.right.size() < most_remembered) memory.right.insert(hash);
  }
  return std::nullopt;
}

std::optional<CertainViolation> Judge::first_certain(const std::string& property,
                                                     std::span<const HistoryEntry> history,
                                                     const WorldReader& world) {
  const auto violation_of = [&](std::size_t entries) {
    const std::uint32_t step = entries == 0 ? no_step : history[entries - 1].step;
    return look_at_history(history.first(entries), world, step, Extent::prefix, property);
  };
  std::optional<Violation> violation = violation_of(history.size());
  if (!violation) return std::nullopt;
  // Beginnings of what is right are right: so the shortest one that is wrong is found by halving.
  std::size_t right = 0;
  std::size_t wrong = history.size();
  while (right + 1 < wrong) {
    const std::size_t middle = right + (wrong - right) / 2;
    if (auto earlier = violation_of(middle)) {
      wrong = middle;
      violation = std::move(earlier);
    } else {
      right = middle;
    }
  }
  GAINSAY_CHECK(wrong > 0 && wrong <= history.size(), "an empty history is right");
  return CertainViolation{std::move(*violation), history[wrong - 1].step + std::size_t{1}};
}

// Where timers do not keep an execution alive, one may still be armed.
const char* Judge::nothing_happens() const {
  return blueprint_.timers_keep_alive ? "nothing can happen any more"
                                      : "nothing but a timer can happen any more";
}

std::optional<Violation> Judge::look_at_end(const WorldReader& world, std::uint32_t step) {
  for (std::size_t i = 0; i < blueprint_.properties.size(); ++i) {
    if (blueprint_.properties[i].kind != Property::Kind::finally) continue;
    if (complains(i, world, step)) return std::exchange(violation_, std::nullopt);
  }
  for (const LivenessCondition& condition : liveness_) {
    if (heat_of(blueprint_, condition, world) != Heat::hot) continue;
    return Violation{condition.name,
                     fmt::format("{}, but {}{}", nothing_happens(),
                                 condition.is_monitor() ? "the monitor is hot" : "it does not hold",
                                 heat_text(blueprint_, condition, world)),
                     nobody, step};
  }
  if (!may_wait_ && !world.has_spawned()) return std::nullopt;
  for (const ActorId actor : world.actors()) {
    if (is_deadlocked(world, actor, step)) return std::exchange(violation_, std::nullopt);
  }
  return std::nullopt;
}

bool Judge::is_deadlocked(const WorldReader& world, ActorId actor, std::uint32_t step) {
  const ActorType* type = world.type(actor);
  if (type->waiting == nullptr || world.status(actor) != WorldReader::Status::alive) return false;
  std::string reason;
  try {
    const UserCall running(mix(world.identity(actor), type->name_hash));
    reason = type->waiting(world.state(actor), [&](ActorId id) { return world.name(id); });
  } catch (const std::exception& error) {
    reason = fmt::format("its waiting() threw: {}", error.what());
  } catch (...) {
    reason = "its waiting() threw something that is not a std::exception";
  }
  if (reason.empty()) return false;
  violation_ =
      Violation{"deadlock", fmt::format("{}, but {} waits: {}", nothing_happens(), world.name(actor), reason),
                actor, step};
  return true;
}

}  // namespace gainsay
