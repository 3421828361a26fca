"""Method signature of `gameplay learn`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gameplay.cli.common.advice import typed
from gameplay.cli.common.width import say_aside
from gameplay.cli.knowledge.learning.method import GenerationMethod

if TYPE_CHECKING:
    from gameplay.learning.signature.run import SignaturePoint, SignatureRun
    from gameplay.registry import Game

PLAYED = ("depth", "plies", "opening")  # options of games that are played


class SignatureMethod(GenerationMethod):
    """Signature tables over the terms of a linear evaluation."""

    options = ("evaluation", "source", *PLAYED)

    def begin(
        self, game: "Game", folder: Path, games: int | None, seed: int, options: dict[str, Any]
    ) -> "SignatureRun":
        from gameplay.errors import Usage
        from gameplay.learning.run import chosen
        from gameplay.learning.signature.run import SignatureRun, SignatureSettings, digest_of, lines_of

        terms = chosen(game, options.pop("evaluation", ""))
        weights = dict(terms.weights) if terms.file else {}
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

    def load(self, folder: Path) -> "SignatureRun":
        from gameplay.learning.signature.run import SignatureRun

        return SignatureRun.load(folder)

    def head(self, run: "SignatureRun") -> list[str]:
        from gameplay.display.reports import signature_curve

        return signature_curve.head(run)

    def row(self, run: "SignatureRun", point: "SignaturePoint") -> str:
        from gameplay.display.reports import signature_curve

        return signature_curve.row(point)

    def foot(self, run: "SignatureRun") -> list[str]:
        from gameplay.display.reports import signature_curve

        lines = signature_curve.foot(run)
        if run.curve:
            words = "play", run.settings.game, "--engine", f"selective:eval={run.weights}"
            lines.append(f"Play against it: {typed('gameplay', *words)}")
        return lines

    def remaining(self, run: "SignatureRun") -> str:
        return f"{run.settings.games - run.played:,} games are left"

    def facts(self, run: "SignatureRun") -> dict[str, Any]:
        from gameplay.learning.signature.run import PUBLISHED

        settings = run.settings
        return {
            "folder": str(run.folder),
            "game": settings.game,
            "evaluation": settings.evaluation,
            "method": settings.method,
            "games": settings.games,
            "seed": settings.seed,
            "source": settings.source or None,
            "depth": None if settings.source else settings.depth,
            "played": run.played,
            "curve": [asdict(point) for point in run.curve],
            "published": PUBLISHED if run.game.name == "checkers" else None,
            "weights": str(run.weights) if run.curve else None,
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
