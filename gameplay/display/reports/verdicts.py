"""The tests of a regression suite, one a line: mark, state, name, result."""

from typing import TYPE_CHECKING

from gameplay.visible import one_line

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.suites.regress import CaseVerdict

MARKS = {"met": "ok", "expected failure": "ok", "unexpected success": "!!", "inconclusive": "??"}
INSET = " " * 4  # before wrapped lines
STYLES = {"ok": "", "!!": "bold", "??": "bold", "XX": "bold reverse"}


def show(theme: "Theme", verdict: "CaseVerdict") -> None:
    """Print a verdict; an unexpected one with the file and line of its test."""
    from gameplay.display.text import Text

    mark = MARKS.get(verdict.state, "XX")
    line = Text()
    line.append(mark, style=STYLES[mark])
    line.append(f"  {one_line(verdict.name)}: ", style="bold" if mark != "ok" else "")
    if verdict.state != "met":
        line.append(f"{verdict.state}: ", style="bold")
    line.append(" ".join(verdict.summary.split()))
    line.append(_format_notes(verdict))
    if mark != "ok" and verdict.line:
        line.append(f" ({one_line(str(verdict.file))}:{verdict.line})")
    if theme.interactive:
        folded = line.wrap(theme.console, theme.console.width - len(INSET))
        theme.console.print(Text(f"\n{INSET}").join(folded), soft_wrap=True)
    else:
        theme.console.print(line, soft_wrap=True)


def _format_notes(verdict: "CaseVerdict") -> str:
    """Further facts of a search test: the wrong value, and when the move was found."""
    facts = verdict.facts
    if verdict.kind != "position" or "depth" not in facts:
        return ""
    notes = []
    if verdict.state == "regression":
        notes.append(f"{facts['said']}, depth {facts['depth']}")
    entry = facts["found"]
    if entry["seconds"]:
        notes.append(f"found at depth {entry['depth']} in {entry['seconds']:.2f} s")
    return f" [{'; '.join(notes)}]" if notes else ""
