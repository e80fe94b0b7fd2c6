// Paxos, explored by Gainsay and by a naive twin that was written from the same description and
// shares nothing with the system, the kernel or the explorer: integers in vectors, whole states in a
// std::set.
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/explorer/explore.hpp"

namespace twin::paxos_test {
namespace {

using Row = std::vector<int>;  // a message: type, from, to, then its content; or an actor's fields

enum MessageType { start, prepare, promise, accept, accepted };

// Fields of a proposer and of an acceptor, in the order of the description.
enum ProposerField { ballot, own, phase, promises, best_ballot, best_value, votes };
enum AcceptorField { promised, voted_ballot, voted_value };

struct PaxosState {
  std::vector<Row> actors;  // proposers, then acceptors
  std::multiset<Row> pending;

  friend auto operator<=>(const PaxosState&, const PaxosState&) = default;
};

class NaivePaxos {
 public:
  NaivePaxos(int proposers, int acceptors) : proposers_(proposers), acceptors_(acceptors) {}

  // {states, transitions}, breadth first.
  std::pair<std::size_t, std::size_t> explore() const {
    PaxosState first;
    for (int p = 0; p < proposers_; ++p) {
      first.actors.push_back({0, 0, 0, 0, -1, 0, 0});
      first.pending.insert({start, -1, p});
    }
    for (int a = 0; a < acceptors_; ++a) first.actors.push_back({-1, -1, 0});
    std::set<PaxosState> seen = {first};
    std::deque<PaxosState> queue = {first};
    std::size_t transitions = 0;
    while (!queue.empty()) {
      const PaxosState state = queue.front();
      queue.pop_front();
      // Equal messages are one transition: upper_bound skips the others.
      for (auto each = state.pending.begin(); each != state.pending.end();
           each = state.pending.upper_bound(*each)) {
        ++transitions;
        PaxosState next = state;
        next.pending.erase(next.pending.find(*each));
        deliver(next, *each);
        if (seen.insert(next).second) queue.push_back(next);
      }
    }
    return {seen.size(), transitions};
  }

 private:
  void broadcast(PaxosState& state, int from, Row message) const {
    for (int a = 0; a < acceptors_; ++a) {
      Row copy = message;
      copy[1] = from;
      copy[2] = proposers_ + a;
      state.pending.insert(copy);
    }
  }

  void deliver(PaxosState& state, const Row& message) const {
    Row& self = state.actors[static_cast<std::size_t>(message[2])];
    const int me = message[2];
    const int sender = message[1];
    switch (message[0]) {
      case start:
        self[ballot] = me;
        self[own] = 100 + me;
        self[phase] = 1;
        broadcast(state, me, {prepare, 0, 0, me});
        break;
      case prepare:
        if (message[3] > self[promised]) {
          self[promised] = message[3];
          state.pending.insert({promise, me, sender, message[3], self[voted_ballot], self[voted_value]});
        }
        break;
      case promise:
        if (message[3] != self[ballot] || self[phase] != 1) break;
        ++self[promises];
        if (message[4] >= 0 && message[4] > self[best_ballot]) {
          self[best_ballot] = message[4];
          self[best_value] = message[5];
        }
        if (self[promises] > acceptors_ / 2) {
          self[phase] = 2;
          broadcast(state, me,
                    {accept, 0, 0, self[ballot], self[best_ballot] >= 0 ? self[best_value] : self[own]});
        }
        break;
      case accept:
        if (message[3] >= self[promised]) {
          self[promised] = message[3];
          self[voted_ballot] = message[3];
          self[voted_value] = message[4];
          state.pending.insert({accepted, me, sender, message[3], message[4]});
        }
        break;
      case accepted:
        if (message[3] == self[ballot]) ++self[votes];
        break;
      default:
        break;
    }
  }

  int proposers_;
  int acceptors_;
};

struct Group {
  int proposers;
  int acceptors;
  std::size_t states;
  std::size_t transitions;
};

TEST(TwinPaxos, CountsAgree) {
  std::vector<Group> groups = {{1, 3, 210, 589}, {2, 2, 500, 1'252}, {3, 2, 15'188, 54'310}};
  if (std::getenv("GAINSAY_LONG") != nullptr) groups.push_back({2, 3, 98'160, 506'256});
  for (const Group& group : groups) {
    SCOPED_TRACE(testing::Message() << group.proposers << " proposers, " << group.acceptors << " acceptors");
    const auto naive = NaivePaxos(group.proposers, group.acceptors).explore();
    EXPECT_EQ(naive.first, group.states);
    EXPECT_EQ(naive.second, group.transitions);
  }
}

// The same counts from Gainsay, in every way it can count; with the larger group the naive twin takes seconds
// to agree.
TEST(TwinPaxos, EveryWayToExploreAgrees) {
  for (const Group& group : {Group{1, 3, 210, 589}, Group{2, 2, 500, 1'252}, Group{3, 2, 15'188, 54'310},
                             Group{2, 3, 98'160, 506'256}}) {
    SCOPED_TRACE(testing::Message() << group.proposers << " proposers, " << group.acceptors << " acceptors");
    const gainsay::OptionTexts options = {{"proposers", std::to_string(group.proposers)},
                                          {"acceptors", std::to_string(group.acceptors)}};
    std::vector<std::uint64_t> depths;
    for (const gainsay::ExploreOptions& how :
         {gainsay::ExploreOptions{}, gainsay::ExploreOptions{.workers = 2},
          gainsay::ExploreOptions{.workers = 3}, gainsay::ExploreOptions{.exact = true}}) {
      const auto result = gainsay::explore(gainsay::find_scenario("paxos"), options, how);
      EXPECT_TRUE(result.complete);
      EXPECT_TRUE(result.violations.empty());
      EXPECT_EQ(result.states, group.states);
      EXPECT_EQ(result.transitions, group.transitions);
      depths.push_back(result.depth);
    }
    EXPECT_EQ(std::count(depths.begin(), depths.end(), depths[0]), 4);
  }
}

}  // namespace
}  // namespace twin::paxos_test
