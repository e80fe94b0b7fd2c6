// Scenarios whose traces the tests of pages look at: executions of a given length, and texts that try to be markup.
#include <string>

#include <gainsay/gainsay.hpp>

namespace page_subjects {

struct LongOptions {
  std::uint64_t steps = 1000;
};

struct Token {
  std::uint64_t hops = 0;
  std::string text;
};

// Passes the token on; every seventh hop it also sends one that nobody waits for.
struct Station {
  using Receives = gainsay::Messages<Token>;
  gainsay::Group<Station> all{};
  std::uint64_t next = 0;
  std::uint64_t most = 0;
  std::uint64_t seen = 0;
  std::uint64_t latest = 0;

  void on(const Token& token, gainsay::Context& ctx) {
    ++seen;
    latest = token.hops;
    ctx.check(token.hops < most, "the token has gone too far");
    ctx.send(all[next], Token{token.hops + 1, "payload of hop " + std::to_string(token.hops)});
    if (token.hops % 7 == 0) ctx.note("a seventh hop");
  }
};

// `steps` is the length of every execution.
GAINSAY_SCENARIO(long_run, "A token goes round until somebody complains", LongOptions) {
  const auto all = world.group<Station>("station", 6, [&](std::size_t i, gainsay::Group<Station> group) {
    return Station{.all = group, .next = (i + 1) % 6, .most = options.steps - 1};
  });
  world.send(all[0], Token{0, "begin"});
}

struct Say {
  std::string text;
};

struct Listener {
  using Receives = gainsay::Messages<Say>;
  std::string heard;
  void on(const Say& say, gainsay::Context& ctx) {
    heard = say.text;
    ctx.note("note: " + say.text);
    ctx.check(say.text.find("img") == std::string::npos, "complaint: " + say.text);
  }
};

GAINSAY_SCENARIO(hostile, "Texts that would be markup, code or marks of direction") {
  const auto listener = world.spawn<Listener>("</script><b>\"'");
  world.order(gainsay::Delivery::fifo);
  for (const char* text :
       {"</script><script>window.hacked = 1</script>", "\"'`${window.hacked = 1}`\\",
        "\x01\x02\x1b[31mred\x7f\r\n\ttab", "\u202egnirts a si siht\u202c \u200f\u2066x\u2069\ufeff",
        "<!--<script>", "&lt;&amp;&#60;", "<img src=x onerror=window.hacked=1>"})
    world.send(listener, Say{text});
}

}  // namespace page_subjects
