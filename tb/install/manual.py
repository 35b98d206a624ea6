#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Writes the man page or the shell completion of the heddle command, generated from the output of --help.
  manual.py HEDDLE VERSION man|bash      writes to stdout; run from the top of the checkout"""
import os
import re
import subprocess
import sys

sys.path[:0] = ["rtl"]
from hdgen.tables import BLOCKS, CONFIGS, NAMES, POLICIES  # noqa: E402

# Formats each option in one line of any length.
WIDE = {**os.environ, "ARGP_HELP_FMT": "rmargin=4000", "COLUMNS": "4000"}
OPTION = re.compile(r"^ {2,8}(?P<names>-[-\w?]+(?:\[?[ =][^ ,]*)?(?:, -[-\w]+(?:\[?[ =][^ ]*)?)*)"
                    r"(?: {2,}(?P<what>.*))?$")
# Completions of values, for an option of all commands or of one command.
PARAMETERS = [r["param"] for r in CONFIGS]
VALUES = {"--config": NAMES, "--engine": ["rtl", "model", "both"],
          "--policy": POLICIES,
          "--launch": ["flat", "cdp", "dtbl", "waves", "graph", "barriers"], "--smx": ["timer", "gpu"],
          "--expand": ["thread", "warp"], "--order": ["lrr", "lvl", "lvl-bind"], "--skip": ["yes", "no", "check"],
          "--wait": ["save", "spin"], "--warp": ["rr", "grr", "gto", "lwf"], "--warp-engine": ["model", "both"],
          "--format": ["edges", "mtx", "dimacs", "metis"], "--keys": ["skewed", "uniform"],
          "--device": ["25k", "45k", "85k"],
          "equiv --variant": ["rtl", "fast", "fault", "cov", "netlist", "mapped"],
          "equiv --profile": ["free", "idle_source", "stall_sink", "random", "bad", "full", "overflow", "failing",
                              "regions", "parents", "large"]}
WORKLOADS = ["bfs", "sssp", "clr", "join", "regx", "rec", "amr", "bht", "dtw", "heat2d", "hist", "intimg", "sor", "sw",
             "vectoradd", "multigpu", "montecarlo", "mergesort", "storegpu", "mummer"]
ARGUMENTS = {**dict.fromkeys(("equiv", "wave", "faults", "mutants", "area", "fpga"), BLOCKS),
             "run": WORKLOADS, "sweep": WORKLOADS,
             "graph": ["debian", "graph500", "banded", "road", "info", "deplinks"], "import": ["accelsim"],
             "example": ["laperm", "wireframe", "channels"], "channels": ["fib", "queens", "sort", "strassen"],
             "prove": sorted(n.removesuffix("_proof.h") for n in os.listdir("verif/proofs/blocks")),
             "campaign": sorted(n.removesuffix(".toml") for n in os.listdir("tb/campaign/bundled"))}


class Command:
    """The help of a command: `usage` lines, `parts`: [("option", names, meaning) or ("text", line)]."""

    def __init__(self, name, text):
        self.name, self.parts = name, []
        lines = text.rstrip().splitlines()
        self.usage = [re.sub(r"^\s*([Uu]sage|or):\s+", "", line) for line in lines if re.match(r"\s*(usage|or):", line,
                                                                                             re.I)]
        for line in lines[len(self.usage):]:
            m = OPTION.match(line)
            self.parts.append(("option", m["names"], m["what"] or "") if m else ("text", line.rstrip()))

    def values(self):
        """Returns {option: values that a shell can offer}; the help contains each value."""
        names = [name for name, _ in self.options()]
        reported = set(re.findall(r"[\w-]+", str(self.parts) + str(self.usage)))
        own = {k.split()[-1]: v for k, v in VALUES.items() if k.split()[0] in (self.name, k) and k.split()[-1] in names}
        if self.name == "sweep":  # its axes are options of heddle run, whose help lists the values
            return own
        for words in (*(v for k, v in own.items() if k != "--config"), ARGUMENTS.get(self.name, BLOCKS)):
            if words != BLOCKS and (gone := set(words) - reported):
                sys.exit(f"manual: heddle {self.name} --help does not name {' '.join(sorted(gone))}")
        return own

    def options(self):
        """Returns the names that begin with -, a short one before the long one: [(name, takes a value)]."""
        out = []
        for kind, names, *_ in self.parts:
            if kind == "option":
                takes = "=" in names and "[=" not in names or bool(re.search(r" [A-Z]", names))
                out += [(name, takes) for name in re.findall(r"(?:^|, )(-[-\w?]+)", names)]
        return out


def output(heddle, *argv):
    r = subprocess.run([heddle, *argv, "--help"], capture_output=True, text=True, env=WIDE)
    if r.returncode:
        sys.exit(f"manual: {heddle} {' '.join(argv)} --help: {r.stderr.strip()}")
    return r.stdout


def commands(heddle):
    """Returns [(name, description)], the last lines of the help, and the commands."""
    text = output(heddle)
    listed = re.findall(r"^  (\w+) +(.*)$", text, re.M)
    tail = text[text.rindex(listed[-1][1]) + len(listed[-1][1]):].strip().splitlines()
    return listed, tail, [Command(name, output(heddle, name)) for name, _ in listed]


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def man(heddle, version):
    listed, tail, all_of_them = commands(heddle)
    out = [f'.TH HEDDLE 1 "" "heddle {version}" "User Commands"', ".SH NAME",
           "heddle \\- the thread\\-block dispatch plane of a GPU: runs, lockstep, waveforms, area", ".SH SYNOPSIS",
           ".B heddle", "COMMAND [OPTION..] [ARGUMENT..]", ".SH COMMANDS"]
    for name, what in listed:
        out += [".TP", f".B {roff(name)}", roff(what)]
    for line in tail:
        out += [".PP", roff(line)]
    for c in all_of_them:
        out += [f".SH HEDDLE {c.name.upper()}", ".nf", *map(roff, c.usage), ".fi"]
        within = False  # inside preformatted lines
        for kind, *words in c.parts:
            plain = kind == "text" and words[0].startswith("  ")
            if plain != within:
                out.append(".nf" if plain else ".fi")
                within = plain
            if kind == "option":
                out += [".TP", f".B {roff(words[0])}", roff(words[1])]
            elif plain:
                out.append(roff(words[0]))
            else:
                out += [".PP", roff(words[0].strip())] if words[0] else []
        out += [".fi"] if within else []
    return "\n".join(out) + "\n"


BASH = """\
# Completion of the heddle command. Made by tb/install/manual.py.
_heddle() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} words=
  COMPREPLY=()
  [[ $cur == "=" ]] && cur=
  [[ $prev == "=" ]] && prev=${{COMP_WORDS[COMP_CWORD - 2]}}
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "{names} --help --version" -- "$cur"))
    return
  fi
  case ${{COMP_WORDS[1]}}:$prev in
{values}
  esac
  case ${{COMP_WORDS[1]}}:$cur in
{options}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur") $(compgen -f -- "$cur"))
}}
complete -o filenames -F _heddle heddle
"""


def bash(heddle, _):
    listed, _, all_of_them = commands(heddle)
    values, options = [], []
    for c in all_of_them:
        has = c.options()
        names = [name for name, _ in has]
        own = c.values()
        for long, words in own.items():
            ways = f"{c.name}:{long}" + (f"|{c.name}:-c" if long == "--config" and "-c" in names else "")
            values.append(f'    {ways}) COMPREPLY=($(compgen -W "{" ".join(words)}" -- "$cur")); return ;;')
        if "--set" in names:
            values.append(f'    {c.name}:--set|{c.name}:-s) COMPREPLY=($(compgen -S = -W "{" ".join(PARAMETERS)}" -- '
                          '"$cur")); compopt -o nospace 2> /dev/null; return ;;')
        takes = [name for name, value in has if value and name not in (*own, "-c", "--set", "-s")]
        if takes:
            values.append("    " + "|".join(f"{c.name}:{w}" for w in takes)
                          + ') COMPREPLY=($(compgen -f -- "$cur")); return ;;')
        options.append(f'    {c.name}:-*) words="{" ".join(n for n in names if n != "-?")}" ;;')
        if c.name in ARGUMENTS:
            options.append(f'    {c.name}:*) words="{" ".join(ARGUMENTS[c.name])}" ;;')
    return BASH.format(names=" ".join(n for n, _ in listed), values="\n".join(values), options="\n".join(options))


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[3] not in ("man", "bash"):
        sys.exit(__doc__)
    sys.stdout.write({"man": man, "bash": bash}[sys.argv[3]](*sys.argv[1:3]))
