"""The commands of some games: the last trick, the auction, set-ups of pieces that the user saves."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from gameplay import file_io
from gameplay.capabilities import HasBidding, HasSetups, HasTricks
from gameplay.errors import BadInput, GameplayError, Usage
from gameplay.players.commands import Answer, Command
from gameplay.players.player import Choice, MatchControl
from gameplay.players.several import MoveQueue
from gameplay.plural import plural

MIRRORED = "*"  # suffix of the name of a mirrored set-up


def _trick(match: MatchControl, _: str) -> Answer:
    position = match.position
    assert isinstance(position, HasTricks)
    return Answer(
        match.call_game("last_trick()", position.last_trick) or "no trick of this deal is complete yet"
    )


def _auction(match: MatchControl, _: str) -> Answer:
    position = match.position
    assert isinstance(position, HasBidding)
    return Answer("\n".join(match.call_game("auction()", position.auction)) or "no call has been made")


CARD_COMMANDS = (
    Command("trick", "", "the last trick (F7)", _trick, required=HasTricks),
    Command("auction", "", "the calls and their meanings", _auction, required=HasBidding),
)


class SetupFiles(Protocol):
    """The storage of set-ups: a file for each kind."""

    def path(self, kind: str) -> Path:
        """The path of the file, which need not exist."""
        ...

    def write(self, kind: str, setups: Mapping[str, Sequence[str]]) -> Path:
        """Write all set-ups of a kind. Raises OSError."""
        ...


class SetupCommands:
    """Reads the set-ups of the user, places them by name, and saves those of a game."""

    def __init__(self, queue: MoveQueue, files: SetupFiles) -> None:
        self.queue = queue
        self.files = files
        self.loaded: dict[str, dict[str, list[str]]] = {}  # by kind, once read
        self.command = Command(
            "setup",
            "[NAME|ROWS]",
            "save your set-up as NAME; place ROWS; alone: your set-ups",
            self._setup,
            required=HasSetups,
        )

    def placements(self, match: MatchControl) -> dict[str, list[int]]:
        """The moves that place each saved set-up, by name; empty once a piece is placed."""
        position = match.position
        if not isinstance(position, HasSetups) or match.over():
            return {}
        try:
            setups = self._saved_setups(position)
        except (GameplayError, OSError):
            return {}  # the command `setup` reports the error
        moves = {}
        for name, rows in setups.items():
            moves[name] = position.setup_moves(rows)
            moves[name + MIRRORED] = position.setup_moves([row[::-1] for row in rows])
        return {name: placement for name, placement in moves.items() if placement}

    def _saved_setups(self, position: HasSetups) -> dict[str, list[str]]:
        """The saved set-ups of the game. Raises BadInput, OSError."""
        kind = position.setup_kind
        if kind not in self.loaded:
            path = self.files.path(kind)
            self.loaded[kind] = dict(position.setups_in(path)) if file_io.present(path) else {}
        return self.loaded[kind]

    def _setup(self, match: MatchControl, name: str) -> Answer:
        position = match.position
        assert isinstance(position, HasSetups)
        if len(words := name.split()) > 1:
            if not (moves := [] if match.over() else position.setup_moves([word.upper() for word in words])):
                raise Usage("the first piece is placed already; undo takes it back")
            return Answer(choice=Choice(self.queue.begin(moves, match)))
        saved = self._saved_setups(position)
        rows = position.setup_rows(_seat(match))
        if not name:
            return Answer("\n".join([*_list_setups(saved), _how_to_save(bool(rows))]))
        if not rows:
            raise Usage(f"your set-up is not complete; place all pieces, then type setup {name}")
        _check(name, position.setup_names)
        replaced = name in saved
        setups = saved | {name: rows}
        path = self.files.write(position.setup_kind, setups)
        self.loaded[position.setup_kind] = setups
        status = "saved again as" if replaced else "saved as"
        return Answer(f"{status} {name} in {path}; type {name} to place it in the next game")


def _seat(match: MatchControl) -> int:
    """The owner of the set-up: the viewer; the first human player if everything is visible after the game."""
    if match.seat is not None:
        return match.seat
    return next((seat for seat, player in enumerate(match.players) if player.spec == "human"), 0)


def _check(name: str, builtin: Sequence[str]) -> None:
    """Raises BadInput for a name that no set-up can have."""
    if not name.isidentifier() or name != name.lower():
        raise BadInput(f"the name of a set-up must be a lower-case word, not '{name}'. Try: setup left_bluff")
    if name in builtin:
        raise BadInput(f"{name} is a set-up of the game; choose another name, as in setup my_{name}")


def _list_setups(setups: dict[str, list[str]]) -> list[str]:
    if not setups:
        return ["no set-up is saved"]
    width = max(map(len, setups))
    head = f"{plural(len(setups), 'saved set-up')}, the back row first:"
    return [head, *(f"{name:<{width}}  {' '.join(rows)}" for name, rows in setups.items())]


def _how_to_save(complete: bool) -> str:
    if complete:
        return "setup NAME saves yours"
    return "setup ROW ROW ROW ROW places one, your back row first; setup NAME saves it once it is complete"
