#!/usr/bin/env bash
# scripts/build.sh PRESET [TARGET...]: configures and builds a preset of CMakePresets.json.
# Says what it does in one line on stderr; the compiler's words appear only if something fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=$1
shift
mkdir -p build
log=build/$preset.log
exec 9>"build/$preset.lock"
flock 9  # two builds of one preset at a time would tread on each other

live=0
[[ -t 2 ]] && live=1
say() { printf 'build %s: %s\n' "$preset" "$1" >&2; }
start=$SECONDS
((live)) || say "started"

show_progress() {
  local line
  while IFS= read -r line; do
    if ((live)) && [[ $line == \[* ]]; then
      printf '\r\033[Kbuild %s: %s' "$preset" "${line%% *}" >&2
    fi
  done
  ((live)) && printf '\r\033[K' >&2
  return 0
}

# CMake refuses a build folder that was configured under another path.
cache=build/$preset/CMakeCache.txt
home=CMAKE_HOME_DIRECTORY:INTERNAL
if [[ -e $cache ]] && ! grep -qxF -e "$home=$PWD" -e "$home=$(pwd -P)" "$cache"; then
  say "the tree was moved; configuring again"
  rm "$cache"
fi

build() {
  cmake --preset "$preset" &&
    cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"}
}

if ! build "$@" 9>&- 2>&1 | tee "$log" | show_progress; then
  cat "$log" >&2
  say "failed; the log is $log"
  exit 1
fi
say "done in $((SECONDS - start)) s"
