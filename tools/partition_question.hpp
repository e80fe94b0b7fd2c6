// What `partitions` is asked: the arguments as they were said, and as they were meant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/family/partitions/goal.hpp"
#include "gainsay/family/partitions/reach.hpp"
#include "gainsay/family/partitions/sampler.hpp"

namespace gainsay::tools {

struct PartitionArguments {
  std::string nodes, separate, bridge, sequence, operations, ran;
  std::vector<std::string> roles;
  std::optional<std::uint64_t> split, targets, rounds;
  std::optional<double> epsilon;
  std::uint64_t seed = 1;
  std::string drawn = "uniform";
  bool minority = false;
  bool deterministic = false;
  bool verify = false;
  bool json = false;
};

struct PartitionQuestion {
  struct Operations {
    std::uint64_t kinds = 1;
    std::uint64_t length = 1;
    std::uint64_t targets = 1;

    double chance() const;
    std::uint64_t sequences() const;  // kinds^length, or family::too_many
  };
  struct Role {
    std::string name;
    std::vector<family::Node> members;
  };

  std::size_t nodes = 0;
  std::vector<std::string> names;  // empty: numbers
  std::vector<Role> roles;
  std::optional<std::uint64_t> split;
  std::vector<family::Side> separate;  // two, or none; without a pool: any nodes
  std::vector<std::uint32_t> bridge;   // three, or none
  bool minority = false;
  std::string sequence;
  std::optional<Operations> operations;
  double epsilon = 0.05;
  std::optional<std::uint64_t> rounds;
  std::uint64_t seed = 1;
  std::string drawn;
  bool deterministic = false;
  bool verify = false;
  std::string ran;

  // None: operations or a sequence were asked for.
  std::optional<family::Notion> notion() const;
  family::Sampler sampler(std::size_t blocks) const;
  // The partitions of --ran. Throws UserError for what is no partition of these nodes.
  family::CutTests ran_tests(const family::Notion& notion) const;
};

// Throws UserError, in one line, for what does not fit.
PartitionQuestion read_question(const PartitionArguments& arguments);

}  // namespace gainsay::tools
