"""The referee: plays one game between players and validates what they and the game return.

Asks the player to move, checks that the move is legal, samples chance moves and notifies listeners. It is
independent of screens, files and processes. A match is determined by (game, start, seed, moves): the same
four give the same match, chance moves included, in any process and after any number of undone moves.

The n-th roll of the same dice depends only on the seed and n: matches with the same seed get the same rolls
for either side, and however many moves, cards or forced passes lie between them.

Players receive a view (`gameplay.matches.views`), because the match itself holds hidden information.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from math import isfinite
from operator import index
from random import Random
from typing import TypeVar

import msgspec

from gameplay.board import Board
from gameplay.capabilities import ChoosesInSecret
from gameplay.errors import Fault, GameplayError, IllegalMove, Terminated, Usage, describe_exception, truncate
from gameplay.matches.clock import Clock, Stop
from gameplay.matches.views import View, format_line
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.player import Choice, Player, Turn, after_moves
from gameplay.position import CHANCE, AbstractPosition, side
from gameplay.registry import Game
from gameplay.scoring.scoresheet import Scoresheet
from gameplay.search.report import Report
from gameplay.search.seeds import seed_of
from gameplay.spans import Span
from gameplay.usercode.watchdog import time_limit

Answer = TypeVar("Answer")

CALL_SECONDS = 10.0  # time limit in seconds for one call of user-defined game code

RULES, UNFINISHED = "rules", "unfinished"  # why a match ended
RESIGNED, TIME, AGREED, CLAIMED = "resigned", "time", "agreed", "claimed"  # ... before the rules ended it
ENDED_EARLY = (RESIGNED, TIME, AGREED, CLAIMED)
COUNTED = "counted"  # ended by the rules, with payoffs that the players agreed on


class Event(msgspec.Struct, frozen=True):
    """An event: `begin`, `move`, `undo`, `redo`, `restart`, `end`, or a `report` of a search.

    `reopen`: an end other than by the rules, such as a resignation, was taken back.
    """

    kind: str
    turn: Turn | None = None
    report: Report | None = None


Listener = Callable[[Event], object]


class Match:
    """One game between players, one player a seat.

    `position` is the true state; players search on a `replica()` of their view. `payoffs` and `reason` are
    set when the match is over; an abandoned match has a reason and no payoffs. `note`: further explanation.
    `clock`: None for a match without a time control.
    """

    seat: int | None = None  # no seat: it offers the interface of a view, with full information

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        start: str = "",
        moves: Sequence[str] = (),
        seed: int = 0,
        listeners: Sequence[Listener] = (),
        clock: Clock | None = None,
    ) -> None:
        """Raises Usage if players and seats differ in number, BadInput for a wrong `start` or move."""
        self.game = game
        self.players = list(players)
        self.start = start
        self.seed = seed
        self.listeners = list(listeners)
        self.turns: list[Turn] = []
        self.undone: list[Turn] = []
        self.payoffs: tuple[float, ...] | None = None
        self.reason = ""
        self.note = ""
        self.margin: float | None = None  # points by which the first player has won, if agreed on
        self.start_time = ""  # set by the caller
        self._rolled: Counter[tuple[int, ...]] = Counter()  # number of rolls of each set of chance moves
        self.taken_back = 0  # moves undone in a game of imperfect information
        self.revealed = False  # nothing is hidden: a finished game is being replayed
        self.scoresheet: Scoresheet | None = None  # of the series that this game belongs to
        # Returns payoffs if the rules of the series end the game before its own rules do.
        self.ends: Callable[[AbstractPosition], Sequence[float] | None] | None = None
        self.concealed = False  # hidden information stays hidden after the game: the series continues
        self.clock = clock
        self._views: dict[int | None, View] = {}
        self._spelling: tuple[AbstractPosition, list[Turn]] | None = None  # a replica after these moves
        self._ours = game.cls.__module__.startswith("gameplay.")  # built-in code needs no time limit
        self.position: AbstractPosition = self.call_game("the start", game.new, start)
        if len(self.players) != self.position.players:
            raise Usage(f"{game.name} must have {self.position.players} players, not {len(self.players)}")
        for number, word in enumerate(moves, 1):
            if self.over():
                raise IllegalMove(f"move {number}, '{word}': the game is over before it")
            try:
                self._make(self.call_game("parse()", self.position.parse, word))
            except IllegalMove as error:
                raise IllegalMove(f"move {number}: {error}") from None
        self.over()

    # -- playing -----------------------------------------------------------------------------

    def play(self) -> None:
        """Play until the match is over. Raises Fault if a player or the game's own code fails."""
        for seat, player in enumerate(self.players):
            try:
                player.begin(self.view(seat))
            except Fault as fault:
                _blame(fault, seat)
                raise
        self.notify(Event("begin"))
        while not self.over():
            self.step()
        self.notify(Event("end"))

    def step(self) -> None:
        """Play one move of the side to move, or perform the action that the player chooses instead.

        Exceeding the time loses, with the reason TIME; it is a Fault if a loss has no defined payoffs.
        A Fault caused by a player has their seat.
        """
        position = self.position
        if position.turn == CHANCE:
            self.make(Choice(self._draw()))
            return
        if not 0 <= position.turn < len(self.players):
            raise self._fault(f"turn is {position.turn!r}, not a player from 0 to {len(self.players) - 1}")
        seat = position.turn
        player = self.players[seat]
        legal = self.moves()  # first, so that a fault of the game is not attributed to the player
        clock = self.clock
        seconds = None
        try:
            if clock is not None:
                clock.start(seat)
            try:
                choice = player.choose(self.view(seat))
            except KeyboardInterrupt:
                self._stop(seat)  # the time used for this move counts when the match is resumed
                raise
            except (GameplayError, OSError, Terminated):
                raise
            except (Exception, SystemExit) as error:
                raise Fault(
                    f"{player.name} raised {describe_exception(error)}{after_moves(self)}", "crash"
                ) from error
            stop = self._stop(seat, choice is not None)
            if stop is not None:
                seconds = stop.elapsed
                if stop.flag_fallen:
                    late = f"{player.name} took {stop.elapsed:.3f} s, {1000 * stop.over:.0f} ms too long"
                    raise Fault(late + after_moves(self), "time_forfeit")
            if choice is not None and choice.move not in legal and not self._allowed(choice.move):
                wrong = f"{player.name} made an illegal move, {choice.move!r}{after_moves(self)}"
                raise Fault(wrong, "illegal_move")
        except Fault as fault:
            if fault.kind != "time_forfeit" or not self.decided():
                _blame(fault, seat)
                raise
            self._lose(seat, TIME, str(fault))
            return
        if choice is not None:
            self.make(choice, seconds)

    def make(self, choice: Choice, seconds: float | None = None) -> None:
        """Make a legal move for the side to move, and notify the listeners."""
        self.undone.clear()
        self.notify(Event("move", self._make(choice.move, choice.report, seconds)))

    def moves(self) -> Sequence[int]:
        """The legal moves. Raises Fault if there are none and the game is not over, or for invalid ones."""
        listed = self.call_game("moves()", self.position.moves)
        if isinstance(listed, Span):
            return listed
        try:
            moves = list(map(index, listed))
        except TypeError:
            raise self._fault(f"moves() returned {_short(listed)}, not moves, which are ints") from None
        if not moves:
            raise self._fault("moves() is empty although outcome() is None")
        if len(set(moves)) < len(moves) or min(moves) < 0:
            raise self._fault(f"moves() returned {_short(listed)}: moves are distinct ints from 0 up")
        return moves

    def concessions(self) -> list[int]:
        """The legal concessions, which are not listed as moves."""
        offers: Sequence[int] | None = self.call_game("concessions()", self.position.concessions)
        return list(offers or ())

    def over(self) -> bool:
        """True if the match is over; finds the payoffs when the rules end it."""
        if not self.reason:
            payoffs = self.call_game("outcome()", self._outcome)
            if payoffs is not None:
                try:
                    paid = tuple(payoffs)
                    whole = len(paid) == len(self.players) and all(map(isfinite, paid))
                except (TypeError, ValueError, OverflowError):
                    whole = False
                if not whole:
                    raise self._fault(f"outcome() returned {_short(payoffs)}, not one payoff per player")
                self.payoffs, self.reason = paid, RULES
        return bool(self.reason)

    def _outcome(self) -> Sequence[float] | None:
        """The payoffs, if the rules of the game or of its series have ended it."""
        early = self.ends(self.position) if self.ends is not None else None
        return early if early is not None else self.position.outcome()

    def _allowed(self, move: int) -> bool:
        """True for a legal move that `moves()` does not list."""
        return move in self.concessions() or bool(self.call_game("allows()", self.position.allows, move))

    # -- actions other than moves ------------------------------------------------------------

    def undo(self, plies: int = 1) -> int:
        """As `rewind`, but with imperfect information only back to the last chance move: deals stay.

        There a player has learned something from the moves taken back: `taken_back` counts them.
        """
        if not self.position.hidden or self.revealed:
            return self.rewind(plies)
        own = next(
            (n for n, turn in enumerate(reversed(self.turns)) if turn.player == CHANCE), len(self.turns)
        )
        taken = self.rewind(min(plies, own + (self.reason in ENDED_EARLY)))
        if not self._chooses_again(taken):
            self.taken_back += taken
        return taken

    def _chooses_again(self, taken: int) -> bool:
        """True if the last `taken` moves taken back revealed nothing to the player who chooses again."""
        position, undone = self.position, self.undone[len(self.undone) - taken :]
        if not isinstance(position, ChoosesInSecret) or not position.choosing:
            return False
        return all(
            turn.player == position.turn or (position.in_turn and position.turn in turn.unseen)
            for turn in undone
        )

    def rewind(self, plies: int = 1) -> int:
        """Take back up to `plies` moves, also when the match is over; returns how many were taken back.

        A resignation, a draw by agreement and a time forfeit count as moves. Clocks are reset to what
        they showed then.
        """
        taken = 0
        if self.reason in ENDED_EARLY and plies:
            self._reopen()
            taken = 1
            self._wind()
            self.notify(Event("reopen"))
        while self.turns and taken < plies:
            self.call_game("unmake()", self.position.unmake)
            turn = self.turns.pop()
            if turn.dice:
                self._rolled[turn.dice] -= 1
            self.undone.append(turn)
            self._reopen()
            self._wind()
            self.notify(Event("undo", turn))
            taken += 1
        return taken

    def redo(self, plies: int = 1) -> int:
        """Make up to `plies` of the undone moves again; returns how many."""
        made = 0
        while self.undone and made < plies:
            turn = self.undone.pop()
            self._make(turn.move, turn.report, turn.seconds)
            self._wind()
            self.notify(Event("redo", turn))
            made += 1
        return made

    def restart(self) -> None:
        """Return to the start, with the same players, the same seed and the clocks reset.

        A game of imperfect information gets a new deal.
        """
        self.position = self.call_game("the start", self.game.new, self.start)
        self.turns.clear()
        self.undone.clear()
        self.taken_back = 0
        if not self.position.hidden:
            self._rolled.clear()
        self._reopen()
        if self.clock is not None:
            self.clock.reset()
        self.notify(Event("restart"))

    def resign(self, player: int) -> None:
        """Resign; in games where resigning is a move, the side to move makes the first such move.

        Raises Usage as `check_resignation`.
        """
        self.check_resignation(player)
        if self.position.concessions() is not None:
            self.make(Choice(self.concessions()[0]))
        else:
            self._lose(player, RESIGNED)

    def check_resignation(self, player: int) -> None:
        """Raises Usage if a resignation leaves the payoffs undefined, or is not possible now."""
        if self.position.concessions() is not None:
            if player != self.turn or not self.concessions():
                raise Usage("you cannot resign now; answer first, or wait for your turn")
        elif not self.decided():
            open_part = "the payoffs of the others" if self.position.players > 2 else "the final score"
            raise Usage(f"there is no resignation in {self.game.name}: {open_part} would be undefined")

    def draw(self, claimed: bool = False) -> None:
        """End the match as a draw, agreed or claimed by a rule. Raises Usage as `resign`."""
        if not self.decided():
            raise Usage(
                f"there are no draws by agreement in {self.game.name}: its payoffs would be undefined"
            )
        self.payoffs, self.reason = (0, 0), CLAIMED if claimed else AGREED

    def count(self, payoffs: Sequence[float], margin: float, note: str) -> None:
        """Replace the payoffs of a match that its rules have ended by agreed ones, explained in `note`.

        `margin`: points by which the first player has won; negative: lost.
        """
        self.payoffs, self.reason, self.margin, self.note = tuple(payoffs), COUNTED, margin, note
        self.notify(Event("end"))

    def decided(self) -> bool:
        """True if a forfeit defines the payoffs of all players."""
        position = self.position
        return position.players == 2 and position.zero_sum and bool(position.stake or not position.scored)

    def leave(self) -> None:
        """End the match without a result."""
        self.reason = UNFINISHED

    def forfeit(self, loser: int) -> tuple[float, ...]:
        """The payoffs of the two players if one of them forfeits."""
        stake = self.position.stake if self.position.scored else 1
        return (-stake, stake) if loser == 0 else (stake, -stake)

    # -- for players and listeners -----------------------------------------------------------

    def notify(self, event: Event) -> bool:
        """Pass an event to every listener; true if any of them requests the search to stop."""
        stop = False
        for listener in self.listeners:
            stop = bool(listener(event)) or stop
        return stop

    def watch(self, report: Report) -> bool:
        """Called by engines: pass a report to every listener; true if the search should stop."""
        return self.notify(Event("report", report=report))

    @property
    def turn(self) -> int:
        """The seat to move, or CHANCE: public information."""
        return int(self.position.turn)

    @property
    def secrets(self) -> bool:
        """True while information is hidden from a player: until the game ends with a result.

        In a series that conceals hands, until the series ends.
        """
        if not self.position.hidden or self.revealed:
            return False
        return self.concealed or not (self.over() and self.payoffs)

    def view(self, seat: int | None = None) -> View:
        """The view of the player at `seat`, cached; None: everything is visible."""
        if seat not in self._views:
            self._views[seat] = View(self, seat)
        return self._views[seat]

    def board(self, viewer: int | None = None) -> Board | None:
        """The drawing of the position with the last move marked, as seen by `viewer`; None: everything."""
        turn = self.turns[-1] if self.turns else None
        last = turn.move if turn is not None and viewer not in turn.unseen else None
        keywords = {} if viewer is None else {"viewer": viewer}  # not every board() takes `viewer`
        position = self.position
        if (
            self.reason == RULES
            and turn is not None
            and self.call_game("outcome()", position.outcome) is None
        ):
            position, last = self.replica(len(self.turns) - 1), None  # the position is that of the next game
        board: Board | None = self.call_game("board()", partial(position.board, **keywords, last=last))
        return board

    def show(self, viewer: int | None = None) -> str:
        """The position as text, as seen by player `viewer`; None: everything."""
        if viewer is None:
            return str(self.call_game("__str__()", str, self.position))
        return str(self.call_game("show()", self.position.show, viewer))

    def seed_for(self, *parts: object) -> int:
        """A seed that depends only on the match's seed, the ply and `parts`."""
        return seed_of(self.seed, *parts, len(self.turns))

    def replica(self, plies: int | None = None) -> AbstractPosition:
        """An independent copy of the position after `plies` moves (None: now), to search on."""
        position: AbstractPosition = self.call_game("the start", self.game.new, self.start)
        for turn in self.turns[:plies]:
            position.make(turn.move)
        return position

    def spell(self, line: Sequence[int], plies: int | None = None) -> list[str]:
        """Format a line of moves from the position after `plies` moves (None: now).

        The replica is cached: lines of consecutive positions are requested repeatedly.
        """
        turns = self.turns[:plies]
        position, made = self._spelling or (self.replica(0), [])
        self._spelling = None  # an exception must not leave it between two positions
        common = next(
            (at for at, (one, two) in enumerate(zip(made, turns, strict=False)) if one is not two), len(turns)
        )
        for _ in made[common:]:
            position.unmake()
        for turn in turns[len(made[:common]) :]:
            position.make(turn.move)
        words = format_line(position, line)
        for _ in words:
            position.unmake()
        self._spelling = position, turns
        return words

    def words(self) -> list[str]:
        """The moves made since the start, in the game's notation."""
        return [turn.word for turn in self.turns]

    def side(self, player: int) -> str:
        """The name of a player's side in this game."""
        return side(self.position, player)

    def call_game(self, what: str, call: Callable[..., Answer], *arguments: object) -> Answer:
        """Call the game's code; any exception becomes a Fault that states what failed and where."""
        try:
            if self._ours:
                return call(*arguments)
            with time_limit(CALL_SECONDS, f"{self.game.name}: {what}"):
                return call(*arguments)
        except (GameplayError, Terminated):
            raise
        except (Exception, SystemExit) as error:
            raise Fault(
                f"{self.game.name}: {what} raised {describe_exception(error)}{after_moves(self)}"
            ) from error

    # -- inside ------------------------------------------------------------------------------

    def _stop(self, seat: int, moved: bool = False) -> Stop | None:
        """Stop the clock if it runs; undoing moves and restarting have stopped it already."""
        clock = self.clock
        return clock.stop(seat, moved) if clock is not None and clock.running is not None else None

    def _wind(self) -> None:
        """Set the clocks to what they showed after the last move."""
        if self.clock is not None:
            self.clock.replay((turn.player, turn.seconds) for turn in self.turns)

    def _lose(self, player: int, reason: str, note: str = "") -> None:
        self.payoffs = self.forfeit(player)
        self.reason, self.note = reason, note

    def _reopen(self) -> None:
        self.payoffs, self.reason, self.margin, self.note = None, "", None, ""

    def _make(self, move: int, report: Report | None = None, seconds: float | None = None) -> Turn:
        position = self.position
        word = self.call_game("format()", position.format, move)
        unseen: tuple[int, ...] = ()
        if position.hidden:
            seats = range(position.players)
            unseen = tuple(seat for seat in seats if not self.call_game("sees()", position.sees, seat, move))
        player = position.turn
        dice = tuple(self.moves()) if player == CHANCE else ()
        self.call_game(f"make({move})", position.make, move)
        news = tuple(self.call_game("news()", position.news))
        turn = Turn(player, move, word, report, seconds, unseen, news, dice)
        self.turns.append(turn)
        if dice:
            self._rolled[dice] += 1
        return turn

    def _draw(self) -> int:
        """A chance move: a function of the seed, the dice, and the number of earlier rolls of the same dice.

        Moves undone and made again therefore get the same dice.
        """
        moves = self.moves()
        shares = self.call_game("chances()", self.position.chances)
        try:
            chances = [float(share) for share in shares]
        except (TypeError, ValueError, OverflowError):
            raise self._fault(f"chances() returned {_short(shares)}, not one probability per move") from None
        if len(chances) != len(moves) or not sum(chances) > 0 or min(chances) < 0:
            raise self._fault(
                f"chances() returned invalid probabilities for {len(moves)} moves: {_short(chances)}"
            )
        dice = tuple(moves)
        seed = seed_of(self.seed, "chance", *dice, self._rolled[dice])
        return Random(seed).choices(moves, chances)[0]

    def _fault(self, message: str) -> Fault:
        return Fault(f"{self.game.name}: {message}{after_moves(self)}")


def match_without_players(game: Game, position: str = "", words: Sequence[str] = (), seed: int = 0) -> Match:
    """A match without players, to inspect the position after the moves `words`. Raises as `Match`."""
    return Match(game, [EmptySeat() for _ in range(game.new().players)], position, words, seed)


def _short(value: object) -> str:
    return truncate(repr(value), 160)


def _blame(fault: Fault, seat: int) -> None:
    """Assign the fault to the player at `seat`, if a player caused it."""
    if fault.kind and fault.seat is None:
        fault.seat = seat
