#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Line and toggle coverage of each block under random lockstep, as a table and as build/coverage.json.
#   coverage.sh [CONFIG]           run from the top of the checkout, with build/heddle built; CONFIG defaults to tiny
# Fails if a block is below 95 % of its lines, toggles or cover properties, without those of verif/coverage_exclusions.csv.
# CYCLES and SEEDS may be set from outside. What is not covered is listed in build/<config>/<block>/coverage.txt; build/coverage.info
# is the same for lcov.
set -eu
config=${1:-tiny}
cycles=${CYCLES:-300000}
seeds=${SEEDS:-1 2 3}
blocks=$(sed '/^#/d; /^block$/d' rtl/pkg/blocks.csv)
[ -x build/heddle ] || { echo "coverage: build/heddle is not built: run 'make all'" >&2; exit 2; }
python3 tb/build $(for block in $blocks; do echo "$config/$block/cov"; done)
for block in $blocks; do
  out=build/$config/$block
  rm -f "$out"/coverage-*.dat
  for seed in $seeds; do
    build/heddle equiv "$block" --config "$config" -n "$cycles" --seed "$seed" --coverage "$out/coverage-$seed.dat" > "$out/coverage.log" 2>&1 || {
      echo "coverage: lockstep of $block fails ($out/coverage.log)" >&2; exit 1; }
  done
  verilator_coverage --write "$out/coverage.dat" "$out"/coverage-*.dat > "$out/coverage.log" 2>&1
done
verilator_coverage --write-info build/coverage.info $(for b in $blocks; do echo "build/$config/$b/coverage.dat"; done) > build/coverage.log 2>&1
python3 synth/coverage.py "$config" $blocks
