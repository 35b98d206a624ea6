# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Reads the parts of a liberty file that an area report needs: groups, their attributes, and functions of cells."""
import itertools
import re

TOKEN = re.compile(r'\s+|\\\s*\n|/\*.*?\*/|//[^\n]*'
                   r'|(?P<text>"[^"]*")|(?P<mark>[{}():;,])|(?P<word>[^\s{}():;,"\\]+)|.', re.S)
FACTORS = {"f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1.0}


# Attributes whose values are expressions of pins: in quotation marks, unless they are a single name.
EXPRESSIONS = {"function", "next_state", "clocked_on", "clear", "preset", "enable", "data_in", "three_state", "when"}


class Broken(Exception):
    """Raised for an invalid liberty file, with the error and its line."""


class Group:
    """NAME (ARGS) { .. }: `values` its attributes (the last of a name), `groups` what is inside it."""

    def __init__(self, kind, args):
        self.kind, self.args, self.values, self.groups = kind, args, {}, []
        self.span = (0, 0)  # in the text

    def inside(self, *kinds):
        return [g for g in self.groups if g.kind in kinds]

    def number(self, name, default=None):
        try:
            return float(self.values.get(name, default))
        except (TypeError, ValueError):
            raise Broken(f"{self.kind} ({', '.join(self.args)}): no number for {name}")


class Reader:
    def __init__(self, text):
        self.tokens, first = [], True  # (text, where, is it the first of its line)
        for m in TOKEN.finditer(text):
            if m.lastgroup:
                self.tokens.append((m.group(), m.start(), first))
                first = False
            elif m.group().isspace():
                first |= "\n" in m.group()
            elif m.group()[0] not in "\\/" or len(m.group()) == 1:
                raise Broken(f"line {text.count(chr(10), 0, m.start()) + 1}: {m.group()!r} is not expected")
        self.text, self.at = text, 0

    def peek(self):
        return self.tokens[self.at][0] if self.at < len(self.tokens) else None

    def fail(self, wanted):
        where = self.tokens[self.at][1] if self.at < len(self.tokens) else len(self.text)
        found = f"'{self.peek()[:30]}'" if self.peek() else "the end of the file"
        raise Broken(f"line {self.text.count(chr(10), 0, where) + 1}: {wanted} expected, not {found}")

    def take(self, mark=None):
        token = self.peek()
        if token is None or (mark and token != mark):
            self.fail(f"'{mark}'" if mark else "more")
        self.at += 1
        return token

    def statement(self, group):
        """name : value;   name (args);   name (args) { .. }"""
        begin = self.tokens[self.at][1]
        name = self.take()
        if self.peek() == ":":
            self.take()
            first = self.at
            value = [self.take().strip('"')]
            while self.peek() not in (";", "}", None) and not self.tokens[self.at][2]:
                value.append(self.take().strip('"'))
            if name in EXPRESSIONS:
                self.quoted(name, first)
            group.values[name] = " ".join(value)
        elif self.peek() == "(":
            args = self.arguments()
            if self.peek() == "{":
                inner = self.body(Group(name, args))
                inner.span = (begin, self.tokens[self.at - 1][1] + 1)
                group.groups.append(inner)
            else:
                group.values[name] = ",".join(args)
        else:
            self.fail("':' or '('")
        while self.peek() == ";":
            self.take()

    def quoted(self, name, first):
        """Yosys and OpenSTA refuse an expression without quotation marks."""
        bare = [t for t in self.tokens[first:self.at] if not t[0].startswith('"')]
        if bare and (len(bare) > 1 or not re.fullmatch(r"[\w.\[\]]+", bare[0][0])):
            line = self.text.count(chr(10), 0, bare[0][1]) + 1
            told = "".join(t[0] for t in bare)[:30]
            raise Broken(f"line {line}: syntax error: {name} is {told} without quotation marks; \"{told}\" would be "
                         "accepted")

    def arguments(self):
        self.take("(")
        out = []
        while self.peek() != ")":
            token = self.take()
            if token in "{};":
                self.at -= 1
                self.fail("')'")
            if token != ",":
                out.append(token.strip('"'))
        self.take(")")
        return out

    def body(self, group):
        self.take("{")
        while self.peek() != "}":
            if self.peek() is None:
                self.fail(f"'}}' of {group.kind} ({', '.join(group.args)})")
            self.statement(group)
        self.take("}")
        return group


def parse(text):
    """Returns the group `library` of a file."""
    reader, top = Reader(text), Group("", [])
    while reader.peek() is not None:
        reader.statement(top)
    found = top.inside("library")
    if len(found) != 1:
        raise Broken(f"{len(found)} groups 'library' instead of one")
    return found[0]


def without(text, groups):
    """Returns the text without some groups."""
    for g in sorted(groups, key=lambda g: g.span, reverse=True):
        text = text[:g.span[0]] + text[g.span[1]:]
    return text


def joined(texts, tops):
    """Merges several files of one library, given as texts and parsed groups: returns the first one, with the additional
    groups of the others. A template with the same name but other content is renamed."""
    def of(k, g):
        return texts[k][g.span[0]:g.span[1]]
    more, has = [], {(g.kind, tuple(g.args)): of(0, g) for g in tops[0].groups}
    for k in range(1, len(texts)):
        for name in ("time_unit", "capacitive_load_unit", "voltage_unit"):
            if tops[k].values.get(name) != tops[0].values.get(name):
                raise Broken(f"its {name} is {tops[k].values.get(name)}, that of the first file is "
                             f"{tops[0].values.get(name)}; equal values in all files of a library would be accepted")
        parts, renamed = [], []
        for g in tops[k].groups:
            key, text = (g.kind, tuple(g.args)), of(k, g)
            if key not in has:
                has[key] = text
                parts.append(text)
            elif g.kind == "cell":
                raise Broken(f"cell {g.args[0]} is in an earlier file, too; each cell in one file would be accepted")
            elif "template" in g.kind and g.args and "".join(has[key].split()) != "".join(text.split()):
                renamed.append(g.args[0])
                parts.append(text)
        text = "\n".join(parts)
        for name in renamed:
            text = re.sub(r'\(\s*"?%s"?\s*\)' % re.escape(name), f"({name}_file{k})", text)
        more.append(text)
    end = tops[0].span[1] - 1
    return texts[0][:end] + "\n".join(more) + "\n" + texts[0][end:]


def unit(text, base):
    """"10ps", base "s": 1e-11."""
    m = re.fullmatch(r"\s*([\d.]+)\s*([fpnum]?)" + base + r"\s*", text, re.I)
    if not m:
        raise Broken(f"unit '{text}' is not understood")
    return float(m.group(1)) * FACTORS[m.group(2).lower()]


# ---- Functions: ! and ' not; *, & and juxtaposition and; + and | or; ^ exclusive or ------------------------------

def truth(function, inputs):
    """Returns the output over all values of the inputs, as a tuple of bools (the first input changes slowest); None if
    it depends on other pins too."""
    tokens = re.findall(r"\w+|[!'*&+|^()]", function)
    if set(t for t in tokens if re.match(r"\w", t)) - set(inputs) - {"0", "1"}:
        return None
    rows = itertools.product((False, True), repeat=len(inputs))
    return tuple(evaluated(tokens, dict(zip(inputs, row), **{"0": False, "1": True})) for row in rows)


def evaluated(tokens, values):
    at = 0

    def peek():
        return tokens[at] if at < len(tokens) else ""

    def misread():
        raise Broken(f"function \"{' '.join(tokens)}\" is not understood")

    def primary():
        nonlocal at
        token = peek()
        at += 1
        if token == "!":
            return not primary()
        if token == "(":
            value = either()
            if peek() != ")":
                misread()
            at += 1
        elif token in values:
            value = values[token]
        else:
            misread()
        while peek() == "'":
            at += 1
            value = not value
        return value

    def differ():
        nonlocal at
        value = primary()
        while peek() == "^":
            at += 1
            value ^= primary()
        return value

    def both():
        nonlocal at
        value = differ()
        while peek() and peek() not in "+|)":
            at += peek() in "*&"
            value &= differ()
        return value

    def either():
        nonlocal at
        value = both()
        while peek() and peek() in "+|":
            at += 1
            value |= both()
        return value
    value = either()
    if peek():
        misread()
    return value
