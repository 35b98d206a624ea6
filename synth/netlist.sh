#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Synthesizes one block to generic gates: build/<config>/<block>/netlist.v, with the block's own module and port names.
#   netlist.sh CONFIG BLOCK                 run from the top of the checkout
# It is what the lockstep runs against to see what Yosys makes of the RTL (some constructs it gets wrong without a word).
# `tiny` goes to gates as a whole. Elsewhere the RAM wrapper hd_ram_1r1w stays a black box, and tb/verilate.sh adds its body.
# Modules are mapped one by one, not flattened: an SMX's block then costs once, whatever the number of SMXs.
# abc is left out: speed counts here, not size. Nothing is done while the inputs are those of the last time.
set -eu
[ $# -eq 2 ] || { echo "usage: netlist.sh CONFIG BLOCK" >&2; exit 2; }
config=$1 block=$2
out=build/$config/$block
pkg=build/$config/hd_pkg.sv
log=$out/netlist.log
fail() { echo "netlist $config $block: $1 ($log)" >&2; rm -f "$out/netlist.v" "$out/netlist.sha"; exit 1; }

[ -f "rtl/$block/hd_$block.sv" ] || { echo "netlist: no block '$block'" >&2; exit 2; }
command -v yosys > /dev/null || { echo "netlist: yosys is missing (package yosys)" >&2; exit 2; }
sets=$(echo "$config" | tr '+' '\n' | tail -n +2 | sed 's/^/--set /' | tr '\n' ' ')
python3 rtl/pkg/hdgen.py sv --config "${config%%+*}" $sets -o "$pkg"
mkdir -p "$out"
exec 9> "$out/netlist.lock"
flock 9  # two makes at once: the second finds it done

rtl=$(grep -v '^#' rtl/files.f | sed 's|^|rtl/|')
sum=$(cat synth/netlist.sh "$pkg" rtl/files.f rtl/common/*.svh $rtl | sha256sum)
[ -f "$out/netlist.v" ] && [ "$(cat "$out/netlist.sha" 2> /dev/null)" = "$sum" ] && exit 0

lib=
if [ "$config" != tiny ]; then
  lib="read_verilog -sv -lib -Irtl rtl/common/hd_ram_1r1w.sv"
  rtl=$(echo "$rtl" | grep -v hd_ram_1r1w)
fi
# Undriven bits after memory_map are rows beyond a depth that is no power of two. They become x, and so random in simulation:
# a netlist that looks at one differs from the model. Nets are split into bits because that is what Verilator compiles fastest.
cat > "$out/netlist.ys" <<YS
$lib
read_verilog -sv -Irtl $pkg $(echo $rtl)
hierarchy -check -top hd_$block
proc
tee -o $out/netlist.latches select -list t:\$dlatch* t:\$adlatch* t:\$sr
opt -fast
check -assert
memory -nomap
opt -fast
memory_map
setundef -undriven -undef
opt -fast
techmap
opt -fast
check -assert
tee -a $out/netlist.latches select -list t:\$_DLATCH* t:\$_SR_*
tee -o $out/netlist.unmapped select -list t:\$* t:\$_* %d t:\$paramod* %d
stat
splitnets
clean
write_verilog -noattr $out/netlist.tmp
YS
yosys -q -e 'implicitly declared|no driver|not constant' -l "$log" "$out/netlist.ys" > /dev/null 2>&1 \
  || fail "$(grep -m 1 ERROR "$log" || echo 'yosys failed')"
[ -s "$out/netlist.latches" ] && fail "latch: $(grep -m 1 'Latch inferred' "$log" || head -1 "$out/netlist.latches")"
[ -s "$out/netlist.unmapped" ] && fail "no gates for $(head -1 "$out/netlist.unmapped")"
mv "$out/netlist.tmp" "$out/netlist.v"
echo "$sum" > "$out/netlist.sha"
