"""Matches of bridge: boards scored in IMPs or matchpoints against par, and rubbers.

Board by board the deal rotates, and vulnerability goes round as on duplicate boards (law 2). In a rubber the
sides are vulnerable that have won a game.

Sources: Laws of Duplicate Bridge (World Bridge Federation, 2017), laws 2 and 78; Laws of Contract Bridge
(1993), laws 72 to 77, for rubbers.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable

from gameplay.capabilities import HasDoubleDummy, ParContract, StopSignal
from gameplay.errors import WrongParameter
from gameplay.games.bridge.rubber import Rubber, honors
from gameplay.games.bridge.score import SEATS, Contract
from gameplay.position import AbstractPosition
from gameplay.scoring.rules import Fixture, MatchRules
from gameplay.scoring.scoresheet import PlayedGame

TABLE_BITS = 22  # of the solver: 2**22 entries
PAIRS = (("north-south", (0, 2)), ("east-west", (1, 3)))
SIDE_NAMES = ("NS", "EW")
VULNERABLE = ("none", "ns", "ew", "both")
# Vulnerability of boards 1 to 16: the rows of a table of dealers shift by one from row to row.
BOARD_VULNERABILITY = [VULNERABLE[(number + number // 4) % 4] for number in range(16)]
# The least difference of scores for 1, 2, ... 24 IMPs.
IMPS = [20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600]
IMPS += [750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000]


def imps(difference: float) -> int:
    """International match points for a difference of scores."""
    points = bisect_right(IMPS, abs(difference))
    return points if difference > 0 else -points


@runtime_checkable
class HasBoard(Protocol):
    """A finished deal: its contract and tricks."""

    fixed_contract: Contract | None  # of a deal without an auction

    def final_contract(self) -> Contract | None:
        """The contract; None: passed out."""
        ...

    def taken(self) -> int:
        """The declarer's tricks."""
        ...

    def first_hands(self) -> list[tuple[int, ...]]:
        """The hands as they were dealt."""
        ...


class BridgeMatch(MatchRules):
    """Base of bridge matches: fixed seats, a rotating dealer, two pairs."""

    game_name = "board"
    teams = PAIRS

    def prepare(self, start: AbstractPosition) -> None:
        """Raises WrongParameter if the contract is given."""
        assert isinstance(start, HasBoard)
        if start.fixed_contract is not None:
            raise WrongParameter(
                "each board of a match is bid; expected no contract. Try: leave contract out"
            )

    def vulnerable(self, played: Sequence[PlayedGame]) -> str:
        """The vulnerable sides of the next deal."""
        return BOARD_VULNERABILITY[len(played) % 16]

    def over(self, played: Sequence[PlayedGame]) -> bool:
        """True if no deal follows."""
        return len(played) >= self.length

    def fixture(self, played: Sequence[PlayedGame]) -> Fixture | None:
        if self.over(played):
            return None
        parameters = {"dealer": SEATS[len(played) % 4], "vulnerable": self.vulnerable(played)}
        return Fixture((0, 1, 2, 3), parameters)

    def facts(self, position: AbstractPosition, payoffs: Sequence[float]) -> dict[str, Any]:
        """The contract and the tricks, the score of north and south, honours."""
        assert isinstance(position, HasBoard)
        contract = position.final_contract()
        facts: dict[str, Any] = {"score": payoffs[0], "result": position.ending()}
        if contract is None:
            return facts
        honor_points = honors(position.first_hands(), contract)
        return facts | {"contract": list(contract), "tricks": position.taken(), "honors": honor_points}

    def heading(self, played: Sequence[PlayedGame]) -> str:
        sides = {"none": "none", "ns": "NS", "ew": "EW", "both": "both"}[self.vulnerable(played)]
        return f"{self._place(played)}, dealer {SEATS[len(played) % 4]}, vulnerable {sides}"

    def _place(self, played: Sequence[PlayedGame]) -> str:
        return super().heading(played)


class AgainstPar(BridgeMatch):
    """Boards compared with par, the score with open cards and best bidding."""

    solves = True
    default_length = 4
    menu_lengths: ClassVar[tuple[int, ...]] = (4, 8, 16)

    def facts(self, position: AbstractPosition, payoffs: Sequence[float]) -> dict[str, Any]:
        """See `BridgeMatch.facts`; the hands too, so that par can be computed later."""
        deal = " ".join((position.text() or "").split()[:4])
        return super().facts(position, payoffs) | {"deal": deal}

    def unsolved_position(self, game: PlayedGame) -> str:
        return "" if {"par", "stopped"} & game.facts.keys() else str(game.facts.get("deal", ""))

    def solution(self, position: AbstractPosition, control: StopSignal) -> dict[str, Any]:
        """Par of the deal, or that `control` stopped the solver."""
        assert isinstance(position, HasDoubleDummy)
        solver = position.new_solver(TABLE_BITS)
        solver.control = control
        tricks = dict(position.first_strains(solver))
        if any(suit_tricks is None for suit_tricks in tricks.values()) or len(tricks) < 5:
            return {"stopped": True}
        par = position.par([tricks[strain] or [] for strain in range(5)])
        return {
            "par": par.score,
            "contracts": [_contract_text(contract, overtricks) for contract, overtricks in par.contracts],
        }

    def game_points(self, game: PlayedGame) -> tuple[float, ...]:
        """By player; empty until par is computed."""
        if "par" not in game.facts:
            return (0.0,) * 4
        north, east = self.compare_scores(game.facts["score"] - game.facts["par"])
        return (north, east, north, east)

    def compare_scores(self, difference: float) -> tuple[float, float]:
        """The points of north-south and east-west for a score `difference` above par."""
        raise NotImplementedError

    def note(self, game: PlayedGame) -> str:
        facts = game.facts
        unknown = "not known: the solver was stopped" if "stopped" in facts else "not known yet"
        par = _points(facts["par"]) if "par" in facts else unknown
        return f"{facts['result']}: {_points(facts['score'])}, par {par}"

    def remark(self, game: PlayedGame) -> str:
        """The score and par with its contracts."""
        if self.unsolved_position(game):
            return f"{self.note(game)}: `score` shows it once it is computed"
        contracts = game.facts.get("contracts", [])
        return self.note(game) + (f": {', '.join(contracts)}" if contracts else "")


class Imps(AgainstPar):
    """International match points by the difference from par, for the pair that is above it."""

    name = "imps"
    words = "{} boards, IMPs against par, which is shown after each"
    unit_name = "IMPs"

    def compare_scores(self, difference: float) -> tuple[float, float]:
        return max(0.0, imps(difference)), max(0.0, imps(-difference))


class Matchpoints(AgainstPar):
    """A matchpoint for a score above par, half of one for par itself."""

    name = "matchpoints"
    words = "{} boards, a matchpoint for beating par and half for par itself"
    unit_name = "matchpoints"

    def compare_scores(self, difference: float) -> tuple[float, float]:
        north = 0.5 + 0.5 * ((difference > 0) - (difference < 0))
        return north, 1 - north


class Rubbers(BridgeMatch):
    """Rubber bridge: two games win a rubber."""

    name = "rubber"
    words = "{} rubber, scored as rubber bridge with honours"
    game_name = "deal"
    default_length: ClassVar[int] = 1
    menu_lengths = (1,)
    max_length = 20

    def rubber(self, played: Sequence[PlayedGame]) -> Rubber:
        """The score after those deals."""
        rubber = Rubber()
        for game in played:
            if "contract" in game.facts:
                rubber.score(Contract(*game.facts["contract"]), game.facts["tricks"], game.facts["honors"])
        return rubber

    def vulnerable(self, played: Sequence[PlayedGame]) -> str:
        games = self.rubber(played).games
        return VULNERABLE[bool(games[0]) + 2 * bool(games[1])]

    def over(self, played: Sequence[PlayedGame]) -> bool:
        return self.rubber(played).finished >= self.length

    def scores(self, played: Sequence[PlayedGame]) -> tuple[float, ...]:
        """All points, above and below the line."""
        north, east = self.rubber(played).points
        return (north, east, north, east)

    def note(self, game: PlayedGame) -> str:
        return str(game.facts["result"])

    def _place(self, played: Sequence[PlayedGame]) -> str:
        rubber = self.rubber(played)
        parts = "-".join(map(str, rubber.below))
        return f"deal {len(played) + 1}, games {rubber.games[0]}-{rubber.games[1]}, below the line {parts}"


def _contract_text(contract: ParContract, overtricks: int) -> str:
    """A contract that makes par: `4Sx by N -1`."""
    return f"{contract.bid} by {SEATS[contract.declarer]}{f' {overtricks:+d}' if overtricks else ''}"


def _points(score: float) -> str:
    """A score of north and south by the side that gets it: `420 NS`."""
    return f"{abs(score):.0f} {SIDE_NAMES[score < 0]}" if score else "0"
