"""`gameplay tree`: the tree that a search visited, as a picture in the terminal or in a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common import tracing
from gameplay.cli.common.options import COUNT, TARGET, Drawing, drawing_options
from gameplay.cli.common.tracing import search_options
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.api.tracing import TracedSearch
    from gameplay.display.reports.drawn_tree import DrawnNode
    from gameplay.display.theme import Theme
    from gameplay.tracing.trace import TraceStep
    from gameplay.tracing.tree import TracedNode

    Record = list[tuple[TraceStep, TracedNode]]

MAX_KEPT = 200_000  # nodes of a search, of which those are chosen that are drawn
MAX_RECORDED = 3000  # steps of a search that comes back to nodes, which a page replays
NAMED = 40  # moves that a cut left, drawn one by one


@click.command(short_help="Draw the tree that a search visited")
@search_options
@click.option("-o", "--out", type=TARGET, help="Draw into a new FILE: .svg, .dot (Graphviz) or .html.")
@click.option("--most", type=COUNT, default=300, help="Draw at most N nodes [300].")
@drawing_options("Plain lines, without colours and drawn characters.")
def command(traced: "TracedSearch", out: Path | None, most: int, drawing: Drawing) -> int:
    """Draw the tree that a search of a position of GAME visited; what was pruned is grey, with the reason.

    \b
    gameplay tree tree:lecture --engine alphabeta
    gameplay tree tictactoe --moves "b2 a1" --engine alphabeta -o tree.svg
    gameplay tree connect4 --engine alphabeta --depth 4 -o tree.html

    The tree is drawn down to the last ply that fits into --most, with the number of nodes below; for `mcts`
    the most visited nodes. For
    iterative deepening the last finished iteration is drawn; for `pns` the last question, with proof and
    disproof numbers. The page (.html) replays the search step by step, with the windows, the board
    and exercises; it needs no network.
    """
    from gameplay.errors import Usage

    kind = out.suffix.lower() if out is not None else ""
    if out is not None and kind not in (".svg", ".dot", ".html"):
        raise Usage(f"--out {out}: end it in .svg, .dot or .html")
    if out is None:
        from gameplay.display.theme import preload

        theme = preload(drawing.theme())
        drawn, notes, _ = _grow(traced, most)
        _show(drawn, notes, traced, theme, drawing.plain)
    else:
        drawn, notes, record = _grow(traced, most, MAX_RECORDED if kind == ".html" else 0)
        from gameplay import file_io

        file_io.write(out, [_text(kind, drawn, notes, traced, record).encode()])
        click.echo(f"{out}: {'; '.join(notes)}")
    if traced.report is not None and traced.report.stopped == "interrupted":
        raise KeyboardInterrupt
    return 0


def _grow(traced: "TracedSearch", max_nodes: int, recorded: int = 0) -> "tuple[DrawnNode, list[str], Record]":
    """The tree to draw, the notes below it, and the first steps of a search that comes back to nodes."""
    from gameplay.api.tracing import last_root
    from gameplay.display.reports.drawn_tree import count_omitted, prune_to_size
    from gameplay.tracing.tree import SearchTreeBuilder

    grove = SearchTreeBuilder(MAX_KEPT, alone=True, drawn=max_nodes, recorded=recorded)
    report = traced.run(grove, NAMED)
    root = last_root(grove)
    drawn = prune_to_size(root, max_nodes, traced.match.position.unit)
    count, omitted = drawn.count(), count_omitted(drawn)
    nodes = plural(count, "node")
    most_visited = ", the most visited ones" if root.entered.what == "simulation" else ""
    drawn_note = f"{nodes} drawn{most_visited}, {omitted:,} not drawn"
    notes = [drawn_note if omitted else f"all {count:,} nodes are drawn"]
    other_searches = grove.before + len(grove.roots) - 1
    if other_searches and traced.engine.view == "attacker":
        notes.append("the second question, after the answer no to the first")
    elif other_searches:
        notes.append(f"the last of {other_searches + 1} searches of the root")
    exit_step = root.left
    if exit_step is None or exit_step.name == "stopped":
        notes.append(f"the search was stopped: {report.stopped}")
    return drawn, notes, grove.record(root)


def _show(drawn: "DrawnNode", notes: list[str], traced: "TracedSearch", theme: "Theme", plain: bool) -> None:
    from gameplay.cli.common.width import columns, echo_wrapped
    from gameplay.display.reports.tree import picture

    for line in (tracing.title(traced), *tracing.legend(traced)):
        echo_wrapped(line)
    if plain:
        click.echo(picture(drawn, False).plain)
    else:
        theme.console.print(picture(drawn, theme.unicode, columns()), soft_wrap=True)
    echo_wrapped("; ".join(notes))


def _text(kind: str, drawn: "DrawnNode", notes: list[str], traced: "TracedSearch", record: "Record") -> str:
    title = tracing.title(traced)
    if kind == ".dot":
        from gameplay.display.reports.tree import dot

        return dot(drawn, f"{title}; {'; '.join(notes)}")
    if kind == ".svg":
        from gameplay.display.pages.tree_svg import svg

        return svg(drawn, f"{title}; {'; '.join(notes)}")
    return _page(drawn, title, notes, traced, record)


def _page(drawn: "DrawnNode", title: str, notes: list[str], traced: "TracedSearch", record: "Record") -> str:
    """The page that replays the search."""
    from gameplay.capabilities import IsExplicitTree
    from gameplay.display.pages.board import board_data, drawable, shared_data
    from gameplay.display.pages.tree_page import page
    from gameplay.display.reports.trace import describe_step
    from gameplay.display.terminal.line import board_text
    from gameplay.tracing.playback import playback, recorded_steps
    from gameplay.tracing.pseudocode import CodePointer, pseudocode
    from gameplay.tracing.replay import replay_steps

    position = traced.match.replica()
    explicit = isinstance(position, IsExplicitTree)

    def board(drawn_node: "DrawnNode") -> Any:
        """The position at a node, as a drawing or in characters."""
        if drawn_node.node is None or explicit:  # an explicit tree is the picture itself
            return ""
        with replay_steps(position, drawn_node.node.line()) as last_cells:
            drawing_board = position.board(None, last_cells)
            if drawing_board is None:
                return position.show()
            return board_data(drawing_board) if drawable(drawing_board) else board_text(drawing_board)

    assert drawn.node is not None
    nodes, unit = drawn.nodes(), position.unit
    sides = [traced.match.side(player) for player in range(position.players)]
    code = pseudocode(traced.engine)
    pointer = CodePointer(code) if code is not None else lambda step: None
    if record:
        steps = recorded_steps(
            drawn.node, record, nodes, unit, lambda step: describe_step(step, unit), pointer
        )
    else:
        steps = playback(drawn.node, nodes, unit, sides, pointer)
    sentences = [f"{note[0].upper()}{note[1:]}." for note in (*tracing.legend(traced), *notes)]
    heading = position.title if isinstance(position, IsExplicitTree) else ""
    lines_of_code = [] if code is None else [code.title, *code.lines]
    return page(drawn, title, sentences, board, steps, heading, shared_data(position.board()), lines_of_code)
