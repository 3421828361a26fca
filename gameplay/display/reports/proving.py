"""Prints proof-number search as text, one line per step."""

from gameplay.tracing.proving import pair, state
from gameplay.tracing.trace import TraceStep


def format_step(step: TraceStep) -> str:
    """Format a step in one line."""
    if step.what == "question":
        return step.name
    name = step.word or "root"
    if step.what == "enter":
        visit = f", visit {step.visits}" if step.visits > 1 else ""
        chosen = f" [{step.name}: {step.proof}]" if step.proof else ""
        return f"{name}: {step.role} {step.player}{visit}, thresholds {pair(step.numbers)}{chosen}"
    if step.what == "generate":
        decided = state(step.numbers)
        how = step.name + (f": {decided}" if decided else "")
        return f"{name}: {pair(step.numbers)} ({how})"
    if step.what == "cut":
        return f"{step.name}: {step.proof}{_format_skipped(step)}"
    if step.name == "stopped":
        return f"the search was stopped: {pair(step.numbers)} so far"
    decided = state(step.numbers)
    return f"{name} = {pair(step.numbers)}{f', {decided}' if decided else ''}: {step.proof}"


def _format_skipped(step: TraceStep) -> str:
    """The moves that are not generated because another one decides."""
    if not step.left:
        return ""
    more = step.left - len(step.unsearched)
    return f"; not generated: {', '.join(step.unsearched)}{f' and {more} more' if more > 0 else ''}"
