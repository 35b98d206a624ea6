#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Compares the prose of this checkout with that of an earlier commit: lines of comments and pages, and a random sample
of comments before and after.

  prose.py COMMIT [--sample N]

Run from the top of the checkout. A comment is matched by the line of code below it."""
import argparse
import collections
import difflib
import random
import re
import subprocess

KINDS = (".c", ".h", ".sv", ".svh", ".py", ".sh", ".md", ".hpp")
NEVER = ("tb/data/", "results/", "docs/img/")


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True, errors="replace").stdout


def comments(path, text):
    """[(comment, next line of code)]: whole lines of comment, with their marks removed."""
    if path.endswith((".py", ".sh")):
        mark = re.compile(r"^\s*#(?!!)\s?(.*)$")
    else:
        mark = re.compile(r"^\s*(?://|/\*|\*(?!/))\s?(.*?)(?:\*/)?\s*$")
    out, words = [], []
    for line in text.splitlines():
        found = mark.match(line)
        if found and "SPDX" not in line:
            words.append(found[1].strip())
        elif line.strip():
            if words:
                out.append((" ".join(w for w in words if w), line.strip()))
            words = []
    return out


def read(commit):
    """{path: text} of a commit."""
    listed = run("git", "ls-tree", "-r", "--name-only", commit).splitlines()
    return {p: run("git", "show", f"{commit}:{p}") for p in listed if p.endswith(KINDS) and not p.startswith(NEVER)}


def lines(files):
    """{kind of text: lines}"""
    count = collections.Counter()
    for path, text in files.items():
        if path.endswith(".md"):
            count["pages"] += sum(bool(line.strip()) for line in text.splitlines())
        else:
            count[f"comments in {path.split('/')[0]}/"] += sum(
                bool(re.match(r"\s*(//|/\*|\*\s|\*$|#(?![!idefup]))", line)) for line in text.splitlines())
    return count


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("commit")
    p.add_argument("--sample", type=int, default=60, metavar="N", help="comments that are shown (default 60)")
    a = p.parse_args()
    before, now = read(a.commit), read("HEAD")
    renames = run("git", "diff", "-M50%", "--name-status", a.commit, "HEAD")
    moved = dict(re.findall(r"^R\d+\t(\S+)\t(\S+)$", renames, re.M))
    was, becomes = lines(before), lines(now)
    print(f"{'lines of prose':28} {'before':>8} {'now':>8}")
    for kind in sorted(was | becomes):
        print(f"{kind:28} {was[kind]:8} {becomes[kind]:8}")
    pairs = []
    for path in sorted(before):
        new = moved.get(path, path)
        if path.endswith(".md") or new not in now:
            continue
        after = comments(new, now[new])
        for text, code in comments(path, before[path]):
            near = difflib.get_close_matches(code, [c for _, c in after], 1, 0.75) if len(text) > 40 else []
            if near:
                pairs.append((new, text, next(t for t, c in after if c == near[0])))
    for path, text, after in random.Random(1).sample(pairs, min(a.sample, len(pairs))):
        print(f"\n{path}\n  before  {text[:400]}\n  now     {'(unchanged)' if text == after else after[:400]}")


if __name__ == "__main__":
    main()
