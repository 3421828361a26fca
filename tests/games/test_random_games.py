"""The behaviour of all games in random play, compared with stored digests.

Rules, values and laws are held against numbers of others elsewhere. Of the order of moves, of drawings,
guesses and tactics there is no truth outside: where they differ and should, GAMEPLAY_SCREENS=write stores
them. Tactics are for searches, and Python sees them in the pure build: GAMEPLAY_PURE=1 stores those.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from gameplay import catalogue
from gameplay.errors import BadInput, GameplayError, Usage
from gameplay.kernel import Kernel, compiled
from gameplay.position import CHANCE, AbstractPosition, Position, parameters
from gameplay.registry import game
from tests.support.digests import Digests, answers
from tests.support.golden import golden

PLAYED = (
    "backgammon",
    "backgammon:cube=on,jacoby=on",
    "backgammon:match=2",
    "backgammon:match=3,cube=on",
    "battleship:rows=3,columns=4,ships=1+2+3",
    "battleship:rows=3,columns=3,ships=2+3,shots=5",
    "battleship:rows=5,columns=6,ships=2+2,shots=12",
    "bridge",
    "bridge:contract=4HX,declarer=E",
    "bridge:dealer=W,vulnerable=both",
    "checkers",
    "chess",
    "chess:start=905,claims=off",
    "chinese-checkers:rounds=30",
    "chinese-checkers:players=3,rounds=8",
    "chinese-checkers:players=6,rounds=4",
    "connect4",
    "connect4:columns=9,rows=5,connect=5",
    "connect4:columns=12,rows=4",
    "connect4:columns=20,rows=20",
    "connect4:players=3",
    "connect4:columns=6,rows=5,players=4",
    "draughts",
    "draughts:variant=russian",
    "draughts:variant=brazilian",
    "go:size=3,rules=tromp-taylor",
    "go:columns=4,rows=3,ko=situational,suicide=on,goal=points",
    "go:size=4,handicap=3,placement=free",
    "go:size=7,handicap=2,komi=0.5,goal=points",
    "go:size=9",
    "go:columns=6,rows=4,ko=simple,komi=-2",
    "go:size=5,suicide=on,komi=3",
    "holdem",
    "holdem:bets=any,players=3,stacks=7/20/4",
    "holdem:players=6",
    "hearts",
    "hearts:players=3,passing=right,jack=on,moon=own",
    "hearts:points=20",
    "hearts:players=5,passing=off",
    "holdem:players=4,bets=limit,blinds=2/5,stacks=30",
    "kuhn",
    "kuhn:players=3",
    "kuhn:players=6",
    "leduc",
    "leduc:players=3",
    "leduc:players=5",
    "liars-dice",
    "liars-dice:players=3,dice=2,faces=4",
    "monopoly:rounds=20,trades=on",
    "monopoly:players=3,rounds=4",
    "monopoly:players=4,rounds=2,trades=on",
    "nim",
    "nim:heaps=1+2+3,players=3,misere=on",
    "nim:heaps=9+2,misere=on",
    "othello",
    "othello:size=6",
    "phantom-tictactoe",
    "pig:goal=30",
    "pig:players=3,goal=20",
    "pig:goal=25,faces=3",
    "puzzle15",
    "puzzle15:rows=2,columns=3,seed=5",
    "puzzle15:rows=5,columns=2,shuffle=9",
    "puzzle15:rows=5,columns=5,seed=3",
    "scrabble:words=tests/answers/few_words.txt",
    "scrabble:words=tests/answers/few_words.txt,players=3,challenge=double",
    "scrabble:words=tests/answers/few_words.txt,challenge=free",
    "stratego",
    "stratego:army=barrage,start=chosen,quiet=3",
    "stratego:army=barrage,quiet=20",
    "tictactoe",
    "tictactoe:players=3",
    "tictactoe:width=4,misere=on",
    "tictactoe:width=4,height=3,players=4",
    "tictactoe:width=9,height=9,line=5",
    "tictactoe:width=6,height=6,line=4",
    "tree:card-game",
    "tree:chance-stretched",
    "tree:deep-cutoff",
    "tree:three-players",
)
GAMES = 2
PLIES = 200
# Positions that games at random seldom come to.
SET_UP = {
    "chess": (
        "8/8/8/3k4/8/8/3BN3/4K3 w - - 0 1",
        "7k/8/8/8/8/8/2bn4/4K3 b - - 0 1",
        "8/8/8/3k4/8/8/3NN3/4K3 w - - 0 1",
        "8/8/8/8/2k5/8/2R5/4K3 b - - 0 1",
        "4k3/8/8/8/2K5/8/2q5/8 w - - 0 1",
        "8/8/1bk5/8/8/8/3R4/4K3 w - - 0 1",
        "8/2k5/8/8/3r4/8/3P4/R3K3 w - - 0 1",
        "k7/8/8/P7/8/4B3/8/4K3 w - - 0 1",
        "1k6/8/8/P7/8/5B2/8/4K3 w - - 0 1",
        "8/4k3/8/5b2/p7/8/8/K7 b - - 0 1",
        "7K/8/8/8/7p/8/4b1k1/8 w - - 0 1",
        "8/5k2/3b1p2/8/2P1B3/5K2/8/8 w - - 0 1",
        "8/5k2/3b1p2/1n6/2P1B3/5K2/4N3/8 b - - 0 1",
        "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1",
        "8/8/3k4/8/3KP3/8/8/8 b - - 0 1",
        "8/4k3/8/4P3/4K3/8/8/8 w - - 0 1",
        "8/8/4K3/4P3/8/4k3/8/8 w - - 0 1",
        "8/8/1K6/P7/8/8/1k6/8 b - - 0 1",
        "8/8/8/8/7p/8/6k1/3K4 w - - 0 1",
        "8/P7/8/8/8/4k3/8/K7 w - - 0 1",
        "k7/8/8/3p4/8/8/8/7K b - - 0 1",
        "8/3p4/8/8/1K6/8/8/7k w - - 0 1",
        "8/2p2k2/1p3p2/1P2p1p1/P3P1P1/2P2K2/8/8 w - - 0 1",
        "8/pp3k2/8/2P3p1/1P4P1/5K1p/8/8 b - - 0 1",
        "2r3k1/pp3ppp/8/3P4/8/1P6/P4PPP/2R3K1 w - - 0 1",
        "6k1/5ppp/1P6/8/8/8/r4PPP/1R4K1 w - - 0 1",
        "6k1/1p3ppp/8/8/8/1p6/5PPP/1R4K1 b - - 0 1",
        "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 0 7",
        "r2q1rk1/1b2bppp/p2ppn2/1p6/3NPP2/P1N1B3/1PPQB1PP/2KR3R b - - 0 13",
        "2kr3r/ppp1qpp1/2n1b2p/3np3/8/2PP1N2/PP1NBPPP/R1BQR1K1 b - - 0 12",
        "r4rk1/pp1n1ppp/2p1pn2/q7/1bPP4/2N1PN2/PPQB1PPP/R3KB1R w KQ - 0 10",
        "6k1/pp1qr1pB/2p5/3p4/3P2QN/2P5/PP4PP/6K1 b - - 0 1",
        "3r2k1/5p1p/p1N1p1p1/1pn5/3P4/1P2P3/5PPP/1R4K1 b - - 0 1",
        "q3k2Q/8/8/8/8/8/8/3RK3 b - - 0 1",
        "8/8/8/3k4/2RB4/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/8/8/QQ6/4K3 w - - 0 1",
        "rnbq1bnr/ppppkppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQ - 2 3",
        "3k4/8/3p1b2/3P4/1N6/2K5/8/8 w - - 12 60",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3",
        "r3k2r/8/8/q6b/8/8/3NP3/R3K2R w KQkq - 40 30",
        "4r2k/1P6/8/2pP4/8/b3N3/4K3/8 w - c6 0 40",
    ),
    "checkers": (
        "W:WK3:BK30",
        "B:WK14,18:B6,K27",
        "W:WK2,K7:BK28",
        "W:WK1:BK32,K28",
        "W:W21,22,30:B1,2,10",
        "B:W27,28,K6:B11,12,K22",
        "W:WK18:B1,2,3,4",
        "B:WK18,K19,23:BK32,K4,K29",
        "W:W31,32,27,28,24:B1,2,5,6,9",
        "B:W17,21,25,26,29,30:BK5,4,8,11,12,16",
    ),
    "draughts": (
        "W:WK46,K29,27,34:B8,9,12,K3,22,23,18,K1,39",
        "W:WK25:B8,9,18,19,20,22,29,30,31,39",
        "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24",
        "W:WK36,K47,K48:BK5",
        "B:WK36,K48:BK5,15",
    ),
    "draughts:variant=russian": (
        "W:WKa1,Kc1,e3,g3:Bd6,f6,b6,Kh8,Kb8,e5",
        "B:Wa3,Ka1,Kc1:BKh8",
        "W:Wf6,Kb2:Bc7,e7,Kh4",
    ),
    "othello": (
        "OOOOOOOOOXXXXXXOOXXXXXXOOXXOXXXOOXXXOXXOOXXXXOXOOXXXXX-OOOOOOO-- X",
        "-OOOOO-----OOO--X-XXOXO-XXXOXXXXXXOXXXX-XXXXXX--X-XXXX----XXXX-- O",
        "X-------XX------XXX-----XXXX----OOOOO---OOO-----OO------O------- X",
        "---------------------------XO------OX------------------O-------- X",
        "OXXXXXX-OOXXXX--OXOXXO--OXXOXX-OOXXXOXXOOXXXXXXO--XXXX-O-XXXXXX- O",
    ),
}
OF_FILES = {"scrabble", "tree"}  # games that need one, or take long to read theirs
WORDS = ("", "x", "-1", "0", "2.5", "1+2", "a/b", "100000", "3N", "7Hx")
OF_MOVES = ("hint", "gain", "see", "history_index", "threatens", "price")
OF_POSITIONS = ("hash", "is_threatened", "is_repeated", "moves_left", "pieces", "plies_to_draw", "remaining")
NUMBERS = (-1, *range(10), 16, 30, 64, 100, 256, 1000, 10_000)
LISTS = ("gen_noisy", "gen_threats")
OF_KERNELS = ("solves", "given_up", "has_costs", "has_hints", "has_noisy", "has_leaf", "records")


def test_every_game_is_played() -> None:
    missing = set(catalogue.games()) - {spec.partition(":")[0] for spec in PLAYED}
    assert not missing, "add it to PLAYED, with a few of its parameters, and store its answers"


def test_answers_of_games_equal_the_stored_ones() -> None:
    rows = []
    for spec in PLAYED:
        digests, count = Digests(), 0
        for position, rng, last in positions(spec):
            digests.add(answers(position, rng, last))
            check_state(position)
            count += 1
        rows += digests.rows(f"{spec}, {count} positions")
    golden("playouts", "\n".join(rows) + "\n")


@pytest.mark.skipif(compiled(), reason="slots are seen in the pure build")
def test_tactics_equal_the_stored_ones() -> None:
    rows = []
    for spec in PLAYED:
        digests = Digests()
        for position, _, _ in positions(spec) if issubclass(game(spec).cls, Kernel) else ():
            digests.add(tactics(position))
            check_lists(position)
            text = position.text()
            if text is not None:
                digests.add(iter([("hash set up", str(game(spec).new(text).hash()))]))
        if digests.kinds:
            rows += digests.rows(spec)
    golden("tactics", "\n".join(rows) + "\n")


def test_declarations_of_games_equal_the_stored_ones() -> None:
    """The declarations that differ from the defaults, or from the game's first parameters."""
    rows, first = [], {}
    for spec in PLAYED:
        name, facts = spec.partition(":")[0], declarations(spec)
        position = game(spec).new()
        assert position.turn != CHANCE or position.chance
        rows += [spec, *(f"    {fact}" for fact in facts if fact not in first.get(name, ()))]
        first.setdefault(name, facts)
    golden("games", "\n".join(rows) + "\n")


def check_state(position: Any) -> None:
    """Finished: payoffs, which sum to 0 if declared; else distinct moves."""
    payoffs = position.outcome()
    if payoffs is not None:
        assert len(payoffs) == position.players
        assert not position.zero_sum or abs(sum(payoffs)) < 1e-9
        return
    moves = list(position.moves())
    assert moves and len(set(moves)) == len(moves)
    assert len({position.format(move) for move in moves}) == len(moves)
    if position.turn == CHANCE:
        chances = list(position.chances())
        assert len(chances) == len(moves) and min(chances) > 0 and abs(sum(chances) - 1) < 1e-9
    else:
        assert 0 <= position.turn < position.players and set(position.noisy()) <= set(moves)


def check_words(position: Any) -> None:
    """parse() inverts format(); a position set up from its text has the same text."""
    for move in list(position.moves())[::7] if position.outcome() is None else []:
        assert position.parse(position.format(move)) == move


def check_lists(kernel: Any) -> None:
    """A kernel generates the legal moves, and its noisy moves are among them."""
    if kernel.outcome() is None and kernel.turn != CHANCE:
        moves = kernel.stack[: kernel.gen(0)]
        assert sorted(moves) == sorted(kernel.moves())
        if kernel.gen_noisy.__func__ is not Kernel.gen_noisy:
            assert set(kernel.stack[: kernel.gen_noisy(0)]) <= set(moves)


def mirror(fen: str) -> str:
    """A position of chess with the colours exchanged."""
    board, turn, castling, passed, *counts = fen.split()
    rows = "/".join(row.swapcase() for row in board.split("/")[::-1])
    passed = passed.translate(str.maketrans("36", "63"))
    return " ".join([rows, "wb"[turn == "w"], castling.swapcase(), passed, *counts])


def declarations(spec: str) -> list[str]:
    """The declarations of a game that differ from the defaults, one a line."""
    position, lines = game(spec).new(), []
    for name in (*AbstractPosition.__annotations__, *Position.__annotations__, *OF_KERNELS):
        fact = getattr(position, name, None)
        if fact == getattr(Position, name, None) or fact in (False, {}):
            continue
        if name == "evaluations":
            lines += [
                f"evaluation {e.name}: {e.words}, exact {e.exact}, {e.max_weight}" for e in fact.values()
            ]
        elif name == "heuristics":
            lines.append(f"heuristics {', '.join(fact)}")
        else:
            lines.append(f"{name} {fact!r}")
    return lines


def test_accepted_parameters_equal_the_stored_ones() -> None:
    rows = []
    for name in sorted({spec.partition(":")[0] for spec in PLAYED} - OF_FILES):
        for parameter, facts in parameters(game(name).cls).items():
            if isinstance(facts.default, bool) or not isinstance(facts.default, int):
                continue
            taken = [number for number in NUMBERS if takes(f"{name}:{parameter}={number}")]
            assert takes(f"{name}:{parameter}={facts.default}") and len(taken) < len(NUMBERS)
            row = ranges(f"{name}:{parameter}", taken)
            rows.append(f"{name}:{parameter} (usually {facts.default}): {row}")
    golden("parameters", "\n".join(rows) + "\n")


def test_refusals_of_parameters_equal_the_stored_ones() -> None:
    rows = []
    for name in sorted({spec.partition(":")[0] for spec in PLAYED} - OF_FILES):
        for parameter in parameters(game(name).cls):
            for word in WORDS:
                try:
                    game(f"{name}:{parameter}={word}").new()
                except (BadInput, Usage) as refusal:
                    text = str(refusal)
                    assert word in text or parameter in text.replace("-", ""), "what is wrong is named"
                    rows.append(f"{name}:{parameter}={word}: {refusal}")
    golden("parameters_refused", "\n".join(rows) + "\n")


def test_evaluations_of_positions_equal_the_stored_ones() -> None:
    rows = []
    for spec, texts in SET_UP.items():
        for text in texts:
            position = game(spec).new(text)
            worth = []
            for name, evaluation in position.evaluations.items():
                position.evaluation = evaluation
                worth.append(f"{name} {position.evaluate()}")
                assert position.evaluate_for(0) == -position.evaluate_for(1)
                if spec == "chess":
                    other = game(spec).new(mirror(text))
                    other.evaluation = other.evaluations[name]
                    assert other.evaluate() == position.evaluate(), "the same with the colours exchanged"
            rows.append(f"{spec} {text}: {', '.join(worth)}")
    golden("positions", "\n".join(rows) + "\n")


@pytest.mark.skipif(compiled(), reason="slots are seen in the pure build")
def test_tactics_of_positions_equal_the_stored_ones() -> None:
    rows = []
    for spec, texts in SET_UP.items():
        for text in texts:
            digests = Digests()
            digests.add(tactics(game(spec).new(text)))
            check_lists(game(spec).new(text))
            rows += digests.rows(f"{spec} {text}")
    golden("positions_tactics", "\n".join(rows) + "\n")


def test_refusals_of_damaged_text_equal_the_stored_ones() -> None:
    rows = []
    for spec in PLAYED:
        digests = Digests()
        for position, rng, _ in positions(spec, games=1, plies=12):
            digests.add(damages(spec, position, rng))
            check_words(position)
        rows += digests.rows(spec)
    golden("damaged", "\n".join(rows) + "\n")


def damages(spec: str, position: Any, rng: Random) -> Iterator[tuple[str, str]]:
    """The errors for moves and texts with inserted, missing or changed letters, and for unrelated words."""
    text = position.text()
    for _ in range(6 if text else 0):
        word = damage(text, rng)
        try:
            yield "texts", f"{word} is {game(spec).new(word).text()}"
        except GameplayError as refusal:
            yield "texts", f"{word}: {refusal}"
    moves = list(position.moves()) if position.outcome() is None else []
    words = [position.format(move) for move in moves[:: max(1, len(moves) // 4)]]
    words = [*words, *(damage(word, rng) for word in words), "", "?", "pass", "a1", "0"]
    for word in words:
        try:
            yield "moves", f"{word} is {position.parse(word)}"
        except GameplayError as refusal:
            yield "moves", f"{word}: {refusal}"


def damage(text: str, rng: Random) -> str:
    at, letter = rng.randrange(len(text) + 1), rng.choice(text + " /-0129aAxX:")
    return rng.choice(
        (text[:at] + text[at + 1 :], text[:at] + letter + text[at:], text[:at] + letter + text[at + 1 :])
    )


def takes(spec: str) -> bool:
    try:
        game(spec).new()
    except (BadInput, Usage):
        return False
    return True


def ranges(spec: str, taken: list[int]) -> str:
    """The accepted numbers of NUMBERS as text: 2 to 4, 7."""
    runs: list[list[int]] = []
    for number in taken:
        if runs and NUMBERS.index(number) == NUMBERS.index(runs[-1][-1]) + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    log = []
    for run in runs:
        least, most, beyond = run[0], run[-1], NUMBERS[NUMBERS.index(run[-1]) + 1 :][:1] or (run[-1] + 1,)
        above = beyond[0]
        while above - most > 1:
            middle = (most + above) // 2
            most, above = (middle, above) if takes(f"{spec}={middle}") else (most, middle)
        log.append(f"{least} to {most}" if least < most else str(least))
    return ", ".join(log) or "none"


def positions(spec: str, games: int = GAMES, plies: int = PLIES) -> Iterator[tuple[Any, Random, int | None]]:
    """Random games: the first positions, some later ones, and the ends; with the last move."""
    for seed in range(games):
        rng = Random(seed)
        position, last = game(spec).new(), None
        for ply in range(plies):
            over = position.outcome() is not None
            if over or ply < 8 or ply % 10 == 0:
                yield position, rng, last
            if over:
                break
            last = rng.choice(list(position.moves()))
            position.make(last)


def tactics(kernel: Any) -> Iterator[tuple[str, str]]:
    """The optional methods for searches that a game implements."""
    if kernel.outcome() is not None or kernel.turn == CHANCE:
        return
    moves = kernel.stack[: kernel.gen(0)]
    for slot in (*OF_POSITIONS, *OF_MOVES, *LISTS):
        ask = getattr(kernel, slot)
        if ask.__func__ is getattr(Kernel, slot):
            continue
        if slot in OF_MOVES:
            yield slot, str([ask(move) for move in moves])
        elif slot in LISTS:
            end = ask(0)
            yield slot, f"{kernel.stack[:end]} {kernel.is_forced}"
        else:
            yield slot, str(ask())
    if kernel.null_move():
        yield "null_move", f"{kernel.turn} {kernel.hash()} {kernel.score()}"
        kernel.undo_null_move()
