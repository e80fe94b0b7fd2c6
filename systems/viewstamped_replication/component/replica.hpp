// A node of the replicated log. Production code: it knows nothing of what tests it.
//
// The owner delivers packets, runs the election timer and passes on what clients and operators want. A packet for
// which `ready_for` is false is kept by the owner and offered again after the node has changed. Records are fetched
// one by one, so that no packet grows with the log; a node that only witnesses keeps how fresh the log is and no
// records.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "systems/viewstamped_replication/component/log_store.hpp"
#include "systems/viewstamped_replication/component/network.hpp"

namespace replog {

// Mistakes that were made and fixed; tests bring them back one at a time.
enum class Defect : std::uint8_t {
  none,
  longest_log,
  no_download,
  cut_to_commit,
  keep_differing,
  early_ack,
  witness_ignored,
  old_majority,
  old_start_view,
  commit_unbounded,
  commit_dropped,
  same_view_change,
  early_shutdown,
  majority_shutdown,
  catchup_interrupted,
  epoch_at_append,
  stale_prepare_ok,
};

struct ClusterSettings {
  std::vector<NodeId> generations[2];  // the members before and after the change; the second may be empty
  std::uint32_t witness_mask = 0;      // by node
  std::uint32_t terms_max[2] = {0, 0};
  std::uint64_t data_records_max = 1;
  bool one_election_timer = false;  // only the last member has one
  Defect defect = Defect::none;

  std::uint32_t mask(std::uint32_t generation) const;
  bool is_witness(NodeId node) const { return (witness_mask >> node & 1U) != 0; }
  NodeId primary_of(Term term) const;
};

inline constexpr NodeId no_node = 0xffffffffU;

class Replica {
 public:
  enum class Mode : std::uint8_t { blank, serving, electing, late, draining, off };

  Replica(NodeId self, std::shared_ptr<const ClusterSettings> settings, Network& network);

  // --- the owner's side
  bool ready_for(const Packet& packet) const { return triage(packet) != Triage::postpone; }
  // Whether it would be thrown away now.
  bool ignores(const Packet& packet) const { return triage(packet) == Triage::discard; }
  void receive(NodeId from, const Packet& packet);
  bool election_timer_runs() const;
  void election_timer_fired();
  bool can_write() const;
  void write();
  bool can_change_members() const;
  void change_members();

  // Everything that a restart needs, and back.
  std::string save() const;
  void restore(const std::string& image);

  // --- for tools
  Mode mode() const { return mode_; }
  Term term() const { return term_; }
  const LogStore& log() const { return log_; }
  std::uint64_t committed() const { return committed_; }
  NodeId source() const { return source_; }  // no_node: unknown; oneself: the log is complete
  std::uint64_t verified() const { return verified_; }
  bool has_voted() const { return has_voted_; }
  Freshness witnessed() const { return witnessed_; }

 private:
  enum class Triage { process, postpone, discard };
  static constexpr std::size_t nodes_max = 8;
  struct Ballot {
    Freshness freshness;
    std::uint64_t commit = 0;
  };

  Triage triage(const Packet& packet) const;
  Triage triage_election(const Packet& packet) const;
  Triage triage_replication(const Packet& packet) const;

  bool is_witness() const { return settings_->is_witness(self_); }
  bool is_member(std::uint32_t generation) const { return (settings_->mask(generation) >> self_ & 1U) != 0; }
  bool is_active() const { return mode_ == Mode::serving || mode_ == Mode::electing; }
  bool is_primary() const { return settings_->primary_of(term_) == self_; }
  bool leads() const { return mode_ == Mode::serving && source_ == self_ && is_primary(); }
  bool has(Defect defect) const { return settings_->defect == defect; }
  std::size_t quorum() const;
  Freshness freshness() const { return is_witness() ? witnessed_ : log_.freshness(); }

  Packet packet(Packet::Type type) const;
  void broadcast(const Packet& packet, bool to_witnesses = true);

  void start_over(Term term, Mode mode);
  void elect(Term term);
  void cast_ballot();
  void tally();
  void lead();
  void follow(NodeId primary, const Packet& packet);
  void fetch_until(NodeId source, std::uint64_t index);
  void request_next();
  void store_fetched(const Packet& packet);
  void fetched(std::uint64_t commit);
  void propose(Record::Type type);
  void store_replicated(NodeId from, const Packet& packet);
  void update_commit();
  void committed_up_to(std::uint64_t index);
  void check_membership();
  void change_generation();
  void drain();

  NodeId self_;
  std::shared_ptr<const ClusterSettings> settings_;
  Network* network_;

  Mode mode_ = Mode::blank;
  Term term_;
  LogStore log_;
  std::uint64_t committed_ = 0;
  NodeId source_ = no_node;
  std::uint64_t verified_ = 0;
  std::uint64_t fetch_end_ = 0;  // 0: nothing is being fetched
  bool has_voted_ = false;
  std::uint32_t wanted_by_ = 0;  // masks of nodes
  std::uint32_t voters_ = 0;
  Ballot ballots_[nodes_max];
  std::uint64_t appended_[nodes_max] = {};
  std::uint32_t joined_ = 0;
  Freshness witnessed_;
};

}  // namespace replog
