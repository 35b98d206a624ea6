#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Installs the build results: install.sh PREFIX VERSION [DESTDIR [lib]], from the top of the checkout; see
# tb/install/install.mk. DESTDIR is prepended to every path written but appears in no file, as packagers need it. `lib`
# installs only the model. share/heddle/installed lists the installed files for uninstall.sh.
set -eu
prefix=$1 version=$2 destdir=${3-} what=${4-all}
case $prefix in
  *[[:space:]]*)
    echo "install: PREFIX '$prefix' contains white space, which pkg-config and file lists do not support" >&2
    exit 2 ;;
  /*) ;;
  *) prefix=$(pwd)/$prefix ;;
esac
[ "$prefix" = / ] || prefix=${prefix%/}
to=$destdir$prefix
rtl=$prefix/share/heddle/rtl
list=$to/share/heddle/installed
install -d "$to/share/heddle"
echo share/heddle/installed >>"$list"

made() { # PATH..: adds them to the list of installed files
  printf '%s\n' "$@" | sed 's|^[.]/||; s|/[.]/|/|g' >>"$list"
}

put() { # MODE FOLDER FILE..
  mode=$1 folder=$2
  shift 2
  install -D -m "$mode" -t "$to/$folder" "$@"
  for f; do echo "$folder/${f##*/}"; done | sed 's|/[.]/|/|g' >>"$list"
}

tree() { # FOLDER FROM FIND_ARG..: installs the files that find finds in FROM, with their folders
  under=$1 from=$2
  shift 2
  (cd "$from" && find . -type f "$@" -printf '%h\n') | sort -u | while read -r inside; do
    put 644 "$under/$inside" $(find "$from/$inside" -maxdepth 1 -type f "$@")
  done
}

text() { # PATH: writes standard input to a file
  install -d "$to/${1%/*}"
  cat >"$to/$1"
  chmod 644 "$to/$1"
  made "$1"
}

# Lists each file once, also after a repeated installation.
end() {
  sort -u -o "$list" "$list"
  chmod 644 "$list"
  exit 0
}

# The library, under the names that linker and loader look for.
put 644 lib build/libheddle.a
install -m 755 build/libheddle.so "$to/lib/libheddle.so.$version"
ln -sf "libheddle.so.$version" "$to/lib/libheddle.so.${version%%.*}"
ln -sf "libheddle.so.${version%%.*}" "$to/lib/libheddle.so"
made "lib/libheddle.so.$version" "lib/libheddle.so.${version%%.*}" lib/libheddle.so
tree include/heddle cmodel '(' -name '*.h' -o -name '*.hpp' ')' ! -name '*_inside.h'
find "$to/include/heddle" -name '*.h*' -exec sed -i 's|^#include "\(.*\)"|#include <heddle/\1>|' {} +
put 644 include/heddle/gen build/gen/hd_*.h
text lib/pkgconfig/heddle.pc <<PC
prefix=$prefix
libdir=\${prefix}/lib
includedir=\${prefix}/include
rtldir=\${prefix}/share/heddle/rtl
dpidir=\${prefix}/share/heddle/dpi
pythondir=\${prefix}/share/heddle/python

Name: heddle
Description: Golden model of a GPU's thread-block dispatch plane
Version: $version
Libs: -L\${libdir} -lheddle
Cflags: -I\${includedir}
PC
sed "s|@VERSION@|$version|" tb/install/heddle-config-version.cmake | text lib/cmake/heddle/heddle-config-version.cmake
put 644 lib/cmake/heddle tb/install/heddle-config.cmake
put 644 share/heddle/python/heddle python/heddle/*.py python/heddle/py.typed
put 644 share/doc/heddle LICENSE docs/library.md
[ "$what" = all ] || end

# The command, its data, and the Verilated plane of the default configuration, which it loads, with its waveform view.
put 755 bin build/heddle
put 644 lib/heddle build/commit
put 644 share/heddle/data tb/data/*
put 755 share/heddle/cmd tb/cmd/wave_picture.sh
put 644 share/heddle/page tb/page/run.html tb/page/page.css tb/page/*.js
put 755 lib/heddle/k20c/top build/k20c/top/rtl.so build/k20c/top/rtl-wave.so
put 644 lib/heddle/k20c/top build/k20c/top/view.gtkw
tb/install/manual.py build/heddle "$version" man | text share/man/man1/heddle.1
tb/install/manual.py build/heddle "$version" bash | text share/bash-completion/completions/heddle
put 644 lib/heddle/gen/names build/gen/names/*

# The RTL with its tables and generator, the register file of k20c, and the list of the plane's files.
tree share/heddle/rtl rtl ! -path '*/__pycache__/*'
chmod 755 "$to/share/heddle/rtl/hdgen/fusesoc.py"
python3 rtl/hdgen rdl --config k20c -o "$to/share/heddle/rtl/heddle_regs.rdl"
python3 rtl/hdgen ipxact --config k20c -o "$to/share/heddle/rtl/heddle_regs.xml"
made share/heddle/rtl/heddle_regs.rdl share/heddle/rtl/heddle_regs.xml
put 644 share/heddle/dpi tb/dpi/hd_dpi_pkg.sv
# Absolute paths, so that the list can be used from any folder.
{
  echo "// Heddle $version: the dispatch plane hd_top. The configuration k20c, or that of a file of configs/ before it."
  sed "/^\/\//d; s|\(^[+]incdir[+]\)rtl|\1$rtl|; s|^rtl/|$rtl/|" rtl/files.f
} | text share/heddle/rtl/heddle.f
end
