"""Records and reviews that tests share."""

import pytest

from gameplay import registry
from gameplay.search.limit import Limit
from gameplay.store.record import Ply, Record, encode
from gameplay.training.review import engine_for, review


def record(spec, words, start="", result=None, players=("ann", "bob")):
    """The record of a game of these moves."""
    position = registry.game(spec).new(start)
    plies = []
    for word in words.split() if isinstance(words, str) else words:
        plies.append(Ply(word, position.turn))
        position.make(position.parse(word))
    paid = position.outcome()
    return Record(1, spec, start, list(players), 0, plies, list(paid or result or ()) or None, "rules", "0")


def review_moves(spec, words, start="", nodes=3_000):
    game = registry.game(spec)
    return review(record(spec, words, start), engine_for(game), Limit(nodes=nodes))


@pytest.fixture
def games_folder(tmp_path):
    """Three games in two files, and a text without games."""
    place = tmp_path / "games"
    place.mkdir()
    games = [record("tictactoe", words) for words in ("a1 b1 a2 b2 a3", "b2 a1 c1 a3 a2 c2")]
    (place / "b.jsonl").write_bytes(b"\n".join(map(encode, games)) + b"\n")
    (place / "a.json").write_bytes(
        encode(record("connect4", "4 1 4 1 4 2 4", players=("ann", "eve"))) + b"\n"
    )
    (place / "notes.md").write_text("no game\n")
    return place


GAMES = {
    ".pgn": '[White "Ann"]\n[Black "Bob"]\n[Result "0-1"]\n\n1. f3 {why?} e5 2. g4 Qh4# 0-1\n',
    ".pdn": '[White "Ann"]\n[Black "Bob"]\n[Result "*"]\n\n1. 11-15 22-18 2. 15x22 25x18 3. 12-16 18-15 *\n',
    ".sgf": "(;FF[4]GM[1]SZ[5]KM[0.5]PB[Ann]PW[Bob];B[cc];W[cb]C[too near];B[bb];W[dd];B[db])",
}
