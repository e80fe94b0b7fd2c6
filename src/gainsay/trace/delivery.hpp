// Delivery: the order that messages to one receiver keep. A link (sender, receiver) has one of these.
#pragma once

#include <cstdint>

namespace gainsay {

enum class Delivery : std::uint8_t {
  unordered,  // any pending message may be next
  fifo,       // per link (sender, receiver): in the order they were sent
  causal,     // a message waits for every message to the same receiver whose sending happened before its own
  mailbox,    // per receiver: in the order they were sent, whoever sent them
  queue,      // the same, but what one step sends is sent one by one, and others may send in between
};

}  // namespace gainsay
