#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Checks whether Heddle works with the tools in PATH: lockstep, netlists, views, lint, areas, the main job. Run from the
# top of the checkout; verif/tools runs it with every tool that it finds. Ends with `N passed, N failed`.
#   smoke.sh [PART]..      PART: build banned lockstep plane netlists views lint area main, which are the default;
#                          python commands
set -u
passed=0 failed=0
heddle=build/heddle
out=build/test/smoke.out
mkdir -p build/test
check() { # NAME COMMAND..: the exit code decides
  name=$1
  shift
  if "$@" > $out 2>&1 < /dev/null; then
    passed=$((passed + 1)) word=ok
  else
    failed=$((failed + 1)) word=FAILED
    grep -v '^%Error\|^ok ' $out | tail -n 12 | sed 's/^/        /'
  fi
  printf '%-7s %s\n' "$word" "$name"
}

build() { check 'the command and the library' make -s all ${CC:+CC="$CC"}; }
lockstep() { check 'lockstep: every block, tiny' $heddle equiv all --config tiny --cycles 10000; }
plane() { check 'lockstep: the plane, k20c' $heddle equiv top --cycles 10000; }
netlists() {
  check 'lockstep: the netlist of every block, tiny' $heddle equiv all --config tiny --variant netlist --cycles 3000
}
views() { check 'views of waveforms: plane, dgb, laperm' verif/test_views.py k20c/top k20c/dgb k20c/laperm; }
lint() { check 'lint' synth/lint.sh; }
area() { check 'areas: fcfs, kmu, link, match, agc' $heddle area --check fcfs kmu link match agc; }
banned() { # not judged: synth/banned.tsv bans it
  at=build/test/part_select
  mkdir -p $at
  cp verif/tools/part_select.cpp $at/
  if verilator --cc --exe --build --no-timing --Mdir $at verif/tools/part_select.sv part_select.cpp > $out 2>&1; then
    $at/Vpart_select && word=rightly || word=wrongly
    echo "note    part selects that are targets in functions: this Verilator simulates them $word"
  fi
}
main() { check 'make run' make -s run-job ${CC:+CC="$CC"}; }
python() {
  check 'what is made from the tables' verif/test_package.py
  check 'the build tool' python3 tb/build tiny/fcfs/lint tiny/fcfs/rtl
  check 'sweep' $heddle sweep sor --config tiny --set NumKde=2 -- --nodes 256
  check 'area' $heddle area fcfs --config tiny
}
commands() {
  check 'make run' make -s run
  check 'make test' make -s test
}

for part in ${@:-build banned lockstep plane netlists views lint area main}; do $part; done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
