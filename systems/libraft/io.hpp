// Io: raft_io, raft_fsm and raft_heap for libraft, as functions that find their Node.
#pragma once

#include "systems/libraft/node.hpp"

namespace libraft {

struct Io {
  static void fill(raft_io& io, Node& node);
  static void fill(raft_fsm& fsm, Node& node);
  // For the whole process: every call is served by the heap in use.
  static void use_heaps();

  // A hash of what the buffers hold now.
  static std::uint64_t content(const std::vector<raft_buffer>& buffers);
  // Callbacks of requests.
  static void applied(struct raft_apply* request, int status, void* result);
  static void passed(struct raft_barrier* request, int status);
  static void transferred(struct raft_transfer* request);
  static void changed(raft_change* request, int status);
  static void closed(raft* server);

 private:
  static Node& node(raft_io* io) { return *static_cast<Node*>(io->impl); }
  static Node& node(raft_fsm* fsm) { return *static_cast<Node*>(fsm->data); }

  static int init(raft_io* io, raft_id id, const char* address);
  static void close(raft_io* io, raft_io_close_cb callback);
  static int load(raft_io* io, raft_term* term, raft_id* vote, raft_snapshot** snapshot, raft_index* start,
                  raft_entry* entries[], size_t* count);
  static int start(raft_io* io, unsigned msecs, raft_io_tick_cb tick, raft_io_recv_cb recv);
  static int bootstrap(raft_io* io, const raft_configuration* configuration);
  static int recover(raft_io* io, const raft_configuration* configuration);
  static int set_term(raft_io* io, raft_term term);
  static int set_vote(raft_io* io, raft_id vote);
  static int send(raft_io* io, raft_io_send* request, const raft_message* message, raft_io_send_cb callback);
  static int append(raft_io* io, raft_io_append* request, const raft_entry entries[], unsigned count,
                    raft_io_append_cb callback);
  static int truncate(raft_io* io, raft_index index);
  static int snapshot_put(raft_io* io, unsigned trailing, raft_io_snapshot_put* request,
                          const raft_snapshot* snapshot, raft_io_snapshot_put_cb callback);
  static int snapshot_get(raft_io* io, raft_io_snapshot_get* request, raft_io_snapshot_get_cb callback);
  static raft_time time(raft_io* io);
  static int random(raft_io* io, int min, int max);

  static int apply(raft_fsm* fsm, const raft_buffer* command, void** result);
  static int snapshot(raft_fsm* fsm, raft_buffer* buffers[], unsigned* count);
  static int restore(raft_fsm* fsm, raft_buffer* buffer);
};

}  // namespace libraft
