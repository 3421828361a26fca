"""Proofs of endgames: values equal those of the search by depth."""

from random import Random

import pytest

from gameplay.games.scrabble import proof
from gameplay.games.scrabble.endgame import EndgameSolver
from gameplay.games.scrabble.game import Scrabble
from gameplay.games.scrabble.plays import Placer
from gameplay.games.scrabble.proof import EndgameProver
from gameplay.kernel import compiled
from tests.support.golden import SCREENS, golden
from tests.support.scrabble import FEW, position_of, tiles


def random_racks(seed: int, count: int) -> tuple[str, str]:
    """Two racks with `count` tiles together."""
    letters = Random(seed).sample("AADDEEHILNNORSTT", count)
    return "".join(letters[::2]), "".join(letters[1::2])


def position(racks: tuple[str, str]) -> Scrabble:
    return position_of({7: "......H..T", 8: "......AID"}, racks, words=FEW)


def solver(kind: type[EndgameSolver], most: int = 0) -> EndgameSolver:
    return kind(Placer(position(("", "")).lexicon), None, most)


def test_proved_values_equal_those_of_the_search_by_depth() -> None:
    log = []
    ends = ((0, 10), (25, 10), (2, 12), (27, 12), (49, 14), (41, 11), (20, 10), (33, 13))
    for seed, count in ends if compiled() else [end for end in ends if end[1] < 12]:
        racks = random_racks(seed, count)
        cells = position(racks).state.cells
        by_depth, prover = solver(EndgameSolver), solver(EndgameProver)
        expected = by_depth.solve(cells, *map(tiles, racks), 0)
        solution = prover.solve(cells, *map(tiles, racks), 0)
        assert expected is not None and solution is not None
        assert expected[1:] == solution[1:] == (expected[1], True), racks
        assert prover.nodes < by_depth.nodes
        again = prover.solve(cells, *map(tiles, racks), 0)
        assert again is not None and again[1:] == solution[1:], "a value does not depend on what is known"
        log.append(f"{' '.join(racks)}: {solution[0]} {solution[1]}, {prover.nodes} nodes")
    if compiled():
        golden("scrabble_proofs", "\n".join(log) + "\n")
    stored = (SCREENS / "scrabble_proofs.txt").read_text().splitlines()
    assert len(log) >= 4 and set(log) <= set(stored), "moves, values and nodes are those of the other build"


@pytest.mark.parametrize("most", [100, 118, 140])
def test_a_proof_that_is_stopped_is_not_exact(most: int) -> None:
    racks = random_racks(49, 14)
    prover = solver(EndgameProver, most)
    solution = prover.solve(position(racks).state.cells, *map(tiles, racks), 0)
    assert prover.nodes == most
    assert solution is None or (solution[0] in position(racks).moves() and not solution[2])
    depth_3 = solver(EndgameProver).solve(position(racks).state.cells, *map(tiles, racks), 0, 3)
    assert depth_3 is not None and not depth_3[2], "no proof where the depth is limited"


@pytest.mark.skipif(compiled(), reason="compiled, constants are no Python objects")
@pytest.mark.parametrize("limit", ["NODES", "EDGES"])
def test_without_memory_the_search_by_depth_solves(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    racks = random_racks(0, 10)
    prover = solver(EndgameProver)
    monkeypatch.setattr(proof, limit, 20)
    solution = prover.solve(position(racks).state.cells, *map(tiles, racks), 0)
    assert solution is not None and solution[1:] == (12, True) and prover.depth > proof.GUESS_DEPTH
