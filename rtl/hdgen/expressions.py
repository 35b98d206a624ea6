# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Names and expressions of the tables: their values, and their form in C."""
import functools
import re


def camel(name):
    return name[0].upper() + name[1:]


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def clog2(n):
    return max(1, (int(n) - 1).bit_length())


@functools.cache
def compiled(expr):
    return compile(expr.replace(" / ", " // ").replace("&&", "and").replace("||", "or"), "<expression>", "eval")


def evaluate(expr, p):
    """The value of an expression over the parameters p."""
    return int(eval(compiled(expr), {"clog2": clog2, "__builtins__": {}}, p))


def c_expr(expr):
    """An expression over parameters as C over `c`, a const struct hd_cfg *."""
    def sub(m):
        w = m.group(0)
        return "hd_clog2" if w == "clog2" else "c->" + snake(w)
    return re.sub(r"[A-Za-z_]\w*", sub, expr)


def c_long(expr):
    """c_expr() in signed 64 bits, since the values to check are arbitrary."""
    c = re.sub(r"\b\d+\b", lambda m: f"INT64_C({m.group(0)})", c_expr(expr))
    return "(" + c.replace("c->", "(int64_t)c->").replace("hd_clog2(", "hd_clog2((uint32_t)") + ")"
