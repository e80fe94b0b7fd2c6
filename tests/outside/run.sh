#!/usr/bin/env bash
# Installs Gainsay into build/outside/prefix, builds the project of this folder against it and, with GAINSAY_LONG, again
# with add_subdirectory (unoptimised, as that compiles the whole library once more), and runs what comes out: the seeded
# bug must be found, the fixed form must be clean.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$root/build/outside
mkdir -p "$work"

# expect CODE COMMAND...: runs it quietly; any other exit code ends the test with what was said.
expect() {
  local wanted=$1 code=0
  shift
  "$@" >"$work/output.log" 2>&1 || code=$?
  if ((code != wanted)); then
    cat "$work/output.log"
    echo "outside: exit code $code instead of $wanted: $*"
    exit 1
  fi
}

# expect_text TEXT: the command before must have printed it.
expect_text() {
  if ! grep -qF -- "$1" "$work/output.log"; then
    cat "$work/output.log"
    echo "outside: '$1' is not in the output"
    exit 1
  fi
}

# try NAME CMAKE_ARGUMENT...: configures, builds and runs the project.
try() {
  local build=$work/$1
  shift
  expect 0 cmake -S "$here" -B "$build" -G Ninja "$@"
  expect 0 cmake --build "$build" --parallel "$(nproc)"
  expect 0 "$build/counter" list
  expect_text "Two clerks add to one counter"
  expect 2 "$build/counter" zoo
  expect_text "counter: unknown verb 'zoo'"
  expect 2 "$build/counter" hunt counter --strategy transdpor
  expect_text "unknown strategy 'transdpor'"
  expect 1 "$build/counter" hunt counter --option bug=lost_update --runs 1000 --out "$build/traces"
  expect_text "an update was lost"
  expect 0 "$build/counter" hunt counter --strategy dfs --out "$build/traces"
  expect 0 "$build/counter_gtest"
  echo "outside: $(basename "$build") works"
}

launcher=()
if ccache=$(command -v ccache); then launcher=("-DCMAKE_CXX_COMPILER_LAUNCHER=$ccache"); fi

"$root/scripts/build.sh" release gainsay_main gainsay_tool
rm -rf "$work/prefix"
expect 0 cmake --install "$root/build/release" --prefix "$work/prefix"
expect 0 "$work/prefix/bin/gainsay" list
# The tables and searches of papers are the tool's; no archive has them, nor debug information.
for archive in "$work"/prefix/lib*/libgainsay*.a "$work"/prefix/lib*/*/libgainsay*.a; do
  [[ -e $archive ]] || continue
  if readelf --sections --wide "$archive" | grep -q '\.debug_info'; then
    echo "outside: $archive has debug information"
    exit 1
  fi
done

# Five commands from an empty folder to a violation in one's own actor, as docs/install.md says, and how long they take.
first_violation() {
  local folder=$work/counter begun=$SECONDS
  rm -rf "$folder"
  expect 0 mkdir "$folder"
  expect 0 cp -r "$work/prefix/share/gainsay/starter/." "$folder"
  expect 0 cmake -S "$folder" -B "$folder/build" "-DCMAKE_PREFIX_PATH=$work/prefix"
  expect 0 cmake --build "$folder/build"
  expect 1 "$folder/build/my_scenarios" hunt --all --out "$folder/traces"
  expect_text "the counter is 1 after two increments"
  echo "outside: five commands to a violation, $((SECONDS - begun)) s"
  ((SECONDS - begun < 600)) || { echo "outside: more than ten minutes"; exit 1; }
}
first_violation

try installed "-DCMAKE_PREFIX_PATH=$work/prefix" -DCMAKE_BUILD_TYPE=Release "${launcher[@]}"
# With add_subdirectory the whole library is compiled once more: for long runs.
[[ -n ${GAINSAY_LONG-} ]] || exit 0
try subdirectory "-DGAINSAY_FROM=$root" -DCMAKE_BUILD_TYPE=None "${launcher[@]}"
