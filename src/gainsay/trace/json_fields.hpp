// An object of a JSON file that we wrote: its fields are taken by name and type, and all of them must have been taken
// in the end. What is wrong is told to whoever knows the file and the line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace gainsay {

class JsonFields {
 public:
  using Json = nlohmann::ordered_json;
  // Throws.
  using Fail = std::function<void(const std::string& wrong, const std::string& expected)>;

  // `what` and `file` as messages name them: "the line" and "trace". Everything must outlive this.
  JsonFields(const Json& object, std::string what, const char* file, const Fail& fail);

  bool has(const char* name) const { return object_.contains(name); }
  const Json& take(const char* name);
  std::string text(const char* name) { return text_of(name, take(name)); }
  std::string text_or_nothing(const char* name) { return has(name) ? text(name) : std::string{}; }
  std::uint64_t natural(const char* name, std::uint64_t most = UINT64_MAX) {
    return natural_of(name, take(name), most);
  }
  std::int64_t integer(const char* name);
  bool boolean(const char* name);
  const Json& object(const char* name);
  const Json& list(const char* name);
  std::vector<std::string> texts(const char* name);
  std::vector<std::string> texts_or_none(const char* name) {
    return has(name) ? texts(name) : std::vector<std::string>{};
  }
  // An object of texts.
  std::vector<std::pair<std::string, std::string>> pairs(const char* name);

  // The same of a value inside of field `name`.
  std::string text_of(const char* name, const Json& value) const;
  std::uint64_t natural_of(const char* name, const Json& value, std::uint64_t most) const;
  const Json& pair_of(const char* name, const Json& value) const;

  [[noreturn]] void wrong(const char* name, const Json& value, const std::string& expected) const;
  // Every field of the object has been asked for.
  void finish() const;

 private:
  [[noreturn]] void fail(const std::string& wrong, const std::string& expected) const;

  const Json& object_;
  std::string what_;
  const char* file_;
  const Fail& fail_;
  std::size_t taken_ = 0;
};

}  // namespace gainsay
