#include "gainsay/explorer/huge_pages.hpp"

#include <cstring>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay::huge_pages_test {
namespace {

// Whatever is taken and given back in whatever order, nobody writes into what somebody else holds.
TEST(HugePages, PiecesAreApart) {
  Rng rng(7);
  std::vector<unsigned char*> held;
  std::set<unsigned char*> distinct;
  for (int i = 0; i < 2'000; ++i) {
    if (held.empty() || (held.size() < 200 && rng.chance(3, 5))) {
      auto* piece = static_cast<unsigned char*>(take_pages(piece_bytes));
      ASSERT_TRUE(distinct.insert(piece).second) << "it is held already";
      std::memset(piece, static_cast<int>(held.size() % 251), 1);
      piece[piece_bytes - 1] = *piece;
      held.push_back(piece);
    } else {
      const std::size_t which = rng.below(held.size());
      EXPECT_EQ(held[which][0], held[which][piece_bytes - 1]);
      distinct.erase(held[which]);
      give_pages(held[which], piece_bytes);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
    }
  }
  for (unsigned char* piece : held) give_pages(piece, piece_bytes);
}

TEST(HugePages, VectorsOfEverySize) {
  for (const std::size_t bytes : {std::size_t{4}, piece_bytes - 4, piece_bytes, piece_bytes + 4,
                                  slab_bytes - 4, slab_bytes, 3 * slab_bytes + 4}) {
    std::vector<std::uint32_t, HugePages<std::uint32_t>> words;
    words.reserve(bytes / 4);
    for (std::size_t i = 0; i < bytes / 4; ++i) words.push_back(static_cast<std::uint32_t>(i));
    EXPECT_EQ(words.back(), bytes / 4 - 1);
    auto copy = words;
    copy.push_back(1);
    EXPECT_EQ(copy.size(), words.size() + 1);
  }
}

}  // namespace
}  // namespace gainsay::huge_pages_test
