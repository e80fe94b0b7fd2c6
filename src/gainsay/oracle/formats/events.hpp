// Reading recorded histories, event by event: every format becomes a stream of RecordedEvents.
//
//   json     our own: one JSON object per line, {"process": 1, "type": "invoke", "f": "cas", "value": [2, 1]}, then
//            {"process": 1, "type": "ok", "value": true}; also "time" (ns), "id", "key". The value of ok is the result.
//   jepsen-json  the same keys as Jepsen's maps, in one JSON array
//   edn      maps as Jepsen, Knossos and Elle write them, bare or in one vector or list
//   jepsen-log  lines `INFO  jepsen.util - 3 :ok :cas [2 1]`; other lines are passed over
//   kv       Porcupine's key-value text: EDN maps with :key
//   limo     `# @object atomic-stack`, `[1] call push(7)`, `[1] return`
// Nothing here knows what an operation means; history_file.hpp does, format by format.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gainsay/oracle/datum.hpp"
#include "gainsay/oracle/formats/text_source.hpp"

namespace gainsay {

enum class HistoryFormat : std::uint8_t { automatic, json, jepsen_json, edn, jepsen_log, kv, limo };

struct FormatInfo {
  HistoryFormat format;
  std::string_view name;
  std::string_view description;
};
// All but `automatic`.
const std::vector<FormatInfo>& history_formats();
std::string_view format_name(HistoryFormat format);
// Throws UserError with the nearest name.
HistoryFormat format_by_name(std::string_view name);

struct RecordedEvent {
  enum class Kind : std::uint8_t { invoke, ok, fail, info };

  Kind kind = Kind::invoke;
  std::string process;
  bool numbered_process = true;  // clients have numbers; a nemesis has a name
  std::string function;          // may be empty where a return does not repeat it
  std::optional<Datum> value;    // as it stands in the file
  std::optional<Datum> key;
  std::optional<std::int64_t> time_ns;
  std::optional<std::uint64_t> id;
  std::uint64_t line = 0;
};
std::string_view kind_name(RecordedEvent::Kind kind);

// What a file says about itself besides events.
struct FileNotes {
  HistoryFormat format = HistoryFormat::automatic;
  std::string object;  // of limo: "queue", "stack", ...
};

using EventSink = std::function<void(RecordedEvent&& event, const FileNotes& notes)>;

// The format, from the first characters that are not blank. Throws UserError where nothing fits.
HistoryFormat recognised(TextSource& source);

// Calls `sink` for each event in order. Throws UserError, with file and line, where the text is not what it should be.
FileNotes read_events(TextSource& source, HistoryFormat format, const EventSink& sink);

}  // namespace gainsay
