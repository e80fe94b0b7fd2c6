// EdnReader: Clojure's data notation (https://github.com/edn-format/edn), as far as histories use it, into Datum.
//
// Keywords and symbols become texts without the colon, maps lists of pairs, sets lists, numbers that are no 64-bit
// integers texts as they stand; tags (#inst, #jepsen.history.Op) are dropped, #_ discards a form. Nested forms are
// read by recursion, at most `depth_max` deep.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/oracle/datum.hpp"
#include "gainsay/oracle/formats/text_source.hpp"

namespace gainsay {

class EdnReader {
 public:
  static constexpr int depth_max = 100;

  explicit EdnReader(TextSource& source) : source_(source) {}

  // Whether anything is left: skips blanks, commas and comments.
  bool more();
  // The next form. Throws UserError, with file and line, where there is none or it is not well formed.
  Datum form() { return form(0); }

  // Enters the collection whose closing bracket is `close` with its opening one next: takes that.
  void open() { source_.next(); }
  // Whether the collection is at its end, then its closing bracket is taken. `began` is the line where it began.
  bool closes(char close, std::uint64_t began);
  // If a tag is next, takes it.
  void skip_tag();

  // A map form by form: `entry` is called with each key as text (keywords and strings) and must take the value with
  // `form`. REQUIRES: '{' is next.
  void map(const std::function<void(const std::string& key)>& entry);

  TextSource& source() { return source_; }

 private:
  Datum form(int depth);
  Datum collection(char close, int depth);
  std::optional<Datum> hashed(int depth);
  std::string text();
  std::string character();
  std::string token();
  void code_point(std::string& out);

  TextSource& source_;
};

}  // namespace gainsay
