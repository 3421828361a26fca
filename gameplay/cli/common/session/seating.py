"""The setup of a game session: a new game, a resumed one, or a branch of a record."""

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gameplay.cli.common import game_files
from gameplay.cli.common.advice import command_line
from gameplay.cli.common.saved_games import describe_result, note_damaged
from gameplay.errors import BadInput, GameplayError, Usage
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.matches.series import Series
    from gameplay.registry import Game
    from gameplay.store.record import Record


@dataclass
class Seating:
    """Game, players, start and time control ("": none) of a session.

    record, path: of a resumed game. names: of the people by seat ("": none). start_time: date of the game.
    series: the match of several games that it belongs to.
    """

    game: "Game"
    specs: list[str]
    seed: int = 0
    start: str = ""
    moves: list[str] = field(default_factory=list)
    clock: str = ""
    record: "Record | None" = None
    path: Path | None = None
    names: list[str] = field(default_factory=list)
    start_time: str = ""
    series: "Series | None" = None

    def __post_init__(self) -> None:
        self.names = self.names or [""] * len(self.specs)


def branch(record: "Record", players_from: str, ply: int) -> Seating:
    """A new game from the position after `ply` moves of a record.

    players_from: `engine` seats the user as the side to move against the default engine; `same` seats the
    players of the record, or people with their names if one of them is not a player of this program.
    """
    from gameplay import registry, specs
    from gameplay.players import seats
    from gameplay.players.empty_seat import EmptySeat

    game = registry.game(record.game)
    names = record.names or [""] * len(record.players)
    players = list(record.players)
    if players_from == "engine":
        position = game.new(record.start)
        for word in record.words[:ply]:
            position.make(position.parse(word))
        mover = max(0, position.turn)
        players = [seats.opponent(game)] * len(players)
        players[mover] = specs.HUMAN
        names = [name if seat == mover else "" for seat, name in enumerate(names)]
    else:
        try:
            for player in players:
                seats.player(player, game, human=EmptySeat)
        except GameplayError:
            names, players = players, [specs.HUMAN] * len(players)
    seed = int.from_bytes(os.urandom(4), "little")
    return Seating(game, players, seed, record.start, record.words[:ply], names=names)


def check_unfinished(record: "Record", argument: str) -> None:
    """Raises BadInput for a game that is over."""
    if record.result is not None:
        look = command_line("gameplay", "replay", argument)
        raise BadInput(f"that game is over ({describe_result(record)}); step through it: {look}")


def resume_seating(argument: str, game_spec: str | None = None, players: list[str] | None = None) -> Seating:
    """The seating of the saved game `argument`; "": the last unfinished one.

    game_spec, players: replace those of the record, as for a record from another person that names files
    or programs. Raises BadInput if there is no such game, or it is over; Untrusted if the record names code
    that the user has not confirmed.
    """
    from gameplay import registry
    from gameplay.specs import HUMAN
    from gameplay.store import saved, trust

    if argument:
        path = saved.find(argument)
    else:
        games, damaged = saved.scan_folder()
        note_damaged(damaged)
        unfinished = next((game_file for game_file in games if game_file.unfinished), None)
        if unfinished is None:
            raise BadInput(f"there is no unfinished game in {saved.folder()}")
        path = unfinished.path

    def find(spec: str) -> "Game":
        """The game of a spec; in place of one that does not exist, that of `game_spec`."""
        try:
            return registry.game(spec)
        except Usage:
            if game_spec is None:
                raise
            return registry.game(game_spec)

    record = saved.read(path, None, find)
    between_games = record.result is not None and record.unfinished and not saved.is_followed(path)
    if not between_games:
        check_unfinished(record, argument or str(path))
    hint = "; or name yourself what to play: play GAME --resume FILE --players A,B"
    trust.check("" if game_spec else record.game, [] if players else record.players, hint=hint)
    if game_spec is None and not saved.is_foreign(path):
        game_files.check_rules(record, str(path))
    series = None if game_spec is not None else series_of(record, hint, players is None)
    if between_games and series is not None:
        series.next()
    if series is not None and players is not None:
        series.take_seats(players)
    if between_games and series is not None:
        return series_game(series, record.clock)
    game = registry.game(game_spec or record.game)
    names = record.names or [""] * len(record.players)
    has_only_names = saved.is_foreign(path)
    if has_only_names:  # it has names of players, not their specs
        seating = replace(branch(record, "engine", len(record.moves)), start_time=record.begun)
        if players is None:
            return seating
    if players is not None:
        if len(players) != len(record.players):
            raise Usage(
                f"the game is for {plural(len(record.players), 'player')}; --players names {len(players)}"
            )
        names = [name if spec == HUMAN else "" for name, spec in zip(names, players, strict=True)]
        record.players, record.names = players, names
        if has_only_names:
            return replace(seating, specs=players, names=names)
    return Seating(
        game,
        record.players,
        record.seed,
        record.start,
        record.words,
        record.clock,
        record,
        path,
        names,
        record.begun,
        series,
    )


def series_of(record: "Record", hint: str = "", with_players: bool = True) -> "Series | None":
    """The match of several games that a game belongs to. with_players: with its players. Raises Untrusted."""
    sheet = record.match
    if sheet is None:
        return None
    from gameplay.matches.series import Series
    from gameplay.store import trust

    trust.check(sheet.game, sheet.players if with_players else [], hint=hint)
    return Series(sheet)


def next_game(series: "Series", clock: str = "") -> Seating:
    """The next game of a match between the same players."""
    series.next()
    return series_game(series, clock)


def series_game(series: "Series", clock: str = "") -> Seating:
    """The current game of a match: its players in their seats, and its start."""
    from gameplay.matches.series import game_of, seed_of_game

    sheet, seats = series.sheet, series.fixture.seats
    return Seating(
        game_of(series),
        [sheet.players[player] for player in seats],
        seed_of_game(sheet),
        series.start,
        clock=clock,
        names=[sheet.names[player] for player in seats],
        series=series,
    )
