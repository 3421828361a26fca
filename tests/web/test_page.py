"""The page in headless Chromium: `make web-test`. Skipped without Chromium or Pyodide."""

import json
import random
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.support.browser import CHROMIUM, Browser
from web import build

PYODIDE = build.find_pyodide()
pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(
        CHROMIUM is None or PYODIDE is None, reason="needs chromium and Pyodide: make web-test"
    ),
]
READY = "document.querySelector('#new')?.disabled === false"
PATIENCE = 300  # seconds that Python may take to start on a machine under load
STEPS = 25  # moves of a game at most


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("web") / "page"
    assert PYODIDE is not None
    build.build(folder, PYODIDE)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def page(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as browser:
        browser.open(address, 360, 740)
        wait(browser)
        yield browser


def wait(browser: Browser, condition: str = READY) -> None:
    """Wait until a condition holds in the page, which may be reloaded meanwhile."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if browser.run(condition):
                return
        except RuntimeError as error:
            if "context" not in str(error):  # of a page that has just been left
                raise
        time.sleep(0.05)
    raise AssertionError(f"{condition}: {browser.run('document.body.innerText')}")


def begin(browser: Browser, game: str, level: int = 1) -> None:
    select = "document.querySelector('#{0}').value = {1}; document.querySelector('#{2}').{3}; 0"
    browser.run(select.format("game", json.dumps(game), "game", "dispatchEvent(new Event('change'))"))
    wait(browser)
    browser.run(select.format("level", level, "new", "click()"))
    wait(browser)


def text(browser: Browser, name: str) -> str:
    return str(browser.run(f"document.querySelector('#{name}').textContent"))


def cells(browser: Browser, kind: str) -> list[str]:
    cells = browser.run(f"[...document.querySelectorAll('.{kind}')].map((one) => one.dataset.cell)")
    return [f'[data-cell="{cell}"]' for cell in cells]


def buttons(browser: Browser) -> list[str]:
    count = browser.run("document.querySelectorAll('#choices button').length")
    return [f"#choices button:nth-child({at})" for at in range(1, count + 1)]


def enter(browser: Browser, line: str) -> None:
    browser.run(f"document.querySelector('#text').value = {json.dumps(line)}")
    browser.click("#enter")
    wait(browser)


@pytest.mark.parametrize(
    "game",
    ["tictactoe", "connect4", "othello", "checkers", "chess", "go:size=9", "nim", "kuhn", "tree:lecture"],
)
def test_a_game_is_played_by_pointing(page: Browser, game: str) -> None:
    begin(page, game)
    rng = random.Random(7)
    for _ in range(STEPS):
        if page.run("document.querySelector('#status').classList.contains('over')"):
            break
        before = text(page, "moves")
        places = cells(page, "can") or buttons(page)
        page.click(rng.choice(places))
        if ends := cells(page, "end"):
            page.click(rng.choice(ends))
        wait(page)
        if text(page, "message") == "which move?":
            page.click("#choices button")
            wait(page)
        assert text(page, "moves") != before
    else:
        assert game in ("chess", "checkers", "go:size=9", "othello")  # games that may be longer
    assert page.run("document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways"
    assert not page.complaints()


def test_invalid_input_is_explained(page: Browser) -> None:
    begin(page, "connect4")
    enter(page, "9")
    assert "columns go from 1 to 7" in text(page, "message")
    enter(page, "undo")
    assert text(page, "message") == "there is nothing to take back"


def test_keys_move_and_play(page: Browser) -> None:
    begin(page, "tictactoe", 3)
    page.run("document.querySelector('[data-cell=\"0,0\"]').focus()")
    for key in ("ArrowDown", "ArrowRight"):
        page.press(key)
    label = "document.activeElement.getAttribute('aria-label')"
    assert page.run(label) == "b2, empty"
    page.run("document.activeElement.click()")
    wait(page)
    assert page.run("document.querySelector('[data-cell=\"1,1\"]').getAttribute('aria-label')") == "b2, x"
    assert text(page, "status") == "Your turn (x)"


def test_a_search_shows_its_counts_and_is_stopped(page: Browser) -> None:
    begin(page, "connect4", 10)
    page.click('[data-cell="5,3"]')
    wait(page, "document.querySelector('#nodes').textContent.length > 3")
    assert page.run("document.querySelector('#stop').disabled") is False
    page.click("#stop")
    wait(page)
    assert page.run("document.querySelectorAll('#moves li').length") == 2


def test_page_works_offline_after_the_first_visit(page: Browser, address: str) -> None:
    page(
        "Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0
    )
    try:
        page.open(address, 360, 740, look="dark")
        wait(page)
        assert page.run("crossOriginIsolated")
        assert all(request.startswith(address) for request in page.requests())
        page.click('[data-cell="1,1"]')
        wait(page)
        assert page.run("document.querySelectorAll('#moves li').length") == 2
    finally:
        page(
            "Network.emulateNetworkConditions",
            offline=False,
            latency=0,
            downloadThroughput=-1,
            uploadThroughput=-1,
        )
