"""A run of Deep CFR as text: what learns, and its exploitability beside that of CFR with tables."""

from typing import TYPE_CHECKING

from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.learning.deepcfr.run import DeepCfrPoint, DeepCfrRun


def head(run: "DeepCfrRun") -> list[str]:
    """Method, measure, and the head of the table."""
    settings = run.settings
    return [
        f"{run.game.spec}: Deep CFR, {plural(settings.iterations, 'iteration')} of "
        f"{plural(settings.traversals, 'traversal')} for each player, seed {settings.seed}",
        f"{run.form.nodes:,} nodes, {len(run.form.infosets):,} infosets; networks of {run.inputs} inputs, 2x"
        f"{settings.units} units and {run.outputs} outputs",
        "Exploitability is exact: of the strategy network, and of CFR with tables (external sampling) "
        "after as many nodes.",
        "",
        f"{'iterations':>11}{'nodes':>13}{'network':>11}{'tables':>11}{'value':>11}",
    ]


def row(run: "DeepCfrRun", point: "DeepCfrPoint") -> str:
    """A generation."""
    return (
        f"{point.iterations:>11,}{point.nodes:>13,}{point.exploitability:>11.4f}{point.tabular:>11.4f}"
        f"{point.value:>+11.4f}"
    )


def foot(run: "DeepCfrRun") -> list[str]:
    """The path of the strategy."""
    return ["", f"strategy: {run.weights}"] if run.curve else []
