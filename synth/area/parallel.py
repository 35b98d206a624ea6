# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Threads that run tools at once, for commands that place, route or prove."""
import contextlib
from concurrent.futures import ThreadPoolExecutor

import tools


@contextlib.contextmanager
def threads(jobs):
    """Limits the tools to `jobs` at once, and gives a pool of as many threads. If the body fails or is interrupted,
    work that has not begun is cancelled, and running tools end."""
    tools.limit_to(jobs)
    pool = ThreadPoolExecutor(jobs)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        tools.stop()
        raise
    finally:
        pool.shutdown()
