"""Headless Chromium, driven through its debugging pipe: opens pages, clicks, types, takes screenshots. Needs only Chromium.

NUMEL_CHROMIUM names the program; without it, the usual names are tried. It resolves no host, and has its sandbox except for root, for
whom it does not start with one. An answer that takes more than a minute is an error; close() ends all its processes and removes its
profile."""
import base64, json, os, select, shutil, signal, subprocess, tempfile, time

NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"]
KEYS = {"Enter": 13, "Backspace": 8, "Escape": 27, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
        "Home": 36, "End": 35, "PageDown": 34}
LIMIT = 60  # seconds until an answer
FLAGS = ["--headless", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe", "--force-color-profile=srgb",
         "--no-first-run", "--disable-background-networking", "--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND"]


def program():
    """Its path; None if there is none."""
    named = os.environ.get("NUMEL_CHROMIUM")
    return named if named else next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="numel-chromium.")
        to, mine_out = os.pipe()
        mine_in, back = os.pipe()

        def move():  # the pipe is descriptors 3 and 4
            a, b = os.dup(to), os.dup(back)
            os.dup2(a, 3), os.dup2(b, 4)

        self.process = subprocess.Popen(
            [program(), *FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else []), "--user-data-dir=" + self.profile],
            preexec_fn=move, close_fds=False, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to), os.close(back)
        self.out, self.back = os.fdopen(mine_out, "wb", 0), os.fdopen(mine_in, "rb")
        self.rest, self.number, self.events = b"", 0, []
        try:
            target = self.ask("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"): self.ask(domain + ".enable")
        except Exception:
            self.close()
            raise

    def message(self):
        while b"\0" not in self.rest:
            if not select.select([self.back], [], [], LIMIT)[0]: raise RuntimeError("chromium does not answer")
            more = os.read(self.back.fileno(), 1 << 20)
            if not more: raise RuntimeError("chromium has left")
            self.rest += more
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def ask(self, method, **params):
        self.number += 1
        ask = {"id": self.number, "method": method, "params": params}
        if getattr(self, "session", None): ask["sessionId"] = self.session
        self.out.write(json.dumps(ask).encode() + b"\0")
        while True:
            got = self.message()
            if got.get("id") == self.number:
                if "error" in got: raise RuntimeError("%s: %s" % (method, got["error"]["message"]))
                return got["result"]
            self.events.append(got)

    def trouble(self):
        """The page's errors and its network requests since the last call."""
        out = []
        for e in self.events:
            p = e.get("params", {})
            if e.get("method") == "Runtime.exceptionThrown":
                d = p["exceptionDetails"]
                out.append("exception: " + d.get("exception", {}).get("description", d.get("text", "")))
            if e.get("method") == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"): out.append("log: " + p["entry"]["text"])
            if e.get("method") == "Runtime.consoleAPICalled": out.append("console: " + p["type"])
            if e.get("method") == "Network.requestWillBeSent" and not p["request"]["url"].startswith("file:"):
                out.append("request: " + p["request"]["url"])
        self.events = []
        return out

    def open(self, path, width=1280, height=900, dark=False):
        """Opens the page; returns the milliseconds until it was painted and until its script had ended."""
        self.size(width, height)
        self.ask("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.ask("Page.navigate", url="file://" + os.path.abspath(path))
        for _ in range(600):
            if self.eval("document.readyState === 'complete' && document.documentElement.dataset.ready === 'true'"): break
            time.sleep(0.05)
        else: raise RuntimeError(path + " does not become ready")
        self.settle()
        return self.eval("(() => { const p = performance.getEntriesByName('first-contentful-paint')[0], "
                         "n = performance.getEntriesByType('navigation')[0]; return [p ? p.startTime : -1, n.loadEventEnd]; })()")

    def size(self, width, height): self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def eval(self, text):
        got = self.ask("Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got: raise RuntimeError(got["exceptionDetails"].get("exception", {}).get("description", text))
        return got["result"].get("value")

    def settle(self, ms=50):
        """Waits until the page has drawn itself and its timers of so many milliseconds have run, however slow the machine is."""
        self.eval("new Promise(done => requestAnimationFrame(() => setTimeout(done, %d)))" % ms)

    def wait(self, method):
        """Waits for an event."""
        while not any(e.get("method") == method for e in self.events): self.events.append(self.message())

    def key(self, name, n=1):
        for _ in range(n):
            text = "\r" if name == "Enter" else ""
            for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
                self.ask("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=KEYS[name], text=text if kind == "keyDown" else "")
        self.settle()

    def type(self, text):
        self.ask("Input.insertText", text=text)
        self.settle()

    def click(self, selector, nth=0):
        x, y = self.eval("(() => { const e = document.querySelectorAll(%s)[%d]; e.scrollIntoView({block: 'center', behavior: 'instant'}); "
                         "const r = e.getBoundingClientRect(); return [r.left + Math.min(r.width / 2, 20), r.top + Math.min(r.height / 2, 8)]; })()"
                         % (json.dumps(selector), nth))
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def shot(self, path, height=None):
        """A picture of the page: of its upper pixels, all up to 8000 unless told."""
        box = self.ask("Page.getLayoutMetrics")["cssContentSize"]
        more = {"captureBeyondViewport": True,
                "clip": {"x": 0, "y": 0, "width": box["width"], "height": min(height or box["height"], 8000), "scale": 1}}
        with open(path, "wb") as f: f.write(base64.b64decode(self.ask("Page.captureScreenshot", format="png", **more)["data"]))

    def pdf(self, path):
        with open(path, "wb") as f: f.write(base64.b64decode(self.ask("Page.printToPDF", printBackground=False)["data"]))

    def close(self):
        self.process.terminate()
        try: self.process.wait(10)
        except subprocess.TimeoutExpired: pass
        try: os.killpg(self.process.pid, signal.SIGKILL)  # what is left of its session
        except ProcessLookupError: pass
        self.process.wait()
        self.out.close(), self.back.close()
        shutil.rmtree(self.profile, ignore_errors=True)
