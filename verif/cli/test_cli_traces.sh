#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Tests of the heddle command: traces of version 3 on tiny: latencies of launches, events between streams, priorities,
# selection, instructions of warps. Ends with `N passed, N failed`.
dir=build/test/cli_traces
. verif/cli/cli.sh
run() { # NAME TRACE OPTION..: a run with its timeline (t.csv), launches (k.csv) and report (r.json), in $dir
  name=$1 trace=$2
  shift 2
  check "$name" 0 $heddle run --trace "$dir/$trace.trace" --config tiny --timeline "$dir/t.csv" --kernels "$dir/k.csv" \
    --json="$dir/r.json" --quiet "$@"
}
# NAME SCRIPT: checks launches by name; q: cycle in which the plane accepted it, b: of its first TB, e: of its
# completion.
launches() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { n = $at["name"]; gsub(/"/, "", n); q[n] = $at["queued"]; b[n] = $at["dispatched"]; e[n] = $at["done"] }
    END { '"$2"' }' "$dir/k.csv" > "$dir/out" 2> "$dir/err"
  note $? "  $1"
}

# ---- priorities: of launches that are ready at the same time the lower number is taken first, so its TBs go first
cat > "$dir/streams.trace" <<'END'
heddle-trace 3
kernel a  10 0  4 1 1  32 1 1  16 0  500
latency 700
record half 20 0
kernel b  30 0  4 1 1  32 1 1  16 0  300
kernel c  30 1  4 1 1  32 1 1  16 0  200
latency 0
wait half 40 1
kernel d  50 1  4 1 1  32 1 1  16 0  100
record end 60 1
wait end 70 0
kernel e  80 0  4 1 1  32 1 1  16 0  100
END
for engine in both model; do
  run "run --trace of version 3 --engine $engine" streams --engine $engine
  launches 'a launch comes its latency after the call' 'exit !(q["a"] == 710 && q["c"] == 30)'
  launches 'a launch behind it in its HWQ right after it' 'exit !(q["b"] == 711)'
  launches 'a HWQ waits for the event of another' 'exit !(q["d"] == e["a"] + 1 && q["d"] < e["b"])'
  launches '  and the other for its' 'exit !(q["e"] == e["d"] + 1)'
  cp "$dir/t.csv" "$dir/$engine.csv"
  cp "$dir/r.json" "$dir/$engine.json"
done
json '  in lockstep' run "$dir/both.json" \
  "r['kernels'] == 5 and r['cycles_compared'] >= r['cycles'] and not r['differences']"
same '  the same TBs in the same cycles' "$dir/both.csv" "$dir/model.csv"
same_run '  the same report' "$dir/both.json" "$dir/model.json"
run 'run --launch-latency' streams --engine model --launch-latency 1000
launches 'of the kernels that name none' 'exit !(q["a"] == 710 && q["c"] == 30 && q["b"] == 1030 &&
  q["d"] == (1050 > e["a"] + 1 ? 1050 : e["a"] + 1))'
json '  is in the report' run "$dir/r.json" "r['parameters']['launch_latency'] == 1000"
refused '--launch-latency without --trace' \
  '--launch-latency has no effect here; with --trace' $heddle run --launch-latency 5

# ---- priorities: of launches that are ready together that of the lower number is taken first, so its TBs go first
printf '%s\n' 'heddle-trace 3' 'kernel low 0 0 12 1 1 32 1 1 16 0 400' 'kernel high 0 1 12 1 1 32 1 1 16 0 400' \
  > "$dir/equal.trace"
sed 's/^kernel low/stream 1 -5\n&/' "$dir/equal.trace" > "$dir/prior.trace"
order() { # TBs in the order of their hand-out: names, each with its number of consecutive TBs
  sort -t, -k6,6n -k3,3n "$dir/t.csv" | cut -d, -f9 | grep -v name | uniq -c | tr -s ' "\n' ' ' > "$dir/out"
}
run 'two streams without priorities' equal --engine model
launches 'are taken in the order of the file' 'exit !(q["low"] == 0 && q["high"] == 1)'
order
[ "$(cat "$dir/out")" = ' 12 low 12 high ' ]
note $? '  and so are their TBs handed out'
run 'two streams with priorities' prior
launches 'are taken by priority' 'exit !(q["high"] == 0 && q["low"] == 1)'
order
[ "$(cat "$dir/out")" = ' 12 high 12 low ' ]
note $? '  and so are their TBs handed out'
sed 's/^kernel high 0/kernel high 50/' "$dir/prior.trace" > "$dir/late.trace"
run 'a launch of high priority that comes later' late --engine model
order
[ "$(cat "$dir/out")" = ' 12 low 12 high ' ]
note $? '  does not pass TBs of the kernel that runs: the plane goes by the order of launches'

# ---- selection
run 'run --only by number' streams --engine model --only 1,4-5
json '  runs these alone' run "$dir/r.json" \
  "[n['name'] for n in r['named']] == ['a', 'd', 'e'] and r['parameters']['kernels_left_out'] == 2"
run 'run --only by name' streams --engine model --only '[b-c],e'
json '  in the same way' run "$dir/r.json" \
  "[n['name'] for n in r['named']] == ['b', 'c', 'e'] and r['parameters']['only'] == '[b-c],e'"
check '  is in the report' 0 $heddle run --trace "$dir/streams.trace" --config tiny --engine model --only c
says out '  only            c: 1 of the 5 kernels of the trace'
refused '--only of a number that is none' \
  'no kernel is number 9; 1 to 5, or of the names a, b, c, d, e would be accepted' \
  $heddle run --trace "$dir/streams.trace" --config tiny --only 1,9
refused '--only without --trace' '--only has no effect here; with --trace' $heddle run --only 1

# ---- rejected by line
spoiled() { # SED-SCRIPT TEXT
  sed "$1" "$dir/streams.trace" > "$dir/bad.trace"
  refused "trace: $2" "bad.trace:$2" $heddle run --trace "$dir/bad.trace" --config tiny --engine model
}
spoiled 's/^record end 60 1/record end 60/' '10: field 3, HWQ, is missing; EVENT, arrival and HWQ would be accepted'
spoiled 's/^wait half/wait quarter/' "8: no 'record' of the event 'quarter' precedes this wait"
spoiled 's/^latency 700/latency soon/' "3: field 1, cycles, is 'soon'; a whole number from 0 to"
spoiled '1s/3/2/' "3: 'latency' requires version 3; a first line 'heddle-trace 3' would be accepted"
spoiled '2s/^/stream 0 low\n/' "2: field 2, priority, is 'low'; a whole number from -100, which goes first, to 100"
spoiled 's/^wait end 70 0/wait end 70 5/' '11: field 3, HWQ, is 5; tiny has 0 to 1'

# ---- instructions: kernels of tracers 5, 2 (with TBs and warps in each line) and 4 (with lines of the source), written
# by the description of the format. Lines of 128 bytes are counted by hand.
insts=verif/cli/accelsim/insts
check 'import --instructions' 0 $heddle import accelsim $insts --instructions -o "$dir/i.trace"
says err '3 warp programs; 1 atomics become a store and a load each; 0 texture instructions'
cat > "$dir/want" <<'END'
heddle-trace 3
# from NVBit traces of Accel-Sim, 1 cycles per instruction
program 1l:0 l:1x2 l@2:-2,32 s@3:-32,32 1b m f d t a@1:64 s@1:0 S:4 L:4,1 m 1e@16
program b e
kernel _Z3allPf  0 0  1 1 1  64 1 1  16 256  20
warps 0 0:32 1:0
program 1l:0 e
kernel _Z3oldPf  0 0  1 1 1  32 1 1  16 256  3
warps 0 2:32
kernel _Z5linesPf  0 0  1 1 1  32 1 1  16 256  3
warps 0 2:96
END
same '  keeps lines, units, barriers, and each program once' "$dir/i.trace" "$dir/want"
for engine in both model; do
  run "run --smx gpu --engine $engine" i --smx gpu --engine $engine
  cp "$dir/t.csv" "$dir/$engine.csv"
done
same '  the same TBs in the same cycles' "$dir/both.csv" "$dir/model.csv"
json '  issues the instructions of the trace, one more for the atomic' run "$dir/r.json" \
  "r['gpu']['instructions'] == 24 + 3 and \
  [r['gpu'][k] for k in ('loads', 'load_lines', 'stores', 'store_lines', 'delays', 'barriers')] == [7, 10, 4, 5, 5, 2]"
held() { # NAME CYCLES OPTION..: run time of the TB of the trace
  name=$1 cycles=$2
  shift 2
  run "$name" i --smx gpu --engine model "$@"
  [ "$(awk -F, 'NR == 2 { print $7 - $6 }' "$dir/t.csv")" = "$cycles" ]
  note $? "  holds the TB for $cycles cycles"
}
held 'a load from DRAM between two instructions' $((1 + 3 + 220)) --only _Z3oldPf
held '  of another latency' $((1 + 3 + 300)) --only 2 --dram-latency 300
run 'units' i --smx gpu --engine model --only 1
all=$(awk -F, 'NR == 2 { print $7 - $6 }' "$dir/t.csv")
held 'two instructions on shared memory' $((all + 2 * 53)) --only 1 --shared-latency 100
held 'one of the special function unit' $((all + 80)) --only 1 --special-latency 100
held 'one in double precision' $((all + 80)) --only 1 --double-latency 100
held 'one of the tensor cores' $((all + 80)) --only 1 --tensor-latency 100
run 'with the warp schedulers of the plane' i --smx gpu --engine model --warp gto
json '  the same instructions' run "$dir/r.json" "r['gpu']['instructions'] == 27 and r['gpu']['barriers'] == 2"
check 'import --only by name' 0 $heddle import accelsim $insts --only '_Z5*'
says out 'kernel _Z5linesPf  0 0  1 1 1  32 1 1  16 256  3'
says err '2 kernels omitted by --only'
check 'import --only by number' 0 $heddle import accelsim $insts --only 2-3
[ "$(grep -c ^kernel "$dir/out")" = 2 ]
note $? '  imports these alone'
refused 'import --only without a valid name' \
  "no kernel is called 'gemm*'; 1 to 3, or of the names _Z3allPf, _Z3oldPf, _Z5linesPf would be accepted" \
  $heddle import accelsim $insts --only 'gemm*'
refused '  by number' 'no kernel is number 7; 1 to 3 would be accepted' $heddle import accelsim $insts --only 7
refused '--smx gpu without instructions' 'streams.trace:2: no ' \
  $heddle run --trace "$dir/streams.trace" --config tiny --smx gpu --engine model
refused '--shared-latency without a trace' '--shared-latency has no effect here; with --trace' \
  $heddle run --smx gpu --engine model --shared-latency 5
bad() { # SED-SCRIPT FILE TEXT: rejected instructions
  rm -rf "$dir/bad" && cp -r $insts "$dir/bad"
  sed -i "$1" "$dir/bad/$2"
  refused "import -i: $3" "$2:$3" $heddle import accelsim "$dir/bad" -i
}
bad 's/^insts = 18/insts = 19/' kernel-1.traceg '43: warp 0 of the TB has 18 instructions'
bad 's/^0010 ffffffff/0010 1ffffffff/' kernel-1.traceg "25: an instruction's mask has more than 32 threads"
bad 's/ 4 1 0x7f0000001000 4 / 4 3 0x7f0000001000 4 /' kernel-1.traceg "25: an instruction's format of addresses is 3"
bad 's/^\(0010.*\) 4 1 0x7f.*/\1 0/' kernel-1.traceg "25: 'LDG.E.SYS' has no addresses"
bad 's/^\(0040.*\) 4 4096 0 $/\1 4/' kernel-1.traceg "28: an instruction's difference of addresses is ''"
bad 's/^warp = 1/warp = 0/' kernel-1.traceg '43: warp 0 of the TB occurs twice'
bad 's/^warp = 1/warp = 2/' kernel-1.traceg '43: warp 2 of a TB of 2 warps'
bad 's/^0 0 0 0 0010/0010/' kernel-2.traceg "24: an instruction's TB, warp or line is 'ffffffff'"
sed 's/ l:1x2/ l:1x99/' "$dir/i.trace" > "$dir/bad.trace"
refused 'a program of too many lines' "bad.trace:3: operation 2 is 'l:1x99'" $heddle run --trace "$dir/bad.trace"
counted
