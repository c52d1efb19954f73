# SPDX-License-Identifier: Apache-2.0
"""Chromium without a window, by its DevTools protocol over pipes: no port, no driver, no package.

    with Browser() as browser:
        page = browser.open("report.html", width=1280, height=900, dark=False)
        page.evaluate("document.title")
"""
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ["chromium", "chromium-browser", "google-chrome"]
CODES = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
PATIENCE = 120  # seconds until a browser that says nothing is given up


class BrowserError(Exception):
    pass


def program():
    found = [shutil.which(name) for name in PROGRAMS]
    return next((path for path in found if path), None)


class Browser:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="countersink-browser.")
        to_read, self.to = os.pipe()
        self.back, back_write = os.pipe()
        arguments = [program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                     "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
                     "--force-device-scale-factor=1", "--remote-debugging-pipe",
                     f"--user-data-dir={self.folder}", "about:blank"]

        def pipes():  # the protocol's: it reads from 3 and writes to 4
            first, second = os.dup(to_read), os.dup(back_write)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(arguments, preexec_fn=pipes, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(back_write)
        self.number, self.rest, self.events = 0, b"", []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(timeout=20)
        except (BrowserError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.folder, ignore_errors=True)

    def message(self, until):
        """The next one; None: nothing came until then."""
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.back], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                return None
            got = os.read(self.back, 1 << 20)
            if not got:
                raise BrowserError("the browser has gone")
            self.rest += got
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            answer = self.message(until)
            if answer is None:
                raise BrowserError(f"{method}: no answer")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path, width=1280, height=900, dark=False):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(domain + ".enable")
        page.size(width, height)
        page.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        page.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        page.wait("window.countersink !== undefined || document.readyState === 'complete'")
        return page


class Page:
    def __init__(self, browser, session, target):
        self.browser, self.session, self.target = browser, session, target

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def evaluate(self, expression):
        """The value of an expression, or of what it promises."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, expression):
        until = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            if time.monotonic() > until:
                raise BrowserError(f"never came true: {expression}")
            time.sleep(0.05)

    def settle(self):
        """All that was asked for is drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>"
                      " requestAnimationFrame(done))))")

    def show_all(self):
        self.evaluate("Object.values(countersink.charts).forEach(chart => chart.show())")
        self.settle()

    def press(self, key):
        text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=CODES.get(key, 0), **(text if kind == "keyDown" else {}))
        self.settle()

    def mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y)
        self.settle()

    def screenshot(self, path, clip=None):
        """Of all of it, or of a part."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        whole = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 15000)}
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                         clip={**(clip or whole), "scale": 1})
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))

    def pdf(self, path):
        shot = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=False)
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def complaints(self):
        """What the console was told, and what broke."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            params = event.get("params", {})
            if event["method"] == "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif event["method"] == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
                found.append(" ".join(str(a.get("value", "")) for a in params["args"]))
            elif event["method"] == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(params["entry"]["text"])
        return found

    def requests(self):
        """Addresses that were asked for, beside the page itself and what it holds."""
        return [event["params"]["request"]["url"] for event in self.browser.events
                if event.get("sessionId") == self.session and
                event["method"] == "Network.requestWillBeSent" and
                not event["params"]["request"]["url"].startswith(("file:", "data:", "about:"))]
