# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Tables: data frames if pandas is installed, else lists of dictionaries."""
from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import Any


def frame(rows: Iterable[Mapping[str, Any]]) -> Any:
    """Returns the rows as a pandas.DataFrame, or as a list of dictionaries if pandas is not installed."""
    listed = [dict(row) for row in rows]
    try:
        pandas: Any = importlib.import_module("pandas")  # pandas has no type hints
    except ImportError:
        return listed
    return pandas.DataFrame(listed)
