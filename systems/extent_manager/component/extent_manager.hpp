// The extent manager of a cloud store: it knows which nodes hold which extents, notices nodes that are gone,
// and has missing replicas repaired. Production code: it knows nothing of what tests it.
//
// After the Extent Manager of Azure Storage vNext as far as Deligiannis et al. describe it ("Uncovering Bugs in
// Distributed Storage Systems during Testing (Not in Production!)", section 4): an ExtentCenter that sync
// reports update, a map of nodes that heartbeats refresh, an expiration loop and a repair loop.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace storage {

using NodeId = std::uint32_t;
using ExtentId = std::uint32_t;

// The network as the manager sees it.
class NetworkEngine {
 public:
  virtual ~NetworkEngine() = default;
  // Asks `node` to copy the extent from `source`. May be lost.
  virtual void send_repair_task(NodeId node, ExtentId extent, NodeId source) = 0;
};

// Which nodes hold which extents: the manager's by their reports, a node's own by what it stores.
class ExtentCenter {
 public:
  void add(NodeId node, ExtentId extent);
  // What a node tells the manager.
  std::vector<ExtentId> sync_report(NodeId node) const;
  void replace(NodeId node, const std::vector<ExtentId>& extents);
  void remove(NodeId node);
  const std::map<ExtentId, std::set<NodeId>>& holders() const { return holders_; }

 private:
  std::map<ExtentId, std::set<NodeId>> holders_;
};

struct ManagerSettings {
  std::size_t replicas = 3;
  int missed_heartbeats_max = 1;  // a node that misses more is gone
  bool mock_timers = false;       // no thread; the owner calls expire_nodes and repair_extents
  std::chrono::milliseconds period{1000};
  bool reports_of_known_nodes_only = true;  // false: as it was shipped
  bool expiry_forgets_extents = true;
};

class ExtentManager {
 public:
  ExtentManager(NetworkEngine& engine, const ManagerSettings& settings);
  ~ExtentManager();

  // Messages of nodes.
  void process_heartbeat(NodeId node);
  void process_sync_report(NodeId node, const std::vector<ExtentId>& extents);

  // The two loops. They run by themselves unless timers are mocked.
  void expire_nodes();
  void repair_extents();

  std::size_t known_nodes() const;
  std::size_t replicas(ExtentId extent) const;

 private:
  void run_loops();

  NetworkEngine& engine_;
  ManagerSettings settings_;
  mutable std::mutex mutex_;
  ExtentCenter center_;
  std::map<NodeId, int> missed_;  // heartbeats, by node
  std::condition_variable stop_;
  bool stopping_ = false;
  std::thread loops_;
};

}  // namespace storage
