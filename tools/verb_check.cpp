#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/base/whole_file.hpp"
#include "gainsay/oracle/formats/edn.hpp"
#include "gainsay/oracle/formats/history_file.hpp"
#include "gainsay/oracle/linearizability.hpp"
#include "gainsay/oracle/models.hpp"
#include "gainsay/oracle/transactions/check.hpp"
#include "gainsay/report/history_html.hpp"
#include "gainsay/report/history_report.hpp"
#include "gainsay/report/progress.hpp"
#include "gainsay/report/row.hpp"
#include "tools/arguments.hpp"
#include "tools/ci_report.hpp"
#include "tools/interrupt.hpp"
#include "tools/machine.hpp"
#include "tools/terminal.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

struct CheckArguments {
  std::vector<std::string> files;
  std::string model;
  std::string format;
  std::string consistency;
  std::string initial;
  std::optional<std::chrono::nanoseconds> time;
  std::optional<std::uint64_t> memory_max;
  std::optional<std::uint64_t> jobs;
  std::string html;
  bool whole = false;
  CiFiles ci;
  Output output;
};

// 4GiB, or less on a small machine.
std::uint64_t memory_default() {
  const std::uint64_t machine = machine_memory_bytes();
  return machine == 0 ? 4ULL << 30U : std::min<std::uint64_t>(4ULL << 30U, machine / 4 * 3);
}
constexpr std::size_t file_width_max = 60;
constexpr std::size_t line_width_max = 240;

constexpr IsolationLevel levels[] = {
    IsolationLevel::read_uncommitted,     IsolationLevel::read_committed,
    IsolationLevel::snapshot_isolation,   IsolationLevel::serializable,
    IsolationLevel::session_serializable, IsolationLevel::strict_serializable};

std::optional<TransactionModel> transaction_model(const std::string& name) {
  if (name == "list-append") return TransactionModel::list_append;
  if (name == "rw-register") return TransactionModel::rw_register;
  return std::nullopt;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names = Model::names();
  names.insert(names.end(), {"list-append", "rw-register"});
  return names;
}

std::vector<std::string> consistency_names() {
  std::vector<std::string> names = {"linearizable", "sequential"};
  for (const IsolationLevel level : levels) names.emplace_back(isolation_name(level));
  return names;
}

Datum initial_value(const std::string& text) {
  TextSource source(text, "--initial");
  EdnReader reader(source);
  Datum value = reader.form();
  if (reader.more())
    throw UserError(fmt::format("--initial '{}': expected one value, such as 0 or {{:x 0, :y 0}}", text));
  return value;
}

// What a file may take, from its first byte on. Memory is that of the process, so files that are checked at the same
// time share what all of them may take.
class FileLimits {
 public:
  FileLimits(const CheckArguments& arguments, std::size_t at_once, const std::atomic<bool>* stop)
      : time_(arguments.time),
        memory_bytes_max_(arguments.memory_max.value_or(memory_default()) * at_once),
        memory_before_(resident_memory_bytes()),
        stop_(stop) {}

  // Why to give up, if so.
  std::optional<std::string> exceeded() const {
    if (stop_->load()) return "interrupted";
    if (time_ && Clock::now() - started_ > *time_) return "more than --time";
    const std::uint64_t now = resident_memory_bytes();
    if (now > memory_before_ && now - memory_before_ > memory_bytes_max_) return "more than --max-memory";
    return std::nullopt;
  }
  // What is left for the checker. At least a little: it looks at the clock itself.
  std::optional<std::chrono::nanoseconds> time_left() const {
    if (!time_) return std::nullopt;
    const std::chrono::nanoseconds left = *time_ - (Clock::now() - started_);
    return std::max<std::chrono::nanoseconds>(left, std::chrono::milliseconds(1));
  }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point started_ = Clock::now();
  std::optional<std::chrono::nanoseconds> time_;
  std::uint64_t memory_bytes_max_;
  std::uint64_t memory_before_;
  const std::atomic<bool>* stop_;
};

// Ends the reading of a file that takes too much.
struct GivenUp {
  std::string reason;
};

// What to do with each file; the same for all of them.
class Checker {
 public:
  Checker(const CheckArguments& arguments, const std::atomic<bool>* stop) : arguments_(arguments) {
    if (!arguments.format.empty()) format_ = format_by_name(arguments.format);
    if (!arguments.initial.empty()) model_options_.initial = initial_value(arguments.initial);
    if (!arguments.model.empty()) check_model(arguments.model);
    check_.memory_bytes_max = arguments.memory_max.value_or(memory_default());
    if (arguments.consistency == "sequential") check_.consistency = CheckOptions::Consistency::sequential;
    check_.stop = stop;
  }

  // How many files are checked at the same time, and threads for each of them.
  void use_jobs(std::size_t at_once, std::size_t jobs) {
    at_once_ = at_once;
    check_.jobs = jobs;
  }

  // Never throws what a file's content is to blame for: that is the report's error.
  HistoryReport check(const std::string& file) const {
    HistoryReport report;
    const FileLimits limits(arguments_, at_once_, check_.stop);
    try {
      const auto transactions = transaction_model(arguments_.model);
      report = transactions ? check_transactions_of(file, *transactions, limits)
                            : check_operations_of(file, limits);
    } catch (const UserError& error) {
      report.error = error.what();
      report.model = arguments_.model;
    } catch (const GivenUp& given_up) {
      report.reason = given_up.reason + " while reading";
      report.model = arguments_.model;
    } catch (const std::bad_alloc&) {
      report.reason = "out of memory";
      report.model = arguments_.model;
    }
    report.file = file;
    return report;
  }

  HistoryReport interrupted(const std::string& file) const {
    HistoryReport report;
    report.file = file;
    report.model = arguments_.model;
    report.reason = "interrupted before it was checked";
    return report;
  }

 private:
  using Clock = std::chrono::steady_clock;

  // What does not fit together whatever the files say.
  void check_model(const std::string& name) const {
    const bool transactions = transaction_model(name).has_value();
    if (!transactions) {
      const std::vector<std::string> names = model_names();
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        throw UserError(fmt::format("--model '{}': unknown model{} (models: {})", name,
                                    did_you_mean(name, names), fmt::join(names, ", ")));
      }
      Model::named(name, model_options_);
    }
    if (transactions && model_options_.initial)
      throw UserError(fmt::format("--initial is for single operations; {} has no initial value", name));
    const bool of_operations =
        arguments_.consistency == "linearizable" || arguments_.consistency == "sequential";
    if (arguments_.consistency.empty() || of_operations != transactions) return;
    throw UserError(fmt::format(
        "--consistency {} cannot be used with --model {}; expected {}", arguments_.consistency, name,
        transactions ? "an isolation level such as serializable" : "linearizable or sequential"));
  }

  static std::function<void()> give_up_beyond(const FileLimits& limits) {
    return [&limits] {
      if (auto reason = limits.exceeded()) throw GivenUp{*std::move(reason)};
    };
  }

  HistoryReport check_operations_of(const std::string& file, const FileLimits& limits) const {
    HistoryFile read = read_history_file(file, format_, give_up_beyond(limits));
    const std::string name = arguments_.model.empty() ? read.model : arguments_.model;
    if (name.empty()) {
      throw UserError(fmt::format("{}: the file does not name its model; expected --model M (models: {})",
                                  file, fmt::join(model_names(), ", ")));
    }
    check_model(name);
    const Model model = Model::named(name, model_options_);
    History history;
    try {
      history = model.typed(read.history);
    } catch (const HistoryError& error) {
      throw UserError(located(file, error.what()));
    }
    read.history = History{};
    CheckOptions options = check_;
    options.time_max = limits.time_left();
    const CheckResult result = check_history(history, *model.spec, model.initial, options);
    HistoryReportOptions shown;
    if (arguments_.whole) shown.linearization_max = history.size();
    HistoryReport report = history_report(history, *model.spec, model.initial, result, shown);
    report.model = name;
    report.format = format_name(read.format);
    report.consistency =
        options.consistency == CheckOptions::Consistency::sequential ? "sequential" : "linearizable";
    if (history.empty()) say_unrecognised(report);
    if (read.passed_over > 0)
      report.notes.push_back(
          fmt::format("{} events of processes that are not clients were skipped", read.passed_over));
    return report;
  }

  HistoryReport check_transactions_of(const std::string& file, TransactionModel model,
                                      const FileLimits& limits) const {
    const TransactionHistory history = read_transactions_file(file, model, format_, give_up_beyond(limits));
    TransactionOptions options;
    for (const IsolationLevel level : levels) {
      if (arguments_.consistency == isolation_name(level)) options.level = level;
    }
    const std::function<bool()> stopped = [&limits] { return limits.exceeded().has_value(); };
    options.stop = &stopped;
    const auto started = Clock::now();
    const TransactionReport result = check_transactions(history, model, options);
    HistoryReport report = history_report(history, model, result, options);
    report.elapsed_s = std::chrono::duration<double>(Clock::now() - started).count();
    report.model = arguments_.model;
    if (history.transactions().empty()) say_unrecognised(report);
    return report;
  }

  // An empty history is right, but nobody meant to ask that.
  static void say_unrecognised(HistoryReport& report) {
    report.verdict = Verdict::unknown;
    report.notes.clear();
    report.reason = "no operation was recognised, so nothing was checked (--format sets the format)";
  }

  // "line 12: ..." becomes "FILE:12: ...".
  static std::string located(const std::string& file, std::string_view message) {
    constexpr std::string_view line = "line ";
    if (message.starts_with(line)) return fmt::format("{}:{}", file, message.substr(line.size()));
    return fmt::format("{}: {}", file, message);
  }

  const CheckArguments& arguments_;
  HistoryFormat format_ = HistoryFormat::automatic;
  ModelOptions model_options_;
  CheckOptions check_;
  std::size_t at_once_ = 1;
};

// Checks files on some threads and hands out the reports in the order of the files, each as soon as it can be.
class Batch {
 public:
  Batch(const Checker& checker, const std::vector<std::string>& files, std::size_t jobs,
        const std::atomic<bool>* stop)
      : checker_(checker), files_(files), stop_(stop), reports_(files.size()) {
    for (std::size_t i = 0; i < std::min(jobs, files.size()); ++i) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::system_error&) {
        break;  // there are no more to be had
      }
    }
    if (threads_.empty()) work();
  }
  ~Batch() {
    for (std::thread& thread : threads_) thread.join();
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  HistoryReport wait_for(std::size_t index) {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [&] { return failure_ != nullptr || reports_[index].has_value(); });
    if (failure_ != nullptr) std::rethrow_exception(failure_);
    return std::move(*reports_[index]);
  }
  std::size_t done() const { return done_; }
  std::size_t violated() const { return violated_; }

 private:
  void work() {
    try {
      for (std::size_t i = next_++; i < files_.size(); i = next_++) {
        HistoryReport report = stop_->load() ? checker_.interrupted(files_[i]) : checker_.check(files_[i]);
        if (report.verdict == Verdict::violated) ++violated_;
        ++done_;
        const std::lock_guard lock(mutex_);
        reports_[i] = std::move(report);
        ready_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      ready_.notify_all();
    }
  }

  const Checker& checker_;
  const std::vector<std::string>& files_;
  const std::atomic<bool>* stop_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::vector<std::optional<HistoryReport>> reports_;
  std::exception_ptr failure_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> done_{0};
  std::atomic<std::size_t> violated_{0};
  std::vector<std::thread> threads_;
};

void write_page(const std::string& path, const std::vector<HistoryReport>& reports) {
  write_whole_file(path, "page", history_page(reports));
}

int check_verb(const CheckArguments& arguments) {
  if (arguments.files.empty())
    throw UserError("check needs at least one FILE with a history; `check --help` shows formats");
  if (arguments.whole && !arguments.output.json) throw UserError("--whole needs --json");
  if (!arguments.html.empty()) require_writable(arguments.html, "page");
  require_ci_writable(arguments.ci);
  const Interrupt interrupt;
  Checker checker(arguments, interrupt.flag());
  const std::size_t jobs = arguments.jobs.value_or(1);
  const std::size_t at_once = std::min(jobs, arguments.files.size());
  checker.use_jobs(at_once, std::max<std::size_t>(1, jobs / at_once));
  const bool many = arguments.files.size() > 1;
  std::size_t width = 0;
  for (const std::string& file : arguments.files) width = std::max(width, display_width(file));
  width = std::min(width, file_width_max);

  std::vector<HistoryReport> reports;
  {
    Batch batch(checker, arguments.files, jobs, interrupt.flag());
    std::optional<Progress> progress;
    // Lines and a live line would draw over each other.
    if (!arguments.output.quiet && (!many || arguments.output.json || !is_terminal(stdout))) {
      progress.emplace(
          [&, started = std::chrono::steady_clock::now()] {
            return fmt::format(
                "check: {} of {} files, {} violated, {:.0f} s so far{}", batch.done(), arguments.files.size(),
                batch.violated(),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count(),
                interrupt.flag()->load() ? ", stopping (press again to kill)" : "");
          },
          progress_options());
    }
    for (std::size_t i = 0; i < arguments.files.size(); ++i) {
      reports.push_back(batch.wait_for(i));
      if (many && !arguments.output.json) {
        std::string line = one_line(reports.back(), width);
        line.pop_back();
        say(shortened(line, line_width_max, "…") + "\n");
      }
    }
  }
  if (!arguments.html.empty()) write_page(arguments.html, reports);
  std::vector<CiCase> cases;
  for (const HistoryReport& report : reports) cases.push_back(ci_case(report));
  write_ci(arguments.ci, "check", "histories", cases);
  if (arguments.output.json) {
    say(json_text(reports));
  } else if (many) {
    say(summary_line(reports));
  } else if (reports.front().error.empty()) {
    say(history_text(reports.front(), show_options(arguments.output.color)));
  }
  if (!many && !reports.front().error.empty()) throw UserError(reports.front().error);
  if (!arguments.html.empty() && !arguments.output.json) say(fmt::format("page: {}\n", arguments.html));
  return exit_code(reports);
}

}  // namespace

Verb add_check(CLI::App& app) {
  auto arguments = std::make_shared<CheckArguments>();
  CheckArguments& a = *arguments;
  add_positionals(app, "FILE", a.files, "recorded histories; - is standard input");
  add_text(app, "--model", "NAME", a.model,
           fmt::format("the object that the histories are about: {}", fmt::join(model_names(), ", ")));
  note_words(app, "--model", model_names());
  std::vector<std::string_view> formats;
  for (const FormatInfo& info : history_formats()) formats.push_back(info.name);
  add_text(app, "--format", "NAME", a.format,
           fmt::format("{}: file format (default: detected)", fmt::join(formats, ", ")));
  note_words(app, "--format", {formats.begin(), formats.end()});
  add_word(app, "--consistency", consistency_names(), a.consistency,
           "the required consistency (linearizable; for transactions serializable)");
  add_text(app, "--initial", "VALUE", a.initial,
           "initial value of a register (nil); for several registers: {:x 0, :y 0}");
  add_duration(app, "--time", a.time,
               "time limit for each file, such as 15s or 2m (none); the verdict is then unknown");
  add_bytes(app, "--max-memory", a.memory_max, 1U << 20U,
            "memory limit for each file, such as 512MiB or 6GiB (4GiB, at most three quarters of the "
            "machine's); the verdict is then unknown");
  add_jobs(app, a.jobs);
  add_text(app, "--html", "OUT", a.html, "write one self-contained page with timelines");
  add_ci(app, a.ci);
  add_json(app, a.output);
  add_flag(app, "--whole", a.whole, "in JSON: complete linearizations, not only the first 10,000 operations");
  add_quiet(app, a.output, "no progress");
  add_color(app, a.output);
  return [arguments] { return check_verb(*arguments); };
}

}  // namespace gainsay::tools
