#include "gainsay/oracle/formats/edn.hpp"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay {
namespace {

bool is_blank(int c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == ',';
}
bool ends_token(int c) {
  return c == TextSource::end || is_blank(c) || c == '(' || c == ')' || c == '[' || c == ']' || c == '{' ||
         c == '}' || c == '"' || c == ';';
}

std::string shown(int c) {
  if (c == TextSource::end) return "the end of the file";
  const char text = static_cast<char>(c);
  return quoted(std::string_view(&text, 1));
}

constexpr std::size_t token_max = 64 * 1024;
constexpr std::size_t text_max = 16 * 1024 * 1024;

// A token that begins like a number: an integer if it fits, else a text; a trailing N (big integer) is allowed.
Datum number(std::string token) {
  std::string_view digits = token;
  if (digits.ends_with('N')) digits.remove_suffix(1);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc{} && end == digits.data() + digits.size() && !digits.empty())
    return Datum::of(value);
  return Datum::of(std::move(token));
}

}  // namespace

bool EdnReader::more() {
  while (true) {
    const int c = source_.peek();
    if (is_blank(c)) {
      source_.next();
    } else if (c == ';') {
      while (source_.peek() != TextSource::end && source_.next() != '\n') {
      }
    } else {
      return c != TextSource::end;
    }
  }
}

Datum EdnReader::form(int depth) {
  if (!more()) source_.fail("the file ends in the middle; expected another value or a closing bracket");
  if (depth > depth_max)
    source_.fail(fmt::format("brackets are nested deeper than {}; expected a history", depth_max));
  const int c = source_.peek();
  switch (c) {
    case '(':
      return collection(')', depth);
    case '[':
      return collection(']', depth);
    case '{': {
      Datum flat = collection('}', depth);
      auto& parts = std::get<Datum::List>(flat.held);
      if (parts.size() % 2 != 0) source_.fail("this map has a key without a value; expected pairs");
      Datum::List pairs;
      for (std::size_t i = 0; i < parts.size(); i += 2)
        pairs.push_back(Datum::of(Datum::List{std::move(parts[i]), std::move(parts[i + 1])}));
      return Datum::of(std::move(pairs));
    }
    case '"':
      return Datum::of(text());
    case '\\':
      return Datum::of(character());
    case '#': {
      std::optional<Datum> tagged = hashed(depth);
      return tagged ? std::move(*tagged) : form(depth + 1);
    }
    case ')':
    case ']':
    case '}':
      source_.fail(fmt::format("unexpected {}; expected a value", shown(c)));
    case '^':  // metadata: a form about the next one
    {
      source_.next();
      form(depth + 1);
      return form(depth + 1);
    }
    case '\'':
      source_.next();
      return form(depth + 1);
    default:
      break;
  }
  std::string word = token();
  if (word == "nil") return Datum::nil();
  if (word == "true") return Datum::of(true);
  if (word == "false") return Datum::of(false);
  if (word.front() == ':') {
    if (word.size() == 1) source_.fail("a keyword without a name; expected something like :read");
    return Datum::of(word.substr(1));
  }
  const bool sign = word.front() == '-' || word.front() == '+';
  const char first = sign && word.size() > 1 ? word[1] : word.front();
  if (first >= '0' && first <= '9') return number(std::move(word));
  return Datum::of(std::move(word));
}

bool EdnReader::closes(char close, std::uint64_t began) {
  if (!more()) {
    source_.fail(
        fmt::format("the file ends before the {} that closes what line {} begins", shown(close), began));
  }
  const int c = source_.peek();
  if (c == close) {
    source_.next();
    return true;
  }
  if (c == ')' || c == ']' || c == '}')
    source_.fail(
        fmt::format("unexpected {}; expected {} for what line {} begins", shown(c), shown(close), began));
  return false;
}

Datum EdnReader::collection(char close, int depth) {
  const std::uint64_t began = source_.line();
  source_.next();
  Datum::List parts;
  while (!closes(close, began)) {
    if (source_.peek() != '#') {
      parts.push_back(form(depth + 1));
    } else if (std::optional<Datum> part = hashed(depth + 1)) {
      parts.push_back(std::move(*part));
    }
  }
  return Datum::of(std::move(parts));
}

// With '#' next: a set or a tagged form; nothing, if a form was discarded.
std::optional<Datum> EdnReader::hashed(int depth) {
  if (depth > depth_max)
    source_.fail(fmt::format("tags are nested deeper than {}; expected a history", depth_max));
  source_.next();
  const int c = source_.peek();
  if (c == '{') return collection('}', depth);
  if (c == '"') return Datum::of(text());  // a regular expression
  if (c == '_') {
    source_.next();
    form(depth + 1);
    return std::nullopt;
  }
  if (c == '#') {  // ##Inf, ##NaN
    source_.next();
    return Datum::of("##" + token());
  }
  if (ends_token(c)) source_.fail(fmt::format("unexpected {} after #; expected a tag or a set", shown(c)));
  token();
  return form(depth + 1);
}

void EdnReader::skip_tag() {
  if (source_.peek() != '#') return;
  source_.next();
  if (source_.peek() == '_') source_.fail("a discarded form (#_) is not allowed here; expected a map");
  if (ends_token(source_.peek())) source_.fail("unexpected # without a tag; expected a map {...}");
  token();
  more();
}

void EdnReader::map(const std::function<void(const std::string& key)>& entry) {
  const std::uint64_t began = source_.line();
  source_.next();
  while (!closes('}', began)) {
    const Datum key = form(1);
    if (more() && source_.peek() == '}') source_.fail(fmt::format("the key {} has no value", to_text(key)));
    entry(key.text() != nullptr ? *key.text() : to_text(key));
  }
}

std::string EdnReader::token() {
  std::string word;
  while (!ends_token(source_.peek())) {
    word += static_cast<char>(source_.next());
    if (word.size() > token_max) source_.fail("a word longer than 64 KiB; expected a history as text");
  }
  if (word.empty()) source_.fail(fmt::format("unexpected {}; expected a value", shown(source_.peek())));
  return word;
}

std::string EdnReader::text() {
  const std::uint64_t began = source_.line();
  source_.next();
  std::string out;
  while (true) {
    const int c = source_.next();
    if (c == TextSource::end)
      source_.fail(fmt::format("the file ends inside the text that line {} begins", began));
    if (c == '"') return out;
    if (out.size() > text_max) source_.fail("a text longer than 16 MiB; expected a history");
    if (c != '\\') {
      out += static_cast<char>(c);
      continue;
    }
    const int escaped = source_.next();
    switch (escaped) {
      case 'n':
        out += '\n';
        break;
      case 't':
        out += '\t';
        break;
      case 'r':
        out += '\r';
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'u':
        code_point(out);
        break;
      case '"':
      case '\\':
      case '\'':
      case '/':
        out += static_cast<char>(escaped);
        break;
      default:
        source_.fail(fmt::format(
            "unknown escape \\ and {} in a text; expected one of \\n \\t \\r \\b \\f \\u \\\" \\\\",
            shown(escaped)));
    }
  }
}

// Four hexadecimal digits, as UTF-8. Halves of pairs are kept as they are, each for itself.
void EdnReader::code_point(std::string& out) {
  unsigned code = 0;
  for (int i = 0; i < 4; ++i) {
    const int c = source_.next();
    unsigned digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<unsigned>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<unsigned>(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<unsigned>(c - 'A') + 10;
    } else {
      source_.fail("expected four hexadecimal digits after \\u");
    }
    code = code * 16 + digit;
  }
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0U | code >> 6U);
    out += static_cast<char>(0x80U | (code & 0x3fU));
  } else {
    out += static_cast<char>(0xe0U | code >> 12U);
    out += static_cast<char>(0x80U | (code >> 6U & 0x3fU));
    out += static_cast<char>(0x80U | (code & 0x3fU));
  }
}

std::string EdnReader::character() {
  source_.next();
  if (source_.peek() == TextSource::end) source_.fail("the file ends after \\; expected a character");
  std::string name(1, static_cast<char>(source_.next()));
  while (!ends_token(source_.peek()) && name.size() < 16) name += static_cast<char>(source_.next());
  if (name == "newline") return "\n";
  if (name == "space") return " ";
  if (name == "tab") return "\t";
  if (name == "return") return "\r";
  return name;
}

}  // namespace gainsay
