#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Tests of the heddle command, third part: workloads in rounds other than bfs, in lockstep on tiny. Ends with `N passed,
# N failed`.
dir=build/test/cli_rounds
. verif/cli/cli.sh

awk 'BEGIN { for (v = 0; v < 300; v++) { print v, (v + 1) % 300; if (v % 3) print v, v % 7 } }' > "$dir/hubs.txt"
near='--l1 64 --l1-latency 2 --l2-cycles 1 --l2-latency 10 --dram-latency 20 --dram-bandwidth 1000 --port-cycles 1'
# A hub has 30 neighbours, so a thread with 16 launches. Workloads that wait for hundreds of lines get a fast memory.
for w in sssp clr join regx rec amr bht; do
  children='' memory=''
  case $w in
    sssp | clr) data="$dir/hubs.txt" children='--threshold 16 --child-size 16' ;;
    rec) data="$dir/hubs.txt" children='--threshold 16 --child-size 16' memory=$near ;;
    join) data='--rows 200' ;;
    bht) data='--rows 60' ;;
    regx) data='--rows 30' memory=$near ;;
    amr) data='--rows 4' memory="$near --sources 1" ;;
  esac
  for s in timer gpu; do
    [ $s = gpu ] && sizes=$memory || sizes=''
    for l in flat 'cdp --ideal' 'dtbl --ideal' dtbl; do
      [ "$l" = flat ] && with='' || with=$children
      check "run $w --smx $s --launch $l" 0 $heddle run $w $data --config tiny --block-size 64 --sources 2 \
        --smx $s --launch $l $with $sizes --json="$dir/run.json" --quiet
      json '  in lockstep, and the answer is right' run "$dir/run.json" \
        "r['workload'] == '$w' and r['answer_ok'] and r['cycles_compared'] >= r['cycles'] and not r['differences'] \
         and ('$l' == 'flat' or r['device']['launches'] > 1)"
    done
  done
done

# ---- TBs that wait for their children: parents occupy all slots and are saved
waiting="$dir/hubs.txt --config tiny --block-size 64 --sources 4 --threshold 16 --child-size 16 --launch cdp --ideal"
for s in timer gpu; do
  for p in rr smx-bind; do
    check "run bfs --smx $s --sync --policy $p" 0 $heddle run bfs $waiting --sync --policy $p --smx $s \
      --timeline "$dir/run.csv" --json="$dir/run.json" --quiet
    json '  in lockstep, and the answer is right' run "$dir/run.json" \
      "r['answer_ok'] and r['cycles_compared'] >= r['cycles'] and not r['differences'] \
       and r['device']['saves']['restarts'] == r['device']['saves']['accepted'] > 4"
    json '  a row for each stay of a TB' timeline "$dir/run.csv" "$dir/run.json"
    check '  that wait in their slots' 5 $heddle run bfs $waiting --sync --policy $p --smx $s --wait spin \
      --engine model --quiet
    says err '2 TBs wait for their children in their slots, 0 are saved'
  done
done
check 'run bfs --sync --timeline' 0 $heddle run bfs $waiting --sync --engine model --timeline "$dir/t.json" \
  --json="$dir/run.json" --quiet
json '  is as a viewer wants it' chrome "$dir/t.json" "$dir/run.json"
check 'run bfs --context-cycles' 0 $heddle run bfs $waiting --sync --engine model --context-cycles 500 \
  --json="$dir/slow.json"
says out ' saves accepted, 0 refused; '
json '  a context takes longer' run "$dir/slow.json" \
  "r['parameters']['context_cycles'] == 500 and r['parameters']['wait'] == 'save' \
   and r['device']['saves']['load_mean'] > 500 * 8"
refused 'waiting without a wait' '--wait has no effect here; with --launch cdp of tiles, or --sync, it' \
  $heddle run --launch cdp --wait spin
refused 'contexts of TBs that are not saved' '--context-cycles has no effect here; with --wait save it' \
  $heddle run sw --launch cdp --wait spin --context-cycles 3
refused 'contexts that are stored by warps' '--context-cycles with --smx gpu; it applies only to --smx timer' \
  $heddle run sw --launch cdp --smx gpu --context-cycles 3
refused 'a wait of another kind' "wait 'yield' is unknown; accepted: save spin" \
  $heddle run sw --launch cdp --wait yield
refused 'groups that are waited for' '--sync with --launch dtbl; cdp would be accepted' $heddle run --launch dtbl --sync
# Tiles: the parent occupies one of the slots in which its children may run.
check 'run sw --launch cdp --policy smx-bind' 0 $heddle run sw --nodes 16 --size 32 --block-size 64 --config tiny \
  --launch cdp --ideal --host-latency 100 --cycles-per-step 3 --policy smx-bind --json="$dir/run.json" --quiet
json '  in lockstep, and the answer is right' run "$dir/run.json" \
  "r['answer_ok'] and r['cycles_compared'] >= r['cycles'] and not r['differences'] \
   and r['device']['saves']['restarts'] == r['device']['saves']['accepted'] == r['graph']['waves']"
printf '0 1 1\n1 2 1\n2 3 1\n0 3 9.5\n0 4 0\n' > "$dir/weighted.txt"
check 'run sssp' 0 $heddle run sssp "$dir/weighted.txt" --engine model --sources 1
says out '5 vertices in 4 rounds, the farthest at 3; weights of the input'
says out "the search agrees with Dijkstra's"
printf '0 1 -1\n' > "$dir/negative.txt"
refused 'a negative weight' 'negative.txt:1: the weight is -1; 0 to' $heddle run sssp "$dir/negative.txt"
check 'run clr' 0 $heddle run clr "$dir/weighted.txt" --engine model --sources 2
says out '10 vertices have colours, '
says out 'all 2 colourings agree with a sequential program'
refused 'arcs with colours' '--directed with clr, which needs an undirected graph' $heddle run clr --directed
for s in timer gpu; do
  check "run bfs --expand warp --smx $s" 0 $heddle run bfs "$dir/hubs.txt" --config tiny --block-size 64 --sources 2 \
    --smx $s --expand warp --json="$dir/warp.json" --quiet
  json '  in lockstep, and the answer is right' run "$dir/warp.json" \
    "r['parameters']['expand'] == 'warp' and r['answer_ok'] and r['cycles_compared'] and not r['differences']"
done
refused 'warps that expand and launch' 'flat would be accepted' $heddle run --expand warp --launch dtbl

# ---- tables
printf 'b\na\n\na\nb\nb\nb\nc\n' > "$dir/keys.txt" # R: b a b c, S: a b b
check 'run join FILE' 0 $heddle run join "$dir/keys.txt" --engine model --json="$dir/join.json"
says out '5 pairs for 4 rows, at most 2 for one'
says out 'right: the join agrees with a merge of sorted tables'
json '  its report names the file' run "$dir/join.json" "len(r['input_sha256']) == 64 and r['found']['pairs'] == 5"
check 'run join --keys uniform' 0 $heddle run join --rows 2000 --keys uniform --engine model --json="$dir/join.json"
json '  few rows have the same key' run "$dir/join.json" "r['found']['most'] < 12 and r['found']['rows'] == 2000"
refused 'tables with directions' '--directed with join, whose input is no graph' $heddle run join --directed
refused 'tables that are there' '--rows and an INPUT' $heddle run join "$dir/keys.txt" --rows 3
refused 'a graph of rows' '--keys with sssp, whose input is a graph' $heddle run sssp --keys uniform
: > "$dir/no-keys.txt"
refused 'a table of nothing' 'no-keys.txt: no text; at least one row' $heddle run join "$dir/no-keys.txt"
printf 'Package: x\nDepends: libx\n\n\nPackage: libxy-dev\nDepends: a,\n libz-dev\n' > "$dir/stanzas.txt"
check 'run regx FILE' 0 $heddle run regx "$dir/stanzas.txt" --pattern 'lib[a-z]+-d|y: x' --engine model
says out '1 of 2 packets match, of '
says out "right: the scan agrees with the C library's regexec()"
refused 'a pattern that is none' "the expression 'a(b' has a '(' without ')'" $heddle run regx --pattern 'a(b'
refused 'a pattern of nothing' 'the empty text, which would match everywhere' $heddle run regx --pattern 'a*'
refused 'a pattern of a graph' '--pattern with bfs; regx would be accepted' $heddle run bfs --pattern a
refused 'a mesh of the user' 'an INPUT with amr, whose data are generated' $heddle run amr "$dir/hubs.txt"

# ---- generated graphs
for k in graph500 banded road; do
  check "graph $k" 0 $heddle graph $k --nodes 1024 -o "$dir/$k.mtx.gz"
  check '  again' 0 $heddle graph $k --nodes 1024 -o "$dir/again.mtx.gz"
  same '  gives the same file' "$dir/$k.mtx.gz" "$dir/again.mtx.gz"
  check '  that can be run' 0 $heddle run bfs "$dir/$k.mtx.gz" --engine model --quiet
done
refused 'nodes that are no power of two' '--nodes is 1000; a power of two' $heddle graph graph500 --nodes 1000 -o x.mtx
refused 'too few nodes' '64 to 67108864 nodes would be accepted' $heddle graph road --nodes 9 -o x.mtx
refused 'a graph without an output' 'add -o FILE' $heddle graph banded
refused 'no such graph' "unknown action 'torus'; accepted: debian graph500" $heddle graph torus

# ---- the table of all workloads
papers() {
  python3 tb/experiments/table_papers.py --config tiny --seeds 2 --nodes 128 --graphs "$dir/papers" \
    --keep "$dir/papers/runs" --workloads bfs-graph500,clr-banded,sssp-graph500 --json="$dir/papers.json" \
    -- --block-size 64 "$@" > "$dir/out" 2> "$dir/err"
}
rm -rf "$dir/papers"
papers --threshold 16 --child-size 16 --pending 500
note $? 'table_papers.py'
says out 'all agree with a plain program in every run'
says out 'the paper: 1.40'
"$python" -S -c "
import json
r = json.load(open('$dir/papers.json'))['rows']
assert [x['workload'] for x in r] == ['bfs-graph500', 'clr-banded', 'sssp-graph500']
assert all(x['answer_ok'] and x['seeds'] == 2 and x['speed']['flat']['mean'] > 0.99 for x in r)
assert all(x['children']['dtbl']['mean'] > 0 and len(x['cycles']) == 15 for x in r)" 2> "$dir/err"
note $? '  with all its points'
cp "$dir/out" "$dir/first"
find "$dir/papers/runs" -name '*.json' | sort | head -3 | xargs rm
papers --threshold 16 --child-size 16 --pending 500
same '  goes on where it was broken off, and is the same' "$dir/out" "$dir/first"

# ---- pairs
matrix() {
  python3 tb/experiments/table_matrix.py --config tiny --seeds 1 --nodes 128 --graphs "$dir/papers" \
    --keep "$dir/papers/runs" --workloads bfs-graph500 --json="$dir/matrix.json" "$@" \
    -- --block-size 64 --threshold 16 --child-size 16 > "$dir/out" 2> "$dir/err"
}
matrix --changes "128 MSHRs,any number of launches"
note $? 'table_matrix.py'
says out 'all agree with a plain program in every run'
"$python" -S -c "
import json
r = json.load(open('$dir/matrix.json'))['rows']
assert [x['change'] for x in r] == ['128 MSHRs', 'any number of launches']
assert all(x['answer_ok'] and len(x['speed']) == 8 and len(x['because']) == 6 for x in r)
assert all(x['refused'][p] == 0 for x in r[1:] for p in x['refused'] if 'dtbl' in p)" 2> "$dir/err"
note $? '  with all its pairs'
matrix --changes wishes
note $(($? != 2)) '  refuses a change that it does not know'
says err "accepted: none, AGT's hash"
counted
