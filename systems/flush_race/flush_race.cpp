#include "systems/flush_race/flush_race.hpp"

namespace flush_race {

struct Options {
  Bug bug = Bug::none;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "the flush waits for every log that was sent before it");
    d.value(Bug::overtake, "the flush does not wait; a log that comes after it writes to a closed file");
    d.value(Bug::sandwich,
            "the flush does not wait; a log between flush and flushed is kept in memory and lost");
  }
};

GAINSAY_SCENARIO(flush_race, "A log message races with the flush of a shutdown", Options) {
  using gainsay::Complaint;
  using gainsay::View;

  const auto logger = world.spawn("logger", Logger{.tolerant = options.bug == Bug::sandwich});
  const auto terminator = world.spawn("terminator", Terminator{.logger = logger});
  const auto handler = world.spawn(
      "handler",
      Handler{.logger = logger, .terminator = terminator, .counts_logs = options.bug == Bug::none});
  world.send(handler, Request{});

  // Once the terminator knows of the flush, a late log is somebody else's: it is refused aloud. Before that,
  // the logger has taken a log that the flush under way does not cover.
  world.always("nothing slips into the flush", {logger, terminator}, [=](View v) -> Complaint {
    if (v[logger].late && !v[terminator].done) return "a log slipped in between flush and flushed";
    return {};
  });
  world.reached("everything is flushed", terminator, [=](View v) { return v[terminator].done; });
}

}  // namespace flush_race
