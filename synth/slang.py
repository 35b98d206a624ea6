# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Elaborates the RTL with slang, its default warnings being errors. No warning is waived.

  slang.py CONFIG.f TOP..    the tops of this configuration, with their assertions, without and with planted faults

Run from the top of the checkout by a Python that has pyslang (synth/lint.sh does it)."""
import glob
import os
import sys
import tempfile

from pyslang.driver import Driver

sys.path[:0] = ["rtl", "tb/build"]
import faults  # noqa: E402


def elaborates(config, tops, files):
    """Elaborates the tops; slang prints errors on stderr."""
    driver = Driver()
    driver.addStandardArgs()
    words = ["slang", "-Werror", "--error-limit=0", "-I", "rtl", "-f", config, *files]
    words += [w for t in tops for w in ("--top", t)]
    if not (driver.parseCommandLine(" ".join(words)) and driver.processOptions() and driver.parseAllSources()):
        return False
    driver.reportCompilation(driver.createCompilation(), True)
    return driver.reportDiagnostics(True)


def planted(files, folder):
    """Returns copies of the files with their planted faults, and the package that selects one."""
    copies = [faults.PACKAGE]
    for path in files:
        copies.append(f"{folder}/{path}")
        os.makedirs(os.path.dirname(copies[-1]), exist_ok=True)
        with open(path, encoding="utf-8") as source, open(copies[-1], "w", encoding="utf-8") as copy:
            copy.write(faults.planted(path, source.read()))
    return copies


sources = sorted(glob.glob("rtl/**/*.sv", recursive=True))
with tempfile.TemporaryDirectory(prefix="faults-", dir="build/lint") as where:
    ok = [elaborates(sys.argv[1], sys.argv[2:], files) for files in (sources, planted(sources, where))]
sys.exit(not all(ok))
