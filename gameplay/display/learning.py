"""A learning run as text: its results, its polynomial, and why coefficients changed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gameplay.display.curve import drawn
from gameplay.learning.samuel import PUBLISHED, Correction, Replacement

if TYPE_CHECKING:
    from gameplay.learning.run import LearningRun
    from gameplay.learning.samuel import LearningGame, Trainer

RECENT = 10  # games whose mean score is a point of the curve


def summary(run: "LearningRun", width: int) -> list[str]:
    """What a run came to so far, with the curve of Alpha's score."""
    settings, learner = run.settings, run.learner
    wins, draws, losses = learner.results
    lines = [
        f"{settings.game}, evaluation {settings.evaluation}, {settings.method}: {learner.games} of "
        f"{settings.games} games at depth {settings.depth}, seed {settings.seed}",
        f"Alpha +{wins} ={draws} -{losses}; {learner.corrections:,} corrections in {learner.moves:,} moves, "
        f"{sum(learner.discarded.values()):,} of them of terms that were replaced",
    ]
    if learner.games:
        lines.append(f"weights: {run.folder / 'weights.toml'}")
    results = [(line["result"] + 1) / 2 for line in run.lines()]
    if len(results) >= RECENT:
        means = [sum(results[at - RECENT : at]) / RECENT for at in range(RECENT, len(results) + 1)]
        lines += [
            "",
            f"Alpha's score, mean of {RECENT} games",
            *drawn(means, ("Alpha", "Beta"), min(width, 80)),
        ]
    return lines


def polynomial(run: "LearningRun") -> list[str]:
    """The active terms, the leading one first; for checkers beside Samuel's."""
    learner, published = run.learner, PUBLISHED if run.settings.evaluation == "samuel" else {}
    width = max(8, 1 + max(len(term.name) for term in learner.active))
    head = f"{'term':<{width}}{'coefficient':>12}{'':>8}{'correlation':>13}{'used':>7}"
    lines = [head + ("   Samuel, 42 games" if published else "")]
    for term in sorted(learner.active, key=lambda term: -abs(term.correlation)):
        weight = learner.alpha[term.name]
        line = f"{term.name:<{width}}{weight:>12,}{power(weight):>8}{term.correlation:>13.3f}{term.used:>7}"
        if term.name in published:
            line += f"   {published[term.name]}"
        lines.append(line.rstrip())
    missing = [
        f"{name} {text}" for name, text in published.items() if name not in {t.name for t in learner.active}
    ]
    if missing:
        lines += ["", f"Samuel's others: {', '.join(missing)}"]
    if learner.reserve:
        lines += ["", f"In reserve, the next first: {' '.join(learner.reserve)}"]
    return lines


def power(weight: int) -> str:
    """A coefficient as a power of two: `+2^8`; "" for one that is none."""
    size = abs(weight)
    if not size or size & (size - 1):
        return ""
    return f"{'-' if weight < 0 else '+'}2^{size.bit_length() - 1}"


def explained(trainer: "Trainer", played: "LearningGame") -> Iterator[str]:
    """The corrections and replacements of a game, in lines."""
    unit = trainer.game.new().unit
    for event in played.events:
        if isinstance(event, Replacement):
            yield f"  ply {event.ply + 1}: {event.entered} replaces {event.left}, used {event.used} times"
        elif isinstance(event, Correction):
            yield from _correction(event, unit)


def _correction(event: Correction, unit: int) -> Iterator[str]:
    reason = "undervalued" if event.delta > 0 else "overvalued"
    times = {1: "", 2: ", material changed: twice", 4: ", the game is decided: four times"}[event.weight]
    yield (
        f"  ply {event.ply + 1}: delta {event.delta / unit:+.2f}: the remembered position, at "
        f"{event.score / unit:+.2f}, was {reason}{times}"
    )
    width = max(8, *(len(term[0]) for term in event.terms))
    for name, count, before, after in event.terms:
        agrees = (count > 0) == (event.delta > 0)
        yield (
            f"    {name:<{width}}{count:+4d}  {'agrees ' if agrees else 'differs'}  "
            f"correlation {before:+.3f} -> {after:+.3f}"
        )
    changes = [f"{name} {_weight(before)} -> {_weight(after)}" for name, before, after in event.coefficients]
    if changes:
        yield f"    coefficients: {', '.join(changes)}"


def _weight(weight: int) -> str:
    return power(weight) or str(weight)
