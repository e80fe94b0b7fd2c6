#include "systems/ctstore/ctstore.hpp"

namespace ctstore {

struct Options {
  Bug bug = Bug::none;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "a node that finds a foreign tag removes the entry from the cache");
    d.value(Bug::untagged, "the insertion does not tag the entry, and changes the cache whatever its tag");
    d.value(Bug::stolen_tag,
            "a node that finds a foreign tag leaves the cache alone, as in the published protocol");
  }
};

GAINSAY_SCENARIO(ctstore, "An insertion and a deletion of one entry, in a cache and in a store", Options) {
  using gainsay::Complaint;
  using gainsay::View;

  const auto cache = world.spawn("cache", Cache{.invalidates = options.bug == Bug::none});
  const auto store = world.spawn("store", Store{});
  const std::uint32_t insert_tag = options.bug == Bug::untagged ? no_tag : 1;
  const auto insert = world.spawn(
      "insert", Operation{.cache = cache, .store = store, .change = Change::insert, .tag = insert_tag});
  const auto erase =
      world.spawn("erase", Operation{.cache = cache, .store = store, .change = Change::erase, .tag = 2});
  world.send(insert, Begin{});
  world.send(erase, Begin{});

  world.finally("what is in the cache is in the store", [=](View v) -> Complaint {
    if (v[cache].present && !v[store].present) return "the entry is in the cache and not in the store";
    return {};
  });
  world.reached("both operations end", {insert, erase},
                [=](View v) { return v[insert].done && v[erase].done; });
  world.reached("the entry is in both", {cache, store},
                [=](View v) { return v[cache].present && v[store].present; });
}

}  // namespace ctstore
