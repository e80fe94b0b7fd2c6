// ByteWriter and ByteReader: values as bytes, for files that only this program reads. Numbers take as many bytes as
// they need (LEB128). A reader never throws: what does not fit makes it bad, and it then gives zeros.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gainsay {

class ByteWriter {
 public:
  void number(std::uint64_t value) {
    for (; value >= 0x80U; value >>= 7U) out_ += static_cast<char>(value | 0x80U);
    out_ += static_cast<char>(value);
  }
  void flag(bool value) { number(value ? 1 : 0); }
  void text(std::string_view value) {
    number(value.size());
    out_ += value;
  }
  void bits(const std::vector<bool>& values) {
    number(values.size());
    for (const bool value : values) out_ += value ? '\1' : '\0';
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  bool good() const { return good_; }
  bool at_end() const { return bytes_.empty(); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80U) return value;
    }
    return bad();
  }
  // A number that is at most `most`: of things that follow, or of an enumeration.
  std::uint64_t number(std::uint64_t most) {
    const std::uint64_t value = number();
    return value <= most ? value : bad();
  }
  // How many things follow, each of at least one byte.
  std::size_t count() {
    const std::uint64_t value = number();
    return value <= bytes_.size() ? value : bad();
  }
  bool flag() { return number(1) == 1; }
  std::string text() {
    const std::size_t size = count();
    std::string value(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return value;
  }
  std::vector<bool> bits() {
    std::vector<bool> values;
    const std::size_t size = count();
    for (std::size_t i = 0; i < size; ++i) values.push_back(bytes_[i] != '\0');
    bytes_.remove_prefix(size);
    return values;
  }

 private:
  std::uint64_t bad() {
    good_ = false;
    bytes_ = {};
    return 0;
  }

  std::string_view bytes_;
  bool good_ = true;
};

}  // namespace gainsay
