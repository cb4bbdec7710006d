"""Reads pages in Chromium over its debugging protocol: what the console says, what axe finds, how large and how fast.

usage: browser.py CHROMIUM URL... [--axe axe.min.js] [--pictures FOLDER] [--widths 360,1024,1920] [--schemes light,dark]
       [--script FILE]

Prints a line of JSON for each page, width and scheme: {"url", "width", "scheme", "console": [...], "axe": [...],
"overflow": pixels by which the page is wider than the window, "bytes", "result": of the script}. Needs nothing but
Python's own library.
"""
import argparse, base64, json, os, re, shutil, socket, struct, subprocess, sys, tempfile, time, urllib.request


class Socket:
    """A WebSocket (RFC 6455) to a server on this machine."""

    def __init__(self, url):
        host, port, path = re.fullmatch(r"ws://([^:/]+):(\d+)(/.*)", url).groups()
        self.stream = socket.create_connection((host, int(port)), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.stream.recv(4096)
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        assert head.startswith(b"HTTP/1.1 101"), head

    def exactly(self, count):
        while len(self.buffer) < count:
            part = self.stream.recv(1 << 16)
            if not part:
                raise EOFError("the browser closed the connection")
            self.buffer += part
        part, self.buffer = self.buffer[:count], self.buffer[count:]
        return part

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = b"\x81" + (
            bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size) if size < 1 << 16
            else b"\xff" + struct.pack(">Q", size))
        whole = int.from_bytes(data, "big") ^ int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        self.stream.sendall(head + mask + whole.to_bytes(size, "big"))

    def receive(self):
        message = b""
        while True:
            first, second = self.exactly(2)
            size = second & 0x7F
            if size == 126:
                size, = struct.unpack(">H", self.exactly(2))
            elif size == 127:
                size, = struct.unpack(">Q", self.exactly(8))
            data = self.exactly(size)
            if first & 0x0F in (0, 1, 2):
                message += data
                if first & 0x80:
                    return message.decode()
            elif first & 0x0F == 8:
                raise EOFError("the browser closed the connection")


class Tab:
    """A page of the browser."""

    def __init__(self, url):
        self.socket, self.number, self.events = Socket(url), 0, []

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def wait(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(json.loads(self.socket.receive()))

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")


def said(events):
    """What the console, the log and failed scripts said."""
    for event in events:
        what, with_ = event.get("method"), event.get("params", {})
        if what == "Log.entryAdded":
            yield with_["entry"]["text"]
        elif what == "Runtime.consoleAPICalled":
            yield " ".join(str(part.get("value", part.get("description", ""))) for part in with_["args"])
        elif what == "Runtime.exceptionThrown":
            yield with_["exceptionDetails"]["text"]


def read(tab, url, width, scheme, options):
    tab.events.clear()
    tab.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    start = time.monotonic()
    tab.call("Page.navigate", url=url)
    tab.wait("Page.loadEventFired")
    found = {"url": url, "width": width, "scheme": scheme, "load_ms": round((time.monotonic() - start) * 1000)}
    found["bytes"] = sum(
        event["params"]["dataLength"] for event in tab.events if event.get("method") == "Network.dataReceived")
    found["overflow"] = tab.evaluate("Math.max(0, document.documentElement.scrollWidth - innerWidth)")
    found["title"] = tab.evaluate("document.title")
    if options.script:
        found["result"] = tab.evaluate(open(options.script).read())
    if options.pictures:
        size = tab.call("Page.getLayoutMetrics")["cssContentSize"]
        picture = tab.call(
            "Page.captureScreenshot", captureBeyondViewport=True,
            clip={"x": 0, "y": 0, "width": width, "height": min(size["height"], 4000), "scale": 1})
        name = re.sub(r"[^a-zA-Z0-9]+", "-", url.split("://", 1)[1])[-60:].strip("-")
        with open(os.path.join(options.pictures, f"{name}-{width}-{scheme}.png"), "wb") as file:
            file.write(base64.b64decode(picture["data"]))
    if options.axe:
        tab.evaluate(open(options.axe).read() + ";undefined")
        found["axe"] = tab.evaluate(
            "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => "
            "`${v.id}: ${v.help}: ` + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + ' ' + "
            "(n.any[0] ? n.any[0].message : '')).join(' | ')))")
    found["console"] = list(said(tab.events))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("chromium")
    parser.add_argument("urls", nargs="+")
    parser.add_argument("--axe")
    parser.add_argument("--pictures")
    parser.add_argument("--script")
    parser.add_argument("--widths", default="360,1024,1920")
    parser.add_argument("--schemes", default="light,dark")
    options = parser.parse_args()
    profile = tempfile.mkdtemp(prefix="reactor-browser-")
    browser = subprocess.Popen(
        [options.chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--remote-debugging-port=0",
         f"--user-data-dir={profile}", "about:blank"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        note = os.path.join(profile, "DevToolsActivePort")
        for _ in range(300):
            if os.path.exists(note) and open(note).read().count("\n"):
                break
            time.sleep(0.1)
        port = open(note).readline().strip()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=20) as answer:
            target = next(tab for tab in json.load(answer) if tab["type"] == "page")
        tab = Tab(target["webSocketDebuggerUrl"])
        for domain in ("Page", "Runtime", "Log", "Network"):
            tab.call(domain + ".enable")
        for url in options.urls:
            for width in map(int, options.widths.split(",")):
                for scheme in options.schemes.split(","):
                    print(json.dumps(read(tab, url, width, scheme, options)), flush=True)
    finally:
        browser.terminate()
        try:
            browser.wait(10)
        except subprocess.TimeoutExpired:
            browser.kill()
            browser.wait()
        shutil.rmtree(profile, ignore_errors=True)


sys.exit(main())
