"""A headless Chromium that tests drive over the DevTools protocol, through a pipe: no port, no library."""

import json
import os
import shutil
import subprocess
from base64 import b64decode
from fcntl import F_DUPFD, fcntl
from pathlib import Path
from types import TracebackType
from typing import Any

CHROMIUM = shutil.which("chromium")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-sync --disable-quic --disable-extensions "
    "--disable-background-networking --disable-component-update --hide-scrollbars --remote-debugging-pipe"
)
KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35, " ": 32}


class Browser:
    """A browser tab.

    `folder` takes the profile. Raises RuntimeError if the page's code or the browser fails.
    """

    def __init__(self, folder: Path) -> None:
        assert CHROMIUM is not None
        theirs, ours = os.pipe()
        mine, their_output = os.pipe()
        # The browser reads from 3 and writes to 4: copies from 10 on are in the way of neither.
        low, high = (fcntl(stream, F_DUPFD, 10) for stream in (theirs, their_output))
        for descriptor in (theirs, their_output):
            os.close(descriptor)
        command = [CHROMIUM, *FLAGS.split(), f"--user-data-dir={folder}", "about:blank"]
        wiring = f'exec 3<&{low} 4>&{high} {low}<&- {high}>&-; exec "$@"'
        self.process = subprocess.Popen(
            ["bash", "-c", wiring, "bash", *command],
            pass_fds=(low, high),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for descriptor in (low, high):
            os.close(descriptor)
        self.input, self.output = os.fdopen(ours, "wb", 0), os.fdopen(mine, "rb")
        self.count = 0
        self.session = ""
        self.events: list[dict[str, Any]] = []
        self.rest = b""
        pages = [target for target in self("Target.getTargets")["targetInfos"] if target["type"] == "page"]
        target = pages[0]["targetId"] if pages else self("Target.createTarget", url="about:blank")["targetId"]
        self.session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self(f"{domain}.enable")

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.input.close()
        self.output.close()
        self.process.terminate()
        self.process.wait(20)

    def __call__(self, method: str, **parameters: Any) -> Any:
        """Send a command and return its result. Events that come before the result are stored."""
        self.count += 1
        message: dict[str, Any] = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.input.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            more = self.output.read1(1 << 20)
            if not more:
                raise RuntimeError("the browser has ended")
            self.rest += more
        line, _, self.rest = self.rest.partition(b"\0")
        results: dict[str, Any] = json.loads(line)
        return results

    def open(self, url: str, wide: int = 1400, tall: int = 900, look: str = "light", media: str = "") -> None:
        """Load a page in a window of that size, light or dark, and wait until its scripts have run."""
        self.events.clear()
        self("Emulation.setDeviceMetricsOverride", width=wide, height=tall, deviceScaleFactor=1, mobile=False)
        looks = [{"name": "prefers-color-scheme", "value": look}]
        self("Emulation.setEmulatedMedia", media=media, features=looks)
        self("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._read())

    def run(self, expression: str) -> Any:
        """The value of an expression in the page, as JSON."""
        response = self("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in response:
            raise RuntimeError(json.dumps(response["exceptionDetails"]))
        return response["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key, as the user does."""
        code = KEYS.get(key, ord(key[0].upper()))
        text = {"text": key} if len(key) == 1 else {}
        self("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def click(self, selector: str) -> None:
        """Scroll an element into view and click its middle."""
        box = self.run(
            f"(() => {{ const one = document.querySelector({json.dumps(selector)});"
            "one.scrollIntoView({ block: 'center', inline: 'center' });"
            "const { x, y, width, height } = one.getBoundingClientRect();"
            "return [x + width / 2, y + height / 2]; })()"
        )
        at = {"x": box[0], "y": box[1], "button": "left", "clickCount": 1}
        self("Input.dispatchMouseEvent", type="mousePressed", **at)
        self("Input.dispatchMouseEvent", type="mouseReleased", **at)

    def requests(self) -> list[str]:
        """The addresses requested by the page since it was opened."""
        sent = [event for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]

    def complaints(self) -> list[str]:
        """Errors of the page's code and violations of its policy since it was opened."""
        names = ("Runtime.exceptionThrown", "Log.entryAdded")
        return [json.dumps(event["params"]) for event in self.events if event.get("method") in names]

    def screenshot(self, path: Path, whole: bool = False) -> None:
        response = self("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(b64decode(response["data"]))
