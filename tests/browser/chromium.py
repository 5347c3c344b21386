"""Controls Chromium for the tests beside this file."""
import base64
import io
import json
import os
import subprocess
import tempfile
import time

from PIL import Image

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run", "--hide-scrollbars", "--allow-file-access-from-files",
         "--remote-debugging-pipe"]


class Browser:
    """Chromium, controlled through a pair of pipes."""

    def __init__(self, chromium):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.to = os.pipe()
        self.answers, from_write = os.pipe()

        def attach():
            # First out of the way: one of them may be 3 or 4 already.
            ends = os.dup(to_read), os.dup(from_write)
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        command = [chromium, *FLAGS, f"--user-data-dir={self.profile.name}", "about:blank"]
        self.process = subprocess.Popen(command, preexec_fn=attach, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.rest = b""
        self.number = 0
        self.session = None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.send("Page.enable")
        self.send("Runtime.enable")
        self.size(1280, 1000)

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def read(self):
        while b"\0" not in self.rest:
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                raise RuntimeError("the browser is gone")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def open(self, address, seconds=3.5):
        self.send("Page.navigate", url=address)
        # Longer than the report's script waits for late pictures.
        time.sleep(seconds)

    def value(self, expression):
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def size(self, width, height, mobile=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def dark(self, is_dark):
        feature = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[feature])

    def picture(self, file=None, whole=False):
        data = base64.b64decode(self.send("Page.captureScreenshot", captureBeyondViewport=whole)["data"])
        if file:
            file.write_bytes(data)
        return Image.open(io.BytesIO(data)).convert("RGB")

    def mouse(self, x, y, click=False):
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        if click:
            for kind in "mousePressed", "mouseReleased":
                self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        time.sleep(0.3)

    def press_space(self):
        for kind in "keyDown", "keyUp":
            self.send("Input.dispatchKeyEvent", type=kind, key=" ", code="Space", text=" ", windowsVirtualKeyCode=32)
        time.sleep(0.3)

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=20)
        os.close(self.to)
        os.close(self.answers)
        self.profile.cleanup()
