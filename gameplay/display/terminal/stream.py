"""A match as a stream of JSON objects, one a line, as it happens.

    begin     game, start, players [spec, ...], sides [word, ...], seed, moves [word, ...] made before
    report    ply, side, depth, seldepth, value, bound, nodes, nps, seconds, pv [word, ...]: during a search
    move      ply, player, side, move; for an engine's move also the keys of `report`, and stopped
    undo      ply, player, side, move: a move was taken back; `redo`: made again
              with clocks: spent, seconds that the move took, and clocks [seconds left, ...] after it
    reopen    a resignation, an agreed or claimed draw, or a loss on time was taken back
    restart   back to the start
    end       result [payoff, ...] or null, winner (a side) or null, reason, plies

Each object has its kind under "event", and the keys listed here. `ply` counts moves from 1; after an undo
it is the number of remaining moves. Values are from the view of the side to move, on the scale of
`value`; `bound` is exact, lower (at least the value), upper (at most the value), or expectation.
`player` is -1 for chance moves. If humans play a game of imperfect information, `move` is null for moves that
one of them does not see, `seed` is null because it reveals the deals, and searches are omitted. Keys may be
added; the keys listed here keep their meaning.
"""

import json
from typing import TYPE_CHECKING, Any, TextIO

from gameplay.display.terminal import panel

if TYPE_CHECKING:
    from gameplay.matches.match import Event, Match
    from gameplay.players.player import MatchControl
    from gameplay.search.report import Report


class Stream:
    """A listener of a match that writes its events."""

    match: "Match"  # set before it begins

    def __init__(self, out: TextIO) -> None:
        self.out = out

    def __call__(self, event: "Event") -> bool:
        """A match's listener."""
        if event.kind == "report" and panel.human_viewers(self.match):
            return False
        fact: dict[str, Any] = {"event": event.kind} | self._facts(event)
        print(json.dumps(fact), file=self.out, flush=True)
        return False

    def _facts(self, event: "Event") -> dict[str, Any]:
        match = self.match
        if event.kind == "begin":
            return {
                "game": match.game.spec,
                "start": match.start,
                "players": [player.spec for player in match.players],
                "sides": [match.side(number) for number in range(len(match.players))],
                "seed": None if panel.human_viewers(match) else match.seed,
                "moves": [None if panel.is_hidden_move(match, turn) else turn.word for turn in match.turns],
            }
        if event.kind == "end":
            return ending(match) | {"plies": len(match.turns)}
        made = len(match.turns)
        if event.kind == "report" and event.report is not None:
            side = match.side(match.position.turn)
            return {"ply": made + 1, "side": side} | self._search(event.report, made)
        if event.turn is None:
            return {}
        turn = event.turn
        word = None if panel.is_hidden_move(match, turn) else turn.word
        facts = {"ply": made, "player": turn.player, "side": match.side(turn.player), "move": word}
        if event.kind == "move" and turn.report is not None and not panel.human_viewers(match):
            facts |= self._search(turn.report, made - 1) | {"stopped": turn.report.stopped}
        if match.clock is not None:
            seats = range(len(match.players))
            facts |= {"spent": turn.seconds, "clocks": [match.clock.remaining(seat) for seat in seats]}
        return facts

    def _search(self, report: "Report", at: int) -> dict[str, Any]:
        return {
            "depth": report.depth,
            "seldepth": report.seldepth,
            "value": report.value,
            "bound": report.bound,
            "nodes": report.nodes,
            "nps": round(report.nps),
            "seconds": round(report.seconds, 6),
            "pv": self.match.spell(report.pv, at),
        }


def ending(match: "MatchControl") -> dict[str, Any]:
    """The result, winner and reason of the end of the match, as plain data."""
    payoffs = list(match.payoffs or ())
    best = [number for number, payoff in enumerate(payoffs) if payoff == max(payoffs)]
    winner = match.side(best[0]) if len(best) == 1 else None
    return {"result": payoffs or None, "winner": winner, "reason": match.reason}


def document(match: "MatchControl", record: dict[str, Any]) -> dict[str, Any]:
    """The result of a match: its record, the sides' words, the winner, and the last position as text.

    Hidden information is left out, as in `Stream`.
    """
    sides = [match.side(number) for number in range(len(match.players))]
    text = None if panel.human_viewers(match) else match.position.text()
    if panel.human_viewers(match):
        words = [None if panel.is_hidden_move(match, turn) else turn.word for turn in match.turns]
        made = [{"move": word, "player": turn.player} for word, turn in zip(words, match.turns, strict=True)]
        record = record | {"seed": None, "moves": made}
    return record | {"sides": sides} | ending(match) | {"position": text}
