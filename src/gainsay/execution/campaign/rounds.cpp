#include "gainsay/execution/campaign/rounds.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>

#include "gainsay/base/budget.hpp"
#include "gainsay/base/check.hpp"
#include "gainsay/base/parallel.hpp"
#include "gainsay/execution/campaign/part_record.hpp"

namespace gainsay {
namespace {

constexpr std::uint64_t no_run = ~std::uint64_t{0};

constexpr std::uint64_t first_part_of_round(std::uint64_t part) { return std::bit_floor(part); }
constexpr bool begins_round(std::uint64_t part) { return first_part_of_round(part) == part; }

class Rounds {
 public:
  Rounds(const CampaignPlan& plan, Scouted scouted, Findings& findings)
      : plan_(plan), findings_(findings), lessons_(std::move(scouted.lessons)) {
    known_ = lessons_ ? lessons_->clone() : nullptr;
    if (plan_.options.journal != nullptr && can_be_resumed(plan_)) {
      journal_ = plan_.options.journal;
      runs_at_once_ = 1;
      take_up();
    }
  }

  void run() {
    const Needs needs = plan_.make_strategy()->needs();
    const unsigned jobs = needs.in_order ? 1 : std::max(1U, plan_.options.jobs);
    run_together(jobs, [this](unsigned) {
      try {
        work();
      } catch (...) {
        failed_ = true;
        merged_.notify_all();
        throw;
      }
    });
    // A part that nobody began, because the time was up, must not hide what was found in those after it.
    for (const auto& [part, results] : waiting_) {
      if (!merged_a_bug()) merge(results);
    }
    const std::unique_ptr<Strategy> strategy = plan_.make_strategy();
    if (lessons_) strategy->learner()->learn(*lessons_);
    findings_.guarantee = strategy->guarantee();
    if (strategy->learner() != nullptr) findings_.shares = strategy->learner()->shares();
  }

 private:
  // What one part came to.
  struct Results {
    Tally tally;
    std::unique_ptr<Lessons> lessons;

    void add(const Tally& more, std::unique_ptr<Lessons> taught) {
      tally.trace_classes.insert(tally.trace_classes.end(), more.trace_classes.begin(),
                                 more.trace_classes.end());
      tally.run_classes.insert(tally.run_classes.end(), more.run_classes.begin(), more.run_classes.end());
      tally += more;
      if (lessons && taught) {
        lessons->merge(*taught);
      } else if (taught) {
        lessons = std::move(taught);
      }
    }
  };
  // Of a part that another process has begun.
  struct Begun {
    Results results;
    std::uint64_t next = 0;  // the run to make next
    bool found = false;      // it ended with a violation
  };

  // Takes up what is in the journal. Parts that are done are handed in; others are gone on with.
  void take_up() {
    for (const std::string& record : journal_->records()) {
      std::optional<PartRecord> read = read_part(record, plan_);
      if (!read)
        throw UserError(
            "the campaign journal cannot be read: it was written by another version of the program");
      Begun& begun = begun_[read->part];
      begun.results.add(read->tally, std::move(read->lessons));
      begun.next = read->next;
      begun.found = begun.found || read->found;
      if (read->found) lower_first_bug(read->next - 1);
    }
    for (auto part = begun_.begin(); part != begun_.end();) {
      const bool done = part->second.found || part->second.next >= end_of(part->first);
      if (!done) {
        ++part;
        continue;
      }
      done_.insert(part->first);
      hand_in(part->first, std::move(part->second.results));
      part = begun_.erase(part);
    }
  }

  void work() {
    Worker worker(plan_);
    const bool learns = worker.strategy().learner() != nullptr;
    std::optional<std::uint64_t> round;  // its first part
    Worker::Ended ended = Worker::Ended::whole;
    while (ended == Worker::Ended::whole || ended == Worker::Ended::found) {
      const std::uint64_t part = next_part_.fetch_add(1);
      if (is_beyond(part) || plan_.alarm.raised()) break;
      if (done_.contains(part)) continue;
      if (round != first_part_of_round(part)) {
        round = first_part_of_round(part);
        if (learns && !enter_round(worker, part)) break;
      }
      ended = make_part(worker, part);
      worker.tidy();
    }
    const std::lock_guard lock(mutex_);
    findings_.handler_calls += worker.handler_calls();
  }

  // Whether nothing of `part` will count.
  bool is_beyond(std::uint64_t part) const {
    const std::uint64_t first = part * part_runs;
    return (plan_.options.runs && first >= *plan_.options.runs) || first > first_bug_.load();
  }

  // Waits until all runs before the round of `part` are merged, and teaches the worker. False: there is
  // nothing left to do.
  bool enter_round(Worker& worker, std::uint64_t part) {
    std::unique_lock lock(mutex_);
    while (merged_parts_ < first_part_of_round(part)) {
      if (plan_.alarm.raised() || failed_ || is_beyond(part)) return false;
      merged_.wait_for(lock, std::chrono::milliseconds(20));
    }
    if (known_) worker.strategy().learner()->learn(*known_);
    return true;
  }

  Worker::Ended make_part(Worker& worker, std::uint64_t part) {
    const HuntOptions& options = plan_.options;
    const Worker::AtBug at_bug = options.keep_going ? Worker::AtBug::go_on : Worker::AtBug::stop;
    std::uint64_t next = part * part_runs;
    const std::uint64_t end = end_of(part);
    Results results;
    if (const auto begun = begun_.find(part); begun != begun_.end()) {
      results = std::move(begun->second.results);
      next = begun->second.next;
    }
    Worker::Ended ended = Worker::Ended::whole;
    while (ended == Worker::Ended::whole && next < end) {
      Tally tally;
      const std::uint64_t first = next;
      const Budget clock;
      ended = worker.make_runs(next, std::min(end, next + runs_at_once_.load()), at_bug, tally);
      std::unique_ptr<Lessons> lessons;
      if (Learner* const learner = worker.strategy().learner()) lessons = learner->take_lessons();
      if (journal_ != nullptr) {
        const double took_s = clock.elapsed_s();
        enter({part, next, ended == Worker::Ended::found, tally, lessons.get()});
        pace(next - first, took_s);
      }
      results.add(tally, std::move(lessons));
    }
    if (ended == Worker::Ended::found) lower_first_bug(next - 1);
    hand_in(part, std::move(results));
    return ended;
  }
  std::uint64_t end_of(std::uint64_t part) const {
    return std::min(plan_.options.runs.value_or(no_run), (part + 1) * part_runs);
  }

  void enter(const PartEntry& entry) {
    const std::string record = part_record(entry);
    const std::lock_guard lock(mutex_);
    journal_->append(record);
  }
  // As many runs between two entries as take half a second.
  void pace(std::uint64_t runs, double took_s) {
    if (runs == 0) return;
    const double fit = 0.5 * static_cast<double>(runs) / std::max(took_s, 1e-6);
    runs_at_once_ = static_cast<std::uint64_t>(std::clamp(fit, 1.0, static_cast<double>(part_runs)));
  }

  void lower_first_bug(std::uint64_t index) {
    std::uint64_t known = first_bug_.load();
    while (index < known && !first_bug_.compare_exchange_weak(known, index)) {
    }
  }

  void hand_in(std::uint64_t part, Results results) {
    const std::lock_guard lock(mutex_);
    const bool fresh = waiting_.emplace(part, std::move(results)).second;
    GAINSAY_CHECK(fresh && part >= merged_parts_, "a part is made once");
    while (!waiting_.empty() && waiting_.begin()->first == merged_parts_ && !merged_a_bug()) {
      merge(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      ++merged_parts_;
      if (begins_round(merged_parts_)) {
        if (lessons_) known_ = lessons_->clone();
        merged_.notify_all();
      }
    }
    findings_.publish(plan_.options.progress);
    findings_.confirm_new(plan_);
  }

  void merge(const Results& results) {
    findings_.add(results.tally);
    if (!results.lessons) return;
    if (lessons_) {
      lessons_->merge(*results.lessons);
    } else {
      lessons_ = results.lessons->clone();
    }
  }

  bool merged_a_bug() const { return !plan_.options.keep_going && findings_.total.counts.buggy_runs > 0; }

  const CampaignPlan& plan_;
  Findings& findings_;
  CampaignJournal* journal_ = nullptr;
  std::map<std::uint64_t, Begun> begun_;                // by part; read only, once workers run
  std::set<std::uint64_t> done_;                        // parts that another process has made; likewise
  std::atomic<std::uint64_t> runs_at_once_{part_runs};  // between two entries of the journal
  std::atomic<std::uint64_t> next_part_{0};
  std::atomic<std::uint64_t> first_bug_{no_run};
  std::mutex mutex_;
  std::condition_variable merged_;  // a round has become possible
  std::atomic<bool> failed_{false};
  std::map<std::uint64_t, Results> waiting_;
  std::uint64_t merged_parts_ = 0;
  std::unique_ptr<Lessons> lessons_;  // of all merged runs
  std::unique_ptr<Lessons> known_;    // of those before the current round
};

}  // namespace

void make_rounds(const CampaignPlan& plan, Scouted scouted, Findings& findings) {
  GAINSAY_CHECK(!plan.search, "searches have no rounds");
  Rounds(plan, std::move(scouted), findings).run();
}

}  // namespace gainsay
