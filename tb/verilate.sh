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
# Clang compiles the plane in half of g++'s time, and what it makes runs 1.6 to 2 times faster; g++ serves where there is no clang.
# Coverage and netlists make large code: -O1 compiles it several times faster. What runs once needs none.
if command -v clang++ > /dev/null; then cxx=clang++ unique=; else cxx=g++ unique=-fno-gnu-unique; fi
[ "$variant" = cov ] || flags="$flags --flatten"
verilator --cc --prefix Vrtl --top-module "hd_$block" --Mdir "$dir" -O3 --no-timing --x-initial $initial --x-assign unique \
  -Irtl $flags --unroll-count 256 -CFLAGS "-fPIC -fvisibility=hidden $unique" $vlt $sources > "$dir/verilator.log" 2>&1 || {
  head -20 "$dir/verilator.log" >&2; exit 1; }
grep -E '^%Warning' "$dir/verilator.log" >&2 || true
root=$(verilator --getenv VERILATOR_ROOT)
trace=$(case $variant in rtl|fault) echo 1;; *) echo 0;; esac)
common="-std=c++17 -march=native -fPIC -fvisibility=hidden $unique -DVM_TRACE=$trace -DVM_TRACE_FST=$trace -DVM_COVERAGE=$([ "$variant" = cov ] && echo 1 || echo 0) \
  -iquote $dir -iquote tb/engine -iquote build/gen -isystem $root/include -isystem $root/include/vltstd"
opt=-O2
case $variant in cov|netlist|mapped) opt=-O1 ;; esac
# What runs once, and what only writes waveforms, is one file at -O0; the rest one at full speed, or several where that is large.
rm -f "$dir"/*.o "$dir"/all_*.cpp
includes() { for f in "$@"; do echo "#include \"${f##*/}\""; done; }
slow=$(ls "$dir"/Vrtl*.cpp | grep -E 'Slow|Syms|Trace|ConstPool')
fast=$(ls "$dir"/Vrtl*.cpp | grep -vE 'Slow|Syms|Trace|ConstPool|__ALL')
includes $slow > "$dir/all_slow.cpp"
if [ "$(cat $fast | wc -c)" -lt 400000 ]; then includes $fast > "$dir/all_fast.cpp"; fast=$dir/all_fast.cpp; fi
globals="$root/include/verilated.cpp $root/include/verilated_dpi.cpp $root/include/verilated_threads.cpp"
[ "$trace" = 1 ] && globals="$globals $root/include/verilated_fst_c.cpp"
[ "$variant" = cov ] && globals="$globals $root/include/verilated_cov.cpp"
{
  for f in $fast; do echo "$opt $common -c $f -o $dir/$(basename "$f" .cpp).o"; done
  echo "-O0 $common -c $dir/all_slow.cpp -o $dir/all_slow.o"
  echo "$opt -Wall -Wextra -Wno-unused-parameter $defs $common -c $dir/bind.cpp -o $dir/bind.o"
  for f in $globals; do echo "-O2 $common -c $f -o $dir/$(basename "$f" .cpp).o"; done
} | xargs -P "$(nproc)" -L 1 ccache $cxx > "$dir/make.log" 2>&1 || { tail -20 "$dir/make.log" >&2; exit 1; }
(cd "$dir" && $cxx -shared -Wl,-Bsymbolic -o "../$variant.so.tmp" *.o -lz -lpthread -latomic)
mv "$out/$variant.so.tmp" "$out/$variant.so"
