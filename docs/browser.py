# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Controls a page in headless Chromium, by the DevTools protocol over two pipes: errors of its console, values of
expressions, the mouse, pictures."""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

SECONDS = 120


class Browser:
    """with Browser("FILE.html") as b: .. b.value("1 + 1") .. b.errors"""

    def __init__(self, page, wide=1280, high=900):
        self.page, self.wide, self.high = page, wide, high
        self.errors, self.number, self.rest, self.session = [], 0, b"", None

    def __enter__(self):
        if not shutil.which("chromium"):
            raise OSError("chromium is missing (Debian package chromium)")
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs_in, self.to = os.pipe()
        self.of, theirs_out = os.pipe()

        def as_3_and_4():
            a, b = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(a, 3)
            os.dup2(b, 4)
        command = ["chromium", "--headless=new", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
                   "--hide-scrollbars", f"--user-data-dir={self.folder.name}",
                   f"--window-size={self.wide},{self.high}", *["--no-sandbox"] * (os.getuid() == 0)]
        self.process = subprocess.Popen([*command, "about:blank"], preexec_fn=as_3_and_4, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        target = next(t for t in self.send("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setDeviceMetricsOverride", width=self.wide, height=self.high, deviceScaleFactor=1,
                  mobile=False)
        self.send("Page.navigate", url=pathlib.Path(self.page).absolute().as_uri())
        self.wait("document.body && document.body.dataset.ready")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.to)
        os.close(self.of)
        self.folder.cleanup()

    def send(self, method, **params):
        """Returns the answer of the browser."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            told = self.read()
            if told.get("id") == self.number:
                if "error" in told:
                    raise OSError(f"{method}: {told['error']['message']}")
                return told["result"]
            self.see(told)

    def read(self):
        while b"\0" not in self.rest:
            part = os.read(self.of, 1 << 16)
            if not part:
                raise OSError("the browser has ended")
            self.rest += part
        line, _, self.rest = self.rest.partition(b"\0")
        return json.loads(line)

    def see(self, told):
        method, params = told.get("method"), told.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
            self.errors.append(str(params["args"]))

    def value(self, expression):
        """Returns the value of an expression; of a promise, its result."""
        told = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in told:
            raise OSError(f"{expression}: {told['exceptionDetails']['exception']['description']}")
        return told["result"].get("value")

    def wait(self, expression):
        """Waits until the expression is true."""
        end = time.monotonic() + SECONDS
        while not self.value(f"Boolean({expression})"):
            if time.monotonic() > end or self.errors:
                raise OSError(f"{self.page}: {'; '.join(self.errors) or expression + ' does not come'}")
            time.sleep(0.02)

    def drawn(self):
        """Waits until the page has been drawn twice."""
        self.value("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def mouse(self, kind, x, y, **more):
        """Sends a mouse event. kind: Moved, Pressed, Released, Wheel; x, y: from the left and the top of the window."""
        self.send("Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, **more)

    def click(self, x, y):
        for kind in ("Pressed", "Released"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def picture(self, path, high=None):
        """Saves a picture of the window, or of the page down to that height."""
        clip = {"clip": {"x": 0, "y": 0, "width": self.wide, "height": high, "scale": 1}} if high else {}
        shot = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=bool(high), **clip)
        with open(path, "wb") as f:
            f.write(base64.b64decode(shot["data"]))
