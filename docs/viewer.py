#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Opens a timeline (heddle run --timeline FILE.json) in Catapult's trace viewer in headless Chromium, and prints as
JSON what the viewer found in it: slices, arrows, counters and how often they change, warnings.

  viewer.py FILE.json [--picture FILE.png] [--from CYCLE] [--to CYCLE]

Needs Chromium (Debian package chromium) and the viewer, which is part of the sources of Go (golang-1.19-src);
TRACE_VIEWER can name another folder of the viewer."""
import argparse
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

VIEWER = os.environ.get("TRACE_VIEWER", "/usr/share/go-1.19/src/cmd/trace/static")
FILES = ["webcomponents.min.js", "trace_viewer_full.html"]
SIZE = "1500,480"
SECONDS = 300
PAGE = """<html><head><script src="/webcomponents.min.js"></script><link rel="import" href="/trace_viewer_full.html">
<style>
  html, body { margin: 0; height: 100%; overflow: hidden }
  #viewer { width: 100%; height: 100% }
  tr-ui-a-analysis-view, tr-ui-b-drag-handle, tr-ui-b-info-bar-group,
  tr-ui-b-mouse-mode-selector { display: none }
</style></head><body><img src="/hold" style="visibility: hidden; position: absolute"><script>
const FROM = @FROM, TO = @TO;
function tell(text) { fetch('/told', {method: 'POST', body: JSON.stringify(text)}) }
window.onerror = (what, _, line) => tell({error: `${what}, line ${line}`});

function found(model) {
  const told = {slices: 0, arrows: model.flowEvents.length, counters: 0, changes: 0,
                warnings: model.importWarnings.map(w => w.message)};
  for (const p of model.getAllProcesses()) {
    for (const c of Object.values(p.counters)) {
      told.counters += 1;
      told.changes += c.timestamps.length;
    }
    for (const t of Object.values(p.threads)) told.slices += t.sliceGroup.slices.length;
  }
  return told;
}

function show(view) {
  const port = view.trackView.viewport, to = port.currentDisplayTransform.clone();
  to.xSetWorldBounds(FROM / 1000, TO / 1000, port.modelTrackContainer.canvas.clientWidth);
  port.setDisplayTransformImmediately(to);
  port.selectedFlowEvents = new Set(['launch']);
}

document.addEventListener('WebComponentsReady', async () => {
  const tracks = document.createElement('track-view-container'), view = document.createElement('tr-ui-timeline-view');
  tracks.id = 'track_view_container';
  view.id = 'viewer';
  view.track_view_container = tracks;
  view.globalMode = true;
  Polymer.dom(view).appendChild(tracks);
  Polymer.dom(document.body).appendChild(view);
  const model = new tr.Model(), options = new tr.importer.ImportOptions();
  options.shiftWorldToZero = false;
  const text = await (await fetch('/timeline.json')).text();
  new tr.importer.Import(model, options).importTracesWithProgressDialog([text]).then(() => {
    view.model = model;
    view.viewTitle = '@NAME';
    setTimeout(() => { if (TO) show(view); tell(found(model)) }, 1000);
  }, e => tell({error: String(e)}));
});
</script></body></html>
"""


def server(page, timeline, told):
    """Serves the page, the viewer and the timeline on this machine; the page's reports are appended to `told`. The page
    counts as loaded and drawn when the picture `hold` has arrived, one second after the report."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.lstrip("/")
            if name == "hold":
                end = time.monotonic() + SECONDS
                while not told and time.monotonic() < end:
                    time.sleep(0.1)
                time.sleep(1)
            if name == "timeline.json":
                body = open(timeline, "rb").read()
            elif name in FILES:
                body = open(f"{VIEWER}/{name}", "rb").read()
            else:
                body = b"" if name == "hold" else page.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/javascript" if name.endswith(".js") else "text/html")
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass
    return http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)


def browse(url, picture, folder):
    command = ["chromium", "--headless=new", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}",
               f"--window-size={SIZE}", f"--screenshot={picture}"]
    command += ["--no-sandbox"] * (os.getuid() == 0)
    return subprocess.run([*command, url], capture_output=True, text=True, timeout=SECONDS + 60)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("timeline")
    p.add_argument("--picture")
    p.add_argument("--from", type=int, default=0, dest="first")
    p.add_argument("--to", type=int, default=0)
    a = p.parse_args()
    if not shutil.which("chromium"):
        sys.exit("viewer.py: chromium is missing (Debian package chromium)")
    if not os.path.exists(f"{VIEWER}/{FILES[1]}"):
        sys.exit(f"viewer.py: no {VIEWER}/{FILES[1]} (Debian package golang-1.19-src, or set TRACE_VIEWER)")
    page = PAGE.replace("@FROM", str(a.first)).replace("@TO", str(a.to))
    page = page.replace("@NAME", os.path.basename(a.timeline))
    told = []
    with server(page, a.timeline, told) as s, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        threading.Thread(target=s.serve_forever, daemon=True).start()
        png = f"{folder}/picture.png"
        done = browse(f"http://127.0.0.1:{s.server_port}/", png, folder)
        s.shutdown()
        if not told:
            sys.exit(f"viewer.py: the viewer told nothing\n{done.stderr[-2000:]}")
        if a.picture:
            shutil.copyfile(png, a.picture)
    print(json.dumps(told[0]))
    return "error" in told[0] or bool(told[0]["warnings"])


if __name__ == "__main__":
    sys.exit(main())
