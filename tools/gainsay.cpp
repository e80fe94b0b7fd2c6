// The tool `gainsay`: the command line with the bundled systems in it.
#include "tools/cli.hpp"

int main(int argc, char** argv) { return gainsay::run_command_line(argc, argv); }
