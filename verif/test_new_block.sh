#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# make new-block: a copy of the sources gets a block, which must lint and pass its tests, in RTL and netlist; bad names are refused.
# Ends with `N passed, N failed`.
set -u
passed=0 failed=0
copy=build/test/new_block
check() { # WHAT COMMAND..
  what=$1
  shift
  if "$@" > "$copy.log" 2>&1; then
    passed=$((passed + 1)); echo "ok      $what"
  else
    failed=$((failed + 1)); echo "FAILED  $what"; tail -20 "$copy.log"
  fi
}
refused() { ! (cd "$copy" && tb/new_block/new_block.sh "$1" "${2-service}") && grep -q "${3-NAME='$1'}" "$copy.log"; }
inside() { (cd "$copy" && "$@"); }
rm -rf "$copy"
mkdir -p "$copy"
cp -r rtl cmodel tb verif synth docs Makefile "$copy/"
for name in Chan 'a b' kmu burst; do check "the name '$name' is refused" refused "$name"; done
cp rtl/pkg/blocks.csv "$copy.before"
for cluster in '' top Graph; do check "the cluster '$cluster' is refused" refused chan "$cluster" "CLUSTER='$cluster'"; done
check "nothing is written then" cmp "$copy.before" "$copy/rtl/pkg/blocks.csv"
check "a block is made" inside make new-block NAME=chan CLUSTER=channel
check "its page" inside docs/update.sh --no-area docs/channel/chan.md
check "lint" inside synth/lint.sh --block chan
check "unit tests" inside make -j2 build/test/test_chan
check "they pass" inside build/test/test_chan
check "the harness" inside make -j2 build/heddle build/test/equiv_block
check "lockstep" inside build/test/equiv_block chan netlist
check "its planted fault is caught" inside build/heddle faults chan
[ "$failed" -gt 0 ] || rm -rf "$copy" "$copy.before"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
