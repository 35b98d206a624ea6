#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Runs test programs (cmocka, or scripts that end with `N passed, N failed`), a line for each, and sums up.
#   run_tests.sh 'PROGRAM [ARG..]'..        logs go to build/test/<name>.log; exit code 1 if anything failed
set -u
mkdir -p build/test
passed=0 failed=0
for t in "$@"; do
  name=$(basename "${t%% *}"); name=${name%.*}
  [ "$name" = heddle ] && name=${t##* }
  log=build/test/$name.log
  start=$(date +%s)
  sh -c "$t" > "$log" 2>&1
  code=$?
  p=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p; s/^\([0-9]*\) passed, [0-9]* failed$/\1/p' "$log" | awk '{s += $1} END {print s + 0}')
  f=$(sed -n 's/^\[  FAILED  \] [^:]*: \([0-9]*\) test.*/\1/p; s/^[0-9]* passed, \([0-9]*\) failed$/\1/p' "$log" | awk '{s += $1} END {print s + 0}')
  # A program that dies, or that ran nothing, has failed whatever it counted.
  [ "$code" -ne 0 ] && [ "$f" -eq 0 ] && f=1
  [ "$code" -eq 0 ] && [ "$p" -eq 0 ] && f=1
  if [ "$f" -eq 0 ]; then word=ok; else word=FAILED; fi
  printf '%-7s %-22s %4d passed %3d failed  %4d s\n' "$word" "$name" "$p" "$f" $(($(date +%s) - start))
  [ "$f" -eq 0 ] || { echo "---- $log"; tail -40 "$log"; echo "----"; }
  passed=$((passed + p)) failed=$((failed + f))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
