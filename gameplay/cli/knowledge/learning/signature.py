"""Method signature of `gameplay learn`."""

from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gameplay.cli.common.width import say_aside
from gameplay.cli.knowledge.learning.method import GenerationMethod, linear

if TYPE_CHECKING:
    from gameplay.learning.signature.run import SignatureRun
    from gameplay.registry import Game

PLAYED = ("depth", "plies", "opening")  # options of games that are played


class SignatureMethod(GenerationMethod):
    """Signature tables over the terms of a linear evaluation."""

    options = ("evaluation", "source", *PLAYED)

    def begin(
        self, game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]
    ) -> "SignatureRun":
        from gameplay.errors import Usage
        from gameplay.learning.generations import digest_of
        from gameplay.learning.signature.run import SignatureRun, SignatureSettings, lines_of

        terms, weights = linear(game, options)
        source = options.pop("source", None)
        if source is None:
            settings = SignatureSettings(
                game.spec, terms.name, games or 1000, seed, weights=weights, **options
            )
            return SignatureRun.begin(folder, settings)
        for name in options:
            raise Usage(f"--{name} is for games that are played: with --from they are those of {source}")
        moves = _recorded(source, game)[:games]
        settings = SignatureSettings(
            game.spec,
            terms.name,
            len(moves),
            seed,
            source=source.name,
            digest=digest_of(lines_of(moves)),
            weights=weights,
        )
        return SignatureRun.begin_with(folder, settings, moves)

    def texts(self) -> ModuleType:
        from gameplay.display.reports.learning import signature

        return signature

    def run_class(self, folder: Path) -> "type[SignatureRun]":
        from gameplay.learning.signature.run import SignatureRun

        return SignatureRun

    def engine(self, run: "SignatureRun") -> str:
        return f"selective:eval={run.weights}"

    def own_facts(self, run: "SignatureRun") -> dict[str, Any]:
        from gameplay.learning.signature.run import PUBLISHED

        settings = run.settings
        return {
            "games": settings.games,
            "evaluation": settings.evaluation,
            "source": settings.source or None,
            "depth": None if settings.source else settings.depth,
            "published": PUBLISHED if run.game.name == "checkers" else None,
        }


def _recorded(source: Path, game: "Game") -> list[list[int]]:
    """The moves of the games in a file, up to their end by the rules.

    Raises BadInput if it holds no game of this kind; what is left out is noted.
    """
    from gameplay import file_io, registry
    from gameplay.errors import BadInput, GameplayError
    from gameplay.store import saved

    if not source.is_file():
        raise BadInput(file_io.no_file(source))
    games: list[list[int]] = []
    omitted, problem = 0, ""
    for number, record, wrong in saved.each(source, registry.game):
        try:
            if record is None or registry.game(record.game).name != game.name or record.start:
                reason = wrong or "is of another game, or begins from another position"
                raise BadInput(f"game {number} {reason}")
            games.append(_moves(game, record.words))
        except GameplayError as error:
            omitted, problem = omitted + 1, problem or str(error)
    if not games:
        raise BadInput(f"{source} holds no game of {game.spec} from its start: {problem}")
    if omitted:
        say_aside(f"{source}: {omitted:,} of {omitted + len(games):,} games are left out ({problem})")
    return games


def _moves(game: "Game", words: list[str]) -> list[int]:
    """The moves of a game. Raises IllegalMove."""
    position = game.new()
    moves: list[int] = []
    for word in words:
        if position.outcome() is not None:
            break
        moves.append(position.parse(word))
        position.make(moves[-1])
    return moves
