#include "systems/libraft/disk.hpp"

#include <algorithm>

#include "gainsay/foreign.hpp"

namespace libraft {

using gainsay::mix;

std::uint64_t digest(const Entry& entry) {
  std::uint64_t hash = mix(entry.term + 1, static_cast<std::uint64_t>(entry.kind));
  hash = mix(hash, static_cast<std::uint64_t>(entry.command.amount));
  hash = mix(hash, static_cast<std::uint64_t>(entry.command.id));
  return entry.servers.empty() ? hash : mix(hash, gainsay::hash_text(entry.servers));
}

std::string Disk::set_term(std::uint64_t term) {
  std::string complaint;
  if (term <= contract_.term)
    complaint = "set_term(" + std::to_string(term) + ") where the term is " + std::to_string(contract_.term);
  contract_.term = term_ = term;
  contract_.vote = vote_ = 0;
  return complaint;
}

std::string Disk::set_vote(std::uint64_t vote) {
  std::string complaint;
  if (contract_.vote != 0 && contract_.vote != vote)
    complaint = "a second vote in term " + std::to_string(contract_.term) + ": for " + std::to_string(vote) +
                " after " + std::to_string(contract_.vote);
  contract_.vote = vote_ = vote;
  return complaint;
}

std::string Disk::ask(DiskOp& op) {
  op.number = numbers_++;
  std::string complaint;
  if (op.kind == DiskOp::Kind::append) {
    if (op.entries.empty()) complaint = "an append of nothing";
    op.from = next_asked_;
    next_asked_ += op.entries.size();
  } else if (op.kind == DiskOp::Kind::truncate) {
    if (op.from == 0 || (op.from >= next_asked_ && !failed_))
      complaint =
          "truncate(" + std::to_string(op.from) + ") where the next index is " + std::to_string(next_asked_);
    next_asked_ = std::min(next_asked_, std::max<std::uint64_t>(op.from, 1));
  } else {
    next_asked_ = op.snapshot.index + 1;
  }
  return complaint;
}

void Disk::write(const DiskOp& op) {
  if (op.kind == DiskOp::Kind::append) {
    log_.insert(log_.end(), op.entries.begin(), op.entries.end());
  } else if (op.kind == DiskOp::Kind::truncate) {
    if (op.from < first_) {
      log_.clear();
    } else if (op.from - first_ < log_.size()) {
      log_.resize(op.from - first_);
    }
  } else {
    log_.clear();
    first_ = op.snapshot.index + 1;
    snapshot_ = op.snapshot;
  }
}

std::string Disk::promise(const DiskOp& op) {
  std::map<std::uint64_t, std::uint64_t>& log = contract_.log;
  std::string complaint;
  if (op.number != contract_.next_number)
    complaint = "operation " + std::to_string(op.number) + " of the disk is done before operation " +
                std::to_string(contract_.next_number);
  contract_.next_number = op.number + 1;
  if (op.kind == DiskOp::Kind::append) {
    if (op.from != contract_.next && !failed_ && complaint.empty())
      complaint = "an append of entry " + std::to_string(op.from) + " is done where entry " +
                  std::to_string(contract_.next) + " is next";
    for (const Entry& entry : op.entries) log[contract_.next++] = digest(entry);
  } else if (op.kind == DiskOp::Kind::truncate) {
    log.erase(log.lower_bound(op.from), log.end());
    contract_.next = std::min(contract_.next, op.from);
  } else {
    log.clear();
    contract_.next = op.snapshot.index + 1;
  }
  return complaint;
}

std::string Disk::done(const DiskOp& op) {
  const std::string complaint = promise(op);
  if (backend_ == Backend::reordered_append && op.kind == DiskOp::Kind::append && held_.empty()) {
    held_.push_back(op);
    return complaint;
  }
  write(op);
  for (const DiskOp& late : std::exchange(held_, {})) write(late);
  unsynced_ = op.kind == DiskOp::Kind::append ? op.entries.size() : 0;
  return complaint;
}

void Disk::failed(const DiskOp& op) {
  contract_.next_number = op.number + 1;
  GAINSAY_CHECK(op.kind == DiskOp::Kind::append, "only appends fail");
  next_asked_ -= std::min<std::uint64_t>(next_asked_ - 1, op.entries.size());
  failed_ = true;
}

std::string Disk::torn(const DiskOp& op, std::size_t entries) {
  GAINSAY_CHECK(op.kind == DiskOp::Kind::append && entries <= op.entries.size(), "an append is torn");
  DiskOp part = op;
  part.entries.resize(entries);
  const std::string complaint = promise(part);
  write(part);
  return complaint;
}

void Disk::take_snapshot(const Snapshot& snapshot, std::uint64_t trailing) {
  if (snapshot_ && snapshot.index <= snapshot_->index) return;
  snapshot_ = snapshot;
  const std::uint64_t keep = snapshot.index > trailing ? snapshot.index - trailing + 1 : 1;
  while (first_ < keep && !log_.empty()) {
    contract_.log.erase(first_++);
    log_.erase(log_.begin());
  }
}

void Disk::crashed() {
  if (backend_ == Backend::forgotten_vote) vote_ = 0;
  if (backend_ == Backend::lost_write) log_.resize(log_.size() - std::min(unsynced_, log_.size()));
  held_.clear();
  unsynced_ = 0;
  failed_ = false;
  contract_.next_number = numbers_;
  if (snapshot_ && last() < snapshot_->index) {  // a log that ends before the snapshot is worth nothing
    log_.clear();
    contract_.log.clear();
    first_ = contract_.next = snapshot_->index + 1;
  }
  next_asked_ = last() + 1;
}

std::string Disk::check() const {
  if (term_ != contract_.term || vote_ != contract_.vote)
    return "the disk has term " + std::to_string(term_) + " and vote " + std::to_string(vote_) +
           "; what was stored is term " + std::to_string(contract_.term) + " and vote " +
           std::to_string(contract_.vote);
  for (const auto& [index, hash] : contract_.log) {
    if (index < first_ || index > last() || digest(log_[index - first_]) != hash)
      return "the disk has lost or changed entry " + std::to_string(index) + ", which was stored";
  }
  if (log_.size() != contract_.log.size()) return "the disk has entries that were never stored";
  return "";
}

bool Disk::holds(std::uint64_t index, std::uint64_t term) const {
  if (snapshot_ && index <= snapshot_->index) return true;
  return index >= first_ && index <= last() && log_[index - first_].term == term;
}

std::string Disk::text() const {
  std::string text;
  if (snapshot_) text += "snapshot " + std::to_string(snapshot_->index) + " ";
  for (std::size_t i = 0; i < log_.size(); ++i)
    text += (i == 0 ? "" : " ") + std::to_string(first_ + i) + ":t" + std::to_string(log_[i].term);
  return text;
}

}  // namespace libraft
