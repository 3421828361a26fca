"""Backgammon: the rules against GNU Backgammon and OpenSpiel, words, identities, the cube, matches."""

import base64
import io
import re
import tomllib
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gameplay import registry
from gameplay.cli import router
from gameplay.display.board import drawing as boards
from gameplay.display.terminal.line import PlainOutput, lines
from gameplay.display.terminal.screen import Screen
from gameplay.display.theme import Theme, decide
from gameplay.engines.expectiminimax.engine import Expectiminimax
from gameplay.errors import BadInput, IllegalMove
from gameplay.games.backgammon import notation as words
from gameplay.games.backgammon.evaluation import bearoff
from gameplay.kernel import compiled
from gameplay.learning.backgammon import after as after_die
from gameplay.learning.backgammon import index
from gameplay.matches.match import Event, Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.player import Choice
from gameplay.position import CHANCE, side
from gameplay.search.limit import Limit
from gameplay.store.formats import conversion, encoding, mat
from gameplay.store.formats.pgn import Step
from tests.support.golden import golden
from tests.support.paths import TESTS

HERE = TESTS / "answers"
ANSWERS = tomllib.loads((HERE / "backgammon.toml").read_text())
POSITIONS = [line.split() for line in (HERE / "backgammon.txt").read_text().splitlines() if line[0] != "#"]
THROWS = [f"{high}{low}" for high in range(1, 7) for low in range(1, high + 1)]


def backgammon(text: str = "", spec: str = "backgammon") -> Any:
    return registry.game(spec).new(text)


def thrown(position: Any, throw: str) -> Any:
    position.make(position.parse(throw))
    return position


def after(position: Any) -> list[str]:
    """The position IDs that the legal turns lead to, the mover's men last."""
    me, found = position.turn, []
    for move in position.moves():
        position.make(move)
        found.append(words.position_id(position.men(1 - me), position.men(me)))
        position.unmake()
    return found


# -- the rules ------------------------------------------------------------------------------------


def test_turns_lead_where_those_of_gnu_backgammon_do() -> None:
    for text, count, digest in POSITIONS if compiled() else POSITIONS[::10]:
        found = sorted(after(backgammon(text)))
        assert len(found) == len(set(found)) == int(count), text
        assert blake2b(" ".join(found).encode(), digest_size=8).hexdigest() == digest, text


def test_every_throw_from_the_start_leads_to_as_many_positions() -> None:
    start = ANSWERS["start"]
    counts = {throw: len(thrown(backgammon(start["position"]), throw).moves()) for throw in THROWS}
    assert counts == start["results"]
    assert sum(counts.values()) == 447


@pytest.mark.skipif(not compiled(), reason="200,000 positions")
def test_two_plies_of_all_throws_lead_to_as_many_positions() -> None:
    position = backgammon(ANSWERS["start"]["position"])
    assert position.perft(4) == ANSWERS["start"]["second"]


@pytest.mark.parametrize("game", ANSWERS["game"], ids=lambda game: str(game["payoffs"]))
def test_games_of_openspiel(game: dict[str, Any]) -> None:
    position, counts = backgammon(), list(map(int, game["turns"].split()))
    for word in game["moves"].split():
        if position.turn != CHANCE:
            assert len(position.moves()) == counts.pop(0)
        position.make(position.parse(word))
    assert not counts
    assert list(position.outcome()) == game["payoffs"]


def test_the_opening_throw_says_who_begins() -> None:
    position = backgammon()
    assert position.turn == CHANCE
    assert position.chances() == [1 / 30] * 30
    assert side(position, thrown(backgammon(), "31").turn) == "white"
    black = thrown(backgammon(), "13")
    assert side(black, black.turn) == "black"
    assert black.parse("8/5 6/5") in black.moves()


def test_the_cube_is_in_play_where_it_is_asked_for_and_in_matches_of_more_than_a_point() -> None:
    for given, cube in (("", False), (":cube=on", True), (":match=1", False), (":match=2", True)):
        position = backgammon(spec=f"backgammon{given}")
        for _ in range(2):  # the first throw, and how it is played
            position.make(position.moves()[0])
        assert ("double" in map(position.format, position.moves())) == cube, given


def test_throws_have_their_odds() -> None:
    position = backgammon("4HPwATDgc/ABMA")
    odds = dict(zip(map(position.format, position.moves()), position.chances(), strict=True))
    assert len(odds) == 21
    assert odds["66"] == 1 / 36
    assert odds["65"] == 2 / 36


def test_taking_back_brings_everything_back() -> None:
    position = backgammon(spec="backgammon:match=3")
    seen = []
    for number in range(400):
        if position.outcome() is not None:
            break
        seen.append((position.key(), position.text(), position.moves()))
        position.make(seen[-1][2][number * 7 % len(seen[-1][2])])
    for key, text, moves in reversed(seen):
        position.unmake()
        assert (position.key(), position.text(), position.moves()) == (key, text, moves)


# -- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "throw", "typed", "word"),
    [
        ("4HPwATDgc/ABMA", "31", "8/5 6/5", "8/5;6/5"),
        ("4HPwATDgc/ABMA", "31", "6/5, 8/5", "8/5;6/5"),
        ("4HPwATDgc/ABMA", "62", "24/22/16", "24/16"),
        ("4HPwATDgc/ABMA", "62", "24/18/16", "24/16"),
        ("4HPwATDgc/ABMA", "62", "24/22 22/16", "24/16"),
        ("4HPwATDgc/ABMA", "11", "8/7(2) 6/5(2)", "8/7(2);6/5(2)"),
        ("4HPwATDgc/ABMA", "11", "6/5 8/7 6/5 8/7", "8/7(2);6/5(2)"),
        ("4HPwATDgc/ABMA", "66", "24/18(2);13/7(2)", "24/18(2);13/7(2)"),
    ],
)
def test_however_a_turn_is_spelled(position: str, throw: str, typed: str, word: str) -> None:
    found = thrown(backgammon(position), throw)
    assert found.format(found.parse(typed)) == word


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("8/5", "'8/5' is not the whole turn: 24/23 8/5, 8/7 8/5, 8/5 6/5, 8/4"),
        ("8-5 6-5", "'8-5' is not a man's move; write as 13/10, bar/22, 6/off or 8/5(2)"),
        ("5/8 5/6", "goes the wrong way"),
        ("8/5* 6/5", "nothing is hit on 5"),
        ("30/27 6/5", "there is no point 30"),
        ("13/9 24/20", "is not a legal move here"),
        ("pass", "is not a man's move"),
        ("", "write where men go"),
    ],
)
def test_what_is_no_turn_is_told(typed: str, told: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        thrown(backgammon("4HPwATDgc/ABMA"), "31").parse(typed)
    assert told in str(caught.value)


SAFE = {1: [(24, 22, True), (22, 18, False)], 2: [(24, 20, False), (20, 18, False)]}
BOTH = {1: [(24, 22, True), (22, 18, False)], 2: [(24, 20, True), (20, 18, False)]}
ENDS = {1: [(13, 9, True), (9, 5, True)], 2: [(13, 9, True), (9, 5, False)]}


@pytest.mark.parametrize(
    ("turns", "typed", "meant"),
    [
        (SAFE, "24/18", 2),  # without a word of it nothing is hit, if that is possible
        (SAFE, "24/22/18", 1),
        (SAFE, "24/22*/18", 1),
        (SAFE, "24/20/18", 2),
        (SAFE, "24/21/18", 2),
        (BOTH, "24/20/18", 2),
        (BOTH, "24/20*/18", 2),
        (ENDS, "13/9*/5*", 1),
        (ENDS, "13/9*/5", 2),
        (SAFE, "24/18*", "'24/18*': nothing is hit on 18"),
        (SAFE, "24/20*/18*", "'24/20*/18*': nothing is hit on 20 and 18"),
        (BOTH, "24/18", "'24/18' can be several moves: 24/22*/18 or 24/20*/18"),
        (ENDS, "13/5", "'13/5' can be several moves: 13/9*/5* or 13/9*/5"),
        (SAFE, "22/18", "'22/18' is not the whole turn: 24/22*/18"),
        (SAFE, "24/18/18", "'24/18/18' goes the wrong way: men go from higher points to lower ones"),
        (SAFE, "26/24", "'26/24': there is no point 26; they go from 1 to 24, bar and off"),
        (SAFE, "25/24", "'25/24' is not a legal move here (legal: 24/18, 24/22*/18)"),
        (SAFE, "bar/off", "'bar/off' is not a legal move here (legal: 24/18, 24/22*/18)"),
    ],
)
def test_of_turns_with_the_same_men_what_is_said_of_the_way_decides(
    turns: Any, typed: str, meant: int | str
) -> None:
    if isinstance(meant, int):
        assert words.meant(typed, turns, {}) == meant
    else:
        with pytest.raises(IllegalMove) as caught:
            words.meant(typed, turns, {})
        assert str(caught.value) == meant


def test_where_no_man_can_move_there_is_but_a_pass() -> None:
    assert words.meant(" PASS ", {}, {"pass": 7}) == 7
    with pytest.raises(IllegalMove, match=r"^'8/5' is not possible: no man can move; write pass$"):
        words.meant("8/5", {}, {"pass": 7})


def test_the_words_of_moves_stand_in_a_list_of_moves() -> None:
    """Lists of moves are parted at spaces and commas."""
    ran = CliRunner().invoke(router, ["show", "backgammon", "--moves", "31 8/5;6/5 64"])
    assert ran.exit_code == 0, ran.output
    assert "turn:       black" in ran.output
    position = thrown(backgammon("4HPwATDgc/ABMA"), "64")
    assert not any(set(" ,") & set(position.format(move)) for move in position.moves())


# -- identities -----------------------------------------------------------------------------------


@pytest.mark.parametrize("known", ANSWERS["identity"], ids=lambda known: known["said"])
def test_identities_of_gnu_backgammon(known: dict[str, str]) -> None:
    position = backgammon(known["id"], known["game"])
    assert position.text() == known["id"]
    assert side(position, position.turn) == known["turn"]
    if "rolled" in known["said"]:
        throw = known["said"].split()[1].strip(",")
        assert position.board().trays[0].things[:2] == tuple(throw)
    if "doubles" in known["said"]:
        assert list(map(position.format, position.moves())) == ["take", "drop"]


@pytest.mark.parametrize("spec", ["backgammon", "backgammon:cube=on"])
def test_men_alone_are_a_first_game_with_the_cube_in_the_middle(spec: str) -> None:
    alone = backgammon("4HPwATDgc/ABMA", spec)
    whole = backgammon("4HPwATDgc/ABMA:MAEAAAAAAAAE", spec)
    assert (alone.text(), alone.key(), alone.turn) == (whole.text(), whole.key(), whole.turn)


@pytest.mark.parametrize(
    ("spec", "text", "told"),
    [
        ("backgammon", "4HPwATDgc/ABM", "has 14 characters, not 13"),
        ("backgammon", "4HPwATDgc/ABMA:cAk", "a match ID has 12"),
        ("backgammon", "//////////8DAA", "15 are the most"),
        ("backgammon", "4HPwATDgc/ABMA:MIHlAAAAAAAE", "play backgammon:match=7"),
        ("backgammon:match=7", "4HPwATDgc/ABMA:cIkKAAAAAAAE", "is of a single game: play backgammon"),
        ("backgammon", "4PPgASHgc/ABMA:cQkAAAAAAAAA", "play backgammon:cube=on"),
    ],
)
def test_what_is_no_identity_is_told(spec: str, text: str, told: str) -> None:
    with pytest.raises(BadInput) as caught:
        backgammon(text, spec)
    assert told in str(caught.value)


FIELDS = {
    "power": 4, "owner": 2, "mover": 1, "crawford": 1, "game": 3, "turn": 1, "offered": 1, "resigned": 2,
    "one": 3, "other": 3, "length": 15, "mine": 15, "theirs": 15,
}  # fmt: skip


def identity(**given: int) -> str:
    """A match ID by its fields, low bits first (GNU Backgammon's manual); a match to 7, in its first game."""
    bits = at = 0
    for name, width in FIELDS.items():
        bits |= ({"owner": 3, "game": 1, "length": 7} | given).get(name, 0) << at
        at += width
    return "4HPwATDgc/ABMA:" + base64.b64encode(bits.to_bytes(9, "little")).decode()


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"length": 5}, "is of a match to 5 points: play backgammon:match=5"),
        ({"power": 7, "owner": 0}, "the cube goes to 64, not to 128"),
        ({"power": 6, "owner": 0}, ""),
        ({"owner": 2}, "a cube that is turned belongs to player 0 or 1"),
        ({"power": 1}, "a cube that is turned belongs to player 0 or 1"),
        ({"mine": 7}, "with 7 to 0 points the match is over"),
        ({"mine": 2, "theirs": 7}, "with 2 to 7 points the match is over"),
        ({"mine": 6, "theirs": 5}, ""),
        ({"one": 7, "other": 1}, "7 and 1 are not two dice"),
        ({"one": 3}, "3 and 0 are not two dice"),
        ({"other": 3}, "0 and 3 are not two dice"),
        ({"one": 6, "other": 6}, ""),
        ({"offered": 1, "resigned": 1}, "a resignation cannot be offered there"),
        ({"game": 2, "resigned": 1}, "a resignation cannot be offered there"),
        *(
            ({"game": game}, "is of a game that is over, and neither side has borne off")
            for game in (2, 5, 7)
        ),
        ({"crawford": 1}, "a Crawford game needs a player one point from winning the match"),
        ({"crawford": 1, "mine": 5}, "a Crawford game needs"),
        ({"crawford": 1, "mine": 6}, ""),
    ],
)
def test_a_match_that_cannot_be_is_told(fields: dict[str, int], told: str) -> None:
    if not told:
        backgammon(identity(**fields), "backgammon:match=7,cube=on")
        return
    with pytest.raises(BadInput) as caught:
        backgammon(identity(**fields), "backgammon:match=7,cube=on")
    assert told in str(caught.value)


@pytest.mark.parametrize(
    "spec", ["backgammon:match=65", "backgammon:jacoby=on", "backgammon:match=3,jacoby=on"]
)
def test_games_that_cannot_be(spec: str) -> None:
    with pytest.raises(BadInput):
        registry.game(spec).new()


# -- the cube and matches -------------------------------------------------------------------------


def test_a_dropped_double_pays_the_cube() -> None:
    position = backgammon("4HPwATDgc/ABMA", "backgammon:cube=on")
    for word in ("double", "take"):
        assert word in map(position.format, position.moves())
        position.make(position.parse(word))
    assert position.turn == CHANCE
    thrown(position, "31").make(position.parse("8/5 6/5"))
    position.make(position.parse("double"))
    position.make(position.parse("drop"))
    assert position.outcome() == (-2, 2)
    assert position.ending() == "a dropped double"


def test_only_who_has_the_cube_may_double() -> None:
    position = backgammon("4HPwATDgc/ABMA double take 31 8/5;6/5", "backgammon:cube=on")
    assert side(position, position.turn) == "black"
    position.make(position.parse("roll"))
    thrown(position, "31").make(position.parse("8/5 6/5"))
    assert position.turn == CHANCE, "white gave the cube away"


def test_the_crawford_game_has_no_cube() -> None:
    """A match to 3: black drops twice, and white is one point from winning; then black may double again."""
    position = backgammon("4HPwATDgc/ABMA double drop", "backgammon:match=3")
    assert position.board().notes[0].startswith("1 of 3 points")
    for word in ("31", "8/5;6/5", "roll", "31", "8/5;6/5", "double", "drop", "31", "8/5;6/5"):
        position.make(position.parse(word))
    assert position.board().notes[0].startswith("2 of 3 points")
    assert position.turn == CHANCE, "nobody is asked in the Crawford game"
    assert position.outcome() is None


def test_the_cube_is_worth_nothing_in_the_crawford_game() -> None:
    """The same board at 6 to 2 points of 7: the cube that may be turned is counted in any other game only."""
    guesses = [
        backgammon(identity(crawford=crawford, mine=6, theirs=2), "backgammon:match=7,cube=on").evaluate_for(
            0
        )
        for crawford in (0, 1)
    ]
    assert guesses == [794, 788]


# -- giving up ------------------------------------------------------------------------------------


def men(points: dict[int, int]) -> list[int]:
    """15 men, those that are not named borne off."""
    found = [points.get(point, 0) for point in range(26)]
    return [15 - sum(found), *found[1:]]


# Who is on roll has borne off none, and the other side bears off its last two: a gammon.
LOST = f"{words.position_id(men({1: 2}), men({7: 5, 8: 5, 9: 5}))} 31"


def told(position: Any, *spoken: str) -> Any:
    for word in spoken:
        position.make(position.parse(word))
    return position


@pytest.mark.parametrize(
    ("spoken", "payoffs", "ending"),
    [
        ("resign", (-2, 2), "resignation"),
        ("resign gammon", (-4, 4), "a resigned gammon"),
        ("Resign backgammon", (-6, 6), "a resigned backgammon"),
    ],
)
def test_who_gives_up_loses_what_the_other_side_accepts(
    spoken: str, payoffs: tuple[int, int], ending: str
) -> None:
    start = "4HPwATDgc/ABMA double take 31 8/5;6/5 roll 31 8/5;6/5 31"
    position = backgammon(start, "backgammon:cube=on")
    assert side(position, position.turn) == "white"
    before = position.key()
    for word in (spoken, "decline"):
        told(position, word)
    assert position.key() == before, "the same throw is to be played"
    told(position, spoken)
    assert side(position, position.turn) == "black"
    assert list(map(position.format, position.moves())) == ["accept", "decline"]
    again = backgammon(position.text(), "backgammon:cube=on")
    assert again.key() == position.key(), "a match ID holds the offer"
    told(position, "agree")
    assert position.outcome() == payoffs
    assert position.ending() == ending
    assert backgammon(position.text(), "backgammon:cube=on").outcome() == payoffs
    for _ in range(4):
        position.unmake()
    assert position.key() == before


def test_a_game_that_is_given_up_is_one_of_the_match() -> None:
    position = backgammon("4HPwATDgc/ABMA roll 31 resign-gammon accept", "backgammon:match=3")
    assert position.outcome() is None
    assert [position.board().notes[seat][0] for seat in range(2)] == ["0", "2"]
    assert told(position, "31").concessions(), "the next game goes on"
    told(position, "resign", "accept")
    assert position.outcome() == (-1, 1)
    assert position.ending() == "3 points to 0"


def test_nobody_gives_up_more_than_they_can_lose_nor_out_of_turn() -> None:
    position = backgammon("4HPwATDgc/ABMA double", "backgammon:cube=on")
    assert position.concessions() == []
    with pytest.raises(IllegalMove, match="take, drop"):
        position.parse("resign")
    position = backgammon("4HPwATDgc/ABMA 31 resign")
    with pytest.raises(IllegalMove, match="accept, decline"):
        position.parse("resign gammon")
    off = backgammon(words.position_id(men({1: 2, 2: 1}), men({1: 3})))
    assert [off.format(move) for move in off.concessions()] == ["resign"]
    jacoby = backgammon("4HPwATDgc/ABMA roll 31", "backgammon:cube=on,jacoby=on")
    with pytest.raises(IllegalMove):
        jacoby.make(jacoby.parse("resign gammon"))


def test_an_offer_is_no_move_that_a_search_looks_at() -> None:
    position = backgammon("4HPwATDgc/ABMA 31")
    assert not set(position.concessions()) & set(position.moves())


@pytest.mark.parametrize(
    ("start", "offer", "answer"),
    [
        ("4HPwATDgc/ABMA 31", "resign", "accept"),  # the game is even: a point is more than it is worth
        (LOST, "resign", "decline"),
        (LOST, "resign gammon", "accept"),
    ],
)
def test_an_engine_answers_by_what_it_expects(start: str, offer: str, answer: str) -> None:
    position = told(backgammon(start), offer)
    report = Expectiminimax().search(position, Limit(depth=1))
    assert position.format(report.move) == answer


def test_a_person_gives_up_a_gammon(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    flags = ["--seed", "3", "--players", "human,expectiminimax:depth=1"]
    ran = CliRunner().invoke(
        router, ["play", "backgammon:match=1", *flags], input="help resign\nresign gammon\n"
    )
    assert ran.exit_code == 0, ran.output
    assert "black wins by 1 points to 0" in ran.output


# -- what positions look worth --------------------------------------------------------------------


@pytest.mark.parametrize("known", ANSWERS["bearoff"], ids=lambda known: str(known["men"]))
def test_bearing_off_takes_as_many_throws_as_published(known: dict[str, Any]) -> None:
    odds = bearoff().rolls(known["men"])
    assert sum(odds.values()) == pytest.approx(1, abs=1e-9)
    if "once" in known:
        assert odds.get(1, 0) * 36 == pytest.approx(known["once"], abs=0.001)
    if "mean" in known:
        top, bottom = known["mean"]
        assert sum(throws * odd for throws, odd in odds.items()) == pytest.approx(top / bottom, abs=2e-4)


def test_the_table_of_bearing_off_is_what_the_program_makes() -> None:
    """Of the ways to have up to three men, which the others do not change."""
    few = {home: index(home) for home in product(range(4), repeat=6) if sum(home) <= 3}
    assert len(set(few.values())) == len(few)
    for home in (home for home in few if sum(home) == 2):
        turns = [
            min(_mean(end) for order in ((high, low), (low, high)) for end in _ends(home, high, low, order))
            for high in range(1, 7)
            for low in range(1, 7)
        ]
        assert _mean(home) == pytest.approx(1 + sum(turns) / 36, abs=1e-3)


def _mean(home: tuple[int, ...]) -> float:
    return sum(throws * odd for throws, odd in bearoff().rolls(home).items())


def _ends(home: tuple[int, ...], high: int, low: int, order: tuple[int, int]) -> set[tuple[int, ...]]:
    ends = {home}
    for die in order if high != low else [high] * 4:
        ends = {end for start in ends for end in after_die(start, die)}
    return ends


def test_guesses_are_near_those_of_gnu_backgammon() -> None:
    """Its equities without looking ahead, in positions whose value is known well; see its file."""
    for known in ANSWERS["equity"]:
        position = backgammon(known["position"])
        assert position.evaluate_for(0) / 1000 == pytest.approx(known["equity"], abs=known["within"])
        assert position.evaluate_for(1) == -position.evaluate_for(0)


def test_guesses_are_the_same_in_both_builds() -> None:
    guesses = []
    for text, _, _ in POSITIONS[::5]:
        position = backgammon(text)
        guesses.append(position.evaluate())
        assert -3000 <= guesses[-1] <= 3000
    assert blake2b(repr(guesses).encode(), digest_size=8).hexdigest() == "1d1ec67834ddfc36"


def test_in_a_match_guesses_are_shares_of_it() -> None:
    ahead = backgammon("4HPwATDgc/ABMA:cAmgAEAAEAAE", "backgammon:match=5")
    assert (ahead.low, ahead.high) == (-1, 1)
    assert 300 < ahead.evaluate_for(0) < 900, "4 points to 2 of 5"
    assert ahead.evaluate_for(1) == -ahead.evaluate_for(0)


@pytest.mark.parametrize(
    ("position", "doubles", "takes"),
    [
        ("4HPwATDgc/ABMA", False, True),
        ("HwQAANYCAAAAAA", False, True),
        ("DwAA4AEAAAAAAA", True, False),
    ],
)
def test_the_cube_is_turned_by_who_is_well_ahead(position: str, doubles: bool, takes: bool) -> None:
    start = backgammon(position, "backgammon:cube=on")
    worth = {}
    for word in ("roll", "double"):
        start.make(start.parse(word))
        worth[word] = start.evaluate_for(0)
        start.unmake()
    assert (worth["double"] > worth["roll"]) == doubles
    start.make(start.parse("double"))
    answers = {}
    for word in ("take", "drop"):
        start.make(start.parse(word))
        over = start.outcome()
        answers[word] = 1000 * over[1] if over else start.evaluate_for(1)
        start.unmake()
    assert (answers["take"] > answers["drop"]) == takes


# -- the board ------------------------------------------------------------------------------------


def test_the_board_has_piles_between_walls() -> None:
    board = backgammon("4HPwATDgc/ABMA 31 8/5;6/5").board()
    text = boards.draw(board, decide(color="never", ascii=True), 1).plain
    assert text.split("\n")[:15] == BOARD.split("\n")[1:16]
    assert boards.size(board, 1, decide(color="never")) == (48, 16)


BOARD = """
  12 11 10  9  8  7  bar  6  5  4  3  2  1  off
 +------------------+---+------------------+---+
 | X  .  .  .  O  . |   | O  .  .  .  .  X |   |
 | X           O    |   | O              X |   |
 | X           O    |   | O                |   |
 | X                |   | O                |   |
 | X                |   | O                |   |
 |                  |   |                  |   |
 | O                |   |                  |   |
 | O                |   | X                |   |
 | O                |   | X                |   |
 | O           X    |   | X [X]          O |   |
 | O  .  .  .  X  . |   | X  X  .  .  .  O |   |
 +------------------+---+------------------+---+
  13 14 15 16 17 18  bar 19 20 21 22 23 24  off
"""


def test_a_turn_can_be_told_step_by_step() -> None:
    """31 played 8/5, then 6/5; and 24/20 by way of either point."""
    position = thrown(backgammon("4HPwATDgc/ABMA"), "31")
    board = position.board()
    cells = {name: board.find(name) for name in ("24", "23", "21", "20", "8", "6", "5")}
    assert cells["5"] in board.targets(cells["8"])
    begun = board.after([(cells["8"], cells["5"])])
    assert begun.counts[cells["8"]] == 2
    assert begun.counts[cells["5"]] == 1
    (move,) = begun.targets(cells["6"])[cells["5"]]
    assert position.format(move) == "8/5;6/5"
    for between in ("23", "21"):
        half = board.after([(cells["24"], cells[between])])
        (move,) = half.targets(cells[between])[cells["20"]]
        assert position.format(move) == "24/20"


def test_a_man_that_is_hit_on_the_way_goes_to_the_bar() -> None:
    text = words.position_id(men({6: 1, 24: 14}), men({24: 1, 8: 14}))
    board = thrown(backgammon(text), "53").board()
    start, end = board.find("24"), board.find("19")
    begun = board.after([(start, end)])
    assert begun.piece(end) == "X"
    assert begun.counts[board.hit[1]] == 1


# -- matches in files -----------------------------------------------------------------------------

RECORDS = TESTS / "examples" / "records"


def test_a_match_of_gnu_backgammon_is_read_and_written(tmp_path: Path) -> None:
    """It was exported there: three points in one game with a double, black's first throw, passes."""
    ((sheet, record),) = conversion.read(RECORDS / "backgammon.mat", registry.game)
    assert record is not None, sheet.problem
    assert record.game == "backgammon:match=3"
    assert record.players == ["ann", "bob"]
    assert record.result == [1, -1]
    ours = tmp_path / "ours.mat"
    ours.write_text(encoding.encode(record, registry.game(record.game)))
    ((_, again),) = conversion.read(ours, registry.game)
    assert again is not None
    assert again.words == record.words


GIVEN_UP = """ 5 point match

 Game 1
 ann : 0                                bob : 0
  1) 31: 8/5 6/5                         64: 24/14
  2)  Doubles => 2                       Takes
  3) 65: 24/13                           52: ????
      Wins 4 points

 Game 2
 ann : 4                                bob : 0
  1) 31: 8/5 6/5                         64: 24/14
                                         Wins 1 point

 Game 3
 ann : 4                                bob : 1
  1)                                    31: 8/5 6/5
  2) 31: 8/5 6/5                         Doubles => 2
  3)  Drops                              Wins 1 point

 Game 4
 ann : 4                                bob : 2
  1) 31: 8/5 6/5
      Wins 1 point
"""


def test_a_file_tells_who_gave_up_how_much(tmp_path: Path) -> None:
    """As GNU Backgammon exports it: a win that no move brings about, a throw that nobody played."""
    file = tmp_path / "given.mat"
    file.write_text(GIVEN_UP)
    ((sheet, record),) = conversion.read(file, registry.game)
    assert record is not None, sheet.problem
    assert record.result == [1, -1]
    offers = [(at, word) for at, word in enumerate(record.words) if word.startswith("resign")]
    assert [word for _, word in offers] == ["resign-gammon", "resign", "resign"]
    assert record.words[offers[0][0] - 1] == "52", "the throw came before it"
    ours = tmp_path / "ours.mat"
    ours.write_text(encoding.encode(record, registry.game(record.game)))
    head, _, text = ours.read_text().partition("\n")
    assert head == '; [Event "Game of backgammon"]'
    assert re.sub(r" +", " ", text) == re.sub(r" +", " ", GIVEN_UP)
    ((_, again),) = conversion.read(ours, registry.game)
    assert again is not None
    assert again.words == record.words


def test_a_match_is_written_in_columns_line_by_line(tmp_path: Path) -> None:
    """Black begins twice; white gives up a throw for a backgammon; the last game goes on."""
    written = """ 5 point match

 Game 1
 ann : 0                        bob : 0
  1)                             31: 8/5 6/5
  2) 64: ????
                                  Wins 3 points

 Game 2
 ann : 0                        bob : 3
  1)                             31: 8/5 6/5
  2) 31: 8/5 6/5                  Doubles => 2
  3)  Takes                      64: 24/14
  4) 61: 13/6
"""
    typed = """ 5 POINT MATCH
; a comment

game 1
ann : 0 bob : 0
  1)             31: 8/5 6/5
  2) 64: ????
                 win 3 points
Game 2
ann : 0   bob : 3
 1)
 2)              13: 8/5 6/5
 3) 13: 8/5 6/5  Doubles => 2
 4) takes  64: 24/14
 5) 61: 13/6
"""
    for text in (written, typed):
        file = tmp_path / "a.mat"
        file.write_text(text)
        ((sheet, record),) = conversion.read(file, registry.game)
        assert record is not None, sheet.problem
        words = "13 8/5;6/5 roll 64 resign-backgammon accept "
        words += "13 8/5;6/5 roll 31 8/5;6/5 double take 64 24/14 roll 61 13/6"
        assert record.words == words.split()
        text = encoding.encode(record, registry.game(record.game))
        assert text == f'; [Event "Game of backgammon"]\n{written}'


def test_the_lines_before_a_match_are_kept(tmp_path: Path) -> None:
    """As GNU Backgammon reads and writes them; the second match has none."""
    head = '; [Site "Oslo"]\n; [Event "Open "A""]\n; [Round "3"]\n; [EventDate "2024.03.09"]\n'
    game = " 3 point match\n\n Game 1\n ann : 0                        bob : 0\n  1) 31: 8/5 6/5\n"
    file = tmp_path / "a.mat"
    file.write_text(head + game + '; [Event "?"]\n' + game)
    (first, one), (second, two) = conversion.read(file, registry.game)
    assert one is not None and two is not None, first.problem + second.problem
    assert (one.begun, two.begun) == ("2024-03-09", "")
    assert mat.write(first) == head + game
    assert mat.write(second) == game


@pytest.mark.parametrize(("indent", "winner"), [(16, 0), (17, 1)])
def test_the_right_half_of_a_line_is_the_second_seat_s(indent: int, winner: int) -> None:
    text = f"0 point match\nGame 1\n{' ' * indent}Wins 2 points\n  1){' ' * (indent - 4)}61: 13/7 8/7\n"
    (sheet,) = mat.read(text.splitlines(), "a.mat")
    won, throw, turn = sheet.line.steps
    assert won.won == (winner, 2, ())
    assert (throw.word, turn.word) == (("61", "16")[winner], "13/7;8/7")
    (sheet,) = mat.read([" 0 point match", " Game 1", "  1) 61: 13/7 8/7     Wins 1 point"], "a.mat")
    assert [(step.word, step.won) for step in sheet.line.steps[2:]] == [("", (1, 1, ()))]
    assert not sheet.problem


def test_who_has_borne_off_a_man_gives_up_a_single_game_alone() -> None:
    off = backgammon(words.position_id(men({1: 2, 2: 1}), men({1: 3})), "backgammon:cube=on")
    loser = off.on_roll
    assert mat.conceded(off, Step("", won=(1 - loser, 1, ())), []) == ["resign", "accept"]
    last = Step("21")
    assert mat.conceded(off, Step("", won=(1 - loser, 2, ())), [last]) == ["resign", "accept"]
    assert last.comments == ["the file counts 2 points"]
    whole = backgammon("4HPwATDgc/ABMA roll 31", "backgammon:cube=on")
    for points, word in enumerate(("resign", "resign-gammon", "resign-backgammon"), 1):
        given = Step("", won=(1 - whole.on_roll, points, ()))
        assert mat.conceded(whole, given, []) == [word, "accept"]


@pytest.mark.parametrize(("points", "offer"), [(1, "resign"), (3, "resign-gammon"), (8, "resign-backgammon")])
def test_points_that_cannot_be_given_up_are_rounded_and_noted(
    points: int, offer: str, tmp_path: Path
) -> None:
    """As GNU Backgammon reads them: other programs write `Wins 1004 points`."""
    file = tmp_path / "given.mat"
    file.write_text(GIVEN_UP.replace("Wins 4 points", f"Wins {points} points").replace("5 point", "9 point"))
    ((sheet, record),) = conversion.read(file, registry.game)
    assert record is not None, sheet.problem
    assert next(word for word in record.words if word.startswith("resign")) == offer
    notes = [note for step in sheet.line.steps for note in step.comments]
    assert notes == [f"the file counts {points} points"]


def test_a_left_drop_has_the_win_on_its_line_and_the_last_win_all_its_points(tmp_path: Path) -> None:
    """As GNU Backgammon writes both: else it counts another double, or fewer points than were given up."""
    text = (
        " 5 point match\n\n Game 1\n ann : 0                        bob : 0\n"
        "  1)                             31: 8/5 6/5\n"
        "  2) 31: 8/5 6/5                  Doubles => 2\n"
        "  3)  Drops                       Wins 1 point\n\n"
        " Game 2\n ann : 0                        bob : 1\n"
        "  1) 31: 8/5 6/5                 64: 24/14\n"
        "  2) 31: 24/23 13/10             64: ????\n"
        "      Wins 3 points\n\n"
    )
    file = tmp_path / "a.mat"
    for length in (5, 2):
        file.write_text(text.replace("5 point match", f"{length} point match"))
        ((sheet, record),) = conversion.read(file, registry.game)
        assert record is not None, sheet.problem
        assert (record.result is None) == (length == 5)
        written = encoding.encode(record, registry.game(record.game))
        head, _, written = written.partition("\n")
        assert head == '; [Event "Game of backgammon"]'
        assert written.replace(f" {length} point", " 5 point").rstrip() == text.rstrip()


def test_a_winner_on_roll_is_refused_only_after_the_roll(tmp_path: Path) -> None:
    """The loser's last turn is a remark; after the winner's own roll the loser cannot give up."""
    text = " 5 point match\n\n Game 1\n ann : 0      bob : 0\n  1) 31: 8/5 6/5        64: 24/14\n"
    file = tmp_path / "given.mat"
    file.write_text(text + "      Wins 1 point\n")
    ((sheet, record),) = conversion.read(file, registry.game)
    assert record is not None, sheet.problem
    assert record.words == ["31", "8/5;6/5", "roll", "64", "resign", "accept"]
    assert sheet.line.steps[3].comments == ["played 24/14 and gave up"]
    file.write_text(text + "  2) 65: ????\n      Wins 1 point\n")
    ((sheet, record),) = conversion.read(file, registry.game)
    assert record is None
    assert sheet.problem == f"{file}, line 7, game 1: black cannot give up while it is white's turn"


# As other programs write: doubles move by move with one blank, the roll `00:`, a concession, off and bar.
REAL = """; [Site "Club"]
; [EventDate "2026.11.25"]
 5 point match

 Game 1
 Ann : 0                             Bob : 0
  1)                                 31: 8/5 6/5
  2) 22: 24/22 24/22 13/11 13/11 65: 24/18 18/13
  3) 41: 13/9 11/10                  00: ????
  4)  Wins 1 point

 Game 2
 Ann : 1                             Bob : 0
  1) 13: 8/5 6/5                     66: 24/18(2) 13/7(2)
  2) 11: 6/5(4)                      21:
  3) 44: Concedes
"""


def test_liberties_of_other_programs_are_read(tmp_path: Path) -> None:
    file = tmp_path / "real.mat"
    file.write_text(REAL)
    ((sheet, record),) = conversion.read(file, registry.game)
    assert record is None
    assert sheet.problem == f"{file}, line 15, game 1: the turn is empty, and the roll can be played"
    file.write_text(REAL.replace("21:", "21: 8/5"))
    ((sheet, record),) = conversion.read(file, registry.game)
    assert record is not None, sheet.problem
    assert record.date == "2026-11-25" and sheet.tags["Site"] == "Club"
    words = "13 8/5;6/5 roll 22 24/22(2);13/11(2) roll 65 24/13 roll 41 13/9;11/10 resign accept"
    words += " 31 8/5;6/5 roll 66 24/18(2);13/7(2) roll 11 6/5(4) roll 21 8/5"
    assert " ".join(record.words).startswith(words)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("  1) 31: 8/5 6/4", "is not a legal move here"),
        ("  1) 71: 8/5", "is not a roll and a turn, as '31: 8/5 6/5'"),
        ("  what is this", "is not a line of a match"),
    ],
)
def test_what_is_wrong_in_a_match_is_told_with_its_line(line: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.mat"
    file.write_text(f" 0 point match\n\n Game 1\n ann : 0          bob : 0\n{line}\n")
    ((sheet, record),) = conversion.read(file, registry.game)
    assert record is None
    assert f"{file}, line 5, game 1: " in sheet.problem
    assert told in sheet.problem


# -- how it looks -------------------------------------------------------------------------------------------


def whole(most: int = 1000) -> Match:
    """A game of the cube, every move the middle one of the list, as far as so many turns of players."""
    players: list[Any] = [EmptySeat("human"), EmptySeat("expectiminimax")]
    game = Match(registry.game("backgammon:cube=on"), players, seed=5)
    made = 0
    while not game.over() and made < most:
        if game.position.turn < 0:
            game.step()
            continue
        moves = [move for move in game.moves() if game.position.format(move) not in ("double", "drop")]
        game.make(Choice(moves[len(moves) // 2]))
        made += 1
    return game


@pytest.mark.parametrize(
    ("variant", "colour", "unicode", "width", "height"),
    [
        ("colour", True, True, 80, 24),
        ("ascii", False, False, 80, 24),
        ("narrow", False, True, 60, 24),
        ("wide", False, True, 120, 40),
    ],
)
def test_the_board_as_it_looks(variant: str, colour: bool, unicode: bool, width: int, height: int) -> None:
    screen = Screen(Theme(colour=colour, unicode=unicode, interactive=False, depth="256"), reading=0)
    screen.match = whole(24)
    text = re.sub(r"\x1b\[[\d;]*m", "", screen.ansi(width, height))
    rows = [line.rstrip() for line in text.splitlines()]
    assert len(rows) <= height - 3 and max(map(len, rows)) <= width
    assert unicode or text.isascii()
    golden(f"backgammon_{variant}", "\n".join(rows) + "\n")


def test_a_whole_game_in_lines() -> None:
    game, out = whole(), io.StringIO()
    plain_output = PlainOutput(Theme(colour=False, unicode=False, interactive=False), out)
    plain_output.match = game
    for turn in game.turns:
        plain_output(Event("move", turn))
    plain_output(Event("end"))
    golden("backgammon_game", "\n".join([out.getvalue(), lines(game.board()), ""]))


# -- positions that cannot be ----------------------------------------------------------------------------


def men_of(waiting: dict[int, int], rolling: dict[int, int], more: int = 0) -> str:
    """A position ID of the men of two sides, by points; `more`: other bits."""
    bits, at = more, 0
    for men in (waiting, rolling):
        for point in range(1, 26):
            bits |= ((1 << men.get(point, 0)) - 1) << at
            at += men.get(point, 0) + 1
    return base64.b64encode(bits.to_bytes(10, "little")).decode().rstrip("=")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (men_of({}, {}), "'AAAAAAAAAAAAAA': both sides have borne off all men"),
        (men_of({1: 2}, {6: 3}, 1 << 79), ": there is more in it than the men of two sides"),
        (men_of({1: 2}, {24: 3}), ": both sides have men on the point 24 of the side on roll"),
        (men_of({20: 1, 3: 2}, {5: 2, 4: 1}), ": both sides have men on the point 5 of the side on roll"),
        (men_of({1: 9, 2: 7}, {6: 3}), ": the side that is not on roll has 16 men; 15 are the most"),
        (men_of({1: 2}, {6: 16}), ": the side on roll has 16 men; 15 are the most"),
    ],
)
def test_positions_that_cannot_be_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(BadInput) as refused:
        registry.game("backgammon").new(text)
    assert str(refused.value).endswith(complaint)


def test_a_position_of_few_men_is_read_as_it_was_written() -> None:
    position = registry.game("backgammon").new(men_of({1: 2, 25: 1}, {23: 3, 2: 1}))
    assert position.text().startswith(men_of({1: 2, 25: 1}, {23: 3, 2: 1}) + ":")
    over = registry.game("backgammon").new(men_of({1: 2}, {}))
    assert over.outcome() == (1, -1)
    with pytest.raises(IllegalMove) as refused:
        over.parse("1/off")
    assert str(refused.value) == "'1/off': the game is over"


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        (
            "xLvgIGCzfI4AEA:MAEbAAAAAAAE",
            "11/5 8/2(3), 23/17*/5 8/2, 23/17*/5 11/5, 23/17* 8/2(3), 23/17*/11 8/2(2), 23/17* 11/5 8/2(2)",
        ),
        (
            "zrURAwGfD0ABJg:MIEOAAAAAAAE",
            "13/5, 22/14, 14/6*, 14/9 13/10, 14/11 13/8, 22/17 14/11, ...",
        ),
    ],
)
def test_six_turns_are_told_and_of_more_the_first_six(text, legal):
    with pytest.raises(IllegalMove) as told:
        registry.game("backgammon").new(text).parse("24/1 24/1 24/1")
    assert str(told.value) == f"'24/1 24/1 24/1' is not a legal move here (legal: {legal})"
