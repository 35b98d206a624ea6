# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Results stored in the checkout, so that unchanged blocks are not mapped again on another machine: for each block of
the budget the result of blocks.examine, keyed by all its inputs and the versions of the tools. One line per block;
`--accept` writes them."""
import functools
import json
import os

import flow

FILE = "synth/area/kept.jsonl"


def read():
    if not os.path.exists(FILE):
        return []
    with open(FILE) as f:
        return [json.loads(line) for line in f]


@functools.lru_cache(None)
def by_content():
    return {r["content"]: r["found"] for r in read()}


def find(content):
    """Returns the result for this content, or None."""
    return by_content().get(content)


def accept(config, found):
    """Writes these Blocks; the others keep their lines."""
    rows = {(r["config"], r["block"]): r for r in read()}
    rows.update({(config, b.name): {"config": config, "block": b.name, "tools": flow.versions(), "library": b.lib.name,
                                    "content": b.content, "found": b.found} for b in found})
    flow.write(FILE, "".join(json.dumps(r, separators=(",", ":")) + "\n" for r in rows.values()))
    by_content.cache_clear()


def of_other_tools():
    """Returns the tools that made the results, if they differ from the installed ones."""
    return next((r["tools"] for r in read() if r["tools"] != flow.versions()), None)
