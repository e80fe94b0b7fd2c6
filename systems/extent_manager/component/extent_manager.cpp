#include "systems/extent_manager/component/extent_manager.hpp"

#include <algorithm>

namespace storage {

void ExtentCenter::add(NodeId node, ExtentId extent) { holders_[extent].insert(node); }

std::vector<ExtentId> ExtentCenter::sync_report(NodeId node) const {
  std::vector<ExtentId> extents;
  for (const auto& [extent, nodes] : holders_) {
    if (nodes.contains(node)) extents.push_back(extent);
  }
  return extents;
}

void ExtentCenter::replace(NodeId node, const std::vector<ExtentId>& extents) {
  remove(node);
  for (const ExtentId extent : extents) add(node, extent);
}

void ExtentCenter::remove(NodeId node) {
  for (auto& [extent, nodes] : holders_) nodes.erase(node);
}

ExtentManager::ExtentManager(NetworkEngine& engine, const ManagerSettings& settings)
    : engine_(engine), settings_(settings) {
  if (!settings_.mock_timers) loops_ = std::thread([this] { run_loops(); });
}

ExtentManager::~ExtentManager() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stop_.notify_all();
  if (loops_.joinable()) loops_.join();
}

void ExtentManager::run_loops() {
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, settings_.period, [&] { return stopping_; })) {
    lock.unlock();
    expire_nodes();
    repair_extents();
    lock.lock();
  }
}

void ExtentManager::process_heartbeat(NodeId node) {
  const std::lock_guard lock(mutex_);
  missed_[node] = 0;
}

void ExtentManager::process_sync_report(NodeId node, const std::vector<ExtentId>& extents) {
  const std::lock_guard lock(mutex_);
  if (settings_.reports_of_known_nodes_only && !missed_.contains(node)) return;
  center_.replace(node, extents);
}

void ExtentManager::expire_nodes() {
  const std::lock_guard lock(mutex_);
  for (auto node = missed_.begin(); node != missed_.end();) {
    if (++node->second <= settings_.missed_heartbeats_max) {
      ++node;
      continue;
    }
    if (settings_.expiry_forgets_extents) center_.remove(node->first);
    node = missed_.erase(node);
  }
}

void ExtentManager::repair_extents() {
  const std::lock_guard lock(mutex_);
  for (const auto& [extent, nodes] : center_.holders()) {
    if (nodes.empty() || nodes.size() >= settings_.replicas) continue;
    const auto without = std::find_if(missed_.begin(), missed_.end(),
                                      [&](const auto& known) { return !nodes.contains(known.first); });
    if (without != missed_.end()) engine_.send_repair_task(without->first, extent, *nodes.begin());
  }
}

std::size_t ExtentManager::known_nodes() const {
  const std::lock_guard lock(mutex_);
  return missed_.size();
}

std::size_t ExtentManager::replicas(ExtentId extent) const {
  const std::lock_guard lock(mutex_);
  const auto found = center_.holders().find(extent);
  return found == center_.holders().end() ? 0 : found->second.size();
}

}  // namespace storage
