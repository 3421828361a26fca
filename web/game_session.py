"""The Python side of the web page: a game against a level, as data for the page's scripts.

It runs in a web worker, and in tests under CPython. A `GameSession` has one game in progress: its human
player enters moves and the commands of the terminal (`hint`, `undo`, `why 4`); `reply` plays for the engine.
"""

import json
from collections.abc import Callable
from typing import Any

from gameplay import registry
from gameplay import value as scale
from gameplay.board import Board
from gameplay.errors import GameplayError
from gameplay.matches.match import Event, Match
from gameplay.players.interpreter import Interpreter
from gameplay.players.level import all_settings
from gameplay.players.player import Choice, Player
from gameplay.players.seats import player
from gameplay.position import CHANCE, side
from gameplay.search.report import Report

GAMES = {
    "tictactoe": "Tic-tac-toe",
    "connect4": "Connect Four",
    "othello": "Othello",
    "checkers": "Checkers",
    "chess": "Chess",
    "go:size=9": "Go 9×9",
    "nim": "Nim",
    "kuhn": "Kuhn poker",
    "tree:lecture": "Tree: the lecture's exercise",
    "tree:chance": "Tree: with chance",
    "tree:horizon": "Tree: the horizon effect",
}
FIELDS = ("cells", "columns", "rows", "owners", "glyphs", "ground", "white", "links", "stars", "last", "line")
Watch = Callable[[dict[str, Any]], object]  # takes a report of a search; a true result stops the search


class PagePlayer(Player):
    """Stands for the human: the page enters the moves, nothing asks for them."""

    spec = "human"
    name = "you"


class GameSession:
    """One game in progress. `watch` is called with each report of a search."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def start(
        self, game: str, level: int, seat: int, seed: int, moves: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """Begin a game against a level, or continue one after `moves`. Raises GameplayError."""
        found = registry.game(game)
        players: list[Player] = [
            PagePlayer() if one == seat else player(f"level:{level}", found, seed) for one in range(2)
        ]
        match = Match(found, players, moves=moves, seed=seed, listeners=[self._listen])
        for one, each in enumerate(players):
            each.begin(match.view(one))
        self.match, self.seat = match, seat
        self.view = match.view(seat)
        self.interpreter = Interpreter()
        self.interpreter.withheld = frozenset({"quit"})  # a page is closed by the browser
        self.interpreter.judge.watch = self._report
        return self.state()

    def enter(self, line: str) -> dict[str, Any]:
        """Execute a move or a command. What is wrong with it is the `message` of the state."""
        text = line.strip()
        if not self.view.over() and self.view.turn != self.seat:
            return self.state("it is the other side's turn")
        answer = self.interpreter.execute(text, self.view)
        if answer.choice is not None:
            self.match.make(answer.choice)
        return self.state(answer.text)

    def reply(self) -> dict[str, Any]:
        """Play for chance and the engine until it is the human's turn or the game is over."""
        while not self.match.over() and self.match.position.turn != self.seat:
            self.match.step()
        return self.state()

    def play(self, word: str) -> dict[str, Any]:
        """Make a move for the engine: the best one so far of a search that was stopped."""
        self.match.make(Choice(self.match.position.parse(word)))
        return self.state()

    def state(self, message: str = "") -> dict[str, Any]:
        """The game as the human may see it."""
        view = self.view
        over = view.over()
        mine = not over and view.turn == self.seat
        position = view.position
        return {
            "game": view.game.spec,
            "board": drawing(view.board(), position if mine else None),
            "text": view.show(),
            "position": position.text() or " ".join(view.words()),
            "moves": view.words(),
            "movers": ["" if turn.player == CHANCE else view.side(turn.player) for turn in view.turns],
            "legal": [position.format(move) for move in view.moves()] if mine else [],
            "turn": "" if over else view.side(view.turn),
            "side": view.side(self.seat),
            "sides": [view.side(seat) for seat in range(2)],
            "mine": mine,
            "over": over,
            "result": self._result() if over else "",
            "message": message,
        }

    def _result(self) -> str:
        """Who has won, and how."""
        view, payoffs = self.view, self.view.payoffs
        if payoffs is None:
            return f"The game ended: {view.reason}"
        ending = self.match.position.ending() if view.reason == "rules" else view.reason
        by = f" ({ending})" if ending else ""
        if payoffs[0] == payoffs[1]:
            return f"Draw{by}"
        winner = 0 if payoffs[0] > payoffs[1] else 1
        who = "You win" if winner == self.seat else "You lose"
        points = abs(payoffs[winner])
        counted = "" if points == 1 else f", by {points:g}"
        return f"{who}: {view.side(winner)} wins{counted}{by}"

    def _listen(self, event: Event) -> bool:
        return event.report is not None and event.kind == "report" and self._report(event.report)

    def _report(self, report: Report) -> bool:
        """Pass a report to the page; true to stop. Of a game with hidden cards only the counts are shown."""
        facts: dict[str, Any] = {
            "depth": report.depth,
            "nodes": report.nodes,
            "seconds": report.seconds,
            "visits": report.visits,
        }
        if not self.match.secrets and report.move is not None and report.valued:
            position = self.match.position
            facts["value"] = scale.format_score(report.value, position, report.exact, report.bound)
            facts["line"] = " ".join(self.match.spell(report.pv)[:8])
            facts["move"] = position.format(report.move)
            facts["side"] = side(position, position.turn)
        return bool(self.watch(facts))


def games() -> list[dict[str, str]]:
    """The games of the page: spec and title."""
    return [{"spec": spec, "title": title} for spec, title in GAMES.items()]


def about(game: str) -> dict[str, Any]:
    """The number of levels of a game, and its sides."""
    found = registry.game(game)
    position = found.new()
    return {
        "levels": len(all_settings(found)),
        "sides": [side(position, seat) for seat in range(position.players)],
    }


def drawing(board: Board | None, position: Any) -> dict[str, Any] | None:
    """A board as data: what `DRAWN` lists, the names of cells, trays, and the moves by cell.

    `plain` lists [cell, words of moves], `travel` [cell, cell, words of moves]; both are empty where it is
    not the human's turn (`position` None). Moves at trays are in neither.
    """
    if board is None:
        return None
    found: dict[str, Any] = {name: getattr(board, name) for name in FIELDS}
    found["names"] = [
        [board.cell_name((y, x)) if piece is not None else "" for x, piece in enumerate(row)]
        for y, row in enumerate(board.cells)
    ]
    found["trays"] = [{"name": tray.name, "things": tray.things} for tray in board.trays]
    found["notes"] = [board.notes.get(player, "") for player in range(2)]
    found["facts"] = board.facts
    plain, travel = [], []
    placed = {cell: moves for cell, moves in board.moves.items() if cell[0] < len(board.cells)}
    for cell, moves in placed.items() if position is not None else ():
        ends = board.targets(cell)
        for end, several in ends.items():
            travel.append([cell, end, [position.format(move) for move in several]])
        through = {move for several in ends.values() for move in several}
        if words := [position.format(move) for move in moves if move not in through]:
            plain.append([cell, words])
    return found | {"plain": plain, "travel": travel}


def connect(watch: Callable[[str], bool]) -> Callable[[str], str]:
    """A function from requests, `[name, values]`, to answers, `{"value": ...}` or `{"error": ...}`, all JSON.

    `watch` is called with reports of searches as JSON; a true result stops the search.
    """
    session = GameSession(lambda facts: watch(json.dumps(facts)))
    calls: dict[str, Callable[..., Any]] = {
        "games": games,
        "about": about,
        "start": session.start,
        "enter": session.enter,
        "reply": session.reply,
        "play": session.play,
    }

    def teach(name: str) -> Callable[..., Any]:
        """A function of teaching.py, which is imported when it is needed: that takes seconds."""
        from teaching import CALLS

        return CALLS[name]

    def answer(request: str) -> str:
        name, values = json.loads(request)
        try:
            return json.dumps({"value": (calls.get(name) or teach(name))(*values)})
        except GameplayError as error:
            return json.dumps({"error": str(error)})

    return answer
