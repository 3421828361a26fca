"""The page that replays a search, as a browser shows it: steps, exercises, sizes, looks, and paper."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from gameplay.cli import router, run
from gameplay.display.pages import tree_page
from gameplay.display.reports.drawn_tree import DrawnNode
from tests.support.browser import CHROMIUM, Browser

pytestmark = pytest.mark.once
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")

PAGES = {
    "lecture": ("tree:lecture", "--engine", "alphabeta"),
    "three": ("tree:three-players", "--engine", "maxn"),
    "chance": ("tree:chance", "--engine", "expectiminimax:prune=star2"),
    "tictactoe": ("tictactoe", "--moves", "b2 a1 c2", "--engine", "alphabeta", "--depth", "3"),
    "mcts": ("connect4", "--engine", "mcts", "--sims", "20"),
    "proofs": ("tree:and-or", "--engine", "pns:mobility=off,weak=off"),
}
SIZES = ((1400, 900), (390, 844))

# The texts of the picture that can be seen, with their boxes.
TEXTS = """[...document.querySelectorAll("#picture svg text")]
    .filter((one) => one.textContent && getComputedStyle(one).display !== "none")
    .map((one) => [one.textContent, one.getBoundingClientRect()])
    .map(([text, { left, top, right, bottom }]) => [text, left, top, right, bottom])"""
# Everything that can be read on the page or is read out.
READ = f"""[document.body.innerText, ...{TEXTS}.map(([text]) => text),
    ...[...document.querySelectorAll("svg title")].map((one) => one.textContent),
    ...[...document.querySelectorAll("[aria-valuetext], [aria-label]")].map(
        (one) => one.getAttribute("aria-valuetext") + " " + one.getAttribute("aria-label"))].join(" | ")"""


SELECT = "document.querySelector"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    for name, words in PAGES.items():
        assert run(router, "gameplay", ["tree", *words, "-o", str(folder / f"{name}.html")]) == 0
    return {name: folder / f"{name}.html" for name in PAGES}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


def data(page: Path) -> Any:
    match = re.search(r'(?s)<script type="application/json" id="data">(.*?)</script>', page.read_text())
    assert match is not None
    return json.loads(match[1])


def open_page(
    browser: Browser, page: Path, size: tuple[int, int] = SIZES[0], query: str = "", **more: str
) -> None:
    browser.open(f"file://{page}{query}", *size, **more)
    assert browser.run("document.documentElement.dataset.script") == "ran"


def text(browser: Browser, name: str) -> str:
    text: str = browser.run(f"document.getElementById({json.dumps(name)}).textContent")
    return text


# -- without a browser ---------------------------------------------------------------------------------


def test_a_page_lets_only_its_own_style_and_script_run() -> None:
    page = tree_page.page(DrawnNode("root"), "t", [], lambda node: "")
    hashes = re.findall(r"'sha256-([^']*)'", page.partition("base-uri 'none'")[0])
    for name, stated in zip(("style", "script"), hashes, strict=True):
        (own,) = re.findall(rf"(?s)<{name}>(.*?)</{name}>", page)
        assert b64encode(sha256(own.encode()).digest()).decode() == stated


def test_the_page_fetches_nothing_and_everything_has_a_name(pages: dict[str, Path]) -> None:
    page = pages["tictactoe"].read_text()
    assert "default-src 'none'" in page
    assert "http" not in re.sub(r'(xmlns|http-equiv)="[^"]*"|"http://www.w3.org/2000/svg"', "", page)
    assert "<script src" not in page and "<link" not in page and 'lang="en"' in page
    assert all(re.findall(r"<button[^>]*>(.*?)</button>", page))
    assert page.count("data-node=") == 101
    for label in ('role="group" aria-label', 'role="img" aria-label', 'aria-live="polite"', "<caption>"):
        assert label in page


def luminance(colour: str) -> float:
    def part(value: int) -> float:
        share = value / 255
        return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)

    red, green, blue = (part(int(colour[n : n + 2], 16)) for n in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, ground: float) -> float:
    high, low = sorted((luminance(colour), ground), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_all_words_of_the_page_have_contrast(pages: dict[str, Path]) -> None:
    """At least 4.5 to 1 for words, 3 to 1 for lines (WCAG 2.1), in light and dark."""
    style = pages["lecture"].read_text().partition("<style>")[2].partition("</style>")[0]
    first, _, rest = style.partition("@media (prefers-color-scheme: dark)")
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#\w{6})", part)) for part in (first, rest.partition("* {")[0])
    )
    for look in (light, {**light, **dark}):
        paper, soft = luminance(look["paper"]), luminance(look["soft"])
        assert min(contrast(look[name], paper) for name in ("ink", "dim", "grey", "right", "now")) >= 4.5
        assert min(contrast(look[name], soft) for name in ("ink", "dim")) >= 4.5
        assert min(contrast(look[name], paper) for name in ("max", "min", "chance")) >= 3


# -- the replay ----------------------------------------------------------------------------------------


@needs_chromium
def test_values_appear_with_the_step_that_computes_them(pages: dict[str, Path], browser: Browser) -> None:
    """The lecture's leaves are 3, 12, 8 and 2; then two are pruned, 7 and 1; then 14, 5 and 2."""
    open_page(browser, pages["lecture"])
    leaves = ["+12", "+8", "+14", "+5"]
    seen = []
    for _ in data(pages["lecture"])["steps"]:
        read = browser.run(READ)
        assert "7" not in browser.run(f"{TEXTS}.map(([text]) => text).join(' ')")
        seen.append([leaf in read for leaf in leaves])
        browser.press("ArrowRight")
    order = [[row[n] for row in seen].index(True) for n in range(4)]
    steps = [step["text"] for step in data(pages["lecture"])["steps"]]
    assert order == [steps.index(f"{path}: leaf, value {leaf} (the game is over)") for path, leaf in zip(
        ("1 › 2", "1 › 3", "3 › 1", "3 › 2"), leaves, strict=True
    )]  # fmt: skip
    assert order == sorted(order) and all(all(row[:1]) for row in seen[order[0] :])
    browser.press("Home")
    assert not any(leaf in browser.run(READ) for leaf in leaves), "they are hidden again"


@needs_chromium
def test_window_on_the_path_and_its_changes_are_shown(pages: dict[str, Path], browser: Browser) -> None:
    open_page(browser, pages["lecture"])
    browser.press("c")
    rows = browser.run(
        "[...document.querySelectorAll('#path tbody tr')]"
        ".map((row) => [...row.cells].map((one) => one.textContent))"
    )
    assert rows == [["root", "MAX", "+3", "+∞", "≥ +3"], ["2", "MIN", "+3", "+2", "≤ +2"]]
    assert text(browser, "why") == "α: MAX at root has +3 by 1\nβ: MIN at 2 has +2 by 1"
    assert text(browser, "said").startswith(
        "2: α +3 ≥ β +2, alpha cutoff: MIN can already hold MAX to +2 here"
    )
    assert browser.run("[...document.querySelectorAll('.bar:not(.later)')].length") == 2
    browser.press("ArrowLeft")
    moved = browser.run("[...document.querySelectorAll('.moved')].map((one) => one.textContent)")
    assert moved == ["+2 *"], "the mark is not only a colour"
    browser.press("End")
    assert text(browser, "said") == ("The search is over: the value is +3, by 1; 7 leaves (the game is over)")


@needs_chromium
def test_the_line_of_pseudocode_is_marked(pages: dict[str, Path], browser: Browser) -> None:
    open_page(browser, pages["lecture"])
    marked = "[...document.querySelectorAll('#code [aria-current]')].map((one) => one.textContent.trim())"
    assert browser.run(marked) == ["AB(node, depth, alpha, beta):"]
    browser.press("c")
    assert browser.run(marked) == ["if alpha >= beta: leave the loop (alpha cut)"]
    assert "▶" in browser.run(
        "getComputedStyle(document.querySelector('#code [aria-current]'), '::before').content"
    )
    open_page(browser, pages["mcts"])
    browser.run("go(steps.findIndex((step) => step.kind === 'select'))")
    assert browser.run(marked) == ["(a child without visits, n = 0, first)"]


@needs_chromium
def test_buttons_keys_and_the_slider_move_through_the_steps(pages: dict[str, Path], browser: Browser) -> None:
    open_page(browser, pages["tictactoe"], query="?step=7")
    shown = []
    for click in ("#next", "#next", "#back", "#cut", "#last", "#first"):
        shown.append(int(browser.run("document.documentElement.dataset.step")))
        browser.click(click)
    steps = data(pages["tictactoe"])["steps"]
    cut = next(n for n, step in enumerate(steps) if n > 7 and step["kind"] == "cut")
    assert shown == [6, 7, 8, 7, cut, len(steps) - 1]
    assert browser.run("document.documentElement.dataset.step") == "0"
    browser.run(
        "const s = document.getElementById('slider'); s.value = 30; s.dispatchEvent(new Event('input'))"
    )
    assert browser.run("document.documentElement.dataset.step") == "30"
    for pressed in ("true", "false"):
        browser.run("document.activeElement.blur()")
        browser.press(" ")
        assert browser.run("document.getElementById('play').getAttribute('aria-pressed')") == pressed
    browser.click("#n50 .shape")
    assert steps[int(browser.run("document.documentElement.dataset.step"))]["at"] == 50
    cells = browser.run(
        "[...document.querySelectorAll('#board .sign')].map((one) => one.textContent).join('')"
    )
    assert sorted(cells) == sorted("XXXOOO"[: len(cells)]) and len(cells) >= 5


@needs_chromium
def test_a_chance_node_shows_its_partial_sums(pages: dict[str, Path], browser: Browser) -> None:
    """0.9 of 2 and 0.1 of 3: Russell and Norvig's example has 2.1 at the left chance node."""
    open_page(browser, pages["chance"])
    steps = data(pages["chance"])["steps"]
    for number in range(len(steps)):
        if "sum so far" in steps[number]["text"]:
            break
        browser.press("ArrowRight")
    assert "Σ +1.80" in browser.run(READ) and "likely (0.9)" in browser.run(READ)
    while "probability 1" not in text(browser, "said"):
        browser.press("ArrowRight")
    assert "= +2.10" in text(browser, "said") and "Σ +2.10" in browser.run(READ)


@needs_chromium
def test_proofs_are_marked_when_they_are_found(pages: dict[str, Path], browser: Browser) -> None:
    """The first leaf that wins is below g; the root is proved last."""
    open_page(browser, pages["proofs"])
    steps = data(pages["proofs"])["steps"]
    signs = (
        "[...document.querySelectorAll('.mark')].filter((one) => getComputedStyle(one).display !== 'none')"
        ".map((one) => one.textContent).join('')"
    )
    shown = [browser.run(f"go({step}); {signs}") for step in range(len(steps))]
    decided = [any(mark.get("look") for _, mark in step["marks"]) or step["kind"] == "end" for step in steps]
    grown = [shown[n] != (shown[n - 1] if n else "") for n in range(len(steps) - 1)]
    assert grown == decided[:-1] and shown[0] == "" and shown[-1] == shown[-2]
    assert shown[-1].count("✓") == 6 and shown[-1].count("✗") == 2


@needs_chromium
@pytest.mark.parametrize("size", SIZES)
def test_texts_stand_apart_and_the_page_fits(
    pages: dict[str, Path], browser: Browser, size: tuple[int, int]
) -> None:
    """At several steps of each page and for the whole tree."""
    for page in pages.values():
        open_page(browser, page, size)
        last = len(data(page)["steps"]) - 1
        for step in {last // 3, 2 * last // 3, last}:
            boxes = browser.run(f"go({step}); {TEXTS}")
            assert len(boxes) > 3
            for n, (word, left, top, right, bottom) in enumerate(boxes):
                for other, x, y, u, v in boxes[:n]:
                    # Boxes are as high as the font, letters are not.
                    apart = left >= u - 1 or x >= right - 1 or top >= v - 4 or y >= bottom - 4
                    assert apart, (page.name, step, word, other)
        wide, inner = browser.run("[document.documentElement.scrollWidth, innerWidth]")
        assert wide <= inner == size[0]
        assert browser.complaints() == [] and browser.requests() == [f"file://{page}"]
        shape, frame = (
            browser.run(
                f"(({{ left, right }}) => [left, right])({SELECT}('{selector}').getBoundingClientRect())"
            )
            for selector in (".ring", "#picture")
        )
        assert frame[0] <= shape[0] and shape[1] <= frame[1], "the picture follows the search"
        top, below, bottom, after = (
            browser.run(f"{SELECT}('{element}').getBoundingClientRect().{end}")
            for element, end in (
                ("#zoom", "top"),
                ("#picture", "bottom"),
                ("#zoom", "bottom"),
                ("#side", "top"),
            )
        )
        assert (top >= below and bottom <= after) or size[0] > 390, "on a phone the buttons cover nothing"


@needs_chromium
def test_the_ring_of_the_current_node_covers_no_label(pages: dict[str, Path], browser: Browser) -> None:
    open_page(browser, pages["lecture"], SIZES[0])
    box = "getBoundingClientRect()"
    for step in range(len(data(pages["lecture"])["steps"])):
        browser.run(f"go({step})")
        right = browser.run(f"{SELECT}('.ring').{box}.right")
        level = browser.run(f"(({{ top, bottom }}) => (top + bottom) / 2)({SELECT}('.ring').{box})")
        lefts = browser.run(
            f"[...document.querySelectorAll('#picture .beside')].filter((one) => one.textContent)"
            f".map((one) => one.{box}).filter((one) => one.top < {level} + 20 && one.bottom > {level} - 20)"
            f".map((one) => one.left).filter((left) => Math.abs(left - {right}) < 20)"
        )
        assert all(left >= right - 2 for left in lefts), (step, lefts, right)


@needs_chromium
def test_on_paper_the_whole_tree_is_drawn_with_its_values(pages: dict[str, Path], browser: Browser) -> None:
    open_page(browser, pages["lecture"], media="print")
    words = [word for word, *_ in browser.run(TEXTS)]
    assert [words.count(leaf) for leaf in ("+3", "+12", "+8", "+2", "+14", "+5", "≤ +2")] == [
        3,
        1,
        1,
        2,
        1,
        1,
        2,
    ]
    assert browser.run("getComputedStyle(document.getElementById('controls')).display") == "none"
    assert browser.run("getComputedStyle(document.getElementById('side')).display") == "none"


@needs_chromium
def test_a_picture_too_wide_for_paper_is_printed_with_the_list(
    pages: dict[str, Path], browser: Browser
) -> None:
    """The list has the final values, whatever step is shown."""
    shown = []
    for name in ("lecture", "tictactoe"):
        open_page(browser, pages[name], media="print")
        browser.run("dispatchEvent(new Event('beforeprint'))")
        # The text of an element that is not drawn would be all that it has.
        shown.append(browser.run("((one) => getComputedStyle(one).display === 'none' ? '' : "
            "one.innerText)(document.getElementById('branches'))"))  # fmt: skip
        browser.run("dispatchEvent(new Event('afterprint'))")
        assert not browser.run("document.getElementById('branches').open")
    assert shown[0] == "" and "root MAX = -1" in shown[1] and "not reached" not in shown[1]
    assert shown[1].count("not searched (") == sum(
        node["role"] == "not searched" for node in data(pages["tictactoe"])["nodes"]
    )


@needs_chromium
def test_dark_and_light_pages_have_their_own_ground(pages: dict[str, Path], browser: Browser) -> None:
    grounds = []
    for look in ("light", "dark"):
        open_page(browser, pages["lecture"], look=look)
        grounds.append(browser.run("getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(255, 255, 255)", "rgb(20, 23, 27)"]


@needs_chromium
def test_words_of_a_tree_are_never_markup(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "evil.toml"
    title = "<img src=x onerror=hacked=1></script><script>hacked=1</script>"
    evil = "</script><script>hacked=1</script>"
    file.write_text(f"title = {json.dumps(title)}\nmax = {{{json.dumps(evil)} = {{min = [3, 4]}}, b = 4}}\n")
    words = ("tree", f"tree:{file}", "--engine", "alphabeta", "-o", str(tmp_path / "t.html"))
    assert run(router, "gameplay", [*words]) == 0
    open_page(browser, tmp_path / "t.html")
    for _ in range(9):
        browser.press("ArrowRight")
    assert browser.run("typeof hacked") == "undefined" and browser.run("document.images.length") == 0
    assert text(browser, "log").count(evil) > 3 and browser.run("document.title") == title
    assert browser.complaints() == []


# -- exercises -----------------------------------------------------------------------------------------


def choose_mode(browser: Browser, mode: str) -> None:
    browser.run(f"document.querySelector('[name=mode][value={mode}]').click()")


@needs_chromium
@pytest.mark.parametrize("size", SIZES)
def test_an_exercise_to_find_the_cuts(
    pages: dict[str, Path], browser: Browser, size: tuple[int, int]
) -> None:
    """The only cut that skips branches of the lecture's tree is at its second MIN node, after the leaf 2."""
    open_page(browser, pages["lecture"], size)
    choose_mode(browser, "cuts")
    assert browser.run("document.getElementById('cut').hidden && document.getElementById('slider').hidden")
    for _ in range(3):
        browser.click("#next")
    nodes = data(pages["lecture"])["nodes"]
    place = {" ".join(node["path"]): n for n, node in enumerate(nodes)}
    browser.click(f"#n{place['1 2']} .shape")
    assert text(browser, "feedback").startswith(
        "✗ No, no branch is pruned now: at 1 the window is still open"
    )
    browser.click(f"#n{place['1 1']} .shape")
    assert "that branch is searched already" in text(browser, "feedback")
    assert browser.run("document.documentElement.dataset.step") == "3", "a wrong click is no step"
    while (
        text(browser, "said")
        != "2 › 1 returns +2: MIN at 2 has +2 now, the first value; β falls from +∞ to +2"
    ):
        browser.click("#next")
    browser.click(f"#n{place['3']} .shape")
    assert "the branch that is pruned now is another one: compare α and β at 2 (α is +3, β is +2)" in text(
        browser, "feedback"
    )
    browser.click(f"#n{place['2 3']} .shape")
    assert text(browser, "feedback").startswith("✓ Right. 2: α +3 ≥ β +2, alpha cutoff")
    while not browser.run("document.getElementById('next').disabled"):
        browser.click("#next")
    assert text(browser, "score") == "Finished: cuts found: 1, missed: 0; wrong clicks: 3."
    browser.click("#again")
    assert text(browser, "score") == "cuts found: 0, missed: 0; wrong clicks: 0."
    while not browser.run("document.getElementById('next').disabled"):
        browser.press("ArrowRight")
    assert text(browser, "score") == "Finished: cuts found: 0, missed: 1; wrong clicks: 0."


LECTURE = [  # windows of the lecture's tree, worked by hand: whenever a node is entered or its window moves
    *("-inf inf", "-inf inf", "-inf 3", "3 inf", "3 inf", "3 2"),
    *("3 inf", "3 14", "3 5", "3 2"),
]


@needs_chromium
def test_an_exercise_to_fill_in_the_windows(pages: dict[str, Path], browser: Browser) -> None:
    open_page(browser, pages["lecture"])
    choose_mode(browser, "windows")
    count = 0
    while True:
        if not browser.run("document.getElementById('answer').hidden"):
            assert "[?, ?]" in browser.run(READ) and "window [" not in text(browser, "said")
            assert browser.run("document.getElementById('next').disabled")
            alpha, beta = LECTURE[count].split()
            if count == 2:
                fill_window(browser, alpha, "+8")
                assert text(browser, "feedback").startswith("✗ β is not right: β is the least")
                assert "[?, ?]" in browser.run(READ)
            fill_window(browser, alpha, f"+{beta}" if beta.isdigit() else beta)
            assert text(browser, "feedback").startswith("✓ Right. α is "), LECTURE[count]
            count += 1
        if browser.run("document.getElementById('next').disabled"):
            break
        browser.click("#next")
    assert count == len(LECTURE)
    assert text(browser, "score") == "Finished: windows right at the first try: 9 of 10."


def fill_window(browser: Browser, alpha: str, beta: str) -> None:
    for name, value in (("alpha", alpha), ("beta", beta)):
        browser.run(f"document.getElementById('{name}').value = {json.dumps(value)}")
    browser.click("#answer button")
