#include "gainsay/trace/certificate.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

using testing::HasSubstr;

Certificate sample() {
  Certificate certificate;
  certificate.tool = "gainsay 0.1.0";
  certificate.scenario = "register_dr";
  certificate.options = {{"bug", "none"}, {"harness", "2r+1w"}};
  certificate.strategy = "sdpor";
  certificate.strategy_options = {{"dependence", "automatic"}};
  certificate.dependence = "linearizability";
  certificate.steps_max = 10'000;
  certificate.executions = 597;
  certificate.blocked_runs = 12;
  certificate.classes = HashedSet::of({1, 2, 3});
  certificate.final_states = HashedSet::of({9});
  return certificate;
}

std::string complaint_about(const std::string& text) {
  try {
    read_certificate(text, "some.cert");
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("some.cert: "));
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n")));
    return error.what();
  }
  return "";
}

std::string with(std::string text, const std::string& what, const std::string& instead) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), instead);
}

TEST(Certificate, IsReadAsItWasWritten) {
  Certificate certificate = sample();
  EXPECT_EQ(read_certificate(certificate_text(certificate), "x"), certificate);
  certificate.classes.reset();
  certificate.final_states.reset();
  certificate.violations = {"agreement", "check\nnot here"};
  EXPECT_EQ(read_certificate(certificate_text(certificate), "x"), certificate);
}

TEST(Certificate, SetsForgetTheirOrder) {
  EXPECT_EQ(HashedSet::of({1, 2, 3}), HashedSet::of({3, 2, 1}));
  EXPECT_NE(HashedSet::of({1, 2, 3}).hash, HashedSet::of({1, 2, 4}).hash);
}

// Every prefix of a certificate, and every file with one field missing or of another kind, is refused in one line.
TEST(Certificate, DamageIsNamed) {
  const std::string text = certificate_text(sample());
  for (std::size_t length = 0; length + 1 < text.size(); ++length)
    EXPECT_NE(complaint_about(text.substr(0, length)), "") << length;
  EXPECT_THAT(complaint_about(""), HasSubstr("the file is empty"));
  EXPECT_THAT(complaint_about(text.substr(0, 200)), HasSubstr("truncated or damaged"));
  EXPECT_THAT(complaint_about("{\"format\":\"gainsay-trace\",\"version\":1}"),
              HasSubstr("not a gainsay certificate"));
  EXPECT_THAT(complaint_about("hello"), HasSubstr("not a gainsay certificate"));
  EXPECT_THAT(complaint_about("[1, 2]"), HasSubstr("not a gainsay certificate"));
  EXPECT_THAT(complaint_about(with(text, "\"version\": 1", "\"version\": 2")),
              HasSubstr("format version 2; this build reads version 1"));
  EXPECT_THAT(complaint_about(with(text, "\"executions\": 597", "\"executions\": -597")),
              HasSubstr("\"executions\""));
  EXPECT_THAT(complaint_about(with(text, "\"executions\": 597,", "")), HasSubstr("no \"executions\""));
  EXPECT_THAT(complaint_about(with(text, "\"scenario\"", "\"scenery\"")), HasSubstr("no \"scenario\""));
  EXPECT_THAT(complaint_about(with(text, "\"verdict\": \"ok\"", "\"verdict\": \"violated\"")),
              HasSubstr("\"verdict\""));
  EXPECT_THAT(complaint_about(with(text, "\"tool\"", "\"more\": 1, \"tool\"")),
              HasSubstr("fields that a certificate"));
  EXPECT_THAT(complaint_about(with(text, "\"steps_max\": 10000", "\"steps_max\": 0")),
              HasSubstr("at least 1"));
  const std::string hash = sample().classes->hash;
  EXPECT_THAT(complaint_about(with(text, hash, hash.substr(1))), HasSubstr("32 hexadecimal digits"));
}

TEST(Certificate, FilesAreWrittenWhole) {
  const auto folder =
      std::filesystem::path(testing::TempDir()) / ("certificates-" + std::to_string(getpid()));
  const std::string path = (folder / "deep" / "one.cert").string();
  write_certificate_file(path, sample());
  EXPECT_EQ(read_certificate_file(path), sample());
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
  EXPECT_THROW(read_certificate_file(folder.string()), UserError);
  EXPECT_THROW(read_certificate_file(path + ".none"), UserError);
  EXPECT_THROW(write_certificate_file((folder / "deep").string(), sample()), UserError);
  EXPECT_THROW(write_certificate_file("/proc/none/one.cert", sample()), UserError);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace gainsay
