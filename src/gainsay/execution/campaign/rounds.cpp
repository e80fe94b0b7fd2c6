#include "gainsay/execution/campaign/rounds.hpp"

#include <algorithm>
#include <bit>
#include <condition_variable>
#include <map>
#include <mutex>

#include "gainsay/base/check.hpp"
#include "gainsay/base/parallel.hpp"

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
  };

  void work() {
    Worker worker(plan_);
    const bool learns = worker.strategy().learner() != nullptr;
    std::optional<std::uint64_t> round;  // its first part
    Worker::Ended ended = Worker::Ended::whole;
    while (ended == Worker::Ended::whole || ended == Worker::Ended::found) {
      const std::uint64_t part = next_part_.fetch_add(1);
      if (is_beyond(part) || plan_.alarm.raised()) break;
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
    std::uint64_t next = part * part_runs;
    const std::uint64_t end = std::min(options.runs.value_or(no_run), next + part_runs);
    Results results;
    const Worker::Ended ended = worker.make_runs(
        next, end, options.keep_going ? Worker::AtBug::go_on : Worker::AtBug::stop, results.tally);
    if (ended == Worker::Ended::found) lower_first_bug(next - 1);
    if (Learner* const learner = worker.strategy().learner()) results.lessons = learner->take_lessons();
    hand_in(part, std::move(results));
    return ended;
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
