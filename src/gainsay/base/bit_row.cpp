#include "gainsay/base/bit_row.hpp"

namespace gainsay {
namespace {

// Closes the gaps between the places, in `count` words; `word(w)` is one of them.
template <class Word> void close_gaps(const Word& word, std::size_t count, const BitRow& places) {
  std::size_t to = 0;  // what is written next
  for (std::size_t w = 0; w < count; ++w) {
    const std::uint64_t gathered = bits::gather(word(w), places.word(w));
    const std::size_t moved = bits::count(places.word(w));
    word(w) = 0;
    word(to / 64) |= gathered << (to % 64);
    if (to % 64 + moved > 64) word(to / 64 + 1) |= gathered >> (64 - to % 64);
    to += moved;
  }
}

}  // namespace

void BitRow::set_in_rest(std::size_t index) {
  GAINSAY_CHECK(index >= 64, "it is not in the first word");
  if (index / 64 > rest_.size()) rest_.resize(index / 64, 0);
  rest_[index / 64 - 1] |= bits::bit(index % 64);
}

std::size_t BitRow::nth_of_many(std::size_t n, const BitRow* others) const {
  for (std::size_t w = 0; w < words(); ++w) {
    const std::uint64_t here = word(w) & (others == nullptr ? ~std::uint64_t{0} : ~others->word(w));
    const std::size_t count = bits::count(here);
    if (n < count) return w * 64 + bits::nth(here, n);
    n -= count;
  }
  GAINSAY_CHECK(false, "so many bits are set");
  return 0;
}

std::size_t BitRow::nth_last(std::size_t n) const {
  for (std::size_t w = words(); w-- > 0;) {
    const std::size_t count = bits::count(word(w));
    if (n < count) return w * 64 + bits::nth(word(w), count - 1 - n);
    n -= count;
  }
  GAINSAY_CHECK(false, "so many bits are set");
  return 0;
}

void BitRow::set_positions_of_many(const BitRow& places, const BitRow& others) {
  first_ = 0;
  rest_.assign(places.words() - 1, 0);
  const auto word_at = [this](std::size_t w) -> std::uint64_t& { return w == 0 ? first_ : rest_[w - 1]; };
  std::size_t to = 0;  // what is written next
  for (std::size_t w = 0; w < places.words(); ++w) {
    const std::uint64_t here = places.word(w);
    const std::uint64_t gathered = bits::gather(here & ~others.word(w), here);
    const std::size_t count = bits::count(here);
    word_at(to / 64) |= gathered << (to % 64);
    if (to % 64 + count > 64) word_at(to / 64 + 1) |= gathered >> (64 - to % 64);
    to += count;
  }
  rest_.resize(to / 64);
}

void BitRow::squeeze(const BitRow& places) {
  if (is_short()) {
    first_ = bits::gather(first_, places.first_);
    return;
  }
  close_gaps([this](std::size_t w) -> std::uint64_t& { return w == 0 ? first_ : rest_[w - 1]; }, words(),
             places);
  while (!rest_.empty() && rest_.back() == 0) rest_.pop_back();
}

std::size_t BitTable::nth_of_many(std::size_t r, const BitRow& others, std::size_t n) const {
  for (std::size_t w = 0; w < words_; ++w) {
    const std::uint64_t here = word(r, w) & ~others.word(w);
    const std::size_t count = bits::count(here);
    if (n < count) return w * 64 + bits::nth(here, n);
    n -= count;
  }
  GAINSAY_CHECK(false, "so many bits are set");
  return 0;
}

void BitTable::set_words(std::size_t words) {
  if (words == words_) return;
  FlatRow<std::uint64_t> all;
  all.assign(rows_ * words, 0);
  for (std::size_t r = 0; r < rows_; ++r) {
    for (std::size_t w = 0; w < words_; ++w) {
      GAINSAY_CHECK(w < words || row(r)[w] == 0, "what is in a row stays there");
      if (w < words) all[r * words + w] = row(r)[w];
    }
  }
  words_of_all_ = std::move(all);
  words_ = words;
}

void BitTable::squeeze(const BitRow& places) {
  if (words_ == 1) {
    const std::uint64_t kept = places.word(0);
    for (std::uint64_t& word : words_of_all_) word = bits::gather(word, kept);
    return;
  }
  for (std::size_t r = 0; r < rows_; ++r)
    close_gaps([words = row(r)](std::size_t w) -> std::uint64_t& { return words[w]; }, words_, places);
}

void BitTable::squeeze_rows(const BitRow& places) {
  std::size_t to = 0;
  places.each([&](std::size_t from) {
    GAINSAY_CHECK(from < rows_, "a place has its row");
    std::copy_n(row(from), words_, row(to++));
  });
  set_rows(to);
  squeeze(places);
}

}  // namespace gainsay
