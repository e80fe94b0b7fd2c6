#include "tools/sanitizer_report.hpp"

#include <array>
#include <cstring>

#include <dlfcn.h>

// Null in a program without the sanitizer in question.
extern "C" {
[[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());
[[gnu::weak]] int __asan_report_present();
[[gnu::weak]] const char* __asan_get_report_description();
[[gnu::weak]] void __tsan_init();
[[gnu::weak]] void __msan_init();
}

namespace gainsay::tools {
namespace {

ReportCallback report_callback = nullptr;

void report_of_undefined_behaviour() { report_callback("UndefinedBehaviorSanitizer"); }

// AddressSanitizer also says what it was, in a word.
void report_of_addresses() {
  std::array<char, 64> text{"AddressSanitizer"};
  const char* const what =
      __asan_get_report_description != nullptr ? __asan_get_report_description() : nullptr;
  if (what != nullptr && std::strlen(what) + std::strlen(text.data()) + 4 <= text.size()) {
    std::strcat(text.data(), " (");
    std::strcat(text.data(), what);
    std::strcat(text.data(), ")");
  }
  report_callback(text.data());
}

// The runtimes of several sanitizers may be one, which does not say whose report it is.
void report_of_any() {
  if (__asan_report_present != nullptr && __asan_report_present() != 0) return report_of_addresses();
  if (__tsan_init != nullptr) return report_callback("ThreadSanitizer");
  if (__msan_init != nullptr) return report_callback("MemorySanitizer");
  report_of_undefined_behaviour();
}

}  // namespace

void on_sanitizer_report(ReportCallback callback) {
  if (__sanitizer_set_death_callback == nullptr) return;
  report_callback = callback;
  __sanitizer_set_death_callback(report_of_any);
  // GCC's UndefinedBehaviorSanitizer is a library of its own, with a callback of its own: another one's hides its name.
  void* const library = dlopen("libubsan.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return;
  using Set = void (*)(void (*)());
  if (const auto set = reinterpret_cast<Set>(dlsym(library, "__sanitizer_set_death_callback"));
      set != nullptr)
    set(report_of_undefined_behaviour);
}

}  // namespace gainsay::tools
