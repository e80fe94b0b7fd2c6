#include "gainsay/trace/trace_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <istream>
#include <ostream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/base/whole_file.hpp"
#include "gainsay/trace/json_fields.hpp"

namespace gainsay {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view head_prefix = R"({"format":"gainsay-trace","version":)";
constexpr std::string_view chain_prefix = R"(,"chain":")";
constexpr std::size_t chain_digits = 8;
constexpr std::size_t tail_size = chain_prefix.size() + chain_digits + 2;  // ,"chain":"01234567"}

std::string chain_text(std::uint64_t chain) { return fmt::format("{:08x}", chain >> 32U); }

std::string hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

// --- Writing ---------------------------------------------------------------------------------------------

Json head_json(const TraceDocument& document) {
  Json options = Json::object();
  for (const auto& [name, value] : document.options) {
    GAINSAY_CHECK(!options.contains(name), "an option is given once");
    options[name] = value;
  }
  Json line;
  line["format"] = "gainsay-trace";
  line["version"] = trace_format_version;
  line["scenario"] = document.scenario;
  line["options"] = std::move(options);
  line["strategy"] = document.strategy;
  line["seed"] = document.seed;
  line["run"] = document.run;
  line["steps_max"] = document.steps_max;
  line["timed"] = document.timed;
  line["actors"] = document.actors;
  return line;
}

// A handler's question has a pair; what simulated time decides has a name.
Json choice_json(const DataChoice& choice) {
  if (choice.is_time) return Json{{"clock_ns", choice.time_ns}};
  if (choice.late) return Json{{"late", choice.answer == 1}};
  return Json::array({choice.answer, choice.among});
}

Json step_json(std::size_t index, const DocumentStep& step) {
  Json line;
  line["step"] = index + 1;
  line["id"] = hex(step.id.raw);
  line["kind"] = std::string(kind_name(step.kind));
  if (step.parent != no_step) line["cause"] = step.parent + 1ULL;
  if (!step.from.empty()) line["from"] = step.from;
  if (!step.to.empty()) line["to"] = step.to;
  if (!step.message.empty()) line["message"] = step.message;
  if (!step.cut.empty()) line["cut"] = step.cut;
  if (step.time_ns != 0) line["time_ns"] = step.time_ns;
  for (const DataChoice& choice : step.choices) line["choices"].push_back(choice_json(choice));
  if (!step.labels.empty()) line["labels"] = step.labels;
  if (!step.changes.empty()) line["changes"] = step.changes;
  if (!step.disk.empty()) line["disk"] = step.disk;
  if (!step.sent.empty()) line["sent"] = step.sent;
  if (!step.notes.empty()) line["notes"] = step.notes;
  return line;
}

Json end_json(const TraceDocument& document) {
  Json line;
  line["end"] = document.end;
  if (document.violation) {
    const Violation& violation = *document.violation;
    Json& out = line["violation"];
    out["property"] = violation.property;
    out["message"] = violation.message;
    if (!document.violating_actor.empty()) out["actor"] = document.violating_actor;
    if (violation.actor != nobody) out["actor_id"] = violation.actor.raw;
    if (violation.step != no_step) out["step"] = violation.step + 1ULL;
    if (violation.loop_from != no_step) out["loop_from"] = violation.loop_from + 1ULL;
    if (violation.hot_from != no_step) out["hot_from"] = violation.hot_from + 1ULL;
    if (violation.fairness != FairnessKind::weak) out["fairness"] = fairness_name(violation.fairness);
  }
  if (!document.held.empty()) line["held"] = document.held;
  return line;
}

// The line's text up to its chain: an object that is not closed yet.
std::string content_of(const Json& line) {
  std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace);
  GAINSAY_CHECK(text.size() > 2 && text.back() == '}', "every line is an object with members");
  text.pop_back();
  return text;
}

// --- Reading ---------------------------------------------------------------------------------------------

// Lines of a stream, numbered, with a bound on their length: a trace may be /dev/zero.
class Lines {
 public:
  Lines(std::istream& in, std::string file) : in_(in.rdbuf()), file_(std::move(file)) {}

  // False at the end of the file. A line without its line feed was cut.
  bool next() {
    text_.clear();
    ++number_;
    for (int c = get(); c != end_of_file; c = get()) {
      if (c == '\n') return true;
      if (text_.size() == trace_line_bytes_max) {
        fail(fmt::format("the line is longer than {}", human_bytes(trace_line_bytes_max)),
             "lines of a trace are shorter");
      }
      text_.push_back(static_cast<char>(c));
    }
    if (text_.empty()) return false;
    if (number_ > 1 || looks_like_head()) {
      fail("the file is truncated in the middle of this line",
           "a line feed was expected at the end of every line");
    }
    return true;  // not a trace at all, which the first line's reader says better
  }

  bool looks_like_head() const {
    const std::size_t shared = std::min(text_.size(), head_prefix.size());
    return !text_.empty() && std::string_view(text_).substr(0, shared) == head_prefix.substr(0, shared);
  }
  const std::string& text() const { return text_; }
  std::size_t number() const { return number_; }

  [[noreturn]] void fail(const std::string& wrong, const std::string& expected) const {
    throw UserError(fmt::format("{}:{}: {}; {}", file_, number_, wrong, expected));
  }
  const JsonFields::Fail& complain() const { return complain_; }

 private:
  static constexpr int end_of_file = std::char_traits<char>::eof();

  int get() const {
    try {
      return in_->sbumpc();
    } catch (const std::ios_base::failure&) {  // a read error in the file itself
      throw UserError(fmt::format("{}:{}: the file cannot be read; expected a trace", file_, number_));
    }
  }

  std::streambuf* in_;
  std::string file_;
  std::string text_;
  std::size_t number_ = 0;
  JsonFields::Fail complain_ = [this](const std::string& wrong, const std::string& expected) {
    fail(wrong, expected);
  };
};

EventKind kind_of(const Lines& lines, const std::string& name) {
  std::string known;
  for (std::size_t i = 0; i < event_kinds; ++i) {
    const auto kind = static_cast<EventKind>(i);
    if (kind_name(kind) == name) return kind;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", kind_name(kind));
  }
  lines.fail(fmt::format("{} is not a kind of event", gainsay::quoted(name)), "expected one of " + known);
}

EventId id_of(const Lines& lines, const std::string& text) {
  const bool digits = text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!digits)
    lines.fail(fmt::format("\"id\" is {}", gainsay::quoted(text)), "expected 16 hexadecimal digits");
  return EventId{std::stoull(text, nullptr, 16)};
}

DataChoice choice_of(JsonFields& fields, const Json& choice) {
  if (choice.size() == 1 && choice.contains("clock_ns") && choice["clock_ns"].is_number_integer())
    return DataChoice::time(choice["clock_ns"].get<std::int64_t>());
  if (choice.size() == 1 && choice.contains("late") && choice["late"].is_boolean())
    return {choice["late"].get<bool>() ? 1U : 0U, 2, false, true};
  fields.wrong("choices", choice, "pairs [answer, among], {\"clock_ns\": ...} or {\"late\": ...}");
}

class Reader {
 public:
  Reader(std::istream& in, const std::string& file_name) : lines_(in, file_name) {}

  TraceDocument read() {
    read_head();
    while (!read_line()) {
    }
    if (lines_.next()) lines_.fail("there is text after the closing line", "expected the end of the file");
    return std::move(document_);
  }

 private:
  void read_head() {
    if (!lines_.next()) lines_.fail("the file is empty", "expected a trace written by gainsay");
    const std::string& text = lines_.text();
    if (!lines_.looks_like_head() || text.size() <= head_prefix.size()) {
      lines_.fail("this is not a gainsay trace",
                  fmt::format("expected a first line that starts with {}", head_prefix));
    }
    const std::string_view rest = std::string_view(text).substr(head_prefix.size());
    const std::string_view version = rest.substr(0, std::min(rest.find(','), std::size_t{20}));
    if (version != std::to_string(trace_format_version)) {
      lines_.fail(fmt::format("the trace has format version {}", printable_utf8(gainsay::quoted(version))),
                  fmt::format("this build reads version {}", trace_format_version));
    }
    const Json line = parse();
    JsonFields fields(line, "the line", "trace", lines_.complain());
    fields.take("format");
    fields.take("version");
    document_.scenario = fields.text("scenario");
    for (const auto& [name, value] : fields.object("options").items()) {
      document_.options.emplace_back(name, fields.text_of("options", value));
    }
    document_.strategy = fields.text("strategy");
    document_.seed = fields.natural("seed", UINT64_MAX);
    document_.run = fields.natural("run", UINT64_MAX);
    document_.steps_max = fields.natural("steps_max", UINT64_MAX);
    document_.timed = fields.boolean("timed");
    document_.actors = fields.texts("actors");
    fields.finish();
    require_written_form(head_json(document_));
  }

  // True when it was the closing line.
  bool read_line() {
    if (!lines_.next()) {
      lines_.fail(fmt::format("the trace ends after {} steps", document_.steps.size()),
                  "expected more steps or the closing line; the file is truncated");
    }
    const Json line = parse();
    JsonFields fields(line, "the line", "trace", lines_.complain());
    if (fields.has("end")) {
      read_end(fields);
      return true;
    }
    read_step(fields);
    return false;
  }

  // A step that may be missing.
  std::uint32_t read_step_number(JsonFields& fields, const char* name) {
    if (!fields.has(name)) return no_step;
    const std::uint64_t number = fields.natural(name, no_step);
    if (number == 0) lines_.fail(fmt::format("\"{}\" is 0", name), "steps are numbered from 1");
    return static_cast<std::uint32_t>(number - 1);
  }

  void read_step(JsonFields& fields) {
    const std::size_t index = document_.steps.size();
    if (fields.natural("step", UINT64_MAX) != index + 1) {
      lines_.fail(fmt::format("\"step\" is {}", fields.natural("step", UINT64_MAX)),
                  fmt::format("expected step {}", index + 1));
    }
    DocumentStep step;
    step.id = id_of(lines_, fields.text("id"));
    step.kind = kind_of(lines_, fields.text("kind"));
    if (fields.has("cause")) {
      const std::uint64_t cause = fields.natural("cause", UINT64_MAX);
      if (cause == 0 || cause > index) {
        lines_.fail(fmt::format("step {} says that step {} caused it", index + 1, cause),
                    "expected an earlier step");
      }
      step.parent = static_cast<std::uint32_t>(cause - 1);
    }
    step.from = fields.text_or_nothing("from");
    step.to = fields.text_or_nothing("to");
    step.message = fields.text_or_nothing("message");
    step.cut = fields.text_or_nothing("cut");
    if (fields.has("time_ns")) step.time_ns = fields.integer("time_ns");
    if (fields.has("choices")) {
      for (const Json& choice : fields.list("choices")) {
        if (choice.is_object()) {
          step.choices.push_back(choice_of(fields, choice));
          continue;
        }
        const Json& pair = fields.pair_of("choices", choice);
        const auto among = static_cast<std::uint32_t>(fields.natural_of("choices", pair[1], UINT32_MAX));
        if (among == 0) fields.wrong("choices", choice, "pairs [answer, among] with answer < among");
        step.choices.push_back(
            {static_cast<std::uint32_t>(fields.natural_of("choices", pair[0], among - 1)), among});
      }
    }
    step.labels = fields.texts_or_none("labels");
    if (!step.labels.empty() && step.labels.size() != step.choices.size())
      lines_.fail(fmt::format("{} labels for {} choices", step.labels.size(), step.choices.size()),
                  "expected one label for each choice");
    step.changes = fields.texts_or_none("changes");
    step.disk = fields.texts_or_none("disk");
    step.sent = fields.texts_or_none("sent");
    step.notes = fields.texts_or_none("notes");
    fields.finish();
    require_written_form(step_json(index, step));
    document_.steps.push_back(std::move(step));
  }

  void read_end(JsonFields& fields) {
    document_.end = fields.text("end");
    if (fields.has("violation")) {
      JsonFields inner(fields.object("violation"), "the violation", "trace", lines_.complain());
      Violation violation;
      violation.property = inner.text("property");
      violation.message = inner.text("message");
      document_.violating_actor = inner.text_or_nothing("actor");
      if (inner.has("actor_id")) violation.actor.raw = inner.natural("actor_id", UINT64_MAX);
      violation.step = read_step_number(inner, "step");
      violation.loop_from = read_step_number(inner, "loop_from");
      violation.hot_from = read_step_number(inner, "hot_from");
      if (inner.has("fairness")) {
        const auto kind = fairness_of(inner.text("fairness"));
        if (!kind) lines_.fail("unknown kind of fairness", "expected weak, actor or strong");
        violation.fairness = kind.value_or(FairnessKind::weak);
      }
      const std::uint32_t from = std::min(violation.loop_from, violation.hot_from);
      if (from != no_step && (violation.step == no_step || from > violation.step))
        lines_.fail("a loop or a heat begins after the step that ends it", "expected it to begin before");
      inner.finish();
      document_.violation = std::move(violation);
    }
    document_.held = fields.texts_or_none("held");
    fields.finish();
    require_written_form(end_json(document_));
  }

  // The line as JSON, once its chain has been found right.
  Json parse() {
    const std::string_view text = lines_.text();
    if (text.ends_with('\r')) lines_.fail("the line ends in a carriage return", "expected a line feed alone");
    const bool chained = text.size() > tail_size && text.ends_with("\"}") &&
                         text.substr(text.size() - tail_size, chain_prefix.size()) == chain_prefix;
    if (!chained) {
      lines_.fail("the line was edited or is not part of a trace",
                  fmt::format("expected {}\"chain\":\"{} digits\"{} at its end", "...,", chain_digits, "}"));
    }
    content_ = text.substr(0, text.size() - tail_size);
    chain_ = trace_chain(chain_, content_);
    const std::string_view found = text.substr(text.size() - chain_digits - 2, chain_digits);
    if (found != chain_text(chain_)) {
      lines_.fail("the line was edited, or lines above it were removed",
                  fmt::format("expected chain {}, found {}", chain_text(chain_), gainsay::quoted(found)));
    }
    Json line = Json::parse(content_ + "}", nullptr, false);
    if (!line.is_object()) lines_.fail("the line is not a JSON object", "expected one object per line");
    return line;
  }

  void require_written_form(const Json& again) const {
    if (content_of(again) == content_) return;
    lines_.fail("the line is not formatted as gainsay writes it",
                "expected each field once, in order, without blanks");
  }

  Lines lines_;
  TraceDocument document_;
  std::string content_;
  std::uint64_t chain_ = 0;
};

}  // namespace

std::uint64_t trace_chain(std::uint64_t before, std::string_view content) {
  Hasher hasher(before);
  hasher.add_text(content);
  return hasher.finish();
}

void write_trace(std::ostream& out, const TraceDocument& document) {
  GAINSAY_CHECK(document.violation || document.violating_actor.empty(),
                "an actor violates only where there is a violation");
  std::uint64_t chain = 0;
  const auto write = [&](const Json& line) {
    const std::string content = content_of(line);
    if (content.size() + tail_size > trace_line_bytes_max) {
      throw UserError(fmt::format("a step of the trace takes {}; a line of a trace file holds {}",
                                  human_bytes(content.size()), human_bytes(trace_line_bytes_max)));
    }
    chain = trace_chain(chain, content);
    out << content << chain_prefix << chain_text(chain) << "\"}\n";
  };
  write(head_json(document));
  for (std::size_t i = 0; i < document.steps.size(); ++i) {
    const DocumentStep& step = document.steps[i];
    GAINSAY_CHECK(step.parent == no_step || step.parent < i, "a cause comes before its effect");
    for (const DataChoice& choice : step.choices)
      GAINSAY_CHECK(choice.is_time || choice.answer < choice.among, "an answer is in range");
    write(step_json(i, step));
  }
  write(end_json(document));
}

std::string write_trace_file(const std::string& path, const TraceDocument& document) {
  std::ostringstream text;
  write_trace(text, document);
  write_whole_file(path, "trace", text.view());
  return path;
}

TraceDocument read_trace(std::istream& in, const std::string& file_name) {
  return Reader(in, file_name).read();
}

TraceDocument read_trace_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw UserError(fmt::format("{}: this is a folder; expected a trace file", path));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UserError(fmt::format("{}: {}; expected a trace file", path, std::strerror(errno)));
  return read_trace(in, path);
}

}  // namespace gainsay
