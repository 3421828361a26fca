"""A written list of moves as a player: `script:4 4 3`."""

import json
from pathlib import Path

import pytest

from gameplay.cli import router, run
from gameplay.errors import BadInput, Fault, Usage
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.script import Script
from gameplay.registry import Game, game
from gameplay.runs.plan import resolve_paths
from gameplay.runs.planning import build
from gameplay.specs import parse_list
from tests.support.paths import TESTS

pytestmark = pytest.mark.once


@pytest.fixture
def tictactoe() -> Game:
    return game("tictactoe")


def test_both_sides_play_their_moves_in_order(tictactoe: Game) -> None:
    match = Match(tictactoe, [Script("script:a1 b1 c1"), Script("script:a2 b2")])
    match.play()
    assert match.words() == ["a1", "a2", "b1", "b2", "c1"] and match.payoffs == (1, -1)


def test_moves_of_an_opening_are_not_the_scripts(tictactoe: Game) -> None:
    match = Match(tictactoe, [Script("script:b1 c1"), Script("script:b2")], moves=["a1", "a2"])
    match.play()
    assert match.words() == ["a1", "a2", "b1", "b2", "c1"]


def test_resumed_match_continues_the_script(tictactoe: Game) -> None:
    match = Match(tictactoe, [Script("script:a1 b1 c1"), Script("script:a2 b2")], moves=["a1", "a2"])
    for player in match.players:
        player.resume(match)
    match.play()
    assert match.words() == ["a1", "a2", "b1", "b2", "c1"]


def test_moves_taken_back_are_played_again(tictactoe: Game) -> None:
    match = Match(tictactoe, [Script("script:b1 c1"), Script("script:b2")], moves=["a1", "a2"])
    match.step()
    match.step()
    match.undo(2)
    match.step()
    assert match.words() == ["a1", "a2", "b1"]
    match.restart()
    match.step()
    match.step()
    match.step()
    assert match.words() == ["b1", "b2", "c1"]


def test_each_match_restarts_the_script(tictactoe: Game) -> None:
    players = [Script("script:a1 b1 c1"), Script("script:a2 b2")]
    for _ in range(2):
        match = Match(tictactoe, players)
        match.play()
        assert match.payoffs == (1, -1)


def test_no_move_or_an_illegal_one_is_its_fault(tictactoe: Game) -> None:
    for spec, kind, words in (
        ("script:a1", "crash", 'ends after 1 move, before the game does, after the moves "a1 b2"'),
        ("script:a1 b2", "illegal_move", "its move 2, 'b2', is illegal, after the moves \"a1 b2\": "),
        ("script:zz", "illegal_move", "its move 1, 'zz', is illegal, at the start: "),
    ):
        with pytest.raises(Fault) as caught:
            Match(tictactoe, [Script(spec), Script("script:b2")]).play()
        assert words in str(caught.value) and (caught.value.kind, caught.value.seat) == (kind, 0)


def test_moves_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "moves.txt"
    file.write_text("a1\nb1\n\nc1\n")
    assert Script(f"script:{file}").spec == "script:a1 b1 c1"
    file.write_text("\n")
    with pytest.raises(BadInput, match="there are no moves in"):
        Script(f"script:{file}")
    with pytest.raises(BadInput, match="there is no file"):
        Script("script:nothing.txt")
    for spec in ("script:", "script", 'script:" "'):
        with pytest.raises(Usage, match="as in script:4 4 3"):
            Script(spec)


def test_commas_part_players_unless_quoted() -> None:
    assert parse_list("script:4 4 3,random") == ["script:4 4 3", "random"]
    first, second = parse_list('script:"1,2 3,4",script:5')
    assert Script(first).moves == ["1,2", "3,4"] and Script(second).moves == ["5"]
    assert Script(first).spec == first


def test_plan_resolves_scripts_from_its_folder_and_recognizes_them(tmp_path: Path) -> None:
    (tmp_path / "moves.txt").write_text("a1 b1")
    built = build("tictactoe", [f"script:{tmp_path}/moves.txt", "random"], games=2)
    plan = resolve_paths(built, tmp_path)
    assert plan.players[0].player == f"script:{tmp_path.resolve()}/moves.txt"
    before = plan.identity()
    (tmp_path / "moves.txt").write_text("a1 b2")
    assert plan.identity() != before


def test_unknown_player_error_mentions_scripts(tictactoe: Game) -> None:
    with pytest.raises(Usage, match="script:MOVES"):
        seats.player("scrpt", tictactoe)
    with pytest.raises(Usage, match="script:MOVES"):
        build("tictactoe", ["scrpt", "random"])


def test_in_play(capsys: pytest.CaptureFixture[str]) -> None:
    players = ["--players", "script:a1 b1 c1,script:a2 b2"]
    assert run(router, "gameplay", ["play", "tictactoe", *players, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["players"] == ["script:a1 b1 c1", "script:a2 b2"] and document["result"] == [1, -1]
    assert run(router, "gameplay", ["play", "tictactoe", "--players", "script:a1,random", "--json"]) == 5
    assert "script:a1 ends after 1 move" in capsys.readouterr().err
    assert run(router, "gameplay", ["play", "--resume", "--json"]) == 5
    assert "script:a1 ends after 1 move" in capsys.readouterr().err


def test_in_match_and_selfplay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stick = TESTS / "examples" / "games" / "sticks.py"
    script = "script:" + " ".join(["1"] * 30)
    common = ["--games", "2", "--openings", "0", "--jobs", "1", "--json"]
    store = ["--store", str(tmp_path / "runs.db")]
    status = run(router, "gameplay", ["match", script, script, "--game", str(stick), *common, *store])
    assert status == 0 and json.loads(capsys.readouterr().out)["games"] == 2
    status = run(router, "gameplay", ["selfplay", str(stick), "--first", script, "--second", script, *common])
    assert status == 0 and json.loads(capsys.readouterr().out)["games"] == 2
