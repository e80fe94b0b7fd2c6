#include "gainsay/model/suite.hpp"

#include "gainsay/base/check.hpp"

namespace gainsay {
namespace {

class PathReader final : public TestReader {
 public:
  explicit PathReader(const std::vector<TestPath>& tests) : tests_(tests) {}
  bool next(TestPath& test) override {
    if (at_ == tests_.size()) return false;
    test = tests_[at_++];
    return true;
  }

 private:
  const std::vector<TestPath>& tests_;
  std::size_t at_ = 0;
};

}  // namespace

std::unique_ptr<TestReader> PathSuite::read(const StateGraph& graph) const {
  GAINSAY_CHECK(graph.digest() == graph_digest, "a suite is read beside its own graph");
  return std::make_unique<PathReader>(tests_);
}

std::uint64_t PathSuite::bytes() const {
  std::uint64_t sum = tests_.capacity() * sizeof(TestPath);
  for (const TestPath& test : tests_) sum += test.edges.capacity() * sizeof(GraphEdge);
  return sum;
}

}  // namespace gainsay
