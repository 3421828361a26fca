"""`play --match`: several games with a running score, left and resumed, in lines."""

import json

import pytest

from gameplay.store import saved
from tests.support.play import Play, play

pytestmark = pytest.mark.once

assert play  # fixture

WON = ["a1", "a2", "b1", "b2", "c1"]  # x wins


def lines(*words: str) -> str:
    return "".join(f"{word}\n" for word in words)


def test_best_of_three_between_two_people(play: Play) -> None:
    players = ("tictactoe", "--players", "human,human", "--names", "Ann,Ben", "--match", "3")
    ran = play(*players, typed=lines(*WON, "", *WON, "score", "again", *WON, "quit"))
    assert ran.status == 0 and ran.err == ""
    assert ran.lines[:4] == [
        "game: tictactoe",
        "match: game 1 of 3; Ann 0 - 0 Ben",
        "x: Ann",
        "o: Ben",
    ]
    starts = [ran.lines[at : at + 3] for at, line in enumerate(ran.lines) if line.startswith("match: game 2")]
    assert ["match: game 2 of 3; Ann 1 - 0 Ben", "x: Ben", "o: Ann"] in starts  # sides change
    assert "match: game 2 of 3; Ann 1 - 1 Ben" in ran.lines
    table = ["game   Ann  Ben", "1        1    0  x won", "2        0    1  x won"]
    at = ran.lines.index(table[0])
    assert ran.lines[at : at + 3] == table and ran.lines[at + 3] == "total    1    1  games won"
    assert ran.lines[-1] == "match: Ann wins the match: Ann 2 - 1 Ben"


def test_a_match_ends_when_it_is_decided(play: Play) -> None:
    ran = play("tictactoe", "--players", "minimax,random", "--match", "3")
    assert ran.status == 0
    assert sum(line.startswith("game: ") for line in ran.lines) == 2
    assert ran.lines[-1] == "match: minimax wins the match: minimax 2 - 0 random"


def test_a_draw_is_half_a_game_and_a_match_may_be_drawn(play: Play) -> None:
    ran = play("tictactoe", "--players", "perfect,perfect", "--match", "2")
    assert "match: game   perfect #1  perfect #2" in ran.lines
    assert "match: total           1           1  games won" in ran.lines
    assert ran.lines[-1] == "match: the match is drawn: perfect #1 1 - 1 perfect #2"


def test_leaving_in_a_game_keeps_the_match(play: Play) -> None:
    played = ("tictactoe", "--players", "human,human", "--match", "3")
    ran = play(*played, typed=lines(*WON, "", "b2", "quit"))
    assert ran.status == 0 and "resume it" in ran.err
    ran = play("--resume", typed=lines("a1", "score", "quit"))
    assert "match: game 2 of 3; human #1 1 - 0 human #2" in ran.lines
    assert "moves so far: b2" in ran.lines and "x: human #2" in ran.lines


@pytest.mark.parametrize("leave", ["quit\n", ""])
def test_leaving_between_games_keeps_the_match(play: Play, leave: str) -> None:
    ran = play("tictactoe", "--players", "human,human", "--match", "3", typed=lines(*WON) + leave)
    assert ran.status == 0 and "the match is saved; resume it" in ran.err
    assert [game.unfinished for game in saved.saved_games()] == [True]
    ran = play("--resume", typed=lines(*WON, "quit"))  # the next game, in which x is the second player
    assert "match: game 2 of 3; human #1 1 - 0 human #2" in ran.lines
    assert "match: game 2 of 3; human #1 1 - 1 human #2" in ran.lines
    assert [game.followed for game in saved.saved_games()] == [False, True]
    assert [game.unfinished for game in saved.saved_games()] == [True, False]
    over = play("--resume", "2")  # the first game: the second one follows it
    assert over.status == 6 and "that game is over" in over.err
    assert "match: game 3 of 3; human #1 1 - 1 human #2" in play("--resume").lines


@pytest.mark.parametrize(("typed", "seats"), [("", ("random", "human")), ("b2\nquit\n", ("human", "random"))])
def test_other_players_may_go_on_with_a_match(play: Play, typed: str, seats: tuple[str, str]) -> None:
    between = not typed
    play("tictactoe", "--players", "human,human", "--match", "5", typed=lines(*WON) if between else typed)
    ran = play("--resume", "--players", ",".join(seats), typed="resign\n\n")
    assert f"x: {seats[0]}" in ran.lines and f"o: {seats[1]}" in ran.lines
    score = "you 1 - 0 random" if between else "you 0 - 0 random"
    assert f"match: game {1 + between} of 5; {score}" in ran.lines
    assert f"match: game {2 + between} of 5; you {int(between)} - 1 random" in ran.lines
    wrong = play("--resume", "--players", "human")
    assert wrong.status == 2 and "--players names 1" in wrong.err


@pytest.mark.parametrize(
    ("path", "value", "wrong"),
    [
        ("form", "hands:5", "no match of the form 'hands:5'"),
        ("players", ["human"], "its scoresheet has a different number"),
        ("players", ["human", "uci:/bin/sh"], "gameplay trust uci:/bin/sh"),
        ("game", "/tmp/unknown.py", "gameplay trust /tmp/unknown.py"),
        ("result", {"payoffs": [1]}, "its scoresheet has a different number"),
    ],
)
def test_a_scoresheet_that_was_changed_gets_one_line(
    play: Play, path: str, value: object, wrong: str
) -> None:
    play("tictactoe", "--players", "human,human", "--match", "5", typed=lines(*WON))
    (kept,) = saved.saved_games()
    record = json.loads(kept.path.read_bytes())
    record["match"][path] = value
    kept.path.write_text(json.dumps(record) + "\n")
    ran = play("--resume")
    assert ran.status in (2, 6) and wrong in ran.err and ran.err.count("\n") == 1 and ran.out == ""


def test_a_game_given_up_before_a_move_counts_after_resuming(play: Play) -> None:
    play("tictactoe", "--players", "human,human", "--match", "5", typed="resign\nquit\n")
    ran = play("--resume", typed="quit\n")
    assert "match: game 2 of 5; human #1 0 - 1 human #2" in ran.lines


def test_a_game_left_before_its_first_move_starts_over(play: Play) -> None:
    play("tictactoe", "--players", "human,human", "--match", "3", typed=lines(*WON, "", "quit"))
    assert len(saved.saved_games()) == 1
    assert "match: game 2 of 3; human #1 1 - 0 human #2" in play("--resume").lines


def test_undo_at_the_end_removes_the_result(play: Play) -> None:
    ran = play(
        "tictactoe", "--players", "human,human", "--match", "3", typed=lines(*WON, "undo", "score", "quit")
    )
    assert "game 1 of 3; human #1 0 - 0 human #2" in ran.lines
    assert "match: game 1 of 3; human #1 0 - 0 human #2" in play("--resume").lines


def test_after_a_match_again_begins_another_one(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,human", "--match", "1", typed=lines(*WON, "again", "quit"))
    assert ran.lines.count("match: game 1 of 1; human #1 0 - 0 human #2") == 2


def test_commands_that_a_match_has_no_use_for_are_withheld(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,human", "--match", typed="restart\nhelp\nquit\n")
    assert "'restart' is not a legal move here" in ran.out and "start again" not in ran.out
    assert "score" in ran.out
    alone = play("tictactoe", "--players", "human,human", typed="score\nquit\n")
    assert "'score' is not a legal move here" in alone.out


def test_json_has_the_whole_score(play: Play) -> None:
    ran = play("tictactoe", "--players", "minimax,random", "--match", "3", "--json")
    match = json.loads(ran.out)["match"]
    assert match["form"] == "games:3" and match["over"]
    assert [game["payoffs"] for game in [*match["played"], match["result"]]] == [[1, -1], [1, -1]]


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (("tictactoe", "--match", "x"), "--match is 'x'; expected a number, or games with a number"),
        (("tictactoe", "--match", "0"), "a match of games has a length of 1 to 1000"),
        (("puzzle15", "--match", "3"), "--match needs an opponent"),
        (("tictactoe", "--match", "3", "--moves", "a1"), "--moves begins one game"),
        (("--resume", "1", "--match", "3"), "leave --match out"),
    ],
)
def test_invalid_match_forms_are_refused(play: Play, arguments: tuple[str, ...], wrong: str) -> None:
    ran = play(*arguments)
    assert ran.status == 2 and wrong in ran.err and ran.out == ""


def test_seats_go_round_among_three(play: Play) -> None:
    ran = play("chinese-checkers:players=3", "--players", "random,random,random", "--match", "2")
    heads = [line for line in ran.lines if line.startswith("match: game ")]
    assert heads[0] == "match: game 1 of 2"
    firsts = [ran.lines[at + 2] for at, line in enumerate(ran.lines) if line.startswith("game: ")]
    assert [line.partition(": ")[2] for line in firsts] == ["random #1", "random #2"]
