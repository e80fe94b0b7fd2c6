#include "gainsay/report/page.hpp"

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay {

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : printable_utf8(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_page(std::string_view title, std::string_view summary, std::string_view json) {
  GAINSAY_CHECK(json.starts_with("{\"kind\":"), "the data says which page it is");
  // "</script>" inside the data would end it: "<" is written as an escape.
  std::string block;
  for (const char c : json) {
    if (c == '<') {
      block += "\\u003c";
    } else {
      block += c;
    }
  }
  std::string page;
  page.reserve(block.size() + page_script.size() + page_style.size() + 2000);
  page += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  // Nothing is fetched from anywhere, whatever a text says.
  page +=
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
      "'unsafe-inline'; "
      "style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'\">\n";
  page += fmt::format("<title>{}</title>\n<style>\n", html_escaped(title));
  page += page_style;
  page += fmt::format("</style>\n</head>\n<body>\n<noscript>\n<h1>{}</h1>\n<pre>{}</pre>\n</noscript>\n",
                      html_escaped(title), html_escaped(summary));
  page += "<script type=\"application/json\" id=\"data\">";
  page += block;
  page += "</script>\n<script type=\"module\">\n";
  page += page_script;
  page += "</script>\n</body>\n</html>\n";
  return page;
}

std::size_t StringTable::operator[](std::string_view text) {
  const auto found = places_.find(text);
  if (found != places_.end()) return found->second;
  const std::size_t place = places_.size();
  places_.emplace(std::string(text), place);
  return place;
}

std::vector<std::string> StringTable::texts() const {
  std::vector<std::string> list(places_.size());
  for (const auto& [text, place] : places_) list[place] = text;
  return list;
}

}  // namespace gainsay
