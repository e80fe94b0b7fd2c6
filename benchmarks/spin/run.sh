#!/usr/bin/env bash
# Runs the Promela model of Paxos under SPIN and prints one JSON object per line and configuration:
#   states, transitions as SPIN counts them, CPU seconds (user and system) of the fastest repetition, transitions per
#   CPU second.
#
#   run.sh [--exact] [--repeat N] [--hash-bits W] PxA...       default: --repeat 3 --hash-bits 22 2x3 2x4
#
# SPIN counts the initial state as a transition, so its count is one more than the number of deliveries. With -DHC4 it
# stores 32 hash bits per state (its hash function below -w33 has no more) and so loses about n^2/2^33 of n states:
# one of 2x3, 360 of 2x4. --exact leaves -DHC4 out, and the counts then are exact.
# -DNOREDUCE: every statement touches a global object, so partial-order reduction would only cost time.
set -euo pipefail

model=$(cd "$(dirname "$0")" && pwd)/paxos.pml
mode=HC4
repeat=3
hash_bits=22
configurations=()
while (($#)); do
  case $1 in
    --exact) mode=exact; shift ;;
    --repeat) repeat=$2; shift 2 ;;
    --hash-bits) hash_bits=$2; shift 2 ;;
    [1-3]x[1-5]) configurations+=("$1"); shift ;;
    *) echo "run.sh: expected --exact, --repeat N, --hash-bits W or PxA (up to 3x5), got '$1'" >&2; exit 2 ;;
  esac
done
((${#configurations[@]})) || configurations=(2x3 2x4)
command -v spin >/dev/null || { echo "run.sh: spin is not installed (apt-get install spin)" >&2; exit 2; }

flags=(-O3 -DSAFETY -DNOREDUCE -DMEMLIM=16384)
[[ $mode == HC4 ]] && flags+=(-DHC4)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
TIMEFORMAT='%U %S'

for configuration in "${configurations[@]}"; do
  proposers=${configuration%x*}
  acceptors=${configuration#*x}
  spin -DP="$proposers" -DA="$acceptors" -a "$model"
  "${CC:-gcc}" -w "${flags[@]}" pan.c -o pan
  best=
  for ((r = 0; r < repeat; ++r)); do
    { time ./pan -m1000 -n "-w$hash_bits" >pan.out; } 2>time.out
    if ! grep -q 'errors: 0$' pan.out || grep -qi 'not completed' pan.out; then
      echo "run.sh: $configuration: SPIN found an error or did not finish:" >&2
      cat pan.out >&2
      exit 1
    fi
    cpu_s=$(tail -n 1 time.out | awk '{ print $1 + $2 }')
    best=$(printf '%s\n' "$cpu_s" "${best:-$cpu_s}" | sort -g | head -n 1)
  done
  states=$(awk '/states, stored/ { print $1 }' pan.out)
  transitions=$(awk '/transitions \(= stored\+matched\)/ { print $1 }' pan.out)
  vector_bytes=$(awk '/^State-vector/ { print $2 }' pan.out)
  rate=$(awk -v t="$transitions" -v s="$best" 'BEGIN { if (s > 0) printf "%.0f", t / s; else printf "null" }')
  printf '{"tool":"spin","mode":"%s","proposers":%d,"acceptors":%d,"states":%d,"transitions":%d,' \
    "$mode" "$proposers" "$acceptors" "$states" "$transitions"
  printf '"state_vector_bytes":%d,"cpu_s":%s,"transitions_per_cpu_s":%s}\n' "$vector_bytes" "$best" "$rate"
done
