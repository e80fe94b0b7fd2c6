// follow_document: a recorded execution repeated in a program that has changed since.
//
// Events are recognised by what a person would recognise them by: kind, receiver, sender and type of the message.
// Payloads, causes and ids decide only where that leaves several. So a trace survives other notes, other fields, other
// texts and a mended handler, and says "no longer violated" instead of "of another build".
#pragma once

#include <string>

#include "gainsay/execution/run/document.hpp"

namespace gainsay {

struct FollowedDocument {
  Replay replay;
  // Steps whose payload is another one now, and the first of them in words.
  std::size_t changed_steps = 0;
  std::string first_change;
  // Steps made after the recorded ones, because what was violated is judged only where nothing can happen any more.
  std::size_t further_steps = 0;
};

// `steps_max` bounds the steps after the recorded ones.
FollowedDocument follow_document(const Blueprint& blueprint, const TraceDocument& recorded,
                                 std::size_t steps_max);

}  // namespace gainsay
