#include "gainsay/model/tlc_dot.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"

namespace gainsay {
namespace {

constexpr std::string_view dump_begins = "strict digraph DiskGraph {";

// A file as bytes.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat facts {};
    if (file < 0 || fstat(file, &facts) != 0) {
      const std::string why = std::strerror(errno);
      if (file >= 0) close(file);
      throw UserError(fmt::format("{}: cannot be read: {}", path, why));
    }
    size_ = static_cast<std::size_t>(facts.st_size);
    if (size_ > 0) data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (data_ == MAP_FAILED)
      throw UserError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
    if (size_ > 0) madvise(data_, size_, MADV_SEQUENTIAL);
  }
  ~MappedFile() {
    if (size_ > 0) munmap(data_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

std::string unescaped(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain += text[i];
      continue;
    }
    ++i;
    plain += text[i] == 'n' ? '\n' : text[i];
  }
  return plain;
}

class DotReader {
 public:
  DotReader(std::string path, const TlcOptions& options)
      : path_(std::move(path)), file_(path_), text_(file_.bytes()), options_(options) {}

  StateGraph read() {
    if (!text_.starts_with(dump_begins))
      fail(fmt::format("'{}': a dump of TLC (-dump dot,actionlabels)", dump_begins));
    std::uint64_t lines = 0;
    while (at_ < text_.size() && !ended_) {
      read_line();
      if ((++lines & 0xfffU) == 0) {
        if (options_.bytes_read != nullptr) options_.bytes_read->store(at_, std::memory_order_relaxed);
        if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed))
          throw UserError(fmt::format("{}: interrupted", path_));
      }
    }
    if (!ended_) fail("'}': the file ends before the graph does; was TLC stopped early?");
    return finish();
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    const auto line =
        std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size())),
                   '\n') +
        1;
    throw UserError(fmt::format("{}: line {}: expected {}", path_, line, expected));
  }
  std::string_view rest() const { return text_.substr(at_); }

  void read_line() {
    const char c = text_[at_];
    if (c == '-' || (c >= '0' && c <= '9')) {
      read_state_or_step();
      return;
    }
    // Braces close what begins with one: the cluster, then the graph. The legend comes last.
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view line = text_.substr(at_, end - at_);
    if (line == "}") {
      if (in_cluster_) {
        in_cluster_ = false;
      } else {
        ended_ = true;
      }
    } else if (line.starts_with("subgraph cluster_graph")) {
      in_cluster_ = true;
    } else if (line.starts_with("subgraph cluster_legend")) {
      if (!text_.ends_with("}")) {
        at_ = text_.size();
        fail("'}' after the legend");
      }
      ended_ = true;
    } else if (!line.starts_with("{rank") && !line.starts_with("node [") && !line.starts_with("edge [") &&
               !line.starts_with("nodesep") && !line.starts_with("color=") &&
               !line.starts_with(dump_begins) && !line.empty()) {
      fail(fmt::format("a state or a step, not '{}'", line.substr(0, 40)));
    }
    at_ = std::min(end + 1, text_.size());
  }

  // TLC's fingerprint: a signed number.
  std::uint64_t fingerprint() {
    std::int64_t number = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
    if (error != std::errc{}) fail("a fingerprint");
    at_ += static_cast<std::size_t>(end - begin);
    return static_cast<std::uint64_t>(number);
  }

  GraphNode node_of(std::uint64_t fingerprint) {
    const auto [where, added] =
        numbers_.try_emplace(fingerprint, static_cast<GraphNode>(fingerprints_.size()));
    if (added) {
      fingerprints_.push_back(fingerprint);
      builder_.add_node();
      described_.push_back(false);
      if (options_.values) states_.emplace_back();
    }
    return where->second;
  }

  // What stands between quotes, from here to the closing one; still escaped.
  std::string_view quoted() {
    const std::size_t begin = at_;
    for (std::size_t end = at_;; ++end) {
      const void* found =
          end < text_.size() ? std::memchr(text_.data() + end, '"', text_.size() - end) : nullptr;
      if (found == nullptr) {
        at_ = text_.size();
        fail("a closing quote");
      }
      end = static_cast<std::size_t>(static_cast<const char*>(found) - text_.data());
      std::size_t slashes = 0;
      while (slashes < end - begin && text_[end - 1 - slashes] == '\\') ++slashes;
      if (slashes % 2 != 0) continue;
      at_ = end + 1;
      return text_.substr(begin, end - begin);
    }
  }
  bool take(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void end_line() {
    const std::size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) {
      at_ = text_.size();
      fail("the rest of the line; the file ends in it");
    }
    at_ = end + 1;
  }

  void read_state_or_step() {
    const std::uint64_t first = fingerprint();
    if (take(" -> ")) {
      const std::uint64_t second = fingerprint();
      read_step(first, second);
    } else if (take(" [label=\"")) {
      read_state(node_of(first));
    } else {
      fail("' -> ' or ' [label='");
    }
  }

  void read_step(std::uint64_t from, std::uint64_t to) {
    std::string_view label;
    if (take(" [style=\"dashed\"")) {  // a stuttering step
      end_line();
      return;
    }
    if (take(" [label=\"")) label = quoted();  // it may hold line ends
    const GraphNode begin = node_of(from);
    const GraphNode end = node_of(to);
    builder_.add_edge(begin, options_.labels ? label_number(label) : 0, end);
    end_line();
  }

  std::uint32_t label_number(std::string_view label) {
    const auto [where, added] = labels_.try_emplace(label, static_cast<std::uint32_t>(labels_.size()));
    if (added) {
      GraphEvent event;
      event.text = unescaped(label);
      event.identity = hash_text(event.text);
      events_.push_back(std::move(event));
    }
    return where->second;
  }

  void read_state(GraphNode node) {
    described_[node] = true;
    const std::size_t text = at_;
    end_line();
    const std::string_view line = text_.substr(text, at_ - 1 - text);
    if (line.ends_with("\",style = filled]")) {
      builder_.add_initial(node);
    } else if (!line.ends_with("];")) {
      at_ -= 1;
      fail("'];' at the end of a state");
    } else if (line.ends_with("fillcolor=lightyellow];")) {
      outside_.push_back(node);
    }
    if (!options_.values || !states_[node].empty()) return;
    const std::size_t after = at_;
    at_ = text;
    std::string_view state = quoted();
    if (take(",tooltip=\"")) state = quoted();  // the state itself, where the label is an alias
    read_values(node, unescaped(state), text);
    at_ = after;
  }

  // "/\ a = 1\n/\ b = 2", or "a = 1" of a model with one variable. A value may go on in indented lines.
  void read_values(GraphNode node, const std::string& state, std::size_t place) {
    std::vector<std::uint32_t> row;
    std::size_t at = 0;
    while (at < state.size()) {
      std::size_t end = state.find("\n/\\ ", at);
      if (end == std::string::npos) end = state.size();
      std::string_view line = std::string_view(state).substr(at, end - at);
      at = std::min(end + 1, state.size());
      if (line.starts_with("/\\ ")) line.remove_prefix(3);
      const std::size_t equals = line.find(" = ");
      if (equals == std::string_view::npos) {
        at_ = place;
        fail(fmt::format("'variable = value', not '{}'", line.substr(0, 40)));
      }
      const std::string_view name = line.substr(0, equals);
      const std::size_t column = column_of(name, row.size(), place);
      if (row.size() <= column) row.resize(column + 1, 0);
      row[column] = value_number(line.substr(equals + 3), place);
    }
    if (row.empty()) {
      at_ = place;
      fail("the values of a state");
    }
    states_[node] = std::move(row);
    columns_described_ = true;
  }
  std::size_t column_of(std::string_view name, std::size_t likely, std::size_t place) {
    if (likely < columns_.size() && columns_[likely] == name) return likely;
    const auto found = std::find(columns_.begin(), columns_.end(), name);
    if (found == columns_.end() && columns_described_) {
      at_ = place;
      fail(fmt::format("the variables of the states before, not '{}'", name));
    }
    const auto place_of_name = static_cast<std::size_t>(found - columns_.begin());
    if (found == columns_.end()) columns_.emplace_back(name);
    return place_of_name;
  }

  // One number for each text, lines joined.
  std::uint32_t value_number(std::string_view value, std::size_t place) {
    std::string joined;
    joined.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value[i] != '\n') {
        joined += value[i];
        continue;
      }
      while (i + 1 < value.size() && value[i + 1] == ' ') ++i;
      joined += ' ';
    }
    const auto [where, added] =
        values_.try_emplace(std::move(joined), static_cast<std::uint32_t>(values_.size() + 1));
    if (added) {
      try {
        value_hashes_.push_back(TlaValue::parse(where->first).hash());
      } catch (const UserError& error) {
        at_ = place;
        const std::string said = error.what();
        fail(said.substr(said.find(' ') + 1));  // after "expected"
      }
    }
    return where->second;
  }

  StateGraph finish() {
    for (GraphNode node = 0; node < described_.size(); ++node) {
      if (!described_[node])
        throw UserError(
            fmt::format("{}: expected a line for state {}, which has steps; was TLC stopped early?", path_,
                        static_cast<std::int64_t>(fingerprints_[node])));
    }
    const std::uint32_t n = builder_.nodes();
    if (!options_.labels) events_.clear();
    StateGraph graph = std::move(builder_).build(std::move(events_));
    graph.source = StateGraph::Source::tlc;
    graph.name = path_;
    if (n > 0 && graph.initial.empty())
      throw UserError(fmt::format("{}: expected a line for an initial state (style = filled)", path_));
    if (!options_.values) {
      graph.keys = std::move(fingerprints_);
    } else {
      fill_values(graph);
    }
    if (!outside_.empty()) {
      GraphMark mark{"within the constraint", std::vector<bool>(n, true)};
      for (const GraphNode node : outside_) mark.holds[node] = false;
      graph.marks.push_back(std::move(mark));
    }
    if (const std::string wrong = graph.check(); !wrong.empty())
      throw UserError(fmt::format("{}: expected a whole state graph: {}", path_, wrong));
    return graph;
  }
  void fill_values(StateGraph& graph) {
    graph.columns = columns_;
    std::vector<const std::string*> texts(values_.size() + 1, nullptr);
    for (const auto& [text, number] : values_) texts[number] = &text;
    graph.values.add("");
    for (std::size_t i = 1; i < texts.size(); ++i) graph.values.add(*texts[i]);
    graph.value_hashes.push_back(0);
    graph.value_hashes.insert(graph.value_hashes.end(), value_hashes_.begin(), value_hashes_.end());
    std::vector<std::uint64_t> names;
    for (const std::string& column : columns_) names.push_back(hash_text(column));
    for (const std::vector<std::uint32_t>& row : states_) {
      std::uint64_t key = 0;
      for (std::size_t column = 0; column < columns_.size(); ++column) {
        const std::uint32_t value = column < row.size() ? row[column] : 0;
        graph.rows.push_back(value);
        key += scramble(mix(names[column], graph.value_hashes[value]));
      }
      graph.keys.push_back(key);
    }
  }

  std::string path_;
  MappedFile file_;
  std::string_view text_;
  const TlcOptions& options_;
  std::size_t at_ = 0;
  bool in_cluster_ = false;
  bool ended_ = false;
  StateGraphBuilder builder_;
  boost::unordered_flat_map<std::uint64_t, GraphNode> numbers_;
  std::vector<std::uint64_t> fingerprints_;
  std::vector<bool> described_;
  boost::unordered_flat_map<std::string_view, std::uint32_t> labels_;  // still escaped: bytes of the file
  std::vector<GraphEvent> events_;
  std::vector<GraphNode> outside_;
  std::vector<std::string> columns_;
  bool columns_described_ = false;
  std::vector<std::vector<std::uint32_t>> states_;
  std::map<std::string, std::uint32_t> values_;
  std::vector<std::uint64_t> value_hashes_;  // by value, without the empty one
};

}  // namespace

StateGraph read_tlc_dot(const std::string& path, const TlcOptions& options) {
  return DotReader(path, options).read();
}

bool is_tlc_dot(const std::string& path) {
  try {
    return MappedFile(path).bytes().starts_with(dump_begins);
  } catch (const UserError&) {
    return false;
  }
}

std::vector<std::pair<std::string, TlaValue>> tla_state(const StateGraph& graph, GraphNode node) {
  GAINSAY_CHECK(graph.has_values(), "the values were kept");
  std::vector<std::pair<std::string, TlaValue>> state;
  for (std::size_t column = 0; column < graph.columns.size(); ++column)
    state.emplace_back(graph.columns[column], TlaValue::parse(graph.value(node, column)));
  return state;
}

}  // namespace gainsay
