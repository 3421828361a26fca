"""Reading game files and reviewing games from Python; shared with `gameplay review`."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gameplay import file_io, registry
from gameplay.api.arguments import check_arguments
from gameplay.api.games import limits, player_spec
from gameplay.errors import BadInput
from gameplay.options import refusal
from gameplay.players import seats
from gameplay.runs.played import MatchGame
from gameplay.search.limit import Limit
from gameplay.store import saved
from gameplay.store.record import Record
from gameplay.training import stored_reviews
from gameplay.training.review import Review, default_limit, review_engine
from gameplay.training.review import review as review_record

if TYPE_CHECKING:
    from gameplay.search.engine import Engine


@check_arguments
def read_games(file: str | Path) -> Iterator[Record]:
    """Read the games of a file: PGN, SGF, PDN, PBN, GGF, MAT, GCG, or a saved game of this program.

    Raises BadInput for a missing file, one without games, and at a game that cannot be read.
    """
    path = Path(file).expanduser()
    if not path.is_file():
        raise BadInput(file_io.no_file(str(path)))
    for number, record, problem in saved.read_games(path, registry.game):
        if record is None:
            raise BadInput(problem or f"{path}: game {number} cannot be read")
        yield record


@check_arguments
def review(
    game: Record | MatchGame,
    engine: "str | Engine" = "",
    *,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    store: bool = False,
    watch: Callable[[int, int], object] | None = None,
) -> Review:
    """Review a finished game like `gameplay review`: compare each move with the best one.

    `game` is one of `read_games` or of a run. `engine` searches each position [the game's default engine]
    to `depth` plies, `nodes` positions or `time` seconds [100,000 nodes; 10,000 of Scrabble, 2,000,000 of
    bridge]. `store` True uses a stored review, or stores a new one. `watch` is called before each move with
    its ply, from 1, and the number of plies. `Review.mistakes` lists the moves with a verdict.

    Raises Usage for a game that cannot be reviewed, BadInput for a record without moves or with illegal ones.
    """
    if not isinstance(game, (MatchGame, Record)):
        raise refusal(
            "", "game", game, "a game of read_games or of a run", "next(gameplay.read_games('a.pgn'))"
        )
    record = game.record if isinstance(game, MatchGame) else game
    if record is None:
        raise BadInput("the game has no record: its process ended before the first move")
    if record.sealed:
        raise BadInput(
            f"the game is not over; {record.game} has imperfect information, and is reviewed "
            "after the game only"
        )
    spec = player_spec(engine) if engine else ""
    return review_of(record, spec, limits(depth, nodes, time, None), store, watch)


def review_of(
    record: Record,
    engine: str,
    limit: Limit,
    store: bool,
    watch: Callable[[int, int], object] | None = None,
    unsaved: Callable[[OSError], object] | None = None,
) -> Review:
    """The review of a game; with `store` a stored one if it exists, else a new one, which is stored.

    If storing fails, `unsaved` is called with the OSError; without `unsaved` it is raised.
    """
    game = registry.game(record.game)
    chosen = review_engine(game, engine)
    limit = (seats.analysis_engine(engine)[1].within(limit) if engine else limit) or default_limit(
        game, chosen
    )
    if store:
        return stored_reviews.load_or_review(record, chosen, limit, watch, unsaved)
    return review_record(record, chosen, limit, watch)
