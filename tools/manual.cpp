#include "tools/manual.hpp"

#include <algorithm>
#include <cctype>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gainsay/report/row.hpp"
#include "tools/completion.hpp"

namespace gainsay::tools {
namespace {

// Text as text: no backslash begins an escape, and no line a request.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : clean(text, false)) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  if (!out.empty() && (out.front() == '.' || out.front() == '\'')) out.insert(0, "\\&");
  return out;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string page_name(const CLI::App& app, const CLI::App* verb) {
  return verb == nullptr ? app.get_name() : app.get_name() + "-" + verb->get_name();
}

std::string option_head(const CLI::Option& option) {
  if (option.get_positional()) return fmt::format("\\fI{}\\fR", roff(option.get_name()));
  std::string names;
  for (const std::string& name : option.get_snames()) names += fmt::format("\\fB\\-{}\\fR, ", roff(name));
  for (const std::string& name : option.get_lnames()) names += fmt::format("\\fB\\-\\-{}\\fR, ", roff(name));
  names.resize(names.size() - 2);
  if (option.get_items_expected_max() > 0 && !option.get_type_name().empty())
    names += fmt::format(" \\fI{}\\fR", roff(option.get_type_name()));
  return names;
}

std::string options_text(const CLI::App& verb, bool positional) {
  std::string out;
  for (const CLI::Option* option : shown_options(verb)) {
    if (option->get_positional() != positional) continue;
    out += fmt::format(".TP\n{}\n{}\n", option_head(*option), roff(option->get_description()));
  }
  return out;
}

std::string synopsis(const CLI::App& app, const CLI::App* verb) {
  if (verb == nullptr)
    return fmt::format("\\fB{}\\fR \\fIVERB\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]", roff(app.get_name()));
  std::string out =
      fmt::format("\\fB{} {}\\fR [\\fIOPTIONS\\fR]", roff(app.get_name()), roff(verb->get_name()));
  for (const CLI::Option* option : shown_options(*verb)) {
    if (option->get_positional())
      out +=
          fmt::format(" \\fI{}\\fR{}", roff(option->get_name()), option->get_expected_max() > 1 ? "..." : "");
  }
  return out;
}

}  // namespace

std::string manual_name(const CLI::App& app, const CLI::App* verb) { return page_name(app, verb) + ".1"; }

std::string manual_page(const CLI::App& app, const CLI::App* verb) {
  const CLI::App& subject = verb == nullptr ? app : *verb;
  const std::string name = page_name(app, verb);
  std::string out =
      fmt::format(".TH {} 1 \"\" \"gainsay {}\" \"Gainsay\"\n", roff(upper(name)), GAINSAY_VERSION);
  out += fmt::format(".SH NAME\n{} \\- {}\n", roff(name), roff(subject.get_description()));
  out += fmt::format(".SH SYNOPSIS\n{}\n", synopsis(app, verb));
  if (verb == nullptr) {
    out += ".SH VERBS\n";
    for (const CLI::App* each : app.get_subcommands({}))
      out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(each->get_name()), roff(each->get_description()));
  }
  if (const std::string text = options_text(subject, true); !text.empty()) out += ".SH ARGUMENTS\n" + text;
  out += ".SH OPTIONS\n" + options_text(subject, false);
  out += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] :
       {std::pair{0, "no violation (for searches: and complete)"}, std::pair{1, "a violation was found"},
        std::pair{2, "bad usage or input"}, std::pair{3, "unknown, incomplete or only suspected"}})
    out += fmt::format(".TP\n{}\n{}\n", code, meaning);
  out += ".SH SEE ALSO\n";
  std::string others;
  if (verb != nullptr) others = fmt::format(".BR {} (1)\n", roff(app.get_name()));
  for (const CLI::App* each : app.get_subcommands({})) {
    if (verb == nullptr) others += fmt::format(".BR {} (1)\n", roff(page_name(app, each)));
  }
  return out + others;
}

}  // namespace gainsay::tools
