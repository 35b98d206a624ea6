# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The store of build results, indexed by the hash of all inputs. It is outside the checkout (HEDDLE_CACHE, default
~/.cache/heddle), so that clones, worktrees and derived configurations share results.

An entry is two files, <key> and <key>.json; the second holds the hash of the content, so that a damaged entry is
detected and built again. Processes that need the same entry wait for the one that builds it. If the store exceeds
HEDDLE_CACHE_SIZE (MiB, default 4096), the least recently used entries are removed.

The store may be read-only or belong to another user: its entries are used, and new ones go to HERE, a store inside the
checkout."""
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
    """Returns the size limit of the store in bytes."""
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


complained = {}  # stores for which a message was printed


def where_possible(put):
    """Calls put(folder) with the store or, if that cannot be written, with HERE, after one message per store."""
    try:
        return put(root())
    except OSError as e:
        if complained.setdefault(root(), e) is e:
            print(f"build: the store {root()} cannot be written ({e.strerror}); new results go to {HERE}. "
                  "HEDDLE_CACHE can name another folder", file=sys.stderr, flush=True)
        return put(HERE)


def lock(folder, key):
    """Returns the lock file of an entry, locked until it is closed."""
    path = f"{folder}/locks/{key}"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        f = open(path, "a")
    except OSError:
        f = open(path)  # it belongs to another user
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
    """Admits one builder of an entry at a time, across processes."""
    return where_possible(lambda folder: lock(folder, key))


def path_of(folder, key):
    return f"{folder}/{key[:2]}/{key}"


def find(key):
    """Returns (path, note of its builder) of an intact entry, or None."""
    for path in (path_of(folder, key) for folder in (root(), HERE)):
        try:
            with open(path + ".json") as f:
                meta = json.load(f)
            sound = digest_of(path) == meta["sha"]
        except (OSError, ValueError, KeyError, TypeError):  # missing, unreadable or incomplete
            continue
        if sound:
            with contextlib.suppress(OSError):  # it belongs to another user
                os.utime(path)
            return path, meta
    return None


def processor_of(name):
    """Returns the processor time of the newest entry of that name in seconds, an estimate for the next; or None."""
    newest = (0, None)
    for path in (p for folder in (root(), HERE) for p in glob.glob(f"{folder}/??/*.json")):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError), open(path) as f:
            meta = json.load(f)
            if meta["name"] == name and meta["made"] > newest[0]:
                newest = meta["made"], meta["processor"]
    return newest[1]


def add(key, made, meta):
    """Stores a copy of the file `made` and returns the path of the copy."""
    def put(folder):
        path = path_of(folder, key)
        replace(path, lambda tmp: copy(made, tmp))
        put_text(path + ".json", json.dumps(dict(meta, sha=digest_of(made)), indent=1))
        trim(folder, path)
        return path
    return where_possible(put)


def trim(folder, keep):
    """Removes least recently used entries until the store is within its limit; keeps the entry in use."""
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
