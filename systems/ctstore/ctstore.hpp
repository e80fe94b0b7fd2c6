// A fast cache in front of a slow, persistent store, and two operations on one entry.
//
// Promise: what is in the cache is in the store. A modification takes three round trips: it puts its own tag
// on the entry in the cache (t), changes the store (p), and changes the cache if the entry still has that tag
// (c). The two operations here are an insertion and a deletion of the same entry.
//
// After CTStore, a library seen at Microsoft and described in Filip Niksic, "Combinatorial Constructions for
// Effective Testing" (2019), section 2.4 and figure 2.4. The fix is ours: whoever finds a foreign tag in step
// c takes the entry out of the cache, tag and all. A miss is always safe, and an entry can stay only if its
// operation was the last one to tag it and the others had finished before.
#pragma once

#include <cstdint>

#include "gainsay/gainsay.hpp"

namespace ctstore {

enum class Bug { none, untagged, stolen_tag };
enum class Change { insert, erase };

inline constexpr std::uint32_t no_tag = 0;

struct Begin {};
struct Tag {
  std::uint32_t tag = no_tag;
};
struct Tagged {};
struct Persist {
  Change change = Change::insert;
};
struct Persisted {};
struct Apply {
  Change change = Change::insert;
  std::uint32_t tag = no_tag;  // no_tag: whatever tag the entry has
};
struct Applied {};

struct Cache {
  using Receives = gainsay::Messages<Tag, Apply>;
  bool invalidates = true;  // takes out an entry with a foreign tag
  bool present = false;
  std::uint32_t tag = no_tag;  // of the entry, which may be an empty one

  void on(const Tag& message, gainsay::Context& ctx) {
    tag = message.tag;
    ctx.reply(Tagged{});
  }
  void on(const Apply& message, gainsay::Context& ctx) {
    if (message.tag == no_tag || message.tag == tag) {
      present = message.change == Change::insert;
      if (!present) tag = no_tag;
    } else if (invalidates) {
      present = false;
      tag = no_tag;
    }
    ctx.reply(Applied{});
  }
};

struct Store {
  using Receives = gainsay::Messages<Persist>;
  bool present = false;

  void on(const Persist& message, gainsay::Context& ctx) {
    present = message.change == Change::insert;
    ctx.reply(Persisted{});
  }
};

struct Operation {
  using Receives = gainsay::Messages<Begin, Tagged, Persisted, Applied>;
  gainsay::Ref<Cache> cache;
  gainsay::Ref<Store> store;
  Change change = Change::insert;
  std::uint32_t tag = no_tag;  // its own; no_tag: it skips step t
  bool begun = false;
  bool done = false;

  bool waiting() const { return begun && !done; }

  void on(const Begin&, gainsay::Context& ctx) {
    begun = true;
    if (tag == no_tag) {
      ctx.send(store, Persist{change});
    } else {
      ctx.send(cache, Tag{tag});
    }
  }
  void on(const Tagged&, gainsay::Context& ctx) { ctx.send(store, Persist{change}); }
  void on(const Persisted&, gainsay::Context& ctx) { ctx.send(cache, Apply{change, tag}); }
  void on(const Applied&) { done = true; }
};

}  // namespace ctstore
