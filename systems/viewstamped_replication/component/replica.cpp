#include "systems/viewstamped_replication/component/replica.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace replog {

std::uint32_t ClusterSettings::mask(std::uint32_t generation) const {
  std::uint32_t all = 0;
  for (const NodeId node : generations[generation]) all |= 1U << node;
  return all;
}

NodeId ClusterSettings::primary_of(Term term) const {
  std::vector<NodeId>::size_type candidates = 0;
  for (const NodeId node : generations[term.generation]) candidates += is_witness(node) ? 0 : 1;
  if (candidates == 0) return no_node;
  std::size_t turn = term.number % candidates;
  for (const NodeId node : generations[term.generation]) {
    if (is_witness(node)) continue;
    if (turn-- == 0) return node;
  }
  return no_node;
}

Replica::Replica(NodeId self, std::shared_ptr<const ClusterSettings> settings, Network& network)
    : self_(self), settings_(std::move(settings)), network_(&network) {
  if (!is_member(0)) return;
  mode_ = Mode::serving;
  source_ = self_;
  if (is_witness()) {
    witnessed_ = {{}, 1};
  } else {
    log_.append({Record::Type::term_begin, {}});
    committed_ = 1;
  }
}

std::size_t Replica::quorum() const {
  const std::uint32_t generation = has(Defect::old_majority) ? 0 : term_.generation;
  return settings_->generations[generation].size() / 2 + 1;
}

Packet Replica::packet(Packet::Type type) const {
  Packet packet;
  packet.type = type;
  packet.term = term_;
  return packet;
}

void Replica::broadcast(const Packet& packet, bool to_witnesses) {
  for (const NodeId node : settings_->generations[term_.generation]) {
    if (node == self_ || (!to_witnesses && settings_->is_witness(node))) continue;
    network_->send(node, packet);
  }
}

// --- which packets are processed now -----

Replica::Triage Replica::triage(const Packet& packet) const {
  switch (packet.type) {
    case Packet::Type::term_wanted:
    case Packet::Type::ballot:
    case Packet::Type::term_begun:
      return triage_election(packet);
    case Packet::Type::replicate:
    case Packet::Type::committed:
      return triage_replication(packet);
    case Packet::Type::fetch:
      if (mode_ == Mode::off || packet.term < term_) return Triage::discard;
      return packet.term == term_ && packet.index <= log_.size() ? Triage::process : Triage::postpone;
    case Packet::Type::fetch_old:
      if (mode_ == Mode::off) return Triage::discard;
      return packet.index <= std::min(committed_, log_.size()) ? Triage::process : Triage::postpone;
    case Packet::Type::record:
      return packet.term == term_ && fetch_end_ != 0 && packet.index == verified_ + 1 ? Triage::process
                                                                                      : Triage::discard;
    case Packet::Type::appended: {
      const bool mine = has(Defect::stale_prepare_ok) || packet.term == term_;
      return leads() && mine && packet.index > committed_ ? Triage::process : Triage::discard;
    }
    case Packet::Type::new_members:
      return term_.generation == 0 && (is_active() || mode_ == Mode::blank) ? Triage::process
                                                                            : Triage::discard;
    case Packet::Type::joined:
      return mode_ == Mode::off ? Triage::discard : Triage::process;
  }
  return Triage::discard;
}

Replica::Triage Replica::triage_election(const Packet& packet) const {
  if (packet.term.generation > term_.generation) return Triage::postpone;
  const bool old = packet.term < term_;
  const bool same = packet.term == term_;
  if (packet.type == Packet::Type::term_begun) {
    if (old) {
      const bool taken = has(Defect::old_start_view) && packet.term.generation == term_.generation;
      return taken && is_active() ? Triage::process : Triage::discard;
    }
    return is_active() && !(same && mode_ == Mode::serving) ? Triage::process : Triage::discard;
  }
  const bool late = mode_ == Mode::late && has(Defect::catchup_interrupted);
  if (old || !(is_active() || late)) return Triage::discard;
  if (!same) return Triage::process;
  if (mode_ == Mode::serving) {
    const bool back = packet.type == Packet::Type::term_wanted && has(Defect::same_view_change);
    return back ? Triage::process : Triage::discard;
  }
  const bool settled = packet.type == Packet::Type::term_wanted ? has_voted_ : source_ != no_node;
  return settled ? Triage::discard : Triage::process;
}

Replica::Triage Replica::triage_replication(const Packet& packet) const {
  if (packet.term.generation > term_.generation) return Triage::postpone;
  if (packet.term < term_ || !is_active()) return Triage::discard;
  const bool commit = packet.type == Packet::Type::committed;
  const bool in_step = packet.term == term_ && mode_ == Mode::serving && source_ == self_;
  const bool lost = commit && has(Defect::commit_dropped);
  if (!in_step) return lost ? Triage::discard : Triage::postpone;
  if (commit) {
    if (packet.index > log_.size() && !has(Defect::commit_unbounded))
      return lost ? Triage::discard : Triage::postpone;
    return packet.index > committed_ ? Triage::process : Triage::discard;
  }
  const std::uint64_t next = (is_witness() ? witnessed_.size : log_.size()) + 1;
  if (packet.index > next) return Triage::postpone;
  return packet.index == next ? Triage::process : Triage::discard;
}

void Replica::receive(NodeId from, const Packet& incoming) {
  if (triage(incoming) != Triage::process) return;
  switch (incoming.type) {
    case Packet::Type::term_wanted:
      if (incoming.term > term_ || mode_ == Mode::serving) elect(incoming.term);
      wanted_by_ |= 1U << from;
      cast_ballot();
      break;
    case Packet::Type::ballot:
      if (incoming.term > term_) elect(incoming.term);
      voters_ |= 1U << from;
      ballots_[from] = {incoming.freshness, incoming.commit};
      tally();
      break;
    case Packet::Type::term_begun:
      follow(from, incoming);
      break;
    case Packet::Type::fetch:
    case Packet::Type::fetch_old: {
      Packet answer = packet(Packet::Type::record);
      answer.term = incoming.term;
      answer.index = incoming.index;
      answer.record = log_.at(incoming.index);
      answer.commit = committed_;
      network_->send(from, answer);
      break;
    }
    case Packet::Type::record:
      if (from == source_) store_fetched(incoming);  // else it was asked for before, of another node
      break;
    case Packet::Type::replicate:
      store_replicated(from, incoming);
      break;
    case Packet::Type::appended:
      appended_[from] = std::max(appended_[from], incoming.index);
      update_commit();
      break;
    case Packet::Type::committed:
      committed_up_to(incoming.index);
      break;
    case Packet::Type::new_members:
      if (is_witness()) {
        witnessed_ = incoming.freshness;
        change_generation();
        break;
      }
      start_over(term_, Mode::late);
      fetch_until(from, incoming.freshness.size);
      break;
    case Packet::Type::joined:
      joined_ |= 1U << from;
      drain();
      break;
  }
}

// --- elections -----

bool Replica::election_timer_runs() const {
  const std::vector<NodeId>& members = settings_->generations[term_.generation];
  if (!is_active() || (settings_->one_election_timer && members.back() != self_)) return false;
  return members.size() > 1 && term_.number < settings_->terms_max[term_.generation];
}

void Replica::election_timer_fired() { elect({term_.generation, term_.number + 1}); }

void Replica::elect(Term term) {
  start_over(term, Mode::electing);
  broadcast(packet(Packet::Type::term_wanted));
}

void Replica::start_over(Term term, Mode mode) {
  mode_ = mode;
  term_ = term;
  source_ = no_node;
  verified_ = 0;
  fetch_end_ = 0;
  has_voted_ = false;
  wanted_by_ = 0;
  voters_ = 0;
  std::ranges::fill(appended_, 0);
}

void Replica::cast_ballot() {
  if (has_voted_ || static_cast<std::size_t>(std::popcount(wanted_by_)) + 1 < quorum()) return;
  has_voted_ = true;
  wanted_by_ = 0;
  if (is_primary()) return;
  Packet ballot = packet(Packet::Type::ballot);
  ballot.freshness = freshness();
  ballot.commit = committed_;
  network_->send(settings_->primary_of(term_), ballot);
}

void Replica::tally() {
  if (static_cast<std::size_t>(std::popcount(voters_)) + 1 < quorum()) return;
  NodeId best = self_;
  Freshness freshest = log_.freshness();
  Freshness witnessed;
  for (NodeId node = 0; node < nodes_max; ++node) {
    if ((voters_ >> node & 1U) == 0) continue;
    const Freshness& theirs = ballots_[node].freshness;
    if (settings_->is_witness(node)) {
      witnessed = std::max(witnessed, theirs);
    } else if (has(Defect::longest_log) ? theirs.size > freshest.size : theirs > freshest) {
      best = node;
      freshest = theirs;
    }
  }
  // What a witness has confirmed may be committed: wait for a ballot of somebody who has it.
  if (witnessed > freshest && !has(Defect::witness_ignored)) return;
  if (best == self_ || has(Defect::no_download)) {
    lead();
  } else {
    fetch_until(best, freshest.size);
  }
}

void Replica::lead() {
  log_.append({Record::Type::term_begin, term_});
  mode_ = Mode::serving;
  source_ = self_;
  has_voted_ = false;
  fetch_end_ = 0;
  wanted_by_ = 0;
  for (NodeId node = 0; node < nodes_max; ++node) {
    if ((voters_ >> node & 1U) != 0)
      committed_ = std::max(committed_, std::min(ballots_[node].commit, log_.size()));
  }
  voters_ = 0;
  Packet begun = packet(Packet::Type::term_begun);
  begun.index = log_.size();
  broadcast(begun);
}

void Replica::follow(NodeId primary, const Packet& begun) {
  start_over(begun.term, Mode::serving);
  Packet reply = packet(Packet::Type::appended);
  if (is_witness()) {
    witnessed_ = {term_, begun.index};
    source_ = self_;
    reply.index = begun.index;
    network_->send(primary, reply);
    return;
  }
  if (has(Defect::early_ack)) {
    reply.index = std::min(log_.size(), begun.index);
    network_->send(primary, reply);
  }
  fetch_until(primary, begun.index);
}

// --- fetching records -----

void Replica::fetch_until(NodeId source, std::uint64_t index) {
  source_ = source;
  verified_ = committed_;
  fetch_end_ = index;
  if (has(Defect::cut_to_commit)) log_.truncate(committed_);
  if (verified_ < fetch_end_) {
    request_next();
  } else {
    fetched(0);
  }
}

void Replica::request_next() {
  Packet request = packet(mode_ == Mode::late ? Packet::Type::fetch_old : Packet::Type::fetch);
  request.index = verified_ + 1;
  network_->send(source_, request);
}

void Replica::store_fetched(const Packet& packet) {
  const bool differs = packet.index <= log_.size() && !(log_.at(packet.index) == packet.record);
  if (differs && !has(Defect::keep_differing)) log_.truncate(packet.index - 1);
  if (packet.index > log_.size()) log_.append(packet.record);
  verified_ = packet.index;
  if (verified_ < fetch_end_) {
    request_next();
  } else {
    fetched(packet.commit);
  }
}

void Replica::fetched(std::uint64_t commit) {
  log_.truncate(fetch_end_);
  const NodeId from = source_;
  const std::uint64_t end = fetch_end_;
  source_ = self_;
  fetch_end_ = 0;
  switch (mode_) {
    case Mode::electing:
      lead();
      break;
    case Mode::late:
      committed_ = end;
      change_generation();
      break;
    default: {
      committed_ = std::max(committed_, std::min(commit, log_.size()));
      Packet reply = packet(Packet::Type::appended);
      reply.index = log_.size();
      network_->send(from, reply);
      check_membership();
    }
  }
}

// --- writing -----

bool Replica::can_write() const {
  return leads() && log_.data_records() < settings_->data_records_max &&
         (term_.generation == 1 || log_.membership_index() == 0);
}

void Replica::write() { propose(Record::Type::data); }

bool Replica::can_change_members() const {
  return leads() && term_.generation == 0 && !settings_->generations[1].empty() &&
         committed_ == log_.size() && log_.membership_index() == 0;
}

void Replica::change_members() { propose(Record::Type::membership); }

void Replica::propose(Record::Type type) {
  log_.append({type, term_});
  Packet proposal = packet(Packet::Type::replicate);
  proposal.index = log_.size();
  proposal.record = log_.at(log_.size());
  proposal.commit = committed_;
  broadcast(proposal);
  update_commit();
  if (has(Defect::epoch_at_append)) check_membership();
}

void Replica::store_replicated(NodeId from, const Packet& incoming) {
  if (is_witness()) {
    witnessed_ = {term_, incoming.index};
  } else {
    log_.append(incoming.record);
    committed_ = std::max(committed_, std::min(incoming.commit, log_.size()));
  }
  Packet reply = packet(Packet::Type::appended);
  reply.index = incoming.index;
  network_->send(from, reply);
  check_membership();
}

void Replica::update_commit() {
  std::uint64_t sizes[nodes_max];
  std::copy(std::begin(appended_), std::end(appended_), std::begin(sizes));
  sizes[self_] = log_.size();
  std::ranges::sort(sizes, std::greater<>());
  const std::uint64_t safe = sizes[quorum() - 1];
  if (safe <= committed_) return;
  committed_ = safe;
  for (std::uint64_t& size : appended_) size = size > committed_ ? size : 0;
  Packet news = packet(Packet::Type::committed);
  news.index = committed_;
  broadcast(news, /*to_witnesses=*/false);
  check_membership();
}

void Replica::committed_up_to(std::uint64_t index) {
  committed_ = std::max(committed_, index);
  check_membership();
}

// --- the change of members -----

void Replica::check_membership() {
  const std::uint64_t index = log_.membership_index();
  if (term_.generation != 0 || index == 0 || is_witness()) return;
  if (committed_ < index && !has(Defect::epoch_at_append)) return;
  committed_ = index;
  log_.truncate(index);
  Packet news = packet(Packet::Type::new_members);
  news.term = {};
  news.freshness = log_.freshness();
  const std::uint32_t everybody = settings_->mask(0) | settings_->mask(1);
  for (NodeId node = 0; node < nodes_max; ++node) {
    if ((everybody >> node & 1U) != 0 && node != self_) network_->send(node, news);
  }
  change_generation();
}

void Replica::change_generation() {
  if (!is_member(1)) {
    start_over(term_, has(Defect::early_shutdown) ? Mode::off : Mode::draining);
    drain();
    return;
  }
  start_over({1, 0}, Mode::electing);
  has_voted_ = true;
  if (!is_primary()) {
    Packet ballot = packet(Packet::Type::ballot);
    ballot.freshness = freshness();
    ballot.commit = committed_;
    network_->send(settings_->primary_of(term_), ballot);
  }
  const std::uint32_t leaving = settings_->mask(0) & ~settings_->mask(1);
  for (NodeId node = 0; node < nodes_max; ++node) {
    if ((leaving >> node & 1U) == 0) continue;
    Packet joined = packet(Packet::Type::joined);
    joined.term = {};
    network_->send(node, joined);
  }
}

void Replica::drain() {
  const std::size_t members = settings_->generations[1].size();
  const std::size_t enough = has(Defect::majority_shutdown) ? members / 2 + 1 : members;
  if (mode_ == Mode::draining && static_cast<std::size_t>(std::popcount(joined_)) >= enough)
    mode_ = Mode::off;
}

// --- restarts -----

namespace {

// As numbers with blanks between them, so that people can read an image too.
void put(std::string& image, std::uint64_t number) {
  image += std::to_string(number);
  image += ' ';
}

std::uint64_t get(const char*& at) {
  std::uint64_t number = 0;
  for (; *at >= '0' && *at <= '9'; ++at) number = number * 10 + static_cast<std::uint64_t>(*at - '0');
  ++at;
  return number;
}

void put(std::string& image, const Term& term) {
  put(image, term.generation);
  put(image, term.number);
}

Term get_term(const char*& at) {
  const auto generation = static_cast<std::uint32_t>(get(at));
  return {generation, static_cast<std::uint32_t>(get(at))};
}

}  // namespace

std::string Replica::save() const {
  std::string image;
  put(image, static_cast<std::uint64_t>(mode_));
  put(image, term_);
  put(image, log_.size());
  for (std::uint64_t i = 1; i <= log_.size(); ++i) {
    put(image, static_cast<std::uint64_t>(log_.at(i).type));
    put(image, log_.at(i).term);
  }
  put(image, committed_);
  put(image, source_);
  put(image, verified_);
  put(image, fetch_end_);
  put(image, has_voted_ ? 1 : 0);
  put(image, wanted_by_);
  put(image, voters_);
  for (NodeId node = 0; node < nodes_max; ++node) {
    if ((voters_ >> node & 1U) != 0) {
      put(image, ballots_[node].freshness.last_term);
      put(image, ballots_[node].freshness.size);
      put(image, ballots_[node].commit);
    }
    put(image, appended_[node]);
  }
  put(image, joined_);
  put(image, witnessed_.last_term);
  put(image, witnessed_.size);
  return image;
}

void Replica::restore(const std::string& image) {
  const char* at = image.data();
  mode_ = static_cast<Mode>(get(at));
  term_ = get_term(at);
  log_ = LogStore();
  for (std::uint64_t left = get(at); left > 0; --left) {
    const auto type = static_cast<Record::Type>(get(at));
    log_.append({type, get_term(at)});
  }
  committed_ = get(at);
  source_ = static_cast<NodeId>(get(at));
  verified_ = get(at);
  fetch_end_ = get(at);
  has_voted_ = get(at) != 0;
  wanted_by_ = static_cast<std::uint32_t>(get(at));
  voters_ = static_cast<std::uint32_t>(get(at));
  for (NodeId node = 0; node < nodes_max; ++node) {
    if ((voters_ >> node & 1U) != 0) {
      ballots_[node].freshness.last_term = get_term(at);
      ballots_[node].freshness.size = get(at);
      ballots_[node].commit = get(at);
    }
    appended_[node] = get(at);
  }
  joined_ = static_cast<std::uint32_t>(get(at));
  witnessed_.last_term = get_term(at);
  witnessed_.size = get(at);
}

}  // namespace replog
