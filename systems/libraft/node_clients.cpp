#include <cstring>

#include "systems/libraft/bits.hpp"
#include "systems/libraft/convert.hpp"
#include "systems/libraft/node_call.hpp"

namespace libraft {

using gainsay::Context;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t adds_max = 12;      // of one server that add something: each has a bit of the sum
constexpr std::uint32_t recorded_max = 40;  // operations of one server that are judged

}  // namespace

// --- clients and operators, who know the leader ---

void Node::arm_leader(Context& ctx) {
  if (settings_.requests > outstanding_ && !waits_for_client_) {
    waits_for_client_ = true;
    ctx.after(10ms, ClientAsks{});
  }
  if (settings_.transfers && !waits_for_transfer_) {
    waits_for_transfer_ = true;
    ctx.after(1s, LeaderTransfers{});
  }
  if (settings_.changes && !waits_for_change_) {
    waits_for_change_ = true;
    ctx.after(1s, MembersChange{});
  }
}

void Node::on(const ClientAsks&, Context& ctx) {
  waits_for_client_ = false;
  if (!leads()) return;
  if (settings_.barriers && ctx.choose(8) == 0) {
    call(ctx, "raft_barrier", [&] {
      auto* const request = make<struct raft_barrier>();
      if (request == nullptr) return;
      request->data = this;
      ++outstanding_;
      if (raft_barrier(raft_, request, Io::passed) == 0) return;
      --outstanding_;
      raft_free(request);
    });
    return;
  }
  Command command;
  if (asked_ < adds_max) command.amount = std::int64_t{1} << (asked_ * servers_ + id_ - 1);
  command.id = static_cast<std::int64_t>(asked_) * 16 + id_;
  Operation operation{this, {}, asked_ < recorded_max};
  ++asked_;
  if (operation.recorded) {
    if (command.amount != 0) {
      operation.invocation = ctx.invoke(Bits::Add{command.amount});
    } else {
      operation.invocation = ctx.invoke(Bits::Read{});
    }
  }
  call(ctx, "raft_apply", [&] {
    auto* const request = make<struct raft_apply>();
    auto* const data = make<Operation>();
    raft_buffer buffer{make<Command>(), sizeof(Command)};
    if (request == nullptr || data == nullptr || buffer.base == nullptr) return;
    std::memcpy(buffer.base, &command, sizeof command);
    *data = operation;
    request->data = data;
    ++outstanding_;
    if (raft_apply(raft_, request, &buffer, 1, Io::applied) == 0) return;
    --outstanding_;
    raft_free(buffer.base);
    raft_free(data);
    raft_free(request);
    if (operation.recorded) ctx.complete(operation.invocation, gainsay::Completion::failed);
  });
}

void Node::on(const LeaderTransfers&, Context& ctx) {
  waits_for_transfer_ = false;
  if (!leads()) return;
  const std::uint32_t to = ctx.choose(servers_ + 1);
  call(ctx, "raft_transfer", [&] {
    auto* const request = make<struct raft_transfer>();
    if (request == nullptr) return;
    request->data = this;
    if (raft_transfer(raft_, request, to, Io::transferred) != 0) raft_free(request);
  });
}

void Node::on(const MembersChange&, Context& ctx) {
  waits_for_change_ = false;
  if (!leads()) return;
  const std::uint32_t server = ctx.choose(servers_) + 1;
  const std::uint32_t what = ctx.choose(5);
  call(ctx, "a change of members", [&] {
    auto* const request = make<raft_change>();
    if (request == nullptr) return;
    int status = 0;
    if (what == 0) {
      status = raft_remove(raft_, request, server, Io::changed);
    } else if (what == 1) {
      status = raft_add(raft_, request, server, address_of(server), Io::changed);
    } else {
      const int role = what == 2 ? RAFT_SPARE : what == 3 ? RAFT_STANDBY : RAFT_VOTER;
      status = raft_assign(raft_, request, server, role, Io::changed);
    }
    if (status != 0) raft_free(request);
  });
}

}  // namespace libraft
