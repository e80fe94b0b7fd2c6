#include "gainsay/scenario/view.hpp"

#include <algorithm>

namespace gainsay {

void WorldReader::note_far_read(ActorId actor) const {
  if (scope_ == nullptr || stray_ != nobody) return;
  if (std::find(scope_->begin(), scope_->end(), actor) == scope_->end()) stray_ = actor;
}

}  // namespace gainsay
