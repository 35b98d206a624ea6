#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# A broken contract of hd_fifo prints the same kind, label and sentence in Verilator and in Icarus Verilog; legal use
# prints nothing; HD_ASSERT_OFF disables the assertions. Ends with `N passed, N failed`.
#   test_assert.sh      from the top of the checkout
set -u
dir=$(mktemp -d)  # Verilator's makefiles accept no blanks in a path
trap 'rm -rf "$dir"' EXIT
sources="rtl/common/hd_fifo.sv verif/assert/assert_tb.sv"
said='integration: a_pop: An empty queue is popped\.'
passed=0 failed=0
judge() { # WANTED NAME COMMAND..: WANTED is how often the sentence must be printed; with 0 no other may be printed
          # either
  wanted=$1 name=$2
  shift 2
  "$@" > "$dir/out" 2>&1
  any=$(grep -cE ': (integration|implementation|parameter): ' "$dir/out")
  if [ "$(grep -c "$said" "$dir/out")" = "$wanted" ] && { [ "$wanted" = 1 ] || [ "$any" = 0 ]; }; then
    passed=$((passed + 1))
    echo "ok      $name"
  else
    failed=$((failed + 1))
    cat "$dir/out"
    echo "FAILED  $name"
  fi
}
for off in "" -DHD_ASSERT_OFF; do
  made=$dir/made$off
  wanted=1
  [ -z "$off" ] || wanted=0
  # shellcheck disable=SC2086
  iverilog -g2012 -Irtl $off -s assert_tb -o "$made.vvp" $sources > "$dir/icarus.log" 2>&1 &&
    verilator --binary --assert --timing -Wno-fatal -Irtl $off --top-module assert_tb --Mdir "$made" $sources \
      > "$dir/verilator.log" 2>&1 || { cat "$dir"/*.log; echo "0 passed, 1 failed"; exit 1; }
  judge "$wanted" "Icarus Verilog, illegal pop $off" vvp -n "$made.vvp"
  judge "$wanted" "Verilator, illegal pop $off" "$made/Vassert_tb" +verilator+error+limit+9
  judge 0 "Icarus Verilog, legal $off" vvp -n "$made.vvp" +legal
  judge 0 "Verilator, legal $off" "$made/Vassert_tb" +legal
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
