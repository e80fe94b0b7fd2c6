#include "gainsay/trace/json_fields.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay {

using Json = JsonFields::Json;

JsonFields::JsonFields(const Json& object, std::string what, const char* file, const Fail& fail)
    : object_(object), what_(std::move(what)), file_(file), fail_(fail) {
  if (!object.is_object()) this->fail(fmt::format("{} is not an object", what_), "expected one");
}

const Json& JsonFields::take(const char* name) {
  ++taken_;
  const auto found = object_.find(name);
  if (found == object_.end())
    fail(fmt::format("{} has no \"{}\"", what_, name), "expected one; the file is truncated or edited");
  return *found;
}

std::int64_t JsonFields::integer(const char* name) {
  const Json& value = take(name);
  const bool fits =
      value.is_number_unsigned() ? value.get<std::uint64_t>() <= INT64_MAX : value.is_number_integer();
  if (!fits) wrong(name, value, "a whole number");
  return value.get<std::int64_t>();
}

bool JsonFields::boolean(const char* name) {
  const Json& value = take(name);
  if (!value.is_boolean()) wrong(name, value, "true or false");
  return value.get<bool>();
}

const Json& JsonFields::object(const char* name) {
  const Json& value = take(name);
  if (!value.is_object()) wrong(name, value, "an object");
  return value;
}

const Json& JsonFields::list(const char* name) {
  const Json& value = take(name);
  if (!value.is_array()) wrong(name, value, "a list");
  return value;
}

std::vector<std::string> JsonFields::texts(const char* name) {
  std::vector<std::string> result;
  for (const Json& each : list(name)) result.push_back(text_of(name, each));
  return result;
}

std::vector<std::pair<std::string, std::string>> JsonFields::pairs(const char* name) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& [key, each] : object(name).items()) result.emplace_back(key, text_of(name, each));
  return result;
}

std::string JsonFields::text_of(const char* name, const Json& value) const {
  if (!value.is_string()) wrong(name, value, "a text");
  return value.get<std::string>();
}

std::uint64_t JsonFields::natural_of(const char* name, const Json& value, std::uint64_t most) const {
  if (!value.is_number_unsigned()) wrong(name, value, "a number, at least 0");
  if (value.get<std::uint64_t>() > most) wrong(name, value, fmt::format("at most {}", most));
  return value.get<std::uint64_t>();
}

const Json& JsonFields::pair_of(const char* name, const Json& value) const {
  if (!value.is_array() || value.size() != 2) wrong(name, value, "pairs");
  return value;
}

namespace {

// Printing follows the nesting by recursion; a file can nest deeper than the stack allows.
bool is_deep(const Json& value, int most) {
  if (!value.is_structured()) return false;
  return most == 0 ||
         std::any_of(value.begin(), value.end(), [&](const Json& each) { return is_deep(each, most - 1); });
}

}  // namespace

void JsonFields::wrong(const char* name, const Json& value, const std::string& expected) const {
  std::string shown = is_deep(value, 16) ? std::string("a list or object of many levels")
                                         : value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (shown.size() > 60) shown = printable_utf8(shown.substr(0, 57)) + "...";
  fail(fmt::format("\"{}\" is {}", name, shown), fmt::format("expected {}", expected));
}

void JsonFields::finish() const {
  if (taken_ == object_.size()) return;
  fail(fmt::format("{} has fields that a {} does not have", what_, file_),
       fmt::format("expected {} fields", taken_));
}

void JsonFields::fail(const std::string& wrong, const std::string& expected) const {
  fail_(wrong, expected);
  GAINSAY_CHECK(false, "telling of an error throws");
  std::abort();
}

}  // namespace gainsay
