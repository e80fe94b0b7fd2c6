#include <gainsay/gainsay.hpp>
using namespace gainsay;

struct Get {};
struct Value {
  int n = 0;
};
struct Put {
  int n = 0;
};

struct Counter {
  using Receives = Messages<Get, Put>;
  int n = 0;
  void on(const Get&, Context& ctx) { ctx.reply(Value{n}); }
  void on(const Put& put) { n = put.n; }
};

struct Client {
  using Receives = Messages<Value>;
  Ref<Counter> counter{};
  void on_start(Context& ctx) { ctx.send(counter, Get{}); }
  void on(const Value& value, Context& ctx) { ctx.send(counter, Put{value.n + 1}); }
};

GAINSAY_SCENARIO(my_counter, "Two clients increment a counter") {
  auto counter = world.spawn<Counter>("counter");
  world.group<Client>("client", 2, [&](std::size_t) { return Client{.counter = counter}; });
  world.finally("both increments count", [counter](View v) -> Complaint {
    if (v[counter].n == 2) return {};
    return "the counter is " + std::to_string(v[counter].n) + " after two increments";
  });
}
