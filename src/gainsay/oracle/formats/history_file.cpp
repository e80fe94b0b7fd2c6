#include "gainsay/oracle/formats/history_file.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

using Kind = RecordedEvent::Kind;

bool is_one_of(const std::string& function, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), function) != names.end();
}
bool is_read(const std::string& function) { return is_one_of(function, {"read", "r", "get"}); }
bool is_cas(const std::string& function) { return is_one_of(function, {"cas", "compare-and-set"}); }
bool is_lock(const std::string& function) {
  return is_one_of(function, {"acquire", "release", "lock", "unlock"});
}

bool times_out(const std::optional<Datum>& value) {
  return value && value->text() != nullptr && *value->text() == "timed-out";
}

// --- Single operations -------------------------------------------------------------------------------------------

class HistoryBuilder {
 public:
  explicit HistoryBuilder(const TextSource& source) : source_(source) {}

  void take(RecordedEvent&& event, const FileNotes& notes) {
    ++file_.events;
    if (!event.numbered_process && notes.format != HistoryFormat::json &&
        notes.format != HistoryFormat::limo) {
      ++file_.passed_over;
      return;
    }
    try {
      if (event.kind == Kind::invoke) {
        invoke(event, notes);
      } else {
        complete(event, notes);
      }
    } catch (const HistoryError& error) {
      // Says the line itself, as its source; here it stands beside the file.
      std::string_view message = error.what();
      const std::string line = fmt::format("line {}: ", event.line);
      if (message.starts_with(line)) message.remove_prefix(line.size());
      source_.fail(event.line, message);
    }
  }

  HistoryFile finish(const FileNotes& notes) {
    file_.format = notes.format;
    file_.model = notes.object;
    if (notes.format == HistoryFormat::kv) file_.model = "kv";
    return std::move(file_);
  }

 private:
  // Line numbers alone: whoever complains puts the file before it.
  History::Where where(const RecordedEvent& event, const FileNotes& notes) const {
    History::Where result;
    result.source = fmt::format("line {}", event.line);
    // Jepsen's clocks are read before events are put in order, so only our own are held to it.
    if (notes.format == HistoryFormat::json) {
      result.time_ns = event.time_ns;
      result.id = event.id;
    }
    return result;
  }

  void invoke(RecordedEvent& event, const FileNotes& notes) {
    if (event.function.empty())
      source_.fail(
          event.line,
          fmt::format("process {} invokes something without a name; expected a function, f", event.process));
    Call call{event.function, {}};
    if (event.key && event.value && !event.value->is_nil()) {
      call.argument = Datum::of(Datum::List{std::move(*event.key), *event.value});
    } else if (event.key) {
      call.argument = std::move(*event.key);
    } else if (event.value && !(is_read(event.function) && event.value->is_nil())) {
      call.argument = *event.value;
    }
    History::Where here = where(event, notes);
    Open open{event.function, std::nullopt, std::nullopt};
    if (is_one_of(event.function, {"append"})) open.appended = call.argument;
    if (notes.format == HistoryFormat::limo) {
      const bool inserts = is_one_of(event.function, {"add", "enq", "enqueue", "push", "insert"});
      if (!inserts && event.value && notes.object != "set") {
        open.carried = std::move(event.value);  // the call says what it will return
        call.argument = Datum::nil();
      }
      if (inserts && !event.value)
        source_.fail(event.line, fmt::format("expected a value, {}(VALUE)", event.function));
    }
    file_.history.invoke(event.process, AnyValue::of(call), std::move(here));
    open_[event.process] = std::move(open);
  }

  void complete(RecordedEvent& event, const FileNotes& notes) {
    const History::Where here = where(event, notes);
    const auto found = open_.find(event.process);
    // Without an invocation the history itself complains.
    const Open open = found == open_.end() ? Open{} : found->second;
    if (found != open_.end()) open_.erase(found);
    const std::string& function = open.function;
    if (!event.function.empty() && !function.empty() && event.function != function) {
      source_.fail(event.line, fmt::format("process {} returns from {}, but it invoked {}", event.process,
                                           event.function, function));
    }
    switch (event.kind) {
      case Kind::ok:
        file_.history.ok(event.process, result(event, open, notes), here);
        return;
      case Kind::fail:
        fail(event, function, notes, here);
        return;
      case Kind::info:
        file_.history.info(event.process, here);
        return;
      case Kind::invoke:
        GAINSAY_CHECK(false, "an invocation does not complete");
    }
  }

  struct Open {
    std::string function;
    std::optional<Datum> carried;
    std::optional<Datum> appended;
  };

  static AnyValue result(RecordedEvent& event, const Open& open, const FileNotes& notes) {
    if (is_lock(open.function) && (!event.value || event.value->boolean() == nullptr))
      return AnyValue::of(Datum::of(true));
    if (notes.format == HistoryFormat::limo) {
      if (event.value) return AnyValue::of(*event.value);
      if (open.carried) return AnyValue::of(*open.carried);
      return AnyValue::of(Datum::nil());
    }
    if (notes.format == HistoryFormat::json) return event.value ? AnyValue::of(*event.value) : AnyValue{};
    if (is_cas(open.function)) return AnyValue::of(Datum::of(true));
    if (!event.value) return {};
    // Jepsen repeats what was asked for; a position in a log would be another value.
    if (open.appended && *event.value == *open.appended) return {};
    if (event.value->is_nil() && is_read(open.function) && notes.format != HistoryFormat::jepsen_log)
      return {};
    return AnyValue::of(*event.value);
  }

  void fail(const RecordedEvent& event, const std::string& function, const FileNotes& notes,
            const History::Where& here) {
    if (notes.format == HistoryFormat::jepsen_log) {
      if (is_cas(function) && !times_out(event.value)) {
        file_.history.ok(event.process, AnyValue::of(Datum::of(false)), here);
        return;
      }
      if (!is_read(function) && times_out(event.value)) {
        file_.history.info(event.process, here);
        return;
      }
    }
    file_.history.fail(event.process, AnyValue{}, here);
  }

  const TextSource& source_;
  HistoryFile file_;
  std::map<std::string, Open> open_;  // by process
};

// --- Transactions -------------------------------------------------------------------------------------------------

class TransactionBuilder {
 public:
  TransactionBuilder(const TextSource& source, TransactionModel model) : source_(source), model_(model) {}

  void take(RecordedEvent&& event, const FileNotes& notes) {
    const std::uint64_t position = position_++;
    if (!event.numbered_process && notes.format != HistoryFormat::json) return;
    const auto open = open_.find(event.process);
    if (event.kind == Kind::invoke) {
      if (open != open_.end()) {
        source_.fail(event.line,
                     fmt::format("process {} invokes again while its transaction of line {} has not "
                                 "returned; a process does one at a time",
                                 event.process, open->second.event.line));
      }
      const std::string process = event.process;
      open_.emplace(process, Open{std::move(event), position});
      return;
    }
    if (open == open_.end()) {
      source_.fail(event.line, fmt::format("process {} has {} without an invocation before it", event.process,
                                           kind_name(event.kind)));
    }
    const Open invocation = std::move(open->second);
    open_.erase(open);
    if (event.kind == Kind::ok) {
      // A return without a value tells that it took place and nothing about what was read.
      add(TransactionStatus::committed, invocation, event.value ? event : invocation.event,
          event.value.has_value(), position);
    } else {
      const bool aborted = event.kind == Kind::fail;
      add(aborted ? TransactionStatus::aborted : TransactionStatus::unknown, invocation, invocation.event,
          false, aborted ? position : not_completed);
    }
  }

  TransactionHistory finish() {
    // In the order of the file, not of names.
    std::vector<const Open*> rest;
    for (const auto& [process, open] : open_) rest.push_back(&open);
    std::sort(rest.begin(), rest.end(),
              [](const Open* a, const Open* b) { return a->position < b->position; });
    for (const Open* open : rest) add(TransactionStatus::unknown, *open, open->event, false, not_completed);
    return std::move(history_);
  }

 private:
  struct Open {
    RecordedEvent event;
    std::uint64_t position;
  };

  [[noreturn]] void complain(const RecordedEvent& event, const Datum& found) const {
    source_.fail(event.line, fmt::format("expected {}, not {}",
                                         model_ == TransactionModel::list_append
                                             ? "operations [:append KEY VALUE] or [:r KEY LIST]"
                                             : "operations [:w KEY VALUE] or [:r KEY VALUE]",
                                         shortened(to_text(found))));
  }
  static std::string shortened(std::string text) {
    if (text.size() > 80) text = text.substr(0, 77) + "...";
    return text;
  }

  void add(TransactionStatus status, const Open& invocation, const RecordedEvent& event, bool reads_known,
           std::uint64_t completed) {
    Transaction& transaction = history_.begin(status);
    transaction.process = invocation.event.process;
    transaction.line = invocation.event.line;
    transaction.invoked = invocation.position;
    transaction.completed = completed;
    const Datum::List* operations = event.value ? event.value->list() : nullptr;
    if (operations == nullptr) complain(event, event.value.value_or(Datum::nil()));
    for (const Datum& operation : *operations) add_operation(event, operation, reads_known);
  }

  // Words are shown bare; whatever could be taken for something else keeps its quotes.
  static std::string name_of(const Datum& datum) {
    const std::string* text = datum.text();
    const auto in_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
             c == '-';
    };
    const bool bare = text != nullptr && !text->empty() && text->front() > '9' &&
                      std::all_of(text->begin(), text->end(), in_word) &&
                      !is_one_of(*text, {"nil", "true", "false"});
    return bare ? *text : to_text(datum);
  }

  void add_operation(const RecordedEvent& event, const Datum& operation, bool reads_known) {
    const Datum* name = element(operation, 0);
    const Datum* key = element(operation, 1);
    const Datum* value = element(operation, 2);
    if (name == nullptr || name->text() == nullptr || key == nullptr) complain(event, operation);
    const std::string& function = *name->text();
    const bool lists = model_ == TransactionModel::list_append;
    const KeyId key_id = history_.key(name_of(*key));
    if (function == "r" || function == "read") {
      if (!reads_known) {
        history_.add_unknown_read(key_id);
      } else if (!lists) {
        const bool nothing = value == nullptr || value->is_nil();
        history_.add_register_read(key_id, nothing ? no_element : history_.value(name_of(*value)));
      } else {
        if (value != nullptr && !value->is_nil() && value->list() == nullptr) complain(event, operation);
        std::vector<ElementId> elements;
        if (value != nullptr && value->list() != nullptr) {
          for (const Datum& element : *value->list()) elements.push_back(history_.value(name_of(element)));
        }
        history_.add_list_read(key_id, elements);
      }
      return;
    }
    const bool writes = lists ? function == "append" : function == "w" || function == "write";
    if (!writes || value == nullptr || value->is_nil()) complain(event, operation);
    history_.add_write(key_id, history_.value(name_of(*value)));
  }

  const TextSource& source_;
  TransactionModel model_;
  TransactionHistory history_;
  std::uint64_t position_ = 0;
  std::map<std::string, Open> open_;
};

}  // namespace

HistoryFile read_history(TextSource& source, HistoryFormat format) {
  HistoryBuilder builder(source);
  const FileNotes notes = read_events(source, format, [&](RecordedEvent&& event, const FileNotes& known) {
    builder.take(std::move(event), known);
  });
  return builder.finish(notes);
}

HistoryFile read_history_file(const std::string& file, HistoryFormat format, std::function<void()> look) {
  TextSource source(file);
  source.watch(std::move(look));
  return read_history(source, format);
}

TransactionHistory read_transactions(TextSource& source, TransactionModel model, HistoryFormat format) {
  TransactionBuilder builder(source, model);
  read_events(source, format,
              [&](RecordedEvent&& event, const FileNotes& notes) { builder.take(std::move(event), notes); });
  return builder.finish();
}

TransactionHistory read_transactions_file(const std::string& file, TransactionModel model,
                                          HistoryFormat format, std::function<void()> look) {
  TextSource source(file);
  source.watch(std::move(look));
  return read_transactions(source, model, format);
}

}  // namespace gainsay
