"""A match of several games: its scoresheet, its rules and its standings as text."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from gameplay import registry
from gameplay.errors import BadInput, Usage, describe_exception
from gameplay.matches.match import Match
from gameplay.matches.solving import MAX_WAIT, SHORT_WAIT, Solving, stop
from gameplay.position import AbstractPosition
from gameplay.scoring.forms import rules_of
from gameplay.scoring.rules import Fixture, MatchRules, format_points
from gameplay.scoring.scoresheet import PlayedGame, Scoresheet

ROWS = 15  # games listed in the table, the latest ones
HUMAN = "human"


class Series:
    """A match of several games. The same sheet gives the same next game, in any process."""

    def __init__(self, sheet: Scoresheet) -> None:
        """Raises Usage if the sheet does not fit its game."""
        self.sheet = sheet
        position = registry.game(sheet.game).new(sheet.start)
        if position.players < 2:
            raise Usage("--match needs an opponent, and the game is for one player. Try: leave --match out")
        self.rules: MatchRules = rules_of(sheet.form, position)
        self.solved: dict[int, Solving] = {}  # by number of the game, from 0
        wrong = len(sheet.players) != position.players or len(sheet.names) != position.players
        if wrong or any(len(game.payoffs) != position.players for game in self.played):
            raise Usage(
                f"the match has {position.players} players, but its scoresheet has a different number"
            )
        try:
            self.rules.fixture(self.played)
            list(self._unsolved_games())
            self.table()
            self.after()
        except (ArithmeticError, AttributeError, BadInput, LookupError, TypeError, ValueError) as error:
            raise BadInput(f"the scoresheet of the match is damaged: {describe_exception(error)}") from None

    @property
    def played(self) -> list[PlayedGame]:
        """The finished games, including the current one if it is finished."""
        sheet = self.sheet
        return [*sheet.played, *([sheet.result] if sheet.result is not None else [])]

    @property
    def fixture(self) -> Fixture:
        """The current game. Raises Usage if there is none."""
        fixture = self.rules.fixture(self.sheet.played)
        if fixture is None:
            raise Usage("the match is over")
        return fixture

    @property
    def over(self) -> bool:
        """True if the match is over."""
        return self.sheet.result is not None and self.sheet.over

    @property
    def between_games(self) -> bool:
        """True between two games."""
        return self.sheet.result is not None and not self.sheet.over

    @property
    def conceals(self) -> bool:
        """True if hands that were not shown stay hidden after a game."""
        return self.rules.conceals

    def ended(self, position: AbstractPosition) -> Sequence[float] | None:
        """The payoffs of the current game if the rules of the match end it, else None."""
        return self.rules.ended(position, self.sheet.played)

    def enter(self, match: Match) -> None:
        """Record the result of the finished current game."""
        assert match.payoffs is not None
        fixture, position = self.fixture, match.position
        payoffs = [0.0] * len(self.sheet.players)
        for seat, player in enumerate(fixture.seats):
            payoffs[player] = match.payoffs[seat]
        facts = match.call_game("facts()", self.rules.facts, position, match.payoffs)
        self.sheet.result = PlayedGame(payoffs, facts)
        self.sheet.over = self._ends()

    def _ends(self) -> bool:
        """True if the match ends with the current game: by its rules, or because no human is left in it."""
        fixture = self.rules.fixture(self.played)
        people = [player for player, spec in enumerate(self.sheet.players) if spec == HUMAN]
        return fixture is None or bool(people and not set(people).intersection(fixture.seats))

    def solve(self, match: Match) -> None:
        """Start solving the current game, and earlier games that were not solved to the end."""
        number = len(self.sheet.played)
        if not self.rules.solves or number in self.solved:
            return
        self.solved[number] = Solving(self.rules, match.replica())
        for earlier, position in self._unsolved_games():
            if earlier not in self.solved:
                self.solved[earlier] = Solving(self.rules, position)

    def _unsolved_games(self) -> Iterator[tuple[int, AbstractPosition]]:
        """The numbers and positions of earlier games to solve. Raises BadInput."""
        for number, game in enumerate(self.sheet.played):
            fixture, start = (
                self.rules.fixture(self.sheet.played[:number]),
                self.rules.unsolved_position(game),
            )
            if start and fixture is not None:
                yield number, registry.game(self.sheet.game).with_parameters(fixture.parameters).new(start)

    def wait(self, thinking: Callable[[str], bool]) -> None:
        """Wait for the solvers: up to MAX_WAIT seconds at the end of the match, else up to SHORT_WAIT.

        `thinking` is called with a message; at the end of the match a true result stops all solvers.
        """
        latest = time.monotonic() + (MAX_WAIT if self.over else SHORT_WAIT)
        for solving in self.solved.values():
            if not solving.wait(latest - time.monotonic(), thinking):
                break
        if self.over:
            stop(self.solved.values())
        self.settle()

    def settle(self) -> None:
        """Add the finished solutions to the facts of their games."""
        games = self.played
        for number, solving in self.solved.items():
            if number < len(games) and solving.done:
                games[number].facts.update(solving.found)

    def withdraw(self) -> None:
        """Remove the result of the current game: a move or a resignation was taken back."""
        self.sheet.result, self.sheet.over = None, False

    def next(self) -> None:
        """Go on to the next game."""
        self.sheet = replace(self.sheet, played=self.played, result=None, over=False)

    @property
    def start(self) -> str:
        """The start position of the current game, "" for the default."""
        return self.fixture.start or self.sheet.start

    def label(self, match: Match) -> None:
        """Label players with equal names by the numbers used in the table."""
        for seat, player in enumerate(self.fixture.seats):
            match.players[seat].label = self.numbered(player)

    def seat(self, seat: int, spec: str) -> None:
        """Replace the player at a seat of the current game by one of this spec."""
        player = self.fixture.seats[seat]
        self.sheet.players[player] = spec
        if spec != HUMAN:
            self.sheet.names[player] = ""

    def take_seats(self, specs: Sequence[str]) -> None:
        """Replace the players in all seats of the current game. Raises Usage if their number is wrong."""
        taken = len(self.fixture.seats)
        if len(specs) != taken:
            raise Usage(f"the game is for {taken} players; --players names {len(specs)}")
        for seat, spec in enumerate(specs):
            self.seat(seat, spec)

    def afresh(self, when: str) -> "Series":
        """A new match between the same players; `when`: its start time."""
        seed = self.sheet.seed + len(self.played)
        return Series(replace(self.sheet, played=[], result=None, over=False, seed=seed, begun=when))

    # -- text ----------------------------------------------------------------------------------

    @property
    def labels(self) -> list[str]:
        """The displayed name of each player: you, a name or an engine, numbered if not unique."""
        plain = self._plain()
        return [self.numbered(player) or label for player, label in enumerate(plain)]

    def _plain(self) -> list[str]:
        sheet = self.sheet
        alone = sheet.players.count(HUMAN) == 1
        return [
            name or ("you" if alone and spec == HUMAN else _short_spec(spec))
            for name, spec in zip(sheet.names, sheet.players, strict=True)
        ]

    def numbered(self, player: int) -> str:
        """The numbered name of a player whose name is not unique: `mcts #2`; "" if it is unique."""
        plain = self._plain()
        name = plain[player]
        return f"{name} #{plain[: player + 1].count(name)}" if plain.count(name) > 1 else ""

    @property
    def parties(self) -> list[tuple[str, int]]:
        """The columns of the table: players, or teams, each with the index of a player."""
        teams = [(name, players[0]) for name, players in self.rules.teams]
        return teams or [(label, player) for player, label in enumerate(self.labels)]

    def line(self) -> str:
        """The state of the match in one line: `game 2 of 5; you 1 - 0 level 3`, `hand 2 of 20; you: 180`."""
        self.settle()
        heading, people = self.rules.heading(self.sheet.played), self.sheet.players.count(HUMAN)
        if len(self.parties) == 2:
            return f"{heading}; {self.standing()}"
        if people != 1:
            return heading
        score = self.rules.scores(self.played)[self.sheet.players.index(HUMAN)]
        return f"{heading}; you: {self.rules.score_text(score)}"

    def standing(self) -> str:
        """The scores: `you 1 - 0 level 3`; of more than two `you: 180, level 3: 220, mcts: 200`."""
        scores = self.rules.scores(self.played)
        names = [(label, self.rules.score_text(scores[player])) for label, player in self.parties]
        if len(names) == 2:
            (one, first), (other, second) = names
            return f"{one} {first} - {second} {other}"
        return ", ".join(f"{label}: {score}" for label, score in names)

    def verdict(self) -> str:
        """The result of the match: `you win the match: you 2 - 1 level 3`."""
        best, parties = self.rules.winners(self.played), self.parties
        winners = [label for label, player in parties if player in best]
        if len(winners) == len(parties):
            return f"the match is drawn: {self.standing()}"
        names = " and ".join(winners)
        verb = "win" if len(winners) > 1 or names == "you" else "wins"
        return f"{names} {verb} the match: {self.standing()}"

    def after(self) -> list[str]:
        """The lines printed after a game: a remark on it, then the standing or the result of the match."""
        self.settle()
        remark = self.rules.remark(self.sheet.result) if self.sheet.result is not None else ""
        stands = f"{self.rules.heading(self.sheet.played)}; {self.standing()}"
        return [*([remark] if remark else []), self.verdict() if self.over else stands]

    def table(self) -> list[str]:
        """The finished games as a table: the gain of each party, and the totals."""
        self.settle()
        played, parties = self.played, self.parties
        first = max(0, len(played) - ROWS)
        scores = [self.rules.scores(played[:games]) for games in range(first, len(played) + 1)]
        rows = [[self.rules.game_name, *(label for label, _ in parties), ""]]
        for number, (before, now) in enumerate(pairwise(scores), first):
            gains = [format_points(now[player] - before[player]) for _, player in parties]
            rows.append([str(number + 1), *gains, self.rules.note(played[number])])
        sums = [self.rules.score_text(scores[-1][player]) for _, player in parties]
        rows.append(["total", *sums, self.rules.unit_name])
        lines = _align(rows)
        if first:
            lines.insert(1, f"({first} before)")
        return lines


def _short_spec(spec: str) -> str:
    """The short name of a player's spec: the engine without its options, `level 3`."""
    head, _, rest = str(spec).partition(":")
    return f"level {rest.partition(',')[0]}" if head == "level" else head.rpartition("/")[2]


def _align(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines: the first and last columns left-aligned, the others right-aligned."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if column in (0, len(wide) - 1) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, wide, strict=True))
        ).rstrip()
        for row in rows
    ]


def new_series(
    form: str,
    game: registry.Game,
    players: Sequence[str],
    names: Sequence[str],
    seed: int,
    start: str,
    when: str,
) -> Series:
    """Create a new match. Raises Usage if the game has no matches of this form."""
    return Series(Scoresheet(form, game.spec, list(players), list(names), seed, when, start))


def game_of(series: Series) -> registry.Game:
    """The game of the current fixture, with its parameters and its seed."""
    sheet, fixture = series.sheet, series.fixture
    game = registry.game(sheet.game)
    if fixture.parameters:
        game = game.with_parameters(fixture.parameters)
    return game.with_seed(seed_of_game(sheet), again=True) if sheet.played and not sheet.start else game


def seed_of_game(sheet: Scoresheet) -> int:
    """The seed of the current game."""
    return sheet.seed + len(sheet.played)
