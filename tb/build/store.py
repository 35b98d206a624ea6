# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The store: what was built, under the hash of all that it was built from. It lies outside the checkout (HEDDLE_CACHE,
by default ~/.cache/heddle), so that a clone, a worktree or a derived configuration finds what another has made.

An entry is two files, <key> and <key>.json; the second holds the content's own hash, so that a damaged entry is never
served: it is made again. Makers of one entry wait for each other; what has not been used for longest goes when there is
more than HEDDLE_CACHE_SIZE (MiB, by default 4096).

Others may own the store, or it may be read-only: what is in it is used. What cannot be put there stays in HERE, a store
of the checkout's own."""
import contextlib
import fcntl
import glob
import hashlib
import json
import os
import shutil
import sys

import tools
from hdgen.output import put_text, replace

HERE = "build/store"


def root():
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.environ.get("HEDDLE_CACHE") or os.path.join(caches, "heddle")


def limit():
    """Bytes that the store may hold."""
    text = os.environ.get("HEDDLE_CACHE_SIZE") or "4096"
    if not text.isdigit():
        raise SystemExit(f"build: HEDDLE_CACHE_SIZE '{text}' is not a whole number of MiB")
    return int(text) << 20


def digest(data):
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()[:40]


def digest_of(path):
    with open(path, "rb") as f:
        return digest(f.read())


def copy(path, to):
    shutil.copyfile(path, to)


complained = {}  # of which stores


def where_possible(put):
    """put(folder) with the store; if that cannot be written, which is said once, with HERE."""
    try:
        return put(root())
    except OSError as e:
        if complained.setdefault(root(), e) is e:
            print(f"build: the store {root()} cannot be written ({e.strerror}): what it lacks is kept in {HERE}; "
                  "HEDDLE_CACHE may name another folder", file=sys.stderr, flush=True)
        return put(HERE)


def lock(folder, key):
    """The lock file of an entry, locked until it is closed."""
    path = f"{folder}/locks/{key}"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        f = open(path, "a")
    except OSError:
        f = open(path)  # that of another user
    try:
        tools.wait_for(lambda: locks(f))
    except BaseException:
        f.close()
        raise
    return f


def locks(f):
    with contextlib.suppress(BlockingIOError):
        fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def locked(key):
    """Only one maker of an entry at a time, whatever process it is in."""
    return where_possible(lambda folder: lock(folder, key))


def path_of(folder, key):
    return f"{folder}/{key[:2]}/{key}"


def find(key):
    """(path, what its maker noted) of a sound entry, or None."""
    for path in (path_of(folder, key) for folder in (root(), HERE)):
        try:
            with open(path + ".json") as f:
                meta = json.load(f)
            sound = digest_of(path) == meta["sha"]
        except (OSError, ValueError, KeyError, TypeError):  # not there, not readable, or torn
            continue
        if sound:
            with contextlib.suppress(OSError):  # that of another user
                os.utime(path)
            return path, meta
    return None


def processor_of(name):
    """Seconds of processor of the newest entry of that name, or None: about what the next will take."""
    newest = (0, None)
    for path in (p for folder in (root(), HERE) for p in glob.glob(f"{folder}/??/*.json")):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError), open(path) as f:
            meta = json.load(f)
            if meta["name"] == name and meta["made"] > newest[0]:
                newest = meta["made"], meta["processor"]
    return newest[1]


def add(key, made, meta):
    """Takes the file `made` in; the path of its copy there."""
    def put(folder):
        path = path_of(folder, key)
        replace(path, lambda tmp: copy(made, tmp))
        put_text(path + ".json", json.dumps(dict(meta, sha=digest_of(made)), indent=1))
        trim(folder, path)
        return path
    return where_possible(put)


def trim(folder, keep):
    """Removes what has not been used for longest while there is too much, but never the one that is just being used."""
    entries = []
    for under, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".json"):
                with contextlib.suppress(OSError):
                    path = os.path.join(under, name[:-5])
                    stat = os.stat(path)
                    entries.append((stat.st_mtime, stat.st_size, path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= limit():
            break
        if path == keep:
            continue
        with contextlib.suppress(OSError):
            os.remove(path + ".json")
            os.remove(path)
            total -= size
