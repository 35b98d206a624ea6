# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Makes a page from a template, the files that it names, and data, as heddle run does (tb/cmd/page.c)."""
import json
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
INSERT = re.compile(r" *<!-- insert (\S+)(?: \((.*)\))? -->")


class Missing(Exception):
    """A file that a template needs is missing; the text names its package."""


def inserted(name, package):
    path = name if name.startswith("/") else os.path.join(HERE, name)
    try:
        with open(path) as f:
            return f.read()
    except OSError as e:
        raise Missing(f"--page: {path}: {e.strerror}" + (f" ({package})" if package else "")) from None


def page(template, data):
    """Returns the text of the page. `data`: an object that JSON can represent."""
    with open(os.path.join(HERE, template)) as f:
        lines = f.read().splitlines(keepends=True)
    out = []
    for line in lines:
        m = INSERT.match(line)
        if m and m[1] == "data":
            line = json.dumps(data).replace("<", "\\u003c") + "\n"
        elif m:
            line = inserted(m[1], m[2])
        out.append(line)
    return "".join(out)
