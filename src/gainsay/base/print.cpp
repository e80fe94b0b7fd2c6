#include "gainsay/base/print.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "gainsay/base/changes.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay {
namespace {

std::string actor_text(const ActorNames& names, ActorId id) {
  if (id == outside) return "outside";
  if (id == nobody) return "nobody";
  if (names) return names(id);
  return fmt::format("actor {}", id.raw);
}

std::string enumerator_text(std::string_view name, std::int64_t value) {
  return name.empty() ? std::to_string(value) : std::string(name);
}

// Says of everything that has no parts how it is written.
class LeafVisitor : public reflect::Visitor {
 public:
  explicit LeafVisitor(const ActorNames& names) : names_(names) {}

  void boolean(bool value) override { leaf(value ? "true" : "false"); }
  void integer(std::int64_t value) override { leaf(std::to_string(value)); }
  void natural(std::uint64_t value) override { leaf(std::to_string(value)); }
  void floating(double value) override { leaf(fmt::format("{}", value)); }
  void text(std::string_view value) override { leaf(quoted(value)); }
  void enumerator(std::string_view name, std::int64_t value) override { leaf(enumerator_text(name, value)); }
  void duration(std::int64_t nanoseconds) override { leaf(duration_text(nanoseconds)); }
  void actor(ActorId id) override { leaf(actor_text(names_, id)); }
  void nothing() override { leaf("none"); }

 private:
  virtual void leaf(std::string text) = 0;

  const ActorNames& names_;
};

// Text of one value. A stack of open brackets says where commas and keys go.
class Printer : public LeafVisitor {
 public:
  using LeafVisitor::LeafVisitor;

  std::string take() { return std::move(out_); }

  void begin_struct(std::string_view type) override {
    separate();
    out_ += type;
    open_.push_back({Kind::structure, 0, out_.size()});
  }
  void field(std::string_view name) override {
    Open& open = open_.back();
    out_ += open.count++ == 0 ? "{" : ", ";
    out_ += name;
    out_ += ": ";
  }
  void end_struct() override {
    if (open_.back().count > 0) out_ += "}";
    open_.pop_back();
  }
  void begin_list(std::size_t) override { begin(Kind::list, "["); }
  void end_list() override { end("]"); }
  void begin_map(std::size_t) override { begin(Kind::map, "{"); }
  void end_map() override { end("}"); }
  void leaf(std::string text) override {
    separate();
    out_ += text;
  }

 private:
  enum class Kind { structure, list, map };
  struct Open {
    Kind kind;
    std::size_t count;
    std::size_t start;
  };

  void separate() {
    if (open_.empty() || open_.back().kind == Kind::structure) return;
    Open& open = open_.back();
    if (open.count > 0) out_ += open.kind == Kind::map && open.count % 2 == 1 ? ": " : ", ";
    ++open.count;
  }
  void begin(Kind kind, std::string_view bracket) {
    separate();
    out_ += bracket;
    open_.push_back({kind, 0, out_.size()});
  }
  void end(std::string_view bracket) {
    out_ += bracket;
    open_.pop_back();
  }

  std::string out_;
  std::vector<Open> open_;
};

// Flattens a value to (path, text of the leaf) in the order of the visit.
class Flattener : public LeafVisitor {
 public:
  using LeafVisitor::LeafVisitor;

  std::vector<std::pair<std::string, std::string>> leaves;

  void begin_struct(std::string_view) override { open({Kind::structure, 0, {}}); }
  void field(std::string_view name) override { open_.back().key = std::string(name); }
  void end_struct() override { open_.pop_back(); }
  void begin_list(std::size_t size) override {
    open({Kind::list, 0, {}});
    sizes(size);
  }
  void end_list() override { open_.pop_back(); }
  void begin_map(std::size_t size) override {
    open({Kind::map, 0, {}});
    sizes(size);
  }
  void end_map() override { open_.pop_back(); }

 private:
  enum class Kind { structure, list, map };
  struct Open {
    Kind kind;
    std::size_t count;
    std::string key;
  };

  void sizes(std::size_t size) {
    const std::string at = path();
    leaves.emplace_back(at.empty() ? "size" : at + ".size", std::to_string(size));
  }
  // The path of what comes next. A plain key's text labels its value; a compound key has leaves of its own,
  // and the count of what the map has shown is odd while it is shown.
  std::string path() const {
    std::string out;
    for (const Open& open : open_) {
      if (open.kind == Kind::structure) {
        if (!out.empty() && !open.key.empty()) out += ".";
        out += open.key;
      } else if (!open.key.empty()) {
        const bool inside_key = open.kind == Kind::map && open.count % 2 == 1;
        out += (inside_key ? "[key " : "[") + open.key + "]";
      }
    }
    return out;
  }
  void advance() {
    if (open_.empty() || open_.back().kind == Kind::structure) return;
    Open& open = open_.back();
    if (open.kind == Kind::list) open.key = std::to_string(open.count);
    ++open.count;
  }
  void leaf(std::string text) override {
    if (!open_.empty() && open_.back().kind == Kind::map && open_.back().count % 2 == 0) {
      ++open_.back().count;
      open_.back().key = std::move(text);
      return;
    }
    advance();
    leaves.emplace_back(path(), std::move(text));
  }
  void open(Open next) {
    if (!open_.empty() && open_.back().kind == Kind::map && open_.back().count % 2 == 0) {
      open_.back().key = std::to_string(open_.back().count / 2);  // a compound key: its position labels it
    }
    advance();
    open_.push_back(std::move(next));
  }

  std::vector<Open> open_;
};

// Fields of a value: leaves, and containers as a whole with the text of each element. What is inside a container goes
// to a printer of the element.
class FieldVisitor : public LeafVisitor {
 public:
  explicit FieldVisitor(const ActorNames& names) : LeafVisitor(names), names_of_(names) {}

  struct Field {
    std::string path;
    std::string text;                 // of a leaf
    std::string brackets;             // of a container: "[]" or "{}"
    std::vector<std::string> keys{};  // of a map
    std::vector<std::string> elements{};
  };
  std::vector<Field> fields;

  void begin_struct(std::string_view type) override {
    if (inside_ > 0) return enter([&](Printer& printer) { printer.begin_struct(type); });
    path_.emplace_back();
  }
  void field(std::string_view name) override {
    if (inside_ > 0) return element_->field(name);
    path_.back() = std::string(name);
  }
  void end_struct() override {
    if (inside_ > 0) return leave([](Printer& printer) { printer.end_struct(); });
    path_.pop_back();
  }
  void begin_list(std::size_t size) override {
    begin("[]", [&](Printer& p) { p.begin_list(size); });
  }
  void end_list() override {
    leave([](Printer& printer) { printer.end_list(); });
  }
  void begin_map(std::size_t size) override {
    begin("{}", [&](Printer& p) { p.begin_map(size); });
  }
  void end_map() override {
    leave([](Printer& printer) { printer.end_map(); });
  }

 private:
  std::string path() const {
    std::string out;
    for (const std::string& name : path_) out += (out.empty() || name.empty() ? "" : ".") + name;
    return out;
  }
  void leaf(std::string text) override {
    if (inside_ == 0) {
      fields.push_back({path(), std::move(text), "", {}, {}});
    } else if (inside_ == 1) {
      add_element(std::move(text));
    } else {
      element_->leaf(std::move(text));
    }
  }
  template <class Begin> void begin(const char* brackets, const Begin& begin_inside) {
    if (inside_ > 0) return enter(begin_inside);
    fields.push_back({path(), "", brackets, {}, {}});
    inside_ = 1;
  }
  template <class Begin> void enter(const Begin& begin_inside) {
    if (inside_ == 1) element_.emplace(names_of_);
    ++inside_;
    begin_inside(*element_);
  }
  template <class End> void leave(const End& end_inside) {
    --inside_;
    if (inside_ == 0) return;
    end_inside(*element_);
    if (inside_ == 1) add_element(element_->take());
  }
  void add_element(std::string text) {
    Field& field = fields.back();
    const bool is_key = field.brackets == "{}" && field.keys.size() == field.elements.size();
    (is_key ? field.keys : field.elements).push_back(std::move(text));
  }

  const ActorNames& names_of_;
  std::vector<std::string> path_;
  std::size_t inside_ = 0;  // containers, and what is inside them, that are open
  std::optional<Printer> element_;
};

using Field = FieldVisitor::Field;

// Elements [begin, end) in brackets.
std::string slice(const Field& field, std::size_t begin, std::size_t end) {
  std::string out(1, field.brackets[0]);
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin) out += ", ";
    if (!field.keys.empty()) out += field.keys[i] + ": ";
    out += field.elements[i];
  }
  return out + field.brackets[1];
}

// Those entries of a map that the other one has not.
std::string own_entries(const Field& field, const Field& other) {
  std::map<std::string, std::string> others;
  for (std::size_t i = 0; i < other.keys.size(); ++i) others[other.keys[i]] = other.elements[i];
  Field own{field.path, "", field.brackets, {}, {}};
  for (std::size_t i = 0; i < field.keys.size(); ++i) {
    const auto found = others.find(field.keys[i]);
    if (found != others.end() && found->second == field.elements[i]) continue;
    own.keys.push_back(field.keys[i]);
    own.elements.push_back(field.elements[i]);
  }
  return slice(own, 0, own.elements.size());
}

constexpr std::size_t whole_most = 48;  // a longer container is shown in part

std::string container_change(const Field& before, const Field& after) {
  const std::size_t old_size = before.elements.size();
  const std::size_t new_size = after.elements.size();
  const std::string old_text = slice(before, 0, old_size);
  const std::string new_text = slice(after, 0, new_size);
  if (old_text.size() <= whole_most && new_text.size() <= whole_most)
    return fmt::format("{}: {} -> {}", before.path, old_text, new_text);
  if (before.brackets == "{}")
    return fmt::format("{}: {} -> {}", before.path, own_entries(before, after), own_entries(after, before));
  const std::size_t common = std::min(old_size, new_size);
  std::size_t front = 0;
  while (front < common && before.elements[front] == after.elements[front]) ++front;
  std::size_t back = 0;
  while (back < common - front && before.elements[old_size - 1 - back] == after.elements[new_size - 1 - back])
    ++back;
  const std::string last =
      back == 0 && old_size != new_size ? "" : std::to_string(std::max(old_size, new_size) - back - 1);
  return fmt::format("{}[{}..{}]: {} -> {}", before.path, front, last, slice(before, front, old_size - back),
                     slice(after, front, new_size - back));
}

std::string change_of(const Field& before, const Field& after) {
  if (!before.brackets.empty() && before.brackets == after.brackets) return container_change(before, after);
  const auto text = [](const Field& field) {
    return field.brackets.empty() ? field.text : slice(field, 0, field.elements.size());
  };
  return fmt::format("{}: {} -> {}", before.path, text(before), text(after));
}

}  // namespace

std::vector<std::string> changes(const ValueType& type, const void* before, const void* after,
                                 const ActorNames& names) {
  FieldVisitor a(names);
  FieldVisitor b(names);
  type.visit(a, before);
  type.visit(b, after);
  std::map<std::string, const Field*> then;
  for (const Field& field : b.fields) then.emplace(field.path, &field);
  std::vector<std::string> lines;
  const auto same = [](const Field& x, const Field& y) {
    return x.text == y.text && x.brackets == y.brackets && x.keys == y.keys && x.elements == y.elements;
  };
  for (const Field& field : a.fields) {
    const auto found = then.find(field.path);
    const Field absent{field.path, "(absent)", "", {}, {}};
    const Field& other = found == then.end() ? absent : *found->second;
    if (!same(field, other)) lines.push_back(change_of(field, other));
    if (found != then.end()) then.erase(found);
  }
  for (const Field& field : b.fields) {
    if (then.contains(field.path)) lines.push_back(change_of({field.path, "(absent)", "", {}, {}}, field));
  }
  // Unequal values may have equal texts: two alternatives of a variant, a NaN and another.
  if (lines.empty() && !type.equal(before, after))
    lines.push_back(fmt::format("{} -> {}", print(type, before, names), print(type, after, names)));
  return lines;
}

std::string print(const ValueType& type, const void* value, const ActorNames& names) {
  Printer printer(names);
  type.visit(printer, value);
  return printer.take();
}

std::vector<Difference> differences(const ValueType& type, const void* left, const void* right,
                                    const ActorNames& names) {
  Flattener a(names);
  Flattener b(names);
  type.visit(a, left);
  type.visit(b, right);
  std::map<std::string, std::string> on_right(b.leaves.begin(), b.leaves.end());
  const std::map<std::string, std::string> on_left(a.leaves.begin(), a.leaves.end());
  std::vector<Difference> result;
  for (const auto& [path, text] : a.leaves) {
    const auto found = on_right.find(path);
    if (found == on_right.end()) {
      result.push_back({path, text, "(absent)"});
    } else if (found->second != text) {
      result.push_back({path, text, found->second});
    }
  }
  for (const auto& [path, text] : b.leaves) {
    if (!on_left.contains(path)) result.push_back({path, "(absent)", text});
  }
  // Unequal values may have equal texts: two alternatives of a variant, a NaN and another.
  if (result.empty() && !type.equal(left, right))
    result.push_back({"", print(type, left, names), print(type, right, names)});
  return result;
}

}  // namespace gainsay
