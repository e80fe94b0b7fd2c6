// Files that are written whole or not at all: into a temporary file beside the target, which then takes its name.
//
// A symbolic link stays one: what it points to is written. What is no regular file (a device, a pipe) is written in
// place, never replaced. The temporary file is new and ours, so nobody else's link is followed and two writers of one
// target do not meet.
#pragma once

#include <string>
#include <string_view>

namespace gainsay {

// Makes missing folders. Throws UserError "PATH: cannot write the WHAT: REASON".
void write_whole_file(const std::string& path, std::string_view what, std::string_view text);
// The same complaint where the place is such that nothing could be written there; nothing is left behind. For work
// that takes long: say it before.
void require_writable(const std::string& path, std::string_view what);

}  // namespace gainsay
