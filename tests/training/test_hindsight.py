"""Reviews with imperfect information: bridge with open hands, Scrabble by the players' knowledge."""

import json
from itertools import takewhile
from pathlib import Path
from random import Random

import pytest

from gameplay import registry
from gameplay.errors import Usage
from gameplay.position import CHANCE
from gameplay.search.limit import Limit
from gameplay.store import saved
from gameplay.store.formats import conversion
from gameplay.store.record import SCHEMA, Ply, Record, encode
from gameplay.training.hindsight import Hindsight
from gameplay.training.review import Review, default_limit, review, review_engine
from tests.support.commands import gameplay
from tests.support.paths import TESTS
from tests.support.searches import exact

pytestmark = pytest.mark.once

DEALS = TESTS / "answers" / "bridge.pbn"
GAME = """\
#player1 Ann Ann
#player2 Bob Bob
#note before it all
>Ann: EHORSXZ 8D HORSE +24 24
#note the better one is missed
>Bob: ABTIIUU 7C BAT +15 15
>Ann: VXZ -VXZ +0 24
"""
# A copy says how it is encoded, and that the game goes on.
COPY = "#character-encoding UTF-8\n" + GAME.replace("#note", "#incomplete\n#note", 1)


def deal(number: int) -> Record:
    """A deal of the file."""
    return next(record for n, record, _ in saved.read_games(DEALS, registry.game) if n == number and record)


def review_record(record: Record, nodes: int = 0, spec: str = "") -> Review:
    game = registry.game(record.game)
    engine = review_engine(game, spec)
    return review(record, engine, Limit(nodes=nodes) if nodes else default_limit(game, engine))


@pytest.mark.parametrize("number", [1, 2])
def test_costs_of_bridge_cards_equal_brute_force(number: int) -> None:
    record = deal(number)
    review = review_record(record)
    position = registry.game(record.game).new(record.start)
    checked = 0
    for chosen, word in zip(review.moves, record.words, strict=True):
        move, player = position.parse(word), position.turn
        if chosen.is_judged and len(position.state.played) >= 40:
            assert chosen.best == exact(position)[player]
            position.make(move)
            assert chosen.value == exact(position)[player]
            position.unmake()
            assert chosen.loss == chosen.best - chosen.value
            checked += 1
        position.make(move)
    assert checked > 2


def test_bridge_review_skips_calls_and_counts_tricks() -> None:
    review = review_record(deal(2))
    assert not any(move.is_judged for move in review.moves[:8])
    fields = {
        move.ply: (move.loss, move.verdict, move.better, move.result_text, move.best_result_text)
        for move in review.mistakes
    }
    assert fields[15] == (30, "inaccuracy", "9d", "10 tricks", "11 tricks")
    assert fields[37] == (580, "blunder", "8d", "6 tricks", "10 tricks")
    assert (
        sum(move.loss for move in review.moves if move.player == 3) == review.player_figures(3).lost == 1120
    )
    assert (
        review.unit == review.loss_unit == "points"
        and not review.has_accuracy
        and set(review.curve()) == {None}
    )
    assert len(review.sides) == 4


def test_hindsight_judges_nothing_at_a_low_limit() -> None:
    review = review_record(deal(1), nodes=1000)
    cut = [move for move in review.moves if move.choices > 1 and not move.is_judged and ":" not in move.move]
    assert cut and any(move.is_judged for move in review.moves)
    whole = review_record(deal(1))
    for first, second in zip(review.moves, whole.moves, strict=True):
        assert not first.is_judged or (first.value, first.best) == (second.value, second.best)


def test_named_engine_judges_bridge_by_the_players_information() -> None:
    assert isinstance(review_engine(registry.game("bridge")), Hindsight)
    assert str(review_engine(registry.game("bridge"), "pimc:seed=2")) == "pimc:seed=2"


def test_other_games_of_imperfect_information_are_not_reviewed() -> None:
    for name in ("hearts", "holdem", "kuhn"):
        with pytest.raises(Usage, match=f"{name} cannot be reviewed"):
            review_engine(registry.game(name))


# -- scrabble ---------------------------------------------------------------------------------------


def scrabble(words: str) -> Record:
    """A game of Scrabble with these moves and drawn tiles: `+ABC`."""
    position = registry.game("scrabble").new()
    plies = []
    for word in words.split():
        for text in word[1:] if word[0] == "+" else [word]:
            plies.append(Ply(text, position.turn))
            position.make(position.parse(text))
    return Record(SCHEMA, "scrabble", "", ["ann", "bob"], 0, plies, None, "unfinished", "0")


def test_move_is_judged_by_the_players_information() -> None:
    move = review_record(scrabble("+EHORSXZ +ABTIIUU 8D:HORSE"), 300)
    two = review_record(scrabble("+EHORSXZ +EEAINRT 8D:HORSE"), 300)
    assert move.moves[-1] == two.moves[-1] and move.moves[-1].is_judged
    assert move.moves[-1].verdict == "blunder" and move.moves[-1].loss > 20, "it leaves X and Z"
    assert move.moves[-1].better not in ("", "8D:HORSE")


def test_the_end_of_scrabble_is_judged_exactly() -> None:
    """All later moves are the solver's own, so none of them costs anything."""
    game = registry.game("scrabble")
    position, rng, plies = game.new(), Random(9), []

    def play(move: int) -> None:
        plies.append(Ply(position.format(move), position.turn))
        position.make(move)

    while position.turn == CHANCE or position.bag_size() or sum(map(len, position.state.racks)) > 5:
        drawn = position.turn == CHANCE
        play(rng.choices(position.moves(), position.chances())[0] if drawn else position.top_moves(1)[0][0])
    begun = len(plies)
    play(position.top_moves(9)[-1][0])
    while position.outcome() is None:
        move, _, exact, _ = position.finish(None, 0)
        assert exact
        play(move)
    short = Record(SCHEMA, "scrabble", "", ["a", "b"], 0, plies[: begun + 2], None, "unfinished", "0")
    mine = position.outcome()[plies[begun].player] * position.unit
    (first, second) = review_record(short, 150).moves[begun:]
    assert first.exact and first.value == mine and first.best - mine == first.loss * 100 > 0
    assert second.exact and second.value == second.best == -mine and not second.loss


def test_a_review_of_scrabble_is_the_same_again() -> None:
    record = scrabble("+EHORSXZ +ABTIIUU 8D:HORSE +EERST 7C:BAT")
    assert review_record(record, 400) == review_record(record, 400)


# -- files ------------------------------------------------------------------------------------------


def test_deals_are_reviewed_and_annotated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "".join(line for line in takewhile(lambda line: 'Board "2"' not in line, DEALS.open()))
    file, noted = tmp_path / "one.pbn", tmp_path / "noted.pbn"
    file.write_text(text[: text.rindex("[Event")])
    assert gameplay("review", file, "--annotate", noted) == 0
    out = capsys.readouterr().out
    assert "bridge: reviewed by the solver of open cards, 2,000,000 nodes a search" in out
    assert " 12  north  2c?!   -170  -140  30.0  8c (9 tricks, not 10 tricks)" in out
    assert "north, draw" not in out and "east and west won" in out
    assert "C2 $6 {inaccuracy, costs 30.0 points; 8c was better (-140, 9 tricks)}" in noted.read_text()
    assert gameplay("review", noted, "--json") == 0
    again = json.loads(capsys.readouterr().out)
    assert again["unit"] == "points" and [figure["lost"] for figure in again["figures"]] == [60, 120, 30, 0]


def test_a_game_of_scrabble_is_annotated_as_it_was_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, noted, page = tmp_path / "a.gcg", tmp_path / "b.gcg", tmp_path / "a.html"
    file.write_text(GAME)
    assert gameplay("review", file, "--nodes", 300, "--annotate", noted, "--html", page) == 0
    out = capsys.readouterr().out
    assert "costs in points" in out and "8D:HORSE??" in out
    lines = noted.read_text().splitlines()
    assert [line for line in lines if "costs" not in line] == COPY.splitlines()
    (row,) = [line for line in lines if "8D" in line or "blunder" in line][1:2]
    assert row.startswith("#note blunder, costs ") and row.endswith(")")
    assert "costs" in page.read_text()


def test_a_saved_game_is_reviewed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(encode(scrabble("+EHORSXZ +ABTIIUU 8D:HORSE +EERST 7C:BAT")))
    assert gameplay("review", file, "--nodes", 200, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["unit"] == "points" and document["moves"][14]["loss"] > 0


def test_a_gcg_file_that_is_exported_keeps_its_moves(tmp_path: Path) -> None:
    file, copy = tmp_path / "a.gcg", tmp_path / "b.gcg"
    file.write_text(GAME)
    assert gameplay("export", file, "--out", copy) == 0
    assert copy.read_text() == COPY
    assert [sheet.problem for sheet, _ in conversion.read(copy, registry.game)] == [""]
