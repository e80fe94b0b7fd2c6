#include "gainsay/report/trace_export.hpp"

#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gainsay {
namespace {

using Json = nlohmann::ordered_json;
using VectorClock = std::map<std::string, std::uint64_t>;

std::string ascii_dump(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

std::string where_of(const DocumentStep& step) { return step.to.empty() ? "network" : step.to; }

std::string words_of(const DocumentStep& step) {
  std::string text(kind_name(step.kind));
  if (!step.message.empty()) text += " " + step.message;
  if (!step.from.empty() && step.from != step.to) text += " from " + step.from;
  return text;
}

// One word, one line.
std::string host_name(std::string name) {
  for (char& c : name) {
    if (static_cast<unsigned char>(c) <= ' ') c = '_';
  }
  return name;
}
std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

}  // namespace

std::string shiviz_text(const TraceDocument& document) {
  std::map<std::string, VectorClock> now;  // by host
  std::vector<VectorClock> after;          // by step
  std::string out;
  for (const DocumentStep& step : document.steps) {
    const std::string host = host_name(where_of(step));
    VectorClock& clock = now[host];
    if (step.parent != no_step && step.parent < after.size()) {
      for (const auto& [other, count] : after[step.parent]) clock[other] = std::max(clock[other], count);
    }
    ++clock[host];
    after.push_back(clock);
    Json entries = Json::object();
    for (const auto& [other, count] : clock) entries[other] = count;
    out += fmt::format("{}\n{} {}\n", one_line(words_of(step)), host, ascii_dump(entries));
  }
  return out;
}

std::string chrome_trace_text(const TraceDocument& document) {
  Json events = Json::array();
  std::map<std::string, std::size_t> threads;
  const auto thread_of = [&](const std::string& name) {
    const auto [found, is_new] = threads.emplace(name, threads.size() + 1);
    if (is_new)
      events.push_back({{"ph", "M"},
                        {"name", "thread_name"},
                        {"pid", 1},
                        {"tid", found->second},
                        {"args", {{"name", name}}}});
    return found->second;
  };
  for (const std::string& actor : document.actors) thread_of(actor);
  for (std::size_t i = 0; i < document.steps.size(); ++i) {
    const DocumentStep& step = document.steps[i];
    const std::size_t thread = thread_of(where_of(step));
    events.push_back({{"ph", "X"},
                      {"name", words_of(step)},
                      {"cat", kind_name(step.kind)},
                      {"pid", 1},
                      {"tid", thread},
                      {"ts", i * 1000},
                      {"dur", 1000},
                      {"args",
                       {{"step", i + 1},
                        {"time_ns", step.time_ns},
                        {"changes", step.changes},
                        {"sent", step.sent},
                        {"notes", step.notes}}}});
    if (step.parent == no_step || step.parent >= i) continue;
    const std::size_t sender = thread_of(where_of(document.steps[step.parent]));
    const Json flow = {{"name", "causes"}, {"cat", "cause"}, {"pid", 1}, {"id", i}};
    Json begin = flow;
    begin.update(Json{{"ph", "s"}, {"tid", sender}, {"ts", step.parent * std::uint64_t{1000} + 500}});
    Json end = flow;
    end.update(Json{{"ph", "f"}, {"bp", "e"}, {"tid", thread}, {"ts", i * 1000 + 500}});
    events.push_back(std::move(begin));
    events.push_back(std::move(end));
  }
  return ascii_dump({{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}}) + "\n";
}

}  // namespace gainsay
