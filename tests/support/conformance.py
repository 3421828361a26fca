"""Games that tests share, and the check that one satisfies the contract."""

from gameplay.conformance import checker
from gameplay.conformance.laws import Conformance
from gameplay.registry import Game, game
from tests.support.files import find_files
from tests.support.paths import ROOT, TESTS

FAMILIES = [
    str(file)
    for file in find_files(TESTS / "examples" / "games", "*.py")
    if file.stem not in ("broken", "planted", "evaluated")
]
TREES = list(map(str, find_files(ROOT / "gameplay" / "games" / "tree" / "files", "*.toml")))
BUILT_IN = [
    "checkers",
    "draughts",
    "draughts:variant=russian",
    "draughts:variant=brazilian",
    "othello",
    "pig:goal=30",
    "pig:players=3,goal=20",
    "pig:goal=2,faces=2",
    "othello:size=6",
    "othello:size=4",
    "nim",
    "nim:heaps=1+2+3,players=3,misere=on",
    "connect4:players=3",
    "connect4:players=4,columns=6,rows=5",
    "tictactoe:players=3",
    "tictactoe",
    "tictactoe:width=4,height=4,line=4",
    "tictactoe:width=4,misere=on",
    "tictactoe:width=5,height=2,line=3",
    "tictactoe:width=9,height=9,line=5",
    "connect4",
    "connect4:columns=4,rows=4",
    "connect4:columns=1,rows=6",
    "connect4:columns=9,rows=5,connect=5",
    "connect4:columns=12,rows=4",
    "connect4:columns=20,rows=20",
    "chess",
    "chess:start=0",
    "chess:claims=off",
    "monopoly:rounds=4",
    "monopoly:players=3,rounds=3,trades=on",
    "backgammon",
    "backgammon:match=3",
    "backgammon:cube=on,jacoby=on",
    "puzzle15",
    "puzzle15:shuffle=4",
    "puzzle15:rows=5,columns=5",
    "puzzle15:rows=2,columns=3,seed=5",
    "go:size=2",
    "go:size=3,rules=tromp-taylor",
    "go:size=3,ko=simple",
    "go:columns=4,rows=3,ko=situational,suicide=on,goal=points",
    "go:size=4,handicap=3,placement=free",
    "chinese-checkers:rounds=12",
    "chinese-checkers:players=3,rounds=8",
    "chinese-checkers:players=6,rounds=4",
    "kuhn",
    "kuhn:players=3",
    "leduc",
    "leduc:players=3",
    "holdem",
    "holdem:bets=any,players=3,stacks=7/20/4",
    "liars-dice",
    "liars-dice:players=3,dice=2,faces=4",
    "phantom-tictactoe",
    "battleship:rows=3,columns=4,ships=1+2+3",
    "battleship:rows=3,columns=3,ships=2+3,shots=5",
    "stratego:army=barrage,quiet=3",
    "stratego:army=barrage,start=chosen,quiet=3",
    f"scrabble:challenge=double,words={TESTS}/answers/few_words.txt",
]


PATIENT = 300.0  # seconds for a call into a game: on a busy machine any call may wait for long


def check(
    game: Game, plays: int = 100, seed: int = 0, seconds: float = PATIENT, plies: int = 2000
) -> Conformance:
    """`conformance.check`, with more time for each call."""
    return checker.check(game, plays, seed, seconds, plies)


def check_laws(spec: str, plays: int = 20, seed: int = 0) -> None:
    """Fail with a report for the author unless the game satisfies every law."""
    verdict = check(game(spec), plays, seed)
    messages = [f"{spec}, after {b.moves}: {b.statement}\n{b.seen}\n{b.drawing}" for b in verdict.broken]
    assert not verdict.broken, "\n".join(messages)
    assert verdict.plays == plays
    assert verdict.finished == plays or game(spec).new().players == 1  # a puzzle goes on until it is solved
