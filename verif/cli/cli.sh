# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Shared by the tests of the heddle command: counts, running a command and checking its output, the keys of its reports.
# To be sourced with `dir` set to a folder of the test, which is emptied first.
set -u
passed=0 failed=0
heddle=build/heddle
keys=verif/cli/keys.py
# The interpreter itself, without a wrapper that selects one on each call.
python=$(python3 -c 'import sys; print(sys.executable)')
rm -rf "$dir"
mkdir -p "$dir"
# A graph that is searched in four rounds and 9,300 cycles; 176 of its vertices have enough neighbours for a launch.
$heddle graph graph500 --nodes 1024 -o "$dir/made.mtx" > "$dir/out"
small="$dir/made.mtx --config tiny --block-size 64 --sources 1"

note() { # RESULT NAME
  if [ "$1" -eq 0 ]; then
    passed=$((passed + 1))
    echo "ok      $2"
  else
    failed=$((failed + 1))
    echo "FAILED  $2"
    sed 's/^/        /' "$dir/out" "$dir/err" | head -20
  fi
}
# NAME EXPECTED-EXIT-CODE COMMAND..   output: $dir/out and $dir/err
check() {
  name=$1 want=$2
  shift 2
  "$@" > "$dir/out" 2> "$dir/err" < /dev/null
  code=$?
  [ "$code" -eq "$want" ] || echo "exit code $code, not $want" >> "$dir/err"
  [ "$code" -eq "$want" ]
  note $? "$name"
}
# NAME TEXT COMMAND..   expects exit code 2, one line with TEXT and at most one hint line on stderr, and empty stdout
refused() {
  name=$1 text=$2
  shift 2
  "$@" > "$dir/out" 2> "$dir/err" < /dev/null
  code=$?
  [ "$code" -eq 2 ] && grep -qF -- "$text" "$dir/err" && [ ! -s "$dir/out" ] && [ "$(wc -l < "$dir/err")" -le 3 ]
  note $? "$name"
}
says() { grep -qF -- "$2" "$dir/$1"; note $? "  and says: $2"; }
same() { cmp -s "$2" "$3"; note $? "$1"; }
json() { # NAME KIND FILE [CONDITION, or files]
  "$python" -S "$keys" "$2" "$3" ${4:+"$4"} ${5:+"$5"} > "$dir/out" 2> "$dir/err"
  note $? "$1"
}
same_run() { # NAME FILE..   reports of one run on several engines must agree
  name=$1
  shift
  "$python" -S "$keys" same "$@" > "$dir/out" 2> "$dir/err"
  note $? "$name"
}
no_files() { # NAME PATTERN
  [ -z "$(ls "$dir" | grep -E "$2")" ]
  note $? "$1"
}

# The last line of a test, and its exit code.
counted() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
