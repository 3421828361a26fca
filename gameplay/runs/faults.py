"""Counts of faults by player: crashes, hangs, losses on time, illegal moves, protocol errors.

A game without a result is void; if no player is at fault, it is counted for the machine.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from gameplay.plural import plural

MACHINE = "this machine"
KINDS = ("crash", "illegal_move", "time_forfeit", "hang", "protocol_error", "void")
NOUNS = {"time_forfeit": "loss on time", "void": "void game"}  # default: the kind itself
PLURALS = {"crash": "crashes", "loss on time": "losses on time"}
# Descriptions of terminations.
ENDS = {
    "rules": "by the rules",
    "resign": "adjudicated as a win",
    "draw": "adjudicated as a draw",
    "exact": "adjudicated by a solver or endgame tables",
    "plies": "adjudicated as a draw by its length",
    "crash": "lost by a crash",
    "hang": "lost by not answering",
    "time_forfeit": "lost on time",
    "illegal_move": "lost by an illegal move",
    "protocol_error": "lost by breaking the protocol",
    "void": "not counted",
}


@dataclass(frozen=True)
class FaultCount:
    """The number of games ended by one kind of fault of one player; `player` is empty for the machine."""

    player: str
    fault: str  # a termination of `runs.job`
    games: int

    def __str__(self) -> str:
        noun = NOUNS.get(self.fault, self.fault.replace("_", " "))
        return plural(self.games, noun, PLURALS.get(noun, ""))

    def as_dict(self) -> dict[str, str | int]:
        """Plain data for JSON."""
        return {"player": self.player, "fault": self.fault, "games": self.games}


def fault_counts(faults: Iterable[tuple[str, str]]) -> list[FaultCount]:
    """Count faults, each a player at fault and a termination; by player, then in the order of KINDS."""
    counts = Counter(faults)
    kinds = sorted(
        counts, key=lambda key: (key[0] == "", key[0], KINDS.index(key[1]) if key[1] in KINDS else 9, key[1])
    )
    return [FaultCount(player, fault, counts[player, fault]) for player, fault in kinds]


def format_fault_counts(counts: Iterable[FaultCount]) -> str:
    """`new: 2 crashes, 1 illegal move; this machine: 1 void game`, or `none`."""
    players: dict[str, list[str]] = {}
    for count in counts:
        players.setdefault(count.player or MACHINE, []).append(str(count))
    return "; ".join(f"{player}: {', '.join(words)}" for player, words in players.items()) or "none"
