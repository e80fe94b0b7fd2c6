#include "tools/partition_question.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/family/coverage.hpp"

namespace gainsay::tools {
namespace {

std::vector<std::string> cut_at(const std::string& text, char between) {
  std::vector<std::string> pieces(1);
  for (const char c : text) {
    if (c == between) {
      pieces.emplace_back();
    } else {
      pieces.back() += c;
    }
  }
  return pieces;
}

std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Whole numbers between commas, or a complaint.
std::vector<std::uint32_t> numbers_of(const std::string& option, const std::string& text, std::size_t count,
                                      const std::string& expected) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& piece : cut_at(text, ',')) {
    const auto value = number_in(piece);
    if (value && *value >= 1 && *value <= family::Sampler::nodes_max)
      numbers.push_back(static_cast<std::uint32_t>(*value));
  }
  if (numbers.size() != count || cut_at(text, ',').size() != count)
    throw UserError(fmt::format("{} '{}': expected {}", option, text, expected));
  return numbers;
}

void read_nodes(PartitionQuestion& question, const std::string& text) {
  if (text.empty()) throw UserError("partitions needs --nodes: a number, or names separated by commas");
  if (const auto count = number_in(text)) {
    if (*count < 2 || *count > family::Sampler::nodes_max)
      throw UserError(
          fmt::format("--nodes {}: expected 2 to {} nodes", text, with_commas(family::Sampler::nodes_max)));
    question.nodes = static_cast<std::size_t>(*count);
    return;
  }
  question.names = cut_at(text, ',');
  for (std::size_t i = 0; i < question.names.size(); ++i) {
    if (question.names[i].empty()) throw UserError(fmt::format("--nodes '{}': a name is empty", text));
    if (question.names[i].find_first_of(" |;*=:") != std::string::npos)
      throw UserError(fmt::format(
          "--nodes: '{}' is not a valid name; names cannot contain blanks or | ; * = :", question.names[i]));
    if (std::find(question.names.begin(), question.names.begin() + static_cast<std::ptrdiff_t>(i),
                  question.names[i]) != question.names.begin() + static_cast<std::ptrdiff_t>(i))
      throw UserError(fmt::format("--nodes: '{}' is listed twice", question.names[i]));
  }
  question.nodes = question.names.size();
  if (question.nodes < 2) throw UserError("--nodes: expected at least 2 nodes");
}

family::Node node_named(const PartitionQuestion& question, const std::string& option,
                        const std::string& name) {
  for (family::Node node = 0; node < question.nodes; ++node) {
    if (family::node_name(node, question.names) == name) return node;
  }
  throw UserError(
      fmt::format("{} names '{}', which is not a node{}", option, name, did_you_mean(name, question.names)));
}

void read_roles(PartitionQuestion& question, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      throw UserError(fmt::format("--role '{}': expected NAME=NODES, for example storage=n2,n3", text));
    PartitionQuestion::Role role;
    role.name = text.substr(0, equals);
    for (const std::string& name : cut_at(text.substr(equals + 1), ',')) {
      const family::Node node = node_named(question, "--role " + role.name, name);
      for (const PartitionQuestion::Role& other : question.roles) {
        if (std::find(other.members.begin(), other.members.end(), node) != other.members.end())
          throw UserError(
              fmt::format("the roles {} and {} overlap: both have {}", other.name, role.name, name));
      }
      if (std::find(role.members.begin(), role.members.end(), node) != role.members.end())
        throw UserError(fmt::format("the role {} lists {} twice", role.name, name));
      role.members.push_back(node);
    }
    question.roles.push_back(std::move(role));
  }
}

// "2,2", or "leader:1,storage:2".
void read_separate(PartitionQuestion& question, const std::string& text) {
  if (text.empty()) return;
  const std::string expected = "K,L, for example 2,2, or ROLE:K,ROLE:L, for example leader:1,storage:2";
  if (text.find(':') == std::string::npos) {
    for (const std::uint32_t count : numbers_of("--separate", text, 2, expected))
      question.separate.push_back({count, {}});
    return;
  }
  for (const std::string& piece : cut_at(text, ',')) {
    const std::size_t colon = piece.find(':');
    const auto count = colon == std::string::npos ? std::nullopt : number_in(piece.substr(colon + 1));
    if (!count || *count == 0 || *count > family::Sampler::nodes_max)
      throw UserError(fmt::format("--separate '{}': expected {}", text, expected));
    std::vector<std::string> known;
    for (const PartitionQuestion::Role& role : question.roles) {
      known.push_back(role.name);
      if (role.name == piece.substr(0, colon))
        question.separate.push_back({static_cast<std::uint32_t>(*count), role.members});
    }
    if (std::find(known.begin(), known.end(), piece.substr(0, colon)) == known.end())
      throw UserError(fmt::format("--separate names the role '{}', which no --role defines{}",
                                  piece.substr(0, colon), did_you_mean(piece.substr(0, colon), known)));
  }
  if (question.separate.size() != 2)
    throw UserError(fmt::format("--separate '{}': expected {}", text, expected));
}

void read_operations(PartitionQuestion& question, const PartitionArguments& arguments) {
  if (arguments.operations.empty()) {
    if (arguments.targets) throw UserError("--targets counts sequences of operations: it needs --operations");
    return;
  }
  const std::vector<std::string> pieces = cut_at(arguments.operations, ':');
  const auto kinds = number_in(pieces.front());
  const auto length = pieces.size() == 2 ? number_in(pieces.back()) : std::nullopt;
  if (!kinds || !length || *kinds == 0 || *length == 0 || *length > 1'000'000)
    throw UserError(
        fmt::format("--operations '{}': expected M:LENGTH, for example 15:2", arguments.operations));
  PartitionQuestion::Operations ops{*kinds, *length, arguments.targets.value_or(1)};
  if (ops.sequences() != family::too_many && ops.targets > ops.sequences())
    throw UserError(fmt::format("--targets {}: there are only {} sequences of {}", with_commas(ops.targets),
                                with_commas(ops.sequences()), counted(ops.length, "operation")));
  question.operations = ops;
}

}  // namespace

double PartitionQuestion::Operations::chance() const {
  return std::exp(std::log(static_cast<double>(targets)) -
                  static_cast<double>(length) * std::log(static_cast<double>(kinds)));
}

std::uint64_t PartitionQuestion::Operations::sequences() const {
  std::uint64_t all = 1;
  for (std::uint64_t i = 0; i < length && kinds > 1; ++i) {
    if (all > family::too_many / kinds) return family::too_many;
    all *= kinds;
  }
  return all;
}

std::optional<family::Notion> PartitionQuestion::notion() const {
  if (split) return family::Notion::split(nodes, static_cast<std::size_t>(*split));
  if (minority) return family::Notion::isolate_minority(nodes);
  if (!bridge.empty()) return family::Notion::bridge(nodes, bridge[0], bridge[1], bridge[2]);
  if (separate.empty()) return std::nullopt;
  if (separate[0].pool.empty()) return family::Notion::separate(nodes, separate[0].count, separate[1].count);
  return family::Notion::separate_roles(nodes, separate[0], separate[1]);
}

family::Sampler PartitionQuestion::sampler(std::size_t blocks) const {
  if (drawn == "balanced") return family::Sampler::balanced(nodes, blocks);
  if (drawn != "semibalanced") return family::Sampler::uniform(nodes, blocks);
  if (blocks != 2) throw UserError("--drawn semibalanced: only for partitions with two blocks");
  return family::Sampler::semibalanced(nodes);
}

family::CutTests PartitionQuestion::ran_tests(const family::Notion& notion) const {
  if (notion.kind == family::Notion::Kind::bridge)
    throw UserError("--ran cannot be used with --bridge: it does not say which block is the bridge");
  family::CutTests tests;
  for (const std::string& text : cut_at(ran, ';')) {
    std::vector<std::vector<family::Node>> blocks;
    std::vector<bool> there(nodes, false);
    for (const std::string& block_text : cut_at(text, '|')) {
      blocks.emplace_back();
      std::istringstream words(block_text);
      for (std::string word; words >> word;) {
        const family::Node node = node_named(*this, "--ran", word);
        if (there[node]) throw UserError(fmt::format("--ran: {} is in two blocks of '{}'", word, text));
        there[node] = true;
        blocks.back().push_back(node);
      }
      if (blocks.back().empty()) throw UserError(fmt::format("--ran: a block of '{}' is empty", text));
    }
    const auto missing = std::find(there.begin(), there.end(), false);
    if (missing != there.end())
      throw UserError(
          fmt::format("--ran: '{}' does not say where {} is", text,
                      family::node_name(static_cast<family::Node>(missing - there.begin()), names)));
    tests.push_back({family::Partition::of_blocks(nodes, blocks)});
  }
  return tests;
}

PartitionQuestion read_question(const PartitionArguments& arguments) {
  PartitionQuestion question;
  read_nodes(question, arguments.nodes);
  read_roles(question, arguments.roles);
  question.split = arguments.split;
  question.minority = arguments.minority;
  read_separate(question, arguments.separate);
  if (!arguments.bridge.empty())
    question.bridge = numbers_of("--bridge", arguments.bridge, 3, "K,L,Z, for instance 1,1,1");
  question.sequence = arguments.sequence;
  read_operations(question, arguments);
  question.epsilon = arguments.epsilon.value_or(question.epsilon);
  if (question.epsilon >= 1) throw UserError("--epsilon 1: expected less than 1");
  question.rounds = arguments.rounds;
  question.seed = arguments.seed;
  question.drawn = arguments.drawn;
  question.deterministic = arguments.deterministic;
  question.verify = arguments.verify;
  question.ran = arguments.ran;
  const int notions = (question.split ? 1 : 0) + (question.minority ? 1 : 0) +
                      (question.separate.empty() ? 0 : 1) + (question.bridge.empty() ? 0 : 1) +
                      (question.sequence.empty() ? 0 : 1);
  if (notions > 1)
    throw UserError(
        "partitions takes one of --split, --separate, --isolate-minority, --bridge and --sequence");
  if (notions == 0 && !question.operations)
    throw UserError(
        "partitions needs one of --split K, --separate K,L, --isolate-minority, --bridge K,L,Z, --sequence "
        "PHASES and --operations M:LENGTH");
  if (!question.ran.empty() && (notions == 0 || !question.sequence.empty()))
    throw UserError("--ran needs --split, --separate or --isolate-minority");
  if (!question.ran.empty() && question.deterministic)
    throw UserError("--ran and --deterministic cannot be used together");
  if (!question.sequence.empty() && question.drawn != "uniform")
    throw UserError("--drawn cannot be used with --sequence: the phases define the partitions");
  return question;
}

}  // namespace gainsay::tools
