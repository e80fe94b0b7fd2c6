#include "tools/steer_terminal.hpp"

#include <algorithm>
#include <istream>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "gainsay/base/text.hpp"
#include "gainsay/trace/trace_file.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

constexpr const char* help =
    "  NUMBER             take this event\n  undo               undo the last step\n  jump N             go "
    "to step N, back or forward\n  answer N [Q]       give the last step's handler answer N (to question Q, "
    "from 1)\n  go [N] [STRATEGY] [SEED]  let a strategy continue for N steps (100)\n                     "
    "random, pos, pct, pctcp, surw or qlearning\n  state [ACTOR]      print the fields of actors\n  show     "
    "          draw the execution so far\n  save [FILE]        write a trace for `replay`\n  quit\n";

std::uint64_t number(const std::string& text, const char* what) {
  const bool digits = !text.empty() && text.size() < 19 &&
                      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) throw UserError(fmt::format("'{}': expected {}", text, what));
  return std::stoull(text);
}

std::string possible_text(const SteerSession& session) {
  std::string out;
  const TraceDocument& document = session.shown().document;
  if (!document.steps.empty()) {
    const DocumentStep& last = document.steps.back();
    out += fmt::format("step {}: {} {}{}{}\n", document.steps.size(), kind_name(last.kind), last.message,
                       last.message.empty() ? "" : " ", last.to.empty() ? "" : "at " + last.to);
    for (const std::string& change : last.changes) out += fmt::format("    {}\n", change);
    for (const std::string& sent : last.sent) out += fmt::format("    sends {}\n", sent);
    for (const std::string& note : last.notes) out += fmt::format("    {}\n", note);
    for (std::size_t q = 0; q < last.choices.size(); ++q)
      out += fmt::format("    question {}: answer {} of {} (`answer N {}` changes it)\n", q + 1,
                         last.choices[q].answer, last.choices[q].among, q + 1);
  }
  if (document.violation)
    out += fmt::format("VIOLATED: {}: {}\n", document.violation->property, document.violation->message);
  if (session.ended()) return out + fmt::format("The execution has ended ({}).\n", document.end);
  out += fmt::format("After {}, these events are possible:\n", counted(session.steps(), "step"));
  for (std::size_t i = 0; i < session.possible().size(); ++i)
    out += fmt::format("  {:3} {}\n", i + 1, offer_text(session.possible()[i]));
  return out;
}

std::string states_text(const SteerSession& session, const std::string& actor) {
  std::map<std::string, std::string> now;
  for (const TraceSight::Text& text : session.shown().sight->states) now[text.actor] = text.text;
  std::map<std::string, std::string> disks;
  for (const TraceSight::Text& text : session.shown().sight->disks) disks[text.actor] = text.text;
  if (!actor.empty() && !now.contains(actor)) {
    std::vector<std::string> names;
    for (const auto& [name, text] : now) names.push_back(name);
    throw UserError(fmt::format("no actor '{}'{}", actor, did_you_mean(actor, names)));
  }
  std::string out;
  for (const auto& [name, text] : now) {
    if (!actor.empty() && name != actor) continue;
    out += fmt::format("  {}: {}\n", name, text);
    if (disks.contains(name)) out += fmt::format("  {} on disk: {}\n", name, disks[name]);
  }
  return out;
}

// Whether to go on.
bool command(SteerSession& session, const std::vector<std::string>& words, const ShowOptions& options,
             const std::string& save_as) {
  const std::string& verb = words.front();
  const auto word = [&](std::size_t i) { return i < words.size() ? words[i] : std::string(); };
  if (verb == "quit" || verb == "q") return false;
  if (verb == "help" || verb == "?") {
    say(help);
    return true;
  }
  if (verb == "state") {
    say(states_text(session, word(1)));
    return true;
  }
  if (verb == "show") {
    say(space_time_diagram(session.document(), options));
    return true;
  }
  if (verb == "save") {
    const std::string path = words.size() > 1 ? word(1) : save_as;
    say(fmt::format("wrote {}\n", write_trace_file(path, session.document())));
    return true;
  }
  if (verb == "undo" || verb == "u") {
    session.undo();
  } else if (verb == "jump") {
    session.jump(number(word(1), "how many steps"));
  } else if (verb == "answer") {
    if (session.steps() == 0) throw UserError("there is no question yet");
    session.answer(session.steps() - 1, words.size() > 2 ? number(word(2), "which question, from 1") - 1 : 0,
                   static_cast<std::uint32_t>(number(word(1), "an answer, from 0")));
  } else if (verb == "go") {
    session.go_on(words.size() > 2 ? word(2) : "random", words.size() > 3 ? number(word(3), "a seed") : 1,
                  words.size() > 1 ? number(word(1), "how many steps") : 100);
  } else {
    const std::uint64_t choice = number(verb, "the number of an event, or a command; `help` lists them");
    if (choice == 0) throw UserError("events are numbered from 1");
    session.take(static_cast<std::size_t>(choice - 1));
  }
  say(possible_text(session));
  return true;
}

}  // namespace

std::string offer_text(const TraceSight::Offer& offer) {
  if (offer.kind == EventKind::stop) return "stop here, without further faults";
  std::string text(kind_name(offer.kind));
  if (!offer.message.empty()) text += " " + offer.message;
  if (!offer.from.empty() && offer.from != offer.to) text += " from " + offer.from;
  if (!offer.to.empty())
    text += (scheduled_as(offer.kind) == EventKind::deliver ? " to " : " at ") + offer.to;
  return text;
}

void steer_terminal(SteerSession& session, std::istream& in, const ShowOptions& options,
                    const std::string& save_as) {
  say(possible_text(session));
  say("Type a number, or `help`.\n");
  std::string line;
  while (say("> "), std::getline(in, line)) {
    std::istringstream split(line);
    std::vector<std::string> words;
    for (std::string word; split >> word;) words.push_back(word);
    if (words.empty()) continue;
    try {
      if (!command(session, words, options, save_as)) return;
    } catch (const UserError& error) {
      say(fmt::format("{}\n", error.what()));
    }
  }
}

}  // namespace gainsay::tools
