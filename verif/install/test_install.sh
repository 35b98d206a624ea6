#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Installs into a temporary prefix and uses what lies there as someone would who has never seen the checkout: C programs
# through pkg-config, the RTL from its file list and through its FuseSoC core, the model through DPI-C, the command.
#   test_install.sh VERSION         from the top of the checkout, after `make all`. Ends with `N passed, N failed`.
set -u
version=$1
checkout=$(pwd)
here=$checkout/verif/install
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
prefix=$tmp/prefix
rtl=$prefix/share/heddle/rtl
passed=0 failed=0

tb/install/install.sh "$prefix" "$version" || exit 1
mkdir "$tmp/work"
cd "$tmp/work" || exit 1
cp "$here/plane.c" "$here/deplinks.c" "$here/dpi_tb.sv" "$here/check_core.py" .
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
unset LD_LIBRARY_PATH CPATH C_INCLUDE_PATH LIBRARY_PATH HEDDLE_BUILD MAKEFLAGS MFLAGS

check() { # NAME FUNCTION: what the function prints is shown if it fails
  if "$2" >"$tmp/log" 2>&1; then
    passed=$((passed + 1))
    echo "ok    $1"
  else
    failed=$((failed + 1))
    echo "FAIL  $1"
    tail -n 20 "$tmp/log" | sed 's/^/      /'
  fi
}

# ---- C

flags() { pkg-config "$@" heddle; }

pc_version() { [ "$(pkg-config --modversion heddle)" = "$version" ]; }

soname() { readelf -d "$prefix/lib/libheddle.so" | grep -F "soname: [libheddle.so.${version%%.*}]"; }

# Nothing but hd_ names may come out of the library.
only_hd_names() {
  nm -D --defined-only --format=posix "$prefix/lib/libheddle.so" >exports && [ -s exports ] || return 1
  grep -v '^hd_' exports && return 1
  nm -g --defined-only --format=posix "$prefix/lib/libheddle.a" | grep -v '^hd_\|:$\|^$' && return 1
  return 0
}

headers_alone() {
  for h in $(cd "$prefix/include" && find heddle -name '*.h'); do
    printf "#include <%s>\nextern int one; // a header of macros declares nothing\n" "$h" >one.c
    cc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only $(flags --cflags) one.c || return 1
  done
}

headers_in_cxx() {
  echo '#include <heddle/heddle.h>
        int main() { hd_cfg cfg; return hd_cfg_find("k20c", &cfg) ? 0 : 1; }' >one.cpp
  g++ -Wall -Wextra -Werror one.cpp $(flags --cflags --libs) -Wl,-rpath,"$prefix/lib" -o one && ./one
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

# ---- RTL

lint() { (cd / && verilator --lint-only --top-module hd_top -f "$rtl/heddle.f"); }

lint_all() { verilator --lint-only -Wall --top-module hd_top "$rtl/lint.vlt" -f "$rtl/heddle.f"; }

yosys_reads() {
  yosys -q -p "read_verilog -sv -I$rtl $rtl/hd_pkg.sv $(grep -v '^#' "$rtl/files.f" | sed "s|^|$rtl/|" | tr '\n' ' ')
               hierarchy -check -top hd_top; proc; check -assert; select -assert-any hd_top"
}

# A configuration of one's own: the installed generator, the installed RTL, another package in front.
derived() {
  python3 "$rtl/hdgen" sv --config gtx480 --set NumSmx=3 -o own/hd_pkg.sv || return 1
  grep -q 'NumSmx = 3;' own/hd_pkg.sv || return 1
  sed "s|$rtl/hd_pkg.sv|$PWD/own/hd_pkg.sv|" "$rtl/heddle.f" >own/heddle.f
  verilator --lint-only --top-module hd_top -f own/heddle.f
}

core() {
  mkdir -p core && python3 check_core.py "$rtl/heddle.core" "$version" "$PWD/core" >core/heddle.f || return 1
  verilator --lint-only --top-module hd_top -f core/heddle.f && cmp core/hd_pkg.sv "$rtl/hd_pkg.sv"
}

# A core file that names what is not there must be noticed.
core_refused() {
  sed 's|common/hd_fifo.sv|common/hd_gone.sv|' "$rtl/heddle.core" >"$rtl/bad.core"
  python3 check_core.py "$rtl/bad.core" "$version" "$PWD/core" 2>core/err && return 1
  rm "$rtl/bad.core"
  grep -x 'check_core: fileset rtl: no file common/hd_gone.sv' core/err
}

# ---- DPI-C

dpi_build() {
  verilator --binary --timing --assert -O3 --top-module dpi_tb --Mdir dpi -f "$rtl/heddle.f" \
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
  "$prefix/bin/heddle" run --trace two.trace --engine both --json >run.json || return 1
  python3 -c '
import json
r = json.load(open("run.json"))
assert r["kernels"] == 2 and r["ctas"] == 184, r
assert r["differences"] == 0 and r["cycles_compared"] > 0, r'
}

destdir() {
  (cd "$checkout" && tb/install/install.sh /opt/h "$version" "$tmp/stage") || return 1
  [ -x "$tmp/stage/opt/h/bin/heddle" ] && grep -x 'prefix=/opt/h' "$tmp/stage/opt/h/lib/pkgconfig/heddle.pc" &&
    grep -x '/opt/h/share/heddle/rtl/hd_pkg.sv' "$tmp/stage/opt/h/share/heddle/rtl/heddle.f" || return 1
  ! grep -rIl "$tmp" "$tmp/stage"
}

# No text file of the installation leads back to the checkout, no link out of the prefix.
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
check "RTL lint from the file list, from another folder" lint
check "RTL lint with all warnings" lint_all
check "Yosys reads the RTL" yosys_reads
check "a derived configuration lints" derived
check "FuseSoC core: valid, its files and generated package lint" core
check "FuseSoC core: a missing file is noticed" core_refused
check "DPI-C bench builds" dpi_build
check "DPI-C bench: RTL and model agree in every cycle" dpi_run
check "DPI-C bench: a model that is told otherwise is noticed" dpi_notices
check "the heddle command runs RTL and model in lockstep" command_runs
check "DESTDIR is in no file" destdir
check "the installation stands alone" self_contained

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
