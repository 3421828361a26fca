"""The policy of a bot: which challenges, draw offers and takebacks it accepts."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from gameplay import value as scale
from gameplay.errors import Usage, unknown_name
from gameplay.lichess.messages import Challenge
from gameplay.search.report import Report

# The words of --accept, by the property that they restrict.
GROUPS = {
    "mode": ("casual", "rated"),
    "variant": ("standard", "chess960"),
    "speed": ("bullet", "blitz", "rapid", "classical", "correspondence"),
    "opponent": ("people", "bots"),
}
DEFAULT_ACCEPTED = {"variant": GROUPS["variant"], "speed": GROUPS["speed"][:-1]}
SPEED_ALIASES = {"ultraBullet": "bullet"}  # speeds treated as another
DRAWS = ("never", "level")
DRAW_MARGIN = 0.1  # of half a win: an engine ahead by at most this accepts a draw
DRAW_SEARCHES = 8  # consecutive searches within DRAW_MARGIN


@dataclass(frozen=True)
class BotPolicy:
    """Filters for challenges, and answers to offers in a game."""

    accepted: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by group
    draws: str = "level"
    takebacks: str = "never"

    @classmethod
    def of(cls, words: Sequence[str], draws: str = "level", takebacks: str = "never") -> "BotPolicy":
        """The policy of a list of words. Raises Usage."""
        kinds = [word for group in GROUPS.values() for word in group]
        for word in words:
            if word not in kinds:
                raise Usage(unknown_name("kind of challenge", word, kinds))
        named = {name: tuple(word for word in group if word in words) for name, group in GROUPS.items()}
        return cls(
            {name: named[name] or DEFAULT_ACCEPTED.get(name, GROUPS[name]) for name in GROUPS},
            draws,
            takebacks,
        )

    def decline_reason(self, challenge: Challenge) -> tuple[str, str] | None:
        """Why a challenge is declined, as the server's key and as text; None: it is accepted."""
        accepted = self.accepted
        mode = "rated" if challenge.rated else "casual"
        speed = SPEED_ALIASES.get(challenge.speed, challenge.speed)
        opponent = "bots" if challenge.challenger.title == "BOT" else "people"
        if challenge.variant not in accepted["variant"]:
            return "variant", f"the variant {challenge.variant}"
        if mode not in accepted["mode"]:
            return ("casual" if mode == "rated" else "rated"), f"a {mode} game"
        if speed not in accepted["speed"]:
            return "timeControl", f"the speed {speed or 'is unknown'}"
        if opponent not in accepted["opponent"]:
            return ("noBot" if opponent == "bots" else "onlyBot"), opponent
        return None

    def __str__(self) -> str:
        return ", ".join(word for group in self.accepted.values() for word in group)

    def accepts_draw(self, reports: Sequence[Report], unit: int) -> bool:
        """True if the engine was at most DRAW_MARGIN ahead in each of its last DRAW_SEARCHES searches."""
        if self.draws == "never" or len(reports) < DRAW_SEARCHES:
            return False
        return all(
            report.value <= DRAW_MARGIN * (unit if isinstance(report.value, float) else scale.half_win(unit))
            for report in reports[-DRAW_SEARCHES:]
        )

    def allows_takeback(self, granted_before: int) -> bool:
        """True if a takeback is granted. granted_before: takebacks granted so far in this game."""
        return self.takebacks == "always" or (self.takebacks == "once" and not granted_before)
