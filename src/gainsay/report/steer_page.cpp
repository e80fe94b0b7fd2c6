#include "gainsay/report/steer_page.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/report/page.hpp"

namespace gainsay {

std::string steer_moment_json(const SteerMoment& moment, const std::string& problem,
                              const std::string& saved) {
  using Json = nlohmann::ordered_json;
  Json possible = Json::array();
  for (const TraceSight::Offer& each : moment.possible)
    possible.push_back({{"kind", kind_name(each.kind)},
                        {"to", each.to},
                        {"from", each.from},
                        {"message", each.message},
                        {"id", fmt::format("{:016x}", each.id.raw)}});
  const Json rest = {{"possible", possible},
                     {"ended", moment.ended},
                     {"at_hand", moment.at_hand},
                     {"save_as", moment.save_as},
                     {"strategies", moment.strategies},
                     {"problem", problem},
                     {"saved", saved}};
  const std::string text = rest.dump(-1, ' ', true, Json::error_handler_t::replace);
  return "{\"kind\":\"steer\",\"trace\":" + trace_data(moment.trace) + "," + text.substr(1);
}

std::string steer_page(const SteerMoment& moment) {
  return html_page(fmt::format("steer {} - gainsay", moment.trace.document.scenario),
                   "Steering needs JavaScript; `gainsay steer --terminal` does not.",
                   steer_moment_json(moment, "", ""));
}

}  // namespace gainsay
