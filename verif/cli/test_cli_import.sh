#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Tests of the heddle command, fourth part: traces of version 2, and imported traces, in lockstep on tiny. Ends with `N
# passed, N failed`.
dir=build/test/cli_import
. verif/cli/cli.sh
traces=verif/cli/accelsim

# ---- import accelsim: three kernels of two streams, written by the description of the format
check 'import accelsim DIR' 0 $heddle import accelsim $traces -o "$dir/a.trace"
says err '3 kernels in 2 streams, 8 TBs, 60 instructions at 1 cycles; 2 copies skipped'
printf '%s\n' 'heddle-trace 2' '# from NVBit traces of Accel-Sim, 1 cycles per instruction' \
  'kernel _Z4initPfi  0 0  3 1 1  64 1 1  16 0  8' 'kernel _Z4stepPfS_i  0 1  2 2 1  32 2 1  14 528  each(4*2,10,6)' \
  'kernel _Z4initPfi  0 0  1 1 1  48 1 1  16 0  12' > "$dir/want"
same '  writes grid, TB, registers, shared memory, HWQ and cycles' "$dir/a.trace" "$dir/want"
check 'import accelsim KERNELSLIST' 0 $heddle import accelsim $traces/kernelslist.g
same '  the same on stdout' "$dir/out" "$dir/want"
check 'import --cycles-per-instruction' 0 $heddle import accelsim $traces -c 0.6 --hwqs 1 -o "$dir/b.trace.gz"
zcat "$dir/b.trace.gz" | grep '^kernel _Z4step' > "$dir/out"
echo 'kernel _Z4stepPfS_i  0 0  2 2 1  32 2 1  14 528  each(3*2,6,4)' | cmp -s - "$dir/out"
note $? '  cycles are rounded up; streams share HWQs'
check 'run an imported trace' 0 $heddle run --trace "$dir/a.trace" --config tiny --timeline "$dir/a.csv" \
  --json="$dir/a.json" --quiet
json '  in lockstep' run "$dir/a.json" \
  "r['kernels'] == 3 and r['ctas'] == 8 and r['cycles_compared'] >= r['cycles'] and not r['differences']"
json '  names its kernels' run "$dir/a.json" "[(n['name'], n['kernels'], n['ctas']) for n in r['named']] == [
  ('_Z4initPfi', 2, 4), ('_Z4stepPfS_i', 1, 4)]"
[ "$(cut -d , -f 9 "$dir/a.csv" | sort | uniq -c | tr -s ' \n' ' ')" = ' 4 "_Z4initPfi" 4 "_Z4stepPfS_i" 1 name ' ]
note $? '  and in the table of its timeline'
check '  in the report and the trace for a viewer' 0 $heddle run --trace "$dir/a.trace" --config tiny --engine model \
  --timeline "$dir/a.time.json"
says out '  named           _Z4initPfi: 2 launches, 4 TBs'
grep -q '"name":"kernel [A-C] _Z4stepPfS_i"' "$dir/a.time.json"
note $? '  by name'
awk -F, 'NR > 1 { print $7 - $6 }' "$dir/a.csv" | sort -n | tr '\n' ' ' > "$dir/out"
[ "$(cat "$dir/out")" = '4 4 6 8 8 8 10 12 ' ]
note $? '  each TB is held as long as its instructions say'

# ---- rejected traces
spoil() { # SED-SCRIPT FILE..: a modified copy of the traces
  rm -rf "$dir/bad" && cp -r $traces "$dir/bad"
  script=$1
  shift
  for f; do sed -i "$script" "$dir/bad/$f"; done
}
spoiled() { # SED-SCRIPT FILE TEXT
  spoil "$1" "$2"
  refused "import: $3" "$3" $heddle import accelsim "$dir/bad"
}
spoiled 's/^-grid dim = .*/-grid dim = (2,x,1)/' kernel-2.traceg "kernel-2.traceg:3: grid dim is '(2,x,1)'; three whole"
spoiled '/^-nregs/d' kernel-1.traceg "the header has no line '-nregs = ..'"
spoiled 's/^-nregs.*/-nregs = 300/' kernel-1.traceg "nregs is '300'"
spoiled 's/^thread block = 1,0,0/thread block = 0,0,0/' kernel-1.traceg 'thread block 0,0,0 occurs twice'
spoiled 's/^thread block = 1,0,0/thread block = 7,0,0/' kernel-1.traceg "thread block is '7,0,0'"
spoiled '/^thread block = 1,0,0/,$d' kernel-1.traceg "the file ends within a TB"
spoiled '/^thread block/d; /^insts/d' kernel-1.traceg "none of the kernel's 3 TBs is in the file"
spoiled 's/^insts = .*/insts = many/' kernel-3.traceg "insts is 'many'"
spoiled '/^#BEGIN_TB/,$d' kernel-3.traceg "no '#BEGIN_TB' in the file"
spoiled 's/^Memcpy.*/Launch,1/' kernelslist.g "kernelslist.g:1: 'Launch,1' is not a command"
spoiled 's/kernel-2.traceg/kernel-2.trace.xz/' kernelslist.g 'kernel-2.trace.xz is the raw list of the tracer'
spoiled 's/kernel-2/kernel-9/' kernelslist.g 'kernel-9.traceg: No such file'
spoiled '/kernel/d' kernelslist.g 'kernelslist.g: no kernel in it'
spoil 's/kernel-2/kernel-9/' kernelslist.g
refused 'import to a file' 'No such file' $heddle import accelsim "$dir/bad" -o "$dir/c.trace"
no_files '  writes none' '^c.trace'
refused 'import of a folder without kernelslist.g' 'kernelslist.g: No such file' $heddle import accelsim docs
mkdir -p "$dir/raw/below" && : > "$dir/raw/kernelslist"
refused 'import of a folder before the post-processing' 'post-traces-processing' $heddle import accelsim "$dir/raw"
: > "$dir/raw/below/kernelslist.g"
rm "$dir/raw/kernelslist"
refused '  of one above' 'a subfolder has one' $heddle import accelsim "$dir/raw"

# ---- unusual traces that are accepted
spoil '/^thread block = 1,0,0/,/^#END_TB/d' kernel-1.traceg
sed -i '/^#BEGIN_TB/{N;N;/\n\n$/d}' "$dir/bad/kernel-1.traceg"
check 'import of a kernel without one of its TBs' 0 $heddle import accelsim "$dir/bad"
says err '1 of the TBs are not in the files'
says out 'each(8,1,8)'
if command -v xz > /dev/null; then
  spoil 's/kernel-2.traceg/kernel-2.traceg.xz/' kernelslist.g
  xz "$dir/bad/kernel-1.traceg" "$dir/bad/kernel-2.traceg"
  check 'import of files that xz compressed' 0 $heddle import accelsim "$dir/bad"
  same '  the same trace, in whichever name the list has' "$dir/out" "$dir/want"
  truncate -s -9 "$dir/bad/kernel-2.traceg.xz"
  refused '  cut short' 'damaged or truncated data' $heddle import accelsim "$dir/bad"
fi
: > "$dir/bad/kernelslist_ctx_0x1.g"
refused 'import of another kind' "unknown kind of trace 'nsys'" $heddle import nsys x
refused 'import -c 0' 'a number above 0' $heddle import accelsim x -c 0
refused 'import --hwqs 0' 'from 1 to 256' $heddle import accelsim x --hwqs 0

# ---- version 2: kernels that wait, TBs that launch
cat > "$dir/two.trace" <<'END'
heddle-trace 2
kernel a    0 0  8 1 1  64 1 1  16 0  each(500*4, 700, 300*3)
kernel b    0 1  10 1 1 64 1 1  16 0 exp(400)
after  a
launch 0-8/2 200 4  3  32 1 1 16 0 uniform(50,90)  # of b's even TBs
launch 4     10  1  2  64 1 1 16 0 100
kernel c    5 0  5 1 1  64 1 1  16 0 10
after  b
END
for l in cdp dtbl; do
  check "run --trace of version 2 --launch $l" 0 $heddle run --trace "$dir/two.trace" --config tiny --launch $l \
    --ideal --timeline "$dir/two.csv" --json="$dir/two.json" --quiet
  json '  in lockstep, with all children' run "$dir/two.json" "r['kernels'] == 3 and r['ctas'] == 23 + 5 * 4 * 3 + 2 \
    and r['cycles_compared'] >= r['cycles'] and not r['differences'] and r['launch'] == '$l'"
  # Kernels are numbered in the order of their launch: a, b, c. b's TBs begin after a's have ended, c's after b's and
  # its own.
  awk -F, 'NR > 1 { k = $1; if (!(k in from) || $6 < from[k]) from[k] = $6; if ($7 > to[k]) to[k] = $7 }
    END { exit !(from[1] > to[0] && from[2] > to[1]) }' "$dir/two.csv"
  note $? '  each kernel begins when what it comes after has ended'
done
refused 'TBs that launch, and --launch flat' 'its TBs launch; --launch cdp or dtbl would be accepted' \
  $heddle run --trace "$dir/two.trace" --config tiny
refused '--launch dtbl, and TBs that do not' 'its TBs have no launches; --launch flat with --policy rr' \
  $heddle run --trace "$dir/a.trace" --config tiny --launch dtbl
sed 's/^after  a/after  c/' "$dir/two.trace" > "$dir/never.trace"
refused 'a kernel that waits for one below' "no kernel above this one is called 'c'" \
  $heddle run --trace "$dir/never.trace" --config tiny
counted
