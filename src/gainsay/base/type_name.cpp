#include "gainsay/base/type_name.hpp"

#include "gainsay/base/check.hpp"

namespace gainsay::reflect::detail {
namespace {

// The parts of `... V = {a, b<c, d>, e}]`, or with `<` and `>` as clang has it.
Names read_pack(std::string_view spelled) {
  constexpr std::string_view mark = "V = ";
  const std::size_t found = spelled.find(mark);
  GAINSAY_CHECK(found != std::string_view::npos && found + mark.size() < spelled.size(),
                "spelled by the compiler");
  Names parts;
  std::size_t begin = found + mark.size() + 1;
  std::size_t depth = 0;
  for (std::size_t i = begin; i < spelled.size(); ++i) {
    const char c = spelled[i];
    const bool closes = c == ')' || c == ']' || c == '}' || (c == '>' && spelled[i - 1] != '-');
    if ((closes || c == ',') && depth == 0) {
      if (i > begin) parts.push_back(spelled.substr(begin, i - begin));
      if (closes) return parts;
      begin = i + 2;  // after the blank
    } else if (closes) {
      --depth;
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      ++depth;
    }
  }
  GAINSAY_CHECK(false, "the list that the compiler spells has an end");
  return parts;
}

}  // namespace

Names read_enumerators(std::string_view spelled) {
  Names names = read_pack(spelled);
  GAINSAY_CHECK(names.size() == static_cast<std::size_t>(enumerators_probed), "as many as were asked for");
  // Without an enumerator it is spelled as a cast: `(ns::Colour)7`.
  for (std::string_view& name : names) {
    name = after_last_colon(name);
    if (!is_identifier(name)) name = {};
  }
  return names;
}

Names read_fields(std::string_view spelled) {
  Names names = read_pack(spelled);
  for (std::string_view& name : names) name = last_identifier(name);
  return names;
}

}  // namespace gainsay::reflect::detail
