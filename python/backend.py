# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Builds the wheel (PEP 517): `make python` lays the package into build/python, with the library and the command that
it compiles, and setuptools makes a wheel of that, for this kind of machine and any Python."""
import os
import shutil
import subprocess
import sysconfig

from setuptools import build_meta


def get_requires_for_build_wheel(config_settings=None):
    """Returns [] without asking setuptools, which would look for build/python before it is made; pyproject.toml names
    everything that is required."""
    return []


def _lay():
    shutil.rmtree("build/lib", ignore_errors=True)  # what setuptools has left there
    try:
        subprocess.run(["make", f"-j{os.cpu_count() or 1}", "python"], check=True)
    except FileNotFoundError:
        raise SystemExit("heddle: there is no make; accepted: GNU make and gcc (Debian packages make, gcc)") from None
    except subprocess.CalledProcessError:
        raise SystemExit("heddle: `make python` failed; its words are above. It wants gcc, python3 and the headers of "
                         "cJSON, OpenSSL and zlib (Debian: gcc libcjson-dev libssl-dev zlib1g-dev)") from None


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    _lay()
    return build_meta.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _lay()
    settings = dict(config_settings or {})
    settings["--build-option"] = ["--plat-name", sysconfig.get_platform()]
    return build_meta.build_wheel(wheel_directory, settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("heddle: there are no source distributions; a wheel is built from a checkout")
