"""What a bot accepts: challenges by their kind, draws by what its engine sees, requests to take back."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from gameplay import value as scale
from gameplay.errors import Usage, unknown
from gameplay.lichess.messages import Challenge
from gameplay.search.report import Report

# The words of --accept by what they restrict. The server's reasons to decline, by what is wrong.
GROUPS = {
    "mode": ("casual", "rated"),
    "variant": ("standard", "chess960"),
    "speed": ("bullet", "blitz", "rapid", "classical", "correspondence"),
    "opponent": ("people", "bots"),
}
USUALLY = {"variant": GROUPS["variant"], "speed": GROUPS["speed"][:-1]}  # where no word restricts it
FASTEST = {"ultraBullet": "bullet"}  # speeds that count as another
DRAWS = ("never", "level")
LITTLE = 0.1  # of half a win: an engine ahead by no more agrees to a draw
ROW = 8  # moves in a row that the engine saw itself ahead by no more


@dataclass(frozen=True)
class BotPolicy:
    """Filters for challenges, and what is answered in a game."""

    accepted: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by group
    draws: str = "level"
    takebacks: str = "never"

    @classmethod
    def of(cls, words: Sequence[str], draws: str = "level", takebacks: str = "never") -> "BotPolicy":
        """The policy of a list of words. Raises Usage."""
        kinds = [word for group in GROUPS.values() for word in group]
        for word in words:
            if word not in kinds:
                raise Usage(unknown("kind of challenge", word, kinds))
        named = {name: tuple(word for word in group if word in words) for name, group in GROUPS.items()}
        return cls(
            {name: named[name] or USUALLY.get(name, GROUPS[name]) for name in GROUPS}, draws, takebacks
        )

    def refusal(self, challenge: Challenge) -> tuple[str, str] | None:
        """Why a challenge is declined, in the server's word and in ours; None: it is accepted."""
        accepted = self.accepted
        mode = "rated" if challenge.rated else "casual"
        speed = FASTEST.get(challenge.speed, challenge.speed)
        who = "bots" if challenge.challenger.title == "BOT" else "people"
        if challenge.variant not in accepted["variant"]:
            return "variant", f"the variant {challenge.variant}"
        if mode not in accepted["mode"]:
            return ("casual" if mode == "rated" else "rated"), f"a {mode} game"
        if speed not in accepted["speed"]:
            return "timeControl", f"the speed {speed or 'is unknown'}"
        if who not in accepted["opponent"]:
            return ("noBot" if who == "bots" else "onlyBot"), who
        return None

    def __str__(self) -> str:
        return ", ".join(word for group in self.accepted.values() for word in group)

    def agrees(self, reports: Sequence[Report], unit: int) -> bool:
        """True if the engine saw itself no more than LITTLE ahead in its last ROW searches."""
        if self.draws == "never" or len(reports) < ROW:
            return False
        return all(
            one.value <= LITTLE * (unit if isinstance(one.value, float) else scale.half_win(unit))
            for one in reports[-ROW:]
        )

    def allows_takeback(self, before: int) -> bool:
        """True if moves are taken back; `before`: how often they were in this game."""
        return self.takebacks == "always" or (self.takebacks == "once" and not before)
