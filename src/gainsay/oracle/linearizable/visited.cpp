#include "gainsay/oracle/linearizable/visited.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"

namespace gainsay::linearizable {

Lanes Lanes::for_counts(std::size_t classes, std::size_t most) {
  Lanes lanes;
  lanes.bits = most < 0x80 ? 8 : most < 0x8000 ? 16 : 32;
  lanes.words = static_cast<std::uint32_t>((classes + lanes.per_word() - 1) / lanes.per_word());
  return lanes;
}

Visited::Visited(std::uint32_t key_words, Lanes lanes, std::uint64_t bytes_max)
    : key_words_(key_words),
      lanes_(lanes),
      stride_(key_words + lanes.words + (lanes.words > 0 ? 1 : 0)),
      bytes_max_(bytes_max),
      table_(64, 0) {}

std::size_t Visited::find(std::uint32_t tag, const std::uint64_t* key) const {
  std::size_t slot = place(tag);
  while (table_[slot] != 0) {
    if (table_[slot] >> 32U == tag) {
      const std::uint64_t* known = entry(static_cast<std::uint32_t>(table_[slot]) - 1);
      if (std::equal(key, key + key_words_, known)) return slot;
    }
    if (++slot == table_.size()) slot = 0;
  }
  return slot;
}

bool Visited::grow() {
  const std::size_t size = table_.size() * 2;
  if (size * 8 + bytes() > bytes_max_) return false;  // the old table and the new one
  std::vector<std::uint64_t> old(size, 0);
  old.swap(table_);
  for (const std::uint64_t each : old) {
    if (each == 0) continue;
    std::size_t slot = place(static_cast<std::uint32_t>(each >> 32U));
    while (table_[slot] != 0) {
      if (++slot == table_.size()) slot = 0;
    }
    table_[slot] = each;
  }
  return true;
}

Visited::Outcome Visited::insert(std::uint64_t hash, const std::uint64_t* key, const std::uint64_t* counts) {
  const auto tag = static_cast<std::uint32_t>(hash >> 32U);
  std::size_t slot = find(tag, key);
  const std::uint32_t head = table_[slot] == 0 ? none : static_cast<std::uint32_t>(table_[slot]) - 1;
  if (head != none) {
    if (lanes_.words == 0) return Outcome::known;
    for (std::uint32_t each = head; each != none;
         each = static_cast<std::uint32_t>(entry(each)[stride_ - 1])) {
      if (lanes_.nowhere_more(entry(each) + key_words_, counts)) return Outcome::known;
    }
  }
  if (entries_ % chunk_entries == 0) {
    const std::uint64_t chunk_bytes = std::uint64_t{chunk_entries} * stride_ * 8;
    if (bytes() + chunk_bytes > bytes_max_ || entries_ >= none - chunk_entries) return Outcome::full;
    chunks_.push_back(std::make_unique<std::uint64_t[]>(std::size_t{chunk_entries} * stride_));
  }
  std::uint64_t* added = entry(entries_);
  std::copy(key, key + key_words_, added);
  if (lanes_.words > 0) {
    std::copy(counts, counts + lanes_.words, added + key_words_);
    // Entries that the new one dominates leave the chain; the rest follows it.
    std::uint64_t* link = &added[stride_ - 1];
    for (std::uint32_t each = head; each != none;
         each = static_cast<std::uint32_t>(entry(each)[stride_ - 1])) {
      if (lanes_.nowhere_more(counts, entry(each) + key_words_)) continue;
      *link = each;
      link = &entry(each)[stride_ - 1];
    }
    *link = none;
  }
  table_[slot] = std::uint64_t{tag} << 32U | (entries_ + 1);
  ++entries_;
  if (head == none && ++heads_ * std::uint64_t{5} > table_.size() * std::uint64_t{3} && !grow()) {
    return Outcome::full;
  }
  return Outcome::fresh;
}

bool Visited::is_minimal(std::uint64_t hash, const std::uint64_t* key, const std::uint64_t* counts) const {
  if (lanes_.words == 0) return true;
  const std::size_t slot = find(static_cast<std::uint32_t>(hash >> 32U), key);
  GAINSAY_CHECK(table_[slot] != 0, "the key was inserted");
  for (std::uint32_t each = static_cast<std::uint32_t>(table_[slot]) - 1; each != none;
       each = static_cast<std::uint32_t>(entry(each)[stride_ - 1])) {
    if (std::equal(counts, counts + lanes_.words, entry(each) + key_words_)) return true;
  }
  return false;
}

}  // namespace gainsay::linearizable
