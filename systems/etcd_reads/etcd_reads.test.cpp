#include "systems/etcd_reads/etcd_reads.hpp"

#include <gmock/gmock.h>

#include "systems/nemesis_test.hpp"

namespace etcd_reads {
namespace {

using nemesis_test::expect_share;
using nemesis_test::shrunk_steps;
using nemesis_test::unsettled;
using system_test::hunt;

// A write of 1 at one of the 3 nodes of the majority, then a read at one of the 2 others: (3 * 2) / 15^2.
TEST(EtcdReads, LocalReadsAreStaleAsOftenAsExample31Says) {
  expect_share("etcd_reads", {{"bug", "local_reads"}}, {}, 2.0 / 75);
  // Any two blocks of m and 5 - m nodes, 5 and 10 of 15: (4 * 1) and (3 * 2) pairs of 225.
  expect_share("etcd_reads", {{"bug", "local_reads"}, {"family", "uniform"}}, {},
               (5 * 4 + 10 * 6) / (15.0 * 225));
  expect_share("etcd_reads", {{"bug", "local_reads"}}, {{"inside", "pctcp"}}, 2.0 / 75);
}

// Before the re-election a write reaches the leader in 3 of 5 cuts.
TEST(EtcdReads, UnsettledLocalReadsAreStaleLessOften) {
  expect_share("etcd_reads", {{"bug", "local_reads"}}, unsettled, 2.0 / 75 * 3 / 5);
}

// The leader is in the minority in 2 of 5 cuts (example 4.3); nobody else is asked before the re-election.
TEST(EtcdReads, ConsistentReadsAreStaleAsOftenAsExample43Says) {
  expect_share("etcd_reads", {{"bug", "consistent_reads"}}, {}, 4.0 / 375);
  expect_share("etcd_reads", {{"bug", "consistent_reads"}}, unsettled, 0);
}

TEST(EtcdReads, TheSmallestExecutionsAreTheFigures) {
  // Cut, write (at the leader or by way of it), two copies and their answers, read.
  EXPECT_LE(shrunk_steps("etcd_reads", {{"bug", "local_reads"}}, unsettled), 12U);
  // The figure on the left has a re-election between: a clock that starts and ticks twice, two votes.
  EXPECT_LE(shrunk_steps("etcd_reads", {{"bug", "local_reads"}}, {}), 20U);
  // On the right, of three nodes: cut, re-election, write, copy, answer, read.
  EXPECT_LE(shrunk_steps("etcd_reads", {{"bug", "consistent_reads"}, {"nodes", "3"}, {"leader", "3"}}, {}),
            20U);
}

TEST(EtcdReads, FixedFormIsRight) {
  nemesis_test::expect_clean("etcd_reads", {}, {}, 20'000);
  nemesis_test::expect_clean("etcd_reads", {{"clients", "6"}, {"rounds", "3"}, {"ticks", "200"}},
                             {{"concurrent", "true"}, {"operations", "3"}}, 1'000);
  nemesis_test::expect_clean("etcd_reads",
                             {{"clients", "4"}, {"rounds", "2"}, {"nodes", "4"}, {"family", "semibalanced"}},
                             {{"inside", "pctcp"}}, 1'000);
  const auto random =
      hunt("etcd_reads", {{"clients", "4"}, {"rounds", "2"}}, {.strategy = "random", .runs = 3'000});
  EXPECT_EQ(random.buggy_runs, 0U);
}

}  // namespace
}  // namespace etcd_reads
