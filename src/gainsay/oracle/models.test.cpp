#include "gainsay/oracle/models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/complaint.test.hpp"

namespace gainsay::models_test {
namespace {

using ::testing::HasSubstr;

Datum list(Datum::List elements) { return Datum::of(std::move(elements)); }

// What the model makes of a call, as text.
std::string made(const Model& model, const Call& call, const std::optional<Datum>& result = Datum::nil()) {
  const auto [op, said] = model.read(call, result ? &*result : nullptr);
  return model.spec->text(op.data(), said.has_value() ? said.data() : nullptr);
}

std::string complaint(const std::string& model, const Call& call) {
  return complaint_of([&] { made(Model::named(model), call); });
}

TEST(Datum, PrintsAsPeopleWriteIt) {
  EXPECT_EQ(to_text(list({Datum::nil(), Datum::of(true), Datum::of(-3), Datum::of("a\"b"), list({})})),
            "[nil true -3 \"a\\\"b\" []]");
  EXPECT_EQ(to_text(Call{"cas", list({Datum::of(1), Datum::of(2)})}), "cas [1 2]");
  EXPECT_EQ(to_text(Call{"read", {}}), "read");
}

TEST(Models, EveryOneIsFoundByItsName) {
  for (const std::string& name : Model::names()) EXPECT_EQ(Model::named(name).name, name);
  EXPECT_THAT(Model::names(),
              ::testing::IsSupersetOf({"register", "cas-register", "kv", "multi-register", "mutex", "set",
                                       "queue", "stack", "priority-queue", "counter", "log"}));
  try {
    Model::named("que");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'queue'"));
  }
}

TEST(Models, TurnCallsIntoTypedOperations) {
  const Datum pair = list({Datum::of(2), Datum::of(1)});
  const Model cas = Model::named("cas-register");
  EXPECT_EQ(made(cas, {"read", {}}, Datum::of(3)), "read -> 3");
  EXPECT_EQ(made(cas, {"read", {}}, std::nullopt), "read");
  EXPECT_EQ(made(cas, {"cas", pair}, Datum::of(false)), "cas(2, 1) -> refused");
  EXPECT_EQ(made(cas, {"cas", pair}, pair), "cas(2, 1) -> done")
      << "a cas that repeats its argument took place";
  EXPECT_EQ(made(cas, {"cas", pair}, std::nullopt), "cas(2, 1)");
  const Model kv = Model::named("kv");
  EXPECT_EQ(made(kv, {"get", Datum::of("k")}, Datum::nil()), "get(\"k\") -> \"\"");
  EXPECT_EQ(made(kv, {"append", list({Datum::of("k"), Datum::of("x")})}), "append(\"k\", \"x\")");
  EXPECT_EQ(made(kv, {"cas", list({Datum::of("k"), pair})}, Datum::of(true)), "cas(\"k\", 2, 1) -> done");
  const Model txn = Model::named("multi-register");
  const Datum body = list({list({Datum::of("read"), Datum::of("x"), Datum::nil()}),
                           list({Datum::of("write"), Datum::of("y"), Datum::of(2)})});
  const Datum back = list({list({Datum::of("read"), Datum::of("x"), Datum::of(5)}),
                           list({Datum::of("write"), Datum::of("y"), Datum::of(2)})});
  EXPECT_EQ(made(txn, {"txn", body}, back), "txn(\"x\" = 5, \"y\" := 2)");
  EXPECT_EQ(made(txn, {"txn", body}, body), "txn(\"x\" = ?, \"y\" := 2)") << "nil: nobody knows";
  EXPECT_EQ(made(Model::named("mutex"), {"acquire", {}}), "acquire");
  EXPECT_EQ(made(Model::named("set"), {"add", Datum::of(4)}, Datum::of(4)), "add(4)");
  EXPECT_EQ(made(Model::named("set"), {"add", Datum::of(4)}, Datum::of(false)), "add(4) -> false");
  EXPECT_EQ(made(Model::named("queue"), {"deq", {}}, Datum::of("empty")), "dequeue -> empty");
  EXPECT_EQ(made(Model::named("stack"), {"pop", {}}, Datum::of(4)), "pop -> 4");
  EXPECT_EQ(made(Model::named("priority-queue-max"), {"remove", {}}, Datum::of(4)), "remove_max -> 4");
  EXPECT_EQ(made(Model::named("counter"), {"decrement", {}}), "add(-1)");
  EXPECT_EQ(made(Model::named("log"), {"append", Datum::of(4)}, Datum::of(0)), "append(4) -> at 0");
}

TEST(Models, SayWhatDoesNotFit) {
  EXPECT_THAT(complaint("register", {"enqueue", {}}),
              HasSubstr("has no operation 'enqueue'; it has read, write"));
  EXPECT_THAT(complaint("cas-register", {"cas", Datum::of(3)}), HasSubstr("cas wants [expected new], not 3"));
  EXPECT_THAT(complaint("counter", {"add", Datum::of("x")}), HasSubstr("add needs a number, not \"x\""));
  EXPECT_THAT(complaint("multi-register", {"txn", Datum::of(3)}), HasSubstr("txn needs [["));
  EXPECT_THAT(complaint("kv", {"put", Datum::of("k")}), HasSubstr("put wants [key value]"));
  EXPECT_THROW(Model::named("queue", {Datum::of(1)}), UserError);
  EXPECT_THROW(Model::named("multi-register", {Datum::of(1)}), UserError);
}

TEST(Models, TypeWholeHistoriesAndNameTheLine) {
  History history;
  history.invoke("p", AnyValue::of(Call{"write", Datum::of(1)}), {{}, "h.edn:1", {}});
  history.ok("p", AnyValue::of(Datum::of(1)), {});
  history.invoke("p", AnyValue::of(Call{"reda", {}}), {{}, "h.edn:3", {}});
  try {
    Model::named("register").typed(history);
    FAIL();
  } catch (const HistoryError& error) {
    EXPECT_THAT(error.what(), HasSubstr("h.edn:3: the model register has no operation 'reda'"));
  }
}

}  // namespace
}  // namespace gainsay::models_test
