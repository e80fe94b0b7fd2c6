#include "gainsay/report/trace_page.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/report/page.hpp"
#include "gainsay/report/show.hpp"

namespace gainsay {
namespace {

using Json = nlohmann::ordered_json;

std::string id_text(EventId id) { return fmt::format("{:016x}", id.raw); }

// Empty fields are left out: most are.
Json step_json(const DocumentStep& step, StringTable& strings) {
  Json row = {{"k", kind_name(step.kind)}, {"i", id_text(step.id)}};
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty()) row[name] = strings[value];
  };
  const auto texts = [&](const char* name, const std::vector<std::string>& values) {
    for (const std::string& value : values) row[name].push_back(strings[value]);
  };
  text("t", step.to);
  text("f", step.from);
  text("m", step.message);
  text("c", step.cut);
  if (step.parent != no_step) row["p"] = step.parent;
  if (step.time_ns != 0) row["n"] = step.time_ns;
  for (std::size_t i = 0; i < step.choices.size(); ++i) {
    const DataChoice& choice = step.choices[i];
    const bool in_words =
        choice.is_time || choice.late || (i < step.labels.size() && !step.labels[i].empty());
    Json& list = row["h"];
    list.push_back(Json::array({choice.answer, choice.among}));
    if (in_words) list.back().push_back(choice_text(step, i));
  }
  texts("d", step.changes);
  texts("w", step.disk);
  texts("s", step.sent);
  texts("o", step.notes);
  return row;
}

Json violation_json(const TraceDocument& document, const std::optional<TraceSight>& sight) {
  const Violation& violation = *document.violation;
  return {{"property", violation.property},
          {"message", violation.message},
          {"actor", document.violating_actor},
          {"step", violation.step},
          {"loop_from", violation.loop_from},
          {"hot_from", violation.hot_from},
          {"local", sight ? sight->local : violation.kind() != ViolationKind::property}};
}

Json sight_json(const TraceSight& sight, const std::vector<std::string>& actors, StringTable& strings) {
  std::map<std::string_view, std::size_t> place;
  for (std::size_t i = 0; i < actors.size(); ++i) place.emplace(actors[i], i);
  Json out = {{"monitors", sight.monitors}};
  const auto rows = [&](const char* name, const std::vector<TraceSight::Text>& texts) {
    Json& list = out[name] = Json::array();
    for (const TraceSight::Text& each : texts) {
      const auto actor = place.find(each.actor);
      if (actor != place.end()) list.push_back(Json::array({each.after, actor->second, strings[each.text]}));
    }
  };
  rows("states", sight.states);
  rows("disks", sight.disks);
  for (const TraceSight::Offer& each : sight.offers)
    out["offers"].push_back(Json::array({kind_name(each.kind), strings[each.to], strings[each.from],
                                         strings[each.message], id_text(each.id), each.first, each.last}));
  for (const TraceSight::Created& each : sight.created)
    out["created"].push_back(
        Json::array({each.step, kind_name(each.kind), strings[each.to], strings[each.text],
                     each.taken ? static_cast<std::int64_t>(*each.taken) : -1}));
  for (const TraceSight::Heat& each : sight.heat)
    out["heat"].push_back(
        Json::array({each.after, each.monitor, static_cast<unsigned>(each.warmth), strings[each.waits_for]}));
  for (const TraceSight::ClientOperation& each : sight.operations)
    out["operations"].push_back(Json::array(
        {strings[each.process], strings[each.text], strings[each.result], each.begin, each.end, each.how}));
  for (const std::string& each : sight.judged) out["judged"].push_back(strings[each]);
  return out;
}

Json trace_json(const SeenTrace& trace) {
  const TraceDocument& document = trace.document;
  StringTable strings;
  Json out = {{"file", trace.file},          {"scenario", document.scenario},
              {"options", document.options}, {"strategy", document.strategy},
              {"seed", document.seed},       {"run", document.run},
              {"timed", document.timed},     {"end", document.end},
              {"actors", document.actors},   {"notes", trace.notes},
              {"steps", Json::array()}};
  for (const std::string& each : document.held) out["notes"].push_back("At the end: " + each + ".");
  if (document.violation) out["violation"] = violation_json(document, trace.sight);
  for (const DocumentStep& step : document.steps) out["steps"].push_back(step_json(step, strings));
  if (trace.sight) out["sight"] = sight_json(*trace.sight, document.actors, strings);
  out["strings"] = strings.texts();
  return out;
}

std::string page_of(const std::string& title, const std::string& summary, const Json& data) {
  return html_page(title, summary, data.dump(-1, ' ', true, Json::error_handler_t::replace));
}

std::string without_script(const SeenTrace& trace) {
  const TraceDocument& document = trace.document;
  ShowOptions options;
  options.width = 120;
  if (document.steps.size() <= 200) return space_time_diagram(document, options);
  return fmt::format(
      "{} steps. {}\nThe diagram needs JavaScript; `gainsay show` draws it in a terminal.\n",
      document.steps.size(),
      document.violation ? document.violation->property + ": " + document.violation->message : document.end);
}

}  // namespace

std::string trace_data(const SeenTrace& trace) {
  return trace_json(trace).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string trace_page(const SeenTrace& trace) {
  return page_of(fmt::format("{} - gainsay", trace.document.scenario), without_script(trace),
                 {{"kind", "trace"}, {"traces", Json::array({trace_json(trace)})}});
}

std::string comparison_page(const SeenTrace& left, const SeenTrace& right) {
  return page_of(fmt::format("{}: two executions - gainsay", left.document.scenario),
                 without_script(left) + "\n" + without_script(right),
                 {{"kind", "compare"}, {"traces", Json::array({trace_json(left), trace_json(right)})}});
}

}  // namespace gainsay
