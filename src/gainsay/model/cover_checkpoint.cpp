#include "gainsay/model/cover_checkpoint.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/explorer/checkpoint_file.hpp"
#include "gainsay/model/cover_flow.hpp"

namespace gainsay {
namespace {

constexpr const char* checkpoint_verb = "cover";

}  // namespace

CoverCheckpoint::CoverCheckpoint(std::string path, Facts facts, std::chrono::nanoseconds every, Begin begin)
    : path_(std::move(path)),
      facts_(std::move(facts)),
      every_s_(std::chrono::duration<double>(every).count()),
      begin_(begin),
      next_s_(every_s_) {
  if (resumes()) CheckpointReader(path_, checkpoint_verb, facts_);
}

std::uint64_t CoverCheckpoint::restore(CoverFlow& flow, const Beside& expected) const {
  GAINSAY_CHECK(resumes() && flow.rounds() == 0, "a cover goes on before its first round");
  CheckpointReader in(path_, checkpoint_verb, facts_);
  const bool same_graph = in.number() == expected.graph_digest;
  const bool same_edges = in.number() == expected.required_hash;
  if (!same_graph || !same_edges || in.number() != expected.test_price)
    in.refuse("the checkpoint is for another state graph; start again without --resume");
  const std::uint64_t needs_before = in.number();
  flow.read(in);
  if (!in.at_end()) in.refuse("the checkpoint is from a different version of Gainsay");
  return needs_before;
}

void CoverCheckpoint::keep(const CoverFlow& flow, const Beside& beside) {
  const double begun_s = clock_.elapsed_s();
  try {
    CheckpointWriter out(path_, checkpoint_verb, facts_);
    for (const std::uint64_t number :
         {beside.graph_digest, beside.required_hash, beside.test_price, beside.needs_before})
      out.number(number);
    flow.write(out);
    out.commit();
    error_.clear();
    begin_ = Begin::from_file;
  } catch (const UserError& error) {
    error_ = error.what();
  }
  const double ended_s = clock_.elapsed_s();
  next_s_ = ended_s + std::max(every_s_, 10 * (ended_s - begun_s));
}

void CoverCheckpoint::keep_if_due(const CoverFlow& flow, const Beside& beside) {
  if (clock_.elapsed_s() >= next_s_) keep(flow, beside);
}

// --- the flow between two rounds ---

namespace {

std::span<const std::uint32_t> as_words(const std::vector<std::int32_t>& numbers) {
  return {reinterpret_cast<const std::uint32_t*>(numbers.data()), numbers.size()};
}

}  // namespace

void CoverFlow::write(CheckpointWriter& out) const {
  GAINSAY_CHECK(!finished_ && !any_way_, "kept between rounds");
  out.number(rounds_);
  out.number(static_cast<std::uint64_t>(flow_cost_));
  out.words(flow_);
  out.words(as_words(balance_));
  out.words(served_);
  out.words(price_);
  std::vector<std::uint32_t> carrying;
  for (GraphNode node = 0; node < carries_.size(); ++node) {
    if (carries_[node]) carrying.push_back(node);
  }
  out.words(carrying);
}

void CoverFlow::read(CheckpointReader& in) {
  const auto of_size = [&in](auto& list) {
    const std::size_t expected = list.size();
    in.words(list);
    if (list.size() != expected) in.refuse("the checkpoint is for another state graph");
  };
  rounds_ = in.number();
  flow_cost_ = static_cast<std::int64_t>(in.number());
  of_size(flow_);
  of_size(balance_);
  of_size(served_);
  of_size(price_);
  std::vector<std::uint32_t> carrying;
  in.words(carrying);
  for (const std::uint32_t node : carrying) {
    if (node >= carries_.size()) in.refuse("the checkpoint is for another state graph");
    carries_[node] = true;
  }
  count_needs();
}

}  // namespace gainsay
