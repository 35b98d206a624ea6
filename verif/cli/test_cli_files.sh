#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Output files of the heddle command: devices, FIFOs and links keep their type, every path is checked before the run, a
# failed write is reported in one line with exit code 2 and leaves no file; and the commands that a failure report
# suggests work. Ends with `N passed, N failed`.
dir=build/test/cli_files
. verif/cli/cli.sh
model="$small --engine model --quiet"
torn='\.[A-Za-z0-9]{6}(\.hier)?$'

# ---- graphs of users: ambiguous formats, and ignored content
info="$heddle graph info"
printf '4 4\n2 4\n1 3\n2 4\n3 1\n' > "$dir/square.txt"
refused 'a file that could be edges or METIS' 'could be edges (an edge list) or metis' $info "$dir/square.txt"
check '  from a pipe' 2 sh -c "cat '$dir/square.txt' | $info /dev/stdin"
says err 'could be edges (an edge list) or metis'
for f in edges metis; do
  check "  --format $f decides" 0 $info "$dir/square.txt" --format $f
  says out "square.txt: $f"
done
refused '  of a run, too' '--format edges or --format metis' $heddle run "$dir/square.txt" --engine model
printf '4 4 10 3\n1 2 3 2 3\n1 2 3 1 4\n1 2 3 1 4\n1 2 3 2 3\n' > "$dir/square.mgraph"
cp "$dir/square.mgraph" "$dir/square.dat"
for f in mgraph dat; do
  check "METIS with weights as .$f" 0 $info "$dir/square.$f"
  says out "square.$f: metis"
  says out 'ignored: 12 vertex weights'
done
rm "$dir/square.mgraph" # its name resembles that of an incomplete file
printf '1 2 5 7\n2 3 5 7\n3 3 5 7\n' > "$dir/time.txt"
check 'an edge list with weight and time' 0 $heddle run "$dir/time.txt" --engine model --json="$dir/time.json"
says out 'dropped: 1 self loops, 0 repetitions; ignored: 3 weights, 3 fields after the weights'
json '  as JSON' run "$dir/time.json" "r['graph']['weights_ignored'] == 3 and r['graph']['fields_ignored'] == 3"
check '  of shortest paths, which use the weight' 0 $heddle run sssp "$dir/time.txt" --engine model
says out 'ignored: 3 fields after the weights'
printf '1 2 5\n2 3\n' > "$dir/torn.txt"
refused 'an edge list of unequal lines' 'torn.txt:2: 2 fields, and line 1 has 3; the same number in each line' \
  $info "$dir/torn.txt"
printf '# Nodes: 3 Edges: 9\n1 2\n2 3\n' > "$dir/cut.txt"
check 'a file of SNAP that is cut short' 0 $info "$dir/cut.txt"
says out 'declared        9 edges; the file has 2'

# ---- traces: accepted values work, and content that would be ignored is rejected
printf 'heddle-trace 1\n0 0 4 1 1 64 1 1 32 0 100\n' > "$dir/flat.trace"
trace="$heddle run --engine model --trace $dir"
refused 'a policy of a trace that launches nothing' 'rr, or --launch cdp or dtbl for a trace with' \
  $trace/flat.trace --policy tb-pri
refused '  with --launch' '--launch flat with --policy rr' $trace/flat.trace --policy tb-pri --launch dtbl
check '  which is accepted' 0 $trace/flat.trace --launch flat --policy rr
refused 'a workload beside a trace' 'bfs and --trace; one of them' $trace/flat.trace bfs
printf 'heddle-trace 1\n0 0 4 1 1 256 1 1 32 102400 100\n' > "$dir/smem.trace"
refused 'a TB with too much shared memory' 'up to that would be accepted, or --set SmemPerSmx=102400' $trace/smem.trace
check '  the hint works' 0 $trace/smem.trace --set SmemPerSmx=102400
printf 'heddle-trace 1\n0 0 0x2 1 1 256 1 1 32 0 100\n' > "$dir/grid.trace"
refused 'limits of a field' "field 3, grid x, is '0x2'; a whole number from 1 to 2147483647" $trace/grid.trace

# ---- a closed terminal
env --default-signal=HUP $heddle equiv fcfs --config tiny --cycles 100000000000 --json > "$dir/e.json" 2> "$dir/err" &
while kill -0 $! && ! grep -q '/fcfs/.*so$' "/proc/$!/maps"; do sleep 0.1; done 2> /dev/null
sleep 1
kill -HUP $!
wait $!
json 'equiv at SIGHUP ends as LIMIT' equiv "$dir/e.json" "r[0]['verdict'] == 'LIMIT'"

for signal in 1/HUP 2/INT 3/QUIT 15/TERM; do
  number=${signal%/*} signal=${signal#*/}
  env --default-signal=$signal $heddle graph graph500 --nodes 262144 -o "$dir/ended.mtx.gz" > "$dir/out" 2> "$dir/err" &
  for k in $(seq 300); do ls "$dir" | grep -q '^ended' && break; sleep 0.1; done
  kill -$number $!
  { wait $!; } 2> "$dir/err"
  [ $? -eq $((128 + number)) ]
  note $? "graph at SIG$signal ends by it"
  no_files '  and leaves no half-written file' '^ended'
done
env --default-signal=QUIT $heddle run --engine model --skip no --sources 64 --config tiny --block-size 64 \
  --timeline "$dir/ended.csv" --json="$dir/ended.json" > "$dir/out" 2> "$dir/err" &
for k in $(seq 300); do ls "$dir" | grep -q '^ended' && break; sleep 0.1; done
kill -QUIT $!
wait $!
json 'run at SIGQUIT ends as LIMIT' run "$dir/ended.json" "r['verdict'] == 'LIMIT'"
no_files '  and leaves whole files alone' '^ended\.(csv|json)\.'
rm -f "$dir"/ended.*

# ---- commands in Python: unwritable paths, closed standard output
mkdir -p "$dir/fake"
printf '#!/bin/sh\nexit 1\n' > "$dir/fake/snakemake"
chmod +x "$dir/fake/snakemake"
printf '[[command]]\nname = "a"\nrun = "true"\n' > "$dir/one.toml"
touch "$dir/file"
refused 'campaign --dir below a file' "heddle campaign: $PWD/$dir/file/one" \
  env PATH="$dir/fake:$PATH" $heddle campaign "$dir/one.toml" --dir "$dir/file"
refused 'sweep --keep below a file' "heddle sweep: $dir/file/keep: Not a directory" \
  $heddle sweep bfs --keep "$dir/file/keep"
for option in --json= --csv= --plot= --campaign=; do
  refused "sweep $option in no folder" 'heddle sweep: /nosuch/x' \
    $heddle sweep bfs --set NumKde=2,4 "$option/nosuch/x.$([ $option = --campaign= ] && echo toml || echo svg)"
done
refused 'a table in no folder' '/nosuch/x.json: No such file or directory' \
  python3 tb/experiments/sweep_agt.py --json /nosuch/x.json
for command in 'area --help' 'sweep --help' 'campaign --list'; do
  refused "$command with standard output closed" 'heddle: standard output: ' sh -c "$heddle $command >&-"
  refused "$command to a full disk" 'heddle: standard output: No space left' sh -c "$heddle $command > /dev/full"
done
check 'campaign without a name lists the bundled ones' 0 $heddle campaign
says out 'smoke '
refused '  but not with --cycles' 'NAME is missing; accepted: faults ' $heddle campaign --cycles 5

# ---- devices, FIFOs, links
for to in "--report" "--timeline" "--kernels"; do
  ln -sf /dev/null "$dir/null.csv"
  check "run $to to a device, by a link" 0 $heddle run $model $to "$dir/null.csv"
  [ -L "$dir/null.csv" ] && [ -c /dev/null ]
  note $? '  link and device are what they were'
done
check 'the generator to a device, by a link' 0 python3 rtl/hdgen list -o "$dir/null.csv"
[ -L "$dir/null.csv" ] && [ -c /dev/null ]
note $? '  link and device are what they were'
for option in --report --json; do
  check "run $option to a pipe of the shell" 0 bash -c \
    "$heddle run $model $option=>(cat > '$dir/pipe.new'; mv '$dir/pipe.new' '$dir/pipe$option')"
  for k in 1 2 3 4 5 6 7 8 9; do [ -e "$dir/pipe$option" ] || sleep 0.2; done
  [ -s "$dir/pipe$option" ]
  note $? '  its reader gets it'
done
check 'run --report to standard output, a pipe' 0 \
  bash -c "set -o pipefail; $heddle run $model --report /dev/stdout | cat"
[ "$(tail -1 "$dir/out")" = PASS ]
note $? '  gets through'
check 'the generator to a pipe of the shell' 0 bash -c "python3 rtl/hdgen list -o >(cat > '$dir/list')"
check 'run --report to a full device' 2 $heddle run $model --report /dev/full
says err '/dev/full: No space left on device'
[ -c /dev/full ]
note $? '  which is a device still'
mkfifo "$dir/fifo"
cat "$dir/fifo" > "$dir/read" &
check 'run --json into a FIFO' 0 $heddle run $model --json="$dir/fifo"
wait
json '  its reader gets all of it' run "$dir/read" "r['answer_ok']"
[ -p "$dir/fifo" ]
note $? '  and it is a FIFO still'
echo before > "$dir/target.txt"
ln -s target.txt "$dir/link.txt"
check 'run --report to a link' 0 $heddle run $model --report "$dir/link.txt"
[ -L "$dir/link.txt" ] && [ "$(tail -1 "$dir/target.txt")" = PASS ]
note $? '  what it points to is replaced'
ln -s later.txt "$dir/dangling.txt"
check 'run --report to a link to nothing yet' 0 $heddle run $model --report "$dir/dangling.txt"
[ -L "$dir/dangling.txt" ] && [ "$(tail -1 "$dir/later.txt")" = PASS ]
note $? '  makes that'
for c in 'graph graph500 --nodes 64 -o ' 'graph deplinks --pattern chain -o ' \
  'import accelsim verif/cli/accelsim -o ' 'equiv fcfs -c tiny -n 1000 --vectors ' 'area fcfs --json='; do
  check "$c/dev/full" 2 $heddle $c/dev/full
  grep -vE '^  (built|store|area) ' "$dir/err" > "$dir/out"
  [ "$(wc -l < "$dir/out")" -eq 1 ] && grep -q '/dev/full: No space left on device$' "$dir/out"
  note $? '  one line'
done
check 'graph debian -o to a device' 2 $heddle graph debian -o /dev/full
[ -c /dev/full ]
note $? '  which is a device still'

# ---- checked before the run, which --max-cycles would otherwise end with exit code 6
for option in --report= --json= --timeline= --wave=; do
  refused "run ${option}FILE in a folder that is not there" 'none/f.csv: No such file' \
    $heddle run $small --max-cycles 10 "$option$dir/none/f.csv"
done
refused 'run --report to a folder' 'Is a directory' $heddle run $model --max-cycles 10 --report "$dir"
refused 'run --wave to a device' 'not a regular file' \
  $heddle run $small --max-cycles 10 --wave /dev/null
no_files '  and nothing is left of any' "$torn"

# ---- stdout
for c in '--help' 'run --help' "run $small --engine model" \
  'equiv kd --config tiny --cycles 100 --json' 'gpu --help' 'channels fib --size 10 --json' \
  'example laperm --engine model' 'graph info tb/data/debian12.mtx.gz' 'area --help' 'campaign --list' \
  'campaign smoke --list --json'; do
  $heddle $c > /dev/full 2> "$dir/err"
  [ $? -eq 2 ] && grep -q 'standard output: No space left' "$dir/err"
  note $? "heddle $c to a full device"
done
for c in 'run --help' 'campaign smoke --list --json'; do
  {
    sleep 1 # the reader has ended by then
    $heddle $c 2> "$dir/err"
    echo $? > "$dir/out"
  } | true
  [ "$(cat "$dir/out")" = 2 ] && grep -q 'standard output: Broken pipe' "$dir/err"
  note $? "heddle $c into a pipe without a reader"
done

# ---- coverage that cannot be written; a folder for failures that is not needed
check 'equiv --coverage to a full device' 2 $heddle equiv fcfs --config tiny --cycles 500 --coverage /dev/full
says err '/dev/full: No space left on device'
check 'equiv without a failure' 0 $heddle equiv fcfs --config tiny --cycles 500 --out "$dir/no/failure"
[ ! -e "$dir/no" ]
note $? '  makes no folder for one'
seq 400 | xargs -P 8 -I N $heddle equiv fcfs --config tiny --cycles 1 --out "$dir/no/failure/N" > "$dir/out" \
  2> "$dir/err"
note $? '  400 of them, eight at a time beside each other'
[ ! -e "$dir/no" ]
note $? '  make none either'

# ---- a full disk under a waveform
if mkdir "$dir/disk" && mount -t tmpfs -o size=64k tmpfs "$dir/disk" 2> "$dir/err"; then
  check 'run --wave to a full disk' 2 $heddle run $small --quiet --wave "$dir/disk/w.fst" --wave-cycles 2000
  [ "$(grep -Evc '^  (built|store) ' "$dir/err")" -eq 1 ] && [ -z "$(ls "$dir/disk")" ]
  note $? '  one line, and nothing is left'
  umount "$dir/disk"
else
  echo 'skipped run --wave to a full disk: no file system can be mounted here'
fi

# ---- planted faults that do not exist
refused 'equiv with an unknown fault' 'no fault 9999; verif/faults.csv lists them' $heddle equiv fcfs --fault 9999
refused 'equiv with the fault of another block' 'fault 1 is in kmu, not in fcfs' $heddle equiv fcfs --fault 1
refused 'equiv of all with a fault' '--fault needs one BLOCK' $heddle equiv --fault 1
refused 'run with an unknown fault' 'no fault 9999' $heddle run --config tiny --fault 9999

# ---- a failure: valid JSON, assertions on stderr, and the suggested commands
check 'equiv --json that fails' 1 $heddle equiv fcfs --config tiny --fault 7 --cycles 2000 --shrink 2 \
  --out "$dir/fail" --json
cycle=$(sed -n 's/^MISMATCH fcfs cycle \([0-9]*\) .*/\1/p' "$dir/err")
grep -q "^\[cycle $((cycle + 1))\] %Error: hd_fcfs.sv" "$dir/err" && ! grep -q '^\[[0-9]' "$dir/err"
note $? '  assertions are on stderr, with their cycle: what is wrong in a state shows in the next'
cp "$dir/err" "$dir/told"
cp "$dir/out" "$dir/failed.json"
json '  its JSON is valid' equiv "$dir/failed.json" "r[0]['verdict'] == 'MISMATCH'"
for next in 'run it again: heddle replay' 'look at it:   heddle wave'; do
  grep -qF "$next" "$dir/told"
  note $? "  it tells to $next"
done
fst=$(sed -n 's/^look at it:   heddle wave //p' "$dir/told")
# The marker is at the edge of the failing cycle: 1000 ps per cycle, after 3000 ps of reset.
grep -q "^\*[-0-9.]* $((3000 + 1000 * (cycle + 1))) -1 " "$fst.gtkw"
note $? '  the view has a marker at the failing cycle'
# Arguments of GTKWave: a program of that name prints the view. Twice as many cycles are one step of zoom.
mkdir "$dir/bin"
printf '#!/bin/sh\ncat "$2"\n' > "$dir/bin/gtkwave"
chmod +x "$dir/bin/gtkwave"
look() { # WINDOW..
  check "wave $*" 0 env DISPLAY=:9 PATH="$dir/bin:$PATH" $heddle wave "$fst" "$@"
}
zoom() { sed -n 's/^\*\([-0-9.]*\) .*/\1/p' "$dir/out"; }
look --from 2 --to 3
says out '[timestart] 5500'
two=$(zoom)
look --from 2 --to 5
says out '[timestart] 5500'
awk "BEGIN { exit !($two - 1 - $(zoom) < 1e-5 && $(zoom) + 1 - $two < 1e-5) }"
note $? '  shows these cycles and no more'
look --around 4
says out '[timestart] 3500'
grep -q '^\*[-0-9.]* 8000 -1 ' "$dir/out"
note $? '  has its marker there'
refused 'wave of a file that is no waveform' 'README.md: no waveform; accepted: an FST file' $heddle wave README.md
[ ! -e README.md.gtkw ]
note $? '  leaves no view beside it'
head -c 20 "$fst" > "$dir/torn.fst"
refused 'wave of a waveform cut short' 'torn.fst: no waveform' $heddle wave "$dir/torn.fst"
refused 'wave of cycles that it does not have' 'contains none of these cycles' $heddle wave "$fst" --from 100000
refused 'wave --from behind --to' '--from is later than --to' $heddle wave "$fst" --from 7 --to 6
refused 'wave --around with --to' 'can not be combined with --from or --to' $heddle wave "$fst" --around 7 --to 9
refused 'wave --picture of another kind' 'a name that ends in .png would be accepted' \
  $heddle wave "$fst" --picture "$dir/x.svg"
refused 'wave --picture in a missing folder' 'No such file' $heddle wave "$fst" --picture "$dir/none/x.png"
if command -v Xvfb > /dev/null && command -v gtkwave > /dev/null && command -v import > /dev/null; then
  check '  the command that it tells shows it' 0 env -u DISPLAY $heddle wave "$fst"
  says out 'picture:'
  check 'wave of a block, from another folder' 0 env -u DISPLAY \
    sh -c "cd '$dir' && '$PWD/$heddle' wave fcfs --config tiny --from 3 --to 9 --picture w.png"
  [ "$(head -c 4 "$dir/w.png" | tail -c 3)" = PNG ]
  note $? '  is a PNG'
else
  echo 'skipped pictures: Xvfb, gtkwave or import is missing (Debian packages xvfb, gtkwave, imagemagick)'
fi
counted
