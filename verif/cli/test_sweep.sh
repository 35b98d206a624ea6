#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Tests of heddle sweep: its points are those of heddle run, reused reports, failures as rows, files, plot, interrupts,
# campaigns; and the options of make sweep-agt. Run from the top of the checkout. Ends with `N passed, N failed`.
dir=build/test/sweep
. verif/cli/cli.sh
sweep="$heddle sweep --keep $dir/runs"
tiny="bfs $dir/made.mtx --config tiny"
rest="--block-size 64 --sources 2"

# Evaluates a Python expression over r, the rows of a sweep's JSON report.
rows() { # NAME FILE CONDITION
  "$python" -S -c 'import json, sys; r = json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2], {"r": r}))' \
    "$2" "$3" > "$dir/out" 2> "$dir/err"
  note $? "$1"
}

check 'a sweep over a parameter and launch models' 0 $sweep $tiny --set NumKde=2,8 --launch flat,dtbl \
  --csv "$dir/s.csv" --json "$dir/s.json" --plot "$dir/s.svg" -- $rest
says out 'least wait_mean'
rows '  a row for each point, in order' "$dir/s.json" \
  "[(p['NumKde'], p['launch']) for p in r['rows']] == [(k, l) for k in '28' for l in ('flat', 'dtbl')]"
head -1 "$dir/s.csv" | grep -qx \
  'workload,input,config,NumKde,launch,verdict,cycles,wait_mean,wait_max,occupancy,kernels,ctas,device.ctas,.*,reason'
note $? '  and its columns in CSV'
[ "$(wc -l < "$dir/s.csv")" -eq 5 ] && grep -q '<svg' "$dir/s.svg" && grep -q dtbl "$dir/s.svg"
note $? '  and a plot with a line for each launch model'
$heddle run $tiny $rest --set NumKde=8 --launch dtbl --engine model --json="$dir/one.json" --quiet
"$python" -S -c 'import json, sys; s, o = map(json.load, map(open, sys.argv[1:]))
row = s["rows"][3]
d = o["device"]
sys.exit((row["cycles"], row["wait_mean"], row["wait_max"], row["ctas"], row["device.ctas"], row["device.wait_mean"]) !=
         (o["cycles"], o["wait_mean"], o["wait_max"], o["ctas"], d["ctas"], d["wait_mean"]) or
         abs(row["occupancy"] - sum(o["occupancy"]) / len(o["occupancy"])) > 1e-9)' "$dir/s.json" "$dir/one.json"
note $? '  and a point has the numbers of heddle run'

# ---- points that were run before are not run again
before=$(ls -l --time-style=full-iso "$dir/runs")
check 'the same sweep again' 0 $sweep $tiny --set NumKde=2,8 --launch flat,dtbl --json "$dir/s2.json" -- $rest
cmp -s "$dir/s.json" "$dir/s2.json" && [ "$before" = "$(ls -l --time-style=full-iso "$dir/runs")" ]
note $? '  takes what was kept'
check 'a larger one' 0 $sweep $tiny --set NumKde=2,8,16 --launch flat,dtbl -- $rest
[ "$(ls "$dir/runs" | wc -l)" -eq 6 ]
note $? '  runs the new points alone'
cp "$dir/made.mtx" "$dir/own.mtx"
check 'a graph' 0 $sweep "$dir/own.mtx" --config tiny -- $rest
grep -v '^%' "$dir/made.mtx" | tail -n +2 | head -n 200 | sed '1i % Undirected graph' > "$dir/own.mtx"
check '  that has changed' 0 $sweep "$dir/own.mtx" --config tiny --json "$dir/own.json" -- $rest --format edges
[ "$(ls "$dir/runs" | wc -l)" -eq 8 ]
note $? '  is run again'

# ---- points that fail
check 'a sweep with points that are refused' 2 $sweep $tiny --launch flat,dtbl --policy rr,tb-pri --json "$dir/f.json" \
  --plot "$dir/f.svg" -- $rest
says err '1 of 4 points failed'
rows '  has them as rows that say so' "$dir/f.json" \
  "[p['verdict'] for p in r['rows']] == ['PASS', 'CONFIG', 'PASS', 'PASS'] and '--launch' in r['rows'][1]['reason']"
check 'a sweep with a point that reaches its limit' 6 $sweep $tiny --vary max-cycles=2000,1000000 --json "$dir/l.json" \
  -- $rest
rows '  has it, too' "$dir/l.json" "[(p['verdict'], p['cycles'] is None) for p in r['rows']] == [
  ('LIMIT', True), ('PASS', False)] and 'limit' in r['rows'][0]['reason']"

# ---- bad usage
refused 'a value twice' 'different values' $sweep bfs --set NumKde=2,2
refused 'an axis twice' 'given twice' $sweep bfs --set NumKde=2 --set NumKde=4
refused 'an option of heddle run before --' 'unrecognized arguments: --sources' $sweep bfs --sources=2
refused 'a plot of another kind' '.svg or .png' $sweep bfs --plot x.pdf
check 'a metric that no report has' 2 $sweep $tiny --set NumKde=2,8 --metric waitt --plot "$dir/m.svg" -- $rest
says err "no point has a number 'waitt'"

# ---- interrupted: finished points are reported and kept; the same command continues
kept=$(ls "$dir/runs" | wc -l)
$sweep sor --config k20c --set NumKde=16,17,18,19,20,21,22,23 -j 1 --csv "$dir/i.csv" -- --nodes 4k \
  > "$dir/out" 2> "$dir/err" &
sweeping=$!
for tenth in $(seq 300); do [ "$(ls "$dir/runs" | wc -l)" -gt "$kept" ] && break; sleep 0.1; done
kill -TERM $sweeping
wait $sweeping
[ $? -eq 6 ]
note $? 'a sweep that is interrupted'
says err 'the same command continues from there'
done=$(($(wc -l < "$dir/i.csv") - 1))
[ "$done" -ge 1 ] && [ "$done" -lt 8 ] && ! grep -q LIMIT "$dir/i.csv"
note $? "  has the points that were done, $done of 8"
! pgrep -f -- '--set NumKde=2[0-3] --nodes 4k' > /dev/null
note $? '  and leaves no run behind'

# ---- as a campaign
check 'a sweep as a campaign' 0 $sweep $tiny --set NumKde=4,5 --campaign "$dir/c.toml" -- $rest
check '  which heddle campaign reads' 0 $heddle campaign "$dir/c.toml" --list
says out '2 jobs'
kept=$(ls "$dir/runs" | wc -l)
for k in 1 2; do
  check "  job $k" 0 sh -c "$(sed -n 's/^run = "\(.*\)"$/\1/p' "$dir/c.toml" | sed -n ${k}p)"
  cp "$dir/out" "$dir/c$k.json"
  json '    prints the report' run "$dir/c$k.json" "r['verdict'] == 'PASS'"
done
check '  then the table' 0 $sweep $tiny --set NumKde=4,5 -- $rest
[ "$(ls "$dir/runs" | wc -l)" -eq $((kept + 2)) ]
note $? '  takes the reports of the jobs'

# ---- tables of runs pass unknown content on
check 'make sweep-agt ARGS' 0 python3 tb/experiments/sweep_agt.py --config tiny --json="$dir/agt.json" --seeds 1 \
  --sources 1 --sizes 4 --jobs 1 --block-size 64 --ideal
says out 'golden model --block-size 64 --ideal'
rows '  has the requested sizes' "$dir/agt.json" "{p['agt_size'] for p in r['rows']} == {4}"
check '  and arguments' 0 python3 tb/experiments/sweep_agt.py --config tiny --seeds 1 --sources 1 --sizes 4 \
  --jobs 1 -- --block-size 64 --ideal
counted
