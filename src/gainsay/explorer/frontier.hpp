// Frontier: the queue of a breadth-first search, larger than memory if need be.
//
// Records wait in blocks. Blocks leave in the order in which they came, wherever they waited meanwhile: those that
// do not fit into the memory that the frontier may have go to a temporary file, last ones first, and come back when
// their turn has come. So the search does not depend on how much of its frontier was on disk. A file that cannot be
// written (the disk is full) loses nothing: the block stays in memory, `error` says why, and the owner ends.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gainsay/explorer/huge_pages.hpp"

namespace gainsay {

// A run of records.
struct Block {
  std::vector<std::uint32_t, HugePages<std::uint32_t>> words;
  std::uint32_t states = 0;
  std::uint64_t pending = 0;  // of all its states: a bound for the transitions
  std::uint32_t maker = 0;    // the worker who filled it
  std::uint32_t trail = 0;    // words after each record that say how it was reached (bitstate search)
  std::vector<std::uint32_t>
      cuts{};  // where it may be cut, so that several workers share it: words before that

  static constexpr std::size_t most_words =
      piece_bytes / sizeof(std::uint32_t);  // but for a record that is larger
  static constexpr std::uint32_t states_between_cuts = 256;

  std::uint64_t bytes() const { return words.capacity() * sizeof(std::uint32_t); }
};

// A temporary file without a name: it goes when it is closed. Not safe for concurrent callers.
class SpillFile {
 public:
  // In this folder; `error` where that cannot be done.
  explicit SpillFile(const std::string& folder);
  explicit SpillFile(int descriptor) : descriptor_(descriptor) {}
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;
  ~SpillFile();

  // Where the words were written; nothing, and `error`, if they could not be.
  std::optional<std::uint64_t> append(std::span<const std::uint32_t> words);
  // Throws UserError if they cannot be read back.
  void read(std::uint64_t offset, std::span<std::uint32_t> words) const;
  // Nothing in it is needed any more.
  void clear();

  std::uint64_t bytes() const { return end_; }
  const std::string& error() const { return error_; }

 private:
  int descriptor_ = -1;
  std::uint64_t end_ = 0;
  std::string error_;
};

// Thread-safety: one caller at a time.
class Frontier {
 public:
  // `folder`: where a file may be made; it is only when something must be written.
  explicit Frontier(std::string folder) : folder_(std::move(folder)) {}

  void push(Block block);
  // Puts a block back that was taken and is the next one again.
  void put_back(Block block);
  // The next blocks, until they have so many states. REQUIRES: !empty().
  std::vector<Block> take(std::uint64_t states);
  // What take(states) would return, as bounds: states and pending events.
  struct Ahead {
    std::uint64_t states = 0;
    std::uint64_t pending = 0;
  };
  Ahead ahead(std::uint64_t states) const;

  // Writes blocks to disk, the last ones first, until at most `keep` bytes are in memory or nothing more can be
  // written. Small remainders stay in memory.
  void spill(std::uint64_t keep);

  // visit(block) for each, in their order; nothing is taken.
  template <class Visit> void each(const Visit& visit) const {
    for (const Entry& entry : queue_) {
      if (entry.on_disk == 0) {
        visit(entry.block);
        continue;
      }
      Block block = entry.block;
      block.words.resize(entry.on_disk);
      file_->read(entry.offset, block.words);
      visit(block);
    }
  }

  bool empty() const { return queue_.empty(); }
  std::size_t blocks() const { return queue_.size(); }
  std::uint64_t states() const { return states_; }
  std::uint64_t bytes() const { return memory_bytes_; }     // in memory
  std::uint64_t disk_bytes() const { return disk_bytes_; }  // waiting on disk
  std::uint64_t spilled_bytes() const { return spilled_; }  // written so far, in all
  const std::string& error() const { return error_; }       // why nothing more can be written

 private:
  struct Entry {
    Block block;                // without words if they are on disk
    std::uint64_t offset = 0;   // on disk
    std::uint64_t on_disk = 0;  // words; 0: in memory
  };
  bool write(Entry& entry);

  std::string folder_;
  std::deque<Entry> queue_;
  std::unique_ptr<SpillFile> file_;
  std::uint64_t states_ = 0;
  std::uint64_t memory_bytes_ = 0;
  std::uint64_t disk_bytes_ = 0;
  std::uint64_t spilled_ = 0;
  std::string error_;
};

}  // namespace gainsay
