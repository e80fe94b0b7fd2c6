#include "gainsay/execution/campaign/findings.hpp"

#include "gainsay/base/check.hpp"
#include "gainsay/execution/campaign/confirm.hpp"

namespace gainsay {

void Findings::confirm_new(const CampaignPlan& plan) {
  GAINSAY_CHECK(confirmed.size() <= total.violations.size(), "violations are only added");
  for (std::size_t i = confirmed.size(); i < total.violations.size(); ++i) {
    const TalliedViolation& tallied = total.violations[i];
    const EndedViolation ended =
        end_where_certain(plan.blueprint, {tallied.violation, tallied.steps}, plan.header.steps_max);
    FoundViolation found = confirm(plan.blueprint, ended.violation, ended.steps, plan.header.steps_max);
    found.runs = tallied.runs;
    found.first_run = tallied.first_run;
    found.document.set_header(plan.header);
    found.document.run = tallied.first_run;
    confirmed.push_back(std::move(found));
    if (plan.options.found) plan.options.found(confirmed.back());
  }
}

}  // namespace gainsay
