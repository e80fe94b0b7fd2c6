#!/usr/bin/env bash
# Mutations: patches that bring a defect back, each of which must turn a test red.
#
#   tests/mutations/run.sh [PATCH...]      without arguments: systems/*/mutations/*.patch and tests/mutations/*.patch
#
# A patch is a unified diff against the root of the tree. Lines before the diff are comments; one of them says which
# test must notice, as binary:filter with a GoogleTest filter:
#
#   # test: test_systems:Paxos.*
#
# The tree is copied to build/mutations. The named test must pass there as it is and fail with the patch; a crash counts
# as a failure, running out of time does not. The copy uses the release preset, so everything the patch does not touch
# comes from the compiler cache.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
copy=$root/build/mutations
test_s_max=300

if (($#)); then
  patches=()
  for patch in "$@"; do patches+=("$(realpath "$patch")"); done
else
  shopt -s nullglob
  patches=("$root"/systems/*/mutations/*.patch "$root"/tests/mutations/*.patch)
fi
if ((${#patches[@]} == 0)); then
  echo "mutations: there are none"
  exit 0
fi

# Brings the copy up to date. Only contents that differ are written, with a new time stamp, so that exactly the
# objects that need it are built again, also after an interrupted run.
synchronise() {
  local file
  for file in "${tree[@]}"; do
    cmp -s "$root/$file" "$copy/$file" && continue
    mkdir -p "$copy/$(dirname "$file")"
    cp "$root/$file" "$copy/$file"
  done
  while IFS= read -r -d '' file; do
    [[ -e $root/$file ]] || rm "$copy/$file"
  done < <(files_below "$copy")
}

files_below() {
  (cd "$1" && find CMakeLists.txt CMakePresets.json LICENSE README.md cmake src tools systems papers tests \
    scripts/build.sh -type f -not -name '*.pyc' -print0 2>/dev/null || true)
}

complain() { printf 'mutation %s: %s\n' "$name" "$1"; }

# build TARGET: quiet; shows the log and fails if it does not build.
build() { "$copy/scripts/build.sh" release "$1" 2>"$copy/error.log" || { tail -n 40 "$copy/error.log"; return 1; }; }

# run_test BINARY FILTER: GoogleTest's exit code, 124 after test_s_max.
run_test() {
  (cd "$copy" && GAINSAY_TOOL=$copy/build/release/gainsay timeout "$test_s_max" \
    "build/release/$1" --gtest_filter="$2" --gtest_brief=1) >"$copy/test.log" 2>&1
}

# passes_unmutated BINARY FILTER: whether the test is green without the patch; asked once for each test.
declare -A known_green=()
passes_unmutated() {
  [[ -n ${known_green[$1:$2]-} ]] && return 0
  build "$1" || { complain "$1 does not build without it"; return 1; }
  run_test "$1" "$2" || { tail -n 20 "$copy/test.log"; complain "$1:$2 fails without it"; return 1; }
  if grep -q '^\[  PASSED  \] 0 tests' "$copy/test.log"; then
    complain "no test in $1 matches $2"
    return 1
  fi
  known_green[$1:$2]=1
}

# judge PATCH: whether the mutation is killed.
judge() {
  local patch=$1 code=0 directive binary filter
  directive=$(sed -n 's/^# test: *//p' "$patch" | head -n 1)
  binary=${directive%%:*} filter=${directive#*:}
  if [[ $directive != ?*:?* ]]; then
    complain "needs a line '# test: binary:filter'"
    return 1
  fi
  synchronise
  passes_unmutated "$binary" "$filter" || return 1
  if ! patch --directory "$copy" --strip 1 --fuzz 0 --force --no-backup-if-mismatch --reject-file=- \
      <"$patch" >"$copy/patch.log" 2>&1; then
    cat "$copy/patch.log"
    complain "does not apply"
    return 1
  fi
  build "$binary" || { complain "does not build"; return 1; }
  run_test "$binary" "$filter" || code=$?
  case $code in
    0) complain "SURVIVED $binary:$filter"; return 1 ;;
    124) complain "$binary:$filter ran longer than $test_s_max s"; return 1 ;;
    *) complain "killed" ;;
  esac
}

mapfile -d '' tree < <(files_below "$root")
mkdir -p "$copy"
failed=0
for patch in "${patches[@]}"; do
  name=${patch#"$root"/}
  name=${name%.patch}
  judge "$patch" || failed=$((failed + 1))
done
synchronise

echo "mutations: $((${#patches[@]} - failed)) of ${#patches[@]} killed"
((failed == 0))
