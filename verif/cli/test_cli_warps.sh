#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Tests of the heddle command, fourth part: the plane's warp schedulers and throttle on the SMXs, and tiles on warps.
# Ends with `N passed, N failed`.
dir=build/test/cli_warps
. verif/cli/cli.sh

awk 'BEGIN { for (v = 0; v < 400; v++) { print v, (v + 1) % 400; if (v % 3) print v, v % 7 } }' > "$dir/hubs.txt"
on_warps="$dir/hubs.txt --config tiny --block-size 64 --sources 1 --smx gpu"
for w in rr grr gto lwf 'lwf --one-list' 'lwf --issue-every 4 --throttle' \
  'rr --throttle --throttle-epoch 64 --throttle-band 0'; do
  check "run --warp $w in lockstep" 0 $heddle run bfs $on_warps --warp $w --warp-engine both \
    --json="$dir/both.json" --quiet
  check "  and the model alone" 0 $heddle run bfs $on_warps --warp $w --engine model \
    --json="$dir/model.json" --quiet
  json '  the answer is right, and each cycle has its cause' run "$dir/both.json" \
    "r['answer_ok'] and r['parameters']['schedulers'] == 2 and r['gpu']['warps']['stalls_raw'] > 0"
  json '  the schedulers were compared' run "$dir/both.json" \
    "r['gpu']['warps']['cycles_compared'] > 0 and not r['gpu']['warps']['differences']"
  "$python" -S - "$dir/both.json" "$dir/model.json" > "$dir/out" 2> "$dir/err" << 'SAME'
import json, sys
x, y = (json.load(open(f)) for f in sys.argv[1:])
for r in x, y:
    r["gpu"].pop("operations_per_second", 0)
    r["gpu"]["warps"].pop("cycles_compared")
sys.exit(x["gpu"] != y["gpu"] or x["cycles"] != y["cycles"])
SAME
  note $? '  the same run'
done
compared() { # ENGINES..
  check "run $*" 0 $heddle run bfs $on_warps --warp lwf --json="$dir/compared.json" --report="$dir/compared.txt" "$@"
}
compared --engine model --warp-engine both
says compared.txt 'nothing in the plane: only one engine ran'
says compared.txt 'of the 2 warp schedulers, differences: 0'
json '  the same' run "$dir/compared.json" "r['cycles_compared'] == 0 and r['gpu']['warps']['cycles_compared'] > 0"
compared --engine model
says compared.txt 'nothing: only one engine ran'
json '  the same' run "$dir/compared.json" "r['cycles_compared'] == r['gpu']['warps']['cycles_compared'] == 0"
compared --engine both --warp-engine both
says compared.txt 'cycles of RTL and golden model, differences: 0'
says compared.txt 'of the 2 warp schedulers, differences: 0'
json '  the same' run "$dir/compared.json" \
  "r['cycles_compared'] >= r['cycles'] and r['gpu']['warps']['cycles_compared'] > 0 and not r['differences']"
for k in vectoradd multigpu; do
  check "run $k" 0 $heddle run $k --config gtx480ws --smx gpu --engine model --warp lwf --seed 1 \
    --json="$dir/kernel.json" --quiet
  json '  every instruction was issued' run "$dir/kernel.json" \
    "r['workload'] == '$k' and r['answer_ok'] and r['kernels'] == 1 and r['ctas'] in (196, 32)"
done
tiles() { # WORKLOAD NODES LAUNCH
  check "run $1 --launch $3 on warps" 0 $heddle run $1 --config tiny --block-size 64 --nodes $2 --size 32 \
    --host-latency 100 --smx gpu --launch $3 --json="$dir/tiles.json" --quiet
  json '  in lockstep, and the answer is right' run "$dir/tiles.json" \
    "r['answer_ok'] and r['cycles_compared'] >= r['cycles'] and not r['differences'] and r['gpu']['stores']"
}
for w in dtw heat2d hist intimg sor sw; do
  for l in waves 'cdp --ideal' barriers 'graph --order lvl-bind'; do tiles $w 36 "$l"; done
done
tiles sw 16 cdp # each wave takes the latency of a launch
python3 tb/experiments/table_warp.py --seeds 2 --kernels vectoradd --policies lwf --json="$dir/table-warp.json" \
  > "$dir/out" 2> "$dir/err"
note $? 'table_warp.py'
says out 'every instruction of every TB was issued in every run'
refused 'a stand-in on timers' '--smx gpu would be accepted' $heddle run mummer
refused 'a stand-in with launches' 'flat would be accepted' $heddle run mummer --smx gpu --launch cdp
refused 'a stand-in with an input' 'which has no input' $heddle run mummer --smx gpu "$dir/hubs.txt"
refused 'a stand-in of another size' 'whose TB sizes are fixed' $heddle run mummer --smx gpu --block-size 64
refused 'warp schedulers without warps' '--smx gpu would be accepted' $heddle run --warp rr
refused 'a throttle without warps' '--smx gpu would be accepted' $heddle run --throttle
refused 'the rule of a throttle that is off' 'with --throttle it would be accepted' \
  $heddle run --smx gpu --throttle-band 2
refused 'a band that is too narrow' '0 to 7' $heddle run --smx gpu --throttle --throttle-band 8
refused 'an epoch that is too short' '64 to 65535' $heddle run --smx gpu --throttle --throttle-epoch 63
refused 'a policy that is not known' 'rr, grr, gto or lwf would be accepted' $heddle run --smx gpu --warp lrr
refused 'the RTL of schedulers alone' 'model or both (lockstep) would be accepted' \
  $heddle run --smx gpu --warp rr --warp-engine rtl
refused 'an engine without schedulers' 'with --warp it would be accepted' $heddle run --smx gpu --warp-engine both
refused 'one list of another policy' 'lwf would be accepted' $heddle run --smx gpu --warp gto --one-list
refused 'one list without schedulers' 'with --warp it would be accepted' $heddle run --smx gpu --one-list
refused 'a pace without schedulers' 'with --warp it would be accepted' $heddle run --smx gpu --issue-every 4
refused 'more schedulers than it has' '--schedulers 4; 2 would be accepted' \
  $heddle run --smx gpu --warp rr --schedulers 4
counted
