# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The workloads of dtbl-isca2015 and laperm-isca2016, as the tables run them: one problem of each, on SMXs that run
warps."""
import os
import subprocess

# Arguments of `heddle run`; a generated graph is in braces.
WORKLOADS = {"bfs-debian": ["bfs"], "bfs-graph500": ["bfs", "{graph500}"], "bfs-banded": ["bfs", "{banded}"],
             "bfs-road": ["bfs", "{road}"], "sssp-debian": ["sssp"], "sssp-graph500": ["sssp", "{graph500}"],
             "sssp-road": ["sssp", "{road}"], "clr-debian": ["clr"], "clr-graph500": ["clr", "{graph500}"],
             "clr-banded": ["clr", "{banded}"], "join-skewed": ["join"], "join-uniform": ["join", "--keys", "uniform"],
             "regx-strings": ["regx"], "rec-debian": ["rec"], "amr-ring": ["amr"], "bht-points": ["bht"]}

# Launch models and policies of the SMX scheduler under which they run.
MODELS = {"flat": [], "warps": ["--expand", "warp"], "cdp ideal": ["--launch", "cdp", "--ideal"],
          "dtbl ideal": ["--launch", "dtbl", "--ideal"], "cdp": ["--launch", "cdp"], "dtbl": ["--launch", "dtbl"]}
POLICIES = {f"{launch} {policy}": ["--launch", launch, "--policy", policy]
            for launch in ("cdp", "dtbl") for policy in ("tb-pri", "smx-bind", "adaptive-bind")}


def options(p, workloads=",".join(WORKLOADS)):
    p.add_argument("--workloads", default=workloads, help=f"workloads of the rows (default {workloads})")
    p.add_argument("--nodes", type=int, default=16384,
                   help="vertices of generated graphs, a power of two (default 16384)")
    p.add_argument("--graphs", default="build/papers", metavar="DIR",
                   help="folder of generated graphs (default build/papers)")


def check(a, p):
    """Converts --workloads to a list."""
    a.workloads = a.workloads.split(",")
    for w in a.workloads:
        if w not in WORKLOADS:
            p.error(f"--workloads {w}: accepted: {', '.join(WORKLOADS)}")


def graph(a, kind):
    path = os.path.join(a.graphs, f"{kind}-{a.nodes}.mtx.gz")
    if not os.path.exists(path):
        os.makedirs(a.graphs, exist_ok=True)
        subprocess.run([a.heddle, "graph", kind, "--nodes", str(a.nodes), "-o", path], check=True,
                       stdout=subprocess.DEVNULL)
    return path


def words(a, workload, point):
    """Returns the arguments for one problem of the workload, followed by those of a point."""
    own = [graph(a, w[1:-1]) if w.startswith("{") else w for w in WORKLOADS[workload]]
    return [*own, "--smx", "gpu", "--sources", "1", *point, "--engine", a.engine]
