#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Carries out the recipes of docs/house.md in a copy of the sources: a block, a port of it, a port between two blocks of
# the plane, a policy, a parameter and a configuration. The result must lint and pass its tests; bad names must be
# rejected. Prints how many files and lines each recipe touched (new files aside). Ends with `N passed, N failed`.
#   test_recipes.sh --count    without builds and tests: prints only the counts (synth/house.py reads it)
set -u
passed=0 failed=0
count= copy=build/test/recipes
[ "${1:-}" != --count ] || count=1 copy=build/test/recipes_counted
check() { [ -n "$count" ] || must "$@"; }  # WHAT COMMAND..
must() { # WHAT COMMAND.. : also when only counting
  local what=$1
  shift
  if "$@" > "$copy.log" 2>&1; then
    passed=$((passed + 1)); [ -n "$count" ] || echo "ok      $what"
  else
    failed=$((failed + 1)); echo "FAILED  $what"; tail -20 "$copy.log"
  fi
}
inside() { (cd "$copy" && "$@"); }
refused() { # WORDS COMMAND.. : it must fail with these words
  local words=$1
  shift
  ! inside "$@" && grep -qF "$words" "$copy.log"
}
ran() { # POLICY OPTION.. : a run under it, whose report must name it
  local policy=$1
  shift
  inside build/heddle "$@" --policy "$policy" | grep "policy $policy,"
}
after() { sed -i "/$2/a\\$3" "$copy/$1"; }  # FILE PATTERN LINE : inserts a line after the matching one
begin() { rm -rf "$copy.before"; mkdir "$copy.before"; cp -r "$copy"/{rtl,cmodel,tb,verif,synth,docs} "$copy.before/"; }
most() { # WHAT FILES LINES : at most this many files touched and lines added
  local files lines new
  files=$(cd "$copy" && diff -rq -x __pycache__ "$OLDPWD/$copy.before" . | grep -c '^Files')
  lines=$(cd "$copy" && diff -r -x __pycache__ "$OLDPWD/$copy.before" . | grep -c '^>')
  new=$(cd "$copy" && for f in rtl cmodel tb verif synth docs; do
    diff -rqN -x __pycache__ "$OLDPWD/$copy.before/$f" $f
  done | wc -l)
  printf '%-13s   %s files made, %s touched, %s lines in them\n' "$1" $((new - files)) "$files" "$lines"
  [ "$files" -le "$2" ] && [ "$lines" -le "$3" ]
}
counted() {
  if most "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1)); echo "FAILED  $1: more than $2 files or $3 lines"
  fi
}

rm -rf "$copy"
mkdir -p "$copy"
cp -r rtl cmodel python tb verif synth docs Makefile pyproject.toml README.md CHANGELOG.md "$copy/"
new_block=tb/new_block/new_block.sh

# ---- a block
begin
for name in Chan 'a b' kmu burst; do
  check "the name '$name' is refused" refused "NAME='$name'" $new_block "$name" service
done
for c in '' top Graph; do check "the cluster '$c' is refused" refused "CLUSTER='$c'" $new_block sample "$c"; done
check "nothing is written then" diff -r "$copy.before/rtl" "$copy/rtl"
must "a block is made" inside make new-block NAME=sample CLUSTER=trial
counted block 4 4
check "its page" inside docs/update.sh --no-area docs/trial/sample.md
check "lint" inside synth/lint.sh --block sample
check "unit tests" inside make -j2 build/test/test_sample
check "they pass" inside build/test/test_sample

# ---- a port of it, and one between two blocks of the plane
begin
after rtl/trial/sample/sample.csv '^out,out_number' 'out,idle,1,1,no number waits'
after rtl/trial/sample/hd_sample.sv 'output logic \[31:0\] out_number_o' '  output logic        idle_o,'
after rtl/trial/sample/hd_sample.sv 'assign out_number_o' '  assign idle_o       = !valid_q;'
after cmodel/trial/sample.c 'out->out_number = ' '  out->idle = !m->valid;'
counted port 3 4
begin
after rtl/host/fcfs/fcfs.csv '^out,next' 'out,alone,1,1,one kernel is marked'
sed -i 's/^\(  output hd_pkg::entry_t .*\) next_o$/\1 next_o,\n  output logic alone_o/' "$copy/rtl/host/fcfs/hd_fcfs.sv"
after rtl/host/fcfs/hd_fcfs.sv 'assign head_o.kdei' '  assign alone_o = count_q == CountW'"'"'(1);'
after cmodel/host/fcfs.c 'out->next.kdei = ' '  out->alone = m->count == 1;'
sed -i '0,/^in,mem,/s//in,fcfs_alone,1,1,one kernel is marked (fcfs)\n&/' "$copy/rtl/service/memarb/memarb.csv"
sed -i '0,/^  input .* mem_i,/s//  input  logic fcfs_alone_i,\n&/
  $s/^endmodule/  logic unused_alone;\n  assign unused_alone = fcfs_alone_i;\n\nendmodule/' \
  "$copy/rtl/service/memarb/hd_memarb.sv"
counted wire 5 10
inside python3 rtl/hdgen rtl

# ---- a policy: queue 0 first, then groups launched by the SMX's own TBs
begin
echo 'policy,IdleBind,4,an SMX takes launches of its own TBs before it becomes idle' >> "$copy/rtl/pkg/enums.csv"
order=rtl/dispatch/laperm/hd_laperm_order
sed 's/smx_bind/idle_bind/g; s/SmxBind/IdleBind/g; s/bound_/other_/g; s/spare_/bound_/g; s/other_/spare_/g
  s/, before queue 0/, after queue 0/; s/^\/\/ - From .*/\/\/ - Ours: the longest-waiting entry goes first./' \
  "$copy/${order}_smx_bind.sv" > "$copy/${order}_idle_bind.sv"
after rtl/heddle.core 'hd_laperm_order_smx_bind.sv' '      - dispatch/laperm/hd_laperm_order_idle_bind.sv'
sed -i -n '# what SmxBind has: its wires, its instance, its place in the choice
  H; $!d; x; s/^\n//
  s/\(\n  logic [^\n]* smx_bind_bound_[^\n]*\)\{3\}/&\x01&\x02/; s/\n\n  hd_laperm_order_smx_bind [^;]*;/&\x01&\x02/
  :again; s/\(\x01[^\x02]*\)smx_bind/\1idle_bind/; t again
  s/\(\x01[^\x02]*\)SmxBind/\1IdleBind/; t again
  s/| smx_bind_\(\w*\) |/| idle_bind_\1 &/g; s/[\x01\x02]//g; p' "$copy/rtl/dispatch/laperm/hd_laperm_offers.sv"
cat > "$copy/cmodel/dispatch/laperm_order_idle_bind.c" << 'END'
/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/laperm_order.h"

struct hd_laperm_order_offer hd_laperm_order_idle_bind(const struct hd_laperm_order_view *v, unsigned smx) {
  unsigned own = hd_laperm_order_own(v, smx);
  return (struct hd_laperm_order_offer){.bound = -1, .spare = hd_bit(v->holding, own) ? (int)own : -1};
}
END
inside python3 rtl/hdgen rtl
counted policy 5 36

# ---- a parameter, a configuration
begin
others=$(sed -n 's/^param,k20c,\(.*\)meaning$/\1/p' rtl/pkg/configs.csv | tr -dc ,) # a comma for each column
after rtl/pkg/configs.csv '^ArrivalW,' "Looms,3,${others}what a test needs"
after rtl/pkg/limits.csv '^LevelW,' 'Looms,1,7,,'
inside python3 rtl/hdgen rtl
counted parameter 4 16
begin
sed -i -E "/^#/b; s/^(([^,]*,){$((${#others} + 1))}[^,]*),/\\1,,/
  s/^(param,.*),,meaning/\\1,loom,meaning/; s/^(NumSmx,.*),,/\\1,3,/" "$copy/rtl/pkg/configs.csv"
inside python3 rtl/hdgen rtl
counted configuration 1 99

# ---- all of them, built once
check "the ports are in RTL and tables alike" inside synth/lint.sh ports
check "the wire is in the plane" grep -q fcfs_alone "$copy/rtl/top/hd_top.sv"
check "the policy's modules are listed" inside synth/lint.sh modules
check "the plane lints" inside python3 tb/build tiny/top/lint
check "the harness" inside make -j2 OPT=-O1 build/heddle build/test/equiv_block
check "lockstep of the new block and its netlist" inside build/test/equiv_block sample netlist
check "its planted fault is caught" inside build/heddle faults sample
for block in sample fcfs memarb laperm regs top; do
  check "lockstep of $block" inside build/heddle equiv $block --config tiny --cycles 20000
done
search="run bfs tb/data/debian12.mtx.gz --config tiny --block-size 64 --launch dtbl --max-cycles 20000"
check "the policy is chosen by its name" ran idle-bind $search
check "all names are listed" refused 'rr tb-pri smx-bind adaptive-bind idle-bind' build/heddle $search --policy no
words='Looms=8: 1 to 7 is accepted'
check "the generator refuses a wrong value" refused "$words" python3 rtl/hdgen config --set Looms=8 -o /dev/null
check "the command refuses it in the same words" refused "$words" build/heddle equiv sample --config tiny --set Looms=8
check "lockstep with another value" inside build/heddle equiv sample --config tiny --set Looms=5 --cycles 2000
check "lockstep in the new configuration" inside build/heddle equiv tbcr --config loom --cycles 2000

told() { python3 synth/house.py > "$copy.counts" && grep -c '^| to add .* lines |$' "$copy.counts" | grep -qx 4; }
check "the counts agree with the page" told
[ "$failed" -gt 0 ] || rm -rf "$copy" "$copy.before" "$copy.counts"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
