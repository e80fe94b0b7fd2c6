// The command line: every scenario of the program it is linked into, under the verbs that `--help` lists.
//
// Results go to stdout, progress and complaints to stderr. Returns the exit
// code: 0 nothing wrong found (searches: complete), 1 a violation found, 2 bad
// usage or bad input, told in one line `gainsay: ...`, 3 unknown or incomplete.
#pragma once

namespace gainsay {

int run_command_line(int argc, char** argv);

}  // namespace gainsay
