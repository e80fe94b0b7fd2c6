#include "tools/campaign_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "gainsay/base/bytes.hpp"
#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/report/row.hpp"
#include "tools/verb.hpp"

namespace gainsay::tools {
namespace {

constexpr std::string_view magic = "gainsay-campaign 2\n";
constexpr std::size_t frame_size = 16;  // size and hash before each record
constexpr std::chrono::milliseconds between_writes{50};
constexpr std::size_t waiting_bytes_max = std::size_t{1} << 20U;

std::string number_bytes(std::uint64_t value) {
  std::string out;
  for (int i = 0; i < 8; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

std::uint64_t number_at(const std::string& bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

// Records are large, so eight bytes at a time.
std::uint64_t hash_of(const std::string& record) {
  Hasher hasher(record.size());
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof(word) <= record.size(); at += sizeof(word)) {
    std::memcpy(&word, record.data() + at, sizeof(word));
    hasher.add(word);
  }
  hasher.add_text(std::string_view(record).substr(at));
  return hasher.finish();
}

std::string frame_of(const std::string& record) {
  return number_bytes(record.size()) + number_bytes(hash_of(record));
}

// The record at `at`, which moves behind it; nothing where no whole one stands there.
std::optional<std::string> record_at(const std::string& bytes, std::size_t& at) {
  if (bytes.size() < at + frame_size) return std::nullopt;
  const std::uint64_t size = number_at(bytes, at);
  if (size > bytes.size() - at - frame_size) return std::nullopt;
  std::string record = bytes.substr(at + frame_size, size);
  if (hash_of(record) != number_at(bytes, at + 8)) return std::nullopt;
  at += frame_size + size;
  return record;
}

std::string head_record(const CampaignHead& head) {
  ByteWriter out;
  out.number(head.facts.size());
  for (const auto& [name, value] : head.facts) {
    out.text(name);
    out.text(value);
  }
  out.number(head.words.size());
  for (const std::string& word : head.words) out.text(word);
  return out.take();
}

std::optional<CampaignHead> read_head(const std::string& record) {
  ByteReader in(record);
  CampaignHead head;
  for (std::size_t left = in.count(); left > 0; --left) {
    std::string name = in.text();
    head.facts.emplace_back(std::move(name), in.text());
  }
  for (std::size_t left = in.count(); left > 0; --left) head.words.push_back(in.text());
  if (!in.good() || !in.at_end()) return std::nullopt;
  return head;
}

std::string content_of(int descriptor, const std::string& path) {
  std::string bytes;
  std::string buffer(std::size_t{1} << 16U, '\0');
  if (lseek(descriptor, 0, SEEK_SET) < 0)
    throw UserError(fmt::format("{}: {}; expected a file", path, std::strerror(errno)));
  for (;;) {
    const ssize_t got = read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw UserError(fmt::format("{}: {}", path, std::strerror(errno)));
    if (got == 0) return bytes;
    bytes.append(buffer, 0, static_cast<std::size_t>(got));
  }
}

void refuse_another(const std::string& path, const CampaignHead& there, const CampaignHead& here) {
  const auto difference = first_difference(there.facts, here.facts);
  if (!difference) return;
  throw UserError(
      fmt::format("{}: the folder holds a different campaign: its {} is {}, not {}; use the same options "
                  "or another folder",
                  path, difference->name, clean(difference->there, false), clean(difference->here, false)));
}

}  // namespace

CampaignFile::CampaignFile(const std::string& path, const CampaignHead& head) : path_(path), own_(true) {
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0)
    throw UserError(fmt::format("{}: {}; expected a campaign journal, or a folder that can be written", path,
                                std::strerror(errno)));
  try {
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
      throw UserError(fmt::format("{}: another process is running this campaign", path));
    take_up(head);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

CampaignFile::CampaignFile(int descriptor, const CampaignHead& head)
    : path_("the campaign journal"), descriptor_(descriptor) {
  GAINSAY_CHECK(descriptor >= 0, "an open file");
  take_up(head);
}

CampaignFile::~CampaignFile() {
  write_waiting();
  if (own_) close(descriptor_);
}

void CampaignFile::take_up(const CampaignHead& head) {
  const std::string bytes = content_of(descriptor_, path_);
  std::size_t at = std::min(bytes.size(), magic.size());
  if (std::string_view(bytes).substr(0, at) != magic.substr(0, at))
    throw UserError(fmt::format("{}: not a campaign journal; use another folder", path_));
  std::optional<std::string> first;
  if (at == magic.size()) first = record_at(bytes, at);
  if (!first) {  // new, or cut before anything was done
    if (ftruncate(descriptor_, 0) != 0 || lseek(descriptor_, 0, SEEK_SET) < 0)
      throw UserError(fmt::format("{}: {}", path_, std::strerror(errno)));
    const std::string first_record = head_record(head);
    write_all(std::string(magic) + frame_of(first_record) + first_record);
    return;
  }
  const std::optional<CampaignHead> there = read_head(*first);
  if (!there)
    throw UserError(fmt::format("{}: the journal was written by another version; use another folder", path_));
  refuse_another(path_, *there, head);
  while (auto record = record_at(bytes, at)) records_.push_back(std::move(*record));
  const auto end = static_cast<off_t>(at);
  if (ftruncate(descriptor_, end) != 0 || lseek(descriptor_, end, SEEK_SET) < 0)
    throw UserError(fmt::format("{}: {}", path_, std::strerror(errno)));
}

void CampaignFile::append(const std::string& record) {
  waiting_ += frame_of(record);
  waiting_ += record;
  if (Clock::now() - written_ >= between_writes || waiting_.size() > waiting_bytes_max) write_waiting();
}

void CampaignFile::write_waiting() {
  write_all(waiting_);
  waiting_.clear();
  written_ = Clock::now();
}

void CampaignFile::write_all(const std::string& bytes) {
  std::size_t done = 0;
  while (!failed_ && done < bytes.size()) {
    const ssize_t wrote = write(descriptor_, bytes.data() + done, bytes.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) {
      // The campaign matters more than its journal.
      failed_ = true;
      complain(
          fmt::format("{}: {}; the campaign continues but cannot be resumed", path_, std::strerror(errno)));
      return;
    }
    done += static_cast<std::size_t>(wrote);
  }
}

std::vector<std::string> campaign_words(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    throw UserError(fmt::format("{}: {}; expected a campaign journal (hunt SCENARIO --resume DIR starts one)",
                                path, std::strerror(errno)));
  std::string bytes;
  try {
    bytes = content_of(descriptor, path);
  } catch (...) {
    close(descriptor);
    throw;
  }
  close(descriptor);
  std::size_t at = magic.size();
  std::optional<CampaignHead> head;
  if (bytes.starts_with(magic)) {
    if (const auto first = record_at(bytes, at)) head = read_head(*first);
  }
  if (!head) throw UserError(fmt::format("{}: not a campaign journal", path));
  return head->words;
}

}  // namespace gainsay::tools
