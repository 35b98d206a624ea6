#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# The command under the address and undefined-behaviour sanitizers: lockstep of every block, a run, a replay of a
# failure. The Verilated blocks are not instrumented. Ends with `N passed, N failed`.
set -u
passed=0 failed=0
heddle=build/san/heddle
check() { # NAME EXPECTED-EXIT-CODE COMMAND..
  name=$1 want=$2
  shift 2
  "$@" > build/test/sanitized.out 2>&1
  code=$?
  if [ "$code" -eq "$want" ] &&
    ! grep -qE 'ERROR: (Address|Leak)Sanitizer|runtime error:' build/test/sanitized.out; then
    passed=$((passed + 1)) word=ok
  else
    failed=$((failed + 1)) word=FAILED
    tail -30 build/test/sanitized.out
  fi
  printf '%-7s %s\n' "$word" "$name"
}
mkdir -p build/test
check 'equiv all, tiny' 0 "$heddle" equiv all --config tiny --variant fault --cycles 10000
check 'equiv all, k20c' 0 "$heddle" equiv all --config k20c --cycles 5000
check 'run tiny' 0 "$heddle" run --config tiny --block-size 128 --sources 2 --quiet
check 'run k20c' 0 "$heddle" run --sources 2 --quiet
check 'a planted fault is caught, shortened and explained' 1 \
  "$heddle" equiv kd --config tiny --fault 10 --shrink 5 --out build/test
check 'its replay' 1 "$heddle" replay build/test/kd-tiny-random-1.replay
awk -F, '/^#/ || !seen[$2]++' verif/faults.csv > build/test/sanitized.csv
check 'a planted fault of each block' 0 "$heddle" faults --list build/test/sanitized.csv --out build/test/faults.json
check 'a run that fails, with its replay' 1 \
  "$heddle" run --config tiny --block-size 64 --sources 2 --fault 29 --report build/test/fails.txt
check 'its replay, as it was expected' 0 "$heddle" replay --expect build/test/top-tiny-run-0.replay
printf 'heddle-trace 1\n0 0 5 1 1 32 1 1 16 0 100\n50 1 3 2 1 64 1 1 8 512 exp(90)\n' > build/test/sanitized.trace
check 'a trace and its timeline' 0 \
  "$heddle" run --config tiny --trace build/test/sanitized.trace --timeline build/test/sanitized.json --json
check 'a waveform' 0 "$heddle" run --config tiny --trace build/test/sanitized.trace --wave build/test/sanitized.fst
check 'bench' 0 "$heddle" bench --config tiny --cycles 1000 --turns 1 --out build/test/bench.json
check 'graph info' 0 "$heddle" graph info tb/data/debian12.mtx.gz
check 'graph deplinks' 0 "$heddle" graph deplinks --pattern layered --grid 1000x60 -o build/test/sanitized.bin
printf '0 1\n1 2\n2 0\n' > build/test/sanitized.txt
check 'a cycle' 2 "$heddle" graph deplinks build/test/sanitized.txt
check 'a bad option' 2 "$heddle" run --config proof
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
