#include "gainsay/strategy/walks/portfolio.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

std::vector<std::string> default_members(std::uint32_t depth) {
  std::vector<std::string> members = {"random", "pctcp depth=1",
                                      "pos",    fmt::format("pct depth={}", std::min(depth, 2U)),
                                      "surw",   "random over=actors"};
  for (std::uint32_t d = 2; d <= depth; ++d) members.push_back(fmt::format("pctcp depth={}", d));
  return members;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    std::string_view part = text.substr(0, end);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// "pctcp depth=4"
PortfolioStrategy::Member parse_member(const std::string& text) {
  const std::vector<std::string> words = split(text, ' ');
  const StrategyInfo& info = find_strategy(words.front());
  OptionTexts options;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    if (equals == std::string::npos)
      throw UserError(
          fmt::format("portfolio member '{}': expected options as name=value, not '{}'", text, words[i]));
    options.emplace_back(words[i].substr(0, equals), words[i].substr(equals + 1));
  }
  if (info.name == "portfolio")
    throw UserError("a portfolio cannot be a member of a portfolio; name its members instead");
  PortfolioStrategy::Member member{text, info.make(options)};
  const Needs needs = member.strategy->needs();
  if (info.kind_with(options) == StrategyKind::search || needs.backtracking)
    throw UserError(
        fmt::format("portfolio member '{}' is a search: members must be random strategies", text));
  return member;
}

}  // namespace

StrategyInfo portfolio_strategy() {
  return StrategyInfo::of<PortfolioOptions>(
      "portfolio", "random, pctcp, pos, pct and surw in turn; a good start", StrategyKind::random,
      [](const PortfolioOptions& options) { return std::make_unique<PortfolioStrategy>(options); });
}

PortfolioStrategy::PortfolioStrategy(const PortfolioOptions& options) {
  const std::vector<std::string> names =
      options.members.empty() ? default_members(options.depth) : split(options.members, ';');
  if (names.empty()) throw UserError("a portfolio needs members: 'pctcp depth=4; pos'");
  for (const std::string& name : names) members_.push_back(parse_member(name));
  shares_ = no_shares();
  learned_shares_ = no_shares();
}

std::vector<StrategyShare> PortfolioStrategy::no_shares() const {
  std::vector<StrategyShare> shares;
  for (const Member& member : members_) shares.push_back({member.name, 0, 0, std::nullopt});
  return shares;
}

Needs PortfolioStrategy::needs() const {
  Needs all;
  for (const Member& member : members_) {
    const Needs needs = member.strategy->needs();
    all.executed = all.executed || needs.executed;
    all.scout = all.scout || needs.scout;
    all.in_order = all.in_order || needs.in_order;
  }
  return all;
}

std::optional<Keep> PortfolioStrategy::begin(const RunInfo& run) {
  run_ = run;
  current_index_ = run.index % members_.size();
  if (run.scout) {  // for the first member that needs one; it needs one until it has learned from it
    const auto needing = std::find_if(members_.begin(), members_.end(),
                                      [](const Member& member) { return member.strategy->needs().scout; });
    GAINSAY_CHECK(needing != members_.end(), "some member needs the scout");
    current_index_ = static_cast<std::size_t>(needing - members_.begin());
  }
  current_ = members_[current_index_].strategy.get();
  return current_->begin(run);
}

void PortfolioStrategy::end(const RunEnd& end) {
  current_->end(end);
  if (run_.scout || end.ending == Ending::interrupted) return;
  StrategyShare& share = shares_[current_index_];
  ++share.runs;
  if (end.ending != Ending::violated) return;
  ++share.buggy_runs;
  if (!share.first_bug_run) share.first_bug_run = run_.index;
}

std::unique_ptr<Lessons> PortfolioStrategy::take_lessons() {
  auto lessons = std::make_unique<PortfolioLessons>();
  for (Member& member : members_) {
    Learner* const learner = member.strategy->learner();
    lessons->members.push_back(learner != nullptr ? learner->take_lessons() : nullptr);
  }
  lessons->shares = std::move(shares_);
  shares_ = no_shares();
  return lessons;
}

void PortfolioStrategy::learn(const Lessons& all) {
  const auto& lessons = dynamic_cast<const PortfolioLessons&>(all);
  GAINSAY_CHECK(lessons.members.size() == members_.size(), "lessons of the same members");
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (lessons.members[i]) members_[i].strategy->learner()->learn(*lessons.members[i]);
  }
  learned_shares_ = lessons.shares;
}

std::unique_ptr<Lessons> PortfolioLessons::clone() const {
  auto copy = std::make_unique<PortfolioLessons>();
  for (const auto& member : members) copy->members.push_back(member ? member->clone() : nullptr);
  copy->shares = shares;
  return copy;
}

void PortfolioLessons::merge(const Lessons& later) {
  const auto& other = dynamic_cast<const PortfolioLessons&>(later);
  GAINSAY_CHECK(other.members.size() == members.size(), "lessons of the same members");
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i] && other.members[i]) members[i]->merge(*other.members[i]);
    shares[i].runs += other.shares[i].runs;
    shares[i].buggy_runs += other.shares[i].buggy_runs;
    if (!shares[i].first_bug_run) shares[i].first_bug_run = other.shares[i].first_bug_run;
  }
}

bool PortfolioLessons::save(ByteWriter& out) const {
  for (const auto& member : members) {
    if (member && !member->save(out)) return false;
  }
  for (const StrategyShare& share : shares) {
    out.number(share.runs);
    out.number(share.buggy_runs);
    out.flag(share.first_bug_run.has_value());
    out.number(share.first_bug_run.value_or(0));
  }
  return true;
}

bool PortfolioLessons::load(ByteReader& in) {
  for (const auto& member : members) {
    if (member && !member->load(in)) return false;
  }
  for (StrategyShare& share : shares) {
    share.runs = in.number();
    share.buggy_runs = in.number();
    const bool found = in.flag();
    const std::uint64_t first = in.number();
    share.first_bug_run = found ? std::optional(first) : std::nullopt;
  }
  return in.good();
}

}  // namespace gainsay
