#include "gainsay/base/check.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace gainsay {
namespace {

struct Entry {
  std::thread::id thread;
  std::function<std::string()> describe;
};

std::mutex& scopes_mutex() {
  static std::mutex mutex;
  return mutex;
}
std::vector<Entry>& scopes() {
  static std::vector<Entry> entries;
  return entries;
}

}  // namespace

CheckScope::CheckScope(std::function<std::string()> describe) {
  const std::lock_guard lock(scopes_mutex());
  scopes().push_back({std::this_thread::get_id(), std::move(describe)});
}

CheckScope::~CheckScope() {
  const std::lock_guard lock(scopes_mutex());
  auto& entries = scopes();
  for (std::size_t i = entries.size(); i-- > 0;) {
    if (entries[i].thread == std::this_thread::get_id()) {
      entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }
}

void check_failed(const char* file, int line, const char* expression, std::string_view what) {
  std::fprintf(stderr, "gainsay: internal check failed at %s:%d: %s (%.*s)\n", file, line, expression,
               static_cast<int>(what.size()), what.data());
  std::vector<std::function<std::string()>> mine;
  {
    const std::lock_guard lock(scopes_mutex());
    for (const Entry& entry : scopes()) {
      if (entry.thread == std::this_thread::get_id()) mine.push_back(entry.describe);
    }
  }
  for (const auto& describe : mine) std::fprintf(stderr, "%s\n", describe().c_str());
  std::fprintf(stderr, "This is a bug in Gainsay; please report it with the lines above.\n");
  std::fflush(stderr);
  std::abort();
}

}  // namespace gainsay
