// TextSource: the characters of a file (or of a text in memory), one after the other, with line numbers.
//
// A file is read in blocks, so that its size does not matter. Complaints name the file and the line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gainsay {

class TextSource {
 public:
  static constexpr int end = -1;

  // Throws UserError where the file cannot be read. "-" is standard input.
  explicit TextSource(const std::string& file);
  // `text` must outlive the source.
  TextSource(std::string_view text, std::string name, std::uint64_t first_line = 1)
      : name_(std::move(name)), line_(first_line), at_(text.data()), end_(text.data() + text.size()) {}

  int peek() {
    if (at_ == end_ && !refill()) return end;
    return static_cast<unsigned char>(*at_);
  }
  int next() {
    const int c = peek();
    if (c == end) return end;
    ++at_;
    if (c == '\n') ++line_;
    return c;
  }
  // The next line without its end ("\n" or "\r\n"); false at the end of the file. `line` then is its number.
  // Throws for one longer than 16 MiB: that is no text.
  bool next_line(std::string& text, std::uint64_t& line);
  // What is next in the file, as far as it is at hand: at least `least` bytes unless the file is shorter. REQUIRES:
  // nothing was taken yet.
  std::string_view beginning(std::size_t least);

  // Called before each block that is read from the file; what it throws ends the reading.
  void watch(std::function<void()> look) { look_ = std::move(look); }

  const std::string& name() const { return name_; }
  std::uint64_t line() const { return line_; }
  // Throws UserError: "FILE:LINE: expected ...".
  [[noreturn]] void fail(std::uint64_t line, std::string_view message) const;
  [[noreturn]] void fail(std::string_view message) const { fail(line_, message); }

 private:
  struct Close {
    void operator()(std::FILE* file) const;
  };

  bool refill();

  std::string name_;
  std::function<void()> look_;
  std::uint64_t line_ = 1;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<char> buffer_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
};

}  // namespace gainsay
