"""Hold'em matches: seats, chips, and the end of the match."""

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from gameplay.errors import BadInput
from gameplay.games.holdem.match_rules import Hands, Tournament
from gameplay.registry import game
from gameplay.scoring.rules import Fixture, MatchRules
from gameplay.scoring.scoresheet import PlayedGame
from gameplay.store import saved
from tests.support.play import Play, play

assert play  # fixture


def hands(spec: str, length: int = 20, kind: type[Hands] = Hands) -> Hands:
    return kind(game(spec).new(), length)


def next_fixture(rules: MatchRules, *payoffs: Sequence[float]) -> Fixture:
    fixture = rules.fixture([PlayedGame(list(payoff)) for payoff in payoffs])
    assert fixture is not None
    return fixture


def test_the_button_moves_on_around_the_table() -> None:
    rules, none = hands("holdem:players=4"), (0, 0, 0, 0)
    # Seats are small blind, big blind, cutoff, button.
    assert [next_fixture(rules, *[none] * number).seats for number in range(5)] == [
        (0, 1, 2, 3),
        (1, 2, 3, 0),
        (2, 3, 0, 1),
        (3, 0, 1, 2),
        (0, 1, 2, 3),
    ]


def test_two_players_take_turns_with_the_button() -> None:
    rules = hands("holdem")
    assert [next_fixture(rules, *[(0, 0)] * number).seats for number in range(3)] == [(0, 1), (1, 0), (0, 1)]


def test_chips_carry_over_and_players_without_chips_are_out() -> None:
    rules = hands("holdem:players=3,stacks=100/80/60,blinds=2/4,antes=1")
    fixture = next_fixture(rules, (-60, 120, -60))
    assert fixture.seats == (1, 0)
    assert fixture.parameters == {"players": "2", "stacks": "200/40", "blinds": "2/4", "antes": "1"}


def test_no_player_pays_the_big_blind_twice_in_a_row_when_two_are_left() -> None:
    # Player 1 paid the big blind; player 2 would be next and is out, so player 0 pays it: as the rules of the
    # Tournament Directors Association ask for when play becomes heads-up (rule 34 of 2019).
    rules = hands("holdem:players=3,stacks=100/80/60")
    assert next_fixture(rules, (-60, 120, -60)).seats == (1, 0)
    assert next_fixture(rules, (-60, 120, -60), (0, 0, 0)).seats == (0, 1)


def test_blinds_double_every_so_many_hands_until_they_are_all_chips() -> None:
    rules = hands("holdem:blinds=1/2,stacks=50,antes=1", 3, Tournament)
    none = (0, 0)
    blinds = [
        next_fixture(rules, *[none] * number).parameters.get("blinds", "1/2") for number in range(0, 30, 3)
    ]
    assert blinds == ["1/2", "2/4", "4/8", "8/16", "16/32", *["32/64"] * 5]
    assert next_fixture(rules, *[none] * 3).parameters["antes"] == "2"
    assert rules.heading([PlayedGame([0, 0])] * 3) == "hand 4, blinds 2/4"


def test_a_match_ends_after_its_hands_or_with_one_player_left() -> None:
    rules = hands("holdem", 2)
    assert rules.fixture([PlayedGame([5, -5])] * 2) is None
    assert rules.fixture([PlayedGame([200, -200])]) is None
    assert hands("holdem", 2, Tournament).fixture([PlayedGame([0, 0])] * 50) is not None
    assert rules.score_text(0) == "out" and rules.score_text(12) == "12"


def test_different_antes_are_refused() -> None:
    with pytest.raises(BadInput, match="all players pay the same ante"):
        hands("holdem:antes=1/2")


@pytest.mark.parametrize("seed", range(12))
def test_tournaments_of_random_players_end_and_keep_all_chips(seed: int) -> None:
    """Each hand is a legal game: seats, stacks and blinds are accepted by the constructor."""
    rng, spec = Random(seed), "holdem:players=4,stacks=40/60/20/80,blinds=2/4"
    rules, played, blinds = hands(spec, 4, Tournament), list[PlayedGame](), list[int]()
    while (fixture := rules.fixture(played)) is not None:
        position = game(spec).with_parameters(fixture.parameters).new()
        assert position.players == len(fixture.seats) == len(set(fixture.seats))
        if blinds and len(fixture.seats) > 1:
            assert fixture.seats[1] != blinds[-1]
        blinds.append(fixture.seats[1])
        while position.outcome() is None:
            position.make(rng.choice(list(position.moves())))
        payoffs = [0.0] * 4
        for seat, payoff in enumerate(position.outcome() or ()):
            payoffs[fixture.seats[seat]] = payoff
        played.append(PlayedGame(payoffs))
        chips = rules.scores(played)
        assert sum(chips) == 200 and min(chips) >= 0
    assert sorted(rules.scores(played)) == [0, 0, 0, 200] and len(rules.winners(played)) == 1


DEAL = "As Ah Ks Kh Qs Qh"  # to the small blind, the big blind, the button, who acts first


@pytest.mark.parametrize(
    ("words", "viewer", "seen"),
    [
        ("call call check 2c 3d 4h check check check 7s check check check 8d check check check", 0, "AKQ"),
        ("call fold check 2c 3d 4h check check 7s check check 8d check check", 1, "KQ"),
        ("call fold check 2c 3d 4h check check 7s check check 8d check check", 0, "AKQ"),
        ("call fold check 2c 3d 4h check check 7s check check 8d bet4 fold", 1, "K"),
        ("fold fold", 2, "Q"),
        ("call call check 2c 3d 4h", 2, "Q"),
    ],
)
def test_hands_are_shown_at_the_showdown_and_not_after_folding(words: str, viewer: int, seen: str) -> None:
    position = game("holdem:players=3,bets=any").new()
    for word in f"{DEAL} {words}".split():
        position.make(position.parse(word))
    board = position.board(viewer)
    assert board is not None
    lying = [str(thing) for tray in board.trays for thing in tray.things]
    for rank in "AKQ":
        assert (f"{rank}s" in position.show(viewer)) is (rank in seen)
        assert (f"{rank}s" in lying) is (rank in seen)
    samples = {position.determinize(viewer, Random(number)).show() for number in range(20)}
    for rank in seen:
        assert all(f"{rank}h {rank}s" in sample for sample in samples)
    assert (len(samples) > 1) is (seen != "AKQ")


@pytest.mark.once
def test_folded_hands_stay_hidden_between_hands(play: Play) -> None:
    typed = "fold\nmoves\nshow\nreplay\nreview\n\nquit\n"
    ran = play("holdem:players=3", "--match", "5", "--level", "1", "--seed", "3", typed=typed)
    hand = ran.out.partition("match: hand 2")[0]
    assert not re.search(r"(big-blind|button): [2-9TJQKA][cdhs]", hand)
    assert "its 10 moves: ? ? ? ? ? ? raise4 fold allin fold" in hand
    assert "until the match is over: replay it then" in hand and "mistake" not in hand
    assert "match: hand 1 of 5, blinds 1/2; you: 199, level 1 #1: 205, level 1 #2: 196" in ran.lines
    assert "match: hand 2 of 5, blinds 1/2; you: 199" in ran.lines
    assert "game: holdem:players=3,stacks=205/196/199,blinds=1/2,antes=0" in ran.lines


@pytest.mark.once
def test_a_hand_that_is_over_can_be_exported_and_replayed_at_the_shell(play: Play, tmp_path: Path) -> None:
    play("holdem", "--players", "human,random", "--match", "5", "--seed", "3", typed="fold\nquit\n")
    (kept,) = saved.saved_games()
    assert b"sealed" in kept.path.read_bytes() and not kept.record.sealed and kept.unfinished
    file = tmp_path / "hand.phh"
    assert play("export", "1", "--out", str(file), command="run").status == 0
    assert "actions" in file.read_text()
    assert "first: ?" not in play("1", command="replay").out


@pytest.mark.once
def test_a_position_for_every_hand_is_refused(play: Play) -> None:
    ran = play("holdem", "--match", "5", "--position", "As Ah Ks Kh")
    assert ran.status == 2 and "--position begins one game" in ran.err


@pytest.mark.once
def test_match_is_over_for_a_player_without_chips(play: Play) -> None:
    spec = "holdem:players=3,stacks=2/200/200"
    typed = "allin\nallin\ncall\n" * 30
    for seed in range(5):
        ran = play(
            spec, "--players", "human,level:1,level:1", "--match", "50", "--seed", str(seed), typed=typed
        )
        last = [line for line in ran.lines if line.startswith("match: ")][-1]
        assert ran.status == 0
        if "you: out" in last:
            assert "level 1 #" in last.partition(" wins the match: ")[0]
            return
    raise AssertionError("the player went out in none of the matches")
