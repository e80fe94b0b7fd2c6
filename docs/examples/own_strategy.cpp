// A strategy of one's own: registered by name, it can be used like the bundled ones.
//
//   own_strategy hunt overtaking --strategy newest --option share=0.9
//
// `newest` prefers the event that was created last, and sometimes takes any other: messages overtake each other often.
// A strategy must have two methods, `begin` and `choose`. What else it may have (fair, guarantee, the roles of a
// Learner and of a Reducer) is in gainsay/strategy/strategy.hpp.
#include <gainsay/base/rng.hpp>
#include <gainsay/gainsay.hpp>
#include <gainsay/strategy/catalogue.hpp>

namespace {

struct NewestOptions {
  double share = 0.75;
  static void describe(gainsay::Describe<NewestOptions>& d) {
    d.field(&NewestOptions::share, "how often the newest event is taken").range(0, 1);
  }
};

class Newest final : public gainsay::Strategy {
 public:
  explicit Newest(NewestOptions options) : options_(options) {}

  std::optional<gainsay::Keep> begin(const gainsay::RunInfo& run) override {
    rng_ = gainsay::Rng(run.seed, run.index);  // a run depends on (seed, index) and on nothing else
    return gainsay::Keep{};
  }
  std::size_t choose(const gainsay::ChoicePoint& point) override {
    if (point.is_value() || rng_.unit() >= options_.share) return rng_.below(point.size());
    return point.ordinary() > 0 ? point.ordinary() - 1 : rng_.below(point.size());
  }
  // Unless the newest is always taken, any event that stays enabled is chosen in the end.
  bool fair() const override { return options_.share < 1; }

 private:
  NewestOptions options_;
  gainsay::Rng rng_{0};
};

const gainsay::RegisterStrategy registration{gainsay::StrategyInfo::of<NewestOptions>(
    "newest", "prefers the newest event; no guarantee", gainsay::StrategyKind::random,
    [](const NewestOptions& options) { return std::make_unique<Newest>(options); })};

struct Mail {
  int number = 0;
};

struct Reader {
  using Receives = gainsay::Messages<Mail>;
  int last = 0;
  void on(const Mail& mail, gainsay::Context& ctx) {
    ctx.check(mail.number > last, "mail overtook earlier mail");
    last = mail.number;
  }
};

GAINSAY_SCENARIO(overtaking, "Five letters to one reader") {
  const auto reader = world.spawn<Reader>("reader");
  for (int number = 1; number <= 5; ++number) world.send(reader, Mail{number});
}

}  // namespace
