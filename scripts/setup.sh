#!/usr/bin/env bash
# scripts/setup.sh run    installs the Debian packages that building and running the tool need, if any is missing
# scripts/setup.sh test   also those that testing needs
# scripts/setup.sh long   also those of ./test --long
#
# Says what it will install before it does. Where all is there it needs no rights; else root, or sudo.
set -euo pipefail

packages=(cmake ninja-build g++ python3 libfmt-dev nlohmann-json3-dev libcli11-dev)
case "${1-run}" in
  run) ;;
  test | long)
    packages+=(ccache libgtest-dev libgmock-dev libbenchmark-dev patch clang-format-14)  # tests and benchmarks
    packages+=(liblemon-dev zstd)                                                        # covers
    packages+=(chromium)                                                                 # pages
    packages+=(libraft-dev)                                                              # systems/libraft
    if [[ $1 == long ]]; then packages+=(clang-19 debhelper); fi                         # other compilers, packages
    ;;
  *)
    echo "usage: scripts/setup.sh [run|test|long]" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian system: docs/install.md says what is needed; going on with what is here" >&2
  exit 0
fi

installed() {
  [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null || true) == installed ]]
}
offered() { apt-cache show "$1" >/dev/null 2>&1; }

missing=()
for package in "${packages[@]}"; do
  installed "$package" && continue
  # The formatter is pinned, and another distribution may have none of that version: then formatting is not checked.
  if [[ $package == clang-format-14 || $package == clang-19 ]] && ! offered "$package"; then
    echo "setup: $package is not offered here; what needs it is left out" >&2
    continue
  fi
  missing+=("$package")
done

# Boost's headers, 1.81 or newer: of the distribution if they are, else under their own name.
boost=
for package in libboost1.90-dev libboost1.88-dev libboost1.83-dev libboost1.81-dev; do
  if installed "$package"; then boost=$package; fi
done
if [[ -z $boost ]]; then
  for package in libboost1.83-dev libboost1.81-dev libboost1.88-dev libboost1.90-dev; do
    if offered "$package"; then
      boost=$package
      break
    fi
  done
  missing+=("${boost:-libboost-dev}")
fi

((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "setup: missing: ${missing[*]}; there is neither root nor sudo, so ask for: apt-get install ${missing[*]}" >&2
    exit 2
  fi
  as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "setup: will install ${missing[*]}" >&2
if ! { "${as_root[@]}" apt-get update -q &&
       "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
         apt-get install -q -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  cat "$log" >&2
  echo "setup: could not install ${missing[*]}" >&2
  exit 2
fi
