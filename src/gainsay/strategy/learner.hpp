// Learner: the role of strategies whose later runs depend on what earlier runs taught.
//
// Runs are made by many workers, each with a strategy object of its own. What a worker's runs taught is taken as a
// value; the campaign merges these values in the order of the runs and teaches every worker at a fixed number of
// runs. So the result does not depend on who made which run.
#pragma once

#include <memory>
#include <vector>

#include "gainsay/base/bytes.hpp"
#include "gainsay/trace/results.hpp"

namespace gainsay {

// What consecutive runs taught.
class Lessons {
 public:
  virtual ~Lessons() = default;
  virtual std::unique_ptr<Lessons> clone() const = 0;
  // REQUIRES: `later` is of the same strategy with the same options, and of later runs.
  virtual void merge(const Lessons& later) = 0;
  // As bytes, so that another process can go on with a campaign (HuntOptions::journal), and back again into lessons
  // that were just taken. False: it cannot be done.
  virtual bool save(ByteWriter& out) const {
    (void)out;
    return false;
  }
  virtual bool load(ByteReader& in) {
    (void)in;
    return false;
  }
};

class Learner {
 public:
  // What the runs since the last call taught. Never null.
  virtual std::unique_ptr<Lessons> take_lessons() = 0;
  // All that has been taught so far. Called between runs. Strategy::guarantee and `shares` speak of these lessons.
  virtual void learn(const Lessons& all) = 0;
  // Of a strategy made of others: what each of them did.
  virtual std::vector<StrategyShare> shares() const { return {}; }

 protected:
  ~Learner() = default;
};

}  // namespace gainsay
