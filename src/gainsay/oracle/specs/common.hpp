// What the ready-made specifications share: values as text, and what "append" means for each kind of value.
//
// Every specification here is a template over its values: Datum for histories that come from files, anything
// reflected for scenarios.
#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "gainsay/base/print.hpp"
#include "gainsay/oracle/datum.hpp"

namespace gainsay::specs {

struct Done {};  // the result of what has nothing to say

template <class V> std::string value_text(const V& value) {
  if constexpr (std::same_as<V, Datum>) {
    return to_text(value);
  } else {
    return print(value);
  }
}

inline void append_to(std::string& whole, const std::string& piece) { whole += piece; }
template <class T> void append_to(std::vector<T>& whole, const std::vector<T>& piece) {
  whole.insert(whole.end(), piece.begin(), piece.end());
}
// Texts are joined; everything else becomes a list of what was appended. An empty text is nothing.
inline void append_to(Datum& whole, const Datum& piece) {
  const bool is_nothing = whole.is_nil() || (whole.text() != nullptr && whole.text()->empty());
  if (piece.text() != nullptr && (is_nothing || whole.text() != nullptr)) {
    if (whole.is_nil()) whole = Datum::of(std::string{});
    std::get<std::string>(whole.held) += *piece.text();
    return;
  }
  if (is_nothing) whole = Datum::of(Datum::List{});
  if (whole.list() == nullptr) whole = Datum::of(Datum::List{whole});
  std::get<Datum::List>(whole.held).push_back(piece);
}

// Whether appending can make `whole` of `start`.
inline bool may_become(const std::string& start, const std::string& whole) {
  return whole.compare(0, start.size(), start) == 0;
}
template <class T> bool may_become(const std::vector<T>& start, const std::vector<T>& whole) {
  if (start.size() > whole.size()) return false;
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (!reflect::equal(start[i], whole[i])) return false;
  }
  return true;
}
inline bool may_become(const Datum& start, const Datum& whole) {
  if (start.is_nil() || (start.text() != nullptr && start.text()->empty())) return true;
  if (start.text() != nullptr && whole.text() != nullptr) return may_become(*start.text(), *whole.text());
  if (start.list() != nullptr && whole.list() != nullptr) return may_become(*start.list(), *whole.list());
  // Something else becomes the first element of a list; a text may have grown before that.
  if (whole.list() != nullptr) return !whole.list()->empty() && may_become(start, whole.list()->front());
  return start == whole;
}
// Values that are not appended to may become anything.
template <class V> bool may_become(const V&, const V&) { return true; }

}  // namespace gainsay::specs
