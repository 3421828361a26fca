"""`gameplay solve bridge`: with all cards open, how many tricks does each declarer take in each strain, and
what do both sides get to if they bid like that (par)?

Where the play of a contract has begun: how many does the declarer take after each card that may be played?
"""

import json
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from gameplay.errors import Unfinished, Usage

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.matches.match import Match

LOOK = 0.05  # seconds between two updates of the results


class Stopping:
    """The stop flag of a solver on another thread."""

    stop = False

    def expired(self) -> bool:
        """True once a stop was requested."""
        return self.stop


def solve(match: "Match", seconds: float | None, bits: int, theme: "Theme", as_json: bool) -> int:
    """Solve the deal with a table of 2**bits entries, and show what comes out; returns the exit status."""
    from gameplay.display.reports import double_dummy as drawing
    from gameplay.display.terminal.redrawn import Redrawn

    position = match.position
    if position.text() is None:
        raise Usage(
            "solve requires the cards of a deal of bridge, and none are dealt. Give them with --position, as "
            '"N:AJT4.86543.43.T5 Q983..AKT7.QJ964 K75.T972.52.A732 62.AKQJ.QJ986.K8"'
        )
    solver, known = position.new_solver(bits), dict[Any, Any]()
    stopping = Stopping()
    solver.control = stopping
    playing = position.declarer is not None
    answers = position.double_dummy(solver) if playing else position.first_strains(solver)
    hands = position.text().split()[:4]
    hands[0] = hands[0][2:]

    def work() -> None:
        for name, answer in answers:
            if answer is None:
                return
            known[name] = answer

    began = time.monotonic()
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    interrupted = False
    with Redrawn(match, theme, quiet=as_json) as shown:
        while True:
            try:
                thread.join(LOOK)
                if shown.live is not None and not playing:
                    shown.draw(drawing.picture(hands, dict(known), theme))
            except KeyboardInterrupt:
                interrupted = stopping.stop = True
            if not thread.is_alive():
                break
            if seconds is not None and time.monotonic() - began > seconds:
                stopping.stop = True
    spent = time.monotonic() - began
    if as_json:
        click.echo(json.dumps(_document(match, known, playing, solver.nodes, spent)))
    else:
        if playing:
            _print_cards(match, known)
        elif not theme.interactive:
            click.echo("\n".join(drawing.plain(known, match.position.sides)))
        if not playing and len(known) == 5:
            click.echo(_par_line(position, known))
        click.echo(f"\neffort  {solver.nodes:,} tricks looked at in {spent:.1f} s")
    if interrupted:
        raise KeyboardInterrupt
    return Unfinished.status if stopping.stop else 0


def _par(position: Any, known: dict[int, list[int]]) -> Any:
    """Par of the deal."""
    return position.par([known[strain] for strain in range(5)])


def _par_line(position: Any, known: dict[int, list[int]]) -> str:
    """Par in words: `par     420 for north and south: 4S by north, 4S by south`."""
    found = _par(position, known)
    if not found.score:
        return "par     0: no contract can be made, all pass"
    side = "north and south" if found.score > 0 else "east and west"
    contracts = [
        f"{contract.bid} by {position.sides[contract.declarer]}{f' {over:+d}' if over else ''}"
        for contract, over in found.contracts
    ]
    return f"par     {abs(found.score)} for {side}: {', '.join(contracts)}"


def _print_cards(match: "Match", known: dict[int, int]) -> None:
    position = match.position
    side = position.sides[position.declarer]
    for card, tricks in sorted(known.items(), key=_best(position)):
        click.echo(f"{position.format(card)}: {side} takes {tricks} tricks")


def _best(position: Any) -> Callable[[tuple[int, int]], tuple[int, int]]:
    """The sort key of cards: the best for the player to move first."""
    ours = position.declaring
    return lambda item: (-item[1] if ours else item[1], -item[0])


def _document(
    match: "Match", known: dict[int, Any], playing: bool, nodes: int, spent: float
) -> dict[str, Any]:
    from gameplay.display.reports.double_dummy import WORDS

    position = match.position
    found: dict[str, Any] = {"game": match.game.spec, "position": position.text()}
    if playing:
        found["declarer"] = position.sides[position.declarer]
        found["tricks"] = {position.format(card): tricks for card, tricks in known.items()}
    else:
        found["tricks"] = {
            WORDS[strain]: dict(zip(position.sides, row, strict=True)) for strain, row in known.items()
        }
        if len(known) == 5:
            par = _par(position, known)
            contracts = [
                {"contract": contract.bid, "declarer": position.sides[contract.declarer], "over": over}
                for contract, over in par.contracts
            ]
            found["par"] = {"score": par.score, "contracts": contracts}
    return found | {"nodes": nodes, "seconds": spent}
