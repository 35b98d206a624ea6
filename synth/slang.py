# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Elaborates the RTL with slang, its default warnings being errors. No warning is waived.

  slang.py CONFIG.f TOP..    the tops of this configuration, with their assertions, without and with planted faults

Run from the top of the checkout by a Python that has pyslang (synth/lint.sh does it)."""
import glob
import sys

from pyslang.driver import Driver


def elaborates(config, tops, defines):
    """Slang itself says what is wrong, on stderr."""
    driver = Driver()
    driver.addStandardArgs()
    files = sorted(glob.glob("rtl/**/*.sv", recursive=True))
    words = ["slang", "-Werror", "--error-limit=0", "-I", "rtl", "-f", config, *files]
    words += [w for t in tops for w in ("--top", t)] + [w for d in defines for w in ("-D", d)]
    if not (driver.parseCommandLine(" ".join(words)) and driver.processOptions() and driver.parseAllSources()):
        return False
    driver.reportCompilation(driver.createCompilation(), True)
    return driver.reportDiagnostics(True)


ok = [elaborates(sys.argv[1], sys.argv[2:], d) for d in ([], ["HD_FAULTS"])]
sys.exit(not all(ok))
