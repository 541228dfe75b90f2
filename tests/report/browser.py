# SPDX-License-Identifier: Apache-2.0
"""Debian's Chromium without a window, spoken to over its DevTools pipe: nothing but Python is needed.

As a program: browser.py PAGE.html IMAGE.png [--dark] [--size WxH] [--pdf] [--run SCRIPT]... draws a page.
"""

import argparse
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAM = shutil.which("chromium")
PATIENCE_S = 60  # for one answer: machines that test are busy


class Browser:
    """One browser with one page. Everything the page complains about is in `complaints`."""

    def __init__(self, width=1400, height=900, dark=False):
        self.profile = tempfile.mkdtemp(prefix="tessera chromium ")
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()
        command = [
            PROGRAM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--mute-audio",
            "--force-color-profile=srgb", "--hide-scrollbars", f"--user-data-dir={self.profile}",
            "--remote-debugging-pipe", "about:blank",
        ]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{to_write}', "bash", *command], pass_fds=(to_read, to_write),
            env={**os.environ, "HOME": self.profile}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self.buffer = b""
        self.count = 0
        self.session = None
        self.complaints = []
        self.requests = []
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=scheme)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- the protocol ----

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    def receive(self):
        deadline = time.monotonic() + PATIENCE_S
        while b"\0" not in self.buffer:
            if not select.select([self.from_browser], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.from_browser, 1 << 20)
            if not part:
                raise RuntimeError("the browser ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.complaints.append(str(parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.complaints.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        self.events.append(method)

    # ---- what tests do ----

    def open(self, page):
        self.events.clear()
        self.requests.clear()
        self.call("Page.navigate", url=Path(page).resolve().as_uri())
        while "Page.loadEventFired" not in self.events:
            self.note(self.receive())
        self.settle()

    def settle(self):
        """Two frames later: what was asked for is drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def run(self, script):
        """The value of an expression in the page; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=key if len(key) == 1 and kind == "keyDown" else "")
        self.settle()

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector, index=0):
        self.run(f"document.querySelectorAll({json.dumps(selector)})[{index}].click()")
        self.settle()

    def screenshot(self, path, whole=True):
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(shot["data"]))

    def pdf(self, path):
        Path(path).write_bytes(base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("image")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--size", default="1400x900")
    parser.add_argument("--pdf", action="store_true")
    parser.add_argument("--window", action="store_true", help="what fits the window only")
    parser.add_argument("--run", action="append", default=[])
    arguments = parser.parse_args()
    width, height = map(int, arguments.size.split("x"))
    with Browser(width, height, arguments.dark) as browser:
        browser.open(arguments.page)
        for script in arguments.run:
            print(browser.run(script))
            browser.settle()
        if arguments.pdf:
            browser.pdf(arguments.image)
        else:
            browser.screenshot(arguments.image, not arguments.window)
        for complaint in browser.complaints:
            print("complaint:", complaint)


if __name__ == "__main__":
    main()
