#include "gainsay/explorer/frontier.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "gainsay/base/check.hpp"

namespace gainsay {

SpillFile::SpillFile(const std::string& folder) {
  std::string path = folder + "/gainsay-frontier-XXXXXX";
  descriptor_ = ::mkstemp(path.data());
  if (descriptor_ < 0) {
    error_ = fmt::format("cannot create a temporary file in '{}': {}", folder, std::strerror(errno));
    return;
  }
  ::unlink(path.c_str());
  ::fcntl(descriptor_, F_SETFD, FD_CLOEXEC);
}

SpillFile::~SpillFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::optional<std::uint64_t> SpillFile::append(std::span<const std::uint32_t> words) {
  if (!error_.empty()) return std::nullopt;
  const auto* from = reinterpret_cast<const char*>(words.data());
  const std::uint64_t size = words.size() * sizeof(std::uint32_t);
  for (std::uint64_t done = 0; done < size;) {
    const ssize_t written = ::pwrite(descriptor_, from + done, size - done, static_cast<off_t>(end_ + done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      error_ =
          fmt::format("cannot write the frontier to disk: {}", std::strerror(written < 0 ? errno : ENOSPC));
      return std::nullopt;
    }
    done += static_cast<std::uint64_t>(written);
  }
  return std::exchange(end_, end_ + size);
}

void SpillFile::read(std::uint64_t offset, std::span<std::uint32_t> words) const {
  auto* to = reinterpret_cast<char*>(words.data());
  const std::uint64_t size = words.size() * sizeof(std::uint32_t);
  GAINSAY_CHECK(offset + size <= end_, "what is read was written");
  for (std::uint64_t done = 0; done < size;) {
    const ssize_t got = ::pread(descriptor_, to + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      throw UserError(fmt::format("cannot read the frontier back from disk: {}",
                                  got < 0 ? std::strerror(errno) : "the file is shorter than it was"));
    done += static_cast<std::uint64_t>(got);
  }
}

void SpillFile::clear() {
  if (end_ == 0) return;
  end_ = 0;
  // Where the file cannot be cut, its room is used again.
  if (::ftruncate(descriptor_, 0) != 0) errno = 0;
}

void Frontier::push(Block block) {
  GAINSAY_CHECK(block.states > 0 && !block.words.empty(), "a block has records");
  states_ += block.states;
  memory_bytes_ += block.bytes();
  queue_.push_back({std::move(block)});
}

void Frontier::put_back(Block block) {
  GAINSAY_CHECK(block.states > 0 && !block.words.empty(), "a block has records");
  states_ += block.states;
  memory_bytes_ += block.bytes();
  queue_.push_front({std::move(block)});
}

Frontier::Ahead Frontier::ahead(std::uint64_t states) const {
  Ahead ahead;
  for (auto entry = queue_.begin(); entry != queue_.end() && ahead.states < states; ++entry) {
    ahead.states += entry->block.states;
    ahead.pending += entry->block.pending;
  }
  return ahead;
}

std::vector<Block> Frontier::take(std::uint64_t states) {
  GAINSAY_CHECK(!queue_.empty(), "there is something to take");
  std::vector<Block> taken;
  for (std::uint64_t got = 0; !queue_.empty() && got < states; queue_.pop_front()) {
    Entry& entry = queue_.front();
    got += entry.block.states;
    states_ -= entry.block.states;
    if (entry.on_disk == 0) {
      memory_bytes_ -= entry.block.bytes();
    } else {
      entry.block.words.resize(entry.on_disk);
      file_->read(entry.offset, entry.block.words);
      disk_bytes_ -= entry.on_disk * sizeof(std::uint32_t);
    }
    taken.push_back(std::move(entry.block));
  }
  GAINSAY_CHECK(!queue_.empty() || (states_ == 0 && memory_bytes_ == 0 && disk_bytes_ == 0),
                "an empty queue holds nothing");
  if (file_ && disk_bytes_ == 0) file_->clear();
  return taken;
}

bool Frontier::write(Entry& entry) {
  if (!file_) file_ = std::make_unique<SpillFile>(folder_);
  const auto offset = file_->append(entry.block.words);
  if (!offset) {
    error_ = file_->error();
    return false;
  }
  entry.offset = *offset;
  entry.on_disk = entry.block.words.size();
  memory_bytes_ -= entry.block.bytes();
  disk_bytes_ += entry.on_disk * sizeof(std::uint32_t);
  spilled_ += entry.on_disk * sizeof(std::uint32_t);
  entry.block.words = {};
  return true;
}

void Frontier::spill(std::uint64_t keep) {
  if (memory_bytes_ <= keep || !error_.empty()) return;
  // The first of those that go, so that they are written, and read again, in their order.
  std::size_t first = queue_.size();
  for (std::uint64_t left = memory_bytes_; first > 0 && left > keep; --first) {
    const Entry& entry = queue_[first - 1];
    if (entry.on_disk == 0) left -= entry.block.bytes();
  }
  for (std::size_t i = first; i < queue_.size(); ++i) {
    if (queue_[i].on_disk == 0 && !write(queue_[i])) return;
  }
  GAINSAY_CHECK(memory_bytes_ <= keep, "enough was written");
}

}  // namespace gainsay
