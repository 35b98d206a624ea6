#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Line and toggle coverage of each block under random lockstep, as a table and as build/coverage.json.
#   coverage.sh [CONFIG [BLOCK..]]   run from the top of the checkout, with build/heddle built; CONFIG defaults to tiny,
#                                    BLOCK to all
# In tiny a block also runs in derived configurations that reach points which tiny cannot (below), and the run fails if
# an uncovered point is neither constant nor excluded by verif/coverage_exclusions.csv; other configurations only
# report. CYCLES and SEEDS may be set in the environment. Uncovered points are listed in
# build/<config>/<block>/coverage.txt; build/coverage.info is the same data for lcov.
set -eu
config=${1:-tiny}
[ $# -eq 0 ] || shift
cycles=${CYCLES:-300000}
seeds=${SEEDS:-1 2 3}
blocks=${*:-$(sed '/^#/d; /^block,/d; s/,.*//' rtl/pkg/blocks.csv)}

# Configurations derived from tiny for a block.
more() { # BLOCK
  case $1 in
    fcfs) echo tiny+NumKde=4 ;;
    tbcr) echo tiny+MaxLevel=16 ;;
    sched) echo tiny+MaxLevel=16+FairEvery=3+DoneSlack=1 tiny+ChoiceLatency=2 ;;
    match) echo tiny+KdeSearchLanes=1 ;;
    link) echo tiny+AgtHash=0 ;;
    laperm) echo tiny+MaxLevel=16 tiny+NumSmx=3+ArrivalW=4 tiny+ChoiceLatency=2 ;;
    kmu) echo tiny+MaxLevel=16+FairEvery=3 tiny+NumHwq=33 ;;
    kin) echo tiny+PoolRows=29 ;;
    pool) echo tiny+MaxLevel=16 tiny+PoolDepth=3+PoolRows=5 ;;
    agt) echo tiny+MaxLevel=16 tiny+AgtSize=512 ;;
    throttle) echo tiny+NumSmx=3 ;;
    spill) echo tiny+MaxLevel=16+NumSmx=5+SmxPerCluster=2+SpillFlight=2 ;;
    dgb) echo tiny+Lna=32+Lea=128+ChildLanes=4 tiny+NumSmx=3 tiny+NumSmx=13 ;;
    kd | devq | susp | pq | ovfq) echo tiny+MaxLevel=16 ;;
    chan) echo tiny+NumChan=2+ChanCap=15 ;;
    dcount) echo tiny+DoneGrain=128+ChanCap=12 tiny+DoneRows=4 ;;
  esac
}
# Profiles that must be selected explicitly.
profiles() { # BLOCK
  case $1 in
    top) echo overflow ;;
    memq | memring | spill) echo bad ;;
    dgb) echo bad large ;;
  esac
}
# Seeds in addition to SEEDS, for rare events: a whole channel that is allocated, or waited for; a group of many TBs
# that returns from memory; a queue that fills; a lost group, for each KD entry.
also() { # BLOCK
  case $1 in
    apu) seq 101 108 ;;
    laperm | memq) seq 4 10 ;;
    top) echo 4 ;;
  esac
}
configs() { # BLOCK
  echo "$config"
  [ "$config" != tiny ] || more "$1"
}
run() { # CONFIG BLOCK SEED NAME OPTION..
  out=build/$1/$2 c=$1 b=$2 s=$3 n=$4
  shift 4
  build/heddle equiv "$b" --config "$c" -n "$cycles" --seed "$s" "$@" --coverage "$out/coverage-$n.dat" \
    > "$out/coverage.log" 2>&1 || {
    echo "coverage: lockstep of $b in $c fails ($out/coverage.log)" >&2; exit 1; }
}

[ -x build/heddle ] || { echo "coverage: build/heddle is not built: run 'make all'" >&2; exit 2; }
python3 tb/build $(for b in $blocks; do
  echo "$config/$b/consts"
  for c in $(configs "$b"); do echo "$c/$b/cov"; done
done)
for block in $blocks; do
  rm -f build/"$config"/"$block"/coverage-*.dat build/"$config"+*/"$block"/coverage-*.dat
  for c in $(configs "$block"); do
    for seed in $seeds $(also "$block"); do
      run "$c" "$block" "$seed" "$seed"
    done
  done
  for profile in $(profiles "$block"); do
    # One graph of 65528 nodes to its end.
    case $profile in large) long='-n 5000000' ;; *) long= ;; esac
    run "$config" "$block" 1 "$profile" --profile "$profile" $long
  done
  verilator_coverage --write "build/$config/$block/coverage.dat" build/"$config"/"$block"/coverage-*.dat \
    > "build/$config/$block/coverage.log" 2>&1
done
verilator_coverage --write-info build/coverage.info \
  $(for b in $blocks; do echo "build/$config/$b/coverage.dat"; done) > build/coverage.log 2>&1
python3 synth/coverage.py "$config" $blocks
