#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Simulates the netlist of the plane of tiny in a second simulator, Icarus Verilog, with four states: the stimulus
# recorded from a lockstep run of RTL and golden model is replayed, and all outputs are compared in every cycle. An x
# after reset is a difference. Also checks that the compare can fail. Ends with `N passed, N failed`.
#   test_icarus.sh [CYCLES [PROFILE..]]     from the top of the checkout; default: 1000 cycles, all profiles
set -u
cycles=${1:-1000}
[ $# -eq 0 ] || shift
dir=build/test/icarus
vvp=build/tiny/top/icarus.vvp
passed=0 failed=0
mkdir -p "$dir"
say() { # ok|FAILED TEXT
  [ "$1" = ok ] && passed=$((passed + 1)) || failed=$((failed + 1))
  printf '%-7s %s\n' "$1" "$2"
}
play() { vvp -n "$vvp" +vectors="$1"; }
same() { # NAME OPTION..
  name=$1
  shift
  if ! build/heddle equiv top --config tiny --cycles "$cycles" --seed 11 "$@" --vectors "$dir/$name.txt" \
    > "$dir/$name.log" 2>&1; then
    cat "$dir/$name.log"
    say FAILED "lockstep, $name"
    return
  fi
  play "$dir/$name.txt" > "$dir/$name.out" 2>&1
  if [ $? -eq 0 ] && [ "$(tail -1 "$dir/$name.out")" = "$cycles cycles, 0 of them with a difference" ]; then
    say ok "netlist in Icarus Verilog, $name: $cycles cycles"
  else
    tail -20 "$dir/$name.out"
    say FAILED "netlist in Icarus Verilog, $name"
  fi
}
python3 tb/build -q tiny/top/icarus tiny/top/rtl || { echo "0 passed, 1 failed"; exit 1; }
if [ $# -eq 0 ]; then same mixed; else for p in "$@"; do same "$p" --profile "$p"; done; fi

# The lowest digit of the outputs of one cycle is changed: that cycle and that port must be named.
name=${1:-mixed}
head -100 "$dir/$name.txt" | awk '
  NR == 60 { last = substr($3, length($3)); $3 = substr($3, 1, length($3) - 1) (last ~ /[02468ace]/ ? "1" : "0") }
  1' > "$dir/turned.txt"
play "$dir/turned.txt" > "$dir/turned.out" 2>&1
if [ $? -eq 1 ] && grep -q '^cycle 59: .*_o is .*, expected ' "$dir/turned.out" &&
  tail -1 "$dir/turned.out" | grep -q '^100 cycles, 1 of them with a difference$'; then
  say ok "a difference is found"
else
  cat "$dir/turned.out"
  say FAILED "a difference is found"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
