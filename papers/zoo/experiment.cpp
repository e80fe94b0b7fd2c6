#include "papers/zoo/experiment.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay::tools::zoo {
namespace {

std::vector<Experiment>& list() {
  static std::vector<Experiment> all;
  return all;
}

}  // namespace

const std::vector<Experiment>& experiments() { return list(); }

const Experiment* find_experiment(const std::string& name) {
  const auto found =
      std::find_if(list().begin(), list().end(), [&](const Experiment& each) { return each.name == name; });
  return found == list().end() ? nullptr : &*found;
}

RegisterExperiment::RegisterExperiment(Experiment experiment) {
  GAINSAY_CHECK(find_experiment(experiment.name) == nullptr, "experiments have different names");
  GAINSAY_CHECK(experiment.measure != nullptr && experiment.render != nullptr,
                "an experiment measures and says");
  list().push_back(std::move(experiment));
  std::sort(list().begin(), list().end(),
            [](const Experiment& a, const Experiment& b) { return a.name < b.name; });
}

std::string experiment_line(const KeptRows& kept) {
  return Rows{{"experiment", kept.key}, {"measured", kept.measured}, {"rows", kept.rows}}.dump() + "\n";
}

KeptRows parse_experiment_rows(const std::string& line) {
  const Rows json = Rows::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("experiment") || !json["experiment"].is_string() ||
      !json.contains("measured") || !json["measured"].is_string() || !json.contains("rows"))
    return {};
  return {json["experiment"].get<std::string>(), json["measured"].get<std::string>(), json["rows"]};
}

std::string rows_text(const Rows& rows) {
  std::string text = "[";
  for (const Rows& row : rows) text += (text.size() == 1 ? "\n" : ",\n") + row.dump();
  return text + "\n]\n";
}

std::string number_text(const Rows& value) {
  return value.is_null() ? "-" : with_commas(value.get<std::uint64_t>());
}

}  // namespace gainsay::tools::zoo
