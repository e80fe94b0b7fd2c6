// A key-value store as a service on the platform, and its clients: the example of how one is written.
//
// It keeps its operations as they came, on its disk; a key has the value of its last put. Reads are replicated like
// writes: a primary that has been replaced does not know it yet, and could answer with an old value.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gainsay/oracle/specs/kv.hpp"
#include "systems/fabric/service_runtime.hpp"

namespace fabric {

using Spec = gainsay::specs::Kv<std::uint32_t, std::string>;

struct KeyValue {
  struct Request {
    std::uint32_t key = 0;
    std::uint32_t value = 0;  // 0: get
  };
  struct Reply {
    std::uint32_t value = 0;
  };
  struct Operation {
    CallId call;
    Request request;
  };
  struct Part {
    Lsn lsn = 0;
    Operation operation;
  };
  enum class Step { loaded, promoted };

  bool answers_early = false;  // the defect
  std::map<Lsn, Operation> done{};
  // of the process: calls that are answered when what they found is committed
  std::map<Lsn, std::vector<std::pair<CallId, Reply>>> waiting{};

  void open(Platform<KeyValue>& platform) {
    waiting.clear();
    platform.later(Step::loaded);
  }
  void change_role(Role role, Platform<KeyValue>& platform) {
    if (role == Role::primary) {
      platform.later(Step::promoted);
    } else {
      platform.role_changed();
    }
  }
  void resume(Step step, Platform<KeyValue>& platform) {
    if (step == Step::loaded) {
      platform.opened();
    } else {
      platform.role_changed();
      platform.listen();
    }
  }

  // A call comes again if the primary failed before it had answered: a put must not be done twice.
  void request(CallId call, const Request& request, Platform<KeyValue>& platform) {
    const bool is_put = request.value != 0;
    Lsn lsn = platform.last();
    if (!is_put || !has(call)) lsn = platform.replicate({call, request});
    const Reply reply{is_put ? request.value : value(request.key)};
    if (lsn <= platform.committed() || (answers_early && is_put)) {
      platform.answer(call, reply);
    } else {
      waiting[lsn].push_back({call, reply});
    }
  }
  void committed(Lsn lsn, Platform<KeyValue>& platform) {
    const auto end = waiting.upper_bound(lsn);
    for (auto each = waiting.begin(); each != end; ++each) {
      for (const auto& [call, reply] : each->second) platform.answer(call, reply);
    }
    waiting.erase(waiting.begin(), end);
  }

  void apply(Lsn lsn, const Operation& operation) { done[lsn] = operation; }
  void erase() { done.clear(); }
  std::vector<Part> copy(Lsn after) const {
    std::vector<Part> parts;
    for (auto each = done.upper_bound(after); each != done.end(); ++each)
      parts.push_back({each->first, each->second});
    return parts;
  }
  void paste(const Part& part) { apply(part.lsn, part.operation); }

  bool has(CallId call) const {
    return std::any_of(done.begin(), done.end(), [&](const auto& each) { return each.second.call == call; });
  }
  std::uint32_t value(std::uint32_t key) const {
    for (auto each = done.rbegin(); each != done.rend(); ++each) {
      const Request& request = each->second.request;
      if (request.key == key && request.value != 0) return request.value;
    }
    return 0;
  }
  auto content() const { return done; }
};
static_assert(Service<KeyValue>);

// Puts a value and reads it, again and again, one call after the other; others use the same keys.
struct KeyValueClient {
  using Answer = Wire<KeyValue>::Answer;
  using Receives = gainsay::Messages<Resolved, Refused, Answer>;
  std::uint32_t index = 0;
  std::uint32_t requests = 2;
  std::uint32_t services = 1;
  Calls<KeyValue> calls{};
  std::uint32_t answered = 0;
  gainsay::Invocation operation{};

  std::string waiting() const { return answered == requests ? "" : "not all of its calls are answered"; }

  bool puts() const { return answered % 2 == 0; }
  std::uint32_t key() const { return answered / 2; }  // and each service has keys of its own
  static std::string text(std::uint32_t value) { return value == 0 ? "" : std::to_string(value); }
  void on_start(gainsay::Context& ctx) { next(ctx); }
  void next(gainsay::Context& ctx) {
    if (answered == requests) return;
    const std::uint32_t value = puts() ? 10 * (index + 1) + answered : 0;
    operation = ctx.invoke(puts() ? Spec::Op(Spec::Put{key(), text(value)}) : Spec::Op(Spec::Get{key()}));
    calls.call({key() % services, answered}, {key(), value}, ctx);
  }
  void on(const Resolved& resolved, gainsay::Context& ctx) { calls.take(resolved, ctx); }
  void on(const Refused& refused, gainsay::Context& ctx) { calls.take(refused, ctx); }
  void on(const Answer& answer, gainsay::Context& ctx) {
    if (!calls.close({answer.service, answer.number})) return;
    if (puts()) {
      ctx.complete(operation, Spec::Result(std::in_place_index<0>));
    } else {
      ctx.complete(operation, Spec::Result(std::in_place_index<1>, text(answer.reply.value)));
    }
    ++answered;
    next(ctx);
  }
};

}  // namespace fabric
