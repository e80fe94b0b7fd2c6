// GAINSAY_CHECK: invariants of Gainsay itself, always on, in every build.
//
// A failed check is a defect of Gainsay, never of the user's system: it prints the expression, the place and
// whatever the enclosing CheckScope objects of this thread know (scenario, seed, run, trace so far), then
// aborts. Mistakes of the user are reported as values or as UserError, never through this header.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gainsay {

[[noreturn, gnu::cold]] void check_failed(const char* file, int line, const char* expression,
                                          std::string_view what);

// While alive, a failed check on this thread also prints what `describe` returns.
class CheckScope {
 public:
  explicit CheckScope(std::function<std::string()> describe);
  ~CheckScope();
  CheckScope(const CheckScope&) = delete;
  CheckScope& operator=(const CheckScope&) = delete;
};

// Something the user said cannot be done: one line that names what was expected. Becomes exit code 2.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gainsay

// benchmarks/assertions.py builds without them, to show what they cost.
#if defined(GAINSAY_UNCHECKED)
#define GAINSAY_CHECK(condition, what) static_cast<void>(sizeof(static_cast<bool>(condition)))
#else
#define GAINSAY_CHECK(condition, what)                 \
  (static_cast<bool>(condition) ? static_cast<void>(0) \
                                : ::gainsay::check_failed(__FILE__, __LINE__, #condition, what))
#endif
