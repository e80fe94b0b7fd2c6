#include "tools/supervise.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string>

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/user_call.hpp"
#include "tools/machine.hpp"
#include "tools/sanitizer_report.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t attempts_max = CallBoard::deaths_max - 1;
constexpr std::chrono::seconds patience{60};  // for attempts, where the user gave no end
constexpr int between_looks_ms = 50;
constexpr int incomplete = 3;

Attempt this_attempt;
std::atomic<pid_t> worker_pid{0};
std::atomic<bool> signalled{false};

// --- in the worker ---

// Says on the board how this process dies. Only what a signal handler may do.
void enter_dying(Death death) {
  CallBoard* const board = call_board();
  if (board == nullptr) return;
  death.call = call_slot().call.load();
  board->enter_dying(death);
}

void die_of_signal(int number) {
  enter_dying({.kind = DeathKind::signal, .number = number});
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(number, &standard, nullptr);
  raise(number);  // blocked until the handler returns
}

// Somebody called exit(): it was not us.
void die_of_exit(int code, void*) {
  enter_dying({.kind = DeathKind::exit, .number = code});
  std::_Exit(code);
}

void die_of_sanitizer(const char* report) {
  Death death{.kind = DeathKind::sanitizer};
  std::strncpy(death.report.data(), report, death.report.size() - 1);
  enter_dying(death);
}

// Sanitizers have handlers of their own for some signals, which print a report and then end the process.
bool has_default_handler(int number) {
  struct sigaction now {};
  sigaction(number, nullptr, &now);
  return (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL;
}

[[noreturn]] void be_worker(CallBoard& board, pid_t parent, const std::function<int()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) std::_Exit(incomplete);  // it died before we could ask
  use_call_board(&board);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) {
    if (!has_default_handler(number)) continue;
    struct sigaction action {};
    action.sa_handler = die_of_signal;
    action.sa_flags = SA_ONSTACK;
    sigaction(number, &action, nullptr);
  }
  on_exit(die_of_exit, nullptr);
  on_sanitizer_report(die_of_sanitizer);
  const int code = work();
  board.exit_code = code;
  std::fflush(nullptr);
  std::_Exit(code);
}

// --- in the parent ---

// A signal that somebody sent to this process is meant for the worker. What a terminal sends goes to both.
void pass_on(int number, siginfo_t* info, void*) {
  signalled = true;
  const pid_t pid = worker_pid.load();
  if (pid > 0 && info->si_code <= 0) kill(pid, number);
}

class PassOn {
 public:
  PassOn() {
    for (std::size_t i = 0; i < signals.size(); ++i) {
      struct sigaction action {};
      action.sa_sigaction = pass_on;
      action.sa_flags = SA_SIGINFO | SA_RESTART;
      sigaction(signals[i], &action, &old_[i]);
    }
  }
  ~PassOn() { restore(); }
  PassOn(const PassOn&) = delete;
  PassOn& operator=(const PassOn&) = delete;
  // Also in the child, where the work has handlers of its own.
  void restore() const {
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &old_[i], nullptr);
  }

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  std::array<struct sigaction, signals.size()> old_{};
};

std::uint64_t resident_bytes(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/statm", pid));
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  if (!(in >> size >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// Looks at the calls of a worker from outside, several times a second.
class Watchdog {
 public:
  Watchdog(CallBoard& board, const Supervision& how)
      : board_(board), how_(how), bytes_max_(how.memory_bytes_max.value_or(machine_memory_bytes() / 4 * 3)) {}

  // Kills a worker that does not return from a call, or takes all memory in one.
  void look(pid_t pid) {
    const bool too_big = resident_bytes(pid) > bytes_max_;
    const auto now = Clock::now();
    std::size_t next = 0;
    for (const CallSlot& slot : board_.used()) {
      Seen& seen = seen_[next++];
      if (slot.taken == 0) continue;
      const std::uint64_t begun = slot.begun.load();
      const std::uint64_t call = slot.call.load();
      if (call == 0 || begun != seen.begun || call != seen.call) {
        seen = {begun, call, now};
        continue;
      }
      const auto since = now - seen.since;
      if (too_big && since > std::chrono::milliseconds(50)) {
        return end(pid, call, DeathKind::memory, static_cast<std::int64_t>(bytes_max_));
      }
      if (slot.patient == 0 && how_.handler_timeout.count() > 0 && since > how_.handler_timeout)
        return end(pid, call, DeathKind::timeout, how_.handler_timeout.count());
    }
  }

 private:
  struct Seen {
    std::uint64_t begun = 0;
    std::uint64_t call = 0;
    Clock::time_point since;
  };

  void end(pid_t pid, std::uint64_t call, DeathKind kind, std::int64_t number) {
    if (board_.enter_dying({.call = call, .kind = kind, .number = number})) kill(pid, SIGKILL);
  }

  CallBoard& board_;
  const Supervision& how_;
  std::uint64_t bytes_max_;
  std::array<Seen, CallBoard::threads_max> seen_{};
};

// Wakes up as soon as the worker ends. A kernel that gives no descriptor of a process lets us sleep that long instead.
int wait_for(pid_t pid, Watchdog& watchdog) {
  pollfd worker{static_cast<int>(syscall(SYS_pidfd_open, pid, 0)), POLLIN, 0};
  int status = 0;
  for (int nap_ms = 1;; nap_ms = std::min(nap_ms * 2, between_looks_ms)) {
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) break;
    if (nap_ms == between_looks_ms) watchdog.look(pid);
    poll(&worker, 1, nap_ms);
  }
  if (worker.fd >= 0) close(worker.fd);
  return status;
}

// How the worker died, from what it said itself, from the watchdog or from its end.
Death death_of(CallBoard& board, int status) {
  Death death;
  if (board.dying.load() == 2) return board.dying_of;
  if (WIFSIGNALED(status)) {
    death = {.kind = DeathKind::signal, .number = WTERMSIG(status)};
  } else {
    death = {.kind = DeathKind::exit, .number = WEXITSTATUS(status)};
  }
  // It could not say which call it was: the only one, if there is only one.
  std::uint32_t calls = 0;
  for (const CallSlot& slot : board.used()) {
    if (slot.taken == 0 || slot.call == 0) continue;
    death.call = slot.call;
    ++calls;
  }
  if (calls > 1) death.call = 0;
  return death;
}

bool meant_by_user(int status) {
  if (!WIFSIGNALED(status)) return false;
  const int number = WTERMSIG(status);
  return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT || number == SIGPIPE;
}

[[noreturn]] void end_like(int number) {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(number, &standard, nullptr);
  raise(number);
  std::_Exit(128 + number);
}

bool is_traced() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("TracerPid:")) return line.find_first_of("123456789") != std::string::npos;
  }
  return false;
}

CallBoard* shared_board() {
  void* const memory =
      mmap(nullptr, sizeof(CallBoard), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) CallBoard;
}

// A new attempt begins with nobody at work; deaths stay.
void clear_for_attempt(CallBoard& board) {
  for (CallSlot& slot : board.used()) {
    slot.taken = 0;
    slot.call = 0;
  }
  board.dying = 0;
  board.exit_code = -1;
}

// A file without a name. What is written to it outlives the worker.
class SharedFile {
 public:
  SharedFile() : descriptor_(memfd_create("gainsay campaign", MFD_CLOEXEC)) {}
  ~SharedFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

class Supervisor {
 public:
  Supervisor(const Supervision& how, CallBoard& board) : how_(how), board_(board) {}

  int run(const std::function<int()>& work) {
    this_attempt = {};
    const SharedFile journal;
    this_attempt.journal = journal.descriptor();
    const auto started = Clock::now();
    for (;;) {
      clear_for_attempt(board_);
      const auto begun = Clock::now();
      const int status = one_attempt(work);
      if (WIFEXITED(status) && board_.exit_code.load() == WEXITSTATUS(status))
        return verdict(WEXITSTATUS(status));
      if (meant_by_user(status)) end_like(WTERMSIG(status));
      this_attempt.longest = std::max<std::chrono::nanoseconds>(this_attempt.longest, Clock::now() - begun);
      this_attempt.spent = Clock::now() - started;
      if (!enter(death_of(board_, status))) return incomplete;
      this_attempt.last =
          this_attempt.last || this_attempt.deaths >= attempts_max / 2 || Clock::now() - started > patience;
    }
  }

 private:
  int one_attempt(const std::function<int()>& work) {
    std::fflush(nullptr);
    const PassOn signals;
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0)
      throw UserError(fmt::format("cannot create a worker process: {}; --in-process runs without one",
                                  std::strerror(errno)));
    if (pid == 0) {
      signals.restore();
      be_worker(board_, parent, work);
    }
    worker_pid = pid;
    Watchdog watchdog(board_, how_);
    const int status = wait_for(pid, watchdog);
    worker_pid = 0;
    return status;
  }

  // False where another attempt would not help.
  bool enter(const Death& death) {
    if (death.call == nameless_call && !board_.careful) {
      board_.careful = true;
      return true;
    }
    const auto known = board_.known();
    const bool again =
        std::any_of(known.begin(), known.end(), [&](const Death& d) { return d.call == death.call; });
    if (death.call == 0 || death.call == nameless_call) {
      complain(
          fmt::format("the program ended with {}, outside any handler, gate or property; use --in-process "
                      "and a debugger to see where",
                      death.text()));
      return false;
    }
    if (again || known.size() >= attempts_max) {
      complain(fmt::format(
          "the code under test ended the program with {}{}; use --in-process and a debugger to see where",
          death.text(),
          again ? " again, although that call was not made: the code catches Gainsay's own exceptions"
                : ", after doing so too often before"));
      return false;
    }
    board_.deaths[known.size()] = death;
    ++board_.deaths_count;
    this_attempt.deaths = board_.deaths_count;
    return true;
  }

  // After a death nothing is ok.
  int verdict(int code) const {
    if (code != 0 || !how_.zero_is_clean || board_.deaths_count == 0) return code;
    complain(fmt::format(
        "the code under test ended the program with {}, but did not reach this call again when the work was "
        "repeated: either it depends on more than its messages, or the time was too short (--time)",
        board_.deaths[0].text()));
    return incomplete;
  }

  const Supervision& how_;
  CallBoard& board_;
};

}  // namespace

Attempt current_attempt() { return this_attempt; }
bool signal_came() { return signalled; }

int supervised(const Supervision& how, const std::function<int()>& work) {
  if (how.in_process || is_traced()) return work();
  CallBoard* const board = shared_board();
  if (board == nullptr) return work();
  int code = incomplete;
  try {
    code = Supervisor(how, *board).run(work);
  } catch (...) {
    munmap(board, sizeof(CallBoard));
    throw;
  }
  munmap(board, sizeof(CallBoard));
  return code;
}

}  // namespace gainsay::tools
