#include "gainsay/oracle/formats/text_source.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/stat.h>

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

constexpr std::size_t block_bytes = 256 * 1024;
constexpr std::size_t line_bytes_max = 16 * 1024 * 1024;

}  // namespace

void TextSource::Close::operator()(std::FILE* file) const {
  if (file != stdin) std::fclose(file);
}

TextSource::TextSource(const std::string& file) : name_(file == "-" ? "standard input" : file) {
  file_.reset(file == "-" ? stdin : std::fopen(file.c_str(), "rb"));
  if (!file_) throw UserError(fmt::format("{}: cannot be read: {}", file, std::strerror(errno)));
  struct stat about {};
  if (fstat(fileno(file_.get()), &about) == 0 && S_ISDIR(about.st_mode))
    throw UserError(fmt::format("{}: is a folder; expected a file with a history", file));
  buffer_.resize(block_bytes);
  at_ = end_ = buffer_.data();
}

bool TextSource::refill() {
  if (!file_) return false;
  if (look_) look_();
  const std::size_t got = std::fread(buffer_.data(), 1, buffer_.size(), file_.get());
  if (got == 0 && std::ferror(file_.get()) != 0)
    throw UserError(fmt::format("{}: cannot be read: {}", name_, std::strerror(errno)));
  at_ = buffer_.data();
  end_ = at_ + got;
  return got > 0;
}

std::string_view TextSource::beginning(std::size_t least) {
  if (at_ == end_) refill();
  GAINSAY_CHECK(least <= block_bytes, "a beginning is less than a block");
  if (file_) {
    auto have = static_cast<std::size_t>(end_ - at_);
    while (have < least) {  // a pipe may hand out little at a time
      const std::size_t got = std::fread(buffer_.data() + have, 1, buffer_.size() - have, file_.get());
      if (got == 0) break;
      have += got;
      end_ = at_ + have;
    }
  }
  return {at_, static_cast<std::size_t>(end_ - at_)};
}

bool TextSource::next_line(std::string& text, std::uint64_t& line) {
  text.clear();
  line = line_;
  if (peek() == end) return false;
  while (peek() != end) {
    const auto length = static_cast<std::size_t>(end_ - at_);
    const void* found = std::memchr(at_, '\n', length);
    const std::size_t taken =
        found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - at_) : length;
    if (text.size() + taken > line_bytes_max)
      fail("this line is longer than 16 MiB; expected a history as text");
    text.append(at_, taken);
    at_ += taken;
    if (found == nullptr) continue;
    ++at_;
    ++line_;
    break;
  }
  if (!text.empty() && text.back() == '\r') text.pop_back();
  return true;
}

void TextSource::fail(std::uint64_t line, std::string_view message) const {
  throw UserError(fmt::format("{}:{}: {}", name_, line, message));
}

}  // namespace gainsay
