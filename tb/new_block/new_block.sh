#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Creates a new block: a register that builds, lints and passes lockstep, as a starting point.
#   new_block.sh NAME CLUSTER     run from the top of the checkout; NAME: a stem of lowercase letters
# Writes seven files, a line in rtl/pkg/blocks.csv, rtl/heddle.core, verif/faults.csv and
# verif/fault_edits.csv, and prints the next steps.
set -eu
from=$(dirname "$0")
name=${1:-} cluster=${2:-}
fail() { echo "new-block: $1" >&2; exit 2; }
case $name in
  '' | *[!a-z]*)
    fail "NAME='$name': a stem of lowercase letters is accepted, as in 'make new-block NAME=chan CLUSTER=service'" ;;
esac
[ -f rtl/pkg/blocks.csv ] || fail "rtl/pkg/blocks.csv: not found; run it from the top of the checkout"
clusters=$(sed '/^#/d; /^block,/d' rtl/pkg/blocks.csv | cut -d, -f2 | sort -u)
case $cluster in
  '' | *[!a-z]* | api | common | hdgen | pkg | top)
    fail "CLUSTER='$cluster': accepted: one of $(echo $clusters), or a new one of lowercase letters" ;;
esac
! grep -q "^$name," rtl/pkg/blocks.csv || fail "NAME='$name': a block of this name exists; another stem is accepted"
for file in cmodel/*/"$name".[ch] tb/*/*/"$name".[ch]; do
  [ ! -e "$file" ] || fail "NAME='$name': $file exists; another stem is accepted"
done
fault=$(($(sed -n "s/^\([0-9]*\),.*/\1/p" verif/faults.csv | sort -n | tail -1) + 1))
put() { # TEMPLATE FILE
  mkdir -p "$(dirname "$2")"
  sed "s/@b@/$name/g; s/@n@/$fault/g; s/@B@/$(echo "$name" | tr a-z A-Z)/g; s/@c@/$cluster/g" "$from/$1" > "$2"
  echo "  new    $2"
}
line() { # FILE LINE PATTERN: inserts LINE before the line that matches PATTERN
  sed -i "/$3/i\\$2" "$1"
  echo "  line   $1"
}
put block.csv.in "rtl/$cluster/$name/$name.csv"
put hd_block.sv.in "rtl/$cluster/$name/hd_$name.sv"
put block.h.in "cmodel/$cluster/$name.h"
put block.c.in "cmodel/$cluster/$name.c"
put driver.c.in "tb/env/$cluster/$name.c"
put test.c.in "verif/unit/$cluster/test_$name.c"
put page.md.in "docs/$cluster/$name.md"
line rtl/pkg/blocks.csv "$name,$cluster,netlist" '^top,'
line rtl/heddle.core "      - $cluster/$name/hd_$name.sv" '- channel\/apu\/hd_apu.sv'
echo "$fault,$name,number,\"a number that arrives while one waits replaces it\",unused" >> verif/faults.csv
echo "  line   verif/faults.csv"
echo "$fault,$cluster/$name/hd_$name.sv,assign take = in_valid_i && in_ready_o,in_ready_o,1'b1" >> verif/fault_edits.csv
echo "  line   verif/fault_edits.csv"
! command -v clang-format > /dev/null ||
  clang-format -i "cmodel/$cluster/$name.c" "tb/env/$cluster/$name.c" "cmodel/$cluster/$name.h" \
    "verif/unit/$cluster/test_$name.c"
echo "next: heddle equiv $name (make all first); make check BLOCK=$name; docs/update.sh docs/$cluster/$name.md"
