#include "tools/hunt_all.hpp"

#include <array>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "tools/arguments.hpp"
#include "tools/interrupt.hpp"
#include "tools/supervise.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

using Json = nlohmann::ordered_json;

// A text that another process may write and this one reads: a file without a name.
class SharedText {
 public:
  SharedText() : file_(std::tmpfile(), &std::fclose) {
    if (!file_) throw UserError("--all: cannot create a temporary file");
  }
  void write(const std::string& text) const {
    const bool written =
        std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size() && std::fflush(file_.get()) == 0;
    if (!written) throw UserError("--all: cannot write a temporary file");
  }
  std::string read() const {
    std::string text;
    std::array<char, 4096> block{};
    std::rewind(file_.get());
    for (std::size_t size = 0; (size = std::fread(block.data(), 1, block.size(), file_.get())) > 0;)
      text.append(block.data(), size);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

// Of a hunt that could not say anything: why is on stderr.
std::string nothing_said(const Scenario& scenario, int code, bool json) {
  if (!json) return fmt::format("UNKNOWN: {} was not run (exit code {})\n", scenario.name(), code);
  const Json object{{"scenario", scenario.name()}, {"verdict", "unknown"}, {"exit_code", code}};
  return object.dump(2) + "\n";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Of a hunt that ended before it could report, what it printed is all there is.
CiCase case_of(const Scenario& scenario, int code, const std::string& reported, const std::string& text,
               bool json) {
  CiCase out{scenario.name(), code, json ? "unknown" : first_line(text)};
  if (!reported.empty()) out = read_ci_case(reported);
  out.code = code;
  if (!json && code != 0) {
    out.detail = text;  // with the execution
    out.trace.clear();
  }
  return out;
}

}  // namespace

int hunt_all(const AllHunts& how, const HuntOne& hunt_one) {
  const std::vector<const Scenario*> all = scenarios();
  if (all.empty()) throw UserError(no_scenarios);
  require_ci_writable(how.ci);
  std::vector<std::string> documents;
  std::vector<CiCase> cases;
  std::array<std::size_t, 4> counts{};
  bool interrupted = false;
  for (const Scenario* scenario : all) {
    const SharedText said;
    const SharedText reported;
    const int code = hunt_one(*scenario, {[&](const std::string& text) { said.write(text); },
                                          [&](const CiCase& each) { reported.write(ci_case_json(each)); }});
    GAINSAY_CHECK(code >= 0 && code < 4, "the exit code is a documented one");
    std::string text = said.read();
    if (text.empty()) text = nothing_said(*scenario, code, how.json);
    ++counts.at(static_cast<std::size_t>(code));
    cases.push_back(case_of(*scenario, code, reported.read(), text, how.json));
    if (how.json) {
      documents.push_back(std::move(text));
    } else {
      say(text);
    }
    interrupted = signal_came() || Interrupt::was_raised();
    if (interrupted) break;
  }
  write_ci(how.ci, "hunt", "scenarios", cases);
  if (how.json) {
    say(fmt::format("[\n{}]\n", fmt::join(documents, ",\n")));
  } else {
    std::string sum =
        fmt::format("{}: {} violated, {} without a violation, {} unknown, {} not run",
                    counted(cases.size(), "scenario"), counts[1], counts[0], counts[3], counts[2]);
    if (interrupted) sum += fmt::format("; interrupted, {} left", all.size() - cases.size());
    say(sum + "\n");
  }
  if (counts[1] > 0) return 1;
  if (counts[2] > 0) return 2;
  return counts[3] > 0 || interrupted ? 3 : 0;
}

}  // namespace gainsay::tools
