#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Finds words of synth/words.tsv in the repository's texts, and prints file, line and what to write instead.

  words.py             exit code 1 if there is one; run from the top of the checkout
  words.py --count     hits by word
  words.py --selftest  each pattern finds its example"""
import collections
import os
import re
import sys

WORDS = "synth/words.tsv"
FOLDERS = "rtl cmodel python tb verif synth docs".split()
KINDS = tuple(".c .h .hpp .cpp .sv .svh .vlt .py .sh .mk .md .csv .tsv .js .html .core .toml .txt".split())


def words():
    """[(pattern, what to write, example)]"""
    with open(WORDS) as f:
        rows = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    return [(re.compile((r"\b" if pattern[0] != "," else "") + rf"(?:{pattern})(?![\w-])", re.I), instead, example)
            for pattern, instead, example in rows]


def texts():
    """The files that people read, without data, this table and the list of old names."""
    found = [f for f in os.listdir(".") if f.endswith(KINDS) or f == "Makefile"]
    for folder in FOLDERS:
        for at, below, files in os.walk(folder):
            below[:] = [b for b in below if f"{at}/{b}" != "tb/data" and b != "__pycache__"]
            found += [f"{at}/{f}" for f in files if f.endswith(KINDS)]
    return sorted(set(found) - {WORDS, "docs/renamed.md"})


def main(option):
    table, counts = words(), collections.Counter()
    if option == "--selftest":
        blind = [example for pattern, _, example in table if not pattern.search(example)]
        for example in blind:
            print(f"{WORDS}: the pattern does not find its example: {example}")
        return bool(blind)
    for path in texts():
        with open(path, encoding="utf-8", errors="replace") as f:
            for number, line in enumerate(f, 1):
                for pattern, instead, _ in table:
                    for hit in pattern.finditer(line):
                        counts[hit.re.pattern] += 1
                        if not option:
                            print(f"{path}:{number}: '{hit.group().strip()}': write {instead}")
    if option == "--count":
        for pattern, count in counts.most_common():
            print(f"{count:6} {pattern}")
        print(f"{sum(counts.values()):6} in all")
    return bool(counts)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2] or [""]))
