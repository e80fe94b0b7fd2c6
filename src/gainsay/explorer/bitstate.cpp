#include "gainsay/explorer/bitstate.hpp"

#include <cmath>
#include <new>

#include <sys/mman.h>

#include "gainsay/base/check.hpp"

namespace gainsay {

void Bitstate::Unmap::operator()(std::atomic<std::uint64_t>* words) const { ::munmap(words, bytes); }

Bitstate::Bitstate(std::uint64_t bytes) {
  GAINSAY_CHECK(bytes >= 64, "a table of bits has room for some");
  bytes = bytes / 8 * 8;
  bits_ = bytes * 8;
  void* memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  words_ = std::unique_ptr<std::atomic<std::uint64_t>[], Unmap>(
      static_cast<std::atomic<std::uint64_t>*>(memory), Unmap{bytes});
}

double Bitstate::expected_omissions(std::uint64_t states, std::uint64_t bits) {
  GAINSAY_CHECK(bits > 0, "a table has bits");
  const auto n = static_cast<double>(states);
  const auto odds = [&](double x) {
    const double p =
        std::pow(-std::expm1(-static_cast<double>(probes) * x / static_cast<double>(bits)), probes);
    return p / (1 - p);
  };
  // Simpson's rule; the integrand is smooth and grows like a power.
  constexpr int pieces = 1024;
  const double width = n / pieces;
  double sum = odds(0) + odds(n);
  for (int i = 1; i < pieces; ++i) sum += (i % 2 == 1 ? 4 : 2) * odds(width * i);
  return sum * width / 3;
}

}  // namespace gainsay
