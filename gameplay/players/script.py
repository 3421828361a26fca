"""A player with predefined moves: `script:4 4 3`, `script:FILE` (see `gameplay.specs`)."""

from gameplay import file_io
from gameplay.errors import BadInput, Fault, IllegalMove
from gameplay.players.player import Choice, MatchView, Player, after_moves
from gameplay.plural import plural
from gameplay.specs import ScriptSpec, parse


class Script(Player):
    """Plays predefined moves in order; those of an opening do not count."""

    name = "script"

    def __init__(self, spec: str) -> None:
        """Raises Usage if `spec` holds no move, BadInput if it names a file that cannot be read."""
        script = parse(spec)
        assert isinstance(script, ScriptSpec)
        self.moves = list(_read(script))
        self.spec = str(ScriptSpec(tuple(self.moves)))
        self.first_move: int  # moves of this seat before the first of the script
        self.resumed = False
        self.match: MatchView | None = None  # the current match

    def resume(self, match: MatchView) -> None:
        """Continue a match: the moves already made on this seat are the first of the script."""
        self.match, self.resumed = None, True

    def choose(self, match: MatchView) -> Choice:
        """The next move. Raises Fault if there is none, or if it is illegal."""
        seat = match.position.turn
        moves_made = sum(turn.player == seat for turn in match.turns)
        if match is not self.match:
            self.match, self.first_move, self.resumed = match, 0 if self.resumed else moves_made, False
        self.first_move = min(self.first_move, moves_made)  # undo may go back before the script
        number = moves_made - self.first_move
        if number >= len(self.moves):
            moves = plural(len(self.moves), "move")
            raise Fault(f"{self.spec} ends after {moves}, before the game does{after_moves(match)}", "crash")
        move = self.moves[number]
        try:
            return Choice(match.call_game("parse()", match.position.parse, move))
        except IllegalMove as error:
            message = f"{self.spec}: its move {number + 1}, '{move}', is illegal{after_moves(match)}"
            raise Fault(f"{message}: {error}", "illegal_move") from None


def _read(spec: ScriptSpec) -> tuple[str, ...]:
    """The moves of a script."""
    if not spec.file:
        return spec.moves
    try:
        moves = tuple(file_io.content(spec.file).decode().split())
    except OSError as error:
        raise BadInput(f"{spec}: {file_io.unreadable(spec.file, error)}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{spec}: {spec.file} is not text") from None
    if not moves:
        raise BadInput(f"{spec}: there are no moves in {spec.file}")
    return moves
