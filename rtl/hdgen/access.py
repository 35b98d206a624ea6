# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""C++ statements that copy one port, register or table row between a Verilated block (`sig`, an expression) and a C
struct (`dst`, `src`). The functions that they call are in tb/engine/bind.h."""
from .layout import BYTES, c_type
from .params import leaves, shape, width_of
from .tables import TYPES, rtl_name


def mask(w):
    return f"0x{(1 << w) - 1:x}ull"


def index(r):
    """The index behind an array's name, in a loop over i."""
    return "[i]" if r["count"] != "1" else ""


def emit_store(r, p):
    """Packs a C field into an input; an array or a struct only if it changed."""
    w, n = shape(r, p)
    sig, src, last, idx = f"t->{rtl_name(r)}", f"in->{r['name']}", f"last->{r['name']}", index(r)
    fields = leaves(r["type"], p, src + idx)
    loop = f"for (int i = 0; i < {n}; i++) " if idx else ""
    if not idx and r["type"] not in TYPES:
        return [f"  {sig} = {src} & {mask(w)};"]
    if w * n <= 64:
        o = [f"  if (moved({src}, {last}, all)) {{"]
        if w == 1 and r["type"] not in TYPES:
            return o + [f"    {sig} = bytes_to_bits({src}, {n});", "  }"]
        o += ["    uint64_t x = 0;", f"    {loop}{{"]
        for member, lsb, lw, _ in fields:
            o.append(f"      x |= ((uint64_t){member} & {mask(lw)}) << ({f'i * {w} + {lsb}' if idx else lsb});")
        return o + [f"    }}\n    {sig} = x;\n  }}"]
    o = [f"  {loop}if (moved({src}{idx}, {last}{idx}, all)) {{",
         f"    wide_writer x({sig}.data(), {f'i * {w}' if idx else 0});"]
    o += [f"    x.put((uint64_t){member}, {lw});" for member, _, lw, _ in reversed(fields)]
    return o + ["    x.flush();\n  }"]


def emit_load(sig, dst, r, p, guard=""):
    """Reads a port or a flat vector of state into a C field; guard is a C++ condition per element (uses i)."""
    w, n = shape(r, p)
    idx, plain, wide = index(r), r["type"] not in TYPES, w * n > 64
    loop = f"for (int i = 0; i < {n}; i++) " if idx else ""
    if not idx and plain and not guard:
        return [f"  {dst} = {sig};"]
    if idx and plain and wide and w == 8 * BYTES[c_type(r["type"])]:
        src = f"reinterpret_cast<const {c_type(r['type'])} *>({sig}.data())[i]"  # layout as in C: little-endian words
        return [f"  {loop}{dst}[i] = " + (f"({guard}) ? {src} : 0;" if guard else f"{src};")]
    if idx and w == 1:
        valid = guard.replace("[i]", "") if guard else "nullptr"
        return [f"  bits_to_bytes({dst}, {sig}{'.data()' if wide else ''}, {n}, {valid});"]
    if guard:
        loop += f"if (!({guard})) memset(&{dst}{idx}, 0, sizeof({dst}{idx})); else "
    o = [f"  {loop}{{"]
    for member, lsb, lw, _ in leaves(r["type"], p, dst + idx):
        at = f"i * {w} + {lsb}" if idx else lsb
        o.append(f"    {member} = " + (f"wide_get({sig}.data(), {at}, {lw});" if wide else
                                       f"((uint64_t){sig} >> ({at})) & {mask(lw)};"))
    return o + ["  }"]


def emit_wide_array(sig, dst, r, p):
    """Unpacks the elements of a wide array that changed; `last` keeps the previous array."""
    w, n = shape(r, p)
    o = [f"  if (memcmp(last, {sig}.data(), sizeof {sig}) != 0) {{",
         f"    for (int i = 0; i < {n}; i++) {{", f"      if (same_bits({sig}.data(), last, i * {w}, {w})) continue;"]
    o += [f"      {member} = wide_get({sig}.data(), i * {w} + {lsb}, {lw});"
          for member, lsb, lw, _ in leaves(r["type"], p, dst + "[i]")]
    return o + ["    }", f"    memcpy(last, {sig}.data(), sizeof {sig});", "  }", f"  last += sizeof {sig};"]


def emit_output(sig, dst, r, p):
    """Reads an output. Returns the statements, and the number of bytes that they keep of it."""
    w, n = shape(r, p)
    if r["count"] == "1" or w * n <= 64:
        return emit_load(sig, dst, r, p), 0
    return emit_wide_array(sig, dst, r, p), (w * n + 31) // 32 * 4


def row_bytes(r, p):
    """Bytes that emit_table_row() keeps of a row: whether it was valid, and its bits."""
    return 1 + 8 + width_of(r["type"], p) // 8


def emit_table_row(banks, dst, val, r, p):
    """Reads row i of a RAM if it changed or became valid; an invalid row reads as 0. `seen` keeps the previous
    value."""
    w, n = shape(r, p)
    if not n:
        return ["  (void)root; (void)a; (void)v; (void)i; (void)seen;"]
    per_bank = n // len(banks)
    o = [f"  decltype({banks[0]}) *const banks[] = {{{', '.join('&' + b for b in banks)}}};",
         f"  const auto &row = (*banks[i / {per_bank}])[i % {per_bank}];", f"  seen += i * {row_bytes(r, p)};",
         "  unsigned char counted = *seen;", f"  *seen++ = {dst}_valid[i] = {val}_valid[i];",
         "  bool changed = update(&row, sizeof row, seen);",
         f"  if (!{val}_valid[i]) {{ if (counted) memset(&{dst}[i], 0, sizeof({dst}[i])); return; }}",
         "  if (counted && !changed) return;"]
    for member, lsb, lw, _ in leaves(r["type"], p, dst + "[i]"):
        o.append(f"  {member} = " + (f"wide_get(row.data(), {lsb}, {lw});" if w > 64 else
                                     f"((uint64_t)row >> {lsb}) & {mask(lw)};"))
    return o
