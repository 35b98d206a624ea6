#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# The recipes of docs/house.md, each done in a copy of the sources: a block, a port of it, a port between two blocks of
# the plane, a parameter and a configuration. What was made must lint and pass its tests; bad names are refused. Tells
# how many files and lines each touched (new files aside). Ends with `N passed, N failed`.
set -u
passed=0 failed=0
copy=build/test/recipes
check() { # WHAT COMMAND..
  local what=$1
  shift
  if "$@" > "$copy.log" 2>&1; then
    passed=$((passed + 1)); echo "ok      $what"
  else
    failed=$((failed + 1)); echo "FAILED  $what"; tail -20 "$copy.log"
  fi
}
inside() { (cd "$copy" && "$@"); }
refused() { # WORDS COMMAND.. : it fails and says these words
  local words=$1
  shift
  ! inside "$@" && grep -qF "$words" "$copy.log"
}
after() { sed -i "/$2/a\\$3" "$copy/$1"; }  # FILE PATTERN LINE : a line behind one
begin() { rm -rf "$copy.before"; mkdir "$copy.before"; cp -r "$copy"/{rtl,cmodel,tb,verif,synth,docs} "$copy.before/"; }
most() { # FILES LINES : no more than so many were touched, nor so many lines added
  local files lines new
  files=$(cd "$copy" && diff -rq -x __pycache__ "$OLDPWD/$copy.before" . | grep -c '^Files')
  lines=$(cd "$copy" && diff -r -x __pycache__ "$OLDPWD/$copy.before" . | grep -c '^>')
  new=$(cd "$copy" && for f in rtl cmodel tb verif synth docs; do
    diff -rqN -x __pycache__ "$OLDPWD/$copy.before/$f" $f
  done | wc -l)
  echo "        $((new - files)) files made, $files touched, $lines lines in them"
  [ "$files" -le "$1" ] && [ "$lines" -le "$2" ]
}
counted() {
  if most "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1)); echo "FAILED  more than $1 files or $2 lines"
  fi
}

rm -rf "$copy"
mkdir -p "$copy"
cp -r rtl cmodel tb verif synth docs Makefile README.md CHANGELOG.md "$copy/"
new_block=tb/new_block/new_block.sh

# ---- a block
begin
for name in Chan 'a b' kmu burst; do
  check "the name '$name' is refused" refused "NAME='$name'" $new_block "$name" service
done
for c in '' top Graph; do check "the cluster '$c' is refused" refused "CLUSTER='$c'" $new_block chan "$c"; done
check "nothing is written then" diff -r "$copy.before/rtl" "$copy/rtl"
check "a block is made" inside make new-block NAME=chan CLUSTER=channel
counted 4 4
check "its page" inside docs/update.sh --no-area docs/channel/chan.md
check "lint" inside synth/lint.sh --block chan
check "unit tests" inside make -j2 build/test/test_chan
check "they pass" inside build/test/test_chan
check "the harness" inside make -j2 build/heddle build/test/equiv_block
check "lockstep" inside build/test/equiv_block chan netlist
check "its planted fault is caught" inside build/heddle faults chan

# ---- a port of it, and one between two blocks of the plane
begin
after rtl/channel/chan/chan.csv '^out,out_number' 'out,idle,1,1,no number waits'
after rtl/channel/chan/hd_chan.sv 'output logic \[31:0\] out_number_o' '  output logic        idle_o,'
after rtl/channel/chan/hd_chan.sv 'assign out_number_o' '  assign idle_o       = !valid_q;'
after cmodel/channel/chan.c 'out->out_number = ' '  out->idle = !m->valid;'
counted 3 4
begin
after rtl/host/fcfs/fcfs.csv '^out,next_kdei' 'out,alone,1,1,one kernel is marked'
sed -i \
  's/^\(  output logic .*\) next_kdei_o$/\1 next_kdei_o,\n  output logic alone_o/' "$copy/rtl/host/fcfs/hd_fcfs.sv"
after rtl/host/fcfs/hd_fcfs.sv 'assign next_valid_o' '  assign alone_o = head_valid_o \&\& !next_valid_o;'
after cmodel/host/fcfs.c 'out->next_kdei = ' '  out->alone = m->count == 1;'
sed -i '0,/^in,req,/s//in,alone,1,1,one kernel is marked (fcfs)\n&/' "$copy/rtl/service/memarb/memarb.csv"
sed -i '0,/^  input .* req_i,/s//  input  logic alone_i,\n&/
  $s/^endmodule/  logic unused_alone;\n  assign unused_alone = alone_i;\n\nendmodule/' \
  "$copy/rtl/service/memarb/hd_memarb.sv"
after rtl/top/hd_top.sv '    .next_kdei_o .*(next_kdei)' '    .alone_o (alone)'
sed -i 's/^\(    .next_kdei_o .*(next_kdei)\)$/\1,/
  s/^  hd_memarb u_memarb (/&\n    .alone_i (alone),/
  s/^  logic head_valid, next_valid;/  logic head_valid, next_valid, alone;/' "$copy/rtl/top/hd_top.sv"
counted 6 16
check "the ports stand in RTL and tables alike" inside synth/lint.sh ports
check "the wire is found" inside synth/lint.sh nets
check "the plane lints" inside python3 tb/build tiny/top/lint
check "the harness" inside make -j2 build/heddle
for block in chan fcfs memarb top; do
  check "lockstep of $block" inside build/heddle equiv $block --config tiny --cycles 20000
done

# ---- a parameter, a configuration
begin
after rtl/pkg/configs.csv '^ArrivalW,' 'Looms,3,,,,,what a test needs'
after rtl/pkg/limits.csv '^LevelW,' 'Looms,1,7,,'
inside python3 rtl/pkg/hdgen.py limits -o rtl/common/hd_limits.sv
counted 3 12
words='Looms=8: 1 to 7 is accepted'
check "the generator refuses a wrong value" refused "$words" python3 rtl/pkg/hdgen.py sv --set Looms=8 -o /dev/null
check "the harness" inside make -j2 build/heddle
check "the command refuses it in the same words" refused "$words" build/heddle equiv chan --config tiny --set Looms=8
check "lockstep with another value" inside build/heddle equiv chan --config tiny --set Looms=5 --cycles 2000
begin
sed -i '/^#/b; s/^\([^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*\),/\1,,/
  s/^\(param,.*\),,meaning/\1,loom,meaning/; s/^\(NumSmx,.*\),,/\1,3,/' "$copy/rtl/pkg/configs.csv"
counted 1 99
check "the harness" inside make -j2 build/heddle
check "lockstep in the new configuration" inside build/heddle equiv tbcr --config loom --cycles 2000

[ "$failed" -gt 0 ] || rm -rf "$copy" "$copy.before"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
