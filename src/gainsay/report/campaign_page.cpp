#include "gainsay/report/campaign_page.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/report/json.hpp"
#include "gainsay/report/page.hpp"

namespace gainsay {

std::string campaign_page(const HuntResult& result, const SummaryOptions& summary,
                          const std::vector<CampaignSample>& samples, const std::vector<std::string>& pages) {
  using Json = nlohmann::ordered_json;
  Json curve = Json::array();
  for (const CampaignSample& sample : samples)
    curve.push_back(Json::array({sample.runs, sample.distinct_traces}));
  SummaryOptions plain = summary;
  plain.diagram = false;
  plain.show.color = false;
  const Json data = {{"kind", "campaign"},
                     {"result", Json::parse(json_text(result, summary))},
                     {"samples", std::move(curve)},
                     {"pages", pages}};
  return html_page(fmt::format("hunt {} - gainsay", result.scenario), summary_text(result, plain),
                   data.dump(-1, ' ', true, Json::error_handler_t::replace));
}

}  // namespace gainsay
