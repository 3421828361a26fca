"""The page of a run: tables, charts, games; in a browser if there is one."""

import io
import json
import re
import shutil
import subprocess
from base64 import b64encode
from contextlib import redirect_stdout
from dataclasses import replace
from hashlib import sha256
from html import escape, unescape
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from gameplay import __version__, registry
from gameplay.cli.runs import report
from gameplay.display.pages import chart, document
from gameplay.display.pages import run as pages_of
from gameplay.display.reports import crosstable
from gameplay.errors import BadInput
from gameplay.matches.match import match_without_players
from gameplay.players.player import Choice
from gameplay.runs.frames import frames, stage
from gameplay.runs.plan import Sprt
from gameplay.runs.played import MatchGame
from gameplay.store.record import Ply, Record
from tests.support.commands import gameplay
from tests.support.reports import game_files, last_drawing, match, match_game, summary

pytestmark = pytest.mark.once

assert game_files  # fixture

CHROMIUM = shutil.which("chromium")


# -- pictures and charts --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "moves"),
    [("connect4", "4 4 3 3 2 2 1"), ("tictactoe", "a1 b1 a2 b2 a3"), ("connect4:columns=4,rows=4", "1 1 2")],
)
def test_changes_add_up_to_the_last_drawing(spec, moves):
    game = registry.game(spec)
    words = moves.split()
    record = Record(1, spec, "", ["x", "y"], 0, [Ply(w, n % 2) for n, w in enumerate(words)], None, "", "0")
    shown_frames = frames(game, record)
    position = game.new()
    for word in words:
        move = position.parse(word)
        position.make(move)
    board = position.board(last=move)
    assert last_drawing(shown_frames) == [piece for row in board.cells for piece in row]
    wide = len(stage(game)["columns"])
    assert shown_frames["plies"][-1][7] == [y * wide + x for y, x in board.last]
    assert shown_frames["plies"][-1][8] == [y * wide + x for y, x in board.line]
    assert all(len(ply[6]) == 2 for ply in shown_frames["plies"])


def test_page_shows_a_game_without_board_as_text():
    """Backgammon has dice and a bar beside its board, Go has lines, and cards have no board."""
    for spec in ("backgammon", "kuhn", "go"):
        assert stage(registry.game(spec)) is None
    game = registry.game("go:size=5")
    plies = [Ply("c3", 0, 4, 2, 50, 0.5), Ply("b2", 1, seconds=0.5)]
    record = Record(1, "go:size=5", "", ["x", "y"], 0, plies, None, "", "0")
    shown_frames = frames(game, record, times=(0.25,))
    match = match_without_players(game)
    assert set(shown_frames) == {"cells", "text", "plies"} and shown_frames["cells"] is None
    assert shown_frames["text"] == match.show()
    match.make(Choice(match.position.parse("c3")))
    assert shown_frames["plies"][0] == ["c3", 0, 4, 2, 50, 0.25, match.show()]
    match.make(Choice(match.position.parse("b2")))
    assert shown_frames["plies"][1] == ["b2", 1, None, None, None, 0.5, match.show()]


def test_record_with_moves_after_the_end_has_no_drawings():
    plies = [Ply(word, n % 2) for n, word in enumerate(["a1", "b1", "a2", "b2", "a3", "b3"])]
    with pytest.raises(BadInput) as refused:
        frames(registry.game("tictactoe"), Record(1, "tictactoe", "", ["x", "y"], 0, plies, None, "", "0"))
    assert str(refused.value) == "the game is over before its move 6, 'b3'"


def test_page_shares_drawing_facts_between_games():
    drawing = stage(registry.game("tictactoe"))
    assert list(drawing) == ["columns", "rows", "owners", "glyphs", "ground", "white"]
    assert drawing["columns"] == ("a", "b", "c") and drawing["rows"] == ("1", "2", "3")


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-400, 400), (-3.2, 17), (0, 12345), (0, 0)])
def test_ticks_are_round_and_inside(low, high):
    ticks = chart.ticks(low, high)
    assert all(low - 1e-9 <= tick <= high + 1e-9 for tick in ticks) and 1 <= len(ticks) <= 8
    assert ticks == sorted(set(ticks))


@pytest.fixture(scope="module")
def pages(game_files, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, file in game_files.items():
        assert gameplay("report", file, "--html", folder / f"{name}.html") == 0
    return folder


TOURNAMENT = """game = "tictactoe"
form = "round-robin"
games = 2
depth = 2
players = [
    { name = "a player by chance, with a name that is long", player = "random" },
    { name = "a third", player = "alphabeta:depth=1" },
    { name = "the strongest", player = "alphabeta" },
]
"""


@pytest.fixture(scope="module")
def tournament(tmp_path_factory):
    """The terminal text and the page of a tournament whose last player is the best."""
    folder = tmp_path_factory.mktemp("tournament")
    (folder / "plan.toml").write_text(TOURNAMENT)
    store = ["--store", folder / "runs.db"]
    with redirect_stdout(io.StringIO()) as out:
        assert gameplay("tournament", folder / "plan.toml", "--jobs", "1", *store) == 0
        assert gameplay("report", "last", *store) == 0
        assert gameplay("report", "last", "--html", folder / "page.html", *store) == 0
    return out.getvalue(), folder / "page.html"


# -- the page -----------------------------------------------------------------------------------------------


def test_every_table_of_a_tournament_has_the_order_of_the_ranks(tournament):
    text, file = tournament
    ranks = re.findall(r"^(\d)  (\S.*?)  ", text, re.M)
    assert [number for number, _ in ranks] == ["1", "2", "3"]
    order = [name for _, name in ranks]
    assert order[0] == "the strongest" and order[-1].startswith("a player by chance")
    for cross in re.findall(r"in the row, of the games.*?\n(.*?)\n\n", text, re.S):
        listed = re.findall(r"^  \d\. (.*?)(?:…|  )", cross, re.M)
        assert len(listed) == 3
        assert all(name.startswith(begin) for name, begin in zip(order, listed, strict=True))
    page = file.read_text()
    tables = re.findall(r"<table><caption><span>(.*?)</span></caption>(.*?)</table>", page, re.S)
    rows = {caption: re.findall(r'<th scope="row">(.*?)</th>', table) for caption, table in tables}
    cross = rows["Wins +, draws =, losses - and score of the player in the row"]
    assert cross == [f"{number}. {name}" for number, name in enumerate(order, 1)]
    assert rows["By the seat: wins +, draws =, losses - and score"] == order
    first = re.search(r'<tr><th scope="row">1\. .*?</tr>', page)[0]
    assert re.findall("<td>(.*?)</td>", first)[0] == "", "nobody meets themselves"


def words_and_strokes(svg):
    """The boxes of the words of a chart, and its strokes, as a browser draws them."""
    boxes, strokes = [], []
    for x, y, anchor, dress, text in re.findall(
        r'<text x="(.*?)" y="(.*?)" text-anchor="(.*?)"( class="dim")?>(.*?)</text>', svg
    ):
        x, y, size = float(x), float(y), 11 if dress else 12
        wide = 0.56 * size * len(text)
        left = x - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
        boxes.append((left, y - 0.75 * size, left + wide, y + 0.2 * size, text))
    for line in re.findall(r'<line x1="(.*?)" y1="(.*?)" x2="(.*?)" y2="(.*?)"', svg):
        strokes.append(tuple(map(float, line)))
    for points in re.findall(r'<polyline points="(.*?)"', svg):
        ends = [tuple(map(float, point.split(","))) for point in points.split()]
        strokes += [(*low, *high) for low, high in pairwise(ends)]
    return boxes, strokes


def struck(box, stroke):
    """True if the bounding box of the stroke overlaps the box."""
    x1, y1, x2, y2 = stroke
    left, top, right, bottom, _ = box
    return min(x1, x2) < right and max(x1, x2) > left and min(y1, y2) < bottom and max(y1, y2) > top


def test_chart_lines_cross_no_labels():
    long = match("ww " * 12 + "wl " * 3, sprt=Sprt(elo0=0, elo1=10))
    third = "a third player, with a name as long as the chart is wide"
    met = [(("new", "old"), "wl"), (("new", third), "ww"), (("old", third), "wd")]
    games = [
        match_game(pair, leg, result, names=two)
        for pair, (two, legs) in enumerate(met)
        for leg, result in enumerate(legs)
    ]
    three = summary(games, players=("new", "old", third))
    charts = {
        "course": chart.sprt_course(long.llr_curve, long.sprt_verdict),
        "ratings": chart.rating_intervals(three.table.standings, three.table.scale),
        "lengths": chart.length_histogram({7: 3, 12: 40, 31: 1}),
    }
    for name, svg in charts.items():
        boxes, strokes = words_and_strokes(svg)
        assert len(boxes) > 2 and len(strokes) > 2, name
        assert [(box, stroke) for box in boxes for stroke in strokes if struck(box, stroke)] == [], name
    assert struck((0, 0, 10, 10, ""), (5, -5, 5, 20)) and not struck((0, 0, 10, 10, ""), (11, -5, 11, 20))


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("wide", [400, 1200])
def test_page_tables_fit_or_are_scrollable_by_keyboard(tournament, tmp_path, wide, look):
    page = tournament[1].read_text()
    frame = f'<iframe width="{wide}" height="800" srcdoc="{escape(page)}"></iframe>'
    measure = """<script>onload = () => {
        const page = frames[0].document, boxes = [];
        for (const box of page.querySelectorAll(".wide")) {
            box.focus();
            const note = box.nextElementSibling, shown = note && note.className === "hint" && !note.hidden;
            const how = { key: "ArrowRight", bubbles: true, cancelable: true };
            const right = new frames[0].KeyboardEvent("keydown", how);
            box.dispatchEvent(right);
            boxes.push({
                hidden: box.scrollWidth - box.clientWidth, hint: shown ? note.textContent : "",
                focus: page.activeElement === box, label: box.getAttribute("aria-label"),
                role: box.getAttribute("role"), kept: !right.defaultPrevented,
            });
            box.scrollLeft = 9999;
            box.dispatchEvent(new Event("scroll"));
        }
        const after = [...page.querySelectorAll(".hint:not([hidden])")].map((note) => note.textContent);
        const paper = frames[0].getComputedStyle(page.body).backgroundColor;
        const all = { boxes: boxes, after: after, paper: paper, wide: page.documentElement.scrollWidth };
        document.body.dataset.boxes = JSON.stringify(all);
    }</script>"""
    (tmp_path / "frame.html").write_text(f"<body>{frame}{measure}</body>")
    more = ["--blink-settings=preferredColorScheme=" + {"dark": "0", "light": "1"}[look]]
    dom = run_browser(tmp_path / "frame.html", "", tmp_path, f"--window-size={wide + 100},900", *more)
    document = json.loads(unescape(re.search(r'data-boxes="(.*?)"', dom)[1]))
    assert document["paper"] == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 27)"}[look]
    assert document["wide"] <= wide, "the page itself does not scroll sideways"
    assert len(document["boxes"]) >= 4
    for box in document["boxes"]:
        assert box["focus"] and box["kept"] and box["role"] == "region" and box["label"]
        assert bool(box["hint"]) == (box["hidden"] > 1)
        assert not box["hint"] or box["hint"] == "more columns: scroll sideways \u2192"
    assert set(document["after"]) <= {"\u2190 more columns: scroll sideways"}
    assert any(box["hint"] for box in document["boxes"]) == (wide == 400)


class Reader(HTMLParser):
    """Records tags and their attributes; checks that all are closed in order."""

    VOID = {"meta", "input", "line", "circle", "rect", "polyline", "polygon"}

    def __init__(self, text):
        super().__init__()
        self.open, self.found = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag


@pytest.mark.parametrize("name", ["line", "tree"])
def test_the_page_needs_nothing_else_and_runs_its_own_script_only(pages, name):
    text = (pages / f"{name}.html").read_text()
    reader = Reader(text)
    assert reader.open == []
    for tag, attributes in reader.found:
        assert not {"src", "href", "style"} & set(attributes), tag
        assert not [key for key in attributes if key.startswith("on")], tag
    assert "@import" not in text and "url(" not in text and "//cdn" not in text
    policy = next(a["content"] for tag, a in reader.found if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy
    for tag in ("style", "script"):
        inline = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.S)[1]
        assert f"'sha256-{b64encode(sha256(inline.encode()).digest()).decode()}'" in policy
    ids = [a["id"] for _, a in reader.found if "id" in a]
    assert len(ids) == len(set(ids))
    assert all(a.get("scope") in ("col", "row") for tag, a in reader.found if tag == "th")
    assert all(a.get("aria-label") for tag, a in reader.found if tag in ("button", "svg", "select", "input"))


def test_the_page_holds_every_game(pages, game_files):
    text = (pages / "line.html").read_text()
    data = json.loads(re.search(r'<script type="application/json" id="games">(.*?)</script>', text, re.S)[1])
    games = [json.loads(line)["record"] for line in game_files["line"].read_text().splitlines()[1:]]
    assert [[ply[0] for ply in game["plies"]] for game in data["games"]] == [
        [ply["move"] for ply in game["moves"]] for game in games
    ]
    assert len(text) < 200_000
    assert report._page(*report.read_run(str(game_files["line"]), None)) == text


def run_browser(file, words, folder, *more):
    flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync"
    flags += " --disable-background-networking --disable-component-update --window-size=360,800"
    command = [CHROMIUM, *flags.split(), *more, f"--user-data-dir={folder / 'chromium'}", "--dump-dom"]
    completed = subprocess.run(
        [*command, f"file://{file}{words}"], capture_output=True, text=True, timeout=60
    )
    return completed.stdout


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
def test_a_browser_runs_the_page_and_steps_through_its_games(pages, game_files, tmp_path):
    games = [json.loads(line)["record"] for line in game_files["line"].read_text().splitlines()[1:]]
    dom = run_browser(pages / "line.html", "?game=3&ply=7", tmp_path)
    assert 'data-script="ran"' in dom and 'data-shown="game 3 ply 7"' in dom
    game = games[2]
    position = registry.game("connect4").new()
    for ply in game["moves"][:7]:
        move = position.parse(ply["move"])
        position.make(move)
    board = re.search(r'<div id="board">(.*?)</div>', dom, re.S)[1]
    drawn = [
        cell.replace("\xa0", "").replace("&nbsp;", "") for cell in re.findall(r"<span.*?>(.*?)</span>", board)
    ]
    shown = position.board()
    assert drawn == [shown.glyphs.get(piece, piece) for row in shown.cells for piece in row]
    assert board.count('class="last"') == 1
    match = re.search(r'<p id="said".*?>(.*?)</p>', dom)[1]
    assert match.startswith("7. blue (iterative): " + game["moves"][6]["move"])
    assert "<polyline" in re.search(r'<div id="curve">(.*?)</div>', dom, re.S)[1]
    dom = run_browser(pages / "line.html", "#game=99&ply=999", tmp_path)
    assert f'data-shown="game 12 ply {len(games[11]["moves"])}"' in dom and 'data-script="ran"' in dom


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
def test_a_browser_shows_a_game_without_a_board_in_characters(pages, tmp_path):
    dom = run_browser(pages / "tree.html", "#game=1&ply=1", tmp_path)
    assert 'data-script="ran"' in dom and 'data-shown="game 1 ply 1"' in dom
    assert re.search(r'<div id="board"><pre>start B.*?</pre>', dom, re.S)


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
def test_the_page_fits_on_a_phone(pages, tmp_path):
    frame = f'<iframe width="360" height="800" srcdoc="{escape((pages / "line.html").read_text())}"></iframe>'
    measure = (
        "<script>onload = () => { const page = frames[0].document.documentElement;"
        "document.body.dataset.wide = page.scrollWidth + ' of ' + page.clientWidth;"
        "document.body.dataset.script = page.dataset.script }</script>"
    )
    (tmp_path / "phone.html").write_text(f"<body>{frame}{measure}</body>")
    body = re.search(r"<body.*?>", run_browser(tmp_path / "phone.html", "", tmp_path))[0]
    wide, narrow = map(int, re.search(r'data-wide="(\d+) of (\d+)"', body).groups())
    assert wide == narrow <= 360 and 'data-script="ran"' in body


def test_variance_reduction_by_shared_luck_is_reported():
    # Means of pairs are 0 in wl, 1 in ww and -1 in ll. Single games vary by 1, so means of two by 1/2.
    assert match("wl wl wl", points="points").variance_reduction("new") == 1.0
    assert match("wl wl ww ll", points="points").variance_reduction("new") == pytest.approx(0.0)
    assert match("ww ll", points="points").variance_reduction("new") == pytest.approx(-1.0)
    assert match("wl wl").variance_reduction("new") is None  # payoffs do not count
    assert match("wl", points="points").variance_reduction("new") is None


# -- output -------------------------------------------------------------------------------------------


def test_a_page_shows_games_up_to_its_limit(monkeypatch):
    monkeypatch.setattr(pages_of, "MAX_GAMES", 2)
    games = [match_game(number, 0, "w") for number in range(4)]
    games[1] = replace(games[1], record=None)
    pages, shown = report._add_games(summary([]), games)
    assert shown == [games[0], games[2]] and sum(pages.lengths.values()) == 3
    assert pages.counted == 4


def test_page_contains_the_termination_of_each_game():
    games = [
        match_game(0, 0, "w"),
        match_game(0, 1, "w", termination="crash"),
        match_game(1, 0, "d", termination="plies"),
        MatchGame(1, 1, ("new", "old"), (), "void", None, state="void"),
        MatchGame(2, 0, ("a", "b", "c"), (1.0, 0.5, -1.5), "odd", None),
    ]
    drawn = [{"plies": [[0, 0, value]]} for value in (None, 12, -40, 999_999, 7)]
    data = pages_of._data(summary(games[:1]), {"rows": 6}, list(zip(games, drawn, strict=True)))
    assert [game["score"] for game in data["games"]] == [
        "1-0",
        "0-1",
        "1/2-1/2",
        "no result",
        "1 : 0.5 : -1.5",
    ]
    assert [game["ended"] for game in data["games"]] == [
        "1-0, by the rules.",
        "0-1, lost by a crash.",
        "1/2-1/2, adjudicated as a draw by its length.",
        "no result, not counted.",
        "1 : 0.5 : -1.5, odd.",
    ]
    assert (data["stage"], data["sides"], data["scale"]) == ({"rows": 6}, ["blue", "orange"], 12)
    assert pages_of._data(summary([]), None, [])["scale"] == 1
    assert [pages_of.format_seconds(took) for took in (0.00312, 0.9999, 1, 12.345)] == [
        *("3.1 ms", "999.9 ms", "1.00 s", "12.35 s"),
    ]
    assert crosstable.format_points((1, 3, 4)) == "5.5/8" and crosstable.format_points((0, 0, 0)) == ""
    assert pages_of.format_counts((1, 3, 4)) == "+4 =3 -1, 68.8 %" and pages_of.format_counts((0, 0, 0)) == ""


def test_html_elements_of_pages():
    """Words stay as they are, figures break only after commas; a long table ends with a count."""
    assert document.table("<A>", ["", "won", "by"], [["a & b", "1 of 2, 50 %", "x y"]], text=(2,)) == (
        '<div class="wide" tabindex="0" role="region" aria-label="&lt;A&gt;">'
        "<table><caption><span>&lt;A&gt;</span></caption>\n"
        '<thead><tr><th scope="col" class="words"></th><th scope="col">won</th>'
        '<th scope="col" class="words">by</th></tr></thead>\n<tbody>'
        '<tr><th scope="row">a &amp; b</th><td>1\u00a0of\u00a02, 50\u00a0%</td>'
        '<td class="words">x y</td></tr>'
        "</tbody></table></div>"
    )
    for rows, more in ((200, 0), (201, 1), (1450, 1250)):
        text = document.table("t", ["n"], [[str(row)] for row in range(rows)])
        assert text.count('scope="row"') == 200 and '<th scope="row">199</th>' in text
        assert text.endswith(
            f'</table></div><p class="dim">and {more} more</p>' if more else "</table></div>"
        )
    assert (
        document.section("A < B", "<p>x</p>", "y") == "<section>\n<h2>A &lt; B</h2>\n<p>x</p>\ny\n</section>"
    )
    for number, counted, note in ((5, 5, ""), (5, 1200, "<p class='dim'>5 of 1,200 games.</p>")):
        lines = document.viewer(number, counted).splitlines()
        assert lines[:3] == ["<section>", "<h2>Games</h2>", note] and len(lines) == 7
    assert [sign for sign in ("|&lt;", ">&lt;<", ">&gt;<", "&gt;|") if sign in lines[4]] == [
        *("|&lt;", ">&lt;<", ">&gt;<", "&gt;|"),
    ]


def test_page_contains_its_parts_and_forbids_other_scripts():
    """Text that would end a script, or its line, is escaped; a printed page has no script."""
    line = "</script>\u2028\u2029é"
    page, paper = (
        document.document("A < B", ["", "one", "two"], {"x": line}),
        document.paper("C", ["a"], ".b{}"),
    )
    shown = "\\u003c/script>" + r"\\u2028\\u2029é"  # separators of lines are shown, as all controls are
    assert f'<script type="application/json" id="games">{{"x":"{shown}"}}</script>' in page
    assert "<title>A &lt; B</title>" in page and "<main>\none\ntwo\n</main>" in page
    assert "<main>\na\n</main>" in paper and "<script" not in paper and "script-src" not in paper
    for text, names in ((page, ("style", "script")), (paper, ("style",))):
        hashes = re.findall(r"'sha256-([^']*)'", text)
        for name, word in zip(names, hashes, strict=True):
            (held,) = re.findall(rf"(?s)<{name}>(.*?)</{name}>", text)
            assert b64encode(sha256(held.encode()).digest()).decode() == word
        assert text.startswith("<!doctype html>") and text.endswith("</body>\n</html>\n")
        assert f"Made by gameplay {__version__}.</p>" in text
    assert paper.count(".b{}") == 1
