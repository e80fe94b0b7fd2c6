// Manual pages, made from the option tables that --help prints: gainsay(1), and one for each verb.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace gainsay::tools {

// Of a verb, or of the program where `verb` is null; as roff for `man`.
std::string manual_page(const CLI::App& app, const CLI::App* verb);
// What its file is called: "gainsay.1", "gainsay-hunt.1".
std::string manual_name(const CLI::App& app, const CLI::App* verb);

}  // namespace gainsay::tools
