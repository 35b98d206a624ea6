#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Refreshes the generated parts of the documentation in place.
#   update.sh                     all of them; needs what `make rtl` builds, fst2vcd (Debian package gtkwave), and what
#                                 `make area` needs
#   update.sh --tables            only those that need no build: ports, registers, configurations
#   update.sh --quick             all but the tables of runs, which take minutes, and counts, which any edit changes
#   update.sh [..] PAGE..         only these pages
#   update.sh --no-area           the same without areas
#   update.sh --check [..]        changes nothing; names each stale part, and fails if there is one. Not compared: areas
#                                 of other tools, help of Python 3.13, diagrams of a Verilator with other initial values
# A generated part stands between `<!-- WORD: made by COMMAND -->` and `<!-- end -->`; its text is what the command
# prints. Run from the top of the checkout.
set -eu
check= left_out= pages= areas= help= diagrams=
for a in "$@"; do
  case $a in
    --check) check=1 ;;
    --tables) left_out="docs/timing.py build/ python3 synth/area" ;;
    --quick) left_out=python3 ;;
    --no-area) left_out=synth/area ;;
    *.md) [ -f "$a" ] || { echo "update.sh: no page $a" >&2; exit 2; }; pages="$pages $a" ;;
    *) echo "usage: docs/update.sh [--check] [--tables|--quick|--no-area] [PAGE..]" >&2; exit 2 ;;
  esac
done
[ -f docs/update.sh ] || { echo "update.sh: run it from the top of the checkout" >&2; exit 2; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
stale=0 parts=0

if [ -n "$check" ]; then
  python3 -c 'import sys; sys.path[:0] = ["synth/area"]; import kept; sys.exit(kept.of_other_tools() is not None)' || {
    areas=1
    echo "areas are not compared: Yosys, ABC or OpenSTA differ from those of synth/area/kept.jsonl"
  }
  python3 -c 'import sys; sys.exit(sys.version_info >= (3, 13))' || {
    help=1
    echo "the help of heddle sweep is not compared: this Python prints it differently"
  }
  case $(verilator --version) in
    "Verilator 5.006 "*) ;;
    *)
      diagrams=1
      echo "timing diagrams are not compared: this Verilator gives registers without reset other initial values"
      ;;
  esac
fi

# The area report, from its CSV form: as three tables, or of one block as a line.
area_part() {
  awk -F, -v one="$1" '
    function num(v, s) {
      for (v = sprintf("%.0f", v); length(v) > 3; v = substr(v, 1, length(v) - 3)) s = "," substr(v, length(v) - 2) s
      return v s
    }
    function span(low, high) { return high + 0 ? num(low) " - " num(high) : "-" }
    NR == 1 { for (k = 1; k <= NF; k++) col[$k] = k; next }
    { for (k in col) v[k] = $col[k] }
    one && v["row"] == "block" {
      printf "Area of one `%s` in k20c: %s GE (logic %s, flops %s, %s); longest path %s FO4, `%s` to `%s`. " \
        "From `make area`; see [area.md](area.md).\n",
        v["name"], num(v["ge_total"]), num(v["ge_logic"]), num(v["ge_flops"]),
        (v["ge_ram_high"] + 0 ? "RAM " num(v["ge_ram_high"]) : "no RAM"), v["fo4"], v["from"], v["to"]
    }
    one { next }
    v["row"] != kind {
      kind = v["row"]
      if (kind == "block") {
        print "| block | | bytes | GE | logic | flops | RAM low - high | FO4 | longest path |"
        print "|---|---|---:|---:|---:|---:|---:|---:|---|"
      } else if (kind == "boundary") {
        print "\n| from one cluster into another | FO4 | longest path |"
        print "|---|---:|---|"
      } else {
        print "\n| table | block | entries | bits | bytes | in | GE of flops | RAM low - high |"
        print "|---|---|---:|---:|---:|---|---:|---:|"
      }
    }
    kind == "block" {
      printf "| %s | %s | %s | %s | %s | %s | %s | %s | `%s` to `%s` |\n",
        v["name"], (v["instances"] > 1 ? "x " v["instances"] : ""), num(v["bytes"]), num(v["ge_total"]),
        num(v["ge_logic"]), num(v["ge_flops"]), span(v["ge_ram_low"], v["ge_ram_high"]), v["fo4"], v["from"], v["to"]
    }
    kind == "table" && v["entries"] != "" {
      printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n",
        v["name"], v["block"], num(v["entries"]), v["bits"], num(v["bytes"]), v["kind"],
        num(v["ge_flops"]), span(v["ge_ram_low"], v["ge_ram_high"])
    }
    kind == "boundary" { printf "| %s | %s | `%s` to `%s` |\n", v["name"], v["fo4"], v["from"], v["to"] }'
}

# Only the generators below are run, whatever a page says; words are split at blanks, nothing else is read into them.
# What they print goes to $tmp/part.
make_part() {
  set -f
  case $1 in
    "rtl/hdgen doc "* | "docs/configs.py" | "docs/timing.py docs/replays/"* | "docs/timing.py example:"*)
      python3 $1 > "$tmp/part" || return 1 ;;
    "synth/area" | "synth/area "*)
      python3 $1 --csv > "$tmp/area" || return 1
      case $1 in *" --plot "*) area_part "" ;; *) area_part "${1#synth/area}" ;; esac < "$tmp/area" > "$tmp/part" ;;
    "verif/mutants.py --table" | "python3 synth/house.py" | "python3 synth/shape.py" | "python3 docs/costs.py "* | \
      "python3 verif/proofs "*)
      $1 > "$tmp/part" || return 1 ;;
    "python3 tb/experiments/"* | "python3 synth/area --floorplan "*)
      $1 > "$tmp/table" || return 1
      { echo '```text'; cat "$tmp/table"; echo '```'; } > "$tmp/part" ;;
    "build/heddle "*" --help" | "build/heddle gpu" | "build/heddle example "* | "build/heddle graph deplinks "*)
      $1 > "$tmp/help" || return 1
      { echo '```text'; sed 's/ *$//' "$tmp/help"; echo '```'; } > "$tmp/part" ;;
    "sed -n "*" verif/install/"*.c)
      $1 > "$tmp/program" || return 1
      { echo '```c'; cat "$tmp/program"; echo '```'; } > "$tmp/part" ;;
    *) echo "update.sh: no generator '$1'" >&2; return 1 ;;
  esac
  set +f
}

for page in ${pages:-README.md docs/*.md docs/*/*.md}; do
  : > "$tmp/page"
  skip=
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in "<!-- end -->") skip= ;; esac
    [ -n "$skip" ] || printf '%s\n' "$line" >> "$tmp/page"
    case $line in
      "<!-- "*": made by "*" -->")
        command=${line#*: made by }
        command=${command% -->}
        for word in $left_out; do case $command in "$word"*) continue 2 ;; esac; done
        case $areas:$command in 1:synth/area* | "1:python3 docs/costs.py"*) continue ;; esac
        case $help:$command in "1:build/heddle sweep --help") continue ;; esac
        case $diagrams:$command in 1:docs/timing.py*) continue ;; esac
        plot=  # a check draws elsewhere
        case $check$command in 1*" --plot docs/img/"*) plot=docs/img/${command##*docs/img/} ;; esac
        [ -z "$plot" ] || command=${command%"$plot"}$tmp/${plot##*/}
        make_part "$command" || { echo "$page: $command failed" >&2; exit 2; }
        case $page in docs/*/*) up=../ ;; *) up= ;; esac  # links are written as from docs/
        sed "s|](\([a-z]*\.md\)|](${up}\1|g" "$tmp/part" >> "$tmp/page"
        [ -z "$plot" ] || cmp -s "$plot" "$tmp/${plot##*/}" || echo "$plot is not what is drawn now" >> "$tmp/page"
        skip=1 parts=$((parts + 1))
        ;;
    esac
  done < "$page"
  [ -z "$skip" ] || { echo "$page: a generated part has no <!-- end -->" >&2; exit 2; }
  cmp -s "$page" "$tmp/page" && continue
  stale=$((stale + 1))
  if [ -n "$check" ]; then
    echo "$page is stale; docs/update.sh refreshes it:"
    diff "$page" "$tmp/page" | head -20
  else
    cat "$tmp/page" > "$page"
    echo "updated $page"
  fi
done
word=updated
[ -z "$check" ] || word=stale
echo "$parts generated parts, $stale pages $word"
[ -z "$check" ] || echo "$((parts - stale)) passed, $stale failed"
[ -z "$check" ] || [ "$stale" -eq 0 ]
