// Recorded histories of other projects, where they are at hand: every verdict that two sources agree on.
//
// They are looked for in $GAINSAY_DATA/histories, else beside the tree.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/oracle/formats/history_file.hpp"
#include "gainsay/oracle/linearizability.hpp"
#include "gainsay/oracle/models.hpp"
#include "gainsay/oracle/transactions/check.hpp"

namespace gainsay {
namespace {

namespace fs = std::filesystem;

fs::path data_folder() {
  if (const char* named = std::getenv("GAINSAY_DATA")) return fs::path(named) / "histories";
  for (const char* beside : {"../shared/data/histories", "../../shared/data/histories"}) {
    if (fs::exists(beside)) return beside;
  }
  return "";
}

using Fields = std::vector<std::string>;
std::vector<Fields> table(const fs::path& path) {
  std::vector<Fields> rows;
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);  // names
  while (std::getline(in, line)) {
    Fields fields;
    std::stringstream parts(line);
    std::string field;
    while (std::getline(parts, field, '\t')) fields.push_back(field);
    fields.resize(std::max<std::size_t>(fields.size(), 7));
    rows.push_back(fields);
  }
  return rows;
}

Verdict verdict_of(const fs::path& path, const std::string& model_name, const ModelOptions& options = {}) {
  const HistoryFile file = read_history_file(path.string());
  const Model model = Model::named(model_name.empty() ? file.model : model_name, options);
  CheckOptions check;
  check.time_max = std::chrono::seconds(60);
  check.memory_bytes_max = 2ULL << 30U;
  check.explain = false;
  return check_history(file.history, model, check).verdict;
}

Verdict verdict_named(const std::string& name) {
  return name == "Ok" || name == "linearizable" ? Verdict::ok : Verdict::violated;
}

class Verdicts : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = data_folder();
    if (folder_.empty() || !fs::exists(folder_)) GTEST_SKIP() << "no recorded histories beside the tree";
  }

  // Compares; a file that a table names and that is not there is passed over.
  void expect(const std::string& file, const std::string& model, Verdict expected,
              const ModelOptions& options = {}) {
    if (!fs::exists(folder_ / file)) return;
    ++compared_;
    try {
      EXPECT_EQ(verdict_of(folder_ / file, model, options), expected) << file;
    } catch (const UserError& error) {
      ADD_FAILURE() << error.what();
    }
  }

  fs::path folder_;
  int compared_ = 0;
};

TEST_F(Verdicts, OfLogsOfEtcdAndKeyValueStores) {
  for (const Fields& row : table(folder_ / "VERDICTS-porcupine.tsv")) {
    ASSERT_EQ(verdict_named(row[3]), verdict_named(row[4])) << row[0];
    expect(row[0], row[1].starts_with("kv") ? "kv" : "cas-register", verdict_named(row[3]));
  }
  EXPECT_GE(compared_, 58);
}

TEST_F(Verdicts, OfKnossos) {
  for (const Fields& row : table(folder_ / "VERDICTS-knossos.tsv")) {
    const std::string model = row[1].substr(0, row[1].find(' '));
    if (model == "multi-register") {
      ModelOptions zero;
      zero.initial = Datum::of(Datum::List{Datum::of(Datum::List{Datum::of("x"), Datum::of(0)}),
                                           Datum::of(Datum::List{Datum::of("y"), Datum::of(0)})});
      expect(row[0], model, verdict_named(row[4]), zero);
      continue;
    }
    expect(row[0], model, verdict_named(row[4]));
    if (model != "cas-register") continue;
    ModelOptions zero;
    zero.initial = Datum::of(0);
    expect(row[0], model, verdict_named(row[4]), zero);
  }
  EXPECT_GE(compared_, 200);
}

TEST_F(Verdicts, OfLimo) {
  for (const Fields& row : table(folder_ / "VERDICTS-limo.tsv")) {
    const bool measured = row[4] == "Ok" || row[4] == "Illegal";
    const bool by_folder =
        row[0].find("/safe/") != std::string::npos || row[0].find("/violation/") != std::string::npos;
    const bool by_polylin = row[5] == "Ok" || row[5] == "Illegal";
    const bool malformed = row[4].starts_with("MALFORMED");
    if (malformed || (!measured && !by_polylin && !by_folder)) continue;
    const Verdict expected = measured                                     ? verdict_named(row[4])
                             : by_polylin                                 ? verdict_named(row[5])
                             : row[0].find("/safe/") != std::string::npos ? Verdict::ok
                                                                          : Verdict::violated;
    expect(row[0], row[1], expected);
  }
  EXPECT_GE(compared_, 400);
}

TEST_F(Verdicts, OfElle) {
  const auto transactions = [&](const char* file, TransactionModel model) {
    return check_transactions(
               read_transactions_file((folder_ / "elle-cli/histories/elle" / file).string(), model), model)
        .verdict;
  };
  EXPECT_EQ(transactions("list-append-gh-30.edn", TransactionModel::list_append), Verdict::violated);
  EXPECT_EQ(transactions("paper-example.edn", TransactionModel::list_append), Verdict::violated);
  EXPECT_EQ(transactions("paper-example.json", TransactionModel::list_append), Verdict::violated);
  EXPECT_EQ(transactions("rw-register.edn", TransactionModel::rw_register), Verdict::ok);
  EXPECT_EQ(transactions("rw-register.json", TransactionModel::rw_register), Verdict::ok);
  expect("elle-cli/histories/knossos/cas-register/good/memstress3-9.json", "cas-register", Verdict::ok);
  expect("elle-cli/histories/knossos/mutex/bad/etcd.json", "mutex", Verdict::violated);
  expect("elle-cli/histories/jepsen/counter.edn", "counter", Verdict::ok);
  expect("elle-cli/histories/jepsen/counter.json", "counter", Verdict::ok);
  expect("elle-cli/histories/jepsen/set.edn", "set", Verdict::ok);
}

}  // namespace
}  // namespace gainsay
