"""`gameplay solve bridge`: double-dummy tricks of each declarer in each strain, and the par contract.

During the play: the declarer's tricks after each legal card.
"""

import json
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from gameplay.capabilities import HasDoubleDummy
from gameplay.errors import Unfinished, Usage
from gameplay.search import threads

if TYPE_CHECKING:
    from gameplay.capabilities import ParResult
    from gameplay.display.theme import Theme
    from gameplay.matches.match import Match

REDRAW_INTERVAL = 0.05  # seconds between two updates of the results


class StopFlag:
    """The stop flag of a solver on another thread."""

    stop = False

    def expired(self) -> bool:
        """True once a stop was requested."""
        return self.stop


def solve(match: "Match", seconds: float | None, bits: int, theme: "Theme", as_json: bool) -> int:
    """Solve the deal with a table of 2**bits entries, and print the result; returns the exit status."""
    from gameplay.display.reports import double_dummy as drawing
    from gameplay.display.terminal.live_picture import LivePicture

    deal = match.position
    text = deal.text()
    if text is None or not isinstance(deal, HasDoubleDummy):
        raise Usage(
            "solve requires the cards of a deal of bridge, and none are dealt. Try: --position "
            '"N:AJT4.86543.43.T5 Q983..AKT7.QJ964 K75.T972.52.A732 62.AKQJ.QJ986.K8"'
        )
    solver = deal.new_solver(bits)
    results: dict[int, Any] = {}  # by strain the tricks of each declarer, or by card the declarer's
    stop_flag = StopFlag()
    solver.control = stop_flag
    in_play = deal.declarer is not None
    answers: Iterator[tuple[int, Any]] = deal.double_dummy(solver) if in_play else deal.first_strains(solver)
    hands = text.split()[:4]
    hands[0] = hands[0][2:]

    def work() -> None:
        for name, answer in answers:
            if answer is None:
                return
            results[name] = answer

    began = time.monotonic()
    thread = threads.start(work, "double dummy")
    if thread is None:
        work()
    interrupted = False
    with LivePicture(match, theme, quiet=as_json) as shown:
        while True:
            try:
                if thread is not None:
                    thread.join(REDRAW_INTERVAL)
                if shown.live is not None and not in_play:
                    shown.draw(drawing.picture(hands, dict(results), theme))
            except KeyboardInterrupt:
                interrupted = stop_flag.stop = True
            if thread is None or not thread.is_alive():
                break
            if seconds is not None and time.monotonic() - began > seconds:
                stop_flag.stop = True
    spent = time.monotonic() - began
    if as_json:
        click.echo(json.dumps(_document(match, deal, results) | {"nodes": solver.nodes, "seconds": spent}))
    else:
        if in_play:
            _print_cards(match, deal, results)
        elif not theme.interactive:
            click.echo("\n".join(drawing.plain(results, match.position.sides)))
        if not in_play and len(results) == 5:
            click.echo(_par_line(_par(deal, results)))
        click.echo(f"\neffort  {solver.nodes:,} tricks looked at in {spent:.1f} s")
    if interrupted:
        raise KeyboardInterrupt
    return Unfinished.status if stop_flag.stop else 0


def _par(deal: HasDoubleDummy, tricks: dict[int, list[int]]) -> "ParResult":
    """Par of the deal, from the tricks of each declarer by strain."""
    return deal.par([tricks[strain] for strain in range(5)])


def _par_line(par: "ParResult") -> str:
    """Par in words: `par     420 for north and south: 4S by N, 4S by S`."""
    if not par.score:
        return "par     0: no contract can be made, all pass"
    winners = "north and south" if par.score > 0 else "east and west"
    contracts = [f"{contract}{f' {over:+d}' if over else ''}" for contract, over in par.contracts]
    return f"par     {abs(par.score)} for {winners}: {', '.join(contracts)}"


def _declarer(match: "Match", deal: HasDoubleDummy) -> str:
    """The name of the declarer, during the play."""
    assert deal.declarer is not None
    return match.position.sides[deal.declarer]


def _print_cards(match: "Match", deal: HasDoubleDummy, tricks: dict[int, int]) -> None:
    """The declarer's tricks after each card, the best for the player to move first."""
    declarer = _declarer(match, deal)
    for card in sorted(tricks, key=lambda card: (-tricks[card] if deal.declaring else tricks[card], -card)):
        click.echo(f"{match.position.format(card)}: {declarer} takes {tricks[card]} tricks")


def _document(match: "Match", deal: HasDoubleDummy, results: dict[int, Any]) -> dict[str, Any]:
    from gameplay.display.reports.double_dummy import WORDS

    position = match.position
    document: dict[str, Any] = {"game": match.game.spec, "position": position.text()}
    if deal.declarer is not None:
        document["declarer"] = _declarer(match, deal)
        document["tricks"] = {position.format(card): tricks for card, tricks in results.items()}
        return document
    document["tricks"] = {
        WORDS[strain]: dict(zip(position.sides, row, strict=True)) for strain, row in results.items()
    }
    if len(results) == 5:
        par = _par(deal, results)
        contracts = [
            {"contract": contract.bid, "declarer": position.sides[contract.declarer], "over": over}
            for contract, over in par.contracts
        ]
        document["par"] = {"score": par.score, "contracts": contracts}
    return document
