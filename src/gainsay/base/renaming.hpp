// Renaming: a permutation of actors, applied to every reference inside a value.
//
// Ids and Refs are replaced wherever they stand; keys of maps and sets are sorted in again, sequences keep their
// order. A Group stands for its members, whoever they are: it stays if the permutation maps it onto itself. What
// reflection cannot see, an index or a table by index, a type renames itself, after its fields have been:
//
//   void rename(const gainsay::Renaming& r) { r.rearrange(servers, next_index); }
//
// A type with `members()` that has such a function is renamed by it alone.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gainsay/base/reflect.hpp"

namespace gainsay {

// A value that has no image under the permutation; the text says why, as the end of a sentence.
class CannotRename : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Renaming {
 public:
  // `images`: of the actors of the scenario, by id; `spawned` of the others.
  explicit Renaming(std::vector<ActorId> images, std::function<ActorId(ActorId)> spawned = {})
      : images_(std::move(images)), spawned_(std::move(spawned)) {}

  ActorId operator()(ActorId id) const {
    if (id.raw < images_.size()) return images_[id.raw];
    if (!is_spawned(id)) return id;
    if (!spawned_) throw CannotRename("it refers to an actor that a handler spawned");
    return spawned_(id);
  }
  template <class A> Group<A> operator()(const Group<A>& group) const {
    if (group.empty()) return group;
    bool itself = true;
    bool moved = true;
    const ActorId first = (*this)(group.first);
    for (std::size_t i = 0; i < group.size(); ++i) {
      const ActorId image = (*this)(group[i]);
      itself = itself && group.contains(image);
      moved = moved && image.raw == first.raw + i;
    }
    if (itself) return group;
    if (!moved)
      throw CannotRename("it has a Group of only some members, which is not a Group after a permutation");
    Group<A> other = group;
    other.first = Ref<A>(first);
    return other;
  }

  // Where the i-th member of the group goes. REQUIRES: i < group.size(), and the group maps onto itself.
  template <class A> std::size_t index(const Group<A>& group, std::size_t i) const {
    const ActorId image = (*this)(group[i]);
    if (!group.contains(image)) throw CannotRename("it has an index into a Group of only some members");
    return group.index(image);
  }
  // Rearranges a sequence with one element for each member of the group; an empty one has none for anybody.
  template <class A, class Sequence> void rearrange(const Group<A>& group, Sequence& by_index) const {
    if (by_index.size() == 0) return;
    if (by_index.size() != group.size())
      throw CannotRename("it rearranges a sequence that is not as long as the group");
    const Sequence before = by_index;
    for (std::size_t i = 0; i < group.size(); ++i) by_index[index(group, i)] = before[i];
  }

 private:
  std::vector<ActorId> images_;
  std::function<ActorId(ActorId)> spawned_;
};

namespace reflect {
namespace detail {

template <class T>
concept HasRename = requires(T& t, const Renaming& r) {
  t.rename(r);
};
template <class T>
concept SetLike = Range<T> && requires {
  typename T::key_type;
};

template <class T, class... Seen> consteval bool holds_actors();

template <class Tuple, class... Seen, std::size_t... I>
consteval bool parts_hold_actors(std::index_sequence<I...>) {
  return (holds_actors<std::remove_cvref_t<std::tuple_element_t<I, Tuple>>, Seen...>() || ...);
}
template <class T, class... Seen, std::size_t... I>
consteval bool fields_hold_actors(std::index_sequence<I...>) {
  return (holds_actors<field_type<I, T>, Seen...>() || ...);
}
template <class... Seen, class... T> consteval bool alternatives_hold_actors(const std::variant<T...>*) {
  return (holds_actors<T, Seen...>() || ...);
}

template <class T, class... Seen> consteval bool holds_actors() {
  if constexpr ((std::same_as<T, Seen> || ...)) {
    return false;
  } else if constexpr (Actor<T> || is_group<T> || HasRename<T>) {
    return true;
  } else if constexpr (Leaf<T>) {
    return false;
  } else if constexpr (is_optional<T>) {
    return holds_actors<typename T::value_type, Seen...>();
  } else if constexpr (is_variant<T>) {
    return alternatives_hold_actors<Seen...>(static_cast<const T*>(nullptr));
  } else if constexpr (is_tuple<T>) {
    return parts_hold_actors<T, Seen...>(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (HasMembers<T>) {
    using Tuple = decltype(std::declval<const T&>().members());
    return parts_hold_actors<Tuple, Seen..., T>(std::make_index_sequence<std::tuple_size_v<Tuple>>{});
  } else if constexpr (Keyed<T>) {
    return holds_actors<typename T::key_type, Seen...>() || holds_actors<typename T::mapped_type, Seen...>();
  } else if constexpr (Range<T>) {
    return holds_actors<typename T::value_type, Seen...>();
  } else if constexpr (std::is_aggregate_v<T>) {
    return fields_hold_actors<T, Seen..., T>(std::make_index_sequence<field_count<T>>{});
  } else {
    return false;  // no value: refused elsewhere, with a better message
  }
}

}  // namespace detail

// Whether a value of this type can refer to an actor.
template <class T> inline constexpr bool holds_actors = detail::holds_actors<T>();

template <class T> void rename(T& value, const Renaming& renaming);

namespace detail {

template <class T> void rename_part(T& part, const Renaming& renaming) {
  using Part = std::remove_const_t<T>;
  if constexpr (!reflect::holds_actors<Part>) {
    return;
  } else if constexpr (std::is_const_v<T>) {  // a constant field: made anew in its place
    Part changed = part;
    reflect::rename(changed, renaming);
    std::destroy_at(std::addressof(part));
    ::new (const_cast<void*>(static_cast<const void*>(std::addressof(part)))) Part(std::move(changed));
  } else {
    reflect::rename(part, renaming);
  }
}

template <class T> void rename_members(T& value, const Renaming& renaming) {
  const auto rename_member = [&]<class Member>(Member&& member) {
    using Value = std::remove_cvref_t<Member>;
    if constexpr (reflect::holds_actors<Value>) reflect::rename(const_cast<Value&>(member), renaming);
  };
  using Tuple = decltype(value.members());
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    if constexpr ((std::is_lvalue_reference_v<std::tuple_element_t<I, Tuple>> && ...)) {
      const Tuple members = value.members();
      (rename_member(std::get<I>(members)), ...);
    } else {
      throw CannotRename(std::string(type_name<T>()) +
                         " gives its members by value; give it `void rename(const gainsay::Renaming&)`");
    }
  }
  (std::make_index_sequence<std::tuple_size_v<Tuple>>{});
}

template <class T> void rename_keys(T& value, const Renaming& renaming) {
  T renamed = value;  // with its comparison
  renamed.clear();
  for (const typename T::value_type& entry : value) {
    if constexpr (Keyed<T>) {
      auto key = entry.first;
      auto mapped = entry.second;
      rename_part(key, renaming);
      rename_part(mapped, renaming);
      renamed.emplace(std::move(key), std::move(mapped));
    } else {
      auto key = entry;
      rename_part(key, renaming);
      renamed.insert(std::move(key));
    }
  }
  value = std::move(renamed);
}

}  // namespace detail

// Applies the renaming to every reference in the value. Throws CannotRename.
template <class T> void rename(T& value, const Renaming& renaming) {
  if constexpr (!holds_actors<T>) {
    return;
  } else if constexpr (detail::Actor<T>) {
    static_cast<ActorId&>(value) = renaming(value);
  } else if constexpr (detail::is_group<T>) {
    value = renaming(value);
  } else if constexpr (detail::is_optional<T>) {
    if (value) detail::rename_part(*value, renaming);
  } else if constexpr (detail::is_variant<T>) {
    std::visit([&](auto& held) { detail::rename_part(held, renaming); }, value);
  } else if constexpr (detail::is_tuple<T>) {
    std::apply([&](auto&... part) { (detail::rename_part(part, renaming), ...); }, value);
  } else if constexpr (detail::HasMembers<T>) {
    if constexpr (detail::HasRename<T>) {
      value.rename(renaming);
    } else {
      detail::rename_members(value, renaming);
    }
  } else if constexpr (detail::SetLike<T>) {
    if constexpr (requires { value.clear(); }) {
      detail::rename_keys(value, renaming);
    } else {
      throw CannotRename(std::string(type_name<T>()) + " has keys that cannot be changed");
    }
  } else if constexpr (detail::Range<T>) {
    for (auto&& element : value) {
      static_assert(std::is_lvalue_reference_v<decltype(element)>);
      detail::rename_part(element, renaming);
    }
  } else {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (detail::rename_part(get_field<I>(value), renaming), ...);
    }
    (std::make_index_sequence<field_count<T>>{});
    if constexpr (detail::HasRename<T>) value.rename(renaming);
  }
}

}  // namespace reflect
}  // namespace gainsay
