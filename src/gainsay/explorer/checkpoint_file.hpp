// A checkpoint of unfinished work as a file: numbers, texts and rows of words, behind facts that say of which work,
// with a hash of everything at its end. It is written whole or not at all (base/whole_file.hpp). Only this program
// reads it, on machines of one byte order. `verb` is whose work it is ("explore").
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gainsay/base/facts.hpp"
#include "gainsay/base/hash.hpp"
#include "gainsay/base/whole_file.hpp"

namespace gainsay {

// Throws UserError where the file cannot be written.
class CheckpointWriter {
 public:
  CheckpointWriter(const std::string& path, std::string_view verb, const Facts& facts);

  void number(std::uint64_t value);
  void text(std::string_view value);
  void words(std::span<const std::uint32_t> values);  // with their number
  void commit();

 private:
  void append(const void* data, std::size_t size);
  void flush();

  WholeFile file_;
  std::string buffer_;
  Hasher hash_;
};

class CheckpointReader {
 public:
  // Throws UserError where the file cannot be read, is no checkpoint of the verb, is damaged, or is of other work.
  CheckpointReader(const std::string& path, std::string_view verb, const Facts& facts);
  ~CheckpointReader();
  CheckpointReader(const CheckpointReader&) = delete;
  CheckpointReader& operator=(const CheckpointReader&) = delete;

  // They throw UserError where the file has something else: it is of another version.
  std::uint64_t number();
  std::uint64_t number(std::uint64_t most);
  std::size_t count();  // of things that follow
  std::string text();
  template <class Words> void words(Words& into) {
    const std::string_view bytes = take(count(), sizeof(std::uint32_t));
    into.resize(bytes.size() / sizeof(std::uint32_t));
    bytes.copy(reinterpret_cast<char*>(into.data()), bytes.size());
  }
  bool at_end() const { return rest_.empty(); }
  const std::string& path() const { return path_; }
  [[noreturn]] void refuse(std::string_view why) const;

 private:
  std::string_view take(std::size_t count, std::size_t each);

  std::string path_;
  void* memory_ = nullptr;
  std::size_t size_ = 0;
  std::string_view rest_;
};

// A number for the program that runs: another build has another.
std::string build_name();

}  // namespace gainsay
