#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Tests of the heddle command, first part: help, exit codes, reports and their keys, output files that are either
# complete or absent, error messages that name the accepted values. Graphs and tiles: test_cli_graphs.sh. Requires the
# blocks of tiny and the plane of k20c. Ends with `N passed, N failed`.
dir=build/test/cli
. verif/cli/cli.sh

# ---- help, version, bad usage
for c in run sweep example graph equiv replay wave faults mutants prove area fpga campaign channels gpu bench; do
  check "$c --help" 0 $heddle $c --help
  says out "Usage: heddle $c "
done
check 'help' 0 $heddle --help
check 'version' 0 $heddle --version
says out 'heddle '
refused 'no such command' "no command 'weave'; there are: run sweep example graph" $heddle weave
check 'no command' 2 $heddle
for c in run sweep example graph equiv replay wave faults mutants prove area fpga campaign channels gpu bench; do
  refused "$c with an unknown option" "heddle $c" $heddle $c --no-such-option
done
refused 'a number that is none' '--cycles 1e6: accepted' $heddle equiv kd --config tiny --cycles 1e6
refused 'no such block' "no block 'loom'; there are: kmu" $heddle equiv loom
refused 'no such profile' "no profile 'lazy'; there are: free" $heddle equiv kd --config tiny --profile lazy
refused 'no such engine' 'rtl, model or both' $heddle run --engine fast
refused 'a policy that comes later' 'not implemented yet' $heddle run --policy lvl
refused 'a policy without launches' 'launch cdp or dtbl would be accepted' $heddle run --policy tb-pri
refused 'no such launch model' 'accepted: flat cdp dtbl waves barriers graph' $heddle run --launch cdpx
refused 'a waveform of the model' '--wave needs the RTL' $heddle run --engine model --wave x.fst
refused 'a configuration that is not available yet: proof' "'proof' is not available before" \
  $heddle equiv kd --config proof
refused 'no such configuration' "no configuration 'k80'; there are: k20c" $heddle run --config k80
refused 'no such parameter' 'no such parameter; these would be accepted: NumSmx' $heddle run --set Smx=3
refused 'a parameter out of range' 'NumSmx' $heddle run --set NumSmx=0
refused 'a TB too large' '--block-size 128 or less fits' $heddle run --config tiny --block-size 256
refused 'no such build' "no variant 'gates'; there are: rtl, fast" $heddle equiv kd --config tiny --variant gates
check 'a missing build is made' 0 $heddle equiv fcfs --config tiny --set NumKde=11 --cycles 1000
check 'a missing build that cannot be made' 2 env HEDDLE_BUILD=none $heddle equiv kd --config tiny
says err 'no file none/tiny/kd/rtl.so'
refused 'a missing graph' 'none.mtx: No such file' $heddle run none.mtx
refused 'a missing replay' 'none.replay: No such file' $heddle replay none.replay
printf 'heddle-replay 9\n' > "$dir/bad.replay"
refused 'a replay of another version' 'bad.replay:1: version: ' $heddle replay "$dir/bad.replay"
refused 'a waveform that is none' "neither a block nor a readable FST" $heddle wave none.fst

# ---- run
for e in rtl model both; do
  check "run --engine $e" 0 $heddle run $small --engine $e --json
  cp "$dir/out" "$dir/$e.json"
  json "  its report has the stable keys" run "$dir/$e.json" \
    "r['engine'] == '$e' and r['config'] == 'tiny' and r['answer_ok']"
done
json '  nothing was compared with one engine' run "$dir/rtl.json" "r['cycles_compared'] == 0"
json '  every cycle was compared with both' run "$dir/both.json" \
  "r['cycles_compared'] >= r['cycles'] and r['differences'] == 0"
for c in 'v100 80 98304' 'a100 108 167936' 'h100 132 233472'; do
  set -- $c
  check "run --config $1, a TB for each SMX" 0 $heddle run bfs --config $1 --sources 4 --smem $3 --engine model \
    --json="$dir/$1.json" --quiet
  json "  on $2 SMXs" run "$dir/$1.json" "r['config'] == '$1' and r['answer_ok'] and len(r['occupancy']) == $2"
  refused "run --config $1 with a byte more" "an SMX of $1 has $3;" $heddle run bfs --config $1 --smem $(($3 + 1))
done
same_run 'the three engines report the same except engine, seconds and counts of compared or skipped cycles' \
  "$dir/rtl.json" "$dir/model.json" "$dir/both.json"
check 'the same run again' 0 $heddle run $small --json="$dir/again.json"
same_run '  gives the same report' "$dir/both.json" "$dir/again.json"
check 'with seed and jitter' 0 $heddle run $small --seed 7 --timeline "$dir/a.csv" --quiet
check '  again' 0 $heddle run $small --seed 7 --timeline "$dir/b.csv" --quiet --engine model
same '  gives the same timeline, row for row' "$dir/a.csv" "$dir/b.csv"
check 'run as text' 0 $heddle run $small --report "$dir/report.txt"
says out 'differences: 0'
grep -q "$(printf '\033')" "$dir/out" "$dir/report.txt"
[ $? -eq 1 ]
note $? '  without colour codes'
[ "$(tail -1 "$dir/report.txt")" = PASS ]
note $? '  that ends in the verdict'
check 'run --timeline as CSV' 0 $heddle run $small --timeline "$dir/t.csv" --json="$dir/t.json"
json '  a row for each TB, each in its order' timeline "$dir/t.csv" "$dir/t.json"
check 'run --timeline as a Chrome trace' 0 $heddle run $small --timeline "$dir/c.json" --quiet
json '  an event for each TB' chrome "$dir/c.json" "$dir/t.json"
check 'run --wave' 0 $heddle run $small --wave "$dir/w.fst" --wave-cycles 500 --quiet
[ -s "$dir/w.fst" ] && [ -s "$dir/w.fst.gtkw" ]
note $? '  leaves the waveform and its view'
grep -qx '\[dumpfile\] "w.fst"' "$dir/w.fst.gtkw" && grep -qx '\[savefile\] "w.fst.gtkw"' "$dir/w.fst.gtkw"
note $? '  which can be moved together'
check 'run in k20c' 0 $heddle run --sources 2 --engine model --json="$dir/k20c.json"
json '  has 13 SMXs' run "$dir/k20c.json" "len(r['occupancy']) == 13"
for l in cdp dtbl; do
  for e in rtl model both; do
    check "run --launch $l --engine $e" 0 $heddle run $small --launch $l --ideal --engine $e \
      --json="$dir/$l-$e.json" --timeline "$dir/$l-$e.csv" --kernels "$dir/$l-$e-kernels.csv"
  done
  json '  its launches were answered, and the answer is right' run "$dir/$l-both.json" \
    "r['answer_ok'] and r['launch'] == '$l' and r['device']['launches'] == sum(r['device']['answers'].values()) > 100"
  json '  a row for each TB of kernels and children' timeline "$dir/$l-both.csv" "$dir/$l-both.json"
  json '  a row for each launch, as the timeline has it' kernels "$dir/$l-both-kernels.csv" "$dir/$l-both.json" \
    "$dir/$l-both.csv"
  same_run '  the three engines report the same' "$dir/$l-rtl.json" "$dir/$l-model.json" "$dir/$l-both.json"
  same '  and have the same launches' "$dir/$l-rtl-kernels.csv" "$dir/$l-model-kernels.csv"
done
check 'run --longest' 0 $heddle run $small --launch cdp --ideal --engine model --longest 3 --json="$dir/longest.json"
says out 'launches, here the 3 that waited longest; --kernels FILE writes all'
json '  its report has three launches' run "$dir/longest.json" "len(r['longest']) == 3"
check 'run --longest 0' 0 $heddle run $small --engine model --longest 0
grep -q 'longest wait\|waited longest' "$dir/out"
[ $? -eq 1 ]
note $? '  has no table'
check 'a run that ends early' 6 $heddle run $small --launch cdp --engine model --max-cycles 30000 \
  --json="$dir/early.json" --kernels "$dir/early.csv" --longest 100000
json '  reports how long launches without a TB have waited' run "$dir/early.json" \
  "any(r['kind'] != 'host' for r in r['longest']) and all(l['wait'] == r['cycles'] - l['queued']
   for l in r['longest'] if l['dispatched'] is None) and any(l['done'] is None for l in r['longest'])"
printf '%s\n' 'heddle-trace 2' 'kernel vec,add 0 0 5 1 1 32 1 1 16 0 100' \
  'kernel mul 50 1 3 2 1 64 1 1 8 512 100' > "$dir/named.trace"
check 'run --kernels of a trace with names' 0 $heddle run --trace "$dir/named.trace" --config tiny --engine model \
  --json="$dir/named.json" --kernels "$dir/named.csv" --timeline "$dir/named-tbs.csv"
json '  has the names' kernels "$dir/named.csv" "$dir/named.json" "$dir/named-tbs.csv"
grep -q '^host,0,.*,"vec,add"$' "$dir/named.csv" && grep -q '"name":.*"mul"' "$dir/named.json"
note $? '  in CSV and JSON'
refused 'a table of launches that cannot be written' 'No such file' $heddle run $small --kernels /nonexistent/t.csv
awk 'BEGIN { for (v = 0; v < 400; v++) { print v, (v + 1) % 400; if (v % 3) print v, v % 7 } }' > "$dir/hubs.txt"
on_warps="$dir/hubs.txt --config tiny --block-size 64 --sources 2 --smx gpu"
for l in flat cdp dtbl; do
  for e in rtl model both; do
    check "run --smx gpu --launch $l --engine $e" 0 $heddle run bfs $on_warps --launch $l --engine $e \
      --json="$dir/gpu-$l-$e.json" --quiet
  done
  json '  each requested line arrived, and the answer is right' run "$dir/gpu-$l-both.json" \
    "r['answer_ok'] and 0 < r['gpu']['ipc'] <= 8 and 0 < r['gpu']['l1_hit_rate'] < 1 and r['cycles_compared'] > 0"
  same_run '  the three engines report the same' "$dir/gpu-$l-rtl.json" "$dir/gpu-$l-model.json" "$dir/gpu-$l-both.json"
done
check 'run --smx gpu with other sizes' 0 $heddle run bfs $on_warps --engine model --l1 32 --l1-ways 8 --mshrs 4 \
  --merges 1 --l2 1536 --l2-parts 6 --dram-bandwidth 10 --schedulers 2 --json="$dir/sizes.json"
says out 'operations of warps/s'
json '  which are in the report' run "$dir/sizes.json" \
  "[r['parameters'][k] for k in ('smx', 'l1', 'mshrs', 'l2_parts', 'dram_bandwidth')] == ['gpu', 32, 4, 6, 10]"
check 'run --footprint and --series' 0 $heddle run bfs $on_warps --engine model --launch dtbl --footprint \
  --series "$dir/series.csv" --series-every 100 --json="$dir/footprint.json" --quiet
json '  shares of children that ran' run "$dir/footprint.json" \
  "0 < r['gpu']['footprint']['parent_child'] <= 1 and r['gpu']['footprint']['child_ctas'] <= r['device']['ctas']"
json '  a row for each interval' run "$dir/footprint.json" \
  "r['cycles'] // 100 == $(tail -n +2 "$dir/series.csv" | grep -c '^[0-9]*99,')"
python3 tb/experiments/table_gpu.py --config tiny --seeds 2 --sources 2 --json="$dir/table-gpu.json" \
  -- "$dir/hubs.txt" --block-size 64 > "$dir/out" 2> "$dir/err"
note $? 'table_gpu.py'
says out 'all searches agree with a plain BFS in every run'
check 'gpu' 0 $heddle gpu
says out '0 of 16 out of tolerance'
check 'gpu --json' 0 $heddle gpu --json
refused 'gpu with an argument' 'one argument too many' $heddle gpu now
refused 'footprints without children' 'cdp or dtbl would be accepted' $heddle run --smx gpu --footprint
refused 'a series of another kind' '.csv or .csv.gz would be accepted' \
  $heddle run --smx gpu --series "$dir/series.json" --engine model
refused 'a series of timers' '--smx gpu would be accepted' $heddle run --series "$dir/none.csv"
refused 'an SMX of another kind' 'timer or gpu would be accepted' $heddle run --smx cpu
refused 'a size of warps without warps' '--smx gpu would be accepted' $heddle run --mshrs 4
refused 'a size out of range' '--mshrs 0: accepted: a whole number from 1 to 4096' $heddle run --smx gpu --mshrs 0
refused 'sizes that do not go together' 'an L1 of 16 KB is not a whole number of sets of 3 ways' \
  $heddle run --smx gpu --l1-ways 3 --engine model
printf 'heddle-trace 1\n0 0 5 1 1 32 1 1 16 0 100\n' > "$dir/warps.trace"
refused 'a trace without instructions on warps' "warps.trace:2: no 'warps' lines follow" \
  $heddle run --trace "$dir/warps.trace" --smx gpu
refused 'a timer on the warps of tiles' '--uneven with --smx gpu' $heddle run sw --smx gpu --uneven 50
refused 'a timer on warps' '--overhead with --smx gpu' $heddle run --smx gpu --overhead 3
groups="r['device']['groups_overflowed'] == r['device']['answers']['kept'] <= r['device']['bursts_read']"
json '  groups: most find a kernel, and those that overflow come back' run "$dir/dtbl-both.json" \
  "r['device']['match_rate'] > 0.5 and 0 < $groups"
for l in cdp dtbl; do
  check "run --launch $l on the bundled graph" 0 $heddle run --launch $l --ideal --engine model --json="$dir/$l.json"
  json '  all that is launched is taken: nothing is refused or done alone' run "$dir/$l.json" \
    "r['parameters']['sources'] == 1 and r['device']['alone_share'] == 0 == r['device']['refused']"
done
check 'run --launch cdp with the latencies of a K20c' 0 \
  $heddle run $small --launch cdp --engine model --json="$dir/slow.json"
json '  each call takes as long as one thread at least' run "$dir/slow.json" \
  "r['device']['wait_from_call_mean'] - r['device']['wait_mean'] >= 7165 + 8023 + 129 + 12187 + 1592 + 283"
python3 tb/experiments/sweep_agt.py --config tiny --sizes 4,1024 --seeds 2 --sources 2 --json="$dir/sweep.json" \
  -- "$dir/made.mtx" --block-size 64 --ideal > "$dir/out" 2> "$dir/err"
note $? 'sweep_agt.py'
says out 'freelist'
"$python" -S -c "
import json
r = json.load(open('$dir/sweep.json'))['rows']
assert len(r) == 6 and r[4]['overflow_rate']['mean'] > r[5]['overflow_rate']['mean'] == 0
assert all(x['seeds'] == 2 and x['cycles']['sd'] > 0 for x in r)" 2> "$dir/err"
note $? '  from a free list a large AGT never overflows, a small one does'
check 'a graph of few launches, which take their latencies' 0 $heddle graph graph500 --nodes 64 -o "$dir/few.mtx"
python3 tb/experiments/table_dtbl.py --config tiny --kdes 8 --seeds 2 --sources 2,1 --json="$dir/table.json" \
  -- "$dir/few.mtx" --block-size 64 --threshold 16 > "$dir/out" 2> "$dir/err"
note $? 'table_dtbl.py'
says out 'all searches agree with a plain BFS in every run'
"$python" -S -c "
import json
r = json.load(open('$dir/table.json'))['rows']
assert [x['launch'] for x in r] == 2 * ['flat', 'cdp', 'dtbl', 'cdp', 'dtbl', 'cdp', 'cdp']
assert all(x['answer_ok'] for x in r)
assert all(abs(x['cycles_compared'] - x['cycles']['mean']) < 9 * x['cycles']['sd'] + 32 for x in r[:5])
assert all(x['differences'] == 0 and x['speed'] > 0 for x in r)
assert all(x['wait_against_dtbl'] == 1 for x in r if x['launch'] == 'dtbl')" 2> "$dir/err"
note $? '  each launch model once in lockstep, and the right answers'
python3 tb/experiments/table_laperm.py --config tiny --engine model --seeds 2 --sources 2 --json="$dir/laperm.json" \
  --plot "$dir/laperm.svg" -- "$dir/made.mtx" --block-size 64 > "$dir/out" 2> "$dir/err"
note $? 'table_laperm.py'
says out 'all searches agree with a plain BFS in every run'
"$python" -S -c "
import json
r = json.load(open('$dir/laperm.json'))['rows']
assert [x['policy'] for x in r] == 2 * ['rr', 'tb-pri', 'smx-bind', 'adaptive-bind']
assert all(x['answer_ok'] and x['cycles_compared'] == 0 for x in r)
assert all(x['parents_smx_share']['mean'] > 0.99 for x in r if x['policy'] == 'smx-bind')
assert all(x['parents_smx_share']['mean'] < 0.9 for x in r if x['policy'] in ('rr', 'tb-pri'))
assert all(x['helps']['mean'] > 0 for x in r if x['policy'] == 'rr')
assert all((x['group_spills']['mean'] > 0) == (x['launch'] == 'dtbl' and x['policy'] != 'rr') for x in r)
assert open('$dir/laperm.svg').read(5) == '<?xml'" 2> "$dir/err"
note $? '  bound children stay on the SMX of their parent'
check 'run bfs --pending 4' 0 $heddle run bfs $small --launch dtbl --ideal --engine model --pending 4 \
  --json="$dir/pending.json"
json '  no more than 4 records at once; the other children are done by their parents' run "$dir/pending.json" \
  "r['device']['records_most'] <= 4 and r['device']['done_alone'] > 0 and r['parameters']['pending'] == 4 \
   and 0 < r['device']['alone_share'] < 1 and r['found']['vertices'] > 0 < r['found']['levels'] < r['found']['edges']"
for n in 0 1; do
  check "run bfs --spill $n" 0 $heddle run bfs $small --launch dtbl --ideal --engine model --policy smx-bind \
    --spill $n --json="$dir/spill$n.json"
done
json '  without memory groups of full banks are refused' run "$dir/spill0.json" \
  "r['device']['refused'] > 0 and r['device']['group_spills'] == 0 and r['parameters']['spill'] == 0"
json '  the smallest rings hold some' run "$dir/spill1.json" \
  "r['device']['group_spills'] > 0 and r['parameters']['spill'] == 1"
# tiny with lists of 128 places, 4 of them for AGEs
short="$small --launch dtbl --engine model --set ListPosW=7"
refused 'run --pending beyond a list' '--pending is 125, but a list of groups has places for 124' \
  $heddle run bfs $short --pending 125
check '  as many as a list has places for' 0 $heddle run bfs $short --pending 124
check '  groups that wait in banks' 0 $heddle run bfs $short --pending 125 --policy tb-pri
check '  without the option' 0 $heddle run bfs $short --ideal
says err '--pending is 2048, but a list of groups has places for 124 (2^ListPosW - AgtSize); using that limit'
refused 'run --pending 0' 'a whole number from 1' $heddle run --pending 0

# ---- traces
printf 'heddle-trace 1\n0 0 5 1 1 32 1 1 16 0 100\n50 1 3 2 1 64 1 1 8 512 uniform(10,90)\n' > "$dir/good.trace"
check 'run --trace' 0 $heddle run --trace "$dir/good.trace" --config tiny --json
cp "$dir/out" "$dir/trace.json"
json '  runs the kernels of the trace' run "$dir/trace.json" \
  "r['workload'] == 'trace' and r['kernels'] == 2 and r['ctas'] == 11"
printf 'heddle-trace 1\n0 0 0x2 1 1 32 1 1 16 0 100\n' > "$dir/bad.trace"
refused 'a broken trace' 'bad.trace:2: field 3, grid x' $heddle run --trace "$dir/bad.trace" --config tiny
printf 'heddle-trace 1\n0 0 5 1 1 1024 1 1 16 0 100\n' > "$dir/large.trace"
refused 'a trace whose TB never fits' 'large.trace:2' $heddle run --trace "$dir/large.trace" --config tiny

# ---- equiv, replay, faults, bench
check 'equiv of a block' 0 $heddle equiv kd --config tiny --cycles 20000 --seed 5 --json
cp "$dir/out" "$dir/kd.json"
json '  has the stable keys' equiv "$dir/kd.json" "len(r) == 1 and r[0]['block'] == 'kd' and r[0]['seed'] == 5"
# Uses the builds with planted faults, none of them enabled, as the other tests do.
check 'equiv of all' 0 $heddle equiv all --config tiny --variant fault --cycles 5000 --json
cp "$dir/out" "$dir/all.json"
blocks=$(sed '/^#/d; /^block,/d' rtl/pkg/blocks.csv | wc -l)
json '  lists every block once' equiv "$dir/all.json" "len({x['block'] for x in r}) == len(r) == $blocks"
check 'equiv with a planted fault' 1 $heddle equiv kd --config tiny --fault 10 --out "$dir/fail"
says err 'MISMATCH kd cycle '
failing=$dir/fail/kd-tiny-random-1.replay
check '  its replay fails again' 1 $heddle replay "$failing"
says out 'MISMATCH kd cycle '
check '  and ends as expected' 0 $heddle replay --expect "$failing"
check '  and can be shortened and shown' 1 $heddle replay --shrink=2 --wave "$failing"
[ -s "$failing.short" ] && [ -s "$failing.short.fst" ] && [ -s "$failing.short.fst.gtkw" ]
note $? '  with replay, waveform and view'
check 'bench' 0 $heddle bench --config tiny --cycles 2000 --turns 1 --out "$dir/bench.json"
json '  has the stable keys' bench "$dir/bench.json" \
  "r['config'] == 'tiny' and set(r['cps']) == {'rtl', 'model', 'lockstep'} and len(r['outputs_sha256']) == 64"
sed -n '1p;3p;11p' verif/faults.csv > "$dir/two.csv"
check 'faults' 0 $heddle faults --list "$dir/two.csv" --out "$dir/faults.json"
says out '2 passed, 0 failed'
json '  has the stable keys' faults "$dir/faults.json" "len(r['faults']) == 2 and r['escaped'] == 0"

# ---- a failing run leaves a report and no incomplete file
mkdir "$dir/f"
check 'run with a planted fault' 1 $heddle run $small --fault 29 --report "$dir/f/report.txt" --json="$dir/f.json"
check '  again, with every file' 1 $heddle run $small --fault 29 --report "$dir/f/report.txt" --timeline "$dir/f.csv" \
  --wave "$dir/f.fst" --wave-cycles 100
says err 'MISMATCH top cycle '
says err 'last transfers:'
says err 'heddle replay '
[ -s "$dir/f/report.txt" ] && [ -s "$dir/f/top-tiny-run-0.replay" ] && [ -s "$dir/f/top-tiny-run-0.replay.fst" ] &&
  [ -s "$dir/f.fst" ]
note $? '  report, replay and waveforms are there'
json '  as JSON' run "$dir/f.json" "r['verdict'] == 'MISMATCH' and r['differences'] == 1 and not r['answer_ok']"
check '  the replay ends as expected' 0 $heddle replay --expect "$dir/f/top-tiny-run-0.replay"
check 'a run that reaches its limit' 6 $heddle run $small --max-cycles 1000 --timeline "$dir/l.csv" --json="$dir/l.json"
json '  says so' run "$dir/l.json" "r['verdict'] == 'LIMIT'"
refused 'a timeline of another kind' '.csv or .json (Chrome trace) would be accepted' \
  $heddle run $small --timeline "$dir/h.txt"
check 'a report that can not be written' 2 $heddle run $small --quiet --json="$dir/none/h.json"
# --foreground: otherwise timeout interrupts twice, and the second interrupt ends it at once
timeout --foreground -s INT 1 \
  $heddle run --config tiny --block-size 32 --timeline "$dir/int.csv" --wave "$dir/int.fst" > "$dir/out" 2> "$dir/err"
note $((! ($? == 6 || $? == 124))) 'an interrupt ends the run'
no_files '  and nothing half-written is left' 'int\.(csv|fst)\.[A-Za-z0-9]{6}(\.hier)?$'

# ---- area (its results are tested in verif/area)
refused 'area of an unknown block' 'no block' $heddle area nope
refused 'area of an unknown configuration' 'there are: k20c' $heddle area --config k99
refused 'area of an unknown parameter' 'no parameter' $heddle area --set Foo=1
refused 'area for an unknown node' 'choose from' $heddle area --node 28
refused 'area away from the sources' 'top of a checkout' sh -c "cd '$dir' && '$PWD/$heddle' area"
check 'area --json into a folder that is not there' 2 $heddle area fcfs --json="$dir/no/x.json"
[ ! -e "$dir/no" ]
note $? '  which it does not make'
check 'area of a block' 0 $heddle area fcfs
says out 'fcfs'

# ---- pictures
if command -v Xvfb > /dev/null && command -v gtkwave > /dev/null && command -v import > /dev/null; then
  check 'wave as a picture' 0 $heddle wave kmu --config tiny --picture "$dir/kmu.png"
  [ "$(head -c 4 "$dir/kmu.png" | tail -c 3)" = PNG ]
  note $? '  is a PNG'
else
  echo "skipped wave as a picture: Xvfb, gtkwave or import is missing (Debian packages xvfb, gtkwave, imagemagick)"
fi
counted
