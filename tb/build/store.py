# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The store: what was built, under the hash of all that it was built from. It lies outside the checkout (HEDDLE_CACHE,
by default ~/.cache/heddle), so that a clone, a worktree or a derived configuration finds what another has made.

An entry is two files, <key> and <key>.json; the second holds the content's own hash, so that a damaged entry is never
served: it is removed and made again. Makers of one entry wait for each other; what has not been used for longest goes
when there is more than HEDDLE_CACHE_SIZE (MiB, by default 4096)."""
import contextlib
import fcntl
import hashlib
import json
import os
import shutil

from hdgen.output import put_text, replace


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


@contextlib.contextmanager
def locked(key):
    """Only one maker of an entry at a time, whatever process it is in."""
    path = f"{root()}/locks/{key}"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        yield


def path_of(key):
    return f"{root()}/{key[:2]}/{key}"


def find(key):
    """(path, what its maker noted) of a sound entry, or None. A damaged one is removed."""
    path = path_of(key)
    try:
        with open(path + ".json") as f:
            meta = json.load(f)
        if digest_of(path) == meta["sha"]:
            os.utime(path)
            return path, meta
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        pass
    for damaged in (path, path + ".json"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(damaged)
    return None


def add(key, made, meta):
    """Takes the file `made` in; the path of its copy there."""
    path = path_of(key)
    replace(path, lambda tmp: copy(made, tmp))
    put_text(path + ".json", json.dumps(dict(meta, sha=digest_of(path)), indent=1))
    trim(path)
    return path


def trim(keep):
    """Removes what has not been used for longest while there is too much, but never the one that is just being used."""
    entries = []
    for folder, _, names in os.walk(root()):
        for name in names:
            if name.endswith(".json"):
                with contextlib.suppress(FileNotFoundError):
                    path = os.path.join(folder, name[:-5])
                    stat = os.stat(path)
                    entries.append((stat.st_mtime, stat.st_size, path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= limit():
            break
        if path == keep:
            continue
        total -= size
        for gone in (path + ".json", path):
            with contextlib.suppress(FileNotFoundError):
                os.remove(gone)
