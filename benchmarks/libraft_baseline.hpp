// The bare loop: three servers of libraft, their network, disks and clocks in the least code that drives them, without
// Gainsay. It says how fast the library itself is, so that the price of the wrapper can be read off.
//
// The events are those of systems/libraft without faults: a message at the head of a link, a tick, the completion of a
// disk write or of a send, a request of a client of the leader. Each step takes one of them at random. Memory is an
// arena that is thrown away after each run; nothing is recorded, judged or described.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

extern "C" {
#include <raft.h>
}

namespace benchmarks {

class BareCluster {
 public:
  static constexpr unsigned servers = 3;
  static constexpr std::size_t arena_bytes = std::size_t{64} << 20U;

  explicit BareCluster(std::uint64_t seed) : random_(seed * 2 + 1) {
    arena().used = 0;
    static raft_heap heap = arena_heap();
    raft_heap_set(&heap);
    for (unsigned i = 0; i < servers; ++i) start(i);
  }
  BareCluster(const BareCluster&) = delete;
  BareCluster& operator=(const BareCluster&) = delete;

  void step() {
    choices_.clear();
    for (unsigned i = 0; i < servers; ++i) {
      choices_.push_back({Kind::tick, i, 0});
      if (!servers_[i].disk.empty()) choices_.push_back({Kind::disk, i, 0});
      if (!servers_[i].sends.empty()) choices_.push_back({Kind::send, i, 0});
      if (servers_[i].raft.state == RAFT_LEADER && servers_[i].outstanding == 0)
        choices_.push_back({Kind::client, i, 0});
      for (unsigned j = 0; j < servers; ++j) {
        if (!links_[i][j].empty()) choices_.push_back({Kind::message, i, j});
      }
    }
    take(choices_[next_random() % choices_.size()]);
  }
  std::uint64_t applied() const {
    std::uint64_t most = 0;
    for (const Server& server : servers_) most = std::max<std::uint64_t>(most, server.raft.last_applied);
    return most;
  }

 private:
  enum class Kind : std::uint8_t { tick, disk, send, client, message };
  struct Choice {
    Kind kind;
    unsigned server;
    unsigned to;
  };
  struct Append {
    raft_io_append* request;
    raft_io_append_cb callback;
  };
  struct Send {
    raft_io_send* request;
    raft_io_send_cb callback;
  };
  struct Server {
    BareCluster* cluster = nullptr;
    unsigned index = 0;
    struct raft raft {};
    raft_io io{};
    raft_fsm fsm{};
    raft_io_tick_cb tick = nullptr;
    raft_io_recv_cb recv = nullptr;
    raft_time now = 0;
    std::deque<Append> disk;
    std::deque<Send> sends;
    unsigned outstanding = 0;
    std::int64_t sum = 0;
  };
  struct Arena {
    std::unique_ptr<unsigned char[]> bytes = std::make_unique<unsigned char[]>(arena_bytes);
    std::size_t used = 0;
  };

  static Arena& arena() {
    static Arena all;
    return all;
  }
  // The size stands before the block, for realloc.
  static void* allocate(std::size_t size) {
    Arena& all = arena();
    const std::size_t whole = (size + 31) / 16 * 16;
    if (all.used + whole > arena_bytes) return nullptr;
    unsigned char* const at = all.bytes.get() + all.used;
    all.used += whole;
    std::memcpy(at, &size, sizeof size);
    return at + 16;
  }
  static raft_heap arena_heap() {
    return {nullptr,
            [](void*, size_t size) { return allocate(size); },
            [](void*, void*) {},
            [](void*, size_t count, size_t size) {
              void* const block = allocate(count * size);
              return block == nullptr ? nullptr : std::memset(block, 0, count * size);
            },
            [](void*, void* old, size_t size) {
              void* const block = allocate(size);
              if (block == nullptr || old == nullptr) return block;
              std::size_t before = 0;
              std::memcpy(&before, static_cast<unsigned char*>(old) - 16, sizeof before);
              return std::memcpy(block, old, std::min(before, size));
            },
            [](void*, size_t, size_t size) { return allocate(size); },
            [](void*, size_t, void*) {}};
  }

  std::uint64_t next_random() {  // xorshift
    random_ ^= random_ << 13U;
    random_ ^= random_ >> 7U;
    random_ ^= random_ << 17U;
    return random_;
  }

  static Server& of(raft_io* io) { return *static_cast<Server*>(io->impl); }
  static const char* address(unsigned index) { return std::array{"1", "2", "3"}[index]; }

  static void configuration(raft_configuration& all) {
    raft_configuration_init(&all);
    for (unsigned i = 0; i < servers; ++i) raft_configuration_add(&all, i + 1, address(i), RAFT_VOTER);
  }

  void start(unsigned index) {
    Server& self = servers_[index];
    self.cluster = this;
    self.index = index;
    fill(self);
    raft_init(&self.raft, &self.io, &self.fsm, index + 1, address(index));
    raft_set_election_timeout(&self.raft, 300);
    raft_set_heartbeat_timeout(&self.raft, 100);
    raft_start(&self.raft);
  }

  static void fill(Server& self) {
    raft_io& io = self.io;
    io.version = 1;
    io.impl = &self;
    io.init = [](raft_io*, raft_id, const char*) { return 0; };
    io.close = [](raft_io*, raft_io_close_cb) {};
    io.load = load;
    io.start = [](raft_io* all, unsigned, raft_io_tick_cb tick, raft_io_recv_cb recv) {
      of(all).tick = tick;
      of(all).recv = recv;
      return 0;
    };
    io.set_term = [](raft_io*, raft_term) { return 0; };
    io.set_vote = [](raft_io*, raft_id) { return 0; };
    io.append = [](raft_io* all, raft_io_append* request, const raft_entry*, unsigned,
                   raft_io_append_cb callback) {
      of(all).disk.push_back({request, callback});
      return 0;
    };
    io.truncate = [](raft_io*, raft_index) { return 0; };
    io.send = send;
    io.time = [](raft_io* all) { return of(all).now; };
    io.random = [](raft_io* all, int min, int max) {
      const auto range = static_cast<std::uint64_t>(max - min);
      return min + static_cast<int>(of(all).cluster->next_random() % range);
    };
    self.fsm.version = 1;
    self.fsm.data = &self;
    self.fsm.apply = [](raft_fsm* fsm, const raft_buffer* command, void** result) {
      auto& owner = *static_cast<Server*>(fsm->data);
      std::int64_t amount = 0;
      std::memcpy(&amount, command->base, sizeof amount);
      owner.sum += amount;
      *result = &owner.sum;
      return 0;
    };
  }

  static int load(raft_io*, raft_term* term, raft_id* vote, raft_snapshot** snapshot, raft_index* first,
                  raft_entry* entries[], size_t* count) {
    *term = 1;
    *vote = 0;
    *snapshot = nullptr;
    *first = 1;
    *count = 1;
    raft_configuration all;
    configuration(all);
    auto* const entry = static_cast<raft_entry*>(allocate(sizeof(raft_entry)));
    entry->term = 1;
    entry->type = RAFT_CHANGE;
    raft_configuration_encode(&all, &entry->buf);
    entry->batch = entry->buf.base;
    raft_configuration_close(&all);
    *entries = entry;
    return 0;
  }

  // What is sent is copied, as by a backend with sockets: entries in one block, their data in another.
  static int send(raft_io* io, raft_io_send* request, const raft_message* message, raft_io_send_cb callback) {
    Server& self = of(io);
    if (message->server_id == 0) return RAFT_NOCONNECTION;  // it does send to nobody: docs/libraft.md
    raft_message copy = *message;
    if (copy.type == RAFT_IO_APPEND_ENTRIES && copy.append_entries.n_entries > 0) {
      raft_append_entries& args = copy.append_entries;
      std::size_t bytes = 0;
      for (unsigned i = 0; i < args.n_entries; ++i) bytes += args.entries[i].buf.len;
      auto* const batch = static_cast<unsigned char*>(allocate(bytes));
      auto* const entries = static_cast<raft_entry*>(allocate(args.n_entries * sizeof(raft_entry)));
      std::size_t at = 0;
      for (unsigned i = 0; i < args.n_entries; ++i) {
        entries[i] = args.entries[i];
        std::memcpy(batch + at, args.entries[i].buf.base, args.entries[i].buf.len);
        entries[i].buf.base = batch + at;
        entries[i].batch = batch;
        at += args.entries[i].buf.len;
      }
      args.entries = entries;
    }
    self.cluster->links_[self.index][message->server_id - 1].push_back(copy);
    self.sends.push_back({request, callback});
    return 0;
  }

  void ask(Server& self) {
    auto* const request = static_cast<struct raft_apply*>(allocate(sizeof(struct raft_apply)));
    raft_buffer buffer{allocate(16), 16};
    std::memset(buffer.base, 1, 16);
    request->data = &self;
    ++self.outstanding;
    const int status = raft_apply(&self.raft, request, &buffer, 1, [](struct raft_apply* done, int, void*) {
      --static_cast<Server*>(done->data)->outstanding;
    });
    if (status != 0) --self.outstanding;
  }

  void take(const Choice& choice) {
    Server& self = servers_[choice.server];
    switch (choice.kind) {
      case Kind::tick:
        self.now += 100;
        self.tick(&self.io);
        break;
      case Kind::disk: {
        const Append done = self.disk.front();
        self.disk.pop_front();
        done.callback(done.request, 0);
        break;
      }
      case Kind::send: {
        const Send done = self.sends.front();
        self.sends.pop_front();
        if (done.callback != nullptr) done.callback(done.request, 0);
        break;
      }
      case Kind::client:
        ask(self);
        break;
      case Kind::message: {
        std::deque<raft_message>& link = links_[choice.server][choice.to];
        raft_message message = link.front();
        link.pop_front();
        message.server_id = choice.server + 1;
        message.server_address = address(choice.server);
        Server& receiver = servers_[choice.to];
        receiver.recv(&receiver.io, &message);
        break;
      }
    }
  }

  std::uint64_t random_;
  std::array<Server, servers> servers_;
  std::array<std::array<std::deque<raft_message>, servers>, servers> links_;
  std::vector<Choice> choices_;
};

}  // namespace benchmarks
