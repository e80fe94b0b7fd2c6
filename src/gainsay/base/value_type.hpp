// ValueType: one static table per C++ type, by which the kernel handles values whose type it does not know.
//
// `value_type<T>()` first walks T and refuses, with a message that names the owner and the field, whatever
// cannot be part of a value. The address of the table identifies the type; `full_name` identifies it across
// processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "gainsay/base/reflect.hpp"
#include "gainsay/base/renaming.hpp"

namespace gainsay {

struct ValueType {
  std::string_view name;
  std::string_view full_name;
  std::uint64_t name_hash;
  std::size_t size;
  std::size_t alignment;
  void (*copy)(void* to, const void* from);    // constructs
  void (*assign)(void* to, const void* from);  // onto a live object
  void (*destroy)(void* object);
  std::uint64_t (*hash)(const void* object);
  std::size_t (*heap_bytes)(const void* object);  // an estimate of what it owns beyond its own size
  bool (*equal)(const void* a, const void* b);
  void (*visit)(reflect::Visitor& visitor, const void* object);
  void (*rename)(void* object, const Renaming& renaming);  // base/renaming.hpp; null: it refers to nobody
  bool trivial;                                            // a copy of its bytes is a copy of it
};

namespace reflect {
namespace detail {

// A field's name as a template argument, so that the compiler prints it in the chain of a failed
// static_assert.
struct Label {
  char text[48] = {};
  consteval Label() = default;
  consteval explicit Label(std::string_view name) {
    for (std::size_t i = 0; i < name.size() && i + 1 < sizeof(text); ++i) text[i] = name[i];
  }
};

// The I-th field of the owner; only asked for where something is wrong with it.
struct the_value_itself {};
template <class Owner, std::size_t I> consteval Label label_of() {
  if constexpr (std::same_as<Owner, the_value_itself>) {
    return Label("itself");
  } else if constexpr (Aggregate<Owner>) {
    return Label(field_name<Owner, I>());
  } else {
    return Label(I < 32 ? positional[I] : "_");
  }
}

template <class T, class... Seen> inline constexpr bool among = (std::same_as<T, Seen> || ...);

template <class Owner, class Field, std::size_t I, class... Seen> consteval bool check_field();

template <class T, class... Seen, std::size_t... I>
consteval bool check_each_field(std::index_sequence<I...>) {
  return (check_field<T, field_type<I, T>, I, Seen..., T>() && ...);
}

// The parts of a tuple are one field of its owner.
template <class Owner, class Tuple, std::size_t Field, class... Seen, std::size_t... I>
consteval bool check_each_part(std::index_sequence<I...>) {
  return (check_field<Owner, std::remove_cvref_t<std::tuple_element_t<I, Tuple>>, Field, Seen...>() && ...);
}

template <class Owner, class Tuple, class... Seen, std::size_t... I>
consteval bool check_each_member(std::index_sequence<I...>) {
  return (check_field<Owner, std::remove_cvref_t<std::tuple_element_t<I, Tuple>>, I, Seen...>() && ...);
}

template <class Owner, std::size_t I, class... Seen, class... T>
consteval bool check_alternatives(const std::variant<T...>*) {
  return (check_field<Owner, T, I, Seen...>() && ...);
}

// What is wrong with the struct as a whole; its fields cannot be named before they can be tied.
template <class Struct> consteval bool can_be_tied() {
  static_assert(!has_base<Struct>,
                "gainsay: this struct has a base class, so its fields cannot be listed. Make the base a "
                "field, or give the "
                "struct `auto members() const { return std::tie(...); }`");
  static_assert(has_base<Struct> || !has_array<Struct>,
                "gainsay: this struct has a C array field. Use std::array");
  static_assert(
      !has_reference<Struct>,
      "gainsay: this struct has a reference field; what it refers to is not part of the value. Use the value "
      "itself, an index, or a Ref<Actor>; or make the actor opaque with world.wrap<A>(...)");
  static_assert(!has_too_many_fields<Struct>,
                "gainsay: this struct has more than 64 fields. Group some of them in nested structs");
  return !has_base<Struct> && !has_array<Struct> && !has_reference<Struct> && !has_too_many_fields<Struct>;
}

template <class Field>
inline constexpr bool is_refused_kind =
    std::is_pointer_v<Field> || std::is_reference_v<Field> || std::is_member_pointer_v<Field> ||
    Unordered<Field> || View<Field> || std::is_array_v<Field>;

// What is wrong with a field; the compiler prints the arguments.
template <class Owner, class Field, Label field> consteval bool refuse_field() {
  static_assert(
      !std::is_pointer_v<Field> && !std::is_reference_v<Field> && !std::is_member_pointer_v<Field>,
      "gainsay: this field is a pointer or a reference; what it points to is not part of the value. Use the "
      "value itself, an index, or a Ref<Actor>; or make the actor opaque with world.wrap<A>(...)");
  static_assert(!Unordered<Field>,
                "gainsay: this field is an unordered container; its iteration order is not part of the "
                "value. Use std::map or std::set; or make the actor opaque with world.wrap<A>(...)");
  static_assert(!View<Field>,
                "gainsay: this field is a view and does not own its data. Use std::string or std::vector; or "
                "make the actor opaque with world.wrap<A>(...)");
  static_assert(!std::is_array_v<Field>, "gainsay: this field is a C array. Use std::array");
  if constexpr (!is_refused_kind<Field>) {
    static_assert(std::is_copy_constructible_v<Field>,
                  "gainsay: this field cannot be copied, so the value cannot be snapshotted. Make the actor "
                  "opaque with world.wrap<A>(...), or remove the field");
    static_assert(!std::is_copy_constructible_v<Field>,
                  "gainsay: this field is a class with private state or constructors, so it cannot be hashed "
                  "and printed. Give it `auto members() const { return std::tie(...); }`, make it a plain "
                  "struct, or make the actor opaque with world.wrap<A>(...)");
  }
  return false;
}

template <class Owner, class Field, std::size_t I, class... Seen> consteval bool check_field() {
  if constexpr (among<Field, Seen...> || Leaf<Field>) {
    return true;
  } else if constexpr (is_refused_kind<Field>) {
    return refuse_field<Owner, Field, label_of<Owner, I>()>();
  } else if constexpr (Aggregate<Field>) {
    if constexpr (can_be_tied<Field>()) {
      return check_each_field<Field, Seen...>(std::make_index_sequence<field_count<Field>>{});
    } else {
      return false;
    }
  } else if constexpr (!std::is_copy_constructible_v<Field>) {
    return refuse_field<Owner, Field, label_of<Owner, I>()>();
  } else if constexpr (is_optional<Field>) {
    return check_field<Owner, typename Field::value_type, I, Seen...>();
  } else if constexpr (is_variant<Field>) {
    return check_alternatives<Owner, I, Seen...>(static_cast<const Field*>(nullptr));
  } else if constexpr (is_tuple<Field>) {
    return check_each_part<Owner, Field, I, Seen...>(std::make_index_sequence<std::tuple_size_v<Field>>{});
  } else if constexpr (HasMembers<Field>) {
    using Tuple = decltype(std::declval<const Field&>().members());
    return check_each_member<Field, Tuple, Seen..., Field>(
        std::make_index_sequence<std::tuple_size_v<Tuple>>{});
  } else if constexpr (Keyed<Field>) {
    return check_field<Owner, typename Field::key_type, I, Seen...>() &&
           check_field<Owner, typename Field::mapped_type, I, Seen...>();
  } else if constexpr (Range<Field>) {
    return check_field<Owner, typename Field::value_type, I, Seen...>();
  } else {
    return refuse_field<Owner, Field, label_of<Owner, I>()>();
  }
}

template <class T> constexpr auto rename_function() -> void (*)(void*, const Renaming&) {
  if constexpr (holds_actors<T>()) {
    return
        [](void* object, const Renaming& renaming) { reflect::rename(*static_cast<T*>(object), renaming); };
  } else {
    return nullptr;
  }
}

}  // namespace detail

// Fails to compile, naming owner and field, where T is not a value.
template <class T> consteval bool require_value() {
  return detail::check_field<detail::the_value_itself, T, 0>();
}

template <class T> const ValueType& value_type() {
  static_assert(require_value<T>());
  static constexpr ValueType table{
      type_name<T>(),
      full_type_name<T>(),
      hash_text(full_type_name<T>()),
      sizeof(T),
      alignof(T),
      [](void* to, const void* from) {
        if constexpr (std::is_copy_constructible_v<T>) ::new (to) T(*static_cast<const T*>(from));
      },
      [](void* to, const void* from) {
        if constexpr (std::is_copy_assignable_v<T>) {
          *static_cast<T*>(to) = *static_cast<const T*>(from);
        } else if constexpr (std::is_copy_constructible_v<T>) {
          static_cast<T*>(to)->~T();
          ::new (to) T(*static_cast<const T*>(from));
        }
      },
      [](void* object) { static_cast<T*>(object)->~T(); },
      [](const void* object) { return reflect::hash(*static_cast<const T*>(object)); },
      [](const void* object) { return reflect::heap_bytes(*static_cast<const T*>(object)); },
      [](const void* a, const void* b) {
        return reflect::equal(*static_cast<const T*>(a), *static_cast<const T*>(b));
      },
      [](Visitor& visitor, const void* object) { reflect::visit(visitor, *static_cast<const T*>(object)); },
      detail::rename_function<T>(),
      std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
  };
  return table;
}

}  // namespace reflect

// A value of any reflected type, owned.
class AnyValue {
 public:
  AnyValue() = default;
  template <class T> static AnyValue of(const T& value) { return AnyValue(reflect::value_type<T>(), &value); }
  AnyValue(const ValueType& type, const void* value)
      : type_(&type), data_(::operator new(type.size, std::align_val_t(type.alignment))) {
    type.copy(data_, value);
  }
  AnyValue(const AnyValue& other) : AnyValue() {
    if (other.type_ != nullptr) swap(AnyValue(*other.type_, other.data_));
  }
  AnyValue(AnyValue&& other) noexcept : type_(other.type_), data_(other.data_) {
    other.type_ = nullptr;
    other.data_ = nullptr;
  }
  // What the value owns is used again where it can be: an actor that begins anew keeps the memory of its containers.
  AnyValue& operator=(const AnyValue& other) {
    if (type_ != nullptr && type_ == other.type_) {
      if (data_ != other.data_) type_->assign(data_, other.data_);
    } else {
      swap(AnyValue(other));
    }
    return *this;
  }
  AnyValue& operator=(AnyValue&& other) noexcept {
    swap(std::move(other));
    return *this;
  }
  ~AnyValue() {
    if (type_ == nullptr) return;
    type_->destroy(data_);
    ::operator delete(data_, std::align_val_t(type_->alignment));
  }

  bool has_value() const { return type_ != nullptr; }
  const ValueType& type() const { return *type_; }
  const void* data() const { return data_; }
  void* data() { return data_; }

 private:
  void swap(AnyValue&& other) noexcept {
    std::swap(type_, other.type_);
    std::swap(data_, other.data_);
  }

  const ValueType* type_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace gainsay
