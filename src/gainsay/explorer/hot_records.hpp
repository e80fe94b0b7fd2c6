// HotRecords: the records of states in which a liveness condition is not cold, in the order in which they were found.
// They are kept in pieces that never move: there may be very many.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/explorer/huge_pages.hpp"

namespace gainsay {

class HotRecords {
 public:
  void add(const std::vector<std::uint32_t>& words) {
    if (pieces_.empty() || pieces_.back().capacity() - pieces_.back().size() < words.size()) {
      const std::size_t room = pieces_.empty() ? first_words : piece_words;
      pieces_.emplace_back();
      pieces_.back().reserve(std::max(room, words.size()));
    }
    pieces_.back().insert(pieces_.back().end(), words.begin(), words.end());
  }
  // States that are found from now on are further from the first one than those found before.
  void begin_level() {
    last_level_ = level_;
    level_ = end();
  }

  // visit(words) for each; it answers how many words the record takes.
  template <class Visit> void each(const Visit& visit) const { each_within({}, end(), visit); }
  // The same for those of the last level that was begun and of the one before.
  template <class Visit> void each_of_last_levels(const Visit& visit) const {
    each_within(last_level_, end(), visit);
  }
  // The same for those of one age: 0 is older than the last two levels, 2 is the last level that was begun.
  static constexpr unsigned ages = 3;
  template <class Visit> void each_of_age(unsigned age, const Visit& visit) const {
    const Place borders[ages + 1] = {{}, last_level_, level_, end()};
    each_within(borders[age], borders[age + 1], visit);
  }

  std::uint64_t bytes() const {
    std::uint64_t words = 0;
    for (const auto& piece : pieces_) words += piece.capacity();
    return words * sizeof(std::uint32_t);
  }

 private:
  struct Place {
    std::size_t piece = 0;
    std::size_t at = 0;
  };
  static constexpr std::size_t first_words = std::size_t{1} << 14U;
  static constexpr std::size_t piece_words = slab_bytes / sizeof(std::uint32_t);

  Place end() const {
    if (pieces_.empty()) return {};
    return {pieces_.size() - 1, pieces_.back().size()};
  }
  template <class Visit> void each_within(Place from, Place to, const Visit& visit) const {
    for (std::size_t p = from.piece; p < pieces_.size() && p <= to.piece; ++p) {
      const std::size_t border = p == to.piece ? to.at : pieces_[p].size();
      for (std::size_t at = p == from.piece ? from.at : 0; at < border;) {
        at += visit(pieces_[p].data() + at);
        GAINSAY_CHECK(at <= border, "a record is in one piece");
      }
    }
  }

  std::vector<std::vector<std::uint32_t, HugePages<std::uint32_t>>> pieces_;
  Place level_;
  Place last_level_;
};

}  // namespace gainsay
