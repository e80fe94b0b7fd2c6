#!/usr/bin/env bash
# Installs the Debian packages that building and testing need, and only those that are missing.
set -euo pipefail

packages=(
  cmake ninja-build g++ ccache python3                              # building
  libboost1.81-dev libfmt-dev nlohmann-json3-dev libcli11-dev       # the library and the tool
  libgtest-dev libgmock-dev libbenchmark-dev patch clang-format-14  # tests and benchmarks
  liblemon-dev zstd                                                 # tests of covers, against another solver
  chromium                                                          # tests of pages
)

if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian system; install the counterparts of: ${packages[*]}" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $state == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "setup: these packages are missing, and there is neither root nor sudo to install them: ${missing[*]}" >&2
    exit 2
  fi
  as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "setup: installing ${missing[*]}" >&2
if ! { "${as_root[@]}" apt-get update -q &&
       "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
         apt-get install -q -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  cat "$log" >&2
  echo "setup: could not install ${missing[*]}" >&2
  exit 2
fi
