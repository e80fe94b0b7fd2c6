#include "gainsay/base/print.hpp"

#include <map>

#include <fmt/format.h>

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
  void leaf(std::string text) override {
    separate();
    out_ += text;
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

}  // namespace

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
