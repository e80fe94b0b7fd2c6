#include "gainsay/report/trace_export.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gainsay {
namespace {

TraceDocument ping_and_pong() {
  TraceDocument document;
  document.actors = {"a", "b c"};
  DocumentStep start;
  start.kind = EventKind::start;
  start.to = "a";
  DocumentStep ping;
  ping.to = "b c";
  ping.from = "a";
  ping.message = "Ping\n";
  ping.parent = 0;
  DocumentStep alone;
  alone.kind = EventKind::timer;
  alone.to = "a";
  alone.message = "Tick";
  document.steps = {start, ping, alone};
  return document;
}

TEST(TraceExport, ShivizHasVectorClocks) {
  EXPECT_EQ(shiviz_text(ping_and_pong()),
            "start\na {\"a\":1}\n"
            "deliver Ping  from a\nb_c {\"a\":1,\"b_c\":1}\n"
            "timer Tick\na {\"a\":2}\n");
}

TEST(TraceExport, ChromeHasThreadsSlicesAndArrows) {
  const auto events = nlohmann::json::parse(chrome_trace_text(ping_and_pong()))["traceEvents"];
  const auto count = [&](const std::string& phase) {
    return std::count_if(events.begin(), events.end(), [&](const auto& each) { return each["ph"] == phase; });
  };
  EXPECT_EQ(count("M"), 2);
  EXPECT_EQ(count("X"), 3);
  EXPECT_EQ(count("s"), 1);
  EXPECT_EQ(count("f"), 1);
}

}  // namespace
}  // namespace gainsay
