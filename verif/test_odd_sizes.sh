#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# The plane in unusual sizes: one SMX, 132 of them, one entry, numbers that are no powers of two, another configuration,
# the free list of AGEs; and single blocks with parameters that select an implementation. Each runs in random lockstep.
# Among the parameters, `profile=NAME` is the profile and `cycles=N` the number of cycles instead of 100,000. Ends with
# `N passed, N failed`.
#   test_odd_sizes.sh [CYCLES]     at least this many cycles; from the top of the checkout
#   test_odd_sizes.sh --objects    prints the RTL objects that it needs, for tb/build
set -u
objects=
[ "${1-}" = --objects ] && objects=1 && shift
least=${1:-0}
passed=0 failed=0
try() { # BLOCK CONFIG PARAM=VALUE.. [profile=NAME] [cycles=N]
  block=$1 config=$2 name=$2 options= profile= cycles=100000
  shift 2
  for s in "$@"; do
    case $s in
      profile=*) profile=${s#*=} options="$options --$s" ;;
      cycles=*) cycles=${s#*=} ;;
      *) name=$name+$s options="$options --set $s" ;;
    esac
  done
  [ -z "$objects" ] || { [ -n "$profile" ] || echo "$name/$block/rtl"; return; }
  [ "$cycles" -ge "$least" ] || cycles=$least
  if build/heddle equiv "$block" --config "$config" $options --cycles "$cycles" > build/test/odd.out 2>&1; then
    passed=$((passed + 1)) word=ok
  else
    failed=$((failed + 1)) word=FAILED
    cat build/test/odd.out
  fi
  printf '%-7s %s %s%s\n' "$word" "$block" "$name" "${profile:+ $profile}"
}
mkdir -p build/test
all() {
  try top tiny NumSmx=1 CtasPerSmx=1 NumKde=1 NumHwq=1 DoneSlack=1
  try top tiny NumSmx=3 CtasPerSmx=3 NumKde=3 NumHwq=5 PqDepth=4 ChoiceLatency=2
  try top tiny NumSmx=3 CtasPerSmx=3 NumKde=3 NumHwq=5 PqDepth=4 ChoiceLatency=2 profile=overflow
  try top tiny NumSmx=5 CtasPerSmx=7 NumKde=6 NumHwq=3 HwqDepth=2
  try top tiny NumKde=5 NumHwq=2 HwqDepth=8 DoneSlack=9
  try top gtx480
  try top k20c AgtHash=0 KdeSearchLanes=1
  try top tiny NumSmx=132 CtasPerSmx=1 cycles=20000
  try top tiny FairEvery=2 PrefetchDepth=0
  try top tiny AgtHash=0 FairEvery=4 PrefetchDepth=0 KdeSearchLanes=1 NumKde=3
  try top tiny AgtHash=1 NumKin=2 PoolDepth=3 PoolRows=5 NumSmx=3 SmxPerCluster=2
  try sched tiny FairEvery=3
  try sched tiny FairEvery=2 ChoiceLatency=2
  try sched tiny FairEvery=1 Visit=1 NumSmx=3
  try kmu tiny FairEvery=1
  try sched tiny ChoiceLatency=2
  try sched tiny NumSmx=5 SmxPerCluster=2 ChoiceLatency=2
  try sched tiny NumSmx=3 CtasPerSmx=3 NumKde=3 Visit=1 SmxPerCluster=2
  try kd tiny NumKde=3 NumHwq=5 CtasPerSmx=9
  try match k20c KdeSearchLanes=1
  try match tiny NumKde=7 KdeSearchLanes=3
  try devq tiny NumSmx=3 AnsDepth=4
  try devq tiny GroupXW=12 GroupYW=7 GroupZW=5
  try link tiny AgtHash=1
  try link tiny AgtHash=0
  try pool tiny PoolDepth=3 PoolRows=5 NumStreams=3
  try pool tiny NumSmx=5 SmxPerCluster=2 MaxLevel=3
  try pool tiny NumSmx=1 MaxLevel=1
  try susp tiny NumKde=3 NumKin=5 CtasPerSmx=9
  try pq tiny PqDepth=5 MaxLevel=3
  try pq tiny PqDepth=2 MaxLevel=1
  try pq k20c PqDepth=33 MaxLevel=16
  try laperm tiny NumSmx=1
  try laperm tiny NumSmx=3 NumKde=5 ArrivalW=4
  try laperm tiny NumSmx=3 MaxLevel=1 PqDepth=2
  try laperm tiny NumSmx=5 NumKde=6 PqDepth=3 MaxLevel=16 ArrivalW=2
  try laperm tiny NumSmx=7 PqDepth=4 ChoiceLatency=2
  try laperm tiny NumSmx=13 MaxLevel=2 SmxPerCluster=2 cycles=300000
  try laperm tiny NumSmx=13 MaxLevel=16 SmxPerCluster=4 cycles=300000
  try dgb tiny Lna=16 Lea=32 Pub=3 ChildLanes=4 NumSmx=3
  try dgb tiny Lna=8 Lea=128 Pub=5 ChildLanes=1 DgbFlight=2
  try throttle tiny NumSmx=1
  try throttle tiny NumSmx=3 EqualHolds=1 Recovers=0
  try throttle tiny NumSmx=132 CtasPerSmx=1
  try warp tiny ThreadsPerSmx=32 CtasPerSmx=1
  try warp tiny ThreadsPerSmx=96 CtasPerSmx=3 StallW=2 WarpWait=2
  try warp tiny ThreadsPerSmx=1504 CtasPerSmx=5 StallW=3
}

all
[ -z "$objects" ] || exit 0
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
