"""A learning run as text: its results, its polynomial or stored positions, and what each move changed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.display.reports.curve import draw_curve
from gameplay.learning.rote import Storing
from gameplay.learning.samuel import MARKS, PUBLISHED, Correction, Mark, Replacement
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.learning.rote import RoteTrainer
    from gameplay.learning.run import LearningRun
    from gameplay.learning.samuel import LearningGame, Trainer

CURVE_WINDOW = 10  # games whose mean score is a point of the curve
MAX_ROWS = 12  # rows of the table of games of rote learning


def summary(run: "LearningRun", width: int) -> list[str]:
    """The results of a run so far, with the curve of Alpha's score."""
    settings, learner = run.settings, run.learner
    wins, draws, losses = learner.results
    lines = [
        f"{settings.game}, evaluation {settings.evaluation}, {settings.method}: {learner.games} of "
        f"{plural(settings.games, 'game')} at depth {settings.depth}, seed {settings.seed}",
        f"Alpha +{wins} ={draws} -{losses}; {_learning_totals(run)}",
    ]
    if learner.games:
        lines[0] += f"; {run.seconds / 3600:.2f} hours" if run.seconds else ""
        rote = settings.method == "rote"
        lines.append(f"records: {run.state}" if rote else f"weights: {run.folder / 'weights.toml'}")
    results = [(line["result"] + 1) / 2 for line in run.lines()]
    if len(results) >= CURVE_WINDOW:
        means = [
            sum(results[at - CURVE_WINDOW : at]) / CURVE_WINDOW
            for at in range(CURVE_WINDOW, len(results) + 1)
        ]
        lines += [
            "",
            f"Alpha's score, mean of {CURVE_WINDOW} games",
            *draw_curve(means, ("Alpha", "Beta"), min(width, 80)),
        ]
    return lines


def _learning_totals(run: "LearningRun") -> str:
    if run.settings.method == "rote":
        memory = run.memory
        return (
            f"{plural(len(memory.records), 'stored position')} of {memory.moves:,}; values taken from stored "
            f"positions: {memory.recalled:,}"
        )
    learner = run.polynomial
    replaced = sum(learner.discarded.values())
    return (
        f"{plural(learner.corrections, 'correction')} in {plural(learner.moves, 'move')}, {replaced:,} of "
        "them of terms that were replaced"
    )


def memory_table(run: "LearningRun") -> list[str]:
    """The stored positions by the plies over which their values are backed up, and what became of others."""
    learner, settings = run.memory, run.settings
    counts: dict[int, list[int]] = {}
    for record in learner.records.values():
        counts.setdefault(record.plies, []).append(record.age)
    lines = [f"{'plies':>5}{'positions':>11}{'mean age':>10}"]
    for plies, ages in sorted(counts.items()):
        lines.append(f"{plies:>5}{len(ages):>11,}{sum(ages) / len(ages):>10.1f}")
    games = run.lines()
    if games:
        shown = sorted({round((at + 1) * len(games) / MAX_ROWS) for at in range(MAX_ROWS)} - {0})
        lines += ["", f"{'game':>5}{'positions':>11}{'recalled':>10}{'longest':>9}"]
        for at in shown:
            game = games[at - 1]
            share = game["recalled"] / game["searched"] if game["searched"] else 0.0
            lines.append(f"{at:>5}{game['records']:>11,}{share:>10.0%}{game['plies']:>9}")
    return [
        *lines,
        "",
        f"{learner.forgotten:,} forgotten at age {settings.age}, {learner.discarded:,} discarded for want of "
        f"room ({settings.records:,} at most); searches used stored positions {learner.lookups:,} times",
    ]


def polynomial_table(run: "LearningRun") -> list[str]:
    """The active terms, the leading one first; for checkers beside Samuel's."""
    learner, published = run.polynomial, PUBLISHED if run.settings.evaluation == "samuel" else {}
    width = max(8, 1 + max(len(term.name) for term in learner.active))
    head = f"{'term':<{width}}{'coefficient':>12}{'':>8}{'correlation':>13}{'used':>7}"
    lines = [head + ("   Samuel, 42 games" if published else "")]
    for term in sorted(learner.active, key=lambda term: -abs(term.correlation)):
        weight = learner.alpha[term.name]
        power = format_power(weight)
        line = f"{term.name:<{width}}{weight:>12,}{power:>8}{term.correlation:>13.3f}{term.used:>7}"
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


def format_power(weight: int) -> str:
    """A coefficient as a power of two: `+2^8`; "" for one that is none."""
    size = abs(weight)
    if not size or size & (size - 1):
        return ""
    return f"{'-' if weight < 0 else '+'}2^{size.bit_length() - 1}"


def explain_game(trainer: "Trainer | RoteTrainer", played: "LearningGame") -> Iterator[str]:
    """The changes that each move of a game made, in lines."""
    position = trainer.game.new()
    unit = position.unit
    words = []
    for move in played.moves:
        words.append(position.format(move))
        position.make(move)
    for event in played.events:
        if isinstance(event, Storing):
            yield _storing(event, words[event.ply], unit)
        if isinstance(event, Replacement):
            yield f"  ply {event.ply + 1}: {event.entered} replaces {event.left}, used {event.used} times"
        elif isinstance(event, Mark):
            yield f"  ply {event.ply + 1}: {event.name}, least correlated, gets mark {event.marks} of {MARKS}"
        elif isinstance(event, Correction):
            yield from _correction(event, words, unit)


def _storing(event: Storing, word: str, unit: int) -> str:
    verb = "stored" if event.new else "stored again"
    where = f", from a stored position {plural(event.source, 'ply', 'plies')} ahead" if event.source else ""
    used = f"; {plural(event.used, 'stored position')} used" if event.used else ""
    value = scale.format_value(event.value, unit=unit)
    span = plural(event.plies, "ply", "plies")
    return f"  ply {event.ply + 1}, before {word}: {verb} with {value}, over {span}{where}{used}"


def _correction(event: Correction, words: list[str], unit: int) -> Iterator[str]:
    reason = "undervalued" if event.delta > 0 else "overvalued"
    times = {1: "", 2: ", material changed: twice", 4: ", the game is decided: four times"}[event.weight]
    since = f"the position before {words[event.since]} (ply {event.since + 1}), at {event.score / unit:+.2f},"
    yield (
        f"  ply {event.ply + 1}, before {words[event.ply]}: delta {event.delta / unit:+.2f}: {since} was "
        f"{reason}{times}"
    )
    width = max(8, *(len(term[0]) for term in event.terms))
    for (name, count, before, after), share in zip(event.terms, event.contributions, strict=True):
        agrees = "agrees " if (count > 0) == (event.delta > 0) else "differs"
        yield (
            f"    {name:<{width}}{count:+4d}  contributed {share / unit:+6.2f}  {agrees}  "
            f"correlation {before:+.3f} -> {after:+.3f}"
        )
    changes = [f"{name} {_weight(before)} -> {_weight(after)}" for name, before, after in event.coefficients]
    if changes:
        yield f"    coefficients: {', '.join(changes)}"


def _weight(weight: int) -> str:
    return format_power(weight) or str(weight)
