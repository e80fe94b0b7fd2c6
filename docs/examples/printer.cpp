// A machine with a hole in its table: a job that is cancelled while it is printed.
#include <gainsay/gainsay.hpp>

namespace printer {

struct Job {
  int pages = 0;
};
struct Cancel {};
struct Printed {};  // a timer: the page is out

struct Printer {
  enum class State { idle, printing };
  using Receives = gainsay::Messages<Job, Cancel, Printed>;
  gainsay::Machine<State> machine{};
  int pages = 0;

  static void table(gainsay::Table<Printer>& t) {
    t.start(State::idle);
    t.in(State::idle).ignore<Cancel>().go_to<Job>(State::printing, &Printer::load);
    t.in(State::printing)
        .entry(&Printer::feed)
        .defer<Job>()
        .on<Printed>(&Printer::page)
        .may_go_to(State::idle);
  }

  void load(const Job& job) { pages = job.pages; }
  void feed(gainsay::Context& ctx) { ctx.after(std::chrono::seconds(1), Printed{}); }
  void page(gainsay::Context& ctx) {
    if (--pages > 0) {
      feed(ctx);
    } else {
      ctx.go_to(State::idle);
    }
  }
};

GAINSAY_SCENARIO(printer, "Two jobs, one of them cancelled") {
  const auto printer = world.spawn<Printer>("printer");
  world.send(printer, Job{2});
  world.send(printer, Job{1});
  world.send(printer, Cancel{});
}

}  // namespace printer
