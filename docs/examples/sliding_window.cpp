// A class that knows nothing of Gainsay, wrapped: the receiving half of a sliding-window protocol. It puts numbered
// packets in order and hands them on. Its numbers wrap around at 2 * window; with fewer, an old packet that comes
// again is taken for a new one.
//
//   sliding_window hunt sliding_window --option bug=small_numbers    a packet of the last round is delivered again
//   sliding_window hunt sliding_window --strategy dfs                enough numbers: every execution within the bounds
#include <map>
#include <vector>

#include <gainsay/gainsay.hpp>

// --- the code under test ---------------------------------------------------------------------------------------

class WindowReceiver {
 public:
  WindowReceiver(int window, int numbers) : window_(window), numbers_(numbers) {}

  // Takes a packet; returns what can be handed on now, in order.
  std::vector<int> receive(int number, int payload) {
    const int ahead = (number - next_ + numbers_) % numbers_;
    if (ahead < window_) waiting_[number] = payload;
    std::vector<int> ready;
    for (auto at = waiting_.find(next_); at != waiting_.end(); at = waiting_.find(next_)) {
      ready.push_back(at->second);
      waiting_.erase(at);
      next_ = (next_ + 1) % numbers_;
    }
    return ready;
  }

 private:
  int window_;
  int numbers_;
  int next_ = 0;
  std::map<int, int> waiting_;
};

// --- its test --------------------------------------------------------------------------------------------------

using namespace gainsay;

namespace sliding_window {

enum class Bug { none, small_numbers };
struct Options {
  Bug bug = Bug::none;
  static void describe(Describe<Options>& d) {
    d.value(Bug::small_numbers, "as many numbers as the window is wide: old and new packets look alike");
  }
};

constexpr int window = 2;
constexpr int packets = 3;

struct Packet {
  int number = 0;
  int payload = 0;
};
struct Ack {
  int delivered = 0;
};

// The actor around the class: messages become calls, results become messages and checks.
class Receiver {
 public:
  using Receives = Messages<Packet>;
  explicit Receiver(int numbers) : code_(window, numbers) {}

  void on(const Packet& packet, Context& ctx) {
    for (const int payload : code_.receive(packet.number, packet.payload)) {
      ctx.check(payload == delivered_, "packet " + std::to_string(payload) + " was delivered instead of " +
                                           std::to_string(delivered_));
      ++delivered_;
    }
    ctx.reply(Ack{delivered_});
  }

 private:
  WindowReceiver code_;
  int delivered_ = 0;
};

struct Sender {
  using Receives = Messages<Ack>;
  Ref<Receiver> receiver{};
  int numbers = 0;
  int sent = 0;

  void on_start(Context& ctx) {
    while (sent < window) send_next(ctx);
  }
  void on(const Ack& ack, Context& ctx) {
    while (sent < packets && sent < ack.delivered + window) send_next(ctx);
  }
  void send_next(Context& ctx) {
    ctx.send(receiver, Packet{sent % numbers, sent});
    ++sent;
  }
};

GAINSAY_SCENARIO(sliding_window, "A sliding window over a network that duplicates", Options) {
  const int numbers = options.bug == Bug::small_numbers ? window : 2 * window;
  const auto receiver = world.wrap<Receiver>("receiver", numbers);
  world.spawn("sender", Sender{.receiver = receiver, .numbers = numbers});
  world.faults().duplicate<Packet>(1);
}

}  // namespace sliding_window
