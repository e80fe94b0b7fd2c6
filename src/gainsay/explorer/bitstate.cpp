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
  // How many are omitted for each one that is added, after so many of both.
  const auto odds = [&](double met) {
    const double p =
        std::pow(-std::expm1(-static_cast<double>(probes) * met / static_cast<double>(bits)), probes);
    return p / (1 - p);
  };
  constexpr int pieces = 4096;
  const double width = static_cast<double>(states) / pieces;
  double omitted = 0;
  for (int i = 0; i < pieces; ++i) {  // Runge and Kutta's rule of the fourth order
    const double met = width * i + omitted;
    const double a = odds(met);
    const double b = odds(met + width / 2 * (1 + a));
    const double c = odds(met + width / 2 * (1 + b));
    const double d = odds(met + width * (1 + c));
    omitted += width / 6 * (a + 2 * b + 2 * c + d);
  }
  GAINSAY_CHECK(omitted >= 0, "states are omitted, not added");
  return omitted;
}

}  // namespace gainsay
