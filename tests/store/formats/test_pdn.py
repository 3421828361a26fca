"""PDN of draughts with flying kings: the game by its GameType, and games that come back as they were."""

from pathlib import Path
from random import Random

import pytest

from gameplay import registry
from gameplay.errors import BadInput
from gameplay.store.formats import conversion, encoding
from gameplay.store.formats.game_formats import FORMATS
from gameplay.store.record import SCHEMA, Ply, Record

pytestmark = pytest.mark.once

HEAD = '[Event "x"]\n[White "Ann"]\n[Black "Bob"]\n'


def read(path: Path, text: str) -> tuple[str, Record | None]:
    """The problem of the game in a text, and its record."""
    file = path / "game.pdn"
    file.write_text(HEAD + text)
    ((sheet, record),) = conversion.read(file, registry.game)
    return sheet.problem, record


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ('[GameType "20"]\n\n1. 32-28 19-23 2. 28x19 14x23 *', "draughts", ["28x19", "14x23"]),
        ("\n1. 32-28 19-23 2. 28x19 14x23 *", "checkers", []),
        ("\n1. 33-28 19-23 2. 28x19 14x23 *", "draughts", ["28x19", "14x23"]),
        ('[GameType "25,W,8,8,A0,0"]\n\n1. c3-d4 f6-e5 2. d4:f6 *', "draughts:variant=russian", ["d4xf6"]),
        ('[GameType "26,W,8,8,A0,0"]\n\n1. c3-d4 f6-e5 2. d4xf6 *', "draughts:variant=brazilian", ["d4xf6"]),
        ("\n1. 11-15 23-19 *", "checkers", ["11-15", "23-19"]),
    ],
)
def test_the_game_is_that_of_the_tags(tmp_path: Path, text: str, game: str, words: list[str]) -> None:
    if not words:
        problem, record = read(tmp_path, text)
        assert record is None and "32-28" in problem
        return
    problem, record = read(tmp_path, text)
    assert problem == "" and record is not None
    assert record.game == game and record.words[-len(words) :] == words
    assert record.display_names == (["Ann", "Bob"] if game != "checkers" else ["Bob", "Ann"])


def test_results_are_those_of_white_who_begins(tmp_path: Path) -> None:
    for result, payoffs in (("2-0", [1, -1]), ("0-2", [-1, 1]), ("1-1", [0, 0])):
        _, record = read(tmp_path, f'[GameType "20"]\n\n1. 32-28 19-23 {result}')
        assert record is not None and record.result == payoffs


def test_fens_of_books_are_read(tmp_path: Path) -> None:
    """Men on their last row are kings there."""
    text = '[GameType "20"]\n[SetUp "1"]\n[FEN "W:W3,27:B46,45."]\n\n1. 3-9 46-41 *'
    problem, record = read(tmp_path, text)
    assert problem == "" and record is not None and record.start == "W:WK3,27:BK46,45."


def test_other_games_are_refused(tmp_path: Path) -> None:
    problem, record = read(tmp_path, '[GameType "22,W,8,8,N2,1"]\n\n1. 22-18 *')
    assert record is None
    assert "GameType '22,W,8,8,N2,1' is not supported; expected 20 international, 21 English" in problem
    lines = (HEAD + '[GameType "20"]\n\n1. 32-28 *').splitlines(keepends=True)
    with pytest.raises(BadInput, match=r"GameType '20' is another game; expected '21,B,8,8,N1,0'"):
        list(conversion.openings(lines, "games.pdn", registry.game("checkers")))


@pytest.mark.parametrize("spec", ["draughts", "draughts:variant=russian", "draughts:variant=brazilian"])
def test_random_games_round_trip_through_pdn(tmp_path: Path, spec: str) -> None:
    game, rng = registry.game(spec), Random(3)
    for start in ("", *(["W:WK25:B8,9,18,19,20,22,29,30,31,39"] if spec == "draughts" else [])):
        position = game.new(start)
        moves = []
        while position.outcome() is None:
            move = rng.choice(position.moves())
            moves.append(Ply(position.format(move), player=position.turn))
            position.make(move)
        result = list(position.outcome() or ())
        record = Record(SCHEMA, spec, start, ["Ann", "Bob"], 0, moves, result, "rules", "1")
        text = encoding.encode(record, game)
        assert f'[GameType "{position.game_type}"]' in text
        file = tmp_path / "game.pdn"
        file.write_text(text)
        ((sheet, again),) = conversion.read(file, registry.game)
        assert sheet.problem == "" and again is not None
        assert (again.game, again.words, again.result) == (spec, record.words, result)
        assert FORMATS[".pdn"].write(sheet) == text
