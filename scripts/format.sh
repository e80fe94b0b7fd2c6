#!/usr/bin/env bash
# scripts/format.sh          formats every C++ file as .clang-format says
# scripts/format.sh --check  changes nothing; fails and names the files that would change
#
# One version of clang-format, because two versions disagree.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -d '' files < <(
  find src tools systems papers tests benchmarks docs/examples -name '*.[ch]pp' -print0 2>/dev/null | sort -z)
((${#files[@]})) || exit 0

if [[ ${1-} != --check ]]; then
  clang-format-14 -i "${files[@]}"
  exit 0
fi
if ! command -v clang-format-14 >/dev/null; then
  echo "format: clang-format-14 is not here; nothing checked" >&2
  exit 0
fi
# It says where each file differs: "file:line:column: error: ...".
if ! said=$(printf '%s\0' "${files[@]}" |
  xargs -0 -n 24 -P "$(nproc)" clang-format-14 --dry-run -Werror 2>&1); then
  bad=$(sed -n 's/^\([^: ]*\):[0-9]*:[0-9]*: error:.*/format: \1 is not formatted/p' <<<"$said" | sort -u)
  echo "${bad:-$said}" >&2
  echo "format: scripts/format.sh mends that" >&2
  exit 1
fi
echo "format: ${#files[@]} files are as they should be"
