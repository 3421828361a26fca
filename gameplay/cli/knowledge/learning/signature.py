"""Method signature of `gameplay learn`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gameplay.cli.common.width import echo_err
from gameplay.cli.knowledge.learning.method import GenerationMethod, linear_evaluation, read_recorded_games
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.learning.signature.run import SignatureRun
    from gameplay.registry import Game

GAME_OPTIONS = ("depth", "plies", "opening")  # of self-play


class SignatureMethod(GenerationMethod):
    """Signature tables over the terms of a linear evaluation."""

    help = (
        "With --method signature tables of combined terms count which moves were played in recorded games "
        "(--from), or in games of an engine against itself. The table shows how they rank the moves of "
        "games held out."
    )
    options = ("evaluation", "source", *GAME_OPTIONS)
    report = "signature"
    shown = ("games", "evaluation")

    def begin(
        self, game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]
    ) -> "SignatureRun":
        from gameplay.errors import Usage
        from gameplay.learning.signature.run import SignatureRun, SignatureSettings

        terms, weights = linear_evaluation(game, options)
        source = options.pop("source", None)
        if source is None:
            settings = SignatureSettings(
                game.spec, terms.name, games or 1000, seed, weights=weights, **options
            )
            return SignatureRun.begin(folder, settings)
        for name in options:
            raise Usage(
                f"--{name} is for self-play, and --from reads the games of {source}. Try: leave --{name} out"
            )
        moves = _read_recorded_moves(game, source)[:games]
        settings = SignatureSettings(
            game.spec, terms.name, len(moves), seed, source=source.name, weights=weights
        )
        return SignatureRun.of_games(folder, settings, moves)

    def run_class(self, folder: Path) -> "type[SignatureRun]":
        from gameplay.learning.signature.run import SignatureRun

        return SignatureRun

    def engine(self, run: "SignatureRun") -> str:
        return f"selective:eval={run.weights}"

    def method_facts(self, run: "SignatureRun") -> dict[str, Any]:
        from gameplay.learning.signature.run import PUBLISHED

        settings = run.settings
        return {
            "source": settings.source or None,
            "depth": None if settings.source else settings.depth,
            "published": PUBLISHED if run.game.name == "checkers" else None,
        }


def _read_recorded_moves(game: "Game", source: Path) -> "list[tuple[int, ...]]":
    """The moves of the games in a file that begin at the start. Raises BadInput if there is none."""
    from gameplay.errors import BadInput

    games = read_recorded_games(game, source, finished=False)
    from_start = [record.moves for record in games if not record.start]
    others = f"{plural(len(games) - len(from_start), 'game')} from another position"
    if not from_start:
        raise BadInput(f"{source} holds no game of {game.spec} from its start, but {others}")
    if len(from_start) < len(games):
        echo_err(f"{source}: {others} left out")
    return from_start
