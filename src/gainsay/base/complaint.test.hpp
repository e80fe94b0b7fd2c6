// What a user is told about a mistake, for tests of messages.
#pragma once

#include <string>

#include "gainsay/base/check.hpp"

namespace gainsay {

// The text of the UserError that `mistake` throws; "": it throws none.
template <class Mistake> std::string complaint_of(Mistake&& mistake) {
  try {
    mistake();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace gainsay
