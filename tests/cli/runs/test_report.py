"""What a run came to: its figures, the terminal, and the page, opened in a browser where there is one."""

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
from types import SimpleNamespace

import msgspec
import pytest

from gameplay import __version__, registry
from gameplay.cli import router, run
from gameplay.cli.runs import report
from gameplay.display.pages import chart, document
from gameplay.display.pages import run as pages_of
from gameplay.display.pages.run import page
from gameplay.display.reports import crosstable, ending
from gameplay.display.theme import Theme
from gameplay.errors import BadInput
from gameplay.matches.match import unplayed
from gameplay.players.player import Choice
from gameplay.runs.frames import frames, stage
from gameplay.runs.pairing import Ranked
from gameplay.runs.plan import Entrant, Plan, Sprt
from gameplay.runs.played import Played
from gameplay.runs.summary import Summary
from gameplay.search.limit import Limit
from gameplay.statistics.sprt import sprt
from gameplay.store import lines
from gameplay.store.record import Ply, Record
from tests.support.golden import golden
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

CHROMIUM = shutil.which("chromium")


def gameplay(*words):
    return run(router, "gameplay", [*map(str, words)])


def played(pair, leg, result, names=("new", "old"), moves="1 2 1 2 1 2 1", **more):
    """A game of the first player's `result`, win w, draw d or loss l; they have seat 0 in leg 0."""
    pays = {"w": (1.0, -1.0), "d": (0.0, 0.0), "l": (-1.0, 1.0)}[result]
    words = moves.split()
    plies = [Ply(word, n % 2) for n, word in enumerate(words[:2])]
    plies += [Ply(word, n % 2, value=n, depth=3, nodes=100 + 50 * n) for n, word in enumerate(words[2:])]
    order, payoffs = (names, pays) if leg == 0 else (names[::-1], pays[::-1])
    record = Record(1, "connect4", "", list(order), pair, plies, list(payoffs), "rules", "0")
    more = {"termination": "rules", "times": (0.0,) * 2 + (0.01, 0.02) * 3, "opening": 2} | more
    return Played(pair=pair, leg=leg, names=order, payoffs=payoffs, record=record, **more)


def games_of_three():
    """Nine pairs of games between a, b and c."""
    games, pair = [], 0
    for names, results in ((("a", "b"), "wwd"), (("b", "c"), "wdw"), (("a", "c"), "wwl")):
        for number, result in enumerate(results):
            for leg in (0, 1):
                moves = f"{1 + pair % 7} {1 + pair // 7} {1 + leg} {1 + number}"
                games.append(played(pair, leg, result, names, moves))
            pair += 1
    return games


def summary(games, players=("new", "old"), **more):
    given = {"title": "t", "game": "connect4", "specs": {}, "sides": ("blue", "orange"), "planned": None}
    return Summary(players=players, games=games, **(given | more))


def match(results, **more):
    """Pairs from words such as `wl` and `dd`; each from an opening of its own, so that nothing repeats."""
    return summary(pairs(results), **more)


def pairs(results):
    games = []
    for pair, result in enumerate(results.split()):
        opening = " ".join("1234567"[(pair // 7**n) % 7] for n in range(2))
        games += [played(pair, leg, one, moves=f"{opening} 4 {1 + leg}") for leg, one in enumerate(result)]
    return games


def test_figures_of_a_match_by_hand():
    found = match("ww wl dd wd lw ll")
    assert {two: tally.games for two, tally in found.met.items()} == {
        ("new", "old"): [4, 3, 5],
        ("old", "new"): [5, 3, 4],
    }
    assert found.duel.pairs == [1, 0, 3, 1, 1] and found.tally("old", "new").pairs == [1, 1, 3, 0, 1]
    assert found.by_seat("new", 0) == [2, 1, 3] and found.by_seat("old", 1) == [3, 1, 2]
    assert found.together("new") == [4, 3, 5] and found.duel.points == 6.5
    assert found.repeats == 0 and found.faults == [] and found.warnings == []
    assert found.rating.score == pytest.approx(6.5 / 12)
    assert found.lengths == {4: 12} and len(found.openings) == 6
    assert found.openings[0] == ("1 1", 2, 2.0)
    assert found.work["new"].moves == 12 and found.work["old"].moves == 12
    assert found.work["new"].nodes == 6 * 100 + 6 * 150
    assert found.work["new"].seconds == pytest.approx(6 * 0.01 + 6 * 0.02)
    assert "new scored 54.2 % against old (won 5, drawn 3, lost 4)" in found.verdict
    assert "Which is the stronger is open" in found.verdict


def test_swapping_the_players_mirrors_the_figures():
    one, other = match("ww wl dd wd lw ll wd"), match("ww wl dd wd lw ll wd", players=("old", "new"))
    assert one.rating.elo == pytest.approx(-other.rating.elo)
    assert (
        one.table["new"].elo
        == pytest.approx(other.table["new"].elo)
        == pytest.approx(-other.table["old"].elo)
    )
    assert one.rating.low == pytest.approx(-other.rating.high)


def test_the_course_of_the_test_is_that_of_the_counts():
    asked = Sprt(elo0=0, elo1=50)
    found = match("ww wd dd wl lw wd ww wd", sprt=asked)
    assert [games for games, _ in found.course] == [0, 2, 4, 6, 8, 10, 12, 14, 16]
    counts = [0] * 5
    for (_, llr), half_points in zip(found.course[1:], (4, 3, 2, 2, 2, 3, 4, 3), strict=True):
        counts[half_points] += 1
        assert llr == pytest.approx(sprt(counts, 0, 50).llr)
    assert found.test.decision is None and "The SPRT is undecided (LLR " in found.verdict
    long = match(" ".join(["ww", "wd", "wd", "wl"] * 12), sprt=Sprt(elo0=0, elo1=200))
    assert long.test.decision == "H1" and "). H1 accepted (LLR " in long.verdict


def test_pairs_after_a_gap_do_not_count_for_the_test():
    whole = pairs("ww wd dd wl")
    torn = summary([g for g in whole if (g.pair, g.leg) != (1, 0)], sprt=Sprt(elo0=0, elo1=50))
    assert [games for games, _ in torn.course] == [0, 2]
    assert torn.in_row.pairs == [0, 0, 0, 0, 1] and torn.duel.pairs == [0, 0, 2, 0, 1]
    assert torn.table["new"].games == 6, "the half of a pair alone would favour whoever had the better side"


def test_results_without_a_conclusion_are_said_to_have_none():
    same = summary([played(pair, leg, "w" if leg == 0 else "l") for pair in range(5) for leg in (0, 1)])
    assert same.repeats == 8 and same.refused is not None
    assert isinstance(same.rating, str) and isinstance(same.table, str)
    assert "No conclusion can be drawn" in same.verdict
    assert "Elo: none" not in same.verdict
    late = match(" ".join(["wl"] * 20 + ["ww"]))
    assert not late.warnings
    few = match("wl dw wd", planned=100)
    assert [guard.name for guard in few.warnings] == ["peeking"]
    assert summary([]).verdict == "No game is finished."


def test_pairs_from_one_opening_are_refused():
    games = [played(pair, leg, "w", moves=f"1 1 {1 + pair} {1 + leg}") for pair in range(3) for leg in (0, 1)]
    found = summary(games)
    assert [guard.name for guard in found.warnings] == ["openings"]
    assert "3 pairs began from only 1 different openings" in found.rating == found.table
    assert [guard.name for guard in summary(games[:2]).warnings] == []


def test_void_games_are_faults_and_no_results():
    void = Played(0, 0, ("new", "old"), (), "void", None, state="void", fault="killed by signal 9")
    lost = played(1, 0, "l", termination="crash", offender="new", fault="it <crashed>")
    found = summary([void, lost, played(1, 1, "w")])
    assert found.duel.games == [1, 0, 1] and found.faults == [void, lost]
    assert found.verdict.endswith("Faults: new: 1 crash; this machine: 1 void game.")
    text = page(found, None, [])
    assert "it &lt;crashed&gt;" in text and "killed by signal 9" in text and "it <crashed>" not in text


def test_a_table_of_three_has_ratings_and_their_order():
    games = games_of_three()
    found = summary(games, players=("c", "b", "a"))
    assert found.tally("a", "b").games == [0, 2, 4]
    assert [s.name for s in found.table.standings] == ["a", "b", "c"]
    assert found.verdict.startswith("a is first, ")
    text = page(found, None, [])
    assert text.count('<th scope="row">') >= 9 and "against 3" in text


# -- pictures and charts --------------------------------------------------------------------------------


def shown(pictures):
    """The last drawing, from the first one and the changes."""
    cells = list(pictures["cells"])
    for ply in pictures["plies"]:
        for at, piece in zip(ply[6][::2], ply[6][1::2], strict=True):
            cells[at] = piece
    return cells


@pytest.mark.parametrize(
    ("spec", "moves"),
    [("connect4", "4 4 3 3 2 2 1"), ("tictactoe", "a1 b1 a2 b2 a3"), ("connect4:columns=4,rows=4", "1 1 2")],
)
def test_changes_add_up_to_the_last_drawing(spec, moves):
    game = registry.game(spec)
    words = moves.split()
    record = Record(1, spec, "", ["x", "y"], 0, [Ply(w, n % 2) for n, w in enumerate(words)], None, "", "0")
    found = frames(game, record)
    position = game.new()
    for word in words:
        move = position.parse(word)
        position.make(move)
    board = position.board(last=move)
    assert shown(found) == [piece for row in board.cells for piece in row]
    wide = len(stage(game)["columns"])
    assert found["plies"][-1][7] == [y * wide + x for y, x in board.last]
    assert found["plies"][-1][8] == [y * wide + x for y, x in board.line]
    assert all(len(ply[6]) == 2 for ply in found["plies"])


def test_a_game_that_a_page_cannot_draw_is_told_in_characters():
    """Dice and the bar lie beside backgammon's board, Go's is of lines, and cards have none."""
    for spec in ("backgammon", "kuhn", "go"):
        assert stage(registry.game(spec)) is None
    game = registry.game("go:size=5")
    plies = [Ply("c3", 0, 4, 2, 50, 0.5), Ply("b2", 1, seconds=0.5)]
    record = Record(1, "go:size=5", "", ["x", "y"], 0, plies, None, "", "0")
    found = frames(game, record, times=(0.25,))
    match = unplayed(game)
    assert set(found) == {"cells", "text", "plies"} and found["cells"] is None
    assert found["text"] == match.show()
    match.make(Choice(match.position.parse("c3")))
    assert found["plies"][0] == ["c3", 0, 4, 2, 50, 0.25, match.show()]
    match.make(Choice(match.position.parse("b2")))
    assert found["plies"][1] == ["b2", 1, None, None, None, 0.5, match.show()]


def test_a_record_that_goes_on_after_the_end_has_no_pictures():
    plies = [Ply(word, n % 2) for n, word in enumerate(["a1", "b1", "a2", "b2", "a3", "b3"])]
    with pytest.raises(BadInput) as refused:
        frames(registry.game("tictactoe"), Record(1, "tictactoe", "", ["x", "y"], 0, plies, None, "", "0"))
    assert str(refused.value) == "the game is over before its move 6, 'b3'"


def test_what_pages_draw_of_a_game_is_shared_by_its_games():
    found = stage(registry.game("tictactoe"))
    assert list(found) == ["columns", "rows", "owners", "glyphs", "ground", "white"]
    assert found["columns"] == ("a", "b", "c") and found["rows"] == ("1", "2", "3")


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-400, 400), (-3.2, 17), (0, 12345), (0, 0)])
def test_ticks_are_round_and_inside(low, high):
    found = chart.ticks(low, high)
    assert all(low - 1e-9 <= tick <= high + 1e-9 for tick in found) and 1 <= len(found) <= 8
    assert found == sorted(set(found))


# -- the command ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A file of selfplay, and one of a tree, which has no board."""
    folder = tmp_path_factory.mktemp("kept")
    line, tree = folder / "line.jsonl", folder / "nim.jsonl"
    words = ["--nodes", "60", "--seed", "3", "--jobs", "1", "--store", folder / "runs.db"]
    assert gameplay("selfplay", "connect4", "--games", "12", "--out", line, *words) == 0
    (folder / "nim.toml").write_text('title = "n"\n[max.A.min]\nx = 1\ny = -1\n[max.B.min]\nz = 2\nw = 3\n')
    assert (
        gameplay("selfplay", folder / "nim.toml", "--games", "2", "--openings", "0", "--out", tree, *words)
        == 0
    )
    return {"line": line, "tree": tree}


def test_a_file_of_selfplay_is_told_on_the_terminal_and_as_json(kept, capsys):
    assert gameplay("report", kept["line"]) == 0
    out = capsys.readouterr().out
    for words in ("iterative scored ", "as blue", "Elo", "nodes a move", "Faults: none"):
        assert words in out
    assert gameplay("report", kept["line"], "--json") == 0
    told = json.loads(capsys.readouterr().out)
    games = [json.loads(line) for line in kept["line"].read_text().splitlines()[1:]]
    wins = sum(game["payoffs"][game["leg"]] > 0 for game in games)
    assert told["cross"][0]["wins"] == wins and told["games"] == 12
    assert told["verdict"].startswith("iterative scored")


def test_a_run_in_the_store_and_its_export_tell_the_same(home, tmp_path, capsys):
    words = ["--game", "tictactoe", "--games", "8", "--depth", "3", "--seed", "2", "--jobs", "1"]
    words += ["--title", "<b>&\u2028", "--sprt", "0,20"]
    assert gameplay("match", "deep=alphabeta", "luck=random", *words) in (0, 3, 4)
    capsys.readouterr()
    assert gameplay("report", "last", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 8 and told["sprt"]["model"] == "normalized"
    assert [player["name"] for player in told["players"]] == ["deep", "luck"]
    assert gameplay("export", "last", "--out", tmp_path / "run.jsonl") == 0
    capsys.readouterr()
    assert gameplay("report", tmp_path / "run.jsonl", "--json") == 0
    assert json.loads(capsys.readouterr().out) == told
    (tmp_path / "run.jsonl").rename(tmp_path / "run")  # whatever it is called
    assert gameplay("report", tmp_path / "run", "--json") == 0
    assert json.loads(capsys.readouterr().out)["games"] == told["games"]
    assert gameplay("report", "last", "--html", tmp_path / "run.html") == 0
    text = (tmp_path / "run.html").read_text()
    assert "<b>&" not in text and "&lt;b&gt;&amp;" in text
    assert "The test (SPRT)" in text and "H1 at 2.94" in text


def test_openings_that_were_listed_are_told(tmp_path, capsys):
    """The moves that were given are the opening, and nobody's work."""
    (tmp_path / "begin.txt").write_text("moves a1 b1\nmoves a2 b1\nmoves c3 b1\n")
    words = ["--first", "random", "--second", "random:seed=3", "--games", "6", "--jobs", "1"]
    words += ["--openings", tmp_path / "begin.txt", "--out", tmp_path / "games.jsonl", "--json"]
    assert gameplay("selfplay", "tictactoe", *words) == 0
    played = json.loads(capsys.readouterr().out)
    found, games = report.read(str(tmp_path / "games.jsonl"), None)
    assert sorted(words for words, *_ in found.openings) == ["a1 b1", "a2 b1", "c3 b1"]
    assert found.refused is None
    assert [work.moves for work in found.work.values()] == [one["moves"] for one in played["efforts"]]
    assert sum(one["moves"] for one in played["efforts"]) == sum(len(g.record.moves) - 2 for g in games)


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [(["none.jsonl"], 6, "there is no file none.jsonl"), (["nobody"], None, "nobody"), ([], 2, "RUN")],
)
def test_mistakes_are_one_line(words, status, complaint, capsys):
    found = gameplay("report", *words)
    err = capsys.readouterr().err
    assert found == status or (status is None and found in (2, 6))
    assert (complaint in err or "runs.db" in err) and "Traceback" not in err


def test_a_file_that_is_no_run_is_refused(tmp_path, capsys):
    (tmp_path / "x.jsonl").write_text('{"some": "thing"}\n')
    assert gameplay("report", tmp_path / "x.jsonl") == 6
    assert "x.jsonl, line 1" in capsys.readouterr().err


def test_a_game_that_cannot_be_is_named(kept, tmp_path, capsys):
    header, games = lines.read(kept["line"].read_bytes().splitlines(keepends=True), "")
    written = [lines.line(header)]
    for number, game in enumerate(games):
        if number == 3:
            game.record = msgspec.Raw(bytes(game.record).replace(b'"move":"', b'"move":"9', 1))
        written.append(lines.line(game))
    (tmp_path / "wrong.jsonl").write_bytes(b"".join(written))
    assert gameplay("report", tmp_path / "wrong.jsonl", "--html", tmp_path / "x.html") == 6
    assert "pair 2, game 2 cannot be drawn: " in capsys.readouterr().err
    assert not (tmp_path / "x.html").exists()


# -- the page -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pages(kept, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, file in kept.items():
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
    """The text on the terminal and the page of a tournament whose last player is the best."""
    folder = tmp_path_factory.mktemp("tournament")
    (folder / "plan.toml").write_text(TOURNAMENT)
    store = ["--store", folder / "runs.db"]
    with redirect_stdout(io.StringIO()) as out:
        assert gameplay("tournament", folder / "plan.toml", "--jobs", "1", *store) == 0
        assert gameplay("report", "last", *store) == 0
        assert gameplay("report", "last", "--html", folder / "page.html", *store) == 0
    return out.getvalue(), folder / "page.html"


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
    """The boxes of the words of a chart, and its lines, as far as a browser draws them so."""
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
        strokes += [(*one, *other) for one, other in pairwise(ends)]
    return boxes, strokes


def struck(box, stroke):
    """True if the stroke, upright, level or short, goes through the box."""
    x1, y1, x2, y2 = stroke
    left, top, right, bottom, _ = box
    return min(x1, x2) < right and max(x1, x2) > left and min(y1, y2) < bottom and max(y1, y2) > top


def test_no_line_of_a_chart_goes_through_a_word():
    long = match("ww " * 12 + "wl " * 3, sprt=Sprt(elo0=0, elo1=10))
    third = "a third player, with a name as long as the chart is wide"
    met = [(("new", "old"), "wl"), (("new", third), "ww"), (("old", third), "wd")]
    games = [
        played(pair, leg, result, names=two)
        for pair, (two, legs) in enumerate(met)
        for leg, result in enumerate(legs)
    ]
    three = summary(games, players=("new", "old", third))
    charts = {
        "course": chart.course(long.course, long.test),
        "ratings": chart.ratings(three.table.standings, three.table.scale),
        "lengths": chart.lengths({7: 3, 12: 40, 31: 1}),
    }
    for name, svg in charts.items():
        boxes, strokes = words_and_strokes(svg)
        assert len(boxes) > 2 and len(strokes) > 2, name
        assert [(box, stroke) for box in boxes for stroke in strokes if struck(box, stroke)] == [], name
    assert struck((0, 0, 10, 10, ""), (5, -5, 5, 20)) and not struck((0, 0, 10, 10, ""), (11, -5, 11, 20))


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("wide", [400, 1200])
def test_tables_fit_or_say_that_they_scroll_and_are_reached_by_keyboard(tournament, tmp_path, wide, look):
    page = tournament[1].read_text()
    frame = f'<iframe width="{wide}" height="800" srcdoc="{escape(page)}"></iframe>'
    measure = """<script>onload = () => {
        const page = frames[0].document, told = [];
        for (const box of page.querySelectorAll(".wide")) {
            box.focus();
            const note = box.nextElementSibling, shown = note && note.className === "hint" && !note.hidden;
            const how = { key: "ArrowRight", bubbles: true, cancelable: true };
            const right = new frames[0].KeyboardEvent("keydown", how);
            box.dispatchEvent(right);
            told.push({
                hidden: box.scrollWidth - box.clientWidth, hint: shown ? note.textContent : "",
                focus: page.activeElement === box, label: box.getAttribute("aria-label"),
                role: box.getAttribute("role"), kept: !right.defaultPrevented,
            });
            box.scrollLeft = 9999;
            box.dispatchEvent(new Event("scroll"));
        }
        const after = [...page.querySelectorAll(".hint:not([hidden])")].map((note) => note.textContent);
        const paper = frames[0].getComputedStyle(page.body).backgroundColor;
        const all = { told: told, after: after, paper: paper, wide: page.documentElement.scrollWidth };
        document.body.dataset.told = JSON.stringify(all);
    }</script>"""
    (tmp_path / "frame.html").write_text(f"<body>{frame}{measure}</body>")
    more = ["--blink-settings=preferredColorScheme=" + {"dark": "0", "light": "1"}[look]]
    dom = browsed(tmp_path / "frame.html", "", tmp_path, f"--window-size={wide + 100},900", *more)
    found = json.loads(unescape(re.search(r'data-told="(.*?)"', dom)[1]))
    assert found["paper"] == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 27)"}[look]
    assert found["wide"] <= wide, "the page itself does not scroll sideways"
    assert len(found["told"]) >= 4
    for box in found["told"]:
        assert box["focus"] and box["kept"] and box["role"] == "region" and box["label"]
        assert bool(box["hint"]) == (box["hidden"] > 1)
        assert not box["hint"] or box["hint"] == "more columns: scroll sideways \u2192"
    assert set(found["after"]) <= {"\u2190 more columns: scroll sideways"}
    assert any(box["hint"] for box in found["told"]) == (wide == 400)


class Reader(HTMLParser):
    """Tags and their attributes, and that all of them are closed in order."""

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


def test_the_page_holds_every_game(pages, kept):
    text = (pages / "line.html").read_text()
    data = json.loads(re.search(r'<script type="application/json" id="games">(.*?)</script>', text, re.S)[1])
    games = [json.loads(line)["record"] for line in kept["line"].read_text().splitlines()[1:]]
    assert [[ply[0] for ply in game["plies"]] for game in data["games"]] == [
        [ply["move"] for ply in game["moves"]] for game in games
    ]
    assert len(text) < 200_000
    assert report._page(*report.read(str(kept["line"]), None)) == text


def browsed(file, words, folder, *more):
    flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync"
    flags += " --disable-background-networking --disable-component-update --window-size=360,800"
    command = [CHROMIUM, *flags.split(), *more, f"--user-data-dir={folder / 'chromium'}", "--dump-dom"]
    found = subprocess.run([*command, f"file://{file}{words}"], capture_output=True, text=True, timeout=60)
    return found.stdout


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
def test_a_browser_runs_the_page_and_steps_through_its_games(pages, kept, tmp_path):
    games = [json.loads(line)["record"] for line in kept["line"].read_text().splitlines()[1:]]
    dom = browsed(pages / "line.html", "?game=3&ply=7", tmp_path)
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
    said = re.search(r'<p id="said".*?>(.*?)</p>', dom)[1]
    assert said.startswith("7. blue (iterative): " + game["moves"][6]["move"])
    assert "<polyline" in re.search(r'<div id="curve">(.*?)</div>', dom, re.S)[1]
    dom = browsed(pages / "line.html", "#game=99&ply=999", tmp_path)
    assert f'data-shown="game 12 ply {len(games[11]["moves"])}"' in dom and 'data-script="ran"' in dom


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
def test_a_browser_shows_a_game_without_a_board_in_characters(pages, tmp_path):
    dom = browsed(pages / "tree.html", "#game=1&ply=1", tmp_path)
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
    body = re.search(r"<body.*?>", browsed(tmp_path / "phone.html", "", tmp_path))[0]
    wide, narrow = map(int, re.search(r'data-wide="(\d+) of (\d+)"', body).groups())
    assert wide == narrow <= 360 and 'data-script="ran"' in body


def test_what_luck_shared_within_pairs_takes_off_the_variance():
    # Means of pairs are 0 in wl, 1 in ww and -1 in ll. Single games vary by 1, so means of two by 1/2.
    assert match("wl wl wl", points="points").spared("new") == 1.0
    assert match("wl wl ww ll", points="points").spared("new") == pytest.approx(0.0)
    assert match("ww ll", points="points").spared("new") == pytest.approx(-1.0)
    assert match("wl wl").spared("new") is None  # payoffs do not count
    assert match("wl", points="points").spared("new") is None


# -- as it is told -------------------------------------------------------------------------------------------


def runs():
    """Runs of every kind by name: long and short, of three and of many seats, with faults and without."""
    void = Played(0, 0, ("new", "old"), (), "void", None, state="void", fault="killed by signal 9")
    lost = played(1, 0, "l", termination="crash", offender="new", fault="it <crashed>", attempt=2)
    late = played(2, 1, "l", termination="time_forfeit", offender="old", fault="60 s over")
    claim = played(3, 0, "w", fault="believes that new lost", times=())
    games = games_of_three()
    seats = [
        Played(pair, leg, order, pays, "rules", None, opening=0)
        for pair, pays in enumerate([(5.0, 2.0, -7.0), (1.0, 1.0, -2.0), (0.0, 4.0, -4.0), (3.0, -1.0, -2.0)])
        for leg, order in enumerate([("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")])
    ]
    long = "a player of a name too long for any table of a narrow terminal"
    asked = {"planned": 100, "sprt": Sprt(elo0=0, elo1=50)}
    facts = (("game", "connect4"), ("seed", "7"))
    return {
        "a match": match(
            "ww wl dd wd lw ll ww wd", facts=facts, specs={"new": "iterative", "old": "random"}, **asked
        ),
        "one that is decided": match(" ".join(["ww", "wd", "wd", "wl"] * 12), sprt=Sprt(elo0=0, elo1=200)),
        "few games": match("wl dw wd", planned=100),
        "the same again": summary([played(pair, leg, "wl"[leg]) for pair in range(5) for leg in (0, 1)]),
        "nothing": summary([]),
        "faults": summary([void, lost, late, played(1, 1, "w"), played(2, 0, "d"), claim, played(3, 1, "d")]),
        "faults of many": summary([void, *(replace(lost, pair=pair) for pair in range(1, 14))]),
        "three": summary(games, players=("c", "b", "a")),
        "three seats": summary(
            seats, players=("a", "b", "c"), sides=("south", "west", "north"), points="points", game="hearts"
        ),
        "discs": match("ww wl dd wd", points="discs", state="stopped", sides=("black", "white")),
        "a long name": summary(
            [
                played(pair, leg, "wd"[leg], (long, "b"), f"{1 + pair} 1 2")
                for pair in range(3)
                for leg in (0, 1)
            ]
            + [played(9, leg, "l", ("b", "c"), f"{1 + leg} 3 3") for leg in (0, 1)],
            players=(long, "b", "c"),
        ),
    }


def test_runs_of_every_kind_are_told_whole(monkeypatch):
    """On a wide terminal, on a narrower one and in a pipe; and what stands in their pages."""
    told = []
    for name, found in runs().items():
        for columns, terminal in ((100, True), (64, True), (80, False)):
            monkeypatch.setenv("COLUMNS", str(columns))
            theme = Theme(colour=False, unicode=True, interactive=terminal)
            out = io.StringIO()
            with redirect_stdout(out):
                crosstable.show(theme, found)
            lines = re.sub(r"\x1b\[[\d;]*m", "", out.getvalue()).splitlines()
            told += [f"-- {name}, {columns} columns" if terminal else f"-- {name}, in a pipe"]
            told += [line.rstrip() for line in lines]
        text = re.sub(r"<(style|script|svg).*?</\1>", "", page(found, None, []), flags=re.DOTALL)
        text = re.sub(r"</(tr|p|h1|h2|caption|summary|dt|dd)>", "\n", text)
        text = unescape(re.sub(r"</?t[hd][^>]*>", " ", text))
        told += [
            f"-- {name}, the page",
            *(line for raw in text.splitlines() if (line := " ".join(re.sub("<[^>]*>", "", raw).split()))),
        ]
    golden("runs", "\n".join(told) + "\n")


def test_a_report_holds_the_facts_of_its_run():
    """Title, limits, seed and whatever is known; of a match how many games were planned."""
    facts = [("run", "an id"), ("begun", ""), ("file", "a file")]

    def made(title="", state="open", verdict="", **changes):
        given = {
            "game": "tictactoe",
            "players": [Entrant(player="minimax:depth=2"), Entrant(player="random")],
        }
        return report._summary(title, Plan(**(given | {"seed": 7} | changes)), state, verdict, facts)

    one = made(games=12)
    assert (one.title, one.game, one.players) == (
        "tictactoe: minimax:depth=2 against random", "tictactoe", ["minimax:depth=2", "random"],
    )  # fmt: skip
    assert (one.planned, one.state, one.sides, one.points) == (12, "not finished", ["x", "o"], "")
    assert one.specs == {"minimax:depth=2": "minimax:depth=2", "random": "random"} and one.sprt is None
    kept = [("seed", "7"), ("run", "an id"), ("file", "a file")]
    assert one.facts == [("form", "match"), ("limits", "3,000 nodes"), *kept]
    timed = made(depth=4, state="stopped", verdict="by hand", title="mine")
    assert timed.facts == [("form", "match"), ("limits", str(Limit(depth=4))), *kept]
    assert (timed.title, timed.state) == ("tictactoe: mine", "stopped: by hand")
    tested = made(state="finished", verdict="H1", sprt=Sprt(elo0=0, elo1=5), games=12)
    assert tested.state == "finished" and tested.sprt is tested.plan.sprt is not None
    players = [Entrant(player="random", name=name) for name in "abc"]
    three = made(players=players, form="round-robin", games=4, clock="5+1", game="connect4:columns=5")
    assert three.title == "connect4: round-robin of 3 players" and three.planned is None
    assert three.game == "connect4:columns=5" and three.facts[1] == ("limits", "5+1")
    there = str(TESTS / "examples" / "games" / "sticks.py")
    assert made(game=there).game == "sticks" and made(game=there).title.startswith("sticks: ")


def test_a_page_shows_so_many_games_as_it_holds(monkeypatch):
    monkeypatch.setattr(pages_of, "GAMES", 2)
    games = [played(number, 0, "w") for number in range(4)]
    games[1] = replace(games[1], record=None)
    found, shown = report._filled(summary([]), games)
    assert shown == [games[0], games[2]] and sum(found.lengths.values()) == 3
    assert found.counted == 4


def ended(found, ranked=(), **more):
    """The end of a run, as what plays it tells it."""
    ranks = [Ranked(found.players.index(name), 1.5 - n) for n, name in enumerate(ranked or found.order)]
    plan = SimpleNamespace(form=more.pop("form", "match"), seed=7)
    game = more.pop("game", SimpleNamespace(name="connect4", spec="connect4:columns=9"))
    specs = ["iterative:table=64MB,order=hint+killer", "old", "c"][: len(found.players)]
    facts = {
        "summary": found, "plan": plan, "sides": found.sides, "rating": found.rating, "table": found.table,
        "schedule": SimpleNamespace(total=more.pop("total", 100), game=game, specs=specs),
        "standing": SimpleNamespace(verdict=more.pop("verdict", None)), "warnings": [], "ranks": ranks,
        "match": len(found.players) == len(found.sides) == 2, "seconds": 61.25, "jobs": 2,
        "run": SimpleNamespace(id="r1"), "begins": "all from here",
    }  # fmt: skip
    return SimpleNamespace(**(facts | more))


def test_ends_of_runs_of_every_kind_are_told_whole(monkeypatch):
    """With what warns of them; on a terminal and in a pipe."""
    kinds, alone = runs(), SimpleNamespace(name="mine.py:Mine", spec="/a/mine.py:Mine:size=3")
    warning = "a long sentence that warns of what the figures do not tell, and has to be folded somewhere"
    nine = "abcdefghi"
    legs = [(pair, leg) for pair in range(8) for leg in (0, 1)]
    games = [
        played(pair, leg, "wl"[leg], tuple(nine[pair : pair + 2]), f"{pair % 7 + 1} 2") for pair, leg in legs
    ]
    many = summary(games, players=tuple(nine))
    dice = summary([played(pair, leg, "wl"[leg]) for pair, leg in legs[:6]], points="points")
    shown = {
        "a match": ended(kinds["a match"], verdict="H1 accepted", warnings=[warning, "short"], jobs=1),
        "without a total": ended(kinds["few games"], total=None, game=alone),
        "nothing": ended(kinds["nothing"]),
        "no rating": ended(kinds["discs"], rating="there are too few games", total=4),
        "one game": ended(summary([played(0, 0, "w")])),
        "the same again": ended(kinds["the same again"]),
        "dice": ended(dice),
        "three": ended(kinds["three"], form="round robin", warnings=["short"]),
        "three, swiss": ended(kinds["three"], form="swiss", table="all games repeat one another", jobs=1),
        "three seats": ended(kinds["three seats"], form="knockout", total=None),
        "nine": ended(many, nine, form="gauntlet"),
        "eight": ended(many, nine[:8], form="gauntlet"),
        "a long name": ended(kinds["a long name"], form="gauntlet"),
    }
    narrow = ("a match", "three seats", "a long name")
    told = []
    for name, end in shown.items():
        for columns, terminal in ((60, True), (80, False), *([(34, True)] if name in narrow else [])):
            out = io.StringIO()
            theme = Theme(colour=True, unicode=True, interactive=terminal, depth="256")
            theme.__dict__["console"] = theme.console_on(out, columns)
            theme.console._force_terminal = terminal
            monkeypatch.setattr(ending, "decide", lambda theme=theme: theme)
            ending.show(end)
            lines = out.getvalue().replace("\x1b[0m", ">").replace("\x1b[1m", "<").splitlines()
            told += [f"-- {name}, {f'{columns} columns' if terminal else 'in a pipe'}"]
            told += [line.rstrip() for line in lines]
    golden("ended_runs", "\n".join(told) + "\n")


def test_a_page_knows_how_each_game_ended():
    games = [
        played(0, 0, "w"),
        played(0, 1, "w", termination="crash"),
        played(1, 0, "d", termination="plies"),
        Played(1, 1, ("new", "old"), (), "void", None, state="void"),
        Played(2, 0, ("a", "b", "c"), (1.0, 0.5, -1.5), "odd", None),
    ]
    drawn = [{"plies": [[0, 0, value]]} for value in (None, 12, -40, 999_999, 7)]
    found = pages_of._data(summary(games[:1]), {"rows": 6}, list(zip(games, drawn, strict=True)))
    assert [game["score"] for game in found["games"]] == [
        "1-0",
        "0-1",
        "1/2-1/2",
        "no result",
        "1 : 0.5 : -1.5",
    ]
    assert [game["ended"] for game in found["games"]] == [
        "1-0, by the rules.",
        "0-1, lost by a crash.",
        "1/2-1/2, adjudicated as a draw by its length.",
        "no result, not counted.",
        "1 : 0.5 : -1.5, odd.",
    ]
    assert (found["stage"], found["sides"], found["scale"]) == ({"rows": 6}, ["blue", "orange"], 12)
    assert pages_of._data(summary([]), None, [])["scale"] == 1
    assert [pages_of.seconds(took) for took in (0.00312, 0.9999, 1, 12.345)] == [
        *("3.1 ms", "999.9 ms", "1.00 s", "12.35 s"),
    ]
    assert crosstable.points((1, 3, 4)) == "5.5/8" and crosstable.points((0, 0, 0)) == ""
    assert pages_of.counts((1, 3, 4)) == "+4 =3 -1, 68.8 %" and pages_of.counts((0, 0, 0)) == ""


def test_what_pages_are_made_of():
    """Words are left as they are, figures are parted after commas only; a long table ends with a count."""
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
    for shown, counted, said in ((5, 5, ""), (5, 1200, "<p class='dim'>5 of 1,200 games.</p>")):
        lines = document.viewer(shown, counted).splitlines()
        assert lines[:3] == ["<section>", "<h2>Games</h2>", said] and len(lines) == 7
    assert [sign for sign in ("|&lt;", ">&lt;<", ">&gt;<", "&gt;|") if sign in lines[4]] == [
        *("|&lt;", ">&lt;<", ">&gt;<", "&gt;|"),
    ]


def test_a_page_holds_its_parts_and_its_data_and_lets_nothing_else_run():
    """What would end a script, or its line, is escaped; who prints has no script at all."""
    told = "</script>\u2028\u2029é"
    page, paper = (
        document.document("A < B", ["", "one", "two"], {"x": told}),
        document.paper("C", ["a"], ".b{}"),
    )
    shown = "\\u003c/script>" + r"\\u2028\\u2029é"  # separators of lines are shown, as all controls are
    assert f'<script type="application/json" id="games">{{"x":"{shown}"}}</script>' in page
    assert "<title>A &lt; B</title>" in page and "<main>\none\ntwo\n</main>" in page
    assert "<main>\na\n</main>" in paper and "<script" not in paper and "script-src" not in paper
    for text, names in ((page, ("style", "script")), (paper, ("style",))):
        hashes = re.findall(r"'sha256-([^']*)'", text)
        for name, said in zip(names, hashes, strict=True):
            (held,) = re.findall(rf"(?s)<{name}>(.*?)</{name}>", text)
            assert b64encode(sha256(held.encode()).digest()).decode() == said
        assert text.startswith("<!doctype html>") and text.endswith("</body>\n</html>\n")
        assert f"Made by gameplay {__version__}.</p>" in text
    assert paper.count(".b{}") == 1
