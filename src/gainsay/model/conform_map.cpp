#include "gainsay/model/conform_map.hpp"

#include <memory>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"
#include "gainsay/base/user_call.hpp"

namespace gainsay {
namespace {

struct MapEntry {
  void (*body)(ConformMap& map) = nullptr;
  std::unique_ptr<ConformMap> made{};
};

std::map<std::string, MapEntry, std::less<>>& registered_maps() {
  static std::map<std::string, MapEntry, std::less<>> maps;
  return maps;
}

// The same function; what it throws, and that it has ended the process before, is said of it by name.
template <class R, class... A>
std::function<R(A...)> guarded(const std::string& name, std::function<R(A...)> function) {
  if (!function) return function;
  return [name, call = hash_text(name), function = std::move(function)](A... arguments) -> R {
    try {
      const UserCall running(call);
      return function(arguments...);
    } catch (const UserError&) {
      throw;
    } catch (const CallDied& died) {
      throw UserError(fmt::format("{} ended with {}", name, died.what()));
    } catch (const std::exception& error) {
      throw UserError(fmt::format("{} threw: {}", name, error.what()));
    } catch (...) {
      throw UserError(fmt::format("{} threw something that is not a std::exception", name));
    }
  };
}

}  // namespace

const TlaValue& TlaState::operator[](std::string_view variable) const {
  for (const auto& [name, value] : variables_) {
    if (name == variable) return value;
  }
  std::string names;
  for (const auto& [name, value] : variables_) names += (names.empty() ? "" : ", ") + name;
  throw UserError(fmt::format("a state of the graph has no variable '{}' (it has: {})", variable, names));
}

std::string TlcStep::action() const { return label.substr(0, label.find('(')); }

std::vector<std::string> TlcStep::arguments() const {
  std::vector<std::string> list;
  const std::size_t open = label.find('(');
  if (open == std::string::npos) return list;
  const std::string inside = label.substr(open + 1, label.rfind(')') - open - 1);
  int depth = 0;  // of brackets: an argument may be a record or a sequence
  std::string argument;
  for (const char c : inside) {
    depth += c == '(' || c == '[' || c == '{' || c == '<'   ? 1
             : c == ')' || c == ']' || c == '}' || c == '>' ? -1
                                                            : 0;
    if (c == ',' && depth == 0) {
      list.push_back(std::exchange(argument, {}));
    } else if (c != ' ' || !argument.empty()) {
      argument += c;
    }
  }
  list.push_back(argument);
  return list;
}

std::optional<TlaValue> TlcStep::taken_from(std::string_view variable) const {
  std::vector<TlaValue> taken = taken_away(before[variable], after[variable]);
  return taken.size() == 1 ? std::optional(std::move(taken.front())) : std::nullopt;
}

void ConformMap::add(ActorMap entry) {
  for (const ActorMap& each : actors_) {
    if (each.type == entry.type && each.model == entry.model)
      throw UserError(fmt::format("a conformance map maps {} twice", entry.type_name));
  }
  const std::string of_code = fmt::format("the conformance map's function of {}", entry.type_name);
  entry.to_model = guarded(of_code, std::move(entry.to_model));
  entry.same = guarded(of_code, std::move(entry.same));
  if (entry.model != nullptr) {
    entry.of_model =
        guarded(fmt::format("the conformance map's function of the model's {}", entry.model->name),
                std::move(entry.of_model));
  }
  entry.of_tlc =
      guarded(fmt::format("the conformance map's function of TLC's states for {}", entry.type_name),
              std::move(entry.of_tlc));
  actors_.push_back(std::move(entry));
}

void ConformMap::add(MessageMap entry) {
  if (message_map(*entry.type) != nullptr)
    throw UserError(fmt::format("a conformance map maps {} twice", entry.type->name));
  entry.to_model = guarded(fmt::format("the conformance map's function of message {}", entry.type->name),
                           std::move(entry.to_model));
  messages_.push_back(std::move(entry));
}

void ConformMap::tlc_event(TlcEvent event) {
  tlc_event_ = guarded("the conformance map's tlc_event", std::move(event));
}

void ConformMap::rename(std::string implementation, std::string model) {
  const auto [where, added] = names_.emplace(std::move(implementation), std::move(model));
  if (!added) throw UserError(fmt::format("a conformance map renames '{}' twice", where->first));
}

const ActorMap* ConformMap::actor_map(const ActorType& type, bool of_tlc) const {
  for (const ActorMap& each : actors_) {
    if (each.type == type.name_hash && (each.of_tlc != nullptr) == of_tlc) return &each;
  }
  return nullptr;
}

const MessageMap* ConformMap::message_map(const ValueType& type) const {
  for (const MessageMap& each : messages_) {
    if (each.type == &type) return &each;
  }
  return nullptr;
}

const std::string& ConformMap::model_name(const std::string& implementation) const {
  const auto found = names_.find(implementation);
  return found == names_.end() ? implementation : found->second;
}

const ConformMap* find_conform_map(std::string_view scenario) {
  const auto found = registered_maps().find(scenario);
  if (found == registered_maps().end()) return nullptr;
  MapEntry& entry = found->second;
  if (entry.made == nullptr) {
    auto map = std::make_unique<ConformMap>();
    entry.body(*map);
    entry.made = std::move(map);
  }
  return entry.made.get();
}

RegisterConformMap::RegisterConformMap(std::string scenario, void (*body)(ConformMap& map)) {
  GAINSAY_CHECK(body != nullptr, "a conformance map has a body");
  registered_maps()[std::move(scenario)].body = body;
}

}  // namespace gainsay
