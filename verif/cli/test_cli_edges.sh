#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Typing errors and missing files: the command names the accepted values and never ignores an option silently; and
# reports for programs. Ends with `N passed, N failed`.
dir=build/test/cli_edges
. verif/cli/cli.sh
here=$PWD

# ---- options without effect
for o in '--jitter 5/--seed' '--ideal /--launch cdp or dtbl' '--threshold 5/--launch cdp or dtbl' \
  '--child-size 8/--launch cdp or dtbl' '--pending 5/--launch cdp or dtbl' '--memory-latency 5/--launch cdp or dtbl' \
  '--wave-cycles 5/--wave' '--skip no/--engine model' '--format mtx/an INPUT' '--smx gpu --series-every 9/--series'; do
  option=${o%/*}
  name=${option#--smx gpu }
  refused "run ${option% } alone" "${name%% *} has no effect here; with ${o#*/}" $heddle run --config tiny $option
done
refused 'run --spill under rr' '--spill has no effect here; with --launch dtbl and a --policy other than rr' \
  $heddle run $small --launch dtbl --spill 5
refused 'run --smem with --trace' '--smem has no effect here; with a workload' $heddle run --trace x --smem 256
refused 'run --jitter with --trace' '--jitter has no effect here; with a workload' \
  $heddle run --trace x --seed 1 --jitter 5
refused 'run --ideal with a graph of tiles' '--ideal has no effect here; with --launch cdp it' \
  $heddle run sw --launch graph --ideal
refused 'run --fault of the model' '--fault has no effect here; with --engine rtl or both' \
  $heddle run $small --engine model --fault 29
refused 'run --keys without keys' '--keys with regx; join would be accepted' $heddle run regx --keys uniform
refused 'run with two reports in one file' "$dir/x is the file of two outputs" \
  $heddle run $small --engine model --report "$dir/x" --json="$dir/x"
no_files '  writes none' '^x$'
refused '  or a report and a table of launches' "$dir/x is the file of two outputs" \
  $heddle run $small --engine model --report "$dir/x" --kernels "$dir/x"
printf 'heddle-replay 1\nblock fcfs\nconfig tiny\nseed 1\ntest view\nend 1\n' > "$dir/p.replay"
refused 'replay --expect --wave' '--wave has no effect here; without --expect' \
  $heddle replay --expect --wave "$dir/p.replay"
refused 'wave of a block with a view' '--view has no effect here; with a FILE' $heddle wave fcfs --view kd
for o in --cycles --seed; do
  refused "wave $o of a file" "$o has no effect here; with a BLOCK" $heddle wave "$dir/p.replay" $o 5
done
refused 'equiv --coverage of another build' '--coverage needs --variant cov' \
  $heddle equiv fcfs -c tiny -V fast -L "$dir/c.dat"
refused 'equiv --coverage with a fault' 'one of them would be accepted' $heddle equiv fcfs -c tiny -f 7 -L "$dir/c.dat"
refused 'bench --turns 0 --json' '--turns 0 prints the hash alone' $heddle bench -c tiny -t 0 --json
refused 'gpu --speed --json' '--json has no effect here; without --speed' $heddle gpu --speed --json
printf '0 1\n1 2\n' > "$dir/g.txt"
for o in '--nodes 5' '--degree 3' '--seed 5' '--suite x' '--max-degree 9' "-o $dir/none.mtx"; do
  refused "graph info $o" 'has no effect with info; with ' $heddle graph info "$dir/g.txt" $o
done
refused 'graph road --degree' '--degree has no effect with road; with graph500 it' \
  $heddle graph road --degree 3 -o "$dir/none.mtx"
for o in --json --directed '--format mtx'; do
  refused "graph graph500 $o" 'has no effect with graph500; with info it' \
    $heddle graph graph500 --nodes 64 $o -o "$dir/none.mtx"
done
refused 'graph graph500 with an input' 'is one argument too many' \
  $heddle graph graph500 "$dir/g.txt" -o "$dir/none.mtx"
no_files '  none of them writes one' '^none\.mtx'
refused 'area --check --json' 'report nothing else' $heddle area fcfs --check --json
refused 'area --plot of another kind' 'x.pdf: it must end in .svg or .png' $heddle area fcfs --plot x.pdf

# ---- faults that cannot show
for b in laperm spill apu; do
  refused "equiv $b with the fault of a block that is not inside" "fault 1 is in kmu, not in $b" \
    $heddle equiv $b -c tiny --fault 1
done
refused 'equiv with an unknown fault, from another folder' 'no fault 9999' \
  sh -c "cd '$dir' && '$here/$heddle' equiv fcfs -c tiny --fault 9999"
refused 'equiv with a fault, in a build without' '--fault needs --variant fault' $heddle equiv fcfs -c tiny -f 7 -V rtl
sed 's/^test view/&\nvariant netlist\nfault 7/' "$dir/p.replay" > "$dir/sound.replay"
refused 'replay of a fault, in a build without' 'netlist of fcfs has no planted faults' \
  $heddle replay "$dir/sound.replay"
head -1 verif/faults.csv > "$dir/none.csv"
refused 'faults of a list without one' 'none.csv: no fault listed' $heddle faults --list "$dir/none.csv"
refused 'faults of blocks without one in it' 'no fault in these blocks' $heddle faults fcfs --list "$dir/none.csv"

# ---- mistyped
refused 'run of a workload that is none' "'dfs' is neither a workload nor a file; workloads: bfs sssp" $heddle run dfs
check 'run -h is its help' 0 $heddle run -h
says out 'Usage: heddle run'
refused 'equiv of a variant that is none' "no variant 'foo'; there are: rtl" $heddle equiv fcfs -c tiny -V foo
refused 'equiv --out where no folder can be' '/proc/none: No such file' $heddle equiv fcfs -c tiny -o /proc/none
refused 'equiv --out that is a file' 'README.md: Not a directory' $heddle equiv fcfs -c tiny -o README.md
refused 'equiv --vectors in a missing folder' 'No such file' \
  $heddle equiv fcfs -c tiny -n 1000000000 -v "$dir/none/x"
check 'equiv of all blocks has all names' 0 $heddle equiv --help
sed '/^#/d; /^block,/d; s/,.*//' rtl/pkg/blocks.csv > "$dir/blocks"
tr -s ' ,\n' '\n' < "$dir/out" | sort > "$dir/words"
[ -z "$(sort "$dir/blocks" | comm -23 - "$dir/words")" ]
note $? '  in its help'

for c in run sweep example graph equiv replay wave faults prove area fpga campaign channels gpu bench import; do
  $heddle $c --help > "$dir/out" 2> "$dir/err"
  awk '/^Examples?:/ { e = 1 } /^$/ || /^Exit codes/ { e = 0 }
    e && !/^(Examples?: heddle|Examples:$|  heddle |          heddle )/ { print; torn = 1 } END { exit torn }' \
    "$dir/out" > "$dir/err"
  note $? "the examples of $c --help are a line each"
done

# ---- smaller than the defaults
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 1\n4 3\n' > "$dir/small.mtx"
check 'run of a graph with fewer vertices than searches' 0 $heddle run "$dir/small.mtx" --engine model
says err 'but the graph has 4 vertices: 4 searches'
check 'run on SMXs with room for fewer threads' 0 $heddle run "$dir/small.mtx" --engine model --config tiny
says err '--block-size is 256, but tiny has room for only 128; using that'
check '  of tiles' 0 $heddle run sw --nodes 4 --engine model --config tiny
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 1\n0 1\n' > "$dir/zero.mtx"
refused 'a Matrix Market file that counts from 0' "field 1, the row, is '0'; a whole number from 1 to 3" \
  $heddle run "$dir/zero.mtx" --engine model

# ---- traces
printf 'heddle-trace 1\n0 0 5 1 1 32 1 1 16 0 100\n' > "$dir/five.trace"
check 'run --trace - reads standard input' 0 sh -c \
  "cat '$dir/five.trace' | $heddle run --trace - --config tiny --engine model --json='$dir/five.json'"
json '  all of it' run "$dir/five.json" "r['ctas'] == 5 and r['input_sha256'] == '$(sha256sum < "$dir/five.trace" |
  cut -d ' ' -f 1)'"
printf 'heddle-trace 1\n0 0 5 1 1 96 1 1 16 0 100\n' > "$dir/regs.trace"
refused 'a TB with too many registers' 'an SMX of tiny has 1024 registers; TBs of up to 64 threads' \
  $heddle run --trace "$dir/regs.trace" --config tiny --engine model
printf 'heddle-trace 1\n200000000000 0 2 1 1 32 1 1 16 0 100\n' > "$dir/far.trace"
check 'run of a trace that begins after 2e11 cycles' 0 timeout 60 \
  $heddle run --trace "$dir/far.trace" --config tiny --engine model --json="$dir/far.json"
json '  passes over them' run "$dir/far.json" "r['ctas'] == 2 and r['cycles'] > 2e11"

# ---- built on demand, and rejected without a trace
check 'faults of one block, built if they are not' 0 $heddle faults fcfs --out "$dir/faults.json"
says out "$(grep -c ',fcfs,' verif/faults.csv) passed, 0 failed"
refused 'faults of a block that is none' 'loom' $heddle faults loom
for target in nosuch/fcfs/rtl tiny+Foo=1/fcfs/rtl tiny/loom/rtl; do
  python3 tb/build $target > "$dir/out" 2> "$dir/err"
  [ $? -ne 0 ] && [ "$(wc -l < "$dir/err")" -eq 1 ] && [ ! -e "build/${target%/*}" ]
  note $? "a build of $target, which is none, leaves no folder"
done

# ---- statements of pages and headers
for field in $(sed -n '/^struct hd_launch_args {/,/^};/p' cmodel/api/runtime.h | sed 's|/\*.*||' |
  grep -o '[a-z_]*;' | tr -d ';'); do
  sed -n '/^`struct hd_launch_args`/,/^$/p' docs/library.md | tr -s ' \n' '  ' | grep -o '`[a-z_]*`' |
    grep -qx "\`$field\`"
  note $? "library.md has the field $field of hd_launch_args"
done
[ -z "$(grep -l 'as named\|SMX of NumSmx' build/gen/hd_*_ports.h)" ]
note $? 'generated headers say what a port is'
[ -z "$(grep -oE '>[^<]*(32|1024|SMX 12)[^<]*<' docs/img/plane.svg)" ]
note $? 'the drawing of the plane has no sizes of one configuration'

# ---- reports for programs
check 'equiv --json' 0 $heddle equiv fcfs --config tiny --cycles 100 --json
cp "$dir/out" "$dir/e.json"
json '  has version and commit' equiv "$dir/e.json" \
  "r[0]['heddle'] and r[0]['commit'] == open('build/commit').read().strip()"
check 'equiv --json of a run that cannot start' 2 $heddle equiv fcfs --config tiny --profile none --json
cp "$dir/out" "$dir/e.json"
json '  is valid, and says why' equiv "$dir/e.json" "r[0]['verdict'] == 'CONFIG' and 'no profile' in r[0]['reason']"
check 'run --json that ends at --max-cycles' 6 $heddle run $small --engine model --max-cycles 100 --json
cp "$dir/out" "$dir/r.json"
json '  is valid' run "$dir/r.json" "r['verdict'] == 'LIMIT' and not r['answer_ok']"
for end in ORACLE:4:11 STUCK:5:15; do # the RTL alone, with a fault: a kernel reported too early, a TB that stays owed
  code=${end#*:}
  check "run --json that ends as ${end%%:*}" "${code%:*}" $heddle run $small --launch dtbl --ideal \
    --engine rtl --fault "${end##*:}" --patience 20000 --json
  cp "$dir/out" "$dir/r.json"
  json '  is valid' run "$dir/r.json" "r['verdict'] == '${end%%:*}' and not r['answer_ok']"
done

# ---- an assertion of the RTL: reopening an open HWQ, which the model accepts
sed "s/^block .*/block kmu/; s/^end .*/expect ASSERT 1 -\n@1 kd_reopen[1]=1\n@2 kd_reopen[1]=0\nend 4/" \
  "$dir/p.replay" > "$dir/assert.replay"
check 'replay of a failed assertion' 3 $heddle replay "$dir/assert.replay"
says out 'ASSERT kmu cycle 1 '
grep -q '^\[cycle 1\] %Error: hd_kmu.sv:[0-9]*: Assertion failed in kmu.hd_kmu.a_reopen' "$dir/err"
note $? '  it is named on stderr, with its cycle'
check '  ends as expected' 0 $heddle replay --expect "$dir/assert.replay"

# ---- a timeline for a trace viewer: colours, tracks, arrows from parent to child, counters
for l in flat dtbl cdp; do
  check "run --launch $l --timeline" 0 $heddle run bfs "$dir/made.mtx" --config tiny --block-size 32 --sources 2 \
    --engine model --launch $l --timeline "$dir/t.json" --json="$dir/r.json" --quiet
  json '  is as a viewer wants it' chrome "$dir/t.json" "$dir/r.json"
done
check 'run --timeline that ends at --max-cycles' 6 $heddle run $small --engine model --max-cycles 6000 \
  --timeline "$dir/t.json" --json="$dir/r.json" --quiet
json '  is whole' chrome "$dir/t.json" "$dir/r.json"

# ---- interrupted
$heddle equiv fcfs --config tiny --cycles 100000000000 --json > "$dir/e.json" 2> "$dir/err" &
while kill -0 $! && ! grep -q '/fcfs/.*so$' "/proc/$!/maps"; do sleep 0.1; done 2> /dev/null # wait until it has started
sleep 1
kill -INT $!
wait $!
json 'equiv --json that is broken off' equiv "$dir/e.json" "r[0]['verdict'] == 'LIMIT' and r[0]['cycles'] > 0"

# ---- from another folder
for c in faults prove area 'fpga fcfs' 'campaign smoke'; do
  refused "$c away from the sources" 'run it from the top of a checkout' sh -c "cd '$dir' && '$here/$heddle' $c"
done
check 'bench' 0 sh -c "cd '$dir' && '$here/$heddle' bench -c tiny -n 1000 -t 1"
[ -s build/bench.json ] && [ ! -e "$dir/build" ]
note $? '  writes into the checkout'
refused 'bench --out in a missing folder' 'No such file' $heddle bench -c tiny --out "$dir/none/b.json"
check 'replay --wave that passes' 0 sh -c "cd '$dir' && '$here/$heddle' replay --wave p.replay"
says out 'waveform: p.replay.fst'
[ -s "$dir/p.replay.fst" ] && [ -s "$dir/p.replay.fst.gtkw" ]
note $? '  leaves the waveform and its view'

# ---- plain text on request
if command -v script > /dev/null; then
  for plain in NO_COLOR=1 LC_ALL=C; do
    script -qec "env $plain $heddle run $small --engine model" /dev/null < /dev/null > "$dir/out" 2> "$dir/err"
    grep -q PASS "$dir/out" && ! LC_ALL=C grep -q '\[36m\|\[1;\|[^ -~[:cntrl:]]' "$dir/out"
    note $? "run on a terminal with $plain has no colours and no UTF-8"
  done
else
  echo 'skipped plain text: script is missing (Debian package bsdutils)'
fi
counted
