"""The answers of the tools, as data: output schemas are derived from these types. `text` formats them."""

from msgspec import Struct

from gameplay.plural import plural


class ToolAnswer(Struct, omit_defaults=True):
    """The base of answers."""

    def text(self) -> str:
        """The answer as text."""
        raise NotImplementedError


class GameEntry(Struct, omit_defaults=True):
    """A game in a list."""

    name: str
    summary: str
    players: int
    hidden_information: bool = False
    chance: bool = False


class GameList(ToolAnswer):
    """Answer of list_games."""

    games: list[GameEntry]

    def text(self) -> str:
        if not self.games:
            return "no game fits. Try: list_games without a filter"
        return "\n".join(f"{game.name}: {game.summary}" for game in self.games)


class GameRules(ToolAnswer):
    """Answer of describe_game."""

    game: str
    rules: str
    sides: list[str]
    hidden_information: bool
    chance: bool
    example_moves: list[str]  # legal at the start
    parameters: dict[str, str] = {}  # with their defaults
    levels: int = 0  # of opponents: level:1 to level:N

    def text(self) -> str:
        facts = [f"sides: {', '.join(self.sides)}"]
        facts += ["imperfect information"] if self.hidden_information else []
        facts += ["chance"] if self.chance else []
        facts += [f"opponents: level:1 to level:{self.levels}"] if self.levels else []
        lines = [self.game, "", self.rules, "", "; ".join(facts)]
        if self.parameters:
            defaults = (f"{key}={value}" for key, value in self.parameters.items())
            lines.append(f"parameters: {', '.join(defaults)}")
        if self.example_moves:
            lines.append(f"first moves: {' '.join(self.example_moves)}")
        return "\n".join(lines)


class PositionView(ToolAnswer):
    """Answer of show_position, start_game and play_move: the view of one player."""

    game: str
    board: str
    over: bool
    turn: str = ""  # a side, or chance; empty: the game is over
    legal_moves: list[str] = []
    legal_count: int = 0
    chances: list[float] = []  # of legal_moves at a chance node
    moves_made: list[str] = []
    position: str = ""  # in the notation of the game, for `start`
    result: str = ""
    game_id: str = ""
    you: str = ""  # your side in a game started here
    opponent: str = ""
    events: list[str] = []  # since your last move
    note: str = ""

    def text(self) -> str:
        lines = [f"{self.game_id}: {self.game}, you are {self.you}" if self.game_id else self.game]
        lines[0] += f" against {self.opponent}" if self.opponent else ""
        lines += [*self.events, "", self.board, ""]
        if self.position:
            lines.append(f"position: {self.position}")
        if self.over:
            lines.append(f"over: {self.result}")
        else:
            yours = " (you)" if self.turn == self.you else ""
            lines.append(f"to move: {self.turn}{yours}")
        if self.legal_moves:
            more = f" ... ({self.legal_count} in all)" if self.legal_count > len(self.legal_moves) else ""
            kind = "outcomes" if self.chances else "legal moves"
            lines.append(f"{kind}: {' '.join(self.legal_moves)}{more}")
        return "\n".join([*lines, *filter(None, [self.note])])


class ClosedGame(ToolAnswer):
    """Answer of close_game."""

    game_id: str
    result: str
    open_games: list[str] = []

    def text(self) -> str:
        others = f"; still open: {', '.join(self.open_games)}" if self.open_games else ""
        return f"{self.game_id} is closed ({self.result}){others}"


class MoveLine(Struct, omit_defaults=True):
    """A move, its value from the mover's view, and its principal variation."""

    move: str
    value: str
    exact: bool
    line: list[str] = []


class SearchResult(ToolAnswer):
    """Answer of exact_value and best_lines."""

    game: str
    turn: str
    kind: str  # exact or estimate
    value: str  # of the position, as text
    moves: list[MoveLine]  # the best first
    method: str  # the source of the value: search, solver, book, tables
    engine: str
    depth: int = 0
    nodes: int = 0
    simulations: int = 0
    note: str = ""

    def text(self) -> str:
        effort = [f"depth {self.depth}"] if self.depth else []
        effort += [plural(self.simulations, "simulation")] if self.simulations else []
        effort += [plural(self.nodes, "node")] if self.nodes else []
        source = f"by the {self.method}" if self.method != "search" else f"by {self.engine}"
        lines = [f"{self.kind}: {self.value} ({', '.join([source, *effort])}); {self.turn} to move"]
        for move in self.moves:
            rest = f"  {' '.join(move.line)}" if len(move.line) > 1 else ""
            lines.append(f"{move.move}: {move.value}{rest}")
        return "\n".join([*lines, *filter(None, [self.note])])


class AdviceText(ToolAnswer):
    """Answer of hint and explain_move."""

    game: str
    advice: str
    level: int = 0  # of a hint

    def text(self) -> str:
        return self.advice


class Mistake(Struct, omit_defaults=True):
    """A mistake in a review."""

    ply: int
    side: str
    move: str
    severity: str  # inaccuracy, mistake or blunder
    cost: float
    value: str  # of the move, from the mover's view
    best_value: str
    better: list[str]  # the better line
    answer: list[str] = []  # the refutation of the move


class SideFigures(Struct, omit_defaults=True):
    """The figures of one side in a review."""

    side: str
    judged: int
    blunders: int
    mistakes: int
    inaccuracies: int
    accuracy: float | None = None  # per cent


class GameReview(ToolAnswer):
    """Answer of review_game. The mistakes are ordered by severity, the worst first."""

    game: str
    result: str
    measure: str  # the unit of costs
    engine: str
    limit: str
    plies: int
    sides: list[SideFigures]
    mistakes: list[Mistake]
    opening: str = ""
    note: str = ""

    def text(self) -> str:
        opening = f", {self.opening}" if self.opening else ""
        lines = [f"{self.game}{opening}: {self.result}, {plural(self.plies, 'ply', 'plies')}"]
        for side in self.sides:
            accuracy = f"accuracy {side.accuracy:.0f} %, " if side.accuracy is not None else ""
            counts = (
                plural(side.blunders, "blunder"),
                plural(side.mistakes, "mistake"),
                plural(side.inaccuracies, "inaccuracy", "inaccuracies"),
            )
            judged = plural(side.judged, "judged move")
            lines.append(f"{side.side}: {accuracy}{', '.join(counts)} in {judged}")
        for move in self.mistakes:
            answer = f"; answered by {move.answer[0]}" if move.answer else ""
            lines.append(
                f"{move.severity}: ply {move.ply}, {move.side} {move.move} ({move.value}{answer}); better "
                f"{' '.join(move.better)} ({move.best_value}); costs {move.cost:g} {self.measure}"
            )
        if not self.mistakes:
            lines.append("no move costs as much as an inaccuracy")
        return "\n".join([*lines, f"by {self.engine}, {self.limit} a search", *filter(None, [self.note])])
