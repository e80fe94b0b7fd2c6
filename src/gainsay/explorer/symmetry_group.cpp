#include "gainsay/explorer/symmetry_group.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/print.hpp"

namespace gainsay {
namespace {

// Of a partition: from whom nothing reaches whom.
using CutShape = std::set<std::pair<std::set<ActorId>, std::set<ActorId>>>;

class Finder {
 public:
  explicit Finder(const Blueprint& blueprint) : blueprint_(blueprint) {
    for (const LinkOrder& link : blueprint.link_orders) links_[{link.from, link.to}] = link.order;
    ordered_ = blueprint.order != Delivery::unordered || !blueprint.link_orders.empty();
    names_ = [this](ActorId id) {
      return id == outside                       ? "outside"
             : id.raw < blueprint_.actors.size() ? blueprint_.actors[id.raw].name
                                                 : "nobody";
    };
  }

  SymmetryGroup find() {
    SymmetryGroup group;
    std::set<std::size_t> used;
    for (std::size_t g = 0; g < blueprint_.groups.size(); ++g) {
      if (blueprint_.groups[g].count < 2 || used.contains(g)) continue;
      const auto classes = classes_of(g, used);
      if (classes.empty()) group.obstacles.push_back(why_not(g));
      for (const SymmetryClass& each : classes) {
        used.insert(each.groups.begin(), each.groups.end());
        group.classes.push_back(each);
      }
    }
    return group;
  }

  // What is different when actors are exchanged; nothing if the beginning is the same.
  std::optional<std::string> difference(const std::vector<ActorId>& images) const {
    const Renaming renaming(images);
    for (std::size_t a = 0; a < blueprint_.actors.size(); ++a) {
      if (auto text = actor_difference(ActorId{a}, renaming)) return text;
    }
    if (auto text = message_difference(renaming)) return text;
    for (const auto& [link, order] : links_) {
      const auto image = links_.find({renaming(link.first), renaming(link.second)});
      if ((image == links_.end() ? blueprint_.order : image->second) != order)
        return fmt::format("the link from {} to {} has an order of its own", names_(link.first),
                           names_(link.second));
    }
    return fault_difference(renaming);
  }

  // The image of every planned partition; nothing where one has none. Of several plans that cut alike, the
  // first goes to the first, and so on: the images are a permutation.
  std::optional<std::vector<std::uint32_t>> partitions(const Renaming& renaming) const {
    const auto& plans = blueprint_.faults.partitions;
    const Renaming nobody_moves(identity());
    const auto alike = [&](const PartitionPlan& plan, const CutShape& shape) {
      std::vector<std::uint32_t> found;
      for (std::uint32_t i = 0; i < plans.size(); ++i) {
        if (plans[i].steps == plan.steps && plans[i].drops == plan.drops && plans[i].phase == plan.phase &&
            shape_of(plans[i], nobody_moves) == shape)
          found.push_back(i);
      }
      return found;
    };
    std::vector<std::uint32_t> images;
    for (std::uint32_t i = 0; i < plans.size(); ++i) {
      const auto here = alike(plans[i], shape_of(plans[i], nobody_moves));
      const auto there = alike(plans[i], shape_of(plans[i], renaming));
      if (here.size() != there.size()) return std::nullopt;
      images.push_back(
          there[static_cast<std::size_t>(std::find(here.begin(), here.end(), i) - here.begin())]);
    }
    return images;
  }

 private:
  static CutShape shape_of(const PartitionPlan& plan, const Renaming& renaming) {
    const auto moved = [&](const std::vector<ActorId>& block) {
      std::set<ActorId> images;
      for (const ActorId id : block) images.insert(renaming(id));
      return images;
    };
    CutShape shape;
    for (family::Node from = 0; from < plan.blocks.size(); ++from) {
      for (family::Node to = 0; to < plan.blocks.size(); ++to) {
        if (from != to && (plan.links.nodes() == 0 || plan.links.is_cut(from, to)))
          shape.emplace(moved(plan.blocks[from]), moved(plan.blocks[to]));
      }
    }
    return shape;
  }

  std::vector<ActorId> identity() const {
    std::vector<ActorId> images;
    for (std::size_t a = 0; a < blueprint_.actors.size(); ++a) images.push_back(ActorId{a});
    return images;
  }
  std::vector<ActorId> exchange(const std::vector<std::size_t>& groups, std::uint32_t i,
                                std::uint32_t j) const {
    std::vector<ActorId> images = identity();
    for (const std::size_t g : groups) {
      const std::uint64_t first = blueprint_.groups[g].first.raw;
      std::swap(images[first + i], images[first + j]);
    }
    return images;
  }

  // The classes of group g, moved together with as few others as need be. Each group belongs to one such set, so
  // the classes are independent of each other.
  std::vector<SymmetryClass> classes_of(std::size_t g, const std::set<std::size_t>& used) const {
    const std::uint32_t count = blueprint_.groups[g].count;
    std::vector<std::size_t> others;
    for (std::size_t h = 0; h < blueprint_.groups.size() && others.size() < 10; ++h) {
      if (h != g && !used.contains(h) && blueprint_.groups[h].count == count) others.push_back(h);
    }
    std::vector<std::uint32_t> subsets(std::size_t{1} << others.size());
    std::iota(subsets.begin(), subsets.end(), 0U);
    std::stable_sort(subsets.begin(), subsets.end(),
                     [](std::uint32_t a, std::uint32_t b) { return std::popcount(a) < std::popcount(b); });
    for (const std::uint32_t subset : subsets) {
      std::vector<std::size_t> groups = {g};
      for (std::size_t k = 0; k < others.size(); ++k) {
        if ((subset >> k & 1U) != 0) groups.push_back(others[k]);
      }
      std::vector<SymmetryClass> classes = classes_with(groups, count);
      if (!classes.empty()) return classes;
    }
    return {};
  }

  // Being exchangeable is an equivalence: (i k) is (i j) (j k) (i j).
  std::vector<SymmetryClass> classes_with(const std::vector<std::size_t>& groups, std::uint32_t count) const {
    std::vector<SymmetryClass> classes;
    std::vector<bool> placed(count, false);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (placed[i]) continue;
      SymmetryClass with_i{groups, {i}};
      for (std::uint32_t j = i + 1; j < count; ++j) {
        if (placed[j] || difference(exchange(groups, i, j))) continue;
        with_i.members.push_back(j);
        placed[j] = true;
      }
      if (with_i.members.size() > 1) classes.push_back(std::move(with_i));
    }
    return classes;
  }

  std::string why_not(std::size_t g) const {
    const GroupPlan& plan = blueprint_.groups[g];
    const auto text = difference(exchange({g}, 0, 1));
    GAINSAY_CHECK(text.has_value(), "members that cannot be exchanged differ");
    return fmt::format("{} and {} are not interchangeable: {}", names_(plan.first),
                       names_(ActorId{plan.first.raw + 1}), *text);
  }

  std::optional<std::string> actor_difference(ActorId actor, const Renaming& renaming) const {
    const ActorPlan& plan = blueprint_.actors[actor.raw];
    const ActorPlan& image = blueprint_.actors[renaming(actor).raw];
    if (plan.type != image.type) return fmt::format("{} and {} have different types", plan.name, image.name);
    AnyValue renamed = plan.initial;
    if (auto text = rename(renamed, renaming)) return fmt::format("{}: {}", plan.name, *text);
    const auto found = differences(renamed.type(), renamed.data(), image.initial.data(), names_);
    if (found.empty()) return std::nullopt;
    return fmt::format("{} of {} is {} where {} is due", found[0].path, image.name, found[0].right,
                       found[0].left);
  }

  std::optional<std::string> rename(AnyValue& value, const Renaming& renaming) const {
    if (value.type().rename == nullptr) return std::nullopt;
    try {
      value.type().rename(value.data(), renaming);
    } catch (const CannotRename& error) {
      return error.what();
    }
    return std::nullopt;
  }

  // Messages as a multiset; where links keep an order, as a sequence for each receiver.
  std::optional<std::string> message_difference(const Renaming& renaming) const {
    using Key = std::pair<ActorId, std::uint64_t>;  // receiver, and a place in its order or a message
    std::map<Key, std::vector<std::uint64_t>> before;
    std::map<Key, std::vector<std::uint64_t>> after;
    const auto note = [&](std::map<Key, std::vector<std::uint64_t>>& all, ActorId from, ActorId to,
                          const AnyValue& message) {
      const std::uint64_t hash =
          mix(from.raw + 1, mix(message.type().name_hash, message.type().hash(message.data())));
      all[ordered_ ? Key{to, 0} : Key{to, hash}].push_back(hash);
    };
    for (const MessagePlan& message : blueprint_.messages) {
      note(before, message.from, message.to, message.message);
      AnyValue renamed = message.message;
      if (auto text = rename(renamed, renaming)) return text_of(message) + ": " + *text;
      note(after, renaming(message.from), renaming(message.to), renamed);
    }
    if (before == after) return std::nullopt;
    for (const MessagePlan& message : blueprint_.messages) {
      AnyValue renamed = message.message;
      if (auto text = rename(renamed, renaming)) return text;
      const ActorId from = renaming(message.from);
      const ActorId to = renaming(message.to);
      const bool has_image =
          std::any_of(blueprint_.messages.begin(), blueprint_.messages.end(), [&](const MessagePlan& other) {
            return other.from == from && other.to == to && &other.message.type() == &renamed.type() &&
                   renamed.type().equal(renamed.data(), other.message.data());
          });
      if (!has_image)
        return fmt::format("{} is sent at the start, but {} gets no such message", text_of(message),
                           names_(to));
    }
    return "the initial messages come in a different order or number";
  }
  std::string text_of(const MessagePlan& message) const {
    return fmt::format("{} to {}", print(message.message.type(), message.message.data(), names_),
                       names_(message.to));
  }

  std::optional<std::string> fault_difference(const Renaming& renaming) const {
    const FaultPlan& faults = blueprint_.faults;
    const auto unlike = [&](const std::vector<ActorId>& whom,
                            const char* what) -> std::optional<std::string> {
      const std::set<ActorId> all(whom.begin(), whom.end());
      for (const ActorId actor : whom) {
        if (!all.contains(renaming(actor)))
          return fmt::format("{} may {}, but {} may not", names_(actor), what, names_(renaming(actor)));
      }
      return std::nullopt;
    };
    if (auto text = unlike(faults.crashable, "crash")) return text;
    if (auto text = unlike(faults.isolation.whom, "be isolated")) return text;
    if (auto text = unlike(faults.recreation.whom, "be recreated")) return text;
    if (!partitions(renaming)) return "the partitions of the scenario treat them differently";
    return std::nullopt;
  }

  const Blueprint& blueprint_;
  std::map<std::pair<ActorId, ActorId>, Delivery> links_;
  bool ordered_ = false;
  ActorNames names_;
};

// Every permutation within the classes.
void list_permutations(SymmetryGroup& group, const Blueprint& blueprint) {
  std::uint64_t count = 1;
  for (const SymmetryClass& each : group.classes) {
    for (std::uint64_t k = 2; k <= each.members.size(); ++k)
      count = std::min(count * k, std::uint64_t{1} << 40U);
  }
  if (count > SymmetryGroup::most) {
    throw UserError(
        fmt::format("--symmetry: {} can be permuted in more than {} ways; make the groups smaller",
                    describe(group, blueprint), SymmetryGroup::most));
  }
  std::vector<ActorId> identity;
  for (std::size_t a = 0; a < blueprint.actors.size(); ++a) identity.push_back(ActorId{a});
  group.images = {identity};
  for (const SymmetryClass& each : group.classes) {
    std::vector<std::vector<ActorId>> more;
    for (const std::vector<ActorId>& images : group.images) {
      std::vector<std::uint32_t> to = each.members;
      do {
        std::vector<ActorId> changed = images;
        for (const std::size_t g : each.groups) {
          const std::uint64_t first = blueprint.groups[g].first.raw;
          for (std::size_t k = 0; k < to.size(); ++k)
            changed[first + each.members[k]] = ActorId{first + to[k]};
        }
        more.push_back(std::move(changed));
      } while (std::next_permutation(to.begin(), to.end()));
    }
    group.images = std::move(more);
  }
  GAINSAY_CHECK(group.images.size() == count && group.images[0] == identity,
                "every permutation once, the identity first");
}

}  // namespace

SymmetryGroup find_symmetry(const Blueprint& blueprint) {
  const Finder finder(blueprint);
  SymmetryGroup group = Finder(blueprint).find();
  if (group.classes.empty()) {
    throw UserError(
        fmt::format("--symmetry: no two actors of scenario '{}' can be exchanged{}{}", blueprint.scenario,
                    group.obstacles.empty() ? ": it has no group (world.group) of two or more" : ": ",
                    group.obstacles.empty() ? "" : fmt::format("{}", fmt::join(group.obstacles, "; "))));
  }
  list_permutations(group, blueprint);
  for (const std::vector<ActorId>& images : group.images) {
    const auto partitions = finder.partitions(Renaming(images));
    GAINSAY_CHECK(partitions.has_value(), "products of symmetries are symmetries");
    group.partitions.push_back(*partitions);
  }
  return group;
}

std::string describe(const SymmetryGroup& group, const Blueprint& blueprint) {
  std::vector<std::string> parts;
  for (const SymmetryClass& each : group.classes) {
    std::vector<std::string> names;
    for (const std::size_t g : each.groups)
      names.push_back(fmt::format("{}.{{{}}}", blueprint.groups[g].name, fmt::join(each.members, ",")));
    parts.push_back(fmt::format("{}", fmt::join(names, " with ")));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string describe(const std::vector<ActorId>& images, const Blueprint& blueprint) {
  std::vector<std::string> moved;
  for (std::size_t a = 0; a < images.size(); ++a) {
    if (images[a].raw != a) moved.push_back(blueprint.actors[a].name);
  }
  return moved.size() == 2 ? fmt::format("{} and {} exchanged", moved[0], moved[1])
                           : fmt::format("{} permuted", fmt::join(moved, ", "));
}

}  // namespace gainsay
