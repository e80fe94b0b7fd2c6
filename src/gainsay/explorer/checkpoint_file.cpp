#include "gainsay/explorer/checkpoint_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"

namespace gainsay {
namespace {

constexpr std::size_t hashed_bytes = std::size_t{1} << 20U;  // what is hashed at a time
constexpr const char* build_fact = "build";

std::string magic_of(std::string_view verb) { return fmt::format("gainsay-{}-checkpoint 1\n", verb); }

}  // namespace

CheckpointWriter::CheckpointWriter(const std::string& path, std::string_view verb, const Facts& facts)
    : file_(path, "checkpoint") {
  buffer_.reserve(hashed_bytes);
  const std::string magic = magic_of(verb);
  append(magic.data(), magic.size());
  number(facts.size());
  for (const auto& [name, value] : facts) {
    text(name);
    text(value);
  }
}

void CheckpointWriter::append(const void* data, std::size_t size) {
  std::string_view rest(static_cast<const char*>(data), size);
  while (!rest.empty()) {
    const std::size_t fits = std::min(rest.size(), hashed_bytes - buffer_.size());
    buffer_ += rest.substr(0, fits);
    rest.remove_prefix(fits);
    if (buffer_.size() == hashed_bytes) flush();
  }
}

void CheckpointWriter::flush() {
  hash_.add_text(buffer_);
  file_.write(buffer_);
  buffer_.clear();
}

void CheckpointWriter::number(std::uint64_t value) { append(&value, sizeof(value)); }

void CheckpointWriter::text(std::string_view value) {
  number(value.size());
  append(value.data(), value.size());
}

void CheckpointWriter::words(std::span<const std::uint32_t> values) {
  number(values.size());
  append(values.data(), values.size_bytes());
}

void CheckpointWriter::commit() {
  if (!buffer_.empty()) flush();
  const std::uint64_t hash = hash_.finish();
  file_.write({reinterpret_cast<const char*>(&hash), sizeof(hash)});
  file_.commit();
}

CheckpointReader::CheckpointReader(const std::string& path, std::string_view verb, const Facts& facts)
    : path_(path) {
  const std::string magic = magic_of(verb);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    refuse(fmt::format("{}; expected a checkpoint written by {} --checkpoint", std::strerror(errno), verb));
  struct stat found {};
  const bool regular = ::fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode);
  size_ = regular ? static_cast<std::size_t>(found.st_size) : 0;
  if (size_ > 0) memory_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (memory_ == MAP_FAILED) memory_ = nullptr;
  ::close(descriptor);
  rest_ =
      memory_ == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(memory_), size_);
  try {
    if (!rest_.starts_with(magic)) refuse(fmt::format("not a checkpoint of {}", verb));
    std::uint64_t expected = 0;
    if (rest_.size() < magic.size() + sizeof(expected)) refuse("the checkpoint is truncated");
    rest_.remove_suffix(sizeof(expected));
    std::memcpy(&expected, rest_.data() + rest_.size(), sizeof(expected));
    Hasher hash;
    for (std::size_t at = 0; at < rest_.size(); at += hashed_bytes)
      hash.add_text(rest_.substr(at, hashed_bytes));
    if (hash.finish() != expected)
      refuse("the checkpoint is damaged or truncated; start again without --resume");
    rest_.remove_prefix(magic.size());
    Facts there;
    for (std::size_t left = count(); left > 0; --left) {
      std::string name = text();
      there.emplace_back(std::move(name), text());
    }
    if (const auto difference = first_difference(there, facts)) {
      if (difference->name == build_fact)
        refuse("the checkpoint is from a different build of this program; start again without --resume");
      refuse(
          fmt::format("the checkpoint is from a different {}: its {} is {}, not {}; use the same options, or "
                      "start again without --resume",
                      verb == "explore" ? "search" : verb, difference->name,
                      printable_utf8(difference->there), printable_utf8(difference->here)));
    }
  } catch (...) {
    if (memory_ != nullptr) ::munmap(memory_, size_);
    throw;
  }
}

CheckpointReader::~CheckpointReader() {
  if (memory_ != nullptr) ::munmap(memory_, size_);
}

void CheckpointReader::refuse(std::string_view why) const {
  throw UserError(fmt::format("{}: {}", path_, why));
}

std::string_view CheckpointReader::take(std::size_t count, std::size_t each) {
  if (count > rest_.size() / each) refuse("the checkpoint is from a different version of Gainsay");
  const std::string_view taken = rest_.substr(0, count * each);
  rest_.remove_prefix(taken.size());
  return taken;
}

std::uint64_t CheckpointReader::number() {
  std::uint64_t value = 0;
  std::memcpy(&value, take(1, sizeof(value)).data(), sizeof(value));
  return value;
}

std::uint64_t CheckpointReader::number(std::uint64_t most) {
  const std::uint64_t value = number();
  if (value > most) refuse("the checkpoint is from a different version of Gainsay");
  return value;
}

std::size_t CheckpointReader::count() { return number(rest_.size()); }

std::string CheckpointReader::text() { return std::string(take(count(), 1)); }

std::string build_name() {
  static const std::string name = [] {
    std::ifstream in("/proc/self/exe", std::ios::binary);
    Hasher hash;
    std::string buffer(hashed_bytes, '\0');
    while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), in.gcount() > 0)
      hash.add_text({buffer.data(), static_cast<std::size_t>(in.gcount())});
    return fmt::format("{:016x}", hash.finish());
  }();
  return name;
}

}  // namespace gainsay
