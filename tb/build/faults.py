# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Planted faults. verif/fault_edits.csv lists the changes that each fault makes to the text of the RTL; the RTL itself
does not mention faults. A copy of a source with all its edits contains all its faults, and hd_fault_pkg::sel selects
one at run time. Columns of the table:

  id       of verif/faults.csv; a fault may have several edits
  file     below rtl/
  in       a text that occurs once in the file; empty if `was` does
  was      an expression that occurs once in `in`
  becomes  the expression that replaces it under the fault

Texts are compared by tokens: white space is ignored. The expression becomes
`(hd_fault_pkg::sel == id ? (becomes) : (was))`; edits of the same expression, or of a part of it, are nested. For a
statement, where this form is impossible, `becomes` itself contains hd_fault_pkg::sel and replaces `was` unchanged."""
import csv
import functools
import re
from collections import namedtuple

from tools import Failed

EDITS, FAULTS = "verif/fault_edits.csv", "verif/faults.csv"
PACKAGE = "tb/build/hd_fault_pkg.sv"
SELECTOR = "hd_fault_pkg::sel"
COLUMNS = ["id", "file", "in", "was", "becomes"]

Edit = namedtuple("Edit", "line id path within was becomes")


@functools.lru_cache(None)
def edits():
    """Returns all edits in the order of the table."""
    with open(EDITS, newline="", encoding="utf-8") as f:
        rows = csv.reader(f)
        if next(rows, None) != COLUMNS:
            raise Failed(f"{EDITS}:1: the columns {','.join(COLUMNS)} are accepted")
        found = []
        for row in rows:
            if len(row) != len(COLUMNS) or not row[0].isdigit() or not row[3]:
                raise Failed(f"{EDITS}:{rows.line_num}: a number, a file, a text or nothing, and two texts are "
                             "accepted")
            number, file, within, was, becomes = row
            found.append(Edit(rows.line_num, int(number), f"rtl/{file}", within or was, was, becomes))
    return found


def places(text, source):
    """Returns [(start, end)] of all occurrences of a text in a source."""
    pattern, last = r"(?<!\w)" * (re.match(r"\w", text) is not None), ""
    for word in re.findall(r"\w+|[^\w\s]", text):
        apart = r"\s+" if re.match(r"\w", word) and re.match(r"\w", last) else r"\s*"
        pattern += apart * bool(last) + re.escape(word)
        last = word
    pattern += r"(?!\w)" * (re.match(r"\w", last) is not None)
    return [m.span() for m in re.finditer(pattern, source)]


def place(edit, source):
    """Returns (start, end) of the text that an edit replaces."""
    found = places(edit.within, source)
    if len(found) != 1:
        raise Failed(f"{EDITS}:{edit.line}: fault {edit.id}: {edit.path} has '{edit.within}' {len(found)} times, "
                     "not once")
    (start, end), = found
    inner = places(edit.was, source[start:end])
    if len(inner) != 1:
        raise Failed(f"{EDITS}:{edit.line}: fault {edit.id}: '{edit.within}' has '{edit.was}' {len(inner)} times, "
                     "not once")
    return start + inner[0][0], start + inner[0][1]


def replaced(edit, text, changed):
    """Returns the replacement of a text. Line ends are kept, so that line numbers do not change."""
    if SELECTOR in edit.becomes:
        if changed:
            raise Failed(f"{EDITS}:{edit.line}: fault {edit.id}: another fault changes a part of '{edit.was}'")
        return edit.becomes + "\n" * text.count("\n")
    return f"({SELECTOR} == {edit.id} ? ({edit.becomes}) : ({text}))"


def rewritten(source, start, end, found):
    """Returns source[start:end] with the edits of the sorted list [(start, end, edit)]."""
    out = []
    while found:
        (low, high, edit), *others = found
        inside = [f for f in others if f[0] < high]
        wider = next((f for f in inside if f[1] > high), None)
        if wider:
            raise Failed(f"{EDITS}:{edit.line}: fault {edit.id}: '{edit.was}' overlaps with the text of fault "
                         f"{wider[2].id}")
        out += [source[start:low], replaced(edit, rewritten(source, low, high, inside), bool(inside))]
        start, found = high, others[len(inside):]
    return "".join([*out, source[start:end]])


def planted(path, source):
    """Returns a source with all its faults, none selected; a source without faults is unchanged."""
    found = [(*place(e, source), e) for e in edits() if e.path == path]
    return rewritten(source, 0, len(source), sorted(found, key=lambda f: (f[0], -f[1], f[2].line)))
