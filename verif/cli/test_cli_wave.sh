#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Waveforms and views: of a mismatch in a register, in an output, in the row of a RAM, and in the plane; a timeline in a
# trace viewer. Ends with `N passed, N failed`.
dir=build/test/cli_wave
. verif/cli/cli.sh

command -v fst2vcd > /dev/null || { echo 'test_cli_wave.sh: fst2vcd is missing (Debian package gtkwave)'; exit 1; }
for fault in fcfs:7 kmu:2 kmu:3 top:27; do
  block=${fault%:*}
  check "equiv $block with fault ${fault#*:}" 1 \
    $heddle equiv "$block" --config tiny --fault "${fault#*:}" --shrink 2 --out "$dir"
  cp "$dir/err" "$dir/report"
  fst=$(sed -n 's/^look at it:   heddle wave //p' "$dir/report")
  python3 verif/cli/edge.py "$dir/report" "$fst" > "$dir/out" 2> "$dir/err"
  note $? '  its view has the RTL beside the golden model, and a marker at the failing cycle'
done

# ---- a timeline in a real browser
if command -v chromium > /dev/null &&
  [ -e "${TRACE_VIEWER:-/usr/share/go-1.19/src/cmd/trace/static}/trace_viewer_full.html" ]; then
  check 'graph graph500' 0 $heddle graph graph500 --nodes 512 --degree 4 -o "$dir/g.mtx"
  check 'run --timeline' 0 $heddle run bfs "$dir/g.mtx" --config tiny --block-size 32 --sources 4 --engine model \
    --launch dtbl --ideal --threshold 20 --timeline "$dir/t.json" --quiet
  check '  a trace viewer opens it without a warning' 0 docs/viewer.py "$dir/t.json"
  python3 -c "
import json
events, told = json.load(open('$dir/t.json'))['traceEvents'], json.load(open('$dir/out'))
of = lambda kind: sum(e['ph'] == kind for e in events)
assert (told['slices'], told['arrows']) == (of('X'), of('s')) and told['arrows'] > 10 and told['counters'] >= 4" \
    2>> "$dir/err"
  note $? '  with every TB and every arrow'
else
  echo 'skipped a timeline in a browser: Chromium or the viewer is missing (Debian packages chromium, golang-1.19-src)'
fi
counted
