#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Installs into a temporary prefix and uses the installation without the checkout: C programs through pkg-config, the
# RTL from its file list and through its FuseSoC core, the model through DPI-C, the command.
#   test_install.sh VERSION [long]  from the top of the checkout, after `make all`. Ends with `N passed, N failed`.
# FuseSoC comes from PyPI (fusesoc.txt) into build/venv/fusesoc; without it its tests are skipped by name. long: also
# builds the core.
set -u
version=$1 long=${2-}
checkout=$(pwd)
here=$checkout/verif/install
# One name for each checkout: entries of the compiler cache contain paths.
tmp=${TMPDIR:-/tmp}/heddle-install-$(id -u)-$(echo "$checkout" | cksum | cut -d ' ' -f 1)
rm -rf "$tmp" && mkdir -m 700 "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
prefix=$tmp/prefix
rtl=$prefix/share/heddle/rtl
passed=0 failed=0

tb/install/install.sh "$prefix" "$version" || exit 1
mkdir "$tmp/work"
cd "$tmp/work" || exit 1
cp "$here/plane.c" "$here/deplinks.c" "$here/simulator.cpp" "$here/dpi_tb.sv" "$here/check_core.py" \
  "$here/sweep.py" .
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
unset LD_LIBRARY_PATH CPATH C_INCLUDE_PATH LIBRARY_PATH HEDDLE_BUILD MAKEFLAGS MFLAGS
unset PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX # users seldom set them

check() { # NAME FUNCTION [ARG..]: shows the function's output if it fails
  name=$1
  shift
  if "$@" >"$tmp/log" 2>&1; then
    passed=$((passed + 1))
    echo "ok    $name"
  else
    failed=$((failed + 1))
    echo "FAIL  $name"
    tail -n 20 "$tmp/log" | sed 's/^/      /'
  fi
}

# ---- C

flags() { pkg-config "$@" heddle; }

pc_version() { [ "$(pkg-config --modversion heddle)" = "$version" ]; }

soname() { readelf -d "$prefix/lib/libheddle.so" | grep -F "soname: [libheddle.so.${version%%.*}]"; }

# The library must export only hd_ names.
only_hd_names() {
  nm -D --defined-only --format=posix "$prefix/lib/libheddle.so" >exports && [ -s exports ] || return 1
  grep -v '^hd_' exports && return 1
  nm -g --defined-only --format=posix "$prefix/lib/libheddle.a" | grep -v '^hd_\|:$\|^$' && return 1
  return 0
}

headers_alone() {
  mkdir -p headers
  for h in $(cd "$prefix/include" && find heddle -name '*.h'); do
    n=$((${n:-0} + 1))
    printf "#include <%s>\nextern int one; // a header of macros declares nothing\n" "$h" >headers/$n.c
  done
  cc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only $(flags --cflags) headers/*.c
}

headers_in_cxx() {
  echo '#include <heddle/heddle.h>
        int main() { hd_cfg cfg; return hd_cfg_find("k20c", &cfg) ? 0 : 1; }' >one.cpp
  g++ -Wall -Wextra -Werror one.cpp $(flags --cflags --libs) -Wl,-rpath,"$prefix/lib" -o one && ./one
}

# The example of docs/simulators.md, with strict warnings and sanitizers: its TBs are those of the heddle command, in
# the same cycles.
simulator() { # COMPILER
  cat >simulator.trace <<'END'
heddle-trace 1
0 0 104 1 1 256 1 1 32 0 500
0 1 40 2 1 128 2 1 16 4096 333
700 0 7 1 1 1024 1 1 32 0 40
END
  "$1" -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsanitize=address,undefined simulator.cpp \
    $(flags --cflags --libs) -Wl,-rpath,"$prefix/lib" -o simulator && ./simulator simulator.trace >simulator.out &&
    "$prefix/bin/heddle" run --trace simulator.trace --engine model --timeline simulator.csv || return 1
  tail -n +2 simulator.csv | cut -d , -f 1-4,6,7 | sort >wanted && [ "$(wc -l <wanted)" -eq 191 ] &&
    sort simulator.out | cmp - wanted || return 1
  ./simulator /dev/null 2>usage
  [ $? -eq 2 ] && grep '^usage: simulator FILE' usage
}

simulator_checks() {
  check "simulator.cpp, g++: TB by TB as the heddle command" simulator g++
  clang=$(command -v clang++-19 || command -v clang++) ||
    { echo "skipped: simulator.cpp, clang++: it is not installed"; return; }
  check "simulator.cpp, clang++: the same" simulator "$clang"
}

plane_dynamic() {
  cc -Wall -Wextra -Werror plane.c $(flags --cflags --libs) -o plane || return 1
  LD_LIBRARY_PATH=$prefix/lib ldd ./plane | grep -F "$prefix/lib/libheddle.so.${version%%.*}" || return 1
  LD_LIBRARY_PATH=$prefix/lib ./plane >dynamic.out && [ "$(wc -l <dynamic.out)" -eq 100 ]
}

plane_static() {
  cc -Wall -Wextra -Werror plane.c $(flags --cflags) "$prefix/lib/libheddle.a" -o plane_static || return 1
  ldd ./plane_static | grep heddle && return 1
  ./plane_static >static.out && cmp static.out dynamic.out
}

deplinks() {
  cc -Wall -Wextra -Werror deplinks.c $(flags --cflags) "$prefix/lib/libheddle.a" -o deplinks || return 1
  ./deplinks >deplinks.out && [ "$(head -1 deplinks.out)" = "16 nodes, 24 edges, 7 levels" ]
}

cmake_finds() {
  mkdir -p cm && cat >cm/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.10)
project(plane C CXX)
find_package(heddle ${version%.*} REQUIRED)
add_executable(shared ../plane.c)
target_link_libraries(shared heddle::heddle)
add_executable(static ../plane.c)
target_link_libraries(static heddle::static)
add_executable(simulator ../simulator.cpp)
target_link_libraries(simulator heddle::heddle)
END
  cmake -S cm -B cm/build -DCMAKE_PREFIX_PATH="$prefix" && cmake --build cm/build || return 1
  for way in shared static; do ./cm/build/$way >"$way.cmake" && cmp "$way.cmake" dynamic.out || return 1; done
  ./cm/build/simulator simulator.trace | cmp - simulator.out || return 1
  sed -i "s/heddle ${version%.*}/heddle 99/" cm/CMakeLists.txt
  ! cmake -S cm -B cm/later -DCMAKE_PREFIX_PATH="$prefix"
}

# ---- Python

python() { PYTHONPATH=$(pkg-config --variable=pythondir heddle) python3 -B "$@"; }

python_sweep() {
  python sweep.py >sweep.out && cat sweep.out && [ "$(wc -l <sweep.out)" -eq 6 ] || return 1
  # Fewer SMXs take more cycles; and each row has the cycles of 1600 TBs.
  awk 'NR > 2 && $2 >= last { exit 1 } { last = $2 } NR > 1 && ($3 * $2 < 1590 || $3 * $2 > 1610) { exit 1 }' sweep.out
}

# The same results as plane.c, through the same wires; rejected calls; registers.
python_plane() {
  python - >python.out <<'END' && cmp python.out dynamic.out
import heddle
plane = heddle.Plane("k20c")
plane.launch(grid=(100,), cta=(256,), regs=32, tag=7)
while plane.kernel_done() is None and plane.cycle < 1000:
    busy = plane.dispatches()
    plane.tick()
    for tb in busy:
        print(f"cycle {plane.cycle - 1:3}: TB {tb.blkid:2} to SMX {tb.smx:2}")
        plane.done(tb.smx, tb.slot)
assert plane.kernel_done() == 7 and plane["NumSmx"] == 13 and plane.read(0) == 0x4844444c
for wrong in (lambda: heddle.Plane("k21c"), lambda: heddle.Plane("k20c", NumSmx=0), lambda: plane.write(0, 1),
              lambda: plane.launch(grid=(0,), cta=(256,))):
    try:
        wrong()
    except heddle.Error as e:
        assert str(e)
    else:
        raise SystemExit("not refused")
END
}

# Every function of dpi.h exists, with the same number of parameters.
python_is_dpi() {
  python - "$prefix/include/heddle/api/dpi.h" <<'END'
import re, sys
from heddle.files import FUNCTIONS
text = open(sys.argv[1]).read()
found = {n: len([a for a in args.split(",") if a.strip() != "void"])
         for n, args in re.findall(r"^\w[\w ]*[ *]hd_dpi_(\w+)\(([^)]*)\);", text, re.M)}
assert found == {n: len(t) - 1 for n, t in FUNCTIONS.items()}, (found, FUNCTIONS)
END
}

# ---- RTL

# From another folder.
lint() { (cd / && verilator --lint-only -Wall --top-module hd_top "$rtl/lint.vlt" -f "$rtl/heddle.f"); }

# A custom configuration: the installed generator, the installed RTL, macros in front. The DPI-C bench reads it; for
# Yosys one that it reads in a third of the time.
derived() {
  mkdir -p own && python3 -B "$rtl/hdgen" config --config k20c --set NumSmx=2 -o own/two.f || return 1
  grep -qx '+define+HD_NUM_SMX=2' own/two.f
}

# The register file: the installed one is for k20c, and the installed generator makes that of another configuration.
register_file() {
  grep -q 'NUM_SMX\[15:0\] = 16.hd;' "$rtl/heddle_regs.rdl" || return 1
  for kind in rdl/rdl ipxact/xml; do
    python3 -B "$rtl/hdgen" "${kind%/*}" -o own/k20c && cmp own/k20c "$rtl/heddle_regs.${kind#*/}" || return 1
    python3 -B "$rtl/hdgen" "${kind%/*}" --config tiny -o own/tiny && ! cmp -s own/tiny own/k20c || return 1
  done
}

yosys_reads() {
  python3 -B "$rtl/hdgen" config --config tiny --set NumSmx=3 -o own/tiny.f || return 1
  yosys -q -p "read_verilog -sv -I$rtl $(sed -n 's/^+define+/-D/p' own/tiny.f | tr '\n' ' ') \
                 $(grep '^/[^/]' "$rtl/heddle.f" | tr '\n' ' ')
               hierarchy -check -top hd_top; select -assert-any hd_top"
}

# Its files begin with those of the list that was linted above, in that order, and a configuration sets its macros.
core() {
  mkdir -p core && python3 check_core.py "$rtl/heddle.core" "$version" "$PWD/core" >core/heddle.f || return 1
  grep '^/[^/]' "$rtl/heddle.f" >core/plane
  grep '^/' core/heddle.f | head -n "$(wc -l <core/plane)" | cmp - core/plane || return 1
  grep '^+define' "$rtl/configs/tiny.f" >core/macros
  sed 's/config: k20c/config: tiny/' "$rtl/heddle.core" >"$rtl/tiny.core"
  python3 check_core.py "$rtl/tiny.core" "$version" "$PWD/core" | grep '^+define' | cmp - core/macros
  rc=$?
  rm "$rtl/tiny.core"
  return $rc
}

# FuseSoC itself, with every warning an error: TARGET RTL.
fusesoc() {
  (cd "$tmp" && "$checkout/build/venv/fusesoc/bin/fusesoc" --cores-root "$2" run --build-root "$tmp/fusesoc" --clean \
    --target "$1" --build heddle:gpu:heddle) >fusesoc.log 2>&1 || { tail -n 20 fusesoc.log; return 1; }
  ! grep WARNING fusesoc.log
}

# The demonstrator, around the plane from the tree or from the installation: all files, the macros of tiny, the pins.
fusesoc_demo() {
  (cd "$tmp" && "$checkout/build/venv/fusesoc/bin/fusesoc" --cores-root "$1" --cores-root "$checkout/synth/fpga/demo" \
    run --build-root "$tmp/fusesoc" --clean --target ulx3s --setup heddle:gpu:demo) >fusesoc.log 2>&1 ||
    { tail -n 20 fusesoc.log; return 1; }
  made=$tmp/fusesoc/heddle_gpu_demo_$version/ulx3s
  ! grep WARNING fusesoc.log && grep -q '{HD_NUM_SMX 2}' "$made"/*.tcl &&
    grep -q -- '--lpf .*ulx3s.lpf' "$made/Makefile" &&
    for f in "$checkout"/synth/fpga/demo/*.sv; do grep -q "${f##*/}}" "$made"/*.tcl || return 1; done
}

# A signal without a driver.
fusesoc_refuses() {
  cp -r "$rtl" planted && sed -i 's|^endmodule|logic planted; wire other = planted;\n&|' planted/common/hd_fifo.sv &&
    ! fusesoc lint "$PWD/planted" && grep 'hd_fifo.sv.*planted' fusesoc.log
}

fusesoc_checks() {
  if ! (cd "$checkout" && tb/install/venv.sh build/venv/fusesoc verif/install/fusesoc.txt) 2>"$tmp/log"; then
    echo "skipped: FuseSoC lints the core: $(cat "$tmp/log")"
    return
  fi
  check "FuseSoC lints the core from the tree" fusesoc lint "$checkout/rtl"
  check "FuseSoC lints the core from the installation" fusesoc lint "$rtl"
  check "FuseSoC finds a planted fault" fusesoc_refuses
  check "FuseSoC sets up the demonstrator around the tree" fusesoc_demo "$checkout/rtl"
  check "FuseSoC sets up the demonstrator around the installation" fusesoc_demo "$rtl"
  [ "$long" ] || return 0
  check "FuseSoC builds the core from the tree" fusesoc sim "$checkout/rtl"
  check "FuseSoC builds the core from the installation" fusesoc sim "$rtl"
}

# A core file that names a missing file must be detected.
core_refused() {
  sed 's|common/hd_fifo.sv|common/hd_gone.sv|' "$rtl/heddle.core" >"$rtl/bad.core"
  python3 check_core.py "$rtl/bad.core" "$version" "$PWD/core" 2>core/err && return 1
  rm "$rtl/bad.core"
  grep -x 'check_core: fileset rtl: no file common/hd_gone.sv' core/err
}

# ---- DPI-C

dpi_build() {
  verilator --binary --timing --assert -O3 --top-module dpi_tb --Mdir dpi -f own/two.f -f "$rtl/heddle.f" \
    "$(pkg-config --variable=dpidir heddle)/hd_dpi_pkg.sv" dpi_tb.sv \
    -MAKEFLAGS "OBJCACHE=ccache OPT_FAST=-O1 OPT_SLOW=-O0" -LDFLAGS "$(flags --libs) -Wl,-rpath,$prefix/lib"
}

dpi_run() { ./dpi/Vdpi_tb >dpi.out && grep 'cycles compared, 900 TBs of 6 kernels, no difference' dpi.out; }

dpi_notices() {
  ./dpi/Vdpi_tb +wrong >dpi_wrong.out 2>&1 && return 1
  grep 'dpi_tb: cycle .*: dispatch.*: RTL .*, model ' dpi_wrong.out
}

# ---- the command, and the installation as a whole

command_runs() {
  cat >two.trace <<'END'
heddle-trace 1
0 0 104 1 1 256 1 1 32 0 500
0 1 40 2 1 128 2 1 16 4096 uniform(100,900)
END
  [ "$("$prefix/bin/heddle" --version)" = "heddle $version" ] || return 1
  "$prefix/bin/heddle" run --trace two.trace --engine both --json --page run.html >run.json || return 1
  grep -q 'Mike Bostock' run.html || return 1
  python3 -c '
import json
r = json.load(open("run.json"))
assert r["kernels"] == 2 and r["ctas"] == 184, r
assert r["differences"] == 0 and r["cycles_compared"] > 0, r'
}

# Each command and each option of their --help is in the man page and in the completion.
man_page() {
  page=$prefix/share/man/man1/heddle.1
  groff -man -ww -z -Tutf8 "$page" >man.err 2>&1; [ ! -s man.err ] || { cat man.err; return 1; }
  (cd "$checkout" && build/heddle --help) | sed -n 's/^  \([a-z]*\) .*/\1/p' >names && [ -s names ] || return 1
  while read -r c; do
    (cd "$checkout" && build/heddle "$c" --help) | grep -o -- '^ .*--[a-z][-a-z]*' | grep -o -- '--[a-z][-a-z]*$' >opts
    tr ' [' '\n\n' <"$page" | sed 's/\\//g' >words
    while read -r o; do grep -q -- "^$o" words || { echo "$c: no $o"; return 1; }; done <opts
  done <names
}

completion() {
  bash -uc '. "$1"
    offer() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _heddle; printf "%s\n" "${COMPREPLY[@]}"; }
    [ "$(offer heddle ru)" = run ] && offer heddle run --time | grep -x -- --timeline &&
      offer heddle run --config k20c-l | grep -x k20c-laperm && offer heddle run -c = ti | grep -x tiny &&
      offer heddle run --config h1 | grep -x h100 &&
      offer heddle equiv lap | grep -x laperm && offer heddle area --lib | grep -x -- --liberty &&
      offer heddle run --engine = b | grep -x both && offer heddle run --policy s | grep -x smx-bind &&
      offer heddle run --launch c | grep -x cdp && offer heddle graph ro | grep -x road &&
      offer heddle campaign sm | grep -x smoke && offer heddle run ss | grep -x sssp &&
      offer heddle equiv --profile r | grep -x random && offer heddle run --set NumK | grep -x NumKde= &&
      offer heddle run --warp l | grep -x lwf && offer heddle graph info --format me | grep -x metis &&
      ! offer heddle wave --time | grep .
  ' - "$prefix/share/bash-completion/completions/heddle"
}

# The model alone: needs neither Verilator nor the command. Uninstalling removes all of it, but not files of others.
# Python without -B leaves its compiled modules there: they are removed too.
lib_alone() {
  (cd "$checkout" && make -s install-lib PREFIX="$tmp/alone" JOBS=1) || return 1
  [ -e "$tmp/alone/include/heddle/heddle.hpp" ] || return 1
  [ ! -e "$tmp/alone/bin" ] && [ ! -e "$tmp/alone/lib/heddle" ] && [ ! -e "$tmp/alone/share/heddle/rtl" ] || return 1
  export PKG_CONFIG_PATH="$tmp/alone/lib/pkgconfig"
  cc plane.c $(flags --cflags --libs) -Wl,-rpath,"$tmp/alone/lib" -o alone && ./alone | cmp - dynamic.out &&
    python sweep.py | cmp - sweep.out
  rc=$?
  export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
  return $rc
}

uninstalled() {
  PYTHONPATH=$tmp/alone/share/heddle/python python3 -c 'import heddle' &&
    python3 "$tmp/stage/opt/h/share/heddle/rtl/hdgen" list || return 1
  for p in "$tmp/alone" "$tmp/stage/opt/h"; do
    [ -n "$(find "$p" -name '*.pyc')" ] && touch "$p/lib/libother.so" "$p/share/heddle/notes" || return 1
  done
  (cd "$checkout" && make -s uninstall PREFIX="$tmp/alone" && make -s uninstall PREFIX=/opt/h DESTDIR="$tmp/stage" &&
    ! make -s uninstall PREFIX="$tmp/alone") || return 1
  for p in "$tmp/alone" "$tmp/stage/opt/h"; do
    find "$p" ! -type d
    [ "$(find "$p" ! -type d | sort | tr '\n' ' ')" = "$p/lib/libother.so $p/share/heddle/notes " ] || return 1
    [ ! -e "$p/include/heddle" ] && [ ! -e "$p/lib/heddle" ] && [ -d "$p/lib/pkgconfig" ] || return 1
  done
}

# The list names exactly the installed files.
listed() { (cd "$prefix" && find . ! -type d | sed 's|^\./||' | sort | cmp - share/heddle/installed); }

destdir() {
  (cd "$checkout" && tb/install/install.sh /opt/h "$version" "$tmp/stage") || return 1
  [ -x "$tmp/stage/opt/h/bin/heddle" ] && grep -x 'prefix=/opt/h' "$tmp/stage/opt/h/lib/pkgconfig/heddle.pc" &&
    grep -x '/opt/h/share/heddle/rtl/pkg/hd_pkg.sv' "$tmp/stage/opt/h/share/heddle/rtl/heddle.f" || return 1
  ! grep -rIl "$tmp" "$tmp/stage"
}

# No text file of the installation refers to the checkout, and no link leaves the prefix.
self_contained() {
  grep -rIl -F "$checkout" "$prefix" && return 1
  [ -z "$(find "$prefix" -type l -lname '/*')" ]
}

check "pkg-config knows version $version" pc_version
check "the shared library has its soname" soname
check "the libraries export hd_ names only" only_hd_names
check "each header compiles alone, as C11" headers_alone
check "heddle.h serves C++" headers_in_cxx
check "plane.c, shared library: 100 TBs in order" plane_dynamic
check "plane.c, static library: the same" plane_static
check "deplinks.c: a graph of 7 levels" deplinks
simulator_checks
check "CMake: plane.c and simulator.cpp by find_package, shared and static; a later version is refused" cmake_finds
check "Python: a sweep in a dozen lines" python_sweep
check "Python: plane.c's TBs, refusals, registers" python_plane
check "Python: all functions of dpi.h" python_is_dpi
check "RTL lint with all warnings from the file list, from another folder" lint
check "a derived configuration" derived
check "the register file in SystemRDL and IP-XACT" register_file
check "Yosys reads it" yosys_reads
check "FuseSoC core: valid, its files and generated package are those that lint" core
check "FuseSoC core: a missing file is noticed" core_refused
fusesoc_checks
check "DPI-C bench builds" dpi_build
check "DPI-C bench: RTL and model agree in every cycle" dpi_run
check "DPI-C bench: a model with another input is detected" dpi_notices
check "the heddle command runs RTL and model in lockstep" command_runs
check "the man page has every command and option" man_page
check "the completion offers them" completion
check "DESTDIR is in no file" destdir
check "the model alone, by install-lib" lib_alone
check "uninstall takes what was installed, and no more" uninstalled
check "the list of installed files is right" listed
check "the installation stands alone" self_contained

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
