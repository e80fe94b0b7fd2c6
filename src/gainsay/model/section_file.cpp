#include "gainsay/model/section_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "gainsay/base/hash.hpp"

namespace gainsay {
namespace {

constexpr char magic[] = "GAINSAY";  // without its zero; a letter follows
constexpr std::uint32_t byte_order = 0x01020304U;
constexpr std::size_t name_bytes = 16;
constexpr std::size_t block = std::size_t{1} << 20U;
constexpr std::string_view end_name = "end";

struct Head {
  char magic[8];
  std::uint32_t version;
  std::uint32_t order;
};

std::string why() { return std::strerror(errno); }

}  // namespace

void Checksum::add(const void* data, std::size_t bytes) {
  const auto* from = static_cast<const unsigned char*>(data);
  bytes_ += bytes;
  while (filled_ != 0 && bytes > 0) {
    rest_[filled_++] = *from++;
    --bytes;
    if (filled_ < 8) continue;
    std::uint64_t word = 0;
    std::memcpy(&word, rest_, 8);
    state_ = mix(state_, word);
    filled_ = 0;
  }
  for (; bytes >= 8; bytes -= 8, from += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, 8);
    state_ = mix(state_, word);
  }
  for (; bytes > 0; --bytes) rest_[filled_++] = *from++;
  GAINSAY_CHECK(filled_ < 8, "whole words are taken at once");
}

std::uint64_t Checksum::value() const {
  std::uint64_t word = 0;
  std::memcpy(&word, rest_, filled_);
  return scramble(mix(mix(state_, word), bytes_));
}

SectionWriter::SectionWriter(const std::string& path, char kind, std::uint32_t version, std::string_view what)
    : file_(path, what) {
  Head head{};
  std::memcpy(head.magic, magic, 7);
  head.magic[7] = kind;
  head.version = version;
  head.order = byte_order;
  put(&head, sizeof(head));
}

void SectionWriter::put(const void* data, std::size_t bytes) {
  buffer_.append(static_cast<const char*>(data), bytes);
  if (buffer_.size() >= block) flush();
}

void SectionWriter::flush() {
  file_.write(buffer_);
  buffer_.clear();
}

void SectionWriter::section(std::string_view name, const void* contents, std::uint64_t bytes) {
  GAINSAY_CHECK(name.size() < name_bytes, "names of sections are short");
  GAINSAY_CHECK(!finished_, "nothing is written after the end");
  char padded[name_bytes] = {};
  std::copy(name.begin(), name.end(), padded);
  put(padded, name_bytes);
  put(&bytes, sizeof(bytes));
  Checksum sum;
  const auto* from = static_cast<const char*>(contents);
  for (std::uint64_t done = 0; done < bytes; done += block) {
    const std::size_t now = std::min<std::uint64_t>(block, bytes - done);
    sum.add(from + done, now);
    put(from + done, now);
  }
  const std::uint64_t value = sum.value();
  put(&value, sizeof(value));
}

void SectionWriter::texts(std::string_view name, std::span<const std::string> list) {
  std::string all;
  for (const std::string& text : list) {
    const auto size = static_cast<std::uint32_t>(text.size());
    all.append(reinterpret_cast<const char*>(&size), sizeof(size));
    all += text;
  }
  bytes(name, all);
}

void SectionWriter::bits(std::string_view name, const std::vector<bool>& list) {
  std::string all((list.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i]) all[i / 8] = static_cast<char>(static_cast<unsigned char>(all[i / 8]) | (1U << (i % 8)));
  }
  bytes(name, all);
}

void SectionWriter::finish() {
  section(end_name, nullptr, 0);
  flush();
  file_.commit();
  finished_ = true;
}

SectionReader::SectionReader(const std::string& path, char kind, std::uint32_t version, std::string what)
    : path_(path), what_(std::move(what)) {
  file_.reset(std::fopen(path.c_str(), "rb"));
  if (!file_) throw UserError(fmt::format("{}: cannot be read: {}", path_, why()));
  std::error_code error;
  left_ = std::filesystem::file_size(path, error);
  if (error) throw UserError(fmt::format("{}: cannot be read: {}", path_, error.message()));
  Head head{};
  if (!get(&head, sizeof(head)) || std::memcmp(head.magic, magic, 7) != 0 || head.magic[7] != kind)
    throw UserError(fmt::format("{}: not a Gainsay {}: expected a file that begins with {}{}", path_, what_,
                                magic, kind));
  if (head.order != byte_order)
    throw UserError(
        fmt::format("{}: this {} was written on a machine with a different byte order", path_, what_));
  if (head.version != version)
    throw UserError(
        fmt::format("{}: this {} has format {}, expected {}; make it again with this version of Gainsay",
                    path_, what_, head.version, version));
}

void SectionReader::fail(std::string_view section, const std::string& expected) const {
  throw UserError(
      fmt::format("{}: the {} is damaged: section '{}': expected {}", path_, what_, section, expected));
}

bool SectionReader::get(void* to, std::size_t bytes) {
  if (bytes > left_ || std::fread(to, 1, bytes, file_.get()) != bytes) return false;
  left_ -= bytes;
  return true;
}

std::uint64_t SectionReader::begin(std::string_view name) {
  char padded[name_bytes] = {};
  std::uint64_t bytes = 0;
  if (!get(padded, name_bytes) || !get(&bytes, sizeof(bytes))) fail(name, "it here, and the file ends");
  if (std::string_view(padded, name_bytes) != std::string(name) + std::string(name_bytes - name.size(), '\0'))
    fail(name, "it here, and another one is");
  if (bytes > left_) fail(name, fmt::format("{} bytes, and the file has {} more", bytes, left_));
  return bytes;
}

void SectionReader::contents(std::string_view name, void* to, std::uint64_t bytes) {
  Checksum sum;
  auto* at = static_cast<char*>(to);
  for (std::uint64_t done = 0; done < bytes; done += block) {
    const std::size_t now = std::min<std::uint64_t>(block, bytes - done);
    if (!get(at + done, now)) fail(name, "more bytes than can be read");
    sum.add(at + done, now);
  }
  std::uint64_t value = 0;
  if (!get(&value, sizeof(value))) fail(name, "a checksum, and the file ends");
  if (value != sum.value()) fail(name, "contents that agree with their checksum");
}

std::string SectionReader::bytes(std::string_view name) {
  std::string list(begin(name), '\0');
  contents(name, list.data(), list.size());
  return list;
}

std::vector<std::string> SectionReader::texts(std::string_view name) {
  const std::string all = bytes(name);
  std::vector<std::string> list;
  for (std::size_t at = 0; at < all.size();) {
    std::uint32_t size = 0;
    if (all.size() - at < sizeof(size)) fail(name, "the length of a text");
    std::memcpy(&size, all.data() + at, sizeof(size));
    at += sizeof(size);
    if (all.size() - at < size) fail(name, "a text as long as it says");
    list.push_back(all.substr(at, size));
    at += size;
  }
  return list;
}

std::vector<bool> SectionReader::bits(std::string_view name, std::uint64_t size) {
  const std::string all = bytes(name);
  if (all.size() != (size + 7) / 8) fail(name, fmt::format("{} bits", size));
  std::vector<bool> list(size);
  for (std::size_t i = 0; i < size; ++i)
    list[i] = (static_cast<unsigned char>(all[i / 8]) >> (i % 8) & 1U) != 0;
  return list;
}

void SectionReader::finish() {
  if (begin(end_name) != 0) fail(end_name, "nothing in it");
  contents(end_name, nullptr, 0);
  if (left_ != 0) fail(end_name, "the end of the file");
}

bool is_section_file(const std::string& path, char kind) {
  const OwnedFile file(std::fopen(path.c_str(), "rb"));
  char head[8] = {};
  return file != nullptr && std::fread(head, 1, 8, file.get()) == 8 && std::memcmp(head, magic, 7) == 0 &&
         head[7] == kind;
}

}  // namespace gainsay
