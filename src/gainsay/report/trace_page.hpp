// A trace as a page: a space-time diagram, and beside it the violation in words and all about the chosen step.
//
// A document says what happened. What only the program knows (states, what else was possible, what never arrived) is
// a TraceSight, made by executing the trace again; without one the page says so and shows the rest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gainsay/trace/document.hpp"

namespace gainsay {

struct TraceSight {
  // A text that an actor had from after `after` steps on: its state, or what is on its disk.
  struct Text {
    std::uint32_t after = 0;
    std::string actor;
    std::string text;
  };
  // An event that was possible before each of the steps [first, last].
  struct Offer {
    EventKind kind = EventKind::deliver;
    std::string to;
    std::string from;
    std::string message;
    EventId id;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  // What a step made pending.
  struct Created {
    std::uint32_t step = 0;
    EventId id;
    EventKind kind = EventKind::deliver;
    std::string to;
    std::string text;
    std::optional<std::uint32_t> taken{};  // by the step; none: it is pending to the end
  };
  enum class Warmth : std::uint8_t { cold, warm, hot };
  struct Heat {
    std::uint32_t after = 0;
    std::size_t monitor = 0;
    Warmth warmth = Warmth::cold;
    std::string waits_for;
  };
  struct ClientOperation {
    std::string process;
    std::string text;
    std::string result;
    std::uint32_t begin = 0;
    std::uint32_t end = no_step;
    std::string how;  // "ok", "failed", "unknown"
  };

  std::vector<std::string> monitors;
  std::vector<Text> states;
  std::vector<Text> disks;
  std::vector<Offer> offers;
  std::vector<Created> created;
  std::vector<Heat> heat;
  std::vector<ClientOperation> operations;
  std::vector<std::string> judged;  // whom the violated property reads; empty: anybody
  bool local = false;               // one actor alone decided the violation, in its last step
};

struct SeenTrace {
  TraceDocument document;
  std::string file;  // where it was read; may be empty
  std::optional<TraceSight> sight{};
  std::vector<std::string> notes{};  // shown above all, for instance why there is no sight
};

// What a page has of one trace, as JSON.
std::string trace_data(const SeenTrace& trace);
std::string trace_page(const SeenTrace& trace);
std::string comparison_page(const SeenTrace& left, const SeenTrace& right);

}  // namespace gainsay
