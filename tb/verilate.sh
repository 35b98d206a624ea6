#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Builds one Verilated block as a shared object: build/<config>/<block>/<variant>.so
#   verilate.sh CONFIG BLOCK VARIANT        run from the top of the checkout; CONFIG may be NAME+PARAM=VALUE+..
# Variants: rtl (as it is), fault (with the planted faults of verif/faults.csv), cov (line and toggle coverage),
#           netlist (generic gates, build/<config>/<block>/netlist.v, instead of the RTL),
#           mapped (standard cells, build/<config>/<block>/mapped.v, with their models build/area/cells.v; blocks without RAM).
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL 2>/dev/null || true  # the makes below are of their own
config=$1 block=$2 variant=$3
out=build/$config/$block
dir=$out/$variant.dir
mkdir -p "$dir"
base=${config%%+*}  # a derived configuration is a named one with parameters set
sets=$(echo "$config" | tr '+' '\n' | tail -n +2 | sed 's/^/--set /' | tr '\n' ' ')
bind_flags= flags= defs= sources= initial=unique
rtl=$(grep -v '^#' rtl/files.f | sed 's|^|rtl/|')
pkg=build/$config/hd_pkg.sv
case $variant in
  rtl) sources="$pkg $rtl" flags="--assert --trace-fst --trace-structs --trace-max-array 1024 --trace-max-width 4096" ;;
  fault) sources="rtl/common/hd_fault_pkg.sv $pkg $rtl" flags="+define+HD_FAULTS --assert --trace-fst --trace-structs --trace-max-array 1024 --trace-max-width 4096"
    defs="-DHD_FAULT_BUILD" ;;
  # Flops start at 0, so that leaving a random value for reset is no toggle.
  cov) sources="$pkg $rtl" flags="--assert --coverage-line --coverage-toggle --coverage-user" initial=0 ;;
  netlist) sources="$out/netlist.v $(grep hd_ram rtl/files.f | sed 's|^|rtl/|')" bind_flags=--netlist
    flags="-Wno-fatal -Wno-lint -Wno-style -Wno-UNOPTFLAT" ;;
  mapped) sources="$out/mapped.v build/area/cells.v" bind_flags=--netlist flags="-Wno-fatal -Wno-lint -Wno-style -Wno-UNOPTFLAT" ;;
  *) echo "verilate: no variant '$variant'; there are: rtl fault cov netlist mapped" >&2; exit 2 ;;
esac
python3 rtl/pkg/hdgen.py sv --config "$base" $sets -o "$pkg"
python3 rtl/pkg/hdgen.py bind --config "$base" $sets --block "$block" $bind_flags -o "$dir/bind.cpp"
python3 rtl/pkg/hdgen.py vlt --block "$block" -o "$dir/public.vlt"
[ -d tb/gtkw ] && python3 rtl/pkg/hdgen.py gtkw --config "$base" $sets --block "$block" -o "$out/view.gtkw"
vlt=$dir/public.vlt
[ -n "$bind_flags" ] && vlt=
[ "$variant" = cov ] || flags="$flags --flatten"
verilator --cc --prefix Vrtl --top-module "hd_$block" --Mdir "$dir" -O3 --no-timing --x-initial $initial --x-assign unique \
  -Irtl $flags --unroll-count 256 -CFLAGS "-fPIC -fvisibility=hidden -fno-gnu-unique" $vlt $sources > "$dir/verilator.log" 2>&1 || {
  head -20 "$dir/verilator.log" >&2; exit 1; }
grep -E '^%Warning' "$dir/verilator.log" >&2 || true
# Coverage and netlists make large code: -O1 compiles it several times faster, and what runs once needs none.
opt="-O2 -march=native" slow=-O1
case $variant in cov|netlist|mapped) opt=-O1 slow=-O0 ;; esac
objs=$(make -s -f - classes <<MK
include $dir/Vrtl_classes.mk
classes:
	@echo \$(addsuffix .o,\$(VM_GLOBAL_FAST) \$(VM_GLOBAL_SLOW))
MK
)
make -s -C "$dir" -f Vrtl.mk OBJCACHE=ccache OPT_FAST="$opt" OPT_SLOW="$slow" OPT_GLOBAL="-O2" Vrtl__ALL.a $objs > "$dir/make.log" 2>&1 || {
  tail -20 "$dir/make.log" >&2; exit 1; }
root=$(verilator --getenv VERILATOR_ROOT)
ccache g++ -std=c++17 -O3 -march=native -fPIC -fvisibility=hidden -fno-gnu-unique -Wall -Wextra -Wno-unused-parameter \
  $defs -DVM_TRACE=$(case $variant in rtl|fault) echo 1;; *) echo 0;; esac) -DVM_COVERAGE=$([ "$variant" = cov ] && echo 1 || echo 0) \
  -I"$dir" -iquote tb/engine -iquote build/gen -isystem "$root/include" -isystem "$root/include/vltstd" -c "$dir/bind.cpp" -o "$dir/bind.o"
(cd "$dir" && g++ -shared -Wl,-Bsymbolic -o "../$variant.so.tmp" bind.o Vrtl__ALL.a $objs -lz -lpthread)
mv "$out/$variant.so.tmp" "$out/$variant.so"
