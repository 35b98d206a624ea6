# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""CBMC with CaDiCaL: those in PATH or, since Debian 12 has no CBMC, those of Debian 13. Their packages are unpacked
beside the store, without installing anything, and run with their own C library."""
import functools
import glob
import os
import shutil
import subprocess
import tempfile

import store
import tools

SUITE, MIRROR, KEYRING = "trixie", "http://deb.debian.org/debian", "/usr/share/keyrings/debian-archive-keyring.gpg"
PROGRAMS = ["cbmc", "cadical"]
PACKAGES = [*PROGRAMS, "minisat", "libc6", "libgcc-s1", "libstdc++6", "zlib1g"]
OLDEST = "6."  # of CBMC: earlier ones check other things by default
WRAPPER = """#!/bin/sh
exec '{loader}' --library-path '{libraries}' '{program}' "$@"
"""


class Missing(Exception):
    """Why this machine has no CBMC."""


@functools.lru_cache(None)
def folder():
    """Returns the folder with both programs, "" if they are in PATH."""
    if all(map(shutil.which, PROGRAMS)) and tools.version("cbmc", "--version").startswith(OLDEST):
        return ""
    for program in ("apt-get", "dpkg-deb"):
        if not shutil.which(program):
            raise Missing(f"neither cbmc 6 and cadical nor {program} here, which would get them from Debian 13")

    def make(root):
        os.makedirs(f"{root}/debian", exist_ok=True)
        return os.path.abspath(f"{root}/debian/{SUITE}-cbmc")
    made = store.where_possible(make)
    with store.locked(f"{SUITE}-cbmc"):
        if not os.path.isdir(made):
            with tempfile.TemporaryDirectory(dir=os.path.dirname(made)) as new:
                unpack(f"{new}/root")
                wrap(f"{new}/root", made)
                os.rename(f"{new}/root", made)
    return made


def apt(state, cwd, *argv):
    """Runs apt-get with a state of its own, which has only Debian 13."""
    options = {"Dir::Etc::sourcelist": f"{state}/sources.list", "Dir::Etc::sourceparts": "-", "Dir::State": state,
               "Dir::Cache": f"{state}/cache", "Dir::State::status": "/dev/null", "APT::Sandbox::User": "root"}
    done = subprocess.run(["apt-get", *(w for k, v in options.items() for w in ("-o", f"{k}={v}")), *argv], cwd=cwd,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        why = [line for line in done.stderr.splitlines() if line.startswith("E:")] or ["it failed"]
        raise Missing(f"apt-get {argv[0]}, of CBMC from Debian 13: {why[0]}")


def unpack(to):
    """Downloads the packages, whose signatures apt-get checks, and unpacks them."""
    with tempfile.TemporaryDirectory() as state:
        for name in ("lists/partial", "cache/archives/partial", "packages"):
            os.makedirs(f"{state}/{name}")
        store.put_text(f"{state}/sources.list", f"deb [signed-by={KEYRING}] {MIRROR} {SUITE} main\n")
        apt(state, state, "update")
        apt(state, f"{state}/packages", "download", *PACKAGES)
        for package in glob.glob(f"{state}/packages/*.deb"):
            subprocess.run(["dpkg-deb", "-x", package, to], check=True)


def wrap(root, final):
    """Writes the two programs. `final` is the folder's later name."""
    (loader,) = glob.glob(f"{root}/usr/lib/*/ld-linux*.so.*")
    libraries = [os.path.dirname(loader), f"{root}/usr/lib"]
    for name in PROGRAMS:
        text = WRAPPER.format(loader=loader, libraries=":".join(libraries), program=f"{root}/usr/bin/{name}")
        store.put_text(f"{root}/{name}", text.replace(root, final))
        os.chmod(f"{root}/{name}", 0o755)


@functools.lru_cache(None)
def versions():
    """Returns the versions, on which results depend."""
    return [tools.version(os.path.join(folder(), name), "--version") for name in PROGRAMS]


def program(name):
    return os.path.join(folder(), name)
