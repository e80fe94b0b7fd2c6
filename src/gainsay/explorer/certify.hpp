// Certificates of complete searches: made beside a hunt, checked by an enumeration that shares no code with it.
//
// While the search runs, every execution it completes is followed once more and its class is taken by the definition
// (trace/trace_order.hpp), not from the search. A search that left something out gets no certificate, and is told why.
// Checking enumerates all executions (explorer/enumerate.hpp) and compares the sets.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/explorer/enumerate.hpp"
#include "gainsay/explorer/reference_dependence.hpp"
#include "gainsay/trace/certificate.hpp"

namespace gainsay {

struct CertifiedHunt {
  HuntResult result;
  std::optional<Certificate> certificate;
  std::string refused_because;  // where there is none
};

// Hunts with one job and records what a certificate says. Throws UserError for a dependence whose classes do not
// decide all properties of the scenario.
CertifiedHunt certified_hunt(const Scenario& scenario, const OptionTexts& scenario_options,
                             HuntOptions options);
// The policy that the search is told to use.
std::string asked_dependence(const HuntOptions& options);

// The relation behind the name of a policy in this scenario; nothing where classes are not counted (semantic) or the
// name is unknown. `name` is what "automatic" stands for.
struct PlainPolicy {
  std::string name;
  std::optional<ReferenceRules> rules;
  bool known = true;
};
PlainPolicy plain_policy(const Blueprint& blueprint, const std::string& name);

struct VerifyOptions {
  std::optional<std::uint64_t> configurations_max;
  std::optional<std::chrono::nanoseconds> time;
  const std::atomic<bool>* stop = nullptr;
};

struct Verification {
  Verdict verdict = Verdict::unknown;    // ok: the certificate holds
  std::vector<std::string> differences;  // why it does not
  std::string unknown_because;           // the limit that was met
  std::uint64_t executions = 0;          // counted
  bool executions_are_more = false;      // than fit into 64 bits
  std::uint64_t configurations = 0;
  std::uint64_t classes = 0;
  std::uint64_t final_states = 0;
  double elapsed_s = 0;
};

// REQUIRES: the blueprint is that of the certificate's scenario and options.
Verification verify(const Certificate& certificate, const Blueprint& blueprint, const VerifyOptions& options);

}  // namespace gainsay
