"""A player that searches."""

from random import Random
from typing import TYPE_CHECKING

from msgspec import structs

from gameplay import registry, specs
from gameplay import value as scale
from gameplay.errors import Usage
from gameplay.knowledge.knowledge import Advice, Knowledge
from gameplay.players.player import Choice, MatchView, Player
from gameplay.position import AbstractPosition
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.seeds import seed_of
from gameplay.search.session import DEFAULT_MOVE_TIME, Session, grace

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

DRAW_MARGIN = 0.1  # of the value of half a win: an engine ahead by no more accepts a draw
RESIGN_MOVES = 3  # consecutive moves below the resignation threshold before an engine resigns
ACCEPT_MOVES = 8  # consecutive moves within DRAW_MARGIN before an engine accepts a draw
OFFER_PERIOD = 20  # consecutive moves with both sides within DRAW_MARGIN between draw offers


class EnginePlayer(Player):
    """Plays an engine's moves within a limit, consulting its `knowledge` sources first, in order.

    `seed`: used for the engine's random choices unless its options set one, and for book selection.
    """

    def __init__(self, engine: "Engine", limit: Limit | None = None, seed: int = 0) -> None:
        self.limit: Limit = Limit() if limit is None else limit
        self.spec = _spec(engine, self.limit)
        self.name = str(engine.name)
        self.reusable = engine.instant and not engine.place
        self._engine = engine
        self._takes_seed = engine.draws and "seed" in engine.options() and not engine.seed
        self.reseed(seed)
        self.move_timeout = (
            DEFAULT_MOVE_TIME  # seconds per move for a user-defined engine without a time limit
        )
        self.knowledge: dict[str, Knowledge] = {}  # by option, see `gameplay.knowledge.kinds`
        self.solution: tuple[int, Report] | None = None  # of a puzzle: its ply and report
        self.low_scores = (-1, 0)  # ply of the last score below the resignation threshold, and their count

    @property
    def engine(self) -> "Engine":
        """The engine that searches."""
        return self._engine

    def reseed(self, seed: int) -> None:
        """Reseed the random choices."""
        self.seed = seed
        self._set_engine(self._engine.with_seed(seed) if self._takes_seed else self._engine)

    def use(self, engine: "Engine") -> None:
        """Search with another engine from now on, or with a fresh copy of the same one."""
        self._set_engine(engine)
        self.session.begin()

    def _set_engine(self, engine: "Engine") -> None:
        self._engine = engine
        # Each move has its own seed: with one seed a repeated position would get the same move again.
        self._drawing = engine.with_seed(engine.seed) if engine.samples and not engine.thinks else None
        self.session = Session(self._drawing or engine)

    def nudge(self) -> None:
        """Request a call of `match.watch`."""
        self.session.nudge()

    def set_knowledge(self, knowledge: dict[str, Knowledge]) -> None:
        """Set the knowledge sources. Raises Usage for an engine that does not search."""
        if knowledge and not self.engine.thinks:
            raise Usage(f"{self.name} does not search: books and tables are for engines that do")
        if not knowledge and not self.knowledge:
            return
        self.knowledge = knowledge
        paths = {name: source.path for name, source in knowledge.items()}
        self.spec = str(specs.parse(self.spec).with_knowledge(paths))

    def check(self, position: AbstractPosition) -> None:
        """Raises Usage, with the reason, if the engine cannot play this game."""
        registry.check_engine(self.engine, position)
        self.engine.default_limit(position, self.limit)

    def set_move_timeout(self, seconds: float) -> None:
        """Set the default time limit of a move."""
        self.move_timeout = seconds

    def begin(self, match: MatchView) -> None:
        """Begin a new game: clear what was learned in the last one, so that games are independent."""
        self.session.begin()
        if self.limit.seconds or match.clock is not None:
            self.reserve()
        self.solution = None
        self.low_scores = (-1, 0)

    def choose(self, match: MatchView) -> Choice | None:
        """A move from a knowledge source, else from a search, which allocates time under a clock."""
        engine = self.engine
        limit = self.limit
        if (continuation := self._next_of_solution(match)) is not None:
            return continuation
        advice = self.advise(match)
        if advice is not None and len(advice.moves) == 1:
            (move,) = advice.moves
            report = Report(move=move, pv=(move,), engine=str(engine), final=True)
            return Choice(move, _with_advice(report, advice))
        if advice is not None:
            limit = limit.with_(moves=advice.moves)
        if match.clock is not None and match.clock.runs(match.position.turn):
            seconds = match.clock.seconds(match.position.turn)
            limit = limit.with_(seconds=min(seconds, limit.seconds or seconds))
        self.session.knowledge = tuple(self.knowledge.values())
        self.session.hang_timeout = self._hang_timeout(match)
        report = self.find(match, limit)
        assert report.move is not None
        if report.stopped == "solved" and report.thresholds:
            self.solution = (len(match.turns), report)
        if self._should_resign(match, report):
            match.resign(match.position.turn)
            return None
        return Choice(report.move, report if advice is None else _with_advice(report, advice))

    def find(self, match: MatchView, limit: Limit) -> Report:
        """Search the position; the `move` of the report is the one to play."""
        if self._drawing is not None:
            self._drawing.seed = seed_of(self.engine.seed, len(match.turns))
            self._drawing.begin()
        self.engine.at(match)
        return self.session.search(self.search_position(match), limit, match.watch, copy=False)

    def search_position(self, match: MatchView) -> AbstractPosition:
        """The position to search on: a copy, unless the engine only reads it."""
        reads = self.engine.instant and not self.engine.place
        return match.position if reads else match.replica()

    def _should_resign(self, match: MatchView, report: Report) -> bool:
        """True if its expected score was below `resign` for RESIGN_MOVES consecutive moves."""
        engine = self.engine
        if not (engine.simulates and self.resigns):
            return False
        position, ply = match.position, len(match.turns)
        decided = position.players == 2 and position.zero_sum and not position.scored
        if not decided or position.concessions() is not None:
            return False
        machine = not all(player is self or player.spec == "human" for player in match.players)
        score = max(0.0, 0.5 + 0.5 * report.value / position.unit)  # a proved loss is far below 0
        last_ply, count = self.low_scores
        if not score < engine.resign_in(position, machine):
            count = 0
        elif ply != last_ply:
            count = count + 1 if ply == last_ply + position.players else 1
        resigns = count >= RESIGN_MOVES
        self.low_scores = (-1, 0) if resigns else (ply, count)  # if undone, play on
        return resigns

    def _next_of_solution(self, match: MatchView) -> Choice | None:
        """The next move of a solution found earlier, while the game follows it."""
        if self.solution is None:
            return None
        start, report = self.solution
        played = [turn.move for turn in match.turns[start:]]
        remaining = report.pv[len(played) :]
        if len(match.turns) < start or not remaining or played != list(report.pv[: len(played)]):
            return None
        position, cost = match.replica(), 0
        for move in remaining:
            cost += position.cost(move)
            position.make(move)
        remainder = report.with_(move=remaining[0], pv=remaining, value=-cost, thresholds=(cost,), depth=cost)
        remainder = remainder.with_(candidates=(), nodes=0, expanded=0, memory=0, seconds=0.0)
        return Choice(remaining[0], remainder)

    def accepts_draw(self, match: MatchView) -> bool:
        """Accept if its value is within DRAW_MARGIN now and was in each of its last ACCEPT_MOVES searches.

        One search suffices if it was exact. DRAW_MARGIN is 0.20 pawns in chess.
        """
        if not self.engine.thinks:
            return False
        reports, unit = _search_reports(match, 1 - match.turn), match.position.unit
        enough = 1 if reports and reports[-1].exact else ACCEPT_MOVES
        if len(reports) < enough or not all(_is_level(report.value, unit) for report in reports[-enough:]):
            return False
        limit = self.limit
        if match.clock is not None:  # the opponent's clock is running
            limit = limit.with_(seconds=min(1.0, limit.seconds or 1.0))
        self.session.hang_timeout = None if limit.seconds else self.move_timeout
        self.engine.at(match)
        report = self.session.search(self.search_position(match), limit, copy=False)
        return report.bound != "unknown" and _is_level(-report.value, unit)

    def offers_draw(self, match: MatchView) -> bool:
        """Offer a draw after every OFFER_PERIOD consecutive moves with both sides within DRAW_MARGIN."""
        last_turn, unit, count = match.turns[-1], match.position.unit, 0
        reports = _search_reports(match, last_turn.player)
        if not match.position.draw_offers or not reports or reports[-1] is not last_turn.report:
            return False
        for report in reversed(reports):
            if not (_is_level(report.value, unit) and _is_level(-report.value, unit)):
                break
            count += 1
        return count > 0 and count % OFFER_PERIOD == 0

    def reserve(self) -> None:
        """Allocate the table of the session."""
        self.session.reserve()

    def close(self) -> None:
        """Release the table, and what the engine holds outside this process."""
        self.session.close()
        self.engine.close()

    def _hang_timeout(self, match: MatchView) -> float | None:
        """Seconds after which a silent engine counts as hung; None: determined by the limit."""
        player = match.position.turn
        if match.clock is not None and match.clock.runs(player):
            allowance = match.clock.allowance(player)
            return allowance + grace(allowance)
        return None if self.limit.seconds else self.move_timeout

    def advise(self, match: MatchView) -> Advice | None:
        """The advice of the first knowledge source that has an entry for the position.

        Book moves are drawn by weight, seeded by seed and ply, so that games can be repeated.
        """
        for source in self.knowledge.values():
            advice = source.advise(match.replica())
            if advice is None or not advice.moves or (self.engine.probes_root and advice.settled):
                continue
            if advice.weights:
                rng = Random(f"{self.seed}/book/{len(match.turns)}")
                (index,) = rng.choices(range(len(advice.moves)), advice.weights)
                facts = advice.facts[index : index + 1]
                return structs.replace(advice, moves=(advice.moves[index],), weights=(), facts=facts)
            return advice
        return None


def _search_reports(match: MatchView, seat: int) -> list[Report]:
    """The search reports of the moves of a seat."""
    reports = [turn.report for turn in match.turns if turn.player == seat and turn.report is not None]
    return [report for report in reports if report.depth or report.exact or isinstance(report.value, float)]


def _is_level(value: float, unit: int) -> bool:
    """True if a value is at most DRAW_MARGIN."""
    return value <= DRAW_MARGIN * (unit if isinstance(value, float) else scale.half_win(unit))


def _with_advice(report: Report, advice: Advice) -> Report:
    """The report of a search restricted to advised moves, with the value given by the advice."""
    if not scale.is_counted(report.value):
        report = report.with_(value=advice.value or 0, bound="exact")
    stopped = report.stopped if report.stopped == "interrupted" else advice.source
    facts = advice.facts[advice.moves.index(report.move)] if advice.facts and report.move is not None else ""
    return report.with_(exact=advice.exact, stopped=stopped, source=advice.source, facts=facts)


def _spec(engine: "Engine", limit: Limit) -> str:
    """The spec of the engine with its limit: `alphabeta:order=killer,depth=6`."""
    if specs.is_program(str(engine)):
        return str(engine)
    spec = specs.engine(str(engine))
    return str(structs.replace(spec, options=spec.options | specs.limit_options(limit)))
