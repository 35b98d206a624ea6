#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# The long runs: 100 million cycles of random lockstep of the plane in tiny (20 seeds: 2 million of the profiles in
# turn, 1 million each of the stresses overflow, failing and regions), 10 million in k20c and k20c-laperm, the plane of
# big; 2 million of every other block in k20c and tiny; 10 million of a bank of priority queues with each number of
# levels; graph buffers of 4, 16, 128 and 512 nodes; 2 million cycles at a time of the planes of tiny and k20c in which
# graph kernels, ordinary ones and launches of TBs must have met, and of the netlist of tiny; each workload of tiles at
# 1024 TBs in lockstep, under each launch model and order; LaPerm's banks with 13 SMXs, 1 to 16 levels and clusters of 1
# to 4, and with 132; a million of the plane of k20c with the other values of AgtHash, FairEvery and PrefetchDepth; BFS
# under each policy by kernels and by groups; ten thousand errors of the memory without a reset; model and DepLinks
# under valgrind, liveness, coverage, the tables of the pages, the plane's netlist in k20c, that of tiny in Icarus
# Verilog, and the large references of the area report. A run that has passed is remembered in build/long, under a
# fingerprint of the sources, and not done again as long as they stay as they are. Ends with `N passed, N failed`.
set -u
passed=0 failed=0
long=build/long/$(find rtl cmodel tb/engine tb/mem tb/env tb/oracle tb/sim tb/work synth verif/area \
  verif/coverage_exclusions.csv \
  -name '*.pyc' -prune -o -type f -print | sort | xargs cat | sha256sum | cut -c 1-12)
mkdir -p "$long"

# NAME COMMAND..
once() {
  name=$1 start=$(date +%s)
  shift
  done=$long/$name.done
  if [ -f "$done" ]; then
    passed=$((passed + 1)) word=before
  elif "$@" > "$long/$name.log" 2>&1; then
    passed=$((passed + 1)) word=ok
    mv "$long/$name.log" "$done"
  else
    failed=$((failed + 1)) word=FAILED
    tail -40 "$long/$name.log"
  fi
  printf '%-7s %-16s %5d s\n' "$word" "$name" $(($(date +%s) - start))
}

# CONFIG SEED OPTION..: 2 million cycles of the plane, in the profiles in turn, in which all kinds of kernels ran: TBs
# of graphs beside those of groups, device kernels, saved TBs, launches of graph TBs, and errors of the memory.
mixed() {
  plane=$1 from=$2
  shift 2
  build/heddle equiv top --config "$plane" --cycles 2000000 --seed "$from" --covers "$@" > "$long/mixed.txt" || return 1
  cat "$long/mixed.txt"
  for point in graph_tb graph_tb_beside_group_tb graph_launches graph_not_read dev_kernel dev_group group_tb save \
    restart kernel_done kernel_failed; do
    awk -v p="$point" '$1 == p && $2 > 0 { hit = 1 } END { exit !hit }' "$long/mixed.txt" || {
      echo "$point was not hit"
      return 1
    }
  done
}

blocks=$(sed '/^#/d; /^block,/d; /^top,/d; s/,.*//' rtl/pkg/blocks.csv) # the plane has runs of its own
for seed in $(seq 2001 2020); do
  once "top-tiny-$seed" build/heddle equiv top --config tiny --cycles 2000000 --seed "$seed"
  for profile in overflow failing regions; do
    once "top-$profile-$seed" build/heddle equiv top --config tiny --profile "$profile" --cycles 1000000 --seed "$seed"
  done
done
for config in k20c k20c-laperm; do
  for seed in $(seq 1001 1010); do
    once "top-$config-$seed" build/heddle equiv top --config "$config" --cycles 1000000 --seed "$seed"
  done
done
once top-big build/heddle equiv top --config big --cycles 100000
for config in k20c tiny; do
  for block in $blocks; do
    once "$block-$config" build/heddle equiv "$block" --config "$config" --cycles 2000000 --seed 77
  done
done
for set in MaxLevel=1 MaxLevel=4 MaxLevel=16; do
  once "pq-k20c-$set" build/heddle equiv pq --config k20c --set "$set" --cycles 10000000 --seed 13
done
for levels in 1 2 4 16; do
  for cluster in 1 2 4; do
    once "laperm-13-$levels-$cluster" build/heddle equiv laperm --config tiny --set NumSmx=13 --set MaxLevel=$levels \
      --set SmxPerCluster=$cluster --cycles 300000 --seed 19
  done
done
for levels in 4 16; do
  for block in laperm sched; do
    once "$block-132-$levels" build/heddle equiv $block --config tiny --set NumSmx=132 --set CtasPerSmx=1 \
      --set MaxLevel=$levels --cycles 300000 --seed 19
  done
done
for block in laperm sched; do # as big chooses
  once "$block-132-latency" build/heddle equiv $block --config tiny --set NumSmx=132 --set CtasPerSmx=1 \
    --set ChoiceLatency=2 --cycles 300000 --seed 19
done
for lna in 4 16 128 512; do
  once "dgb-lna-$lna" build/heddle equiv dgb --config tiny --set Lna=$lna --set Lea=$((4 * lna)) --cycles 2000000 \
    --seed 23
done
for seed in 3001 3002 3003 3004 3005; do
  for config in tiny k20c; do once "mixed-$config-$seed" mixed "$config" "$seed"; done
done
for config in tiny k20c; do
  for workload in dtw heat2d hist intimg sor sw; do
    while read -r name launch; do
      once "$workload-$config-$name" build/heddle run "$workload" --config $config --block-size 64 --nodes 1k \
        --cycles-per-step 20 --host-latency 3000 --uneven 50 --launch $launch
    done << 'end'
waves waves
cdp cdp
barriers barriers
lrr graph --order lrr
lvl graph --order lvl
lvl-bind graph --order lvl-bind
end
  done
done
once top-k20c-hash1 build/heddle equiv top --config k20c --set AgtHash=1 --set FairEvery=3 --cycles 1000000 --seed 17
once top-k20c-hash0 build/heddle equiv top --config k20c --set AgtHash=0 --set PrefetchDepth=0 --cycles 1000000 \
  --seed 18
for launch in dtbl cdp; do
  for policy in rr tb-pri smx-bind adaptive-bind; do
    once "bfs-$launch-$policy" build/heddle run bfs --launch "$launch" --policy "$policy" --sources 64
  done
done
once netlist-top-tiny mixed tiny 3006 --variant netlist
once netlist-top-k20c build/heddle equiv top --config k20c --variant netlist --cycles 100000 --seed 1
once smx-132 build/heddle equiv top --config tiny --set NumSmx=132 --set CtasPerSmx=1 --cycles 1000000
for seed in 1 2 3 4 5; do # banks of four places, a slow memory, a policy for a few hundred cycles
  once "banks-$seed" build/heddle equiv top --config tiny --set PqDepth=4 --profile overflow --cycles 2000000 \
    --seed "$seed"
done
once icarus verif/test_icarus.sh 10000 free idle_source stall_sink random bad full
once netlist-laperm-k20c build/heddle equiv laperm --config k20c --variant netlist --cycles 100000 --seed 1
once storm-build make -s build/test/equiv_storm
once storm build/test/equiv_storm long
once live-build make -s build/test/equiv_live
once live build/test/equiv_live long
once coverage synth/coverage.sh
once pages docs/update.sh --check
once area python3 verif/area/test_area.py --long
once valgrind-build make -s build/valgrind/heddle
once valgrind-run valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
  build/valgrind/heddle run --engine model --config tiny --block-size 128 --sources 1 --quiet tb/data/debian12.mtx.gz
once valgrind-deplinks valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
  build/valgrind/heddle graph deplinks --pattern layered --grid 1000x60 -o "$long/deplinks.bin"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
