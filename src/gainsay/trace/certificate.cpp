#include "gainsay/trace/certificate.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/base/whole_file.hpp"
#include "gainsay/trace/json_fields.hpp"
#include "gainsay/trace/trace_order.hpp"

namespace gainsay {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view format_name = "gainsay-certificate";
constexpr std::size_t bytes_max = std::size_t{16} << 20U;

Json json_of(const std::vector<std::pair<std::string, std::string>>& options) {
  Json object = Json::object();
  for (const auto& [name, value] : options) object[name] = value;
  return object;
}

Json json_of(const std::optional<HashedSet>& set) {
  if (!set) return nullptr;
  Json object;
  object["count"] = set->count;
  object["hash"] = set->hash;
  return object;
}

// A set that may be missing.
std::optional<HashedSet> read_set(JsonFields& fields, const char* name, const JsonFields::Fail& fail) {
  const Json& value = fields.take(name);
  if (value.is_null()) return std::nullopt;
  JsonFields inner(value, fmt::format("\"{}\"", name), "certificate", fail);
  HashedSet set;
  set.count = inner.natural("count");
  set.hash = inner.text("hash");
  const bool digits =
      set.hash.size() == 32 && set.hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!digits) inner.wrong("hash", value["hash"], "32 hexadecimal digits");
  inner.finish();
  return set;
}

}  // namespace

HashedSet HashedSet::of(const std::set<std::uint64_t>& members) {
  SetHash hash;
  for (const std::uint64_t member : members) hash.add(member);
  return {members.size(), hash.text()};
}

std::string certificate_text(const Certificate& certificate) {
  Json object;
  object["format"] = format_name;
  object["version"] = certificate_format_version;
  object["tool"] = certificate.tool;
  object["scenario"] = certificate.scenario;
  object["options"] = json_of(certificate.options);
  object["strategy"] = certificate.strategy;
  object["strategy_options"] = json_of(certificate.strategy_options);
  object["dependence"] = certificate.dependence;
  object["steps_max"] = certificate.steps_max;
  object["executions"] = certificate.executions;
  object["blocked_runs"] = certificate.blocked_runs;
  object["classes"] = json_of(certificate.classes);
  object["final_states"] = json_of(certificate.final_states);
  object["verdict"] = certificate.violations.empty() ? "ok" : "violated";
  object["violations"] = certificate.violations;
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_certificate_file(const std::string& path, const Certificate& certificate) {
  write_whole_file(path, "certificate", certificate_text(certificate));
}

Certificate read_certificate(const std::string& text, const std::string& file_name) {
  const JsonFields::Fail fail = [&](const std::string& wrong, const std::string& expected) {
    throw UserError(fmt::format("{}: {}; {}", file_name, wrong, expected));
  };
  if (text.empty()) fail("the file is empty", "expected a certificate written by gainsay hunt --certificate");
  const Json object = Json::parse(text, nullptr, false);
  const bool begins_like_one = text.find(format_name) != std::string::npos;
  if (object.is_discarded()) {
    fail(begins_like_one ? "the file is truncated or damaged: it is not JSON"
                         : "this is not a gainsay certificate",
         "expected one JSON object, as gainsay hunt --certificate writes it");
  }
  const auto name = object.is_object() ? object.find("format") : object.end();
  if (!object.is_object() || name == object.end() || *name != format_name) {
    fail("this is not a gainsay certificate",
         fmt::format("expected a JSON object with \"format\": \"{}\"", format_name));
  }
  JsonFields fields(object, "the certificate", "certificate", fail);
  fields.take("format");
  const std::uint64_t version = fields.natural("version");
  if (version != certificate_format_version) {
    fail(fmt::format("the certificate has format version {}", version),
         fmt::format("this build reads version {}", certificate_format_version));
  }
  Certificate certificate;
  certificate.tool = fields.text("tool");
  certificate.scenario = fields.text("scenario");
  certificate.options = fields.pairs("options");
  certificate.strategy = fields.text("strategy");
  certificate.strategy_options = fields.pairs("strategy_options");
  certificate.dependence = fields.text("dependence");
  certificate.steps_max = fields.natural("steps_max");
  if (certificate.steps_max == 0) fields.wrong("steps_max", object["steps_max"], "at least 1");
  certificate.executions = fields.natural("executions");
  certificate.blocked_runs = fields.natural("blocked_runs");
  certificate.classes = read_set(fields, "classes", fail);
  certificate.final_states = read_set(fields, "final_states", fail);
  const std::string verdict = fields.text("verdict");
  certificate.violations = fields.texts("violations");
  if (!std::is_sorted(certificate.violations.begin(), certificate.violations.end()))
    fields.wrong("violations", object["violations"], "a sorted list");
  if (verdict != (certificate.violations.empty() ? "ok" : "violated")) {
    fields.wrong("verdict", object["verdict"],
                 "\"violated\" if there are violations in the list, else \"ok\"");
  }
  fields.finish();
  return certificate;
}

Certificate read_certificate_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw UserError(fmt::format("{}: this is a folder; expected a certificate", path));
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UserError(fmt::format("{}: {}; expected a certificate", path, std::strerror(errno)));
  std::string text;
  for (char c = 0; in.get(c);) {
    if (text.size() == bytes_max)
      throw UserError(fmt::format("{}: the file is larger than {}, too large for a certificate", path,
                                  human_bytes(bytes_max)));
    text.push_back(c);
  }
  return read_certificate(text, path);
}

}  // namespace gainsay
