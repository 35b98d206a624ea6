#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# The heddle command, fifth part: Cilk programs on channels, with the numbers of docs/channels.md. Ends with
# `N passed, N failed`.
dir=build/test/cli_channels
. verif/cli/cli.sh

program() { # NAME OPTIONS CONDITION
  check "channels $1 $2" 0 $heddle channels $1 $2 --json
  cp "$dir/out" "$dir/channels.json"
  json '  counts as its page does' channels "$dir/channels.json" "r['right'] and r['timed'] == ('time' in r) and $3"
}
program fib '' "[r[k] for k in ('answer', 'spawned', 'joined', 'wavefronts', 'partial', 'yields', 'paper_wavefronts')] \
  == [46368, 92735, 46367, 2192, 34, 0, 2192]"
program queens '' "[r[k] for k in ('answer', 'spawned', 'joined', 'wavefronts', 'partial', 'yields')] \
  == [73712, 58942, 10962, 1103, 16, 49]"
program sort '' "[r[k] for k in ('spawned', 'joined', 'wavefronts', 'partial', 'yields')] \
  == [255264, 10922, 4190, 42, 0]"
program strassen '' "[r[k] for k in ('spawned', 'joined', 'wavefronts', 'partial', 'yields')] == [37449, 0, 587, 2, 48]"
program fib '--width 128' "[r[k] for k in ('wavefronts', 'partial', 'yields')] == [3119, 1700, 529]"
program strassen '--width 512' "r['wavefronts'] == 587 and r['yields'] == 63 and 'paper_wavefronts' not in r"
program queens '--size 1 --width 64' "r['answer'] == 1"
for n in 1 64 65 1000; do program sort "--size $n --width 256" "r['answer'] == r['plain']"; done
program sort '--width 256' "r['wavefronts'] == 4192 and r['yields'] == 1487"
program fib '--size 1' "r['answer'] == 1 and r['wavefronts'] == 1"
for n in 2 3 4 5 6 8; do program queens "--size $n --width 512" "r['answer'] == r['plain']"; done
program fib '--config tiny --set NumChan=32 --size 12 --width 8' "r['answer'] == 144 and r['yields'] > 0"

# On CUs, in lockstep: the same answers, and at most a few more wavefronts.
cus() { # NAME OPTIONS CONDITION
  program "$1" "--config tiny --set NumChan=32 --cus 2 --engine both $2" \
    "r['engine'] == 'both' and r['differences'] == 0 and $3"
}
cus fib '--size 12 --width 8' "r['answer'] == 144 and r['yields'] > 0"
cus queens '--size 6 --width 32' "r['answer'] == 4"
cus sort '--size 2000 --width 32' "r['yields'] > 0"
cus strassen '--size 32 --width 32' "r['wavefronts'] == 3"
cus fib '--size 8 --width 8 --padded --per-lane' "r['answer'] == 21 and r['time']['per_lane']"
program fib '--size 16 --cus 3' "r['spawned'] == 1973 and r['time']['blocked'] < 1"
# The paper's number of wavefronts, on few CUs and on many.
for n in 1 8; do program fib "--cus $n" "r['wavefronts'] == r['paper_wavefronts']"; done
check 'a program by heddle run' 0 $heddle run fib --size 10 --cus 2
says out 'fib 10, channels of 32768, on 2 CUs, apu: model'
says out 'compared        nothing: only one engine ran'
for n in '' --padded --per-lane; do program sort "--size 3000 --cus 8 $n" "r['answer'] == r['plain']"; done
rm -rf "$dir/runs"
for again in '' ', from the kept runs'; do
  check "table_channels.py$again" 0 tb/experiments/table_channels.py --small --programs fib --keep "$dir/runs" \
    --json "$dir/table.json"
done
says out 'width 128 '
check 'channels as text' 0 $heddle channels fib --size 10
says out 'answer          55, equal to that of the plain program'

refused 'no such program' "no program 'merge'; fib, queens, sort or strassen" $heddle channels merge
refused 'no program' 'missing PROGRAM: fib' $heddle channels
refused 'two programs' "'fib' is one argument too many" $heddle channels fib fib
refused 'a size too large' '--size 40: accepted: a whole number from 1 to 32' $heddle channels fib --size 40
refused 'a size of no power of two' 'the size is 48; a power of two' $heddle channels strassen --size 48
refused 'a width of no power of two' 'a capacity of 100; a power of two' $heddle channels queens --width 100
refused 'a width without room' 'at once, which has a capacity of 64' $heddle channels fib --width 64
refused 'more channels than there are' 'levels from 0 on; one or more, below' $heddle channels fib --config tiny \
  --width 8
refused 'time without CUs' 'need a timed run; add --cus N' $heddle channels fib --padded
counted
