// A stream processor like CScale: services chained in a directed acyclic graph, each a stage on the platform.
//
// A stage records each item, answers when a majority has it, and passes it on to the stages after it. What it has
// recorded it finds by an index in memory, which a new primary makes in the course of its change of role. A new primary
// passes everything on again, since it does not know how far the last one got; a stage knows items that it has.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "systems/fabric/service_runtime.hpp"

namespace fabric {

// An item, by the way that it took: the client's number, and the stage that passed it on.
struct Item {
  std::uint32_t number = 0;
  ServiceId from = 0;
  auto operator<=>(const Item&) const = default;
};

struct Stage {
  using Request = Item;
  struct Reply {};
  using Operation = Item;
  struct Part {
    Lsn lsn = 0;
    Item item;
  };
  enum class Step { loaded, indexed };

  ServiceId id = 0;
  std::vector<ServiceId> next{};
  bool listens_early = false;  // the defect
  std::map<Lsn, Item> items{};
  // of the process
  std::optional<std::set<Item>> index{};
  Lsn passed_on = 0;
  std::map<CallId, Lsn> waiting{};  // calls, with what must be committed before they are answered

  void open(Platform<Stage>& platform) {
    index.reset();
    passed_on = 0;
    waiting.clear();
    platform.later(Step::loaded);
  }
  void change_role(Role role, Platform<Stage>& platform) {
    if (role != Role::primary) {
      platform.role_changed();
      return;
    }
    if (listens_early) platform.listen();
    platform.later(Step::indexed);
  }
  void resume(Step step, Platform<Stage>& platform) {
    if (step == Step::loaded) {
      platform.opened();
      return;
    }
    index.emplace();
    for (const auto& [lsn, item] : items) index->insert(item);
    platform.role_changed();
    if (!listens_early) platform.listen();
  }

  void request(CallId call, const Item& item, Platform<Stage>& platform) {
    if (!index.value().contains(item)) {
      platform.replicate(item);
      index->insert(item);
    }
    waiting.try_emplace(call, platform.last());
    answer(platform);
  }
  void committed(Lsn lsn, Platform<Stage>& platform) {
    while (passed_on < lsn) {
      const Item& item = items.at(++passed_on);
      // Numbered by the way, so that the calls of one stage differ.
      for (const ServiceId service : next)
        platform.call(service, item.number * 16 + item.from, {item.number, id});
    }
    answer(platform);
  }
  void answer(Platform<Stage>& platform) {
    std::erase_if(waiting, [&](const auto& each) {
      if (each.second > platform.committed()) return false;
      platform.answer(each.first, {});
      return true;
    });
  }

  void apply(Lsn lsn, const Item& item) { items[lsn] = item; }
  void erase() { items.clear(); }
  std::vector<Part> copy(Lsn after) const {
    std::vector<Part> parts;
    for (auto each = items.upper_bound(after); each != items.end(); ++each)
      parts.push_back({each->first, each->second});
    return parts;
  }
  void paste(const Part& part) { apply(part.lsn, part.item); }

  auto content() const { return items; }
};
static_assert(Service<Stage>);

// Sends all its items at once.
struct StreamClient {
  using Answer = Wire<Stage>::Answer;
  using Receives = gainsay::Messages<Resolved, Refused, Answer>;
  std::uint32_t items = 2;
  Calls<Stage> calls{};
  std::set<std::uint32_t> answered{};

  std::string waiting() const { return answered.size() == items ? "" : "not all of its items are taken"; }

  void on_start(gainsay::Context& ctx) {
    for (std::uint32_t number = 1; number <= items; ++number) calls.call({0, number}, {number, 0}, ctx);
  }
  void on(const Resolved& resolved, gainsay::Context& ctx) { calls.take(resolved, ctx); }
  void on(const Refused& refused, gainsay::Context& ctx) { calls.take(refused, ctx); }
  void on(const Answer& answer) {
    if (calls.close({answer.service, answer.number})) answered.insert(answer.number);
  }
};

}  // namespace fabric
