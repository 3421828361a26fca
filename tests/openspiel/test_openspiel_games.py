"""Games of OpenSpiel in this program, compared with OpenSpiel itself."""

import pickle
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gameplay
from gameplay import registry
from gameplay.conformance.checker import check
from gameplay.engines.cfr.extensive import ExtensiveForm
from gameplay.engines.cfr.profile import StrategyProfile
from gameplay.engines.cfr.training import RegretMinimizer
from gameplay.openspiel import library
from gameplay.openspiel.grid import grid
from gameplay.openspiel.survey import SAMPLES
from gameplay.openspiel.words import words
from gameplay.position import CHANCE
from gameplay.search.limit import Limit
from tests.support.commands import run_printed

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.once

SMALL = ["tic_tac_toe", "connect_four", "kuhn_poker", "leduc_poker", "matrix_rps", "nim", "othello"]
SMALL += ["backgammon", "breakthrough", "go(board_size=5)", "phantom_ttt", "2048", "kuhn_poker(players=3)"]


def start(name: str) -> Any:
    return registry.game(f"openspiel:{name}").new()


# -- beside OpenSpiel --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_random_games_equal_openspiels(name: str) -> None:
    """Movers, actions, probabilities and returns equal those of pyspiel."""
    rng, ours, theirs = Random(name), start(name), pyspiel.load_game(name)
    if theirs.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        theirs = pyspiel.convert_to_turn_based(theirs)
    state = theirs.new_initial_state()
    for _ in range(150):
        if state.is_terminal():
            break
        assert ours.outcome() is None and ours.turn == state.current_player()
        assert ours.moves() == state.legal_actions()
        if ours.turn == CHANCE:
            assert list(zip(ours.moves(), ours.chances(), strict=True)) == state.chance_outcomes()
        move = rng.choice(ours.moves())
        assert ours.parse(ours.format(move)) == move
        ours.make(move)
        state.apply_action(move)
    assert ours.outcome() == (tuple(state.returns()) if state.is_terminal() else None)


OWN = {"tictactoe": "tic_tac_toe", "connect4": "connect_four", "go:size=5,komi=7.5": "go(board_size=5)"}


def translate(game: str, word: str) -> str:
    """A move of this program in OpenSpiel's notation, without the side."""
    if game.startswith("connect4"):
        return str(int(word) - 1)
    if game == "tictactoe":
        return f"({'123'.index(word[1])},{'abc'.index(word[0])})"
    return word.lower()


@pytest.mark.parametrize("game", ["tictactoe", "connect4"])
def test_our_own_game_is_the_same_game(game: str) -> None:
    """Both have the same legal moves and payoffs."""
    for seed in range(10):
        rng, ours, theirs = Random(seed), registry.game(game).new(), start(OWN[game])
        while ours.outcome() is None:
            legal = {translate(game, ours.format(move)): move for move in ours.moves()}
            there = {theirs.format(move)[1:]: move for move in theirs.moves()}
            assert legal.keys() == there.keys()
            word = rng.choice(sorted(legal))
            ours.make(legal[word])
            theirs.make(there[word])
        assert ours.outcome() == theirs.outcome()


def test_othello_is_the_same_game() -> None:
    rng, ours, theirs = Random(1), registry.game("othello").new(), start("othello")
    while ours.outcome() is None:
        assert len(ours.moves()) == len(theirs.moves())
        word = rng.choice(sorted(map(ours.format, ours.moves())))
        ours.make(ours.parse(word))
        theirs.make(theirs.parse(word))
    points = ours.outcome()
    assert (points[0] > points[1]) - (points[0] < points[1]) == theirs.outcome()[0]


@pytest.mark.parametrize("name", ["kuhn_poker", "matrix_rps", "liars_dice(numdice=1,dice_sides=2)"])
def test_exploitability_is_openspiels(name: str) -> None:
    """The uniform strategy, by the best responses of both programs."""
    form = ExtensiveForm(start(name))
    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    theirs = pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game))
    assert StrategyProfile(form).exploitability() == pytest.approx(theirs, abs=1e-9)


def test_cfr_solves_kuhn_poker_as_openspiel_measures_it() -> None:
    """The learned strategy, exported to OpenSpiel as a table, has the same exploitability."""
    regrets = RegretMinimizer(ExtensiveForm(start("kuhn_poker")))
    regrets.iterate(200)
    mixed = regrets.average()
    table = {
        infoset.key: [
            (move, share) for move, share in zip(infoset.moves, mixed.probabilities(infoset), strict=True)
        ]
        for infoset in mixed.form.infosets
    }
    theirs = pyspiel.exploitability(pyspiel.load_game("kuhn_poker"), pyspiel.TabularPolicy(table))
    assert mixed.exploitability() == pytest.approx(theirs, abs=1e-9)
    assert theirs < 0.01 and mixed.values()[0] == pytest.approx(-1 / 18, abs=0.01)


def test_tic_tac_toe_is_a_draw() -> None:
    result = gameplay.engine("alphabeta").search(start("tic_tac_toe"), Limit(depth=9))
    assert result.value == 0 and result.depth == 9


# -- the contract ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tic_tac_toe", "matrix_rps", "nim", "dark_hex"])
def test_laws_hold(name: str) -> None:
    verdict = check(registry.game(f"openspiel:{name}"), plays=2)
    assert [each.law for each in verdict.broken] == []


def test_a_game_is_read_from_a_file(tmp_path: Path) -> None:
    """Matching pennies in Gambit's format: both sides of the coin half the time."""
    file = tmp_path / "pennies.efg"
    file.write_text(SAMPLES["efg_game"])
    regrets = RegretMinimizer(ExtensiveForm(start(f"efg_game(filename={file})")))
    regrets.iterate(50)
    assert regrets.average().exploitability() == pytest.approx(0, abs=1e-9)
    assert regrets.average().values()[0] == pytest.approx(0, abs=1e-9)


def test_examples_of_parameters_are_those_of_all_games_that_need_some(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(library, "_run_trial", lambda text: None)  # a process of its own for each
    needy = {kind.short_name for kind in pyspiel.registered_games() if not kind.default_loadable}
    needy = {name for name in needy if None in library.parameters(name).values()}
    assert set(library.EXAMPLES) == needy
    for name in needy - SAMPLES.keys():
        assert library.load(f"{name}{library.EXAMPLES[name]}").name == name


def test_simultaneous_bids_of_long_games_are_sampled() -> None:
    """Each bid is observed after the player's own: most samples fit only with lookahead."""
    rng, position = Random(1), start("oshi_zumo")
    for bid in (28, 9, 10, 9, 3, 9, 2, 9, 1, 9, 1):
        position.make(bid)
    for _ in range(20):
        assert position.determinize(1, rng).infoset(1) == position.infoset(1)
    position = start("goofspiel(num_cards=5)")
    while position.turn != 1:
        position.make(rng.choice(position.moves()))
    assert {position.determinize(1, rng).key()[-1] for _ in range(40)} == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("name", ["phantom_ttt", "coin_game", "hearts"])
def test_sampled_positions_keep_the_players_observations(name: str) -> None:
    """With OpenSpiel's resampling, and with our sampler."""
    rng, position, sampled = Random(2), start(name), set()
    for _ in range(60):
        if position.outcome() is not None:
            break
        if position.turn != CHANCE and rng.random() < 0.25:
            other = position.determinize(position.turn, rng)
            assert other.infoset(position.turn) == position.infoset(position.turn)
            assert other.moves() == position.moves()
            sampled.add(other.key() == position.key())
            with pytest.raises(IndexError):
                other.unmake()  # it holds no moves that could be taken back
        position.make(rng.choice(position.moves()))
    assert False in sampled


def test_metropolis_walk_for_cards_shown_after_the_deal() -> None:
    """OpenSpiel has no resampling for skat, and shows no card before the whole deal."""
    rng, position = Random(1), start("skat")
    while position.turn == CHANCE:
        position.make(rng.choice(position.moves()))
    other = position.determinize(0, Random(1))
    assert other.show(0) == position.show(0)
    assert sum(map(str.__ne__, map(str, other.key()), map(str, position.key()))) > 10


def test_twins_and_pickled_positions_are_independent() -> None:
    position = start("leduc_poker")
    for word in ("0", "3"):
        position.make(int(word))
    for other in (position.twin(), pickle.loads(pickle.dumps(position))):
        assert other == position
        other.make(other.moves()[0])
        assert other != position
        for _ in range(3):
            other.unmake()
        assert other == position.initial()


def test_a_game_begins_after_the_moves_of_a_parameter() -> None:
    position = start("start_at(game=kuhn_poker(),history=0;1)")
    assert position.turn == 0 and pickle.loads(pickle.dumps(position)) == position
    assert position.determinize(0, Random(1)).infoset(0) == position.infoset(0)


# -- words and boards --------------------------------------------------------------------------------


def test_words_are_typable_and_distinct() -> None:
    texts = ["X From (7, 10)", "648 - Bar/20*(2)", "♣4", "Play\x1b[31m it", "same", "same", "", "long " * 30]
    actions = [1, 648, 3, 4, 5, 6, 7, 8]
    result = words(actions, texts)
    assert result[1] == "X_From_(7,10)" and result[648] == "Bar/20*(2)" and result[3] == "C4"
    assert result[4] == "Play_[31m_it" and (result[5], result[6], result[7]) == ("same#5", "same#6", "#7")
    assert all(word.isascii() and word.isprintable() and len(word) < 60 for word in result.values())
    assert len(set(result.values())) == len(actions)


def test_boards_are_recognized_in_text() -> None:
    board = grid("8bb\n7..\n6ww\n  ab\n")
    assert board is not None and board.rows == ("8", "7", "6") and board.columns == ("a", "b")
    assert board.cells == (("b", "b"), ("", ""), ("w", "w"))
    assert grid("Round 1\nbets: 3\n") is None and grid("") is None


def test_a_board_points_at_its_moves() -> None:
    position = start("breakthrough(rows=4,columns=4)")
    board = position.board()
    named = {position.format(move): cell for cell, moves in board.moves.items() for move in moves}
    assert board.rows == ("4", "3", "2", "1") and board.cell_name(named["b4c3"]) == "b4"
    move = position.parse("b4c3")
    assert [board.cell_name(cell) for cell in board.paths[move]] == ["c3"]
    position.make(move)
    assert sorted(map(board.cell_name, position.board(last=move).last)) == ["b4", "c3"]


# -- the command line --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("openspiel:kuhnpoker", "did you mean 'kuhn_poker'?"),
        ("openspiel", "needs the name of a game"),
        ("openspiel:go(9)", "should read PARAMETER=VALUE"),
        ("openspiel:go(komi=1,komi=2)", "openspiel:go sets komi twice; expected one value"),
        ("openspiel:go(bord_size=9)", "did you mean 'board_size'?"),
        ("openspiel:go(board_size=9", "should read openspiel:NAME"),
        ("openspiel:go(board_size=0)", "unsupported board size"),
        ("openspiel:hanabi(players=1000)", "it ended the process (signal 6)"),
        ("openspiel:misere", "needs game: write openspiel:misere(game=tic_tac_toe())"),
        ("openspiel:efg_game", "needs filename: write openspiel:efg_game(filename=FILE.efg)"),
        ("openspiel:efg_game(filename=)", "needs filename: write openspiel:efg_game(filename=FILE.efg)"),
        ("openspiel:repeated_poker", "needs max_num_hands, reset_stacks, universal_poker_game_string: write"),
        ("openspiel:add_noise(game=kuhn_poker())", "needs epsilon: write openspiel:add_noise(game=kuhn_"),
        ("openspiel:mfg_garnet", "mean field game"),
        ("openspiel:tarok", "games cannot be replayed"),
        ("openspiel:crossword", "its moves are structures"),
        ("openspiel:\x1b[31mgo", "OpenSpiel has no game '\\u001b[31mgo'"),
    ],
)
def test_unsupported_games_are_refused_in_one_line(
    spec: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, error = run_printed(capsys, "games" if spec != "openspiel" else "show", spec)
    assert status == 2 and not out and words in error and error.count("\n") == 1
    assert "\x1b" not in error


def test_a_missing_file_of_a_game_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, error = run_printed(capsys, "show", "openspiel:nfg_game(filename=no.nfg)")
    assert (status, out) == (6, "") and "there is no file 'no.nfg'" in error


def test_without_openspiel_the_extra_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    library.load.cache_clear()
    status, _, error = run_printed(capsys, "show", "openspiel:go")
    assert status == 2 and "pip install 'gameplay[openspiel]'" in error


def test_games_of_openspiel_are_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_printed(capsys, "games", "openspiel")
    lines = {line.split()[0]: line for line in out.splitlines() if line}
    assert status == 0 and set(library.names()) <= lines.keys()
    assert lines["kuhn_poker"].endswith("2-10  imperfect information, chance")
    assert "simultaneous moves" in lines["goofspiel"] and "not playable" in lines["tarok"]
    _, out, _ = run_printed(capsys, "games", "openspiel:breakthrough")
    assert "In OpenSpiel: Breakthrough." in out and "columns    default 8" in out
    assert "openspiel:breakthrough(columns=8)" in out


def test_a_saved_game_is_loaded_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, players = str(tmp_path / "game.json"), "random,random,random"
    spec = "openspiel:kuhn_poker(players=3)"
    status, out, _ = run_printed(capsys, "play", spec, "--players", players, "--seed", 1, "--save", file)
    assert status == 0 and "chance deals Deal:0 Deal:3 Deal:2" in out
    status, again, _ = run_printed(capsys, "replay", file)
    assert status == 0 and again.splitlines()[-5:] == out.splitlines()[-5:]
