#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The Python package as its users install it: a wheel, in a fresh virtual environment, without the checkout; its types;
the notebook of docs/python.md. setuptools and wheel are those of the machine, without network; the notebook's runner
comes from PyPI, in a virtual environment of its own: if PyPI is not reachable that part is skipped, with the reason.
Run from the top of the checkout. Ends with `N passed, N failed`.

    test_wheel.py            all of the above
    test_wheel.py --write    writes the notebook's outputs and plots into docs/"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

# Debian's, which see its setuptools, wheel and pip, independent of the rest of PATH.
PYTHON = "/usr/bin/python3" if os.access("/usr/bin/python3", os.X_OK) else sys.executable
MODULES, TOP = os.path.abspath("build/python-modules"), os.getcwd()
NOTEBOOK = "docs/python.ipynb"
passed = failed = 0


class Skipped(Exception):
    """Reason why a test is skipped."""


def run(*words, **options):
    """Returns its output; raises AssertionError with its last lines if it fails."""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=3600, **options)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout[-3000:]}"
    return done.stdout


def python(env, text, cwd, **more):
    """Returns the output of this text in the environment's Python."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("HEDDLE_", "PYTHON"))}
    return run(os.path.join(env, "bin/python"), "-c", text, cwd=cwd, env={**plain, **more})


def requirements():
    """`pip install .` requires these first, in a checkout where nothing is built yet."""
    with tempfile.TemporaryDirectory() as empty:
        output = run(PYTHON, "-c", f"import sys; sys.path.insert(0, {os.path.join(TOP, 'python')!r}); import backend; "
                   "print(backend.get_requires_for_build_wheel())", cwd=empty)
    assert output == "[]\n", output


def make_wheel(tmp):
    has = "import setuptools, wheel, pip; assert int(setuptools.__version__.split('.')[0]) > 63"
    if subprocess.run([PYTHON, "-c", has], capture_output=True).returncode:
        raise Skipped("no pip, setuptools 64 and wheel (Debian: python3-pip python3-setuptools python3-wheel)")
    run(PYTHON, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", tmp, ".",
        env={**os.environ, "MAKEFLAGS": ""})
    found = glob.glob(os.path.join(tmp, "*.whl"))
    assert len(found) == 1, found
    return found[0]


def what_is_in_it(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    want = {f"heddle/{os.path.basename(f)}" for f in glob.glob("python/heddle/*.py")} | {
        "heddle/py.typed", "heddle/_prefix/lib/libheddle.so", "heddle/_prefix/bin/heddle",
        "heddle/_prefix/share/heddle/data/debian12.mtx.gz"}
    assert want <= names, want - names
    assert not [n for n in names if n.endswith(".pyc")]
    version = re.search(r"^VERSION := (\S+)", open("Makefile").read(), re.M)[1]
    assert re.fullmatch(rf"heddle-{version}-py3-none-linux_\w+\.whl", os.path.basename(wheel)), wheel


def fresh(tmp, wheel):
    """Installs the wheel in an otherwise empty environment; returns its folder."""
    env = os.path.join(tmp, "fresh")
    run(PYTHON, "-m", "venv", env)
    run(os.path.join(env, "bin/pip"), "install", "--no-index", "--no-deps", wheel)
    return env


def works_alone(tmp, env):
    output = python(env, """
import heddle, os
assert heddle.__file__.startswith(os.environ["WANT"]), heddle.__file__
plane = heddle.Plane("k20c", policy="smx-bind")
work = lambda tb: heddle.Work(300, groups=[{"grid": (2,)}]) if tb.level == 0 else 50
print(plane.run([{"grid": (40,), "cta": (64,), "regs": 16}], work).dispatches)
report = heddle.run("bfs", launch="dtbl")
print(report.verdict, len(report.kernels) > report["kernels"], type(report.kernels).__name__)
print([row["verdict"] for row in heddle.sweep("bfs", NumKde=[16, 32])])
print(heddle.channels("fib", size=12, cus=2).answer)
try:
    heddle.area("pq")
except heddle.Error as e:
    print(e)
""", tmp, WANT=env)
    assert output.splitlines() == [
        "120", "PASS True list", "['PASS', 'PASS']", "144",
        "area() synthesizes the sources, and there is no checkout: work in one, or set HEDDLE_CHECKOUT to its "
        "top"], output


def area_finds_a_checkout(tmp, env):
    output = python(env, "import heddle; print(heddle.area('pq', PqDepth=64)[0]['name'])", tmp, HEDDLE_CHECKOUT=TOP)
    assert output.splitlines()[-1] == "pq", output


def modules(*_):
    done = subprocess.run(["tb/install/venv.sh", MODULES, "verif/python/requirements.txt"],
                          capture_output=True, text=True)
    if done.returncode:
        raise Skipped(done.stderr.strip())


def types(*_):
    run(os.path.join(MODULES, "bin/python"), "-m", "mypy", "--strict", "--no-incremental", "python/heddle")


def notebook(tmp, wheel, out):
    """Returns the notebook with the outputs of a run from the wheel."""
    site = os.path.join(tmp, "site")
    run(os.path.join(MODULES, "bin/pip"), "install", "--no-index", "--no-deps", "--target", site, wheel)
    pictures = os.path.join(tmp, "pictures")
    os.makedirs(pictures)
    output = run(os.path.join(MODULES, "bin/python"), "verif/python/notebook.py", NOTEBOOK, out,
               env={**os.environ, "PYTHONPATH": site, "HEDDLE_PICTURES": pictures, "MPLBACKEND": "",
                    "PATH": os.path.join(MODULES, "bin") + ":" + os.environ["PATH"]})
    assert re.search(r"^\d+ cells run, 3 plots$", output, re.M), output
    assert sorted(os.listdir(pictures)) == ["python-kde.png", "python-policy.png", "python-queue.png"]
    return pictures


def texts(path):
    """Returns the tables and lines that a notebook shows."""
    with open(path) as f:
        cells = json.load(f)["cells"]
    return ["".join(o.get("text") or o["data"]["text/plain"]) for c in cells for o in c.get("outputs", [])
            if o.get("text") or "image/png" not in o["data"]]


def alike(a, b):
    """Returns whether two words are equal, or are numbers within 2 %: areas differ a little between versions of
    Yosys."""
    try:
        return a == b or abs(float(a) - float(b)) <= 0.02 * abs(float(a))
    except ValueError:
        return False


def is_kept(out):
    kept, now = ([text.split() for text in texts(path)] for path in (NOTEBOOK, out))
    wrong = [f"- {' '.join(a)}\n+ {' '.join(b)}" for a, b in zip(kept, now)
             if len(a) != len(b) or not all(map(alike, a, b))]
    assert not wrong and len(kept) == len(now), "\n".join(["now others: verif/python/test_wheel.py --write", *wrong])
    with open(NOTEBOOK) as f:
        assert TOP not in f.read()


def step(what, test, *arguments):
    """Returns the result of the test; None: it failed or is skipped."""
    global passed, failed
    try:
        found = test(*arguments)
    except Skipped as e:
        print(f"skipped {what}: {e}")
        return None
    except (AssertionError, OSError, subprocess.TimeoutExpired) as e:
        failed += 1
        print(f"FAILED  {what}: {e}", flush=True)
        return None
    passed += 1
    print(f"ok      {what}", flush=True)
    return True if found is None else found


def main(write):
    with tempfile.TemporaryDirectory(prefix="heddle-wheel-") as tmp:
        step("`pip install .` needs nothing that is built", requirements)
        wheel = step("a wheel is built", make_wheel, tmp)
        if wheel:
            step("it has the package, library, command and graph, and the Makefile's version", what_is_in_it, wheel)
            env = step("pip installs it into a fresh environment", fresh, tmp, wheel)
            if env:
                step("plane, run, sweep and channels work there, without the checkout", works_alone, tmp, env)
                step("area works on a checkout that is named", area_finds_a_checkout, tmp, env)
        if step("modules of PyPI: pandas, matplotlib, nbclient, mypy", modules):
            step("mypy --strict", types)
            out = os.path.join(tmp, "out.ipynb")
            pictures = step("the notebook runs from the wheel", notebook, tmp, wheel, out) if wheel else None
            if pictures and write:
                shutil.copy(out, NOTEBOOK)
                for name in os.listdir(pictures):
                    shutil.copy(os.path.join(pictures, name), "docs/img")
            if pictures:
                step("its numbers are those in docs/python.ipynb", is_kept, out)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--write"]):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:] == ["--write"]))
