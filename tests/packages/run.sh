#!/usr/bin/env bash
# The archive that CPack makes of build/release: unpacked elsewhere, its tool runs and a project finds it. With
# GAINSAY_LONG also the Debian packages, built from a copy of the tree and unpacked.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$root/build/packages
rm -rf "$work"
mkdir -p "$work"

fail() {
  cat "$work/log" 2>/dev/null || true
  echo "packages: $1"
  exit 1
}

# smoke PREFIX: the tool runs, and finds a seeded bug.
smoke() {
  "$1/bin/gainsay" --version >"$work/log" 2>&1 || fail "the tool of $1 does not run"
  local code=0
  "$1/bin/gainsay" hunt flush_race --option bug=overtake --out "$work/traces" >"$work/log" 2>&1 || code=$?
  ((code == 1)) || fail "the tool of $1: exit code $code instead of 1"
  for file in man/man1/gainsay.1 man/man1/gainsay-hunt.1 bash-completion/completions/gainsay \
    zsh/vendor-completions/_gainsay fish/vendor_completions.d/gainsay.fish; do
    [[ -s $1/share/$file || -s $1/share/$file.gz ]] || fail "$1 has no share/$file"
  done
  [[ -e $1/include/gainsay/gainsay.hpp ]] || fail "$1 has no headers"
  [[ -n $(find "$1" -name gainsay-config.cmake) ]] || fail "$1 has no gainsay-config.cmake"
}

(cd "$root/build/release" && cpack -G TGZ -B "$work" >"$work/log" 2>&1) || fail "cpack failed"
mkdir "$work/unpacked"
tar -xzf "$work"/gainsay-*.tar.gz -C "$work/unpacked" --strip-components=1
smoke "$work/unpacked"
echo "packages: the archive works"

[[ -n ${GAINSAY_LONG-} ]] || exit 0
command -v dh >/dev/null || fail "debhelper is missing"
mkdir "$work/source"
(cd "$root" && git ls-files -z | xargs -0 cp --parents -t "$work/source")
(cd "$work/source" && dpkg-buildpackage -us -uc -b -d >"$work/log" 2>&1) || fail "dpkg-buildpackage failed"
mkdir "$work/installed"
for package in "$work"/*.deb; do dpkg-deb -x "$package" "$work/installed"; done
smoke "$work/installed/usr"
echo "packages: the Debian packages work"
