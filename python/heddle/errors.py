# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The exceptions, and checks of numbers: every error says what is accepted."""
from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Sequence
from typing import Any

U32, U64 = 2**32 - 1, 2**64 - 1


class Error(Exception):
    """Raised for a configuration that does not exist or violates a limit, a launch that the plane refuses, a closed
    plane, a missing library, a run that fails. Base of the other two."""


class OutOfRange(Error, ValueError):
    """Raised for a number or text that is not accepted."""


class WrongType(Error, TypeError):
    """Raised for an argument of a wrong type, and for copying a plane."""


def number(name: str, value: Any, least: int, most: int) -> int:
    """Returns the value as an int. Requires a value from least to most."""
    try:
        found = operator.index(value)
    except TypeError:
        raise WrongType(f"{name}={value!r}: a whole number from {least} to {most} is accepted") from None
    if least <= found <= most:
        return found
    bits = found.bit_length()
    shown = found if bits <= 1000 else f"a number of {bits} bits"
    raise OutOfRange(f"{name}={shown}: {least} to {most} is accepted")


def sizes(name: str, value: Iterable[Any], most: Iterable[int], count: str, most_in_all: int) -> list[int]:
    """Returns one to three numbers, up to `most` each, as x, y and z; `count` names their product in errors."""
    try:
        given = tuple(itertools.islice(value, 4))
    except TypeError:
        raise WrongType(f"{name}={value!r}: one to three numbers are accepted, as (100,)") from None
    if not 1 <= len(given) <= 3:
        raise OutOfRange(f"{name}={given}: one to three numbers are accepted")
    found = [number(f"{name}.{axis}", size, 1, top) for axis, size, top in zip("xyz", given + (1, 1), most)]
    number(count, found[0] * found[1] * found[2], 1, most_in_all)
    return found


def word(name: str, value: Any, accepted: Sequence[str]) -> int:
    """Returns the index of the word among those accepted."""
    if not isinstance(value, str):
        raise WrongType(f"{name}={value!r}: one of {', '.join(accepted)} is accepted")
    if value not in accepted:
        raise OutOfRange(f"{name}={value!r}: one of {', '.join(accepted)} is accepted")
    return accepted.index(value)
