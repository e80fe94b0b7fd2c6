#include "gainsay/oracle/formats/events.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/oracle/formats/edn.hpp"
#include "gainsay/oracle/formats/json_events.hpp"

namespace gainsay {
namespace {

constexpr std::string_view kind_names[] = {"invoke", "ok", "fail", "info"};

std::optional<RecordedEvent::Kind> kind_of(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kind_names); ++i) {
    if (name == kind_names[i]) return static_cast<RecordedEvent::Kind>(i);
  }
  return std::nullopt;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ','; }
std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}
std::string_view after_blanks(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}
bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}
// The next word, which is taken off the text.
std::string_view word(std::string_view& text) {
  text = after_blanks(text);
  std::size_t length = 0;
  while (length < text.size() && !is_space(text[length])) ++length;
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(length);
  return taken;
}

// --- EDN -----------------------------------------------------------------------------------------------------------

void read_process(RecordedEvent& event, const Datum& process) {
  event.numbered_process = process.integer() != nullptr;
  event.process = process.text() != nullptr ? *process.text() : to_text(process);
}

RecordedEvent edn_event(EdnReader& reader) {
  TextSource& source = reader.source();
  RecordedEvent event;
  event.line = source.line();
  bool has_type = false;
  bool has_process = false;
  reader.map([&](const std::string& key) {
    Datum value = reader.form();
    if (key == "type") {
      const auto kind = value.text() != nullptr ? kind_of(*value.text()) : std::nullopt;
      if (!kind)
        source.fail(fmt::format("unknown :type {}; expected :invoke, :ok, :fail or :info", to_text(value)));
      event.kind = *kind;
      has_type = true;
    } else if (key == "process") {
      read_process(event, value);
      has_process = true;
    } else if (key == "f") {
      event.function = value.text() != nullptr ? *value.text() : to_text(value);
    } else if (key == "value") {
      event.value = std::move(value);
    } else if (key == "key") {
      event.key = std::move(value);
    }
  });
  if (!has_type)
    source.fail(event.line, "this event has no :type; expected :type :invoke, :ok, :fail or :info");
  if (!has_process) source.fail(event.line, "this event has no :process; expected :process and a number");
  return event;
}

void read_edn(TextSource& source, const FileNotes& notes, const EventSink& sink) {
  EdnReader reader(source);
  if (!reader.more()) return;
  const std::uint64_t began = source.line();
  const int first = source.peek();
  const char close = first == '[' ? ']' : first == '(' ? ')' : '\0';
  if (close != '\0') reader.open();
  while (close != '\0' ? !reader.closes(close, began) : reader.more()) {
    reader.skip_tag();
    if (source.peek() != '{') source.fail("expected an event as a map, {:process 0, :type :invoke, ...}");
    sink(edn_event(reader), notes);
  }
  if (reader.more())
    source.fail(fmt::format("more follows the {} that ends the history", close == ']' ? "]" : ")"));
}

// --- Jepsen's log --------------------------------------------------------------------------------------------------

// `... - PROCESS :type :f VALUE`, nothing where the line is about something else.
std::optional<RecordedEvent> log_event(const TextSource& source, std::string_view text, std::uint64_t line) {
  const std::size_t dash = text.find(" - ");
  if (dash == std::string_view::npos) return std::nullopt;
  text.remove_prefix(dash + 3);
  RecordedEvent event;
  event.line = line;
  const std::string_view process = word(text);
  const std::string_view type = word(text);
  if (!type.starts_with(':')) return std::nullopt;
  event.numbered_process = is_number(process);
  event.process = process;
  if (!event.numbered_process && !process.starts_with(':')) return std::nullopt;
  const auto kind = kind_of(type.substr(1));
  if (!kind) {
    if (!event.numbered_process) return std::nullopt;
    source.fail(line, fmt::format("unknown type {}; expected :invoke, :ok, :fail or :info", type));
  }
  event.kind = *kind;
  const std::string_view function = word(text);
  if (function.size() < 2 || !function.starts_with(':'))
    source.fail(line, fmt::format("expected a function such as :read after {}", type));
  event.function = function.substr(1);
  text = trimmed(text);
  if (text.empty()) {
    source.fail(line,
                fmt::format("the line ends after {}; expected a value, nil where there is none", function));
  }
  TextSource rest(text, source.name(), line);
  EdnReader reader(rest);
  event.value = reader.form();
  return event;
}

void read_log(TextSource& source, const FileNotes& notes, const EventSink& sink) {
  std::string text;
  std::uint64_t line = 0;
  while (source.next_line(text, line)) {
    if (auto event = log_event(source, text, line)) sink(std::move(*event), notes);
  }
}

// --- LiMo ------------------------------------------------------------------------------------------------------------

Datum limo_value(std::string_view text) {
  if (is_number(text)) {
    TextSource source(text, "");
    return EdnReader(source).form();
  }
  return Datum::of(std::string(text));
}

void read_limo(TextSource& source, FileNotes& notes, const EventSink& sink) {
  std::string line_text;
  std::uint64_t line = 0;
  while (source.next_line(line_text, line)) {
    std::string_view text = trimmed(line_text);
    if (text.starts_with('#')) {
      constexpr std::string_view mark = "@object";
      const std::size_t at = text.find(mark);
      if (at == std::string_view::npos) continue;
      const std::string_view object = trimmed(text.substr(at + mark.size()));
      notes.object = object.starts_with("atomic-") ? object.substr(7) : object;
      continue;
    }
    if (text.empty()) continue;
    const std::size_t bracket = text.find(']');
    if (!text.starts_with('[') || bracket == std::string_view::npos || bracket == 1)
      source.fail(line, "expected `[THREAD] call NAME(VALUE)` or `[THREAD] return VALUE`");
    RecordedEvent event;
    event.line = line;
    event.process = text.substr(1, bracket - 1);
    text.remove_prefix(bracket + 1);
    const std::string_view what = word(text);
    text = trimmed(text);
    if (what == "return") {
      event.kind = RecordedEvent::Kind::ok;
      if (!text.empty()) event.value = limo_value(text);
    } else if (what == "call") {
      const std::size_t end = text.find_first_of("( \t");
      event.function = text.substr(0, end);
      std::string_view argument = end == std::string_view::npos ? "" : trimmed(text.substr(end));
      if (argument.starts_with('(')) {
        if (!argument.ends_with(')')) source.fail(line, "expected a closing parenthesis after the argument");
        argument = trimmed(argument.substr(1, argument.size() - 2));
      }
      if (event.function.empty()) source.fail(line, "expected the name of an operation after `call`");
      if (!argument.empty()) event.value = limo_value(argument);
    } else {
      source.fail(line, fmt::format("expected `call` or `return` after [{}], not '{}'", event.process, what));
    }
    sink(std::move(event), notes);
  }
}

}  // namespace

const std::vector<FormatInfo>& history_formats() {
  static const std::vector<FormatInfo> formats = {
      {HistoryFormat::json, "json", "our own: one JSON object per line"},
      {HistoryFormat::jepsen_json, "jepsen-json", "Jepsen's maps in one JSON array"},
      {HistoryFormat::edn, "edn", "Jepsen's, Knossos' and Elle's maps"},
      {HistoryFormat::jepsen_log, "jepsen-log", "lines of a Jepsen log; a failed cas saw another value"},
      {HistoryFormat::kv, "kv", "Porcupine's key-value text"},
      {HistoryFormat::limo, "limo", "calls and returns of LiMo"},
  };
  return formats;
}

std::string_view format_name(HistoryFormat format) {
  for (const FormatInfo& info : history_formats()) {
    if (info.format == format) return info.name;
  }
  return "automatic";
}

HistoryFormat format_by_name(std::string_view name) {
  std::vector<std::string> names;
  for (const FormatInfo& info : history_formats()) {
    if (info.name == name) return info.format;
    names.emplace_back(info.name);
  }
  throw UserError(fmt::format("unknown format '{}'{} (formats: {})", name, did_you_mean(name, names),
                              fmt::join(names, ", ")));
}

std::string_view kind_name(RecordedEvent::Kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

HistoryFormat recognised(TextSource& source) {
  constexpr std::size_t enough = 4096;
  std::string_view text = source.beginning(enough);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  // Comments of EDN do not tell more than that.
  text = after_blanks(text);
  const auto second = [&] { return after_blanks(text.substr(1)); };
  if (text.empty()) throw UserError(fmt::format("{}: is empty; expected a history", source.name()));
  if (text.starts_with(';')) return HistoryFormat::edn;
  if (text.starts_with("#jepsen") || text.starts_with('(')) return HistoryFormat::edn;
  if (text.starts_with('#')) return HistoryFormat::limo;
  if (text.starts_with('{')) {
    if (second().starts_with('"')) return HistoryFormat::json;
    const std::string_view first = text.substr(0, text.find('}'));
    return first.find(":key ") != std::string_view::npos ? HistoryFormat::kv : HistoryFormat::edn;
  }
  if (text.starts_with('[')) {
    const std::string_view inside = second();
    if (inside.starts_with('{')) {
      return after_blanks(inside.substr(1)).starts_with('"') ? HistoryFormat::jepsen_json
                                                             : HistoryFormat::edn;
    }
    if (inside.empty() || inside.starts_with(']') || inside.starts_with(';') || inside.starts_with('#'))
      return HistoryFormat::edn;
    const std::size_t close = inside.find(']');
    const std::string_view after =
        close == std::string_view::npos ? "" : after_blanks(inside.substr(close + 1));
    if (after.starts_with("call") || after.starts_with("return")) return HistoryFormat::limo;
  }
  if (text.find("jepsen") != std::string_view::npos || text.find(":invoke") != std::string_view::npos)
    return HistoryFormat::jepsen_log;
  std::vector<std::string_view> names;
  for (const FormatInfo& info : history_formats()) names.push_back(info.name);
  throw UserError(fmt::format("{}:1: not a history in any known format ({}); set it with --format",
                              source.name(), fmt::join(names, ", ")));
}

FileNotes read_events(TextSource& source, HistoryFormat format, const EventSink& sink) {
  FileNotes notes;
  notes.format = format == HistoryFormat::automatic ? recognised(source) : format;
  if (source.beginning(3).starts_with("\xef\xbb\xbf")) {
    for (int i = 0; i < 3; ++i) source.next();
  }
  switch (notes.format) {
    case HistoryFormat::json:
      read_json_lines(source, notes, sink);
      break;
    case HistoryFormat::jepsen_json:
      read_json_array(source, notes, sink);
      break;
    case HistoryFormat::edn:
    case HistoryFormat::kv:
      read_edn(source, notes, sink);
      break;
    case HistoryFormat::jepsen_log:
      read_log(source, notes, sink);
      break;
    case HistoryFormat::limo:
      read_limo(source, notes, sink);
      break;
    case HistoryFormat::automatic:
      GAINSAY_CHECK(false, "a format was recognised");
  }
  return notes;
}

}  // namespace gainsay
