// main() for programs that are made of scenarios alone: link gainsay::main.
#include "tools/cli.hpp"

int main(int argc, char** argv) { return gainsay::run_command_line(argc, argv); }
