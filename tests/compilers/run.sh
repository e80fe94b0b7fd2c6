#!/usr/bin/env bash
# Builds the library, the command line and an example with each other compiler that is here (g++-13, g++-14, clang-19
# or newer), unoptimised, and hunts with it. The reference compiler has all other tests.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tried=0
for compiler in g++-13 g++-14 clang++-19 clang++-20 clang++-21; do
  command -v "$compiler" >/dev/null || continue
  build=$root/build/with-$compiler
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER="$compiler" \
    -DGAINSAY_BENCHMARKS=OFF -DGAINSAY_PRECOMPILE=OFF >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
  cmake --build "$build" --target example_lost_update example_tutorial example_lease >"$build.log" 2>&1 ||
    { cat "$build.log"; exit 1; }
  code=0
  "$build/example_lost_update" hunt lost_update --out "$build/traces" >/dev/null || code=$?
  ((code == 1)) || { echo "compilers: $compiler: exit code $code instead of 1"; exit 1; }
  echo "compilers: $compiler works"
  tried=$((tried + 1))
done
echo "compilers: $tried besides the reference"
