#include "tools/cli_test.hpp"
#include "tools/cli_test_scenarios.hpp"

namespace gainsay::cli_test {
namespace {

class Certificates : public CommandLine {
 protected:
  // The certificate of a complete search of register_edr: 252 executions.
  std::string certificate() const {
    const std::string path = in_folder("edr.cert");
    const Said said = hunt({"register_edr", "--option", "bug=local_read", "--strategy", "dfs", "--keep-going",
                            "--quiet", "--certificate", path});
    EXPECT_EQ(said.code, 1) << said.err;
    EXPECT_THAT(said.out, HasSubstr("certificate"));
    return path;
  }
  static void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
  // The same with something else in one place.
  std::string changed(const std::string& from, const std::string& what, const std::string& instead) const {
    std::string text = file_text(from);
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    const std::string path = in_folder("changed.cert");
    write(path, text.replace(at, what.size(), instead));
    return path;
  }
};

TEST_F(Certificates, AreConfirmed) {
  const std::string path = certificate();
  const Said said = gainsay_with({"verify", path});
  EXPECT_EQ(said.code, 0) << said.err << said.out;
  EXPECT_THAT(said.out, StartsWith("Confirmed: " + path + " holds for register_edr\n"));
  EXPECT_THAT(said.out, HasSubstr("252 executions"));
  EXPECT_THAT(said.out, HasSubstr("  not checked  tool, strategy, its options and blocked runs"));
  const Said as_json = gainsay_with({"verify", path, "--json"});
  EXPECT_EQ(as_json.code, 0);
  const json result = json::parse(as_json.out);
  EXPECT_EQ(result["verdict"], "ok");
  EXPECT_EQ(result["executions"], 252);
  EXPECT_EQ(result["dependence"], "linearizability");
  const json file = json::parse(file_text(path));
  EXPECT_EQ(file["format"], "gainsay-certificate");
  EXPECT_EQ(file["verdict"], "violated");
  EXPECT_EQ(file["violations"], json::array({"linearizable"}));
  EXPECT_THAT(file["tool"].get<std::string>(), StartsWith("gainsay "));
}

TEST_F(Certificates, AreContradicted) {
  const std::string path = certificate();
  const std::string count =
      fmt::format("\"count\": {}", json::parse(file_text(path))["classes"]["count"].dump());
  const Said counted = gainsay_with({"verify", changed(path, count, "\"count\": 7")});
  EXPECT_EQ(counted.code, 1);
  EXPECT_THAT(counted.out, HasSubstr("the certificate says 7 classes; there are"));
  const std::string hash = json::parse(file_text(path))["classes"]["hash"];
  const Said hashed = gainsay_with({"verify", changed(path, hash, std::string(32, '0'))});
  EXPECT_EQ(hashed.code, 1);
  EXPECT_THAT(hashed.out, HasSubstr("but their hash is"));
  const std::string made =
      fmt::format("\"executions\": {}", json::parse(file_text(path))["executions"].dump());
  const std::string reduced = changed(path, "\"strategy\": \"dfs\"", "\"strategy\": \"sdpor\"");
  const Said too_many = gainsay_with({"verify", changed(reduced, made, "\"executions\": 253")});
  EXPECT_EQ(too_many.code, 1);
  EXPECT_THAT(too_many.out,
              HasSubstr("the certificate says 253 executions, each another one; there are 252"));
  const Said optional =
      gainsay_with({"verify", changed(path, "\"bug\": \"local_read\"", "\"bug\": \"none\""), "--json"});
  EXPECT_EQ(optional.code, 1);
  EXPECT_EQ(json::parse(optional.out)["verdict"], "differs");
  EXPECT_FALSE(json::parse(optional.out)["differences"].empty());
}

TEST_F(Certificates, ThatCannotBeCheckedAreUnknown) {
  const Said said = gainsay_with({"verify", certificate(), "--max-configurations", "10"});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.out, HasSubstr("(--max-configurations)"));
}

TEST_F(Certificates, ThatAreNoneAreRefused) {
  const auto complaint = [&](const std::string& path) {
    const Said said = gainsay_with({"verify", path});
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
    return said.err;
  };
  const std::string path = certificate();
  const std::string text = file_text(path);
  write(in_folder("cut.cert"), text.substr(0, text.size() / 2));
  EXPECT_THAT(complaint(in_folder("cut.cert")), HasSubstr("truncated or damaged"));
  write(in_folder("foreign.cert"), "#!/bin/sh\necho hello\n");
  EXPECT_THAT(complaint(in_folder("foreign.cert")), HasSubstr("not a gainsay certificate"));
  EXPECT_THAT(complaint(race_trace()), HasSubstr("not a gainsay certificate"));
  EXPECT_THAT(complaint(changed(path, "\"version\": 1", "\"version\": 9")), HasSubstr("format version 9"));
  EXPECT_THAT(complaint(changed(path, "register_edr", "register_edu")), HasSubstr("does not have"));
  EXPECT_THAT(complaint(changed(path, "\"bug\"", "\"bog\"")), HasSubstr("from a different build"));
  EXPECT_THAT(complaint(changed(path, "linearizability", "telepathy")), HasSubstr("expected receiver"));
  EXPECT_THAT(complaint(in_folder("none.cert")), HasSubstr("expected a certificate"));
  EXPECT_THAT(complaint(""), HasSubstr("needs a CERTIFICATE"));
}

TEST_F(Certificates, AreNotGivenToIncompleteSearches) {
  const std::string path = in_folder("no.cert");
  const Said cut = hunt({"register_edr", "--strategy", "dfs", "--runs", "10", "--certificate", path});
  EXPECT_EQ(cut.code, 3);
  EXPECT_THAT(cut.out,
              HasSubstr("no certificate was written: the search ended at its bound of runs (--runs)"));
  const Said random =
      hunt({"register_edr", "--strategy", "random", "--runs", "10", "--json", "--certificate", path});
  EXPECT_EQ(random.code, 3);  // nothing was found, but what was asked for was not done
  EXPECT_EQ(json::parse(random.out)["certificate"], nullptr);
  EXPECT_FALSE(fs::exists(path));
}

// 10! / (3! 3! 4!) = 4,200 executions.
TEST_F(Certificates, EstimatesComeWithAnInterval) {
  const Said said = gainsay_with({"hunt", "register_dr", "--strategy", "dfs", "--estimate"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, StartsWith("Estimate for register_dr from 1,000 probes, seed 1\n"));
  EXPECT_THAT(said.out, HasSubstr("95 %"));
  EXPECT_THAT(said.out, HasSubstr("dfs runs every execution"));
  int right = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    const json result =
        json::parse(gainsay_with({"hunt", "register_dr", "--strategy", "dfs", "--estimate", "--seed",
                                  std::to_string(seed), "--probes", "300", "--json"})
                        .out);
    const json& executions = result["executions"];
    right += executions["low"] <= 4200 && 4200 <= executions["high"] ? 1 : 0;
    EXPECT_EQ(result["probes"], 300);
  }
  EXPECT_GE(right, 19);  // 95 %
  EXPECT_EQ(gainsay_with({"hunt", "register_dr", "--probes", "3"}).code, 2);
}

}  // namespace
}  // namespace gainsay::cli_test
