#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# A new block: a register that builds, lints and passes lockstep, to be made into what it will be.
#   new_block.sh NAME     run from the top of the checkout; NAME: a stem of small letters
# Writes seven files, a line in rtl/pkg/blocks.csv, rtl/files.f, rtl/heddle.core and verif/faults.csv, and says what comes next.
set -eu
from=$(dirname "$0")
name=${1:-}
fail() { echo "new-block: $1" >&2; exit 2; }
case $name in
  '' | *[!a-z]*) fail "NAME='$name': a stem of small letters is accepted, as in 'make new-block NAME=chan'" ;;
esac
[ -f rtl/pkg/blocks.csv ] || fail "rtl/pkg/blocks.csv: not found; run it from the top of the checkout"
! grep -q "^$name," rtl/pkg/blocks.csv || fail "NAME='$name': there is such a block; another stem is accepted"
for file in "rtl/$name" "cmodel/$name.h" "tb/twins/$name.h"; do
  [ ! -e "$file" ] || fail "NAME='$name': $file is there; another stem is accepted"
done
fault=$(($(sed -n "s/^\([0-9]*\),.*/\1/p" verif/faults.csv | sort -n | tail -1) + 1))
put() { # TEMPLATE FILE
  mkdir -p "$(dirname "$2")"
  sed "s/@b@/$name/g; s/@n@/$fault/g; s/@B@/$(echo "$name" | tr a-z A-Z)/g" "$from/$1" > "$2"
  echo "  new    $2"
}
line() { # FILE LINE : before the line of the plane
  sed -i "/$3/i\\$2" "$1"
  echo "  line   $1"
}
put block.csv.in "rtl/$name/$name.csv"
put hd_block.sv.in "rtl/$name/hd_$name.sv"
put block.h.in "cmodel/$name.h"
put block.c.in "cmodel/$name.c"
put twin.c.in "tb/twins/$name.c"
put test.c.in "verif/unit/test_$name.c"
put page.md.in "docs/$name.md"
line rtl/pkg/blocks.csv "$name,netlist" '^top,'
line rtl/files.f "$name/hd_$name.sv" '^top\/hd_top'
line rtl/heddle.core "      - $name/hd_$name.sv" '- top\/hd_top.sv'
echo "$fault,$name,number,\"a number that comes while one waits takes its place\",unused" >> verif/faults.csv
echo "  line   verif/faults.csv"
! command -v clang-format > /dev/null || clang-format -i "cmodel/$name.h" "cmodel/$name.c" "tb/twins/$name.c" "verif/unit/test_$name.c"
echo "next: heddle equiv $name (make all first); make check BLOCK=$name; docs/update.sh docs/$name.md"
