#include "gainsay/oracle/formats/json_events.hpp"

#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay {
namespace {

using Json = nlohmann::json;
constexpr std::size_t depth_max = 100;

// Characters of a source, for nlohmann's parser.
class Characters {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  Characters() = default;
  explicit Characters(TextSource& source) : source_(&source) {}
  char operator*() const { return static_cast<char>(source_->peek()); }
  Characters& operator++() {
    source_->next();
    return *this;
  }
  Characters operator++(int) {
    Characters before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Characters& other) const { return at_end() == other.at_end(); }
  bool operator!=(const Characters& other) const { return !(*this == other); }

 private:
  bool at_end() const { return source_ == nullptr || source_->peek() == TextSource::end; }

  TextSource* source_ = nullptr;
};

// Builds a Datum out of what the parser meets inside an object's field. Objects become lists of pairs.
class FieldBuilder {
 public:
  void clear() {
    open_.clear();
    done_.reset();
  }
  std::size_t depth() const { return open_.size(); }
  std::optional<Datum>& done() { return done_; }

  void scalar(Datum value) {
    if (open_.empty()) {
      done_ = std::move(value);
      return;
    }
    open_.back().push_back(std::move(value));
  }
  void begin() { open_.emplace_back(); }
  void key(std::string& name) { open_.back().push_back(Datum::of(std::move(name))); }
  void end_list() {
    Datum::List list = std::move(open_.back());
    open_.pop_back();
    scalar(Datum::of(std::move(list)));
  }
  void end_object() {
    Datum::List flat = std::move(open_.back());
    open_.pop_back();
    Datum::List pairs;
    for (std::size_t i = 0; i + 1 < flat.size(); i += 2)
      pairs.push_back(Datum::of(Datum::List{std::move(flat[i]), std::move(flat[i + 1])}));
    scalar(Datum::of(std::move(pairs)));
  }

 private:
  std::vector<Datum::List> open_;
  std::optional<Datum> done_;
};

class Handler final : public nlohmann::json_sax<Json> {
 public:
  Handler(const TextSource& source, const FileNotes& notes, const EventSink& sink, bool in_array)
      : source_(source), notes_(notes), sink_(sink), in_array_(in_array) {}

  // Of a line; the array counts lines itself.
  void at_line(std::uint64_t line) { line_ = line; }

  bool null() override { return scalar(Datum::nil()); }
  bool boolean(bool value) override { return scalar(Datum::of(value)); }
  bool number_integer(number_integer_t value) override { return scalar(Datum::of(std::int64_t{value})); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return scalar(Datum::of(static_cast<std::int64_t>(value)));
    return scalar(Datum::of(std::to_string(value)));
  }
  bool number_float(number_float_t, const string_t& text) override {
    return scalar(Datum::of(std::string(text)));
  }
  bool string(string_t& value) override { return scalar(Datum::of(std::move(value))); }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override {
    if (in_event_) {
      field_.begin();
      return check_depth();
    }
    if (in_array_ && !array_open_) expected_array();
    in_event_ = true;
    event_ = RecordedEvent{};
    event_.line = in_array_ ? source_.line() : line_;
    has_type_ = has_process_ = false;
    return true;
  }
  bool key(string_t& name) override {
    if (field_.depth() > 0) {
      field_.key(name);
    } else {
      name_ = name;
    }
    return true;
  }
  bool end_object() override {
    if (field_.depth() > 0) {
      field_.end_object();
      return take_field();
    }
    finish_event();
    return true;
  }
  bool start_array(std::size_t) override {
    if (in_event_) {
      field_.begin();
      return check_depth();
    }
    if (!in_array_ || array_open_) expected_object();
    array_open_ = true;
    return true;
  }
  bool end_array() override {
    if (!in_event_) return true;
    field_.end_list();
    return take_field();
  }
  bool parse_error(std::size_t, const std::string& last_token, const Json::exception&) override {
    source_.fail(
        in_array_ ? source_.line() : line_,
        fmt::format("not well-formed JSON near {}; expected {}", gainsay::quoted(last_token.substr(0, 40)),
                    in_array_ ? "an array of objects" : "one object per line"));
  }

 private:
  std::uint64_t line() const { return in_array_ ? source_.line() : line_; }
  [[noreturn]] void expected_object() const {
    source_.fail(line(),
                 "expected an event as an object, {\"process\": 0, \"type\": \"invoke\", \"f\": \"read\"}");
  }
  [[noreturn]] void expected_array() const {
    source_.fail(line(), "expected an array of events, [{...}, ...]");
  }
  bool check_depth() const {
    if (field_.depth() > depth_max)
      source_.fail(line(), fmt::format("brackets are nested deeper than {}; expected a history", depth_max));
    return true;
  }
  bool scalar(Datum value) {
    if (!in_event_) expected_object();
    field_.scalar(std::move(value));
    return take_field();
  }

  // A field is complete once nothing of it is open.
  bool take_field() {
    if (!field_.done()) return true;
    Datum value = std::move(*field_.done());
    field_.clear();
    if (name_ == "type") {
      has_type_ = true;
      const std::string text = value.text() != nullptr ? *value.text() : "";
      for (const auto kind : {RecordedEvent::Kind::invoke, RecordedEvent::Kind::ok, RecordedEvent::Kind::fail,
                              RecordedEvent::Kind::info}) {
        if (text == kind_name(kind)) {
          event_.kind = kind;
          return true;
        }
      }
      source_.fail(line(), fmt::format("unknown type {}; expected \"invoke\", \"ok\", \"fail\" or \"info\"",
                                       to_text(value)));
    } else if (name_ == "process") {
      has_process_ = true;
      event_.numbered_process = value.integer() != nullptr;
      event_.process = value.text() != nullptr ? *value.text() : to_text(value);
    } else if (name_ == "f") {
      if (value.text() == nullptr) source_.fail(line(), "expected the name of an operation as \"f\"");
      event_.function = *value.text();
    } else if (name_ == "value") {
      event_.value = std::move(value);
    } else if (name_ == "key") {
      event_.key = std::move(value);
    } else if (name_ == "time") {
      if (value.integer() != nullptr) event_.time_ns = *value.integer();
    } else if (name_ == "id") {
      if (value.integer() == nullptr || *value.integer() < 0)
        source_.fail(line(), fmt::format("the id {} is not a whole number from 0", to_text(value)));
      event_.id = static_cast<std::uint64_t>(*value.integer());
    }
    return true;
  }

  void finish_event() {
    in_event_ = false;
    if (!has_type_)
      source_.fail(event_.line, "this event has no \"type\"; expected invoke, ok, fail or info");
    if (!has_process_) source_.fail(event_.line, "this event has no \"process\"");
    sink_(std::move(event_), notes_);
  }

  const TextSource& source_;
  const FileNotes& notes_;
  const EventSink& sink_;
  bool in_array_;
  bool array_open_ = false;
  bool in_event_ = false;
  bool has_type_ = false;
  bool has_process_ = false;
  std::uint64_t line_ = 0;
  std::string name_;  // of the field being read
  FieldBuilder field_;
  RecordedEvent event_;
};

}  // namespace

void read_json_lines(TextSource& source, const FileNotes& notes, const EventSink& sink) {
  Handler handler(source, notes, sink, false);
  std::string text;
  std::uint64_t line = 0;
  while (source.next_line(text, line)) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    handler.at_line(line);
    Json::sax_parse(text.begin(), text.end(), &handler);
  }
}

void read_json_array(TextSource& source, const FileNotes& notes, const EventSink& sink) {
  Handler handler(source, notes, sink, true);
  Json::sax_parse(Characters(source), Characters(), &handler);
}

}  // namespace gainsay
