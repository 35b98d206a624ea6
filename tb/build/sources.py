# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The inputs of a module: the files of the module and of all modules below it, and the constants of hd_pkg that these
files use."""
import functools
import glob
import os
import re

from hdgen import params, sv

MODULE = re.compile(r"\bhd_\w+")
INCLUDE = re.compile(r'`include\s+"([^"]+)"')
PACKAGES = {"hd_pkg": "rtl/pkg/hd_pkg.sv", "hd_regs_pkg": "rtl/pkg/hd_regs_pkg.sv"}
BIND = re.compile(r"^bind (\w+)", re.M)
USED = re.compile(r"\b(hd_pkg|hd_regs_pkg)::(\w+)")
PARAMETER = re.compile(r"`ifdef (\w+)\s+localparam int (\w+) = `\1;\s+`else\s+localparam int \2 = \d+;\s+`endif")


@functools.lru_cache(None)
def read(path):
    with open(path) as f:
        return f.read()


@functools.lru_cache(None)
def files():
    """Returns {module name: file}: each file under rtl/, and of the demonstrator, holds one module of the same name."""
    found = sorted(glob.glob("rtl/**/*.sv", recursive=True) + glob.glob("synth/fpga/demo/*.sv"))
    return {os.path.basename(p)[:-3]: p for p in found if p not in PACKAGES.values()}


def code(text):
    """Returns a source without its comments."""
    return re.sub(r"/\*.*?\*/", "", re.sub(r"//.*", "", text), flags=re.S)


@functools.lru_cache(None)
def checks():
    """Returns {file of a module: the files that bind checks to it}."""
    found = {}
    for path in files().values():
        for module in BIND.findall(code(read(path))):
            found.setdefault(files()[module], set()).add(path)
    return found


@functools.lru_cache(None)
def named(path):
    """Returns the modules and headers that a source uses, and the modules that are bound to it."""
    text = code(read(path))
    modules = {files()[m] for m in MODULE.findall(text) if m in files()}
    headers = {h for i in INCLUDE.findall(text) for h in glob.glob(f"rtl/**/{os.path.basename(i)}", recursive=True)}
    return modules | headers | checks().get(path, set())


def closure(path, boxes=()):
    """Returns the sources of a module and of all modules that it instantiates, includes or has bound to it, in a fixed
    order, without the contents of `boxes`."""
    found, unread = set(), {path}
    while unread:
        found |= unread
        unread = {n for p in unread for n in named(p)} - found - set(boxes)
    return sorted(found)


def items(text):
    """Returns a package as [(declared names, text)]."""
    out = []
    for m in re.finditer(r"localparam\s[^;]*;|typedef\s+(?:enum|struct packed)[^}]*\}\s*\w+;"
                         r"|function\s.*?endfunction", text, re.S):
        body = re.sub(r"\s+", " ", m.group(0))
        if body.startswith("function"):
            names = {re.search(r"(\w+)\(", body).group(1)}
        elif body.startswith("localparam"):
            names = {re.search(r"(\w+) =", body).group(1)}
        else:
            names = {re.search(r"(\w+);$", body).group(1)}
            if "enum" in body:
                names |= set(re.findall(r"(\w+) =", body))
        out.append((names, body))
    return out


@functools.lru_cache(None)
def uses(path):
    """Returns (package, name) for each name of hd_pkg and hd_regs_pkg that a source uses."""
    return USED.findall(code(read(path)))


def package(where, config, sets=()):
    """Returns a package without comments, with the parameter values of a configuration."""
    p, text = params.of(config, sets), code(read(PACKAGES[where]))
    if where == "hd_pkg" and text.split() != code(sv.gen_pkg()).split():
        raise SystemExit(f"{PACKAGES[where]} differs from the tables; {sv.COMMAND} writes it")
    return PARAMETER.sub(lambda m: f"localparam int {m.group(2)} = {p[m.group(2)]};", text)


@functools.lru_cache(None)
def whole(config, sets):
    """Returns {package: items} of a configuration."""
    return {where: items(package(where, config, sets)) for where in PACKAGES}


def packages(config, sets, sources):
    """Returns {file name: text}: the declarations in hd_pkg and hd_regs_pkg that the sources use, and no others, so
    that an unused constant is not one of their inputs."""
    out = {}
    for where, declarations in whole(config, tuple(sets)).items():
        names, kept = {name for path in sources for package, name in uses(path) if package == where}, []
        for declared, text in reversed(declarations):
            if declared & names:
                kept.append("  " + text)
                names |= set(re.findall(r"\w+", text))
        if kept:
            out[where + ".sv"] = "\n".join([f"package {where};", *reversed(kept), "endpackage"]) + "\n"
    return out
