"""Control characters in every field of every format and protocol: none of them reaches a terminal."""

import html.parser
import io
import json
import os
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gameplay import registry
from gameplay.cli.common import saved_games
from gameplay.display.terminal.canvas import Canvas, apply_style
from gameplay.display.terminal.screen import Screen
from gameplay.display.theme import detect_theme
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.store import saved
from gameplay.store.formats import encoding, game_formats
from gameplay.store.record import record_of
from gameplay.visible import VisibleStream, one_line, terminal, visible
from tests.support.commands import run_printed
from tests.support.escapes import ATTACK, COLOUR, run_harmless, unsafe_characters

pytestmark = pytest.mark.once

pyte = pytest.importorskip("pyte")

CONTROLS = [chr(n) for n in (*range(0x20), *range(0x7F, 0xA0)) if chr(n) not in "\n\t"]
ORDER = list("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
HIDDEN = list(
    "\xad\u034f\u115f\u180e\u200b\u200c\u200d\u2028\u2029\u2060\u2064\u206f\u3164\ufeff\ufff9\U000e0041"
)
EVERY = [*CONTROLS, *ORDER, *HIDDEN]
OWN = re.compile(r"\x1b\[[\d;]*m")


# -- the mechanism --------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", EVERY, ids=lambda sign: f"{ord(sign):04x}")
def test_visible_writes_a_control_as_json_does(sign: str) -> None:
    shown = visible(f"a{sign}b")
    assert shown.isprintable() and len(shown) in (8, 14)
    assert json.loads(f'"{shown}"') == f"a{sign}b"


def test_visible_keeps_what_is_text() -> None:
    text = "Müller–Łódź ♔♟ 日本 e\u0301 ★\ufe0e √\tx\n"
    assert visible(text) == text
    assert one_line("a\nb\tc") == "a\\u000ab\\u0009c"


def test_visible_escapes_surrogates_of_undecodable_file_names() -> None:
    assert visible(os.fsdecode(b"x\xff.pgn")) == "x\\udcff.pgn"


@pytest.mark.parametrize("sign", EVERY, ids=lambda sign: f"{ord(sign):04x}")
def test_streams_text_and_bytes_alike(sign: str) -> None:
    below = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    stream = VisibleStream(below)
    assert stream.write(f"a{sign}") == 2
    stream.writelines([sign, "\n"])
    stream.flush()
    stream.buffer.write(f"b{sign}".encode())
    below.flush()
    written = below.buffer.getvalue().decode()
    assert unsafe_characters(written) == [] and written == visible(f"a{sign}{sign}\nb{sign}")
    assert terminal(stream) is below and terminal(below) is below


def test_standard_streams_are_as_before_after_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout, sys.stderr
    run_printed(capsys, "words", "ply")
    assert (sys.stdout, sys.stderr) == before


# -- what the drawing parts write -----------------------------------------------------------------------


@pytest.mark.parametrize("sign", [*EVERY, "\x1b[2J", "\x9b2J", "\x1b]0;x\x07", "\x1bc"])
def test_canvas_shows_a_control_in_a_line(sign: str) -> None:
    out = io.StringIO()
    Canvas(out, lambda: (60, 5), "xterm").paint([f"name {sign}end", apply_style(f"on {sign}off", "7")])
    shown = pyte.Screen(60, 5)
    pyte.Stream(shown).feed(out.getvalue())
    assert shown.display[0].rstrip() == f"name {visible(sign)}end"
    assert shown.display[1].rstrip() == f"on {visible(sign)}off"


@pytest.mark.parametrize("sign", EVERY, ids=lambda sign: f"{ord(sign):04x}")
def test_rich_lays_out_escaped_text(sign: str) -> None:
    from gameplay.display.text import Text

    out = io.StringIO()
    console = detect_theme(color="always", env={"TERM": "xterm"}, stdin=io.StringIO(), stdout=out).console_on(
        out, 60
    )
    text = Text(f"a{sign}")
    text.append(f"{sign}b", style="bold")
    console.print(text)
    console.print(f"c{sign}{COLOUR}")
    shown = OWN.sub("", out.getvalue().replace(COLOUR, sign))
    assert (
        unsafe_characters(shown) == []
        and shown == f"{visible(f'a{sign}{sign}b')}\n{visible(f'c{sign}{COLOUR}')}\n"
    )
    assert text.cell_len == len(visible(f"a{sign}{sign}b"))


def test_full_screen_panes_show_controls() -> None:
    pytest.importorskip("prompt_toolkit")
    from gameplay.display.fullscreen.panes import Pane

    drawn = Pane(lambda width, height: [[("bold", f"x{sign}")] for sign in EVERY], pytest.fail)
    content = drawn.create_content(40, len(EVERY))
    for number, sign in enumerate(EVERY):
        text = "".join(part for _, part in content.get_line(number))
        assert unsafe_characters(text) == [] and text.rstrip() == f"x{visible(sign)}"


def test_line_editor_rejects_invisible_characters() -> None:
    pytest.importorskip("prompt_toolkit")
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import InMemoryHistory

    from gameplay.display.terminal import editing

    buffer = editing.empty_line(InMemoryHistory(), lambda text: ["fine", f"evil{ATTACK}"])
    buffer.insert_text("e" + "".join(EVERY) + "4")
    assert buffer.text == "e4"
    offered = buffer.completer.get_completions(Document(""), None)
    assert [entry.text for entry in offered] == ["fine"]


def record(spec: str, moves: int = 12) -> Any:
    """The record of some random moves by people with names."""
    game, names = registry.game(spec), ["alice", "bobby", "carol", "david"]
    players = [seats.player("random", game, seat) for seat in range(game.new().players)]
    for player, name in zip(players, names, strict=False):
        player.display_name = name
    match = Match(game, players, seed=3)
    while not match.over() and len(match.turns) < moves:
        match.step()
    return record_of(match)


GGF = (
    "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:03:33.MST]PB[alice]PW[bobby]RB[2197.01]RW[2199.72]TI[15:00]TY[8]"
    f"RE[?]BO[8 {'-' * 27}O*{'-' * 6}*O{'-' * 27} *]B[D3//1.2]W[C3//2.3];)\n"
)


def insert_attacks(text: str, attack: str, most: int) -> list[str]:
    """The text with the attack after one of its words, in at most `most` places."""
    ends = [word.end() for word in re.finditer(r"[A-Za-z]{2,}|$", text)]
    return [text[:end] + attack + text[end:] for end in ends[:: -(-len(ends) // most)]]


# -- files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", sorted({form.suffix for form in game_formats.FORMATS.values()}))
def test_every_field_of_every_format(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = registry.game(game_formats.FORMATS[suffix].game)
    hand = suffix in (".phh", ".pbn")  # written when they are over
    text = GGF if suffix == ".ggf" else encoding.encode(record(game.spec, 10_000 if hand else 12), game)
    file, read = tmp_path / f"game{suffix}", 0
    for changed in [
        text,
        *insert_attacks(text, ATTACK, 25),
        *(text.replace(name, ATTACK) for name in ("alice", "bobby")),
    ]:
        file.write_text(changed, encoding="utf-8")
        status, _ = run_harmless(capsys, "replay", str(file))
        read += status == 0
    assert read >= (1 if suffix in (".phh", ".txt") else 2)  # a name with controls is no TOML, .txt has none
    file.write_text(text.replace("alice", ATTACK), encoding="utf-8")
    run_harmless(capsys, "export", str(file), "--out", str(tmp_path / f"again{suffix}"))


@pytest.mark.parametrize("sign", [*EVERY, "\n", "\t"], ids=lambda sign: f"{ord(sign):04x}")
def test_every_control_in_names_of_saved_games(
    sign: str, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = record("tictactoe", 4)
    kept.names = [f"al{sign}ice", "bobby"]
    file = saved.new_path("tictactoe")
    file.parent.mkdir(parents=True)
    saved.write_record(kept, file, registry.game("tictactoe"))
    for words in (["games", "--saved"], ["replay", "1"], ["replay", "1", "--ply", "2"]):
        status, text = run_harmless(capsys, *words)
        assert status == 0 and f"al{one_line(sign)}ice" in text
    _, out, _ = run_printed(capsys, "games", "--saved", "--json")
    assert json.loads(out)["games"][0]["players"] == [f"al{sign}ice", "bobby"]
    _, out, _ = run_printed(capsys, "replay", "1", "--json")
    assert unsafe_characters(out) == [] and json.loads(out)["names"] == [f"al{sign}ice", "bobby"]


@pytest.mark.parametrize("width", [40, 80, 140])
@pytest.mark.parametrize("colour", ["always", "never"])
def test_names_on_the_screen(width: int, colour: str) -> None:
    kept = record("tictactoe", 4)
    kept.names = [f"al{ATTACK}ice", "bob\nby"]
    match, turns = saved_games.open_match(kept)
    theme = detect_theme(color=colour, env={"TERM": "xterm-256color"})
    screen = Screen(theme)
    screen.match = match
    match.redo(len(turns))
    drawn = screen.ansi(width, 30, message=f"said {ATTACK}")
    assert COLOUR not in drawn and unsafe_characters(OWN.sub("", drawn)) == []
    assert "\\u001b[53m\\u001b]0;owned" in drawn.replace("\n", "") and "bob\\u000aby" in drawn
    shown = pyte.Screen(width, 30)
    pyte.Stream(shown).feed(drawn.replace("\n", "\r\n"))
    assert shown.title == ""


SEQUENCES = re.compile(r"\x1b\[[?\d;]*[A-HJKSTfhlmsu]|\x1b[=>78]|[\r\b]")  # that the program writes itself


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX terminal")
@pytest.mark.parametrize(
    ("words", "awaited", "keys"),
    [
        (["replay", "FILE"], "move 0 of 4", "q"),
        (["play", "--resume", "FILE"], "help", "quit\r"),
        (["play", "--resume", "FILE", "--full"], "help", "quit\r"),
    ],
)
def test_names_at_a_terminal(words: list[str], awaited: str, keys: str, tmp_path: Path) -> None:
    pexpect = pytest.importorskip("pexpect")
    kept = record("tictactoe", 4)
    kept.names, kept.players = [f"al{ATTACK}", "bobby"], ["human", "human"]
    file = tmp_path / "game.json"
    file.write_bytes(msgspec.json.encode(kept))
    child = pexpect.spawn(
        sys.executable,
        ["-m", "gameplay", *(str(file) if word == "FILE" else word for word in words)],
        dimensions=(40, 140),
        env=os.environ | {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", "PYTHONUTF8": "1"},
        encoding="utf-8",
        timeout=45,
    )
    child.logfile_read = log = io.StringIO()
    child.expect_exact(visible(ATTACK)[:24])
    child.expect_exact(awaited)
    child.send(keys)
    child.expect(pexpect.EOF)
    child.wait()
    child.close()
    assert child.exitstatus == 0
    assert COLOUR not in log.getvalue() and unsafe_characters(SEQUENCES.sub("", log.getvalue())) == []


def test_records_own_fields(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = msgspec.json.encode(record("connect4", 6)).decode()
    attack = json.dumps(ATTACK)[1:-1]
    for number, changed in enumerate(insert_attacks(text, attack, 30)):
        file = tmp_path / f"{number}.json"
        file.write_text(changed)
        run_harmless(capsys, "replay", str(file))
        run_harmless(capsys, "play", "--resume", str(file), "--plain")


def test_tree_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path("gameplay/games/tree/files/three-players.toml").read_text()
    written = json.dumps(ATTACK)[1:-1].replace("\x7f", "\\u007f")
    read = 0
    for number, changed in enumerate([text, *insert_attacks(text, written, 20)]):
        file = tmp_path / f"{number}.toml"
        file.write_text(changed)
        read += run_harmless(capsys, "show", str(file))[0] == 0
        run_harmless(capsys, "tree", str(file), "--engine", "maxn")
    assert read > 1
    file.write_text('title = "x\\u001b[2Jy"\n[max]\n"a\\u009b2J" = 1\nb = 2\n')
    for words in (["show"], ["tree", "--engine", "minimax"], ["trace", "--engine", "minimax"], ["solve"]):
        status, shown = run_harmless(capsys, *words[:1], str(file), *words[1:])
        assert status == 0 and "a\\u009b2J" in shown, shown


def test_file_names_and_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = str(tmp_path / f"x{ATTACK.replace('/', '')}\nresult: red wins.pgn")
    for words in (
        ["replay", name],
        ["show", name],
        ["export", name],
        ["review", name],
        ["play", name],
        ["play", "connect4", "--engine", name],
        ["play", "connect4", "--position", ATTACK],
        ["play", "connect4", "--moves", ATTACK],
        ["play", "connect4", f"--{ATTACK}"],
        ["match", ATTACK, "minimax", "--game", "tictactoe"],
        [ATTACK],
        ["words", ATTACK],
        ["games", ATTACK],
        ["engines", ATTACK],
        ["status", ATTACK],
        ["settings", "theme", ATTACK],
        ["import", name],
        ["check", name],
        ["regress", name],
        ["assignment", name],
        ["quiz", "--game", ATTACK],
        ["lecture", ATTACK],
        ["book", "show", name],
        ["openings", "chess", ATTACK],
    ):
        status, shown = run_harmless(capsys, *words)
        assert status in (2, 4, 6), (words, shown)
        assert not any(line.startswith("result: red wins") for line in shown.splitlines()), words
    file = Path(name)
    file.write_text('[White "a"]\n[Black "b"]\n[Result "*"]\n\n1. e4 e5 *\n')
    assert run_harmless(capsys, "replay", name)[0] == 0
    assert run_harmless(capsys, "export", name, "--out", name.replace("red", "blue"))[0] == 0


def test_settings_and_themes(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home.mkdir(parents=True, exist_ok=True)
    written = json.dumps(ATTACK).replace("\x7f", "\\u007f")
    for text in (f"theme = {written}\n", f"{written} = 1\n", f"[themes]\nx = {written}\n"):
        (home / "settings.toml").write_text(text)
        run_harmless(capsys, "settings")
        run_harmless(capsys, "doctor")
        run_harmless(capsys, "show", "tictactoe")


GAME = """
    from gameplay import Position

    class Evil(Position):
        {doc!r}

        def moves(self):
            raise ValueError({attack!r})

        def make(self, move):
            pass

        def unmake(self):
            pass

        def outcome(self):
            return None

        def __str__(self):
            return {attack!r}
"""


# -- programs and code ----------------------------------------------------------------------------------


def test_error_messages_of_user_code_are_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "evil.py"
    file.write_text(textwrap.dedent(GAME).format(attack=ATTACK, doc=ATTACK))
    for words in (
        ["games", str(file)],
        ["check", str(file)],
        ["show", str(file)],
        ["play", str(file), "--plain"],
    ):
        run_harmless(capsys, *words)
    engine = tmp_path / "engine.py"
    engine.write_text(f"raise ValueError({ATTACK!r})\n")
    for words in (["engines", str(engine)], ["play", "tictactoe", "--engine", str(engine)]):
        assert run_harmless(capsys, *words)[0] in (2, 5, 6)


def test_submissions_of_an_assignment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / f"stud{ATTACK.replace('/', '')}.py"
    file.write_text(f"raise ValueError({ATTACK + chr(10) + 'stud: 16 of 16 marks'!r})\n")
    status, shown = run_harmless(capsys, "assignment", "configs/assignments/tictactoe", str(file))
    assert status in (3, 5) and "\\u001b" in shown
    assert not any(line.startswith("stud: 16") for line in shown.splitlines())


SCRIPTS = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '" onload="alert(1)',
    "' onmouseover='alert(1)",
    "javascript:alert(1)",
    "</title><svg/onload=alert(1)>",
    "<!--",
    "]]><x>",
    "&lt;b&gt;",
]


class Elements(html.parser.HTMLParser):
    """Collects the elements of a page with their attributes, and the content of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.script = False
        self.data: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(sorted(name for name, _ in attrs))))
        self.script = tag == "script"
        assert not any(name.startswith("on") for name, _ in attrs)
        assert not any(
            (value or "").startswith("javascript:") for name, value in attrs if name in ("href", "src")
        )

    def handle_endtag(self, tag: str) -> None:
        self.script = False

    def handle_data(self, data: str) -> None:
        (self.data if self.script else self.words).append(data)


def tree_file(tmp_path: Path, text: str) -> Path:
    """A tree whose title, players and branches have this text."""
    word = json.dumps("".join(text.split()))
    file = tmp_path / "tree.toml"
    file.write_text(
        f"title = {json.dumps(text)}\nplayers = [{json.dumps(text)}, 'min']\n[{json.dumps(text)}]\n"
        f"{word} = {{ min = {{ {word} = 3, b = 4 }} }}\nc = 1\n"
    )
    return file


# -- pages ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("attack", SCRIPTS)
@pytest.mark.parametrize("kind", ["html", "svg"])
def test_pages_of_trees_gain_no_element(
    attack: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = []
    for text in ("harmless", attack):
        out = tmp_path / f"{len(pages)}.{kind}"
        status, shown = run_harmless(
            capsys, "tree", str(tree_file(tmp_path, text)), "--engine", "minimax", "-o", str(out)
        )
        assert status == 0, shown
        pages.append(Elements(out.read_text()))
    assert pages[1].elements == pages[0].elements
    assert "".join(attack.split()) in "".join("".join(pages[1].words).split())
    if kind == "html":
        assert any(node["word"] == "".join(attack.split()) for node in json.loads(pages[1].data[0])["nodes"])


@pytest.mark.parametrize("attack", SCRIPTS)
def test_pages_of_reviews_and_runs_gain_no_element(
    attack: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = []
    for text in ("harmless", attack):
        kept = record("tictactoe", 5)
        kept.names = [text, "bobby"]
        file, out = tmp_path / "game.json", tmp_path / f"{len(pages)}.html"
        file.write_bytes(msgspec.json.encode(kept))
        status, shown = run_harmless(capsys, "review", str(file), "--depth", "1", "--html", str(out))
        assert status == 0, shown
        pages.append(Elements(out.read_text()))
    assert pages[1].elements == pages[0].elements
    assert attack in "".join(pages[1].words)
    assert json.loads(pages[1].data[0])["games"][0]["names"] == [attack, "bobby"]


def test_pages_show_controls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = record("tictactoe", 5)
    kept.names = ["".join(EVERY), "bobby"]
    file, out = tmp_path / "game.json", tmp_path / "game.html"
    file.write_bytes(msgspec.json.encode(kept))
    assert run_harmless(capsys, "review", str(file), "--depth", "1", "--html", str(out))[0] == 0
    assert unsafe_characters(out.read_text()) == []
    assert visible("".join(EVERY)) in "".join(Elements(out.read_text()).words)
