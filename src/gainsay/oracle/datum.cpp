#include "gainsay/oracle/datum.hpp"

#include "gainsay/base/text.hpp"

namespace gainsay {

std::string to_text(const Datum& datum) {
  if (datum.is_nil()) return "nil";
  if (const bool* truth = datum.boolean()) return *truth ? "true" : "false";
  if (const std::int64_t* number = datum.integer()) return std::to_string(*number);
  if (const std::string* text = datum.text()) return quoted(*text);
  std::string all = "[";
  for (const Datum& each : *datum.list()) {
    if (all.size() > 1) all += ' ';
    all += to_text(each);
  }
  return all + "]";
}

const Datum* element(const Datum& datum, std::size_t n) {
  const Datum::List* list = datum.list();
  return list != nullptr && n < list->size() ? &(*list)[n] : nullptr;
}

std::string to_text(const Call& call) {
  return call.argument.is_nil() ? call.function : call.function + " " + to_text(call.argument);
}

}  // namespace gainsay
