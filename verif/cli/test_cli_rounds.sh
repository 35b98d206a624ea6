#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# The heddle command, third part: workloads in rounds other than bfs, in lockstep on tiny. Ends with
# `N passed, N failed`.
dir=build/test/cli_rounds
. verif/cli/cli.sh

awk 'BEGIN { for (v = 0; v < 300; v++) { print v, (v + 1) % 300; if (v % 3) print v, v % 7 } }' > "$dir/hubs.txt"
for w in sssp clr; do
  for s in timer gpu; do
    for l in flat 'cdp --ideal' 'dtbl --ideal' dtbl; do
      check "run $w --smx $s --launch $l" 0 $heddle run $w "$dir/hubs.txt" --config tiny --block-size 64 --sources 2 \
        --smx $s --launch $l --json="$dir/run.json" --quiet
      json '  in lockstep, and the answer is right' run "$dir/run.json" \
        "r['workload'] == '$w' and r['answer_ok'] and r['cycles_compared'] >= r['cycles'] and not r['differences']"
    done
  done
done
printf '0 1 1\n1 2 1\n2 3 1\n0 3 9.5\n0 4 0\n' > "$dir/weighted.txt"
check 'run sssp' 0 $heddle run sssp "$dir/weighted.txt" --engine model --sources 1
says out '5 vertices in 4 rounds, the farthest at 3; weights of the input'
says out "the search agrees with Dijkstra's"
printf '0 1 -1\n' > "$dir/negative.txt"
refused 'a negative weight' 'negative.txt:1: the weight is -1; 0 to' $heddle run sssp "$dir/negative.txt"
check 'run clr' 0 $heddle run clr "$dir/weighted.txt" --engine model --sources 2
says out '10 vertices have colours, '
says out 'all 2 colourings agree with a sequential program'
refused 'arcs with colours' '--directed with clr, which is of undirected graphs' $heddle run clr --directed
counted
