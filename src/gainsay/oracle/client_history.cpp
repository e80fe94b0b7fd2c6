#include "gainsay/oracle/client_history.hpp"

#include <map>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/oracle/history.hpp"
#include "gainsay/oracle/linearizability.hpp"

namespace gainsay {
namespace {

constexpr std::uint64_t memory_max = 256ULL << 20U;
constexpr std::uint64_t steps_max = 4'000'000;
constexpr std::size_t listed_max = 12;

// Entries of an execution as a history. Each process of the history does one operation at a time, so a client with
// several under way is several processes. Where only the order of clients counts, processes that are free are used
// again, and belong together.
class Recorder {
 public:
  Recorder(const WorldReader& world, const ClientTypes& types, bool real_time)
      : world_(world), types_(types), real_time_(real_time) {}

  // A complaint where an operation or result is not the specification's.
  Complaint add(const HistoryEntry& entry) {
    const std::pair place(entry.process, entry.number);
    if (entry.invocation) {
      AnyValue op = types_.op(*entry.type, entry.data);
      const std::string actor = world_.name(entry.process);
      if (!op.has_value()) {
        return fmt::format("{} invoked {}, which is not an operation of the specification; expected {}",
                           actor, entry.type->name, types_.spec->op->full_name);
      }
      if (process_of_.contains(place))
        return fmt::format(
            "an operation was begun for {}, whose last operation is still open (ctx.invoke_for); use a "
            "separate client for each operation",
            actor);
      const std::string process = free_process(actor, entry);
      history_.invoke(process, std::move(op), where(entry));
      process_of_[place] = process;
      return {};
    }
    const auto open = process_of_.find(place);
    if (open == process_of_.end())
      return fmt::format("{} completed operation {}, which it has not invoked or has completed before",
                         world_.name(entry.process), entry.number);
    const std::string process = open->second;
    process_of_.erase(open);
    switch (entry.how) {
      case Completion::failed:
        history_.fail(process, {}, where(entry));
        return {};
      case Completion::unknown:
        history_.info(process, where(entry));
        return {};
      case Completion::ok:
        break;
    }
    if (entry.type == nullptr) {
      history_.ok(process, {}, where(entry));
      return {};
    }
    AnyValue result = types_.result(*entry.type, entry.data);
    if (!result.has_value()) {
      return fmt::format(
          "{} completed an operation with {}, which is not a result of the specification; expected {}",
          world_.name(entry.process), entry.type->name, types_.spec->result->full_name);
    }
    history_.ok(process, std::move(result), where(entry));
    return {};
  }

  const History& history() const { return history_; }

 private:
  std::string free_process(const std::string& actor, const HistoryEntry& entry) {
    if (!history_.is_open(actor)) return actor;
    std::vector<std::string>& more = more_of_[entry.process];
    if (!real_time_) {
      for (const std::string& each : more) {
        if (!history_.is_open(each)) return each;
      }
    }
    more.push_back(fmt::format("{}/{}", actor, entry.number));
    history_.belongs_to(more.back(), actor);
    return more.back();
  }

  static History::Where where(const HistoryEntry& entry) {
    History::Where where;
    where.source = fmt::format("step {}", entry.step + 1ULL);
    return where;
  }

  const WorldReader& world_;
  const ClientTypes& types_;
  bool real_time_;
  History history_;
  std::map<ActorId, std::vector<std::string>> more_of_;  // processes of a client, besides the first
  std::map<std::pair<ActorId, std::uint32_t>, std::string> process_of_;  // of operations under way
};

std::string listed(const History& history, const SpecType& spec, std::size_t index) {
  const Operation& operation = history[index];
  const std::string ended = operation.returned == never ? "not completed" : "";
  return fmt::format(
      "\n  {}: {} (invoked in {}{}{})", history.process_name(operation),
      spec.text(operation.op.data(), operation.result.has_value() ? operation.result.data() : nullptr),
      operation.source, ended.empty() ? "" : ", ", ended);
}

}  // namespace

Complaint judge_client_history(std::span<const HistoryEntry> entries, const WorldReader& world,
                               const ClientTypes& types, const AnyValue& initial, bool real_time) {
  Recorder recorder(world, types, real_time);
  for (const HistoryEntry& entry : entries) {
    if (Complaint complaint = recorder.add(entry)) return complaint;
  }
  const History& history = recorder.history();
  CheckOptions options;
  options.consistency =
      real_time ? CheckOptions::Consistency::linearizable : CheckOptions::Consistency::sequential;
  options.memory_bytes_max = memory_max;
  options.steps_max = steps_max;
  const CheckResult result = check_history(history, *types.spec, initial, options);
  if (result.verdict == Verdict::ok) return {};
  if (result.verdict == Verdict::unknown) {
    std::string text = fmt::format("the history of {} operations could not be judged: {}", history.size(),
                                   result.unknown_because);
    return result.over_budget ? Complaint::unjudged(std::move(text)) : Complaint(std::move(text));
  }
  std::string text = real_time ? "not linearizable: " : "not sequentially consistent: ";
  text += result.explanation.why.empty() ? "no order of the operations fits" : result.explanation.why;
  const auto& contradiction = result.explanation.contradiction;
  if (!contradiction.empty()) text += "\nthese contradict each other:";
  for (std::size_t i = 0; i < contradiction.size() && i < listed_max; ++i)
    text += listed(history, *types.spec, contradiction[i]);
  if (contradiction.size() > listed_max)
    text += fmt::format("\n  and {} more", contradiction.size() - listed_max);
  return text;
}

}  // namespace gainsay
