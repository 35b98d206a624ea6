# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Heddle, the thread-block dispatch plane of a GPU, in Python: docs/python.md.

    Plane        the golden model, driven by cycle, by hand-out or by whole run
    run()        a workload through the plane: a Report
    sweep()      many runs in parallel: a data frame
    area()       area and timing of blocks: a data frame
    channels()   a Cilk program on channels: a Report
    Channels     a graph of channels and kernels, executed

Data frames are those of pandas; where it is not installed they are lists of dictionaries."""
from .areas import area
from .errors import Error, OutOfRange, WrongType
from .graphs import ORDERS, PATTERNS, Graph
from .plane import Answer, DeviceAnswer, Dispatch, Plane, Result, State, Work, policies
from .reports import Report, channels, run
from .sweeps import sweep
from .tasks import Channels, Counts, Output, Stack, Wave

__all__ = ["Answer", "Channels", "Counts", "DeviceAnswer", "Dispatch", "Error", "Graph", "ORDERS", "OutOfRange",
           "Output", "PATTERNS", "Plane", "Report", "Result", "Stack", "State", "Wave", "Work", "WrongType", "area",
           "channels", "policies", "run", "sweep"]
