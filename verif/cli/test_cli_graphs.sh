#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Tests of the heddle command, second part: workloads of tiles, the papers' examples, graphs and their readers,
# dependency graphs of kernels. Requires the blocks of tiny. Ends with `N passed, N failed`.
dir=build/test/cli_graphs
. verif/cli/cli.sh

# ---- workloads of tiles
tiles="--config tiny --block-size 64 --cycles-per-step 2 --host-latency 300"
for w in dtw heat2d hist intimg sor sw; do
  for l in waves cdp barriers graph; do
    check "run $w --launch $l" 0 $heddle run $w --nodes 1k --launch $l --engine model --json="$dir/$w-$l.json"
    json '  1024 TBs, and the right answer' run "$dir/$w-$l.json" \
      "r['answer_ok'] and r['graph']['nodes'] == 1024 == r['ctas'] - ('$l' == 'cdp') and r['seconds'] < 30 \
       and r['data']['source'] == 'generated' and r['data']['seed'] == 1 and r['cycles'] > r['cycles_launching'] \
       and ('$l' == 'cdp' and r['device']['kernels'] or r['kernels']) == \
       ('$l' in 'barriers graph' or r['graph']['waves'])"
  done
  "$python" -S -c "
import json
waves, bars, graph = [json.load(open(f'$dir/$w-{l}.json')) for l in ('waves', 'barriers', 'graph')]
assert graph['cycles'] < waves['cycles'] and graph['found'] == bars['found'] == waves['found']
assert bars['graph']['waves'] == waves['graph']['waves'] and bars['graph']['edges'] > waves['graph']['edges']
assert graph['parameters']['order'] == 'lrr'" 2> "$dir/err"
  note $? '  with its graph it is faster than wave by wave, and finds the same'
done
for l in waves 'cdp --ideal' barriers 'graph --order lvl-bind --bound 1 --uneven 70'; do
  for e in rtl model both; do
    check "run sor --launch $l --engine $e" 0 $heddle run sor $tiles --nodes 36 --size 25 --launch $l --engine $e \
      --json="$dir/sor-$e.json" --timeline "$dir/sor-$e.csv"
  done
  same_run '  the three engines report the same' "$dir/sor-rtl.json" "$dir/sor-model.json" "$dir/sor-both.json"
  json '  a row for each TB' timeline "$dir/sor-both.csv" "$dir/sor-both.json"
  json '  every cycle was compared' run "$dir/sor-both.json" \
    "r['differences'] == 0 and r['cycles_compared'] >= r['cycles'] and r['graph']['sweeps'] == 4"
done
json '  counters of the graph buffer, and how far TBs ran ahead' run "$dir/sor-both.json" "r['level_range'] == 1 and \
  r['parameters']['uneven'] == 70 and r['graph_buffer']['pub_most'] == 2 < r['graph_buffer']['pub_updates'] and \
  r['graph_buffer']['early_updates'] > 0 and \
  r['graph_buffer']['bytes_share'] == r['graph_buffer']['bytes'] / r['tile_bytes'] > 0"
# A graph that deadlocks under the paper's own rules is STUCK, with the node and the reason.
stuck() { # NODE WHY OPTIONS..
  node=$1 why=$2
  shift 2
  check "run --launch barriers that is stuck at node $node" 5 $heddle run dtw --nodes 1k --launch barriers \
    --set DgbPaper=1 --engine model --json="$dir/stuck.json" --report="$dir/stuck.txt" "$@"
  json '  in JSON' run "$dir/stuck.json" "r['verdict'] == 'STUCK' and not r['answer_ok'] and \
    'the graph of kernel 0 is stuck at node (VID) $node: by the paper' in r['reason']"
  says stuck.txt "$why"
}
stuck 175 'the update of node 209 by node 175 waits for a row of the PUB, and all 64 hold updates'
stuck 11 'it is not issued before node 12 enters the window' --set Lea=16
check 'run --nodes 9k, cycles skipped and compared' 0 \
  $heddle run heat2d $tiles --nodes 9k --size 96 --engine model --skip check --json="$dir/9k.json"
json "  the paper's 9216 nodes in 191 levels" run "$dir/9k.json" \
  "(r['graph']['nodes'], r['graph']['waves']) == (9216, 191)"
check '  as text' 0 $heddle run sw $tiles --nodes 16 --size 40 --data-seed 5 --engine model
says out '40 x 40 cells, generated with seed 5'
says out '16 nodes (4 x 4 tiles), 24 edges, 7 waves of up to 4 TBs'
says out 'right: all 1600 cells agree with a plain program'
python3 tb/experiments/table_wireframe.py --config tiny --nodes 16,64 --workloads sw,sor --seeds 2 \
  --json="$dir/wireframe.json" -- --block-size 64 --size 32 --cycles-per-step 2 --host-latency 3000 \
  > "$dir/out" 2> "$dir/err"
note $? 'table_wireframe.py'
says out 'all agree with a plain program in every run'
"$python" -S -c "
import json
r = json.load(open('$dir/wireframe.json'))['rows']
assert [(x['nodes'], x['workload']) for x in r] == [(n, w) for n in ('16', '64') for w in ('sw', 'sor')]
assert all(x['answer_ok'] and x['seeds'] == 2 and x['differences'] == 0 for x in r)
assert all(x['cycles']['lvl']['mean'] < x['cycles']['waves']['mean'] for x in r)
assert all(x['speed']['lvl']['mean'] > 1 for x in r)" 2> "$dir/err"
note $? '  a graph is faster than waves with a barrier between them'
"$python" -S -c "
import json
r = json.load(open('$dir/wireframe.json'))['rows']
points = {'barriers', 'barriers+', 'lrr', 'lrr+', 'lvl', 'lvl-bind'}
assert all(set(x[k]) == points for x in r for k in ('level_range', 'bytes_share', 'pub_most', 'early_updates'))
assert all(x['level_range'][p] == 0 and x['bytes_share'][p] > 0 for x in r for p in ('barriers', 'barriers+'))
assert all(x['pub_most'][p] <= 2 for x in r for p in points)
assert all(x['early_updates']['lrr+'] == 0 < x['early_updates']['lrr'] for x in r)" 2> "$dir/err"
note $? '  and what the graph buffer did'
python3 tb/experiments/table_wireframe.py --buffer --config tiny --nodes 64 --seeds 1 --plot "$dir/buffer.svg" \
  --json="$dir/buffer.json" -- --block-size 64 --size 16 --cycles-per-step 2 --uneven 50 > "$dir/out" 2> "$dir/err"
note $? 'table_wireframe.py --buffer'
says out 'nodes of the LNA, an LEA of 4096 edges'
says out 'all agree with a plain program'
"$python" -S -c "
import json
r = json.load(open('$dir/buffer.json'))['rows']
assert len(r) == 26 and all(x['answer_ok'] and x['pub_most'] <= 256 for x in r)
assert '</svg>' in open('$dir/buffer.svg').read()
assert max(x['pub_most'] for x in r if x['lna'] == 1024) == 0 < max(x['pub_most'] for x in r if x['lna'] == 32)
" 2> "$dir/err"
note $? '  a window that holds all of the graph needs no PUB'
check 'a plot of the tables' 2 python3 tb/experiments/table_wireframe.py --plot "$dir/x.svg"
says err '--plot build/test/cli_graphs/x.svg: accepted: with --buffer'
check 'a buffer of two workloads' 2 python3 tb/experiments/table_wireframe.py --buffer --workloads sor,sw
says err 'accepted: one workload'
printf '>a\nACACACTA\n' > "$dir/a.fa"
printf '>b\nagcacac\n' > "$dir/b.fa"
printf 'P2\n5 4\n9\n0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9\n' > "$dir/i.pgm"
printf '1\n2\n3\n3\n' > "$dir/a.txt"
printf '1\n2\n4\n' > "$dir/b.txt"
while read -r w value files; do
  check "run $w --input $files" 0 $heddle run $w $tiles --nodes 4 --engine model --json="$dir/$w-input.json" \
    $(for f in $files; do echo "--input $dir/$f"; done)
  json '  finds what is known of these data, and names them' run "$dir/$w-input.json" \
    "r['answer_ok'] and r['found']['value'] == $value and [f['file'] for f in r['data']['files']] == \
     ['$dir/' + f for f in '$files'.split()] and all(len(f['sha256']) == 64 for f in r['data']['files']) \
     and r['data']['source'] == 'files' and r['input_sha256'] == r['data']['files'][0]['sha256']"
done << 'end'
sw 11 a.fa b.fa
dtw 2 a.txt b.txt
intimg 90 i.pgm
hist 2 i.pgm
end
# Two genomes whose table would take 5.8 GB; the part that neighbours read takes 10 MB. 7 s of CPU time.
for n in 30000 48000; do
  "$python" -S -c "
import random
random.seed($n)
print('>', $n, chr(10), ''.join(random.choices('ACGT', k=$n)), sep='')" > "$dir/$n.fa"
done
check 'run sw on 30000 x 48000 cells, in 100 MB' 0 sh -c "ulimit -v 100000; $heddle run sw --nodes 1k --engine model \
  --input $dir/30000.fa --input $dir/48000.fa --json=$dir/genomes.json"
json '  and the right answer' run "$dir/genomes.json" "r['answer_ok'] and r['data']['width'] == 30000 and \
  r['data']['height'] == 48000 and r['cycles'] == 421914909"
printf '>a\nAC7\n' > "$dir/bad.fa"
printf '1\nx\n' > "$dir/bad.txt"
printf 'P2\n5 4\n9\n0 1 2 10\n' > "$dir/bad.pgm"
refused 'a broken sequence' "bad.fa:2: '7' at column 3; letters" $heddle run sw --input "$dir/bad.fa"
refused 'a broken series' "bad.txt:2: the first field is 'x'; a number" $heddle run dtw --input "$dir/bad.txt"
refused 'a broken image' "bad.pgm:4: a pixel is '10'; a whole number from 0 to 9" \
  $heddle run hist --input "$dir/bad.pgm"
refused 'one sequence' 'a.fa: one sequence; two would be accepted' $heddle run sw --input "$dir/a.fa"
refused 'an image too small' '5 x 4 cells for 32 x 32 tiles' $heddle run intimg --input "$dir/i.pgm"
refused 'three files' 'a third --input' $heddle run sw --input a --input b --input c
refused 'two images' 'one would be accepted' $heddle run hist --input a --input b
refused 'data that are generated' '--input with sor, whose data are generated' $heddle run sor --input "$dir/a.txt"
refused 'data and their size' '--size and --input' $heddle run sw --size 64 --input "$dir/a.fa"
refused 'an INPUT' '--input x.fa would be accepted' $heddle run sw x.fa
refused 'searches with a graph' '--launch graph applies only to the workloads dtw' $heddle run bfs --launch graph
refused 'an order of waves' '--launch graph would be accepted' $heddle run sw --order lvl
refused 'searches with barriers' '--launch barriers applies only to the workloads dtw' $heddle run bfs --launch barriers
refused 'an order of barriers' '--launch graph would be accepted' $heddle run sw --launch barriers --bound 2
refused 'an order that is none' 'lrr, lvl or lvl-bind would be accepted' $heddle run sw --launch graph --order rr
refused 'tiles in groups' '--launch dtbl with sw; waves, cdp, barriers or graph' $heddle run sw --launch dtbl
refused 'searches in waves' 'flat, cdp or dtbl would be accepted' $heddle run bfs --launch waves
refused 'tiles and searches' '--sources applies only to the workloads bfs sssp clr join regx rec amr bht' \
  $heddle run sw --sources 3
refused 'searches and tiles' '--nodes applies only to the workloads dtw heat2d' $heddle run bfs --nodes 1k
refused 'tiles and a trace' 'sw and --trace; one of them would be accepted' $heddle run sw --trace x
refused 'a policy without launches from TBs' '--launch cdp would be accepted' $heddle run sw --policy tb-pri
refused 'nodes that are no number' "--nodes is '2k'; 1k, 4k, 9k or a whole number" $heddle run sw --nodes 2k
refused 'nodes that are no square' 'a square times the sweeps' $heddle run sw --nodes 1000
refused 'sweeps that do not go' 'a square times the sweeps' $heddle run sor --nodes 1k --sweeps 3
refused 'sweeps of one' '--sweeps with dtw, which has one' $heddle run dtw --sweeps 2
refused 'bins of none' '--bins with sw; hist' $heddle run sw --bins 4
refused 'a table too large' 'a table of more than 1 GiB; 134217728 cells' $heddle run sor --size 12000
refused 'an image too large' 'pixels need more than 1 GiB' $heddle run intimg --size 30000
refused 'a TB of tiles too large' '--block-size 128 or less fits' $heddle run sw --config tiny --block-size 256

# ---- a paper's example
check 'example laperm' 0 $heddle example laperm
says out '  SMX0          P0--------P4--------C2--------C3--------C4'
says out '4 of 4 schedules'
says out 'differences: 0'
for e in rtl model both; do
  check "example laperm --engine $e" 0 $heddle example laperm --engine $e --json
  cp "$dir/out" "$dir/example-$e.json"
  json '  tells four schedules' example "$dir/example-$e.json" \
    "r['engine'] == '$e' and [p['policy'] for p in r['policies']] == ['rr', 'tb-pri', 'smx-bind', 'adaptive-bind']"
done
"$python" -S -c "
import json
rtl, model, both = [json.load(open(f'$dir/example-{e}.json')) for e in ('rtl', 'model', 'both')]
assert [p['smx'] for p in rtl['policies']] == [p['smx'] for p in model['policies']]
assert [p['smx'] for p in rtl['policies']] == [p['smx'] for p in both['policies']]
assert all(0 <= p['cycles_compared'] - p['cycles'] < 32 for p in both['policies'])
assert not any(p['cycles_compared'] for p in rtl['policies'])
assert [' '.join(t['tb'] for t in x) for x in both['policies'][1]['smx']] == [
    'P0 C0 C2 P6', 'P1 C1 C3 P7', 'P2 P4 C4', 'P3 P5 C5']" 2> "$dir/err"
note $? '  the same with each engine, and those of the paper'
check 'example laperm --policy --wave' 0 $heddle example laperm --policy tb-pri --wave "$dir/e.fst"
says out '1 of 1 schedules'
[ -s "$dir/e.fst" ] && [ -s "$dir/e.fst.gtkw" ]
note $? '  leaves the waveform and its view'
check "a schedule that is not the paper's" 4 $heddle example laperm --policy rr --against tb-pri
says out 'not as in the paper: SMX0 ran P0 P4 C0 C4; in the paper P0 C0 C2 P6'
says out '0 of 1 schedules'
[ "$(tail -1 "$dir/out")" = ORACLE ]
note $? '  and ends in the verdict'
check '  as JSON' 4 $heddle example laperm --engine model --against rr --json
says err 'heddle example: tb-pri: ORACLE: not as in the paper: SMX0 ran P0 C0 C2 P6'
cp "$dir/out" "$dir/against.json"
json '  reports which' example "$dir/against.json" \
  "r['verdict'] == 'ORACLE' and [p['as_in_paper'] for p in r['policies']] == [True, False, False, False]"
check 'example wireframe' 0 $heddle example wireframe
says out '  d    260  1 is done                  3  -       -       -       (3 R 0)  4 4 5  =  3 is ready'
says out 'handed out in the order 0 1 3 2 4 6 5 7 8'
says out '7 of 7 steps'
says out 'differences: 0'
for e in rtl model both; do
  check "example wireframe --engine $e" 0 $heddle example wireframe --engine $e --json
  cp "$dir/out" "$dir/wireframe-$e.json"
  json '  tells seven steps' example "$dir/wireframe-$e.json" \
    "r['engine'] == '$e' and [s['step'] for s in r['steps']] == list('abcdefg') and len(r['tbs']) == 9"
done
"$python" -S -c "
import json
rtl, model, both = [json.load(open(f'$dir/wireframe-{e}.json')) for e in ('rtl', 'model', 'both')]
assert rtl['steps'] == model['steps'] == both['steps'] and rtl['tbs'] == model['tbs'] == both['tbs']
assert both['cycles_compared'] == both['cycles'] and not rtl['cycles_compared']
assert [s['pub'] for s in both['steps']] == [[], [], [4, 5], [4, 4, 5], [4, 4, 5], [5], []]
assert [s['tail'] for s in both['steps']] == [0, 1, 1, 3, 3, 3, 4]
assert both['steps'][3]['places'][:3] == [None] * 3
assert both['steps'][4]['places'][0] == {
    'node': 4, 'state': 'W', 'parents': 2, 'edge_start': 7, 'end_known': False}" 2> "$dir/err"
note $? '  the same with each engine, and those of the paper'
check 'example wireframe --wave' 0 $heddle example wireframe --wave "$dir/w.fst"
[ -s "$dir/w.fst" ] && [ -s "$dir/w.fst.gtkw" ]
note $? '  leaves the waveform and its view'
check "steps that are not the paper's" 4 $heddle example wireframe --engine model --against b
says out 'not as in the paper: step a: place 1 has 1 W 1; in the paper 1 R 0'
says out '1 of 7 steps'
check '  as JSON' 4 $heddle example wireframe --engine model --against b --json
says err 'heddle example: ORACLE: not as in the paper: step a'
cp "$dir/out" "$dir/against.json"
json '  reports which' example "$dir/against.json" \
  "r['verdict'] == 'ORACLE' and [s['as_in_paper'] for s in r['steps']] == [k == 1 for k in range(7)]"
check 'example channels' 0 $heddle example channels
says out 'DDDDdddd  45670123  no '
says out '........  45670123  yes '
says out '8 of 8 steps'
check 'example channels --json' 0 $heddle example channels --engine model --json
cp "$dir/out" "$dir/channels.json"
json '  reports eight steps, as in the paper' example "$dir/channels.json" \
  "len(r['steps']) == 8 and all(s['as_in_paper'] for s in r['steps'])"
check "steps of channels that are not the paper's" 4 $heddle example channels --engine model --against b
refused 'an example without policies' '--policy applies only to the example laperm' \
  $heddle example wireframe --policy rr
refused "a step that is not the paper's" "step 'h' is not in the paper" $heddle example wireframe --against h
refused 'no such example' "no example 'loom'; accepted: laperm wireframe" $heddle example loom
refused 'no example named' 'missing EXAMPLE; accepted: laperm wireframe' $heddle example
refused 'an example with an unknown policy' "policy 'fifo' is unknown; accepted: rr tb-pri" \
  $heddle example laperm --policy fifo
refused 'an example with an unknown engine' 'rtl, model or both' $heddle example laperm --engine fast
refused 'a waveform of four runs' 'add --policy NAME' $heddle example laperm --wave "$dir/x.fst"
refused 'a waveform of a model run' '--wave needs the RTL' \
  $heddle example laperm --policy rr --engine model --wave "$dir/x.fst"
refused 'a waveform that can not be written' "$dir/none/x.fst" \
  $heddle example laperm --policy rr --wave "$dir/none/x.fst"

# ---- graphs
check 'graph info' 0 $heddle graph info tb/data/debian12.mtx.gz
says out '60279'
printf '0 1\n1 2\n2 3\n0 3\n' > "$dir/g.txt"
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n4 4 4\n2 1\n3 2\n4 3\n4 1\n' > "$dir/g.mtx"
printf 'p sp 4 4\na 1 2 1\na 2 3 1\na 3 4 1\na 1 4 1\n' > "$dir/g.gr"
printf '4 4\n2 4\n1 3\n2 4\n3 1\n' > "$dir/g.graph"
gzip -kn "$dir/g.txt"
for g in txt mtx gr graph txt.gz; do
  check "run on g.$g" 0 $heddle run "$dir/g.$g" --config tiny --block-size 32 --sources 4 --json
  cp "$dir/out" "$dir/g-$g.json"
  ctas=$("$python" -S -c "import json; print(json.load(open('$dir/g-txt.json'))['ctas'])")
  json '  reads 4 nodes and 4 edges, and finds the same answer' run "$dir/g-$g.json" \
    "r['graph']['nodes'] == 4 and r['graph']['edges'] == 4 and r['ctas'] == $ctas"
done
printf '4 4 x\n' > "$dir/bad.mtx"
refused 'a broken graph' 'bad.mtx:1' $heddle run "$dir/bad.mtx" --config tiny --block-size 32
printf '# Directed graph: a hub, a cycle and a way to it\n# Nodes: 6 Edges: 5\n0 1\n0 2\n2 3\n3 0\n4 0\n' > "$dir/d.txt"
small_graph='--config tiny --block-size 32 --engine model'
for d in '' --directed; do
  told='false: arcs of the input became undirected edges'
  [ -z "$d" ] || told=true
  check "run $d on a directed graph" 0 $heddle run "$dir/d.txt" $d $small_graph --sources 5 --json="$dir/d$d.json"
  says out "  directed        $told"
  check "graph info $d" 0 $heddle graph info "$dir/d.txt" $d
  says out "  directed        $told"
  check '  as JSON' 0 $heddle graph info "$dir/d.txt" $d --json
  cp "$dir/out" "$dir/info$d.json"
done
json '  both ways, an edge leads to each vertex' run "$dir/d.json" "r['answer_ok'] and r['kernels'] == 14 and \
  (r['graph']['directed'], r['graph']['made_undirected'], r['graph']['largest_degree']) == (False, True, 4)"
json '  along arcs, none leads to one of them' run "$dir/d--directed.json" "r['answer_ok'] and r['kernels'] == 15 and \
  (r['graph']['directed'], r['graph']['made_undirected'], r['graph']['largest_degree']) == (True, False, 2)"
json '  graph info reports the same as JSON' graph "$dir/info.json" "r['graph']['made_undirected'] and \
  r['graph']['declared_nodes'] == 6 and [d['nodes'] for d in r['degrees']] == [2, 2, 1]"
json '  and with --directed' graph "$dir/info--directed.json" "r['graph']['directed'] and r['mean_degree'] == 1 and \
  [(d['from'], d['nodes']) for d in r['degrees']] == [(0, 1), (1, 3), (2, 1)]"
check 'run with more searches than vertices' 0 $heddle run "$dir/g.txt" $small_graph --sources 5 --json="$dir/all.json"
says err 'heddle run: --sources is 5, but the graph has 4 vertices: 4 searches'
says out '  searches        4 at once'
[ "$(wc -l < "$dir/err")" -eq 1 ]
note $? '  in one line'
json '  runs one from each vertex' run "$dir/all.json" "r['answer_ok'] and r['parameters']['sources'] == 4"
check '  with --quiet' 0 $heddle run "$dir/g.txt" $small_graph --quiet
[ ! -s "$dir/err" ]
note $? '  says nothing'

# ---- dependency graphs of kernels
deplinks="$heddle graph deplinks"
check 'graph deplinks --help' 0 $deplinks --help
says out 'Usage: heddle graph deplinks '
check 'graph deplinks with an unknown option' 2 $deplinks --no-such-option
says err 'heddle graph deplinks: unrecognized option'
check 'graph deplinks of a pattern' 0 $deplinks --pattern wavefront --grid 3x3
says out '  levels          5'
says out '  most parents    2, of TB 4 (1, 1, 0)'
for p in wavefront stencil barrier chain star star-in layered; do
  check "graph deplinks --pattern $p --json" 0 $deplinks --pattern $p --json
  cp "$dir/out" "$dir/dep-$p.json"
  json '  has the stable keys' deplinks "$dir/dep-$p.json" "r['pattern'] == '$p' and r['policy'] == 'lrr'"
done
json '  barrier: 64 before, 64 after' deplinks "$dir/dep-barrier.json" \
  "r['nodes'] == 128 and r['edges'] == 4096 and r['largest_in_degree'] == r['largest_out_degree'] == 64"
json '  chain: as long as can be' deplinks "$dir/dep-chain.json" \
  "r['levels'] == r['nodes'] and r['widest_level_tbs'] == 1"
printf '%s\n' '# 3 x 3, in any order' '7 8' '5 8' '6 7' '4 7' '4 5' '2,5' '3;6' '3 4' '1 4 // one more' '1 2' '0 3' \
  '0 1' '0 1' > "$dir/dep.txt"
check 'graph deplinks of a file' 0 $deplinks "$dir/dep.txt" --policy lvl --bound 4 --grid 3x3 --json
cp "$dir/out" "$dir/dep-file.json"
json '  merges and counts' deplinks "$dir/dep-file.json" "r['edges'] == 12 and r['merged'] == 1 and r['bound'] == 4 \
  and r['grid'] == [3, 3, 1] and len(r['input_sha256']) == 64"
check 'graph deplinks -o' 0 $deplinks "$dir/dep.txt" --grid 3x3 --base 0x10000001 -o "$dir/dep.bin"
says out 'node array      80 bytes at 0x0010000080'
check '  of the same pattern' 0 $deplinks --pattern wavefront --grid 3x3 -o "$dir/dep-pattern.bin"
same '  the same bytes' "$dir/dep.bin" "$dir/dep-pattern.bin"
"$python" -S -c "
import struct
b = open('$dir/dep.bin', 'rb').read()
assert len(b) == 512
assert [struct.unpack_from('<IHH', b, 8 * v) for v in range(10)] == [(0, 0, 0), (2, 1, 1), (4, 1, 1), (6, 1, 2),
    (7, 2, 2), (9, 1, 2), (10, 2, 3), (11, 2, 3), (12, 2, 4), (12, 0, 0)]
assert struct.unpack_from('<12H', b, 128) == (1, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8, 8)
assert struct.unpack_from('<9H', b, 256) == (0, 1, 3, 2, 4, 6, 5, 7, 8)
assert not any(b[80:128] + b[152:256] + b[274:])" 2> "$dir/err"
note $? '  and those of the paper'
printf '0 1\n1 2\n2 3\n\n3 1 # back\n' > "$dir/dep-cycle.txt"
refused 'a cycle' 'dep-cycle.txt:5: a cycle of parents and children: TB 1 (1, 0, 0), TB 2 (2, 0, 0), TB 3 (3, 0, 0), ' \
  $deplinks "$dir/dep-cycle.txt" -o "$dir/dep.bin"
same '  leaves what was there' "$dir/dep.bin" "$dir/dep-pattern.bin"
printf '# a TB alone\n0 1\n5 5\n' > "$dir/dep-self.txt"
refused 'a self edge' 'dep-self.txt:3: TB 5 (1, 1, 0) is its own parent' $deplinks "$dir/dep-self.txt" --grid 4x2
printf '0 1\n1 x\n' > "$dir/dep-word.txt"
refused 'an edge to a word' "dep-word.txt:2: field 2, the child, is 'x'; a whole number from 0 to 65534" \
  $deplinks "$dir/dep-word.txt"
printf '7\n' > "$dir/dep-half.txt"
refused 'half an edge' 'dep-half.txt:1: field 2, the child, is missing' $deplinks "$dir/dep-half.txt"
printf '0 1 9\n' > "$dir/dep-more.txt"
refused 'an edge with a weight' "dep-more.txt:1: field 3 is '9'" $deplinks "$dir/dep-more.txt"
printf '0 65535\n' > "$dir/dep-large.txt"
refused 'a TB too many' "dep-large.txt:1: field 2, the child, is '65535'" $deplinks "$dir/dep-large.txt"
refused 'a TB outside the grid' "is '5'; a whole number from 0 to 3 would" $deplinks "$dir/dep-self.txt" --grid 2x2
refused 'a grid too large' 'the first excess one is TB 65535 (255, 255, 0)' $deplinks --pattern chain --grid 256x256
refused 'a graph too large' 'out of memory at TB ' $deplinks --pattern barrier --grid 32767x2
: > "$dir/dep-empty.txt"
refused 'a file without an edge' 'dep-empty.txt: no edge' $deplinks "$dir/dep-empty.txt"
check '  with a grid' 0 $deplinks "$dir/dep-empty.txt" --grid 4
refused 'a missing file of edges' 'none.txt: No such file' $deplinks none.txt
refused 'no file of edges' 'missing FILE of edges, or --pattern' $deplinks
refused 'a file and a pattern' 'one of them would be accepted' $deplinks "$dir/dep-self.txt" --pattern chain
refused 'no such pattern' "--pattern is 'torus'; wavefront, stencil, " $deplinks --pattern torus
refused 'no such grid' "--grid is '3x0'; X, XxY or XxYxZ" $deplinks --pattern chain --grid 3x0
refused 'no such policy for a graph' "--policy is 'rr'; lrr, lvl or lvl-bind" $deplinks --pattern chain --policy rr
refused 'a bound without levels' '--bound applies only to' $deplinks --pattern chain --bound 3
refused 'a bound too large' '--bound 65536: accepted' $deplinks --pattern chain --policy lvl --bound 65536
refused 'a degree of a chain' 'apply only to --pattern layered' $deplinks --pattern chain --degree 2
refused 'an address too high' 'exceeds 40 bits' $deplinks --pattern chain --base 0xffffffff00
refused 'an image that can not be written' 'none/x.bin' $deplinks --pattern chain -o "$dir/none/x.bin"
no_files '  and nothing of it is left' 'x\.bin|\.bin\.'
counted
