#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Installs missing packages on Debian 12 or 13, as root or with sudo.
#   setup.sh build      packages for `make run`: compilers, Verilator, libraries
#   setup.sh test       `build`, and packages for tests, netlists, the area report and pictures of waveforms
#   setup.sh page       `build`, and the plotting library that --page embeds in its pages
#   setup.sh area-osu   `build`, and a cell library for `heddle area --liberty` (only Debian 12 has it)
#   setup.sh campaign   `build`, and programs that run the jobs of campaigns and show their pages and pictures
#   setup.sh slurm      `campaign`, and a Slurm for this machine
# Run from the top of the checkout. It prints the packages before it installs them, and does nothing if all are present.
# Without root and sudo it prints the command to type. Python modules must exist for the python3 in PATH, which may
# differ from Debian's. On other systems it installs nothing: it lists the missing commands and headers and, on Ubuntu,
# Fedora and their derivatives, the packages that contain them; it succeeds if nothing is missing.
set -eu

die() {
  echo "setup: $*" >&2
  exit 1
}

# Columns: group; Debian package; probe that shows its presence on another system; Fedora package if the name differs (-
# for none). A probe is a command or, with a slash, a header, a file or a Python module (py/NAME); - if the package is
# optional (no profile for the plane, no test of the Python wheel). g++ and verilator depend on libc6-dev and perl.
# xvfb-run needs xauth in addition to xvfb.
needs() {
  cat <<'LIST'
build gcc gcc
build g++ g++ gcc-c++
build clang-19 clang++ clang
build llvm-19 - llvm
build libclang-rt-19-dev - compiler-rt
build make make
build python3 python3
build verilator verilator
build ccache ccache
build pkg-config pkg-config pkgconf-pkg-config
build libcjson-dev /cjson/cJSON.h cjson-devel
build libcmocka-dev /cmocka.h libcmocka-devel
build libssl-dev /openssl/evp.h openssl-devel
build zlib1g-dev /zlib.h zlib-devel
test yosys yosys
test clang-format clang-format clang-tools-extra
test cppcheck cppcheck
test valgrind valgrind
test lcov genhtml
test codespell codespell
test python3-yaml py/yaml python3-pyyaml
test python3 py/tomllib
test python3-venv py/ensurepip python3
test python3-pip -
test python3-setuptools -
test python3-wheel -
test gtkwave gtkwave
test xvfb Xvfb xorg-x11-server-Xvfb
test xauth xauth xorg-x11-xauth
test imagemagick import ImageMagick
test opensta sta -
test gnuplot-nox gnuplot gnuplot
test cmake cmake
test groff-base groff
test iverilog iverilog
test node-d3 /d3.min.js -
page node-d3 /d3.min.js -
area-osu opensta sta -
area-osu qflow-tech-osu018 /osu018_stdcells.lib -
area-osu qflow-tech-osu035 /osu035_stdcells.lib -
area-osu yosys yosys
campaign python3 py/tomllib
campaign snakemake snakemake
campaign chromium chromium
campaign gtkwave gtkwave
campaign xvfb Xvfb xorg-x11-server-Xvfb
campaign xauth xauth xorg-x11-xauth
campaign imagemagick import ImageMagick
slurm slurm-wlm slurmctld slurm-slurmctld
slurm munge munged
LIST
  # The writer of waveforms that newer Verilators have (not those of Debian 12 and 13) needs lz4.
  if [ -d "$(verilator --getenv VERILATOR_ROOT 2>/dev/null)/include/fstcpp" ]; then
    echo "build liblz4-dev /lz4.h lz4-devel"
  fi
}

case ${1-} in
  build) wanted=$(needs | grep '^build ') ;;
  test | page | area-osu | campaign) wanted=$(needs | grep -E "^(build|$1) ") ;;
  slurm) wanted=$(needs | grep -E '^(build|campaign|slurm) ') ;;
  *) die "usage: tb/install/setup.sh build|test|page|area-osu|campaign|slurm" ;;
esac

# Succeeds if the probe is present. Compiles headers and imports modules, so that no package manager is needed.
there() {
  case $1 in
    -) ;;
    clang++) command -v clang++-19 >/dev/null || command -v clang++ >/dev/null ;;
    /d3.min.js) [ -r /usr/share/nodejs/d3/dist/d3.min.js ] ;;
    /osu0??_stdcells.lib) [ -r /usr/share/qflow/tech/*"$1" ] ;;
    py/*) python3 -c "import ${1#py/}" 2>/dev/null ;;
    /cmocka.h)
      printf '#include <%s>\n' stdarg.h stddef.h stdint.h setjmp.h cmocka.h | gcc -fsyntax-only -xc - 2>/dev/null ;;
    /*) echo "#include <${1#/}>" | gcc -fsyntax-only -xc - 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

release() { . "${OS_RELEASE:-/etc/os-release}" 2>/dev/null && eval "echo \"\${$1-}\""; }
system="$(release ID) $(release VERSION_ID)"
case "$system $1" in
  "debian 13 area-osu") die "Debian 13 does not have OSU's cells; accepted: the .lib files of Debian 12's packages" \
    "qflow-tech-osu018 and qflow-tech-osu035, each by heddle area --liberty FILE" ;;
esac
case $system in "debian 12" | "debian 13") installs=$(command -v dpkg-query || true) ;; *) installs= ;; esac
if [ -z "$installs" ]; then
  lacks=$(echo "$wanted" | while read -r _ package probe fedora; do
    there "$probe" || echo "$package ${fedora:-$package} $probe"
  done)
  [ -z "$lacks" ] && exit 0
  missing=$(echo "$lacks" | while read -r _ _ probe; do
    case $probe in py/*) echo "Python's ${probe#py/}" ;; *) echo "${probe#/}" ;; esac
  done | tr '\n' ' ')
  case " $(release ID) $(release ID_LIKE) " in
    *" ubuntu "* | *" debian "*)
      type="as root: apt-get install $(echo "$lacks" | cut -d' ' -f1 | sort -u | tr '\n' ' ')" ;;
    *" fedora "*)
      type="as root: dnf install $(echo "$lacks" | cut -d' ' -f2 | grep -vxe - | sort -u | tr '\n' ' ')" ;;
    *) die "packages are installed only on Debian 12 and 13; please install: $missing" ;;
  esac
  die "packages are installed only on Debian 12 and 13; missing: $missing; $type"
fi

# "ii": installed; "hi": installed and held. dpkg-query omits packages that it does not know.
have=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' $(echo "$wanted" | cut -d' ' -f2) 2>/dev/null |
  sed -n 's/^.i *//p' || true)
lacks=$(echo "$wanted" | while read -r _ package probe _; do
  case $probe in py/*) there "$probe" && continue ;; esac
  echo "$package $probe"
done)
missing=$(echo "$lacks" | while read -r package _; do echo "$have" | grep -qxF -- "$package" || echo "$package"; done |
  tr '\n' ' ')

end() { # all Debian packages are installed
  for module in $(echo "$lacks" | sed -n 's|.* py/||p'); do
    there "py/$module" || die "$(command -v python3), the first python3 in PATH, has no module $module;" \
      "accepted: one that has it, such as Debian's own"
  done
  exit 0
}
[ -n "$missing" ] || end

sudo=
install="install -y --no-install-recommends $missing"
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null ||
    die "missing packages, and neither root nor sudo to install them; as root: apt-get update && apt-get $install"
  sudo=sudo
fi
echo "setup: installing Debian packages: $missing"
log=build/setup.log
mkdir -p build

# The output of apt goes to the log; a failure shows its first error line.
apt() {
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get "$@" >>"$log" 2>&1 ||
    die "apt-get $1 failed: $(grep -m1 '^E:' "$log" || tail -n1 "$log") (all of it: $log)"
}
: >"$log"
apt update
apt $install
echo "setup: done"
end
