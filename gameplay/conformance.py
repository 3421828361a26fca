"""The laws of the contract, checked by playing at random to the end and back.

`check` plays a game, looks at every position on the way and holds what it sees against LAWS. A law that is
broken comes back with the shortest sequence of moves that shows it, so that an author can replay it.
"""

import contextlib
import functools
import heapq
import inspect
import io
import math
from collections.abc import Callable, Sequence
from hashlib import blake2b
from numbers import Real
from random import Random
from typing import Any

from gameplay import worlds
from gameplay.board import Board, Tray
from gameplay.errors import BadInput, Fault, GameplayError, raised
from gameplay.laws import Break, Conformance, Untested
from gameplay.notation import in_uci, wanting
from gameplay.observation import Observation
from gameplay.position import CHANCE, Position, frozen, parameters
from gameplay.registry import Game
from gameplay.spans import Span, some
from gameplay.usercode.watchdog import PATIENCE, patience
from gameplay.value import GUESS

TRIED = 20_000  # moves tried beside those played, in all
SHALLOW = 3  # plies after which a second position is compared only at the end
PATIENT = 3  # plays without an end before the game counts as endless
DRAWS = 4  # samples for each player at each position of a game of imperfect information
ENOUGH = 8  # samples, all the true position, at two positions of one infoset: determinize() does not sample
AIMLESS = 60  # plies of a random play of a puzzle, which need not end
UNENDING = 200  # ... of a game whose rules do not end it
OBSERVED = 400  # random games from which statistics are taken
OBSERVING = 3  # moves made for statistics alone, for each position that the laws were tested at
NEAR = 400  # positions next to one of a puzzle from which the cheapest paths to a goal are counted
SEARCHED = 60_000  # moves that the search for a goal of a puzzle makes
GREED = 4  # by how much it prefers a small estimate to a short path
BLAMED = 300  # moves made and taken back, to see which attribute an unmake() forgets
WHOLE = 1e6  # seconds that a check may take
COUNTED = 12_000  # positions of a game of imperfect information, up to which its worlds are counted
WORLDS = 40  # ... of a player, up to which they are drawn from
SAMPLED = 10  # infosets of which positions are drawn
NONSENSE = ("", "?", "-1", "no such move")


def check(
    game: Game, plays: int = 100, seed: int = 0, seconds: float = PATIENCE, plies: int = 2000
) -> Conformance:
    """Play `game` at random `plays` times to the end and back, and hold every law against it.

    A play stops after `plies` moves; each call into the game may take `seconds`. The same seed gives the
    same verdict. Raises Usage or BadInput if the parameters or the file do not let the game begin.
    """
    inspector = _Inspector(game, seed, seconds, plies)
    whole = patience(WHOLE, "the check")  # the calls then share its alarm
    with contextlib.redirect_stdout(inspector.printed), whole:
        return inspector.inspect(plays)


_Known = tuple[Any, str, bool]  # what a player knows after a move, its word, and whether they see it


class _Broken(Exception):
    """A law does not hold here."""

    def __init__(self, law: str, seen: str) -> None:
        super().__init__(seen)
        self.law = law
        self.seen = seen


class _Inspector:
    def __init__(self, game: Game, seed: int, seconds: float, plies: int) -> None:
        self.game = game
        self.seed = seed
        self.seconds = seconds
        self.plies = plies
        self.plays = self.finished = self.positions = self.longest = 0  # see `Conformance`
        self.found: dict[str, Break] = {}
        self.path: list[str] = []  # words of the moves made
        self.drawing = ""
        self.futures: dict[Any, tuple[dict[str, Any], str]] = {}  # key -> what was seen there, and when
        self.following: dict[Any, tuple[Any, str]] = {}  # (key, move) -> the next key, and when
        self.knowing: dict[Any, tuple[dict[str, Any], str]] = {}  # (player, infoset) -> moves, and when
        self.movers: dict[str, int] = {}  # diagram -> whose turn it was there
        self.saw: set[int] = set()  # players who saw the last move
        self.drawn: dict[Any, dict[Any, list[Any]]] = {}  # (player, infoset) -> true key -> keys drawn there
        self.recalled: dict[Any, tuple[Any, str]] = {}  # (player, infoset) -> all that they knew and chose
        self.printed = io.StringIO()
        self.tried = 0
        self.asked = self.open = 0  # positions not over, and their moves
        self.observed = Observation()
        self.facts: Any = None  # the start, for what the class says
        self.reached = 0  # goals of a puzzle that were met
        self.counted = False  # the worlds of the players were counted
        self.again = self.alike = 0  # keys and infosets of movers met on several paths
        # (player, infoset) -> a digest of their view, and when.
        self.viewed: dict[Any, tuple[bytes, str]] = {}
        self.histories: dict[Any, tuple[Any, str]] = {}  # (player, all they were shown) -> infoset, and when
        # By player, at each position of this play: infoset, digest of the view, digest of all views so far.
        self.story: list[list[tuple[Any, bytes, bytes]]] = []
        self.word = ""  # of the last move of a varied game, "" if the player did not see it
        self.unlooked = 0  # positions at which the laws of moves were not tested

    def inspect(self, plays: int) -> Conformance:
        limit, must_end = self.plies, True
        try:
            self.facts = start = self._new()
            self._facts(start)
            self.observed.begin(start.players)
            if not start.finite:
                limit, must_end = min(limit, UNENDING), False
            if start.players == 1 and not start.chance:
                limit, must_end = min(limit, AIMLESS), False
                self._ways(start, [])
                self._goal(start)
        except _Broken as broken:
            self._keep(broken)
            limit = -1
        while self.plays < plays and limit >= 0 and not {"returns", "apart"} & self.found.keys():
            try:
                self._play(Random(f"{self.seed}/{self.plays}"), limit)
            except _Broken as broken:
                self._keep(broken)
                limit = min(limit, len(self.found[broken.law].moves) - 1)  # from now on only shorter examples
            self.plays += 1
            if must_end and not (self.found or self.finished) and self.plays == min(plays, PATIENT):
                self._keep(_Broken("ends", f"no random game ended within {self.plies} moves"))
                break
        if not self.found:
            try:
                self._draws()
                self._worlds()
                self._observe()
            except _Broken as broken:
                self._keep(broken)
        return Conformance(
            self.game.spec,
            self.seed,
            self.plays,
            self.finished,
            self.positions,
            keys=len(self.futures),
            longest=self.longest,
            branching=self.open / self.asked if self.asked else 0.0,
            observed=self.observed,
            warnings=self.observed.warnings(self.facts) if self.facts is not None and not self.found else [],
            untested=self._untested() if not self.found else [],
            broken=sorted(self.found.values(), key=lambda each: len(each.moves)),
        )

    def _untested(self) -> list[Untested]:
        """The laws that apply to this game and were not tested, or not everywhere, and why."""
        game, found = self.facts, []

        def skipped(law: str, reason: str) -> None:
            found.append(Untested(law, reason))

        puzzle = game.players == 1 and not game.chance
        if not game.finite:
            skipped("ends", "the game declares that its rules need not end it (finite is False)")
        if puzzle and not self.reached:
            reason = f"no goal was reached, neither at random nor by a search of {SEARCHED:,} moves"
            skipped("estimate", f"never more than the rest costs: {reason}")
        if not self.finished and not (puzzle and self.reached):
            most = AIMLESS if puzzle else self.plies if game.finite else UNENDING
            skipped("outcome", f"no play ended within {min(self.plies, most)} moves")
        if not self.again:
            skipped("futures", "no position was reached on two paths")
        if game.hidden:
            if not self.alike:
                skipped("infoset", "no two positions were alike to the player to move")
            if not self.counted:
                reason = f"the game has more than {COUNTED:,} positions"
                skipped("worlds", f"{reason}: draws were compared by infoset and views, not counted")
        if self.unlooked:
            share = f"at {self.positions - self.unlooked:,} of {self.positions:,} positions"
            skipped("words", f"the laws of single moves were tested {share}, up to {TRIED:,} moves")
        return found

    def _keep(self, broken: _Broken) -> None:
        old = self.found.get(broken.law)
        if old is None or len(self.path) < len(old.moves):
            self.found[broken.law] = Break(broken.law, broken.seen, tuple(self.path), self.drawing)

    # -- one play ----------------------------------------------------------------------------

    def _play(self, rng: Random, limit: int) -> None:
        self.path, self.drawing, self.saw = [], "", set()
        position, other = self._new(), self._new()
        fresh = self._look(other)
        made: list[int] = []
        self.story = [[] for _ in range(position.players)]
        looks = [self._study(position, None, made)]
        own: list[tuple[Any, ...]] = [()] * position.players  # what each knew and chose when they moved
        while looks[-1]["outcome()"] is None and len(made) < limit:
            move, mover = rng.choice(self._likely(looks[-1])), looks[-1]["turn"]
            if mover != CHANCE:
                own[mover] += (looks[-1][f"infoset({mover})"], move)
            self._make(position, move)
            made.append(move)
            if len(made) <= SHALLOW:
                self._same("apart", fresh, self._look(other), "in another position that was not touched")
            looks.append(self._study(position, move, made))
            for player in range(position.players if position.perfect_recall else 0):
                self._recalls(player, looks[-1][f"infoset({player})"], own[player])
        self._same("apart", fresh, self._look(other), "in another position that was not touched")
        if (payoffs := looks[-1]["outcome()"]) is not None:
            self.finished += 1
            self.reached += position.players == 1 and payoffs[0] > 0
            guesses = [look.get("evaluate()") for look in looks[:-1]]
            self.observed.add([look["turn"] for look in looks[:-1]], guesses, payoffs)
        self.longest = max(self.longest, len(made))
        again = self._new()
        for move in made:
            self._call("make()", again.make, move)
        try:
            self._same("replay", looks[-1], self._look(again), "with the same moves made once more")
        except _Broken:
            self._blame(made)
            raise
        for ply in range(len(made) - 1, -1, -1):
            self.drawing = looks[ply]["str()"]
            self._call("unmake()", position.unmake)
            now = f"after make and unmake of {self.path[ply]}"
            try:
                self._same("unmake", looks[ply], self._look(position), now)
            except _Broken as broken:
                self._blame(made[: ply + 1], broken)
                raise
            self.path.pop()
        if position.hidden:
            self._vary(made, rng)

    def _observe(self) -> None:
        """Play more random games for the statistics, in less time than the laws took."""
        work, number = OBSERVING * self.positions, 0
        while self.facts.finite and self.facts.players > 1 and work > 0 and self.observed.games < OBSERVED:
            rng, made = Random(f"{self.seed}/observed/{number}"), list[int]()
            try:
                self.observed.play(self._new(), rng, self.plies, made, self._call)
            except _Broken:
                self.path, position = [], self._new()
                for move in made:
                    self._make(position, move)
                self.drawing = str(position)
                raise
            work -= len(made)
            number += 1
        self.observed.judge()

    def _blame(self, made: Sequence[int], broken: _Broken | None = None) -> None:
        """Fails with the attribute that unmake() does not restore on the path of these moves, if any.

        What a forgotten attribute leads to may look like randomness in the rules.
        """
        position, tried = self._new(), 0
        for number, move in enumerate((*made, None)):
            if position.outcome() is not None:
                return
            last = broken is not None and number == len(made) - 1
            for other in [move] if last else _written_out(position.moves()):
                before, word = _attributes(position), position.format(other)
                self._call(f"make({other})", position.make, other)
                self._call("unmake()", position.unmake)
                after = _attributes(position)
                wrong = [name for name in before | after if before.get(name) != after.get(name)]
                if wrong:
                    name = wrong[0]
                    was, now = _short(before.get(name, "not there")), _short(after.get(name, "not there"))
                    seen = f"unmake() forgets {', '.join(wrong)}: {name} was {was} and is {now}"
                    before_it = self._new()
                    for earlier in made[:number]:
                        before_it.make(earlier)
                    self.path, self.drawing = self.path[:number], str(before_it)
                    raise _Broken("unmake", f"{seen} after make and unmake of {word}")
                tried += 1
            if move is None or tried > BLAMED:
                return
            self._call(f"make({move})", position.make, move)

    def _make(self, position: Any, move: int) -> None:
        word = self._call("format()", position.format, move)
        if position.hidden:
            self.saw = {seat for seat in range(position.players) if self._sees(position, seat, move)}
        self._call(f"make({move})", position.make, move)
        self.path.append(word)

    @staticmethod
    def _likely(look: dict[str, Any]) -> list[int]:
        """The moves that can happen."""
        if look["turn"] != CHANCE:
            return list(look["moves()"])
        return [move for move, odds in zip(look["moves()"], look["chances()"], strict=True) if odds > 0]

    def _study(self, position: Any, last: int | None, made: Sequence[int]) -> dict[str, Any]:
        """Look at a position and hold it against every law that can be seen there."""
        look = self._look(position)
        self.drawing = look["str()"]
        self.positions += 1
        self._laws(position, look)
        self._same("asking", look, self._look(position), "when asked a second time")
        self._board(position, look, last=last)
        self._remember(look, made)
        if position.hidden and look["outcome()"] is None:  # at the end much may be revealed
            self._views(position, look, last)
        if look["outcome()"] is None:
            self.asked += 1
            self.open += len(look["moves()"])
            if self.tried < TRIED:
                self.tried += len(look["moves()"])
                self._words(position, look)
                try:
                    self._try_moves(position, look)
                except _Broken as broken:
                    if broken.law in ("unmake", "replay", "futures"):
                        self._blame(made)
                    raise
                if position.hidden:
                    for seat in range(position.players):
                        self._secrets(position, look, seat, last if seat in self.saw else None)
            else:
                self.unlooked += 1
        if self.printed.getvalue():
            raise _Broken("prints", f"it printed {_short(repr(self.printed.getvalue()))}")
        often = len(made) < 20 or len(made) % 16 == 0 or look["outcome()"] is not None
        if look["text()"] is not None and often:
            again = self._new()
            self._call(f"setup({look['text()']!r})", again.setup, look["text()"])
            self._same("text", look, self._look(again), f"after setup({look['text()']!r})")
        return look

    # -- asking the game ---------------------------------------------------------------------

    def _call(self, what: str, call: Callable[..., Any], *arguments: Any) -> Any:
        try:
            with patience(self.seconds, what):
                return call(*arguments)
        except Fault as fault:
            raise _Broken("returns", str(fault)) from None
        except (Exception, SystemExit) as error:
            raise _Broken("raises", f"{what} raised {raised(error)}") from error

    def _new(self) -> Any:
        try:
            with patience(self.seconds, "the constructor"):
                return self.game.new()
        except Fault as fault:
            raise _Broken("raises" if fault.__cause__ else "returns", str(fault)) from fault

    def _look(self, position: Any) -> dict[str, Any]:
        """All facts of a position, by name."""
        ask = self._call
        outcome = ask("outcome()", position.outcome)
        look: dict[str, Any] = {"turn": position.turn, "outcome()": outcome}
        if outcome is None:
            moves = ask("moves()", position.moves)
            if not isinstance(moves, Sequence):
                raise _Broken("moves", f"moves() is a {type(moves).__name__}, not a list")
            look["moves()"] = _written_out(moves)
            if position.turn == CHANCE:
                look["chances()"] = self._listed("chances", position.chances, "chances()")
            else:
                look["evaluate()"] = ask("evaluate()", position.evaluate)
                look["noisy()"] = self._listed("noisy", position.noisy, "noisy()")
                look["forced()"] = ask("forced()", position.forced)
                for bit, name in enumerate(position.policies):
                    drawn = functools.partial(position.policy_moves, 1 << bit)
                    look[f"policy_moves() by {name}"] = self._listed("policies", drawn, "policy_moves()")
        if position.players == 1:
            look["estimate()"] = ask("estimate()", position.estimate)
        look["key()"] = ask("key()", position.key)
        for player in range(position.players):
            if outcome is None:
                look[f"evaluate_for({player})"] = ask("evaluate_for()", position.evaluate_for, player)
            look[f"infoset({player})"] = ask(f"infoset({player})", position.infoset, player)
        look["text()"] = ask("text()", position.text)
        look["diagram()"] = ask("diagram()", position.diagram)
        look["str()"] = ask("str()", str, position)
        return look

    def _listed(self, law: str, call: Callable[[], Any], name: str) -> list[Any]:
        """What the method of that name, which a law is about, gave, as a list."""
        given = self._call(name, call)
        try:
            return list(given)
        except TypeError:
            raise _Broken(law, f"{name} is {_short(given)}, not a list") from None

    def _same(self, law: str, before: dict[str, Any], after: dict[str, Any], when: str) -> None:
        for name in before:
            if name not in after or before[name] != after[name]:
                was, now = _short(before[name]), _short(after.get(name, "nothing"))
                raise _Broken(law, f"{name} was {was} and is {now} {when}")

    # -- the laws ----------------------------------------------------------------------------

    def _facts(self, position: Any) -> None:
        missing = [
            name for name in vars(Position) if not name.startswith("_") and not hasattr(position, name)
        ]
        if missing:
            some = ", ".join(missing[:3])
            raise _Broken("facts", f"the class has no {some}, ...: make it a subclass of gameplay.Position")
        players = position.players
        if not isinstance(players, int) or players < 1:
            raise _Broken("facts", f"players is {players!r}")
        if len(position.sides) not in (0, players):
            raise _Broken("facts", f"there are {players} players and {len(position.sides)} sides")
        for name, least in (("unit", 1), ("swing", 0), ("stake", 0)):
            number = getattr(position, name)
            if not _whole(number) or number < least:
                raise _Broken("facts", f"{name} is {_short(number)}, and not a whole number from {least} up")
        low, high, total = (getattr(position, name) for name in ("low", "high", "total"))
        for name, bound in (("low", low), ("high", high), ("total", total)):
            if bound is not None and not isinstance(bound, (int, float)):
                raise _Broken("facts", f"{name} is {_short(bound)}, neither a number nor None")
        if low is not None and high is not None and low > high:
            raise _Broken("facts", f"low is {low:g} and high is {high:g}")
        if position.hidden and type(position).infoset is Position.infoset:
            raise _Broken("facts", "hidden is True, but infoset(player) is the default: everything")
        if position.hidden and type(position).determinize is Position.determinize:
            raise _Broken("facts", "hidden is True, but there is no determinize(player, rng)")
        if position.hidden and "viewer" not in inspect.signature(position.board).parameters:
            wrong = "board() is for no viewer: write def board(self, viewer=None, last=None)"
            raise _Broken("views", wrong)
        for name, player in position.aliases.items():
            if player not in range(players):
                raise _Broken("facts", f"the alias {name} is for player {player!r}")
        if without := wanting(position):
            raise _Broken("facts", f"notations is {position.notations!r}, but there is no {without[0]}")
        for name, parameter in parameters(self.game.cls).items():
            default = parameter.default
            if default is inspect.Parameter.empty or name in self.game.parameters:
                continue
            if default is not None and not isinstance(default, (int, float, str)):
                raise _Broken("parameters", f"{name} is {_short(default)} by default")
            self._call("the constructor", functools.partial(self.game.cls, **{name: default}))

    def _laws(self, position: Any, look: dict[str, Any]) -> None:
        turn, outcome, players = look["turn"], look["outcome()"], position.players
        chance = turn == CHANCE and position.chance and outcome is None
        if not chance and not (_whole(turn) and 0 <= turn < players):
            raise _Broken("turn", f"turn is {turn!r}")
        if position.phases and (phase := position.phase()) not in range(len(position.phases)):
            raise _Broken("facts", f"phase() is {_short(phase)}, and there are {len(position.phases)} phases")
        if outcome is not None:
            if not isinstance(outcome, (tuple, list)) or len(outcome) != players:
                raise _Broken("outcome", f"outcome() is {_short(outcome)} for {players} players")
            if not all(isinstance(x, (int, float)) and math.isfinite(x) for x in outcome):
                raise _Broken("outcome", f"outcome() is {_short(outcome)}")
            if position.zero_sum and abs(sum(outcome)) > 1e-9:
                raise _Broken("outcome", f"outcome() is {_short(outcome)}, which sums to {sum(outcome):g}")
            self._bounds(position, "outcome()", outcome)
        else:
            self._moves(look)
            self._guesses(position, look)
        diagram = look["diagram()"]
        if not isinstance(diagram, str) or "\n" in diagram:
            raise _Broken("diagram", f"diagram() is {_short(diagram)}")
        own = outcome is None and diagram != repr(look["key()"])
        if own and (before := self.movers.setdefault(diagram, turn)) != turn:
            raise _Broken("diagram", f"turn is {turn}, and was {before} where diagram() was the same")
        if not _stable(look["key()"]):
            raise _Broken("key", f"key() is {_short(look['key()'])}")
        if "estimate()" in look:
            self._estimate(look)
        for player in range(players):
            try:
                hash(look[f"infoset({player})"])
            except TypeError as error:
                raise _Broken("key", f"infoset({player}) cannot be hashed: {error}") from None

    def _guesses(self, position: Any, look: dict[str, Any]) -> None:
        """Estimates are integers and, except in zero-sum games for two, within the payoff limits."""
        guesses = [look[f"evaluate_for({player})"] for player in range(position.players)]
        for player, guess in enumerate(guesses):
            if not _whole(guess) or abs(guess) > GUESS:
                raise _Broken("evaluate", f"evaluate_for({player}) is {guess!r}")
        if position.players != 2 or not position.zero_sum:
            self._bounds(position, "evaluate_for()", [guess / position.unit for guess in guesses])
        elif "evaluate()" in look and guesses[look["turn"]] != look["evaluate()"]:
            both = f"{guesses[look['turn']]}, and evaluate() is {look['evaluate()']}"
            raise _Broken("evaluate", f"evaluate_for({look['turn']}), who moves, is {both}")
        elif sum(guesses):
            raise _Broken("evaluate", f"evaluate_for() is {guesses[0]} and {guesses[1]}, where gains cancel")

    def _bounds(self, position: Any, what: str, shares: Sequence[float]) -> None:
        """Fails if what each gets, or will by a guess, is beyond what the game says of itself."""
        low, high, total = position.low, position.high, position.total
        if total is None and position.zero_sum and position.players > 1:
            total = 0
        given = ", ".join(f"{share:g}" for share in shares)
        if low is not None and min(shares) < low - 1e-9:
            raise _Broken("bounds", f"{what} is {given}, and low is {low:g}")
        if high is not None and max(shares) > high + 1e-9:
            raise _Broken("bounds", f"{what} is {given}, and high is {high:g}")
        if total is not None and sum(shares) > total + 1e-9:
            raise _Broken("bounds", f"{what} is {given}, together {sum(shares):g}, and total is {total:g}")

    def _estimate(self, look: dict[str, Any]) -> None:
        left, outcome = look["estimate()"], look["outcome()"]
        if not _whole(left) or left < 0:
            raise _Broken("estimate", f"estimate() is {_short(left)}")
        if outcome is not None and outcome[0] > 0 and left:
            raise _Broken("estimate", f"estimate() is {left} at a goal")

    def _moves(self, look: dict[str, Any]) -> None:
        moves = look["moves()"]
        if not moves:
            raise _Broken("moves", "moves() is empty although outcome() is None")
        for move in moves:
            if not _whole(move) or not 0 <= move < 2**31:
                raise _Broken("moves", f"moves() holds {move!r}")
        if len(set(moves)) < len(moves):
            twice = next(move for move in moves if moves.count(move) > 1)
            raise _Broken("moves", f"moves() holds {twice} more than once: {_short(moves)}")
        if "chances()" in look:
            odds = look["chances()"]
            if len(odds) != len(moves):
                raise _Broken("chances", f"chances() has {len(odds)} entries for {len(moves)} moves")
            for x in odds:
                if not isinstance(x, Real):
                    raise _Broken("chances", f"chances() holds {_short(x)}, which is no number")
            if not all(x >= 0 for x in odds) or abs(sum(odds) - 1) > 1e-9:
                raise _Broken("chances", f"chances() is {_short(odds)}, which sums to {sum(odds):g}")
            return
        if not set(look["noisy()"]) <= set(moves) or len(set(look["noisy()"])) < len(look["noisy()"]):
            raise _Broken("noisy", f"noisy() is {_short(look['noisy()'])}, moves() is {_short(moves)}")
        for name in (name for name in look if name.startswith("policy_moves()")):
            if not look[name] or not set(look[name]) <= set(moves) or len(set(look[name])) < len(look[name]):
                raise _Broken("policies", f"{name} is {_short(look[name])}, moves() is {_short(moves)}")
        if not _whole(look["evaluate()"]) or abs(look["evaluate()"]) > GUESS:
            raise _Broken("evaluate", f"evaluate() is {look['evaluate()']!r}")

    def _words(self, position: Any, look: dict[str, Any]) -> None:
        words: dict[str, int] = {}
        offers = self._call("concessions()", position.concessions) or ()
        for move in (*look["moves()"], *offers):
            word = self._call(f"format({move})", position.format, move)
            if not isinstance(word, str) or len(word.split()) != 1 or word != word.strip():
                raise _Broken("words", f"format({move}) is {word!r}, not one word")
            if word in words:
                raise _Broken("words", f"format() is {word!r} for {words[word]} and for {move}")
            words[word] = move
            back = self._call(f"parse({word!r})", position.parse, word)
            if back != move:
                raise _Broken("words", f"format({move}) is {word!r}, but parse({word!r}) is {back!r}")
            self._outside(position, move)
        for word in NONSENSE:
            try:
                with patience(self.seconds, f"parse({word!r})"):
                    back = position.parse(word)
            except BadInput:
                continue
            except Fault as fault:
                raise _Broken("returns", str(fault)) from None
            except (Exception, SystemExit) as error:
                raise _Broken("words", f"parse({word!r}) raised {raised(error)}") from error
            if back not in (*look["moves()"], *offers):
                raise _Broken("words", f"parse({word!r}) is {back!r}, which is not a legal move")

    def _outside(self, position: Any, move: int) -> None:
        """The same for the words of programs outside."""
        if (chess := in_uci(position)) is not None:
            word = self._call(f"uci({move})", chess.uci, move)
            back = self._call(f"from_uci({word!r})", chess.from_uci, word)
            if back != move:
                raise _Broken("words", f"uci({move}) is {word!r}, but from_uci({word!r}) is {back!r}")

    def _board(self, position: Any, look: dict[str, Any], **whose: int | None) -> Board | None:
        """The board for a viewer, if there is one and it can be drawn."""
        board = self._call("board()", functools.partial(position.board, **whose))
        if board is None:
            return None
        if not isinstance(board, Board):
            raise _Broken("board", f"board() is a {type(board).__name__}")
        height, width = len(board.rows), len(board.columns)
        if len(board.cells) != height or any(len(row) != width for row in board.cells):
            sizes = sorted({len(row) for row in board.cells})
            seen = f"{len(board.cells)} rows of {' or '.join(map(str, sizes))} cells"
            raise _Broken("board", f"board() has {seen} for {height} row and {width} column labels")
        for tray in board.trays:
            if not isinstance(tray, Tray) or not all(isinstance(thing, str) for thing in tray.things):
                raise _Broken("board", f"trays holds {_short(tray)}, which is no Tray of letters")
        paths = [cell for path in board.paths.values() for cell in path]
        named = (
            ("last", board.last),
            ("line", board.line),
            ("moves", board.moves),
            ("paths", paths),
            ("names", board.names),
            ("counts", board.counts),
            ("links", [cell for link in board.links for cell in link]),
        )
        for what, cells in named:
            for cell in cells:
                if not board.holds(cell):
                    raise _Broken("board", f"{what} names the cell {cell}, outside the board")
        for owner in board.owners.values():
            if owner not in range(position.players):
                raise _Broken("board", f"owners names player {owner!r}")
        pointed = {move for moves in board.moves.values() for move in moves} | set(board.paths)
        given = self._call("moves()", position.moves) if pointed and "moves()" in look else ()
        legal = given if isinstance(given, Span) else set(given)
        if not all(move in legal for move in pointed):
            raise _Broken("board", f"board() points at {_short(sorted(pointed))}, not all of them legal")
        return board

    def _remember(self, look: dict[str, Any], made: Sequence[int]) -> None:
        """Equal keys mean equal futures; equal infosets mean equal moves for the mover."""
        key, when = look["key()"], self._when()
        single = ("turn", "outcome()", "evaluate()", "forced()", "diagram()")
        future: dict[str, Any] = {k: look[k] for k in single if k in look}
        future |= {k: sorted(look[k]) for k in ("moves()", "noisy()") if k in look}
        before, earlier = self.futures.setdefault(key, (future, when))
        self.again += earlier != when
        try:
            self._same("futures", before, future, f"at an equal key (first met {earlier})")
        except _Broken:
            self._blame(made)
            raise
        if "moves()" in look and look["turn"] != CHANCE:
            knows = (look["turn"], look[f"infoset({look['turn']})"])
            choice = {"moves()": sorted(look["moves()"])}
            before, earlier = self.knowing.setdefault(knows, (choice, when))
            self.alike += earlier != when
            self._same("infoset", before, choice, f"at an equal infoset (first met {earlier})")

    def _try_moves(self, position: Any, look: dict[str, Any]) -> None:
        """Make and unmake every legal move: check the next keys, and that nothing is left behind."""
        given = self._call("moves()", position.moves)
        for move in look["moves()"]:
            word = self._call(f"format({move})", position.format, move)
            cost = self._call(f"cost({move})", position.cost, move)
            self._call(f"make({move})", position.make, move)
            if _written_out(given) != look["moves()"]:
                raise _Broken("asking", f"the list from moves() became {_short(list(given))} by {word}")
            if position.players == 1:
                self._step(position, look, word, cost)
            key = self._call("key()", position.key)
            known, earlier = self.following.setdefault((look["key()"], move), (key, self._when()))
            self._call("unmake()", position.unmake)
            now = {
                "turn": position.turn,
                "key()": self._call("key()", position.key),
                "moves()": _written_out(self._call("moves()", position.moves)),
            }
            self._same("unmake", {name: look[name] for name in now}, now, f"after make and unmake of {word}")
            self._call(f"make({move})", position.make, move)
            again = self._call("key()", position.key)
            self._call("unmake()", position.unmake)
            if again != key:
                raise _Broken("replay", f"{word} led to key() {_short(key)}, and then to {_short(again)}")
            if known != key:
                seen = f"{word} led to key() {_short(known)} and leads to {_short(key)}"
                raise _Broken("futures", f"{seen} from an equal key (first met {earlier})")

    def _views(self, position: Any, look: dict[str, Any], last: int | None) -> None:
        """Compare infosets with views: equal infosets need equal views, equal views so far equal infosets."""
        when = self._when()
        for seat in range(position.players):
            known = look[f"infoset({seat})"]
            view = self._view(position, look, seat)
            before, earlier = self.viewed.setdefault((seat, known), (view, when))
            if before != view:
                seen = f"player {seat} is shown something else {when} than {earlier}"
                raise _Broken("views", f"{seen}, and infoset({seat}) is {_short(known)} at both")
            word = self.path[-1] if last is not None and seat in self.saw else ""
            story = self._history(self.story[seat][-1][2] if self.story[seat] else b"", word, view)
            self.story[seat].append((known, view, story))
            before, earlier = self.histories.setdefault((seat, story), (known, when))
            if before != known:
                seen = f"infoset({seat}) is {_short(known)} {when}, and {_short(before)} {earlier}"
                raise _Broken("shown", f"{seen}: player {seat} was shown the same in both games")

    def _view(self, position: Any, look: dict[str, Any], seat: int) -> bytes:
        """A digest of what a player is shown."""
        board = self._board(position, look, viewer=seat)
        return blake2b(f"{board}\n{self._call(f'show({seat})', position.show, seat)}".encode()).digest()

    @staticmethod
    def _history(before: bytes, word: str, view: bytes) -> bytes:
        """A digest of all that a player was shown up to a move."""
        return blake2b(before + word.encode() + b"\n" + view).digest()

    def _vary(self, made: Sequence[int], rng: Random) -> None:
        """Play the same game again with other moves where a player sees none, and compare what they know.

        As long as their infoset is the same as at that move of the first game, their view must be; and as
        long as all that they were shown is the same, their infoset must be. Random games alone seldom meet
        two positions that are nearly alike to a player.
        """
        for seat, story in enumerate(self.story):
            for keep in (0.0, 0.5, 0.9):
                position, seen_so_far, self.path = self._new(), b"", []
                for ply, (known, view, shown) in enumerate(story):
                    look = self._facts_of(position, seat)
                    if look["outcome()"] is not None:
                        break
                    self.drawing = ""
                    now, new = look[f"infoset({seat})"], self._view(position, look, seat)
                    seen_so_far = self._history(seen_so_far, self.word if ply else "", new)
                    if now == known and new != view:
                        seen = f"player {seat} is shown something else than in another game of the same moves"
                        raise _Broken(
                            "views", f"{seen} for them, and infoset({seat}) is {_short(now)} in both"
                        )
                    if seen_so_far == shown and now != known:
                        both = f"{_short(now)}, and {_short(known)} in another game"
                        raise _Broken("shown", f"infoset({seat}) is {both} where they were shown the same")
                    if ply == len(story) - 1:
                        break
                    move, legal = made[ply], look["moves()"]
                    if move not in legal or not self._sees(position, seat, move):
                        others = [one for one in self._likely(look) if not self._sees(position, seat, one)]
                        if not others:
                            break
                        if move not in others or rng.random() >= keep:
                            move = rng.choice(others)
                    self.word = position.format(move) if self._sees(position, seat, move) else ""
                    self._make(position, move)

    def _facts_of(self, position: Any, seat: int) -> dict[str, Any]:
        """What of a position is needed to play on and to compare what a player knows."""
        outcome = self._call("outcome()", position.outcome)
        look: dict[str, Any] = {"turn": position.turn, "outcome()": outcome}
        if outcome is None:
            look["moves()"] = _written_out(self._call("moves()", position.moves))
            if position.turn == CHANCE:
                look["chances()"] = self._listed("chances", position.chances, "chances()")
        look[f"infoset({seat})"] = self._call(f"infoset({seat})", position.infoset, seat)
        return look

    # -- puzzles -------------------------------------------------------------------------------

    def _step(self, position: Any, look: dict[str, Any], word: str, cost: Any) -> None:
        """After a move of a puzzle: what it cost, and whether the estimate keeps its promise."""
        if not _whole(cost) or cost < 1:
            raise _Broken("cost", f"cost() of {word} is {_short(cost)}")
        promised = next(iter(position.heuristics.values()), None)
        name = position.heuristic or (promised.name if promised else "")
        left = self._call("estimate()", position.estimate)
        if name and position.heuristics[name].consistent and look["estimate()"] > cost + left:
            seen = f"estimate() is {look['estimate()']}, and {left} after {word}, which costs {cost}"
            raise _Broken("consistent", seen)

    def _goal(self, position: Any) -> None:
        """Search a goal of a puzzle, best first by cost and estimate, and compare the estimates on the way.

        On a path to a goal no estimate may exceed what the rest of the path costs. Around the last positions
        of the path the cheapest paths are counted, see `_ways`.
        """
        start = self._call("key()", position.key)
        reached: dict[Any, tuple[int, tuple[int, ...]]] = {start: (0, ())}
        heap: list[tuple[int, int, Any]] = [(0, 0, start)]
        numbers, goal, left = 0, None, SEARCHED
        while heap and left > 0 and goal is None:
            _, _, key = heapq.heappop(heap)
            spent, path = reached[key]
            left -= len(path)
            for move in path:
                position.make(move)
            for move in list(self._call("moves()", position.moves)) if position.outcome() is None else []:
                cost = spent + self._call(f"cost({move})", position.cost, move)
                left -= 1
                self._call(f"make({move})", position.make, move)
                after = self._call("key()", position.key)
                if cost < reached.get(after, (cost + 1, ()))[0]:
                    numbers += 1
                    reached[after] = (cost, (*path, move))
                    rank = cost + GREED * self._call("estimate()", position.estimate)
                    heapq.heappush(heap, (rank, numbers, after))
                    outcome = self._call("outcome()", position.outcome)
                    if outcome is not None and outcome[0] > 0:
                        goal = (*path, move)
                self._call("unmake()", position.unmake)
                if goal is not None:
                    break
            for _ in path:
                self._call("unmake()", position.unmake)
        if goal is None:
            return
        self.reached += 1
        self._compare(position, goal)
        for back in (4, 8):
            if back < len(goal):
                self._ways(position, goal[:-back])

    def _compare(self, position: Any, path: Sequence[int]) -> None:
        """Fails if an estimate on a path to a goal exceeds what the rest of it costs."""
        names = [*position.heuristics] or [None]
        costs = []
        for move in path:
            costs.append(position.cost(move))
            position.make(move)
        words: list[str] = []
        rest = 0
        for move, cost in zip(reversed(path), reversed(costs), strict=True):
            position.unmake()
            rest += cost
            words.append(position.format(move))
            for name in names:
                if (least := self._estimated(position, name)) > rest:
                    replay = self._new()
                    self.path = []
                    for one in path[: len(path) - len(words)]:
                        self._make(replay, one)
                    self.drawing = str(replay)
                    asked = f"estimate() of {name}" if name else "estimate()"
                    line = " ".join(reversed(words))
                    raise _Broken(
                        "estimate", f"{asked} is {least}, and a path to a goal costs {rest}: {line}"
                    )

    def _ways(self, position: Any, prefix: Sequence[int]) -> None:
        """Fails where an estimate of a puzzle is more than a path to a goal costs, near the position after
        `prefix`.

        The positions next to it are met breadth first, each heuristic is asked there; from the goals among
        them the costs are counted backwards.
        """
        names = [*position.heuristics] or [None]
        words: list[str] = []
        for move in prefix:
            words.append(position.format(move))
            position.make(move)
        lines: list[list[int]] = [[]]
        met = {self._call("key()", position.key): 0}
        back: dict[int, list[tuple[int, int]]] = {}  # position -> those before it, and what the move cost
        left: list[dict[str | None, int]] = []
        goals = []
        for number, line in enumerate(lines):
            for move in line:
                position.make(move)
            outcome = self._call("outcome()", position.outcome)
            left.append({name: self._estimated(position, name) for name in names})
            if outcome is not None and outcome[0] > 0:
                goals.append(number)
            for move in list(self._call("moves()", position.moves)) if outcome is None else []:
                cost = self._call(f"cost({move})", position.cost, move)
                self._call(f"make({move})", position.make, move)
                key = self._call("key()", position.key)
                if key not in met and len(lines) < NEAR:
                    met[key] = len(lines)
                    lines.append([*line, move])
                if key in met:
                    back.setdefault(met[key], []).append((number, cost))
                self._call("unmake()", position.unmake)
            for _ in line:
                self._call("unmake()", position.unmake)
        self.reached += len(goals)
        costs = dict.fromkeys(goals, 0)
        heap = [(0, goal) for goal in goals]
        while heap:
            cost, number = heapq.heappop(heap)
            for other, step in back.get(number, ()) if cost == costs[number] else ():
                if cost + step < costs.get(other, cost + step + 1):
                    costs[other] = cost + step
                    heapq.heappush(heap, (cost + step, other))
        for number, cost in costs.items():
            for name, least in left[number].items():
                if least > cost:
                    for move in lines[number]:
                        words.append(position.format(move))
                        position.make(move)
                    self.path, self.drawing = words, str(position)
                    asked = f"estimate() of {name}" if name else "estimate()"
                    raise _Broken("estimate", f"{asked} is {least}, and a path to a goal costs {cost}")
        for _ in prefix:
            self._call("unmake()", position.unmake)

    def _estimated(self, position: Any, name: str | None) -> int:
        """The estimate by a heuristic; 0 where that needs a file that is not there."""
        kept = position.heuristic
        try:
            position.heuristic = name
            return int(self._call("estimate()", position.estimate))
        except GameplayError:
            return 0
        finally:
            position.heuristic = kept

    # -- what is hidden ------------------------------------------------------------------------

    def _secrets(self, position: Any, look: dict[str, Any], seat: int, last: int | None) -> None:
        """Hold what a player sees here against other positions that they take for possible."""
        known = look[f"infoset({seat})"]
        here = self._shown(position, look, seat, last)
        mine = self._known(position, seat)
        keys = self.drawn.setdefault((seat, known), {}).setdefault(look["key()"], [list(self.path)])
        for draw in range(DRAWS):
            lot = f"{self.plays}/{len(self.path)}/{seat}/{draw}"
            other = self._call(f"determinize({seat})", position.determinize, seat, Random(lot))
            there = self._look(other)
            if not draw:
                again = self._call(f"determinize({seat})", position.determinize, seat, Random(lot))
                self._same("determinize", there, self._look(again), "when drawn again with an equal seed")
            same = f"infoset({seat})"
            if there[same] != known:
                raise _Broken("determinize", f"{same} is {_short(known)}, then {_short(there[same])}")
            if seat == look["turn"]:
                if (there["turn"], there["outcome()"]) != (seat, None):
                    raise _Broken(
                        "determinize", f"player {seat} is on turn, and in the position it gave is not"
                    )
                true, given = ({"moves()": sorted(asked["moves()"])} for asked in (look, there))
                self._same("infoset", true, given, "in a position that determinize() gave")
            shown = self._shown(other, there, seat, last)
            for name in here:
                if shown[name] != here[name]:
                    both = f"{_short(here[name])}, and {_short(shown[name])}"
                    raise _Broken("views", f"{name} is {both} where infoset({seat}) is {_short(known)}")
            self._leaks(seat, mine, self._known(other, seat))
            keys.append(there["key()"])
            if there["outcome()"] is None:
                self._call("make()", other.make, there["moves()"][0])
            self._same("determinize", look, self._look(position), "after a move in the position it gave")

    def _shown(self, position: Any, look: dict[str, Any], seat: int, last: int | None) -> dict[str, Any]:
        """All that is shown to a player at a position, by name."""
        shown: dict[str, Any] = {
            f"board({seat})": self._board(position, look, viewer=seat, last=last),
            f"show({seat})": self._call(f"show({seat})", position.show, seat),
        }
        if seat == look["turn"] and "moves()" in look:
            words = {move: self._call(f"format({move})", position.format, move) for move in look["moves()"]}
            shown["the mover's list of words"] = words
        return shown

    def _known(self, position: Any, seat: int) -> list[_Known]:
        """For each move that could be made: what a player knows then, its word, and whether they see it."""
        found = []
        if position.outcome() is None:
            for move in _written_out(position.moves()):
                word, sees = position.format(move), self._sees(position, seat, move)
                self._call(f"make({move})", position.make, move)
                found.append((self._call(f"infoset({seat})", position.infoset, seat), word, sees))
                self._call("unmake()", position.unmake)
        return found

    def _leaks(self, seat: int, here: list[_Known], there: list[_Known]) -> None:
        """Fails if `sees` reveals more of a move to a player than their infoset holds."""
        met: dict[Any, list[tuple[str, bool]]] = {}
        for known, word, sees in there:
            met.setdefault(known, []).append((word, sees))
        for known, word, sees in here:
            for another, also in met.get(known, ()) if sees else ():
                if word != another or not also:
                    seen = f"player {seat} sees the move {word}"
                    raise _Broken("sees", f"{seen}, but knows {_short(known)} after {another} too")

    def _sees(self, position: Any, seat: int, move: int) -> bool:
        return bool(self._call(f"sees({seat}, {move})", position.sees, seat, move))

    def _draws(self) -> None:
        """Fails if `determinize` always returned the true position in infosets of several positions."""
        for (seat, _), keys in self.drawn.items():
            often = {true: drawn for true, (_, *drawn) in keys.items() if len(drawn) >= ENOUGH}
            if len(often) > 1 and all(set(drawn) == {true} for true, drawn in often.items()):
                one, another = list(often)[:2]
                self.path = keys[one][0]
                same = f"{_short(one)} and {_short(another)} are alike to player {seat}"
                raise _Broken("determinize", f"{same}, and each time it gave the true one")

    def _worlds(self) -> None:
        """Fails if `determinize` does not draw what fits, as often as is right, where that can be counted."""
        start = self._new()
        if not start.hidden:
            return
        counted = self._call("the rules", worlds.of, start, COUNTED)
        self.counted = counted is not None
        found = counted or {}
        several = [each for each in found.values() if 1 < len(each.weights) <= WORLDS]
        for each in several[:: max(1, len(several) // SAMPLED)]:
            ways = list(each.ways)
            for moves in (ways[0], ways[-1]):
                position, self.path = self._new(), []
                for move in moves:
                    self._make(position, move)
                self.drawing = str(position)
                if wrong := self._call("determinize()", each.drawn, position, self.seed):
                    raise _Broken("worlds", wrong)

    def _recalls(self, player: int, known: Any, history: tuple[Any, ...]) -> None:
        """Fails if a player may have known or chosen something else on the way to what they know now."""
        before, earlier = self.recalled.setdefault((player, known), (history, self._when()))
        if before != history:
            seen = f"player {player} knows {_short(known)} as {earlier}, where they"
            raise _Broken("recall", f"{seen} had known or chosen something else")

    def _when(self) -> str:
        return f'after "{" ".join(self.path)}"' if self.path else "at the start"


def _attributes(position: Any) -> dict[str, Any]:
    """The attributes of a position by name, such that they can be compared later. Compiled ones have none."""
    held = getattr(position, "__dict__", {})
    return {name: frozen(value) for name, value in held.items() if name != "_past"}


def _written_out(moves: Sequence[int]) -> list[int]:
    """The moves as a list: those of a Span, which may be billions, only in part."""
    return list(some(moves) if isinstance(moves, Span) else moves)


def _whole(x: Any) -> bool:
    return isinstance(x, int) and not isinstance(x, bool)


def _stable(key: Any) -> bool:
    """True for what compares and prints alike in every process."""
    if isinstance(key, tuple):
        return all(_stable(part) for part in key)
    return key is None or (isinstance(key, (int, float, str, bytes)) and key == key)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) and "\n" not in value else repr(value)
    return text if len(text) <= 160 else text[:157] + "..."
