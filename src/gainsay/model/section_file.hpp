// SectionFile: a binary file made of named sections, each with its length and a checksum, read and written in blocks.
//
//   "GAINSAY" and a letter, version, byte order | { name, bytes, contents, checksum } ... | "end"
//
// Numbers are as they are in memory; the byte order in the head tells a file of another machine. A file that ends
// early, or has a changed byte, is refused with one line that names the file, the section and what was expected. It is
// written whole or not at all (base/whole_file.hpp).
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/base/whole_file.hpp"

namespace gainsay {

// A checksum over words of eight bytes, the last one filled with zeros.
class Checksum {
 public:
  void add(const void* data, std::size_t bytes);
  std::uint64_t value() const;

 private:
  std::uint64_t state_ = 0x9ae16a3b2f90404fULL;
  std::uint64_t bytes_ = 0;
  unsigned char rest_[8] = {};
  std::size_t filled_ = 0;
};

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OwnedFile = std::unique_ptr<std::FILE, CloseFile>;

class SectionWriter {
 public:
  // `kind`: a letter that tells the kinds of files apart. `what`: "state graph", for messages. Throws UserError where
  // the file cannot be written; so do the others.
  SectionWriter(const std::string& path, char kind, std::uint32_t version, std::string_view what);

  template <class T> void numbers(std::string_view name, const std::vector<T>& list) {
    static_assert(std::is_arithmetic_v<T>);
    section(name, list.data(), list.size() * sizeof(T));
  }
  void bytes(std::string_view name, std::string_view contents) {
    section(name, contents.data(), contents.size());
  }
  void texts(std::string_view name, std::span<const std::string> list);
  void bits(std::string_view name, const std::vector<bool>& list);
  // The file has its name from now on.
  void finish();

 private:
  void section(std::string_view name, const void* contents, std::uint64_t bytes);
  void put(const void* data, std::size_t bytes);
  void flush();

  WholeFile file_;
  std::string buffer_;  // not yet written
  bool finished_ = false;
};

class SectionReader {
 public:
  // Throws UserError for a file that is not of this kind; so do the others, for what is not as expected.
  // `what`: "state graph", for messages.
  SectionReader(const std::string& path, char kind, std::uint32_t version, std::string what);

  template <class T> std::vector<T> numbers(std::string_view name) {
    static_assert(std::is_arithmetic_v<T>);
    const std::uint64_t bytes = begin(name);
    if (bytes % sizeof(T) != 0) fail(name, "a whole number of entries");
    std::vector<T> list(bytes / sizeof(T));
    contents(name, list.data(), bytes);
    return list;
  }
  std::string bytes(std::string_view name);
  std::vector<std::string> texts(std::string_view name);
  std::vector<bool> bits(std::string_view name, std::uint64_t size);
  // Throws unless the file ends here.
  void finish();
  [[noreturn]] void fail(std::string_view section, const std::string& expected) const;

 private:
  std::uint64_t begin(std::string_view name);
  void contents(std::string_view name, void* to, std::uint64_t bytes);
  bool get(void* to, std::size_t bytes);

  std::string path_;
  std::string what_;
  OwnedFile file_;
  std::uint64_t left_ = 0;  // bytes of the file that were not read yet
};

// Whether the file begins as a file of this kind does. False where it cannot be read.
bool is_section_file(const std::string& path, char kind);

}  // namespace gainsay
