# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Limits of the parameters (rtl/pkg/limits.csv). They are checked here, and with the same messages by the model
(hd_cfg_derive) and in the elaboration of the RTL (hd_limits)."""
import re

from .expressions import c_long, evaluate, snake
from .tables import CONFIGS, DERIVED, LIMITS, die


def limit(r):
    """Returns the condition of a row, and the text of the accepted values with {expressions} in it."""
    if r["condition"]:
        return r["condition"], r["accepted"]
    text = " to ".join(e if e.isdigit() else f"{{{e}}}" for e in (r["min"], r["max"]))
    low = f"{r['param']} >= {r['min']} && " if r["min"] != "0" else ""
    return low + f"{r['param']} <= {r['max']}", text


def names_derived(r):
    return bool({d["param"] for d in DERIVED} & set(re.findall(r"\w+", limit(r)[0])))


# Rows without derived parameters are checked before these are computed.
SIZES = [r for r in LIMITS if not names_derived(r)]
RELATIONS = [r for r in LIMITS if names_derived(r)]


def check(p, rows):
    """Exits with a message if a row does not accept the parameters."""
    for r in rows:
        ok, text = limit(r)
        if not evaluate(ok, p):
            accepted = re.sub(r"\{(.*?)\}", lambda m: str(evaluate(m.group(1), p)), text)
            die(f"{r['param']}={p[r['param']]}: {accepted} is accepted")


def limit_format(r, translate):
    """Returns the text of the accepted values as a format with a %d per expression, and the expressions translated
    into another language."""
    text = limit(r)[1]
    return re.sub(r"\{.*?\}", "%d", text), [translate(e) for e in re.findall(r"\{(.*?)\}", text)]


def gen_limits_c():
    """The lines of hd_cfg_sizes() and hd_cfg_relations()."""
    o = []
    for name, rows in (("sizes", SIZES), ("relations", RELATIONS)):
        o += ["", f"bool hd_cfg_{name}(const struct hd_cfg *c, char *err, size_t err_size) {{"]
        for r in rows:
            text, values = limit_format(r, lambda e: f"(int){c_long(e)}")
            args = "".join(", " + v for v in [f"(unsigned long)c->{snake(r['param'])}", *values])
            o += [f"  if (!({c_long(limit(r)[0])})) {{",
                  f'    snprintf(err, err_size, "{r["param"]}=%lu: {text} is accepted"{args});',
                  "    return false;", "  }"]
        o += ["  return true;", "}"]
    return o


def gen_limits_sv():
    o = ["// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1",
         "// hd_limits: checks the limits of the parameters while the RTL is elaborated. No logic.",
         "//",
         "// Made from rtl/pkg/limits.csv by `python3 rtl/hdgen rtl`: do not edit. Verilator prints the",
         "// message; Yosys stops at its line.",
         "module hd_limits;", "",
         "  // As in the tables: returns at least 1.",
         "  function automatic int clog2(input int n);",
         "    clog2 = n > 2 ? $clog2(n) : 1;",
         "  endfunction"]
    names = {r["param"] for r in CONFIGS + DERIVED}

    def sv(expr):
        return re.sub(r"[A-Za-z_]\w*", lambda m: "hd_pkg::" + m.group(0) if m.group(0) in names else m.group(0), expr)
    for i, r in enumerate(LIMITS):
        text, values = limit_format(r, sv)
        ok = sv(limit(r)[0]).replace(" && ", "\n      && ").replace(" || ", "\n      || ")
        args = "".join(f",\n        {v}" for v in [sv(r["param"]), *values])
        o += ["", f"  if (!({ok})) begin : g_{i}",
              f'    $fatal(1, "{r["param"]}=%0d: {text.replace("%d", "%0d")} is accepted"{args});', "  end"]
    return "\n".join([*o, "", "endmodule"]) + "\n"
