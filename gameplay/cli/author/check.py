"""`gameplay check`: tests whether a game, or an engine, keeps the contract."""

from typing import TYPE_CHECKING

import click

from gameplay.cli.common.advice import command_line
from gameplay.cli.common.options import COUNT, GAME, Integer, json_option
from gameplay.cli.common.progress_line import ProgressLine
from gameplay.cli.common.width import echo_wrapped
from gameplay.errors import Fault, Mismatch, Usage
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.conformance.laws import Break, Conformance
    from gameplay.suites.conduct import Conduct

INDENT = " " * 13


@click.command(short_help="Check that a game or an engine fulfils the contract")
@click.argument("game", metavar="FILE_OR_NAME", type=GAME)
@click.option("--games", type=COUNT, default=100, help="Random games to play [100].")
@click.option("--game", "engine_game", type=GAME, help="Check an engine in this game [all that it plays].")
@click.option(
    "--positions", type=COUNT, default=10, help="Positions of each game that an engine searches [10]."
)
@click.option("--seed", type=Integer(0), default=0, help="Seed of the random games [0].")
@json_option("the verdict")
def command(game: str, games: int, engine_game: str | None, positions: int, seed: int, as_json: bool) -> int:
    """Check that a game or an engine fulfils the contract.

    A game is played at random to the end and back, and every law is checked at every position; for each
    broken law it prints the shortest moves that break it and how to fix it. FILE_OR_NAME is a game's name
    or your own file: ./sticks.py, ./games.py:Sticks, ./tree.toml.

    An engine, ./mine.py or alphabeta, searches positions of random games. It must return legal moves, leave
    the position as it was, observe its limits, stop when asked, and repeat a search with the same seed. Its
    values are compared with minimax's on small trees with each kind of payoff that it plays.
    """
    import json

    from gameplay import registry
    from gameplay.conformance.checker import check

    if registry.is_engine(game):
        from gameplay.suites import conduct

        with ProgressLine() as progress_line:
            progress_line("checking the laws in searches ...")
            shown = conduct.check(game, [engine_game] if engine_game else [], positions, seed)
        _print(json.dumps(shown.as_dict(), indent=2) if as_json else _report_engine(shown), as_json)
        return 0 if not shown.broken else Fault.status if shown.faulty else Mismatch.status
    if engine_game is not None:
        raise Usage(f"--game chooses where to check an engine, and {game} is a game. Try: leave --game out")

    with ProgressLine() as progress_line:
        progress_line(f"checking the laws in {plural(games, 'random game')} ...")
        verdict = check(registry.game(game), games, seed)
    _print(json.dumps(verdict.as_dict(), indent=2) if as_json else _report_game(verdict, game), as_json)
    if verdict.broken:
        return Fault.status if verdict.faulty else Mismatch.status
    return 0


def _print(text: str, verbatim: bool) -> None:
    """Print a report; on a terminal wrapped, except for commands to copy or if `verbatim`."""
    for line in text.split("\n"):
        if verbatim or line.startswith("  look "):
            click.echo(line)
        else:
            echo_wrapped(line, len(INDENT) if line.startswith(" ") else 2)


def _report_game(verdict: "Conformance", spec: str) -> str:
    games = "1 random game" if verdict.plays == 1 else f"{verdict.plays} random games"
    lines = [
        f"{spec}: {games} to the end and back, seed {verdict.seed}",
        f"  positions  {verdict.positions:,}, of them {verdict.keys:,} distinct",
        f"  longest    {verdict.longest:,} moves",
        f"  branching  {verdict.branching:.1f} moves a position",
        *_statistics(verdict, spec),
    ]
    for number, warning in enumerate(verdict.warnings):
        lines.append(f"  {'' if number else 'warning':<10} {warning}")
    if not verdict.broken and not verdict.untested:
        lines.append("  laws       all hold")
    elif not verdict.broken:
        lines.append("  laws       all that were tested hold")
        for number, law in enumerate(verdict.untested):
            lines.append(f"  {'' if number else 'not tested':<10} {law.law}: {law.reason}")
    for broken in verdict.broken:
        lines += ["", *_describe_break(broken, spec)]
    return "\n".join(lines)


def _statistics(verdict: "Conformance", spec: str) -> list[str]:
    """The statistics of the random games, in lines."""
    from gameplay import registry
    from gameplay.position import side_names

    seen = verdict.observed
    if not seen.games or verdict.broken:
        return []
    start = registry.game(spec).new()
    names = side_names(start)
    lines = [f"  observed   {seen.games:,} random games" if seen.games > 1 else "  observed   1 random game"]
    lines += [f"  length     {seen.shortest} to {seen.longest} moves, {seen.mean_length:.1f} on average"]
    if start.players > 1:
        wins = ", ".join(f"{name} won {count}" for name, count in zip(names, seen.wins, strict=True))
        lines.append(f"  results    {wins}, drawn {seen.draws}")
        lines.append(f"  last move  its player won {seen.last_won}, lost {seen.last_lost}")
        shares = zip(names, seen.moved, strict=True)
        lines.append("  moves      " + ", ".join(f"{count:,} by {name}" for name, count in shares))
    return lines


def _describe_break(broken: "Break", spec: str) -> list[str]:
    words = " ".join(broken.moves)
    replay = command_line("gameplay", "show", spec, *(["--moves", words] if words else []))
    drawing = broken.drawing.splitlines() or ["(not reached)"]
    return [
        f"BROKEN: {broken.statement}",
        f"  seen       {broken.seen}",
        f"  moves      {words or '(at the start)'}",
        f"  position   {drawing[0]}",
        *[INDENT + line for line in drawing[1:]],
        f"  look       {replay}",
        f"  fix        {broken.fix}",
    ]


def _report_engine(conduct: "Conduct") -> str:
    lines = [
        f"{conduct.engine}: positions of random games, seed {conduct.seed}",
        f"  games      {', '.join(conduct.games)}",
        f"  positions  {conduct.positions:,}",
        f"  searches   {conduct.searches:,}",
    ]
    if conduct.payoffs:
        lines.append(f"  values     compared with minimax's: {', '.join(conduct.payoffs)}")
    if not conduct.broken:
        lines.append("  laws       all hold" + (", of those tested" if conduct.untested else ""))
    if conduct.untested:
        lines.append(f"  untested   minimax: {conduct.untested}")
    for broken in conduct.broken:
        words = " ".join(broken.moves)
        replay = command_line("gameplay", "show", broken.game, *(["--moves", words] if words else []))
        lines += [
            "",
            f"BROKEN: {broken.statement}",
            f"  seen       {broken.seen}",
            f"  game       {broken.game}",
            f"  moves      {words or '(at the start)'}",
            f"  look       {replay}",
            f"  fix        {broken.fix}",
        ]
    return "\n".join(lines)
