"""Commands on the match: undo, redo, restart, show, dead, draw, resign, quit."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from gameplay.capabilities import HasClaims, HasDeadStones
from gameplay.players.commands import OVER, PLAYING, Answer, Command, natural_key
from gameplay.players.player import MatchControl
from gameplay.players.several import MoveQueue
from gameplay.plural import plural
from gameplay.position import CHANCE

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

DRAW, RESIGN = "draw", "resign"  # questions answered by yes or no
EARLY = {  # ends other than by the rules, as `undo` names them, by `Match.reason`
    "resigned": "the resignation",
    "time": "the loss on time",
    "agreed": "the draw",
    "claimed": "the claim of a draw",
}


class MatchCommands:
    """Undoes and redoes moves, ends the match early, and shows it."""

    def __init__(self, queue: MoveQueue) -> None:
        self.queue = queue
        self.undo_commands = (
            Command("undo", "[N]", "take back one move, or N", self._undo),
            Command("redo", "[N]", "play it again", self._redo, PLAYING),
            Command("restart", "", "start again", self._restart, PLAYING),
        )
        self.other_commands = (
            Command("show", "", "the position as text", self._show),
            Command(
                "dead",
                "[POINT ...]",
                "remove dead stones; POINT: toggle a chain",
                self._dead,
                OVER,
                required=HasDeadStones,
            ),
            Command("draw", "", "offer a draw, or claim one", self._draw, PLAYING, True, needs_draws=True),
            Command("resign", "[yes]", "give up", self._resign, PLAYING, True),
            Command("quit", "", "leave; the game is saved", self._quit),
        )
        self.confirms = False  # ask before resigning, for input typed by a person
        self.forget()

    def forget(self) -> None:
        """Drop the open question, because another match begins or the game continues."""
        self._question: tuple[str, list[str]] | None = None  # DRAW or RESIGN, and the moves before it

    def _undo(self, match: MatchControl, argument: str) -> Answer:
        count = _number(argument)
        if count is None:
            return Answer(f"undo how many? '{argument}' is not a number from 1 up")
        end, taken_back = EARLY.get(match.reason, ""), match.taken_back
        players = [turn.player for turn in match.turns]
        plies = count if argument else self._plies_to_human(match)
        if not (argument or end or match.secrets) and all(player == CHANCE for player in players[-plies:]):
            return Answer("there is nothing to take back")  # the same roll would come again
        undone = match.undo(plies)
        count = sum(player != CHANCE for player in players[len(match.turns) :])
        moves = plural(count, "move") if count else "the roll or deal" if undone > bool(end) else ""
        text = " and ".join(filter(None, [end, moves])) if undone else ""
        if text and match.taken_back > taken_back:
            text += "; hidden information was seen, which the record notes"
        if not text and match.turns and match.secrets:
            return Answer("deals cannot be taken back")
        return Answer(f"took back {text}" if text else "there is nothing to take back", done=bool(undone))

    def _redo(self, match: MatchControl, argument: str) -> Answer:
        count = _number(argument)
        if count is None:
            return Answer(f"redo how many? '{argument}' is not a number from 1 up")
        redone = match.redo(count) if argument else self._until_human(match, match.redo)
        return Answer(
            f"redid {plural(redone, 'move')}" if redone else "there is nothing to redo",
            done=bool(redone),
        )

    def _plies_to_human(self, match: MatchControl) -> int:
        """Plies to take back until a human is on turn, with all of their last command; all if none plays."""
        end = match.reason in EARLY
        if end and match.position.turn >= 0 and match.players[match.position.turn].spec == "human":
            return 1
        human_plies = (
            plies
            for plies, turn in enumerate(reversed(match.turns), 1)
            if turn.player >= 0 and match.players[turn.player].spec == "human"
        )
        plies = next(human_plies, len(match.turns)) + end
        start = self.queue.beginning(match) if not match.over() else None
        if start is not None and match.turns[-plies].player == match.turn:
            return len(match.turns) - start
        return plies

    def _until_human(self, match: MatchControl, step: Callable[[int], int]) -> int:
        """Step through the moves until a human is on turn again."""
        steps = 0
        while step(1):
            steps += 1
            turn = match.position.turn
            if match.over() or (turn >= 0 and match.players[turn].spec == "human"):
                break
        return steps

    def _restart(self, match: MatchControl, _: str) -> Answer:
        match.restart()
        return Answer("a new game", done=True)

    def _show(self, match: MatchControl, _: str) -> Answer:
        lines = match.show().splitlines()
        if match.secrets:  # text and moves would reveal hidden information
            return Answer("\n".join(lines))
        text = match.call_game("text()", match.position.text)
        words = " ".join(match.words())
        options = [f"--position '{text}'"] if text else []
        if words not in ("", text):
            start = f"--position '{match.start}' " if match.start else ""
            options.append(f"{start}--moves '{words}'")
        lines += [f"{head} {option}" for head, option in zip(("to get here:", "or:"), options, strict=False)]
        return Answer("\n".join(lines))

    def question(self, match: MatchControl) -> str:
        """The open yes-or-no question: DRAW, RESIGN or none."""
        if self._question is None or match.over() or self._question[1] != match.words():
            return ""
        return self._question[0]

    def answer(self, match: MatchControl, yes: bool) -> Answer:
        """Carry out the action of the open question if `yes`, else drop the question."""
        question = self.question(match)
        self.forget()
        if not yes:
            return Answer("the draw is declined" if question == DRAW else "the game goes on")
        if question == DRAW:
            match.draw()
        else:
            match.resign(match.position.turn)
        return Answer(done=True)

    def proposal(self, match: MatchControl) -> str:
        """The question to the side to move after a draw offer: whether they accept it."""
        last_turn = match.turns[-1] if match.turns and not match.over() else None
        if last_turn is None or last_turn.player < 0 or last_turn.player == match.turn or match.secrets:
            return ""
        opponent = match.players[last_turn.player]
        if not opponent.offers_draw(match):
            return ""
        self._question = DRAW, match.words()
        return f"{opponent.name} offers a draw; do you agree? yes or no"

    def _draw(self, match: MatchControl, _: str) -> Answer:
        seat, position = match.position.turn, match.position
        if match.secrets or position.players != 2 or not position.zero_sum:
            return Answer("draws by agreement need a two-player zero-sum game of perfect information")
        if isinstance(position, HasClaims) and match.call_game("claim()", position.claim):
            match.draw(claimed=True)
            return Answer(done=True)
        opponent = match.players[1 - seat]
        if opponent.spec == "human":
            self._question = DRAW, match.words()
            addressee = match.side(1 - seat)
            if opponent.display_name:
                addressee = f"{opponent.display_name} ({addressee})"
            return Answer(f"{match.side(seat)} offers a draw; {addressee}, do you agree? yes or no")
        if not opponent.accepts_draw(match):
            return Answer(f"{opponent.name} declines the draw")
        match.draw()
        return Answer(done=True)

    def _resign(self, match: MatchControl, argument: str) -> Answer:
        if argument not in ("", "yes"):
            if match.position.concessions() is not None:  # a move: the game explains what is wrong with it
                match.check_resignation(match.position.turn)
                match.call_game("parse()", match.position.parse, f"resign {argument}")
            return Answer(f"resign takes yes or nothing, not '{argument}'")
        match.check_resignation(match.position.turn)
        question = "" if argument else self.ask_to_resign(match)
        if question:
            return Answer(question)
        self._question = RESIGN, match.words()
        return self.answer(match, True)

    def ask_to_resign(self, match: MatchControl) -> str:
        """The question to a person who types `resign`, asked once; "" where none is needed."""
        is_asked = self.question(match) == RESIGN
        if is_asked or not self.confirms:
            return ""
        self._question = RESIGN, match.words()
        return "resign the game? yes or no"

    def _dead(self, match: MatchControl, argument: str) -> Answer:
        """Remove dead stones: the estimated ones, with the chains at the named points toggled.

        An engine accepts no change of the estimate, except stones that a person concedes.
        """
        position = match.position
        assert isinstance(position, HasDeadStones)
        if match.reason not in ("rules", "counted"):
            return Answer("dead stones are removed after two passes; this game ended otherwise")
        chains, dead = position.chains(), set(match.call_game("dead_chains()", position.dead_chains))
        for word in argument.split():
            point = position.point_number(word)
            chain = next((chain for chain in chains if point in chain), None)
            if chain is None:
                return Answer(f"there is no stone on {word}")
            owner = position.owner(point)
            opponent = match.players[1 - owner if chain in dead else owner]
            if opponent.spec != "human":
                state = "alive" if chain in dead else "dead"
                return Answer(f"{opponent.name} does not agree that {word.upper()} is {state}. Try: undo 2")
            dead ^= {chain}
        if not dead:
            return Answer("no stone seems dead; name those that are, as in dead D4")
        lead = position.lead_without({point for chain in dead for point in chain})
        share = lead if position.scored else (lead > 0) - (lead < 0)
        match.count((share, -share), lead, dead_stones_text(position, dead))
        return Answer()

    def _quit(self, match: MatchControl, _: str) -> Answer:
        if not match.over():
            match.leave()
        return Answer(done=True)


def undefined_commands(match: MatchControl) -> list[str]:
    """The names of commands that have no meaning in this game: of `draw` and `resign`."""
    names = []
    if not match.decided() or match.position.hidden:
        names.append(DRAW)
    if not match.decided() and match.position.concessions() is None:
        names.append(RESIGN)
    return names


def dead_stones_text(position: "AbstractPosition", dead: Iterable[tuple[int, ...]]) -> str:
    """The result without the dead chains, in words."""
    points = [point for chain in sorted(dead) for point in chain]
    names = " ".join(sorted(map(position.format, points), key=natural_key))
    assert isinstance(position, HasDeadStones)
    lead = position.lead_without(set(points))
    side = position.sides[int(lead < 0)]
    return f"without the dead stones {names}: {f'{side} wins by {abs(lead):g}' if lead else 'equal areas'}"


def _number(text: str) -> int | None:
    """A positive number; 1 for an empty string, None for any other text."""
    if not text:
        return 1
    return int(text) if text.isdecimal() and int(text) > 0 else None
