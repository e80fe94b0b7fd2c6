#!/usr/bin/env bash
# tests/fuzz/run.sh [SECONDS]   feeds the readers of histories to libFuzzer, with ASan and UBSan; 300 s by default.
# Needs clang with its runtime (Debian: clang-14, libclang-rt-14-dev). A crash is written to build/fuzz/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-300}
compiler=$(command -v clang++-16 || command -v clang++-15 || command -v clang++-14 || command -v clang++)
out=build/fuzz
mkdir -p "$out/corpus"

sources=(tests/fuzz/readers.cpp src/gainsay/base/{check,text,print}.cpp src/gainsay/oracle/{datum,history}.cpp
         src/gainsay/oracle/formats/*.cpp src/gainsay/oracle/transactions/*.cpp)
objects=()
for source in "${sources[@]}"; do
  [[ $source == *.test.cpp ]] && continue
  object=$out/$(tr / _ <<<"$source").o
  if [[ ! -e $object || $source -nt $object ]]; then
    "$compiler" -std=c++20 -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined \
      -Isrc -c "$source" -o "$object"
  fi
  objects+=("$object")
done
"$compiler" -fsanitize=fuzzer,address,undefined "${objects[@]}" -lfmt -o "$out/readers"

# One small file of each kind to begin with; the first byte is the format.
seed() { printf "$2" >"$out/corpus/$1"; }
seed json '\001{"process":1,"type":"invoke","f":"cas","value":[2,1]}\n{"process":1,"type":"ok","value":true}\n'
seed array '\002[{"process":1,"type":"invoke","value":[["r","x",0]]},{"process":1,"type":"ok","value":[["r","x",[1]]]}]'
seed edn '\003[{:process 0, :type :invoke, :f :read, :value nil} {:process 0 :type :ok :f :read :value #{1 "a"}}]'
seed elle '\003{:process 0 :type :invoke :value [[:append 1 2]]}{:process 0 :type :ok :value [[:append 1 2] [:r 1 []]]}'
seed log '\004INFO  jepsen.util - 3\t:invoke\t:cas\t[2 1]\nINFO  jepsen.util - 3\t:fail\t:cas\t[2 1]\n'
seed kv '\005{:process 0, :type :invoke, :f :append, :key "0", :value "x"}\n'
seed limo '\006# @object atomic-stack\n[1] call push(1)\n[2] call pop\n[1] return\n[2] return 1\n'
nice -n 19 "$out/readers" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
  -artifact_prefix="$out/" "$out/corpus"
