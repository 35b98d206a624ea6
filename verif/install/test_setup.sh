#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Tests tb/install/setup.sh against stubs of dpkg-query, apt-get, id and sudo: the requested packages, the user, and the
# messages. Run from the top of the checkout. Ends with `N passed, N failed`.
set -u
setup=$(pwd)/tb/install/setup.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0

check() { # NAME COMMAND..: the command's result decides
  name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
    echo "ok    $name"
  else
    failed=$((failed + 1))
    echo "FAIL  $name"
    sed 's/^/      /' "$tmp/out"
  fi
}

stand_in() { # NAME: a command of that name whose script comes from stdin
  { echo '#!/bin/sh'; cat; } >"$tmp/bin/$1"
  chmod +x "$tmp/bin/$1"
}

# A machine: the folder bin is all of its PATH. Commands that setup.sh itself needs are the real ones.
machine() {
  rm -rf "$tmp/bin" "$tmp/work"
  mkdir -p "$tmp/bin" "$tmp/work"
  for c in sh cat cut echo env false grep mkdir sed sort tail tr; do ln -s "$(command -v $c)" "$tmp/bin/$c"; done
  : >"$tmp/calls"
  printf 'ID=debian\nVERSION_ID="12"\n' >"$tmp/os"
  # All packages are installed except those that the file "absent" names.
  stand_in dpkg-query <<END
shift 2
for p in "\$@"; do grep -qx "\$p" $tmp/absent || echo "ii \$p"; done
END
  stand_in apt-get <<END
echo "apt-get \$* as \${AS:-root}" >>$tmp/calls
END
  # Python has all modules except those that the file "unimportable" names.
  stand_in python3 <<END
! grep -qx "\${2#import }" $tmp/unimportable
END
  stand_in sudo <<'END'
AS=sudo exec "$@"
END
  echo 'echo 0' | stand_in id
  : >"$tmp/absent" >"$tmp/unimportable"
}

run() { # GROUP: result in $rc, both outputs in $tmp/out
  (cd "$tmp/work" && PATH=$tmp/bin OS_RELEASE=$tmp/os sh "$setup" "$1") >"$tmp/out" 2>&1
  rc=$?
}
lines() { [ "$(wc -l <"$tmp/$1")" -eq "$2" ]; }
says() { grep -q -- "$1" "$tmp/out"; }

machine
run test
check "all there: succeeds" [ $rc -eq 0 ]
check "all there: says nothing" lines out 0
check "all there: asks nothing of apt" lines calls 0

machine
printf 'verilator\nlibcjson-dev\nyosys\n' >"$tmp/absent"
run build
check "build: names the missing of its group" says '^setup: installing Debian packages: verilator libcjson-dev $'
check "build: updates the lists first" grep -q -m1 '^apt-get update as root' "$tmp/calls"
check "build: installs them, without recommends" \
  grep -qx 'apt-get install -y --no-install-recommends verilator libcjson-dev as root' "$tmp/calls"
check "build: two calls of apt" lines calls 2

machine
printf 'verilator\nyosys\n' >"$tmp/absent"
run test
check "test: installs both groups" grep -q 'recommends verilator yosys as root' "$tmp/calls"

machine
echo gcc >"$tmp/absent"
echo 'echo 1000' | stand_in id
run build
check "not root: goes through sudo" grep -q 'recommends gcc as sudo' "$tmp/calls"

rm "$tmp/bin/sudo"
: >"$tmp/calls"
run build
check "neither root nor sudo: fails" [ $rc -eq 1 ]
check "neither root nor sudo: one line that says so" says '^setup: missing packages, and neither root nor sudo'
check "neither root nor sudo: the line to type" \
  says 'as root: apt-get update && apt-get install -y --no-install-recommends gcc $'
check "neither root nor sudo: one line only" lines out 1
check "neither root nor sudo: apt is left alone" lines calls 0

machine
echo gcc >"$tmp/absent"
stand_in apt-get <<'END'
echo "Reading package lists..."
[ "$1" = update ] || { echo "E: Unable to locate package gcc"; exit 100; }
END
run build
check "apt fails: fails" [ $rc -eq 1 ]
check "apt fails: passes on apt's reason" \
  says 'apt-get install failed: E: Unable to locate package gcc (all of it: build/setup.log)'

machine
printf 'clang-19\nllvm-19\nlibclang-rt-19-dev\nyosys\n' >"$tmp/absent"
run build
check "build: installs clang 19, and what a profile needs" \
  grep -q 'recommends clang-19 llvm-19 libclang-rt-19-dev as root' "$tmp/calls"

machine
echo python3-yaml >"$tmp/absent"
run test
check "a module that the python3 in PATH has: its package is not needed" [ $rc -eq 0 ]
check "a module that the python3 in PATH has: asks nothing of apt" lines calls 0

machine
echo yaml >"$tmp/unimportable"
run test
check "a module that only another python3 has: fails" [ $rc -eq 1 ]
check "a module that only another python3 has: says which wants what" \
  says "^setup: $tmp/bin/python3, the first python3 in PATH, has no module yaml;"
run build
check "a module that this group does not need: goes on" [ $rc -eq 0 ]

machine
echo python3-yaml >"$tmp/absent"
echo yaml >"$tmp/unimportable"
run test
check "a module that no python3 has: installs its package" grep -q 'recommends python3-yaml as root' "$tmp/calls"
check "a module that is not there then either: fails" [ $rc -eq 1 ]
stand_in apt-get <<END
: >$tmp/unimportable
END
run test
check "a module that is there then: goes on" [ $rc -eq 0 ]

machine
printf 'ID=arch\n' >"$tmp/os"
run build
check "another system, nothing there: fails" [ $rc -eq 1 ]
check "another system: names commands and headers" says 'please install: gcc g++ .*verilator .*cjson/cJSON.h'
check "another system: one line only" lines out 1
for c in gcc g++ clang++ make verilator ccache pkg-config; do echo : | stand_in $c; done
run build
check "another system, all there: goes on" [ $rc -eq 0 ]
run area-osu
check "another system: names the cells that it lacks" says 'please install: sta .*yosys '
run page
[ -r /usr/share/nodejs/d3/dist/d3.min.js ] && want=0 || want=1
check "another system: the library of pages is looked for" [ $rc -eq $want ]
mv "$tmp/bin/clang++" "$tmp/bin/clang++-19"
run build
check "another system, clang 19 under its own name: goes on" [ $rc -eq 0 ]
rm "$tmp/bin/clang++-19"
run build
check "another system without clang: names it" says 'please install: clang++ $'
echo yaml >"$tmp/unimportable"
run test
check "another system: names what Python lacks" says " Python's yaml "

machine
printf 'ID=debian\nVERSION_ID="13"\n' >"$tmp/os"
echo iverilog >"$tmp/absent"
run test
check "Debian 13: installs, too" \
  grep -qx 'apt-get install -y --no-install-recommends iverilog as root' "$tmp/calls"
run area-osu
check "Debian 13 has no cells of OSU: fails" [ $rc -eq 1 ]
check "Debian 13 has no cells of OSU: says where they are" \
  says "^setup: Debian 13 does not have OSU's cells; accepted: "
check "Debian 13 has no cells of OSU: one line only" lines out 1

machine
printf 'ID=ubuntu\nVERSION_ID="24.04"\nID_LIKE=debian\n' >"$tmp/os"
for c in gcc g++ clang++ make; do echo : | stand_in $c; done
run build
check "Ubuntu: fails" [ $rc -eq 1 ]
check "Ubuntu: names its packages, each once" says 'as root: apt-get install ccache pkg-config verilator $'
check "Ubuntu: one line only" lines out 1
printf 'ID=fedora\nVERSION_ID=42\n' >"$tmp/os"
run build
check "Fedora: names its packages" says 'as root: dnf install ccache pkgconf-pkg-config verilator $'
printf 'ID=rocky\nID_LIKE="rhel centos fedora"\n' >"$tmp/os"
run area-osu
check "like Fedora: the missing package is named by its content" \
  says '.*missing: .*sta osu018_stdcells.lib .*dnf install ccache'
check "like Fedora: but not as a package" [ -z "$(grep -o 'dnf install.* - ' "$tmp/out")" ]

machine
run nothing
check "an unknown group is refused" says '^setup: usage:'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
