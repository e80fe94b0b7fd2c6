#include "gainsay/base/user_call.hpp"

#include <csignal>
#include <vector>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay {

CallBoard* detail::call_board = nullptr;
constinit thread_local CallSlot* detail::call_slot = nullptr;

namespace {

constexpr std::size_t signal_stack_bytes = std::size_t{64} << 10U;

thread_local CallSlot unwatched;  // of a thread without a place; it outlives the thread's other variables

// Gives a thread's place back when it ends; and a stack on which it can still say that its own has overflowed.
class Place {
 public:
  Place() = default;
  ~Place() {
    // A thread that ends in the middle of a call has called exit(): it is about to die, and says where.
    CallSlot*& own = detail::call_slot;
    if (own == nullptr || own == &unwatched || own->call != 0) return;
    if (!stack_.empty()) {
      stack_t none{};
      none.ss_flags = SS_DISABLE;
      sigaltstack(&none, nullptr);
    }
    own->taken = 0;
    own = nullptr;
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  void take() {
    CallBoard* const board = detail::call_board;
    GAINSAY_CHECK(board != nullptr && detail::call_slot == nullptr, "one place a thread");
    for (std::uint32_t i = 0; i < board->slots.size(); ++i) {
      std::uint32_t free = 0;
      if (!board->slots[i].taken.compare_exchange_strong(free, 1)) continue;
      detail::call_slot = &board->slots[i];
      std::uint32_t used = board->slots_used.load();
      while (used <= i && !board->slots_used.compare_exchange_weak(used, i + 1)) {
      }
      take_stack();
      return;
    }
  }

 private:
  // A stack that is there already is somebody's: a sanitizer gives its own back when the thread ends.
  void take_stack() {
    stack_t present{};
    if (sigaltstack(nullptr, &present) == 0 && (present.ss_flags & SS_DISABLE) == 0) return;
    stack_.resize(signal_stack_bytes);
    stack_t own{};
    own.ss_sp = stack_.data();
    own.ss_size = stack_.size();
    sigaltstack(&own, nullptr);
  }

  std::vector<char> stack_;
};

thread_local Place place;

const char* signal_meaning(std::int64_t number) {
  switch (number) {
    case SIGSEGV:
      return "SIGSEGV (invalid memory access or stack overflow)";
    case SIGABRT:
      return "SIGABRT (abort, failed assertion or std::terminate)";
    case SIGFPE:
      return "SIGFPE (division by zero or integer overflow)";
    case SIGBUS:
      return "SIGBUS (invalid memory address)";
    case SIGILL:
      return "SIGILL (illegal instruction or trap)";
    case SIGTRAP:
      return "SIGTRAP (trap)";
    case SIGSYS:
      return "SIGSYS (bad system call)";
    case SIGKILL:
      return "SIGKILL (killed, perhaps because memory ran out)";
    default:
      return nullptr;
  }
}

}  // namespace

std::string Death::text() const {
  switch (kind) {
    case DeathKind::signal: {
      const char* meaning = signal_meaning(number);
      return meaning != nullptr ? meaning : fmt::format("signal {}", number);
    }
    case DeathKind::exit:
      return fmt::format("exit code {} (it ended the program)", number);
    case DeathKind::timeout:
      return fmt::format("a timeout: no return within {} s (--handler-timeout)",
                         static_cast<double>(number) / 1000);
    case DeathKind::memory:
      return fmt::format("more than {} of memory (--max-memory)",
                         human_bytes(static_cast<std::uint64_t>(number)));
    case DeathKind::sanitizer:
      return fmt::format("a report of {}", report.data());
  }
  return {};
}

void use_call_board(CallBoard* shared) {
  detail::call_board = shared;
  if (detail::call_slot == &unwatched) detail::call_slot = nullptr;
  if (shared != nullptr && detail::call_slot == nullptr) place.take();
}

CallSlot& detail::find_call_slot() {
  if (call_board != nullptr) place.take();
  if (call_slot == nullptr) call_slot = &unwatched;
  return *call_slot;
}

void detail::refuse_known(std::uint64_t call) {
  for (const Death& death : call_board->known()) {
    if (death.call == call) throw CallDied(death);
  }
}

void UserCall::answered(std::uint32_t answer) {
  const std::uint64_t next = mix(slot_.call.load(std::memory_order_relaxed), answer + 1ULL);
  refuse_deadly(next);
  slot_.call.store(next, std::memory_order_relaxed);
}

}  // namespace gainsay
