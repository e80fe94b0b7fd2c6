#include "gainsay/family/coverage.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"

namespace gainsay::family {
namespace {

// Rounding up must not add one to what is a whole number but for the last bits.
std::uint64_t ceiling(double x) {
  if (!(x < 0x1p63)) return too_many;
  const double nearest = std::round(x);
  if (std::abs(x - nearest) <= 1e-12 * std::max(1.0, std::abs(x))) x = nearest;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::max(1.0, std::ceil(x))));
}

void require_probability(double p) {
  if (!(p > 0 && p <= 1))
    throw UserError(
        fmt::format("the probability that a test covers a goal must be above 0 and at most 1, not {}", p));
}

void require_epsilon(double epsilon) {
  if (!(epsilon > 0 && epsilon < 1))
    throw UserError(fmt::format("the allowed chance of failure must lie between 0 and 1, not {}", epsilon));
}

void require_goals(double log_goals) {
  if (!(log_goals >= 0)) throw UserError("there must be at least one goal to cover");
}

void require_depth(std::uint64_t d) {
  if (d == 0) throw UserError("the depth d must be at least 1: a bug of depth 0 shows in every run");
}

double factorial(std::uint64_t d) { return std::exp(std::lgamma(static_cast<double>(d) + 1)); }

double bound(std::uint64_t chains, std::uint64_t n, std::uint64_t d, const char* what) {
  require_depth(d);
  if (chains == 0) throw UserError(fmt::format("the number of {} must be at least 1", what));
  if (n == 0) throw UserError("the number of events n must be at least 1");
  if (n < d - 1)
    throw UserError(
        fmt::format("depth {} needs {} distinct change points, but an execution of n = {} events has "
                    "only {}; give a larger n or a smaller d",
                    d, d - 1, n, n));
  return 1.0 / (static_cast<double>(chains) * std::pow(static_cast<double>(n), static_cast<double>(d - 1)));
}

}  // namespace

std::uint64_t tests_needed(double log_goals, double p, double epsilon) {
  require_goals(log_goals);
  require_probability(p);
  require_epsilon(epsilon);
  if (p == 1) return 1;
  return ceiling((log_goals - std::log(epsilon)) / p);
}

std::uint64_t tests_needed_sharp(double log_goals, double p, double epsilon) {
  require_goals(log_goals);
  require_probability(p);
  require_epsilon(epsilon);
  if (p == 1) return 1;
  return ceiling((log_goals - std::log(epsilon)) / -std::log1p(-p));
}

double confidence_after(double log_goals, double p, std::uint64_t tests) {
  require_goals(log_goals);
  require_probability(p);
  if (tests == 0) return 0;
  if (p == 1) return 1;
  const double log_missed = log_goals + static_cast<double>(tests) * std::log1p(-p);
  // Never 1: what is missed may be too little for the difference to be seen in a double.
  return log_missed >= 0 ? 0 : std::min(-std::expm1(log_missed), std::nextafter(1.0, 0.0));
}

std::uint64_t tests_that_exist(double log_goals, double p) {
  require_goals(log_goals);
  require_probability(p);
  if (p == 1) return 1;
  return ceiling(log_goals / p);
}

std::uint64_t tests_by_local_lemma(double p, double degree) {
  require_probability(p);
  if (!(degree >= 0)) throw UserError("a goal cannot depend on fewer than no other goals");
  if (p == 1) return 1;
  return ceiling((1 + std::log1p(degree)) / -std::log1p(-p));
}

std::uint64_t operations_needed(std::uint64_t k, double r, double targets, double epsilon) {
  if (k == 0) throw UserError("the wanted sequences must have at least one operation");
  if (!(r >= 1)) throw UserError("there must be at least one operation to choose from");
  const double log_sequences = static_cast<double>(k) * std::log(r);
  if (!(targets >= 1 && std::log(targets) <= log_sequences + 1e-9))
    throw UserError(
        fmt::format("the wanted sequences must be at least 1 and at most the {:.6g} that exist, not {}",
                    std::exp(log_sequences), targets));
  const double p = std::min(1.0, std::exp(std::log(targets) - log_sequences));
  if (p == 0) return too_many;
  const std::uint64_t pieces = tests_needed(0, p, epsilon);
  return pieces > too_many / k ? too_many : pieces * k;
}

double confidence_after_runs(double p, std::uint64_t runs) { return confidence_after(0, p, runs); }

std::uint64_t runs_for_confidence(double p, double confidence) {
  if (!(confidence > 0 && confidence < 1))
    throw UserError(fmt::format("the wanted confidence must lie between 0 and 1, not {}", confidence));
  return tests_needed_sharp(0, p, 1 - confidence);
}

double falling_factorial(double n, std::uint64_t d) {
  double product = 1;
  for (std::uint64_t i = 0; i < d && product > 0; ++i) product *= std::max(0.0, n - static_cast<double>(i));
  return product;
}

double log_falling_factorial(double n, std::uint64_t d) {
  double sum = 0;
  for (std::uint64_t i = 0; i < d; ++i) {
    if (n - static_cast<double>(i) <= 0) return -std::numeric_limits<double>::infinity();
    sum += std::log(n - static_cast<double>(i));
  }
  return sum;
}

std::uint64_t antichain_union_bound(std::uint64_t n, std::uint64_t d) {
  require_depth(d);
  if (n < d) return 1;
  return tests_that_exist(log_falling_factorial(static_cast<double>(n), d), 1 / factorial(d));
}

std::uint64_t antichain_lovasz_bound(std::uint64_t n, std::uint64_t d) {
  require_depth(d);
  if (n < d || d == 1) return 1;
  const auto whole = static_cast<double>(n);
  // log(n^_d - (n-d)^_d) = log n^_d + log(1 - ratio): no difference of huge numbers.
  double ratio = 1;
  for (std::uint64_t i = 0; i < d; ++i)
    ratio *= std::max(0.0, whole - static_cast<double>(d + i)) / (whole - static_cast<double>(i));
  return ceiling(factorial(d) * (1 + log_falling_factorial(whole, d) + std::log1p(-ratio)));
}

double schedule_indices(std::uint64_t chains, std::uint64_t n, std::uint64_t d) {
  require_depth(d);
  return static_cast<double>(chains) * falling_factorial(static_cast<double>(n), d - 1);
}

std::uint64_t chains_for_width(std::uint64_t width) {
  if (width == 0) throw UserError("the width w must be at least 1");
  return width % 2 == 0 ? width / 2 * (width + 1) : (width + 1) / 2 * width;
}

double pctcp_bound(std::uint64_t chains, std::uint64_t n, std::uint64_t d) {
  return bound(chains, n, d, "chains");
}

double pct_bound(std::uint64_t threads, std::uint64_t n, std::uint64_t d) {
  return bound(threads, n, d, "threads");
}

}  // namespace gainsay::family
