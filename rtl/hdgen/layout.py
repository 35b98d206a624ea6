# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""C types of numbers and payloads, wide enough for every configuration."""
from .params import max_over, room_for
from .tables import TYPES

BYTES = {"uint8_t": 1, "uint16_t": 2, "uint32_t": 4, "uint64_t": 8}


def c_type(typ):
    """The C type of a payload, or of a number of that width."""
    if typ in TYPES:
        return f"struct hd_{typ}"
    width = max_over(typ)
    return next((ct for ct, n in BYTES.items() if width <= 8 * n), "uint64_t")


def struct_layout(typ):
    """Returns ([(field, C type, offset, size)], size, alignment) of the C struct of a payload type."""
    out, at, align = [], 0, 1
    for f in TYPES[typ]:
        ct = c_type(f["width"])
        _, size, al = struct_layout(f["width"]) if f["width"] in TYPES else ([], BYTES[ct], BYTES[ct])
        at = (at + al - 1) // al * al
        out.append((f["field"], ct, at, size))
        at += size
        align = max(align, al)
    return out, (at + align - 1) // align * align, align


def dimension(r):
    """The dimension behind an array's name."""
    return "" if r["count"] == "1" else f"[{room_for(r['count'])}]"
