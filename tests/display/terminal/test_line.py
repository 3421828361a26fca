"""The game in lines: every event, facts of a search, positions of many kinds, imperfect information."""

import re
from collections import Counter
from io import StringIO
from typing import Any

import pytest
from msgspec import structs

from gameplay import registry
from gameplay.board import Board, Tray
from gameplay.display.terminal import line as lines_of
from gameplay.display.terminal.line import PlainOutput
from gameplay.display.theme import Theme
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.match import Event, Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.search.report import Report
from tests.support.golden import golden
from tests.support.paths import TESTS

pytestmark = pytest.mark.once


class Out(StringIO):
    """A recorder of the written text and the number of flushes; possibly a terminal."""

    terminal = False
    flushes = 0

    def isatty(self) -> bool:
        return self.terminal

    def flush(self) -> None:
        self.flushes += 1


def plain_output(game: str, moves: str = "", *specs: str, quiet: bool = False, **more: Any) -> PlainOutput:
    game_class = registry.game(game)
    seats = specs or ("random",) * game_class.new().players
    plain = PlainOutput(Theme(colour=False, unicode=False, interactive=False), Out(), quiet)
    plain.match = Match(game_class, [EmptySeat(spec) for spec in seats], moves=moves.split(), **more)
    return plain


def read_lines(output: Any) -> list[str]:
    """The lines written since the last call."""
    text = output.out.getvalue()
    output.out.seek(0)
    output.out.truncate()
    return text.splitlines()


def play_words(output: PlainOutput, *words: str) -> list[str]:
    """The output for these moves, one at a time."""
    match: Any = output.match
    match.listeners = [output]
    for word in words:
        match.make(type("Choice", (), {"move": match.position.parse(word), "report": None})())
    return read_lines(output)


def test_plain_output_prints_every_event() -> None:
    clock = Clock([parse_time_control("60+1"), parse_time_control("60+1")])
    log = []
    for name, plain, words in (
        ("connect4", plain_output("connect4", "4", "human", "mcts", clock=clock), ["4", "3"]),
        ("kuhn", plain_output("kuhn", "", "human", "human"), ["K", "J", "check"]),
        ("kuhn alone", plain_output("kuhn", "", "human", "random"), ["K", "J", "check"]),
        ("kuhn begun", plain_output("kuhn", "K J check", "human", "random"), []),
        ("kuhn of engines", plain_output("kuhn"), ["K", "J", "check"]),
        ("pig", plain_output("pig"), ["roll", "3", "hold"]),
        ("chess", plain_output("chess", "", "human", "human"), ["e4", "e5", "Nf3"]),
        ("tictactoe", plain_output("tictactoe", "a1 a2 b1 b2"), ["c1"]),
        ("tictactoe of people", plain_output("tictactoe", "a1 a2 b1 b2", "human", "human"), ["c1"]),
    ):
        log.append(f"==== {name}")
        for kind in ("begin", "moves", "undo", "redo", "restart", "reopen", "report", "end"):
            log.append(f"-- {kind}")
            if kind == "moves":
                log += play_words(plain, *words)
            else:
                turn = plain.match.turns[-1] if plain.match.turns else None
                if turn is not None or kind not in ("undo", "redo"):
                    assert plain(Event(kind, turn)) is False
                log += read_lines(plain)
        assert plain.out.flushes > 0
    golden("told_events", "\n".join(log) + "\n")


def test_plain_output_prints_search_facts_beside_the_move() -> None:
    plain = plain_output("connect4", "4 4")
    turn = plain.match.turns[-1]
    full = Report(
        value=5,
        depth=8,
        seldepth=11,
        nodes=1_234_567,
        seconds=0.256,
        pv=(3, 2, 3),
        expanded=9876,
        memory=3_456_789,
    )
    log = []
    for name, report in {
        "full": full,
        "nothing": Report(bound="unknown"),
        "a value": Report(value=5),
        "unfinished": full.with_(ahead=9, tried=2, choices=7, depth=0),
        "unfinished, unknown": Report(bound="unknown", ahead=3, tried=0, choices=7),
        "interrupted": full.with_(stopped="interrupted", pv=(), expanded=0, memory=0, seconds=0.0),
        "thresholds": full.with_(thresholds=(3, 5, 7)),
        "a known way": full.with_(thresholds=(3, 5, 7), nodes=0),
        "a proof": full.with_(claimant=1, proof=3, disproof=7, bound="unknown", depth=0),
        "book": Report(source="book", move=3, facts="50 % of 3 games"),
        "a bare book": Report(source="book", move=3),
        "tables": Report(source="tables", move=3, value=7, depth=0),
        "a solver": Report(source="solver", move=3, value=7, depth=3),
        "rules": full.with_(source="rules"),
        "a system": full.with_(source="system"),
        "a mean": full.with_(bound="expectation", value=0.25),
    }.items():
        log.append(f"{name}: {plain._move_text(structs.replace(turn, report=report))}")
    log.append(plain._move_text(structs.replace(turn, news=("one thing", "and another"))))
    secret = plain_output("kuhn", "K J check", "human", "random")
    log.append(secret._move_text(secret.match.turns[0]))
    log.append(secret._move_text(structs.replace(secret.match.turns[2], report=full)))
    assert all("\n" not in line and line.isprintable() for line in log)
    named = dict(line.split(": ", 1) for line in log[:-3])
    assert "1,234,567 nodes" in named["full"] and "nodes" not in named["nothing"]
    assert "depth 8" in named["full"] and "depth 8" not in named["unfinished"]
    assert "J" not in log[-2], "the card of the other is hidden"
    golden("told_searches", "\n".join(log) + "\n")


def test_boards_of_every_kind_are_lines() -> None:
    lines, counts = [], dict[str, Counter[str]]()
    for game, moves in (
        ("chess", "e4 d5 exd5"),
        ("othello", "f5"),
        ("backgammon", "31"),
        ("go:size=5", "C3 B2"),
        ("tictactoe", "a1 a2 b1 b2 c1"),
        ("puzzle15", ""),
        ("pig", ""),
        ("checkers", ""),
        ("connect4:columns=4,rows=4", "1 2 1 2 1 2 1"),
    ):
        plain = plain_output(game, moves)
        for flip in (False, True):
            plain.flip = flip
            plain.position(plain.match.view())
            lines += [f"-- {game}, {flip}", *read_lines(plain)]
            drawn = [line for line in lines[lines.index(f"-- {game}, {flip}") + 1 :] if ":" not in line]
            kept = Counter(mark for line in drawn for mark in re.findall(r"\b[XO]\b", line))
            assert flip is False or kept == counts[game], "a board that is turned has the same pieces"
            counts[game] = kept
    go = plain_output("go:size=3", "B2")
    go.show_territory(go.match.view(), {(0, 0): 0, (2, 2): 1, (1, 1): 0})
    lines += ["-- considered", *read_lines(go)]
    board = Board(
        cells=(("A", "", None), ("B", "", "A")),
        columns=("x", "yy", ""),
        rows=("10", "9"),
        owners={"A": 0, "B": 1},
        counts={(0, 0): 3, (1, 0): 1},
        trays=(Tray("hand", ("A", ""), above=True), Tray("gone", (), above=False)),
        tails=("p", ""),
        feet=("f", "", "g"),
        inlays={(0, 1): "="},
    )
    lines += ["-- by hand", lines_of.board_text(board)]
    lines += [
        "-- names",
        lines_of.board_text(Board(cells=(("", "A"), ("", None)), names={(0, 0): "12"}, owners={"A": 0})),
    ]
    golden("told_boards", "\n".join(lines) + "\n")


def test_plain_output_uses_text_for_games_without_board() -> None:
    plain = plain_output(f"{TESTS}/examples/games/sticks.py")
    plain.position(plain.match.view())
    assert read_lines(plain) == plain.match.show().splitlines() != []


def test_plain_output_prints_the_position_before_a_question_once() -> None:
    wall = [0.0]
    plain = plain_output(
        "tictactoe",
        "a1",
        "human",
        "human",
        clock=Clock([parse_time_control("60"), None], 0.0, lambda: wall[0]),
    )
    view = plain.match.view()
    plain.turn(view)
    assert read_lines(plain) == ["  a b c", "1 X . .", "2 . . .", "3 . . .", "time left: x 1:00", "o to move"]
    plain.turn(view)
    assert read_lines(plain) == []
    plain.match.undo()
    plain.turn(view)
    assert read_lines(plain)[-2:] == ["time left: x 1:00", "x to move"]
    plain.match.leave()
    plain.match.redo()
    plain.match.leave()
    plain.turn(view)
    assert read_lines(plain) == [], "it is over"
    quiet = plain_output("tictactoe", "a1", quiet=True)
    quiet.turn(quiet.match.view())
    quiet.note("a fact")
    assert quiet(Event("begin")) is False and read_lines(quiet) == []
    quiet.write("an answer")
    quiet.write("")
    assert read_lines(quiet) == ["an answer"]
    plain.note("a fact")
    plain.prompt("")
    plain.prompt("? ")
    assert plain.out.getvalue() == "a fact\n? "


def test_hidden_cards_are_cleared_before_the_next_player(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = plain_output("kuhn", "K J", "human", "human")
    plain.theme.__dict__["console"] = type("Console", (), {"size": type("Size", (), {"height": 3})})
    out: Any = plain.out
    assert plain.needs_cover(0) and not plain_output("kuhn", "K J", "human", "random").needs_cover(0)
    plain(Event("begin"))
    assert "note: " not in out.getvalue()
    out.terminal = True
    plain(Event("begin"))
    assert "note: the window is cleared, with all that was scrolled away" in out.getvalue()
    read_lines(plain)
    plain.cover("look away")
    assert out.getvalue() == "look away\n", "nobody has seen anything yet"
    plain.holder = 0
    assert not plain.needs_cover(0) and plain.needs_cover(1)
    for terminal, term, expected in (
        (True, "xterm", "\x1b[H\x1b[2J\x1b[3Jlook away\n"),
        (True, "dumb", "\n\n\nlook away\n"),
        (True, "", "\n\n\nlook away\n"),
        (False, "xterm", "\n\n\nlook away\n"),
    ):
        read_lines(plain)
        out.terminal = terminal
        monkeypatch.setenv("TERM", term)
        plain.cover("look away")
        assert out.getvalue() == expected


def test_turn_is_printed_once_for_a_game_without_a_board() -> None:
    output = plain_output(f"{TESTS}/examples/games/sticks.py", "", "human", "random")
    output.turn(output.match)
    assert read_lines(output) == ["sticks 20", "first to move"]
