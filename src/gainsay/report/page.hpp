// Pages: one self-contained HTML file for each result. No server, no network, nothing beside it.
//
// Sources are ordinary modules and style sheets in report/page/; the build joins them (cmake/page.cmake) into the two
// texts below, which every page has in it. What a page shows is one JSON block, `data`, whose `kind` says which page
// it is. Invariant: nothing that comes from outside becomes markup; the script shows texts as texts.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gainsay {

// Made by the build.
extern const std::string_view page_script;
extern const std::string_view page_style;

// `json` is an object with a `kind`. `summary` is what is read where no script runs.
std::string html_page(std::string_view title, std::string_view summary, std::string_view json);

// "<b>" as a text of a page.
std::string html_escaped(std::string_view text);

// Texts that occur again and again, each written once.
class StringTable {
 public:
  std::size_t operator[](std::string_view text);
  std::vector<std::string> texts() const;

 private:
  std::map<std::string, std::size_t, std::less<>> places_;
};

}  // namespace gainsay
