"""Implements `gameplay book`: builds, edits and writes books."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gameplay.cli.common.options import split_moves
from gameplay.cli.common.progress_line import ProgressLine
from gameplay.cli.common.width import echo_err
from gameplay.errors import Usage
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.knowledge.books.book_file import BookFile
    from gameplay.knowledge.books.editable_book import EditableBook
    from gameplay.knowledge.knowledge import GameLike
    from gameplay.matches.match import Match
    from gameplay.registry import Game
    from gameplay.runs.expansion import ExpansionProgress

MAX_COUNTED_PLIES = 20  # plies counted per game


def build(game: str, sources: tuple[str, ...], out: Path, flags: dict[str, Any]) -> int:
    """Build a book according to the command's flags."""
    from gameplay import registry

    chosen_game = registry.game(game)
    if flags["solve"] and (sources or flags["expand"]):
        raise Usage("--solve searches every position, so GAMES and --expand add nothing. Try: leave them out")
    if not (flags["solve"] or flags["expand"] or sources):
        raise Usage(
            "the book has no source: expected files of GAMES, --expand N or --solve. Try: --expand 1000"
        )
    for name in ("engine", "nodes", "width"):
        if flags[name] is not None and not flags["expand"]:
            raise Usage(
                f"--{name} {flags[name]} sets a search of --expand, which is missing. Try: --expand 1000"
            )
    if flags["deviation"] is not None and not flags["expand"]:
        raise Usage(
            f"--deviation {flags['deviation']:g} sets a search of --expand, which is missing. Try: "
            "--expand 1000"
        )
    if flags["plies"] is not None and not (sources or flags["solve"]):
        raise Usage(
            f"--plies {flags['plies']} limits GAMES or --solve, and neither is given. Try: leave --plies out"
        )
    if flags["min_games"] > 1 and not sources:
        raise Usage(
            f"--min-games {flags['min_games']} counts GAMES, and none are named. Try: leave --min-games out"
        )
    if out.suffix.lower() == ".table" and flags["solve"]:
        return _build_table(chosen_game, out, flags)
    if out.suffix.lower() != ".book":
        raise Usage(
            f"the book's file is '{out}', expected one that ends in .book. Try: {out.parent / out.stem}.book"
        )
    start = _start(chosen_game, flags["position"], flags["moves"])
    if start and sources:
        raise Usage(
            "--position and --moves set where --expand and --solve begin; GAMES begin at their "
            "start. Try: leave them out"
        )
    if flags["solve"]:
        return _build_solved(chosen_game, start, unused_path(out), flags["plies"])
    if out.exists():
        if sources or not flags["expand"]:
            raise Usage(
                f"{out} exists; expected a new file. Try: another name, or gameplay book learn {out} GAMES"
            )
        draft = open_draft(str(out), chosen_game)
    else:
        draft = _build_from_games(chosen_game, sources, out, flags)
    if start and start not in draft.facts.starts:
        draft.facts.starts = [start] if not draft.positions else [*draft.facts.starts, start]
    return _expand(draft, out, flags) if flags["expand"] else 0


def _build_solved(game: "Game", start: str, out: Path, plies: int | None) -> int:
    from gameplay.knowledge.books.solved import solve

    progress_line = ProgressLine()
    draft = solve(game, start, lambda positions: progress_line(f"{positions:,} positions"))
    progress_line.end()
    if plies is not None:
        draft.prune(plies=plies)
    draft.facts.made = [f"every position of {game.spec}" + (f" before ply {plies}" if plies else "")]
    write(draft, out)
    return 0


def _build_table(game: "Game", out: Path, flags: dict[str, Any]) -> int:
    """Make a book of every position of the first plies."""
    from gameplay import registry
    from gameplay.adapter import kernel_of
    from gameplay.cli.common.advice import command_line
    from gameplay.engines.perfect import Perfect
    from gameplay.knowledge.books import first_plies

    if flags["plies"] is None:
        raise Usage(f"--plies is missing, and {out} is a .table of the first plies. Try: --plies 8")
    if flags["position"] or flags["moves"]:
        raise Usage(
            f"{out} is a .table, which begins at the start of the game. Try: leave --position and --moves out"
        )
    start = game.new()
    engine = Perfect()
    registry.check_engine(engine, start)
    solver = engine.new_table(engine.table_bits).solver(kernel_of(start))
    progress_line = ProgressLine()

    def progress(what: str, done: int, total: int) -> None:
        progress_line(f"{what} {done:,}" + (f" of {total:,}" if total > done else ""))

    try:
        count = first_plies.build(game, flags["plies"], unused_path(out), solver.value, progress)
    except KeyboardInterrupt:
        progress_line.end()
        retry_command = command_line("gameplay", "book", "build", game.spec)
        echo_err(f"solved positions are kept; the same command continues: {retry_command} ...")
        raise
    progress_line.end()
    echo_err(f"{out}: {plural(count, 'position')}, {out.stat().st_size:,} bytes")
    return 0


def _build_from_games(
    game: "Game", sources: tuple[str, ...], out: Path, flags: dict[str, Any]
) -> "EditableBook":
    from gameplay.knowledge.books.editable_book import EditableBook
    from gameplay.runs import collected

    draft = EditableBook(game)
    if not sources:
        return draft
    plies = flags["plies"] or MAX_COUNTED_PLIES
    collection = collected.count(draft, sources, plies, flags["store"])
    for note in collection.notes:
        echo_err(note)
    draft.prune(games=flags["min_games"])
    if not draft.positions:
        raise Usage(f"no move was played in {flags['min_games']} games or more. Try: a smaller --min-games")
    minimum = f", moves of {flags['min_games']} or more" if flags["min_games"] > 1 else ""
    draft.facts.made = [f"{plural(collection.games, 'game')}, {plies} plies of each{minimum}"]
    write(draft, out)
    return draft


def _expand(draft: "EditableBook", out: Path, flags: dict[str, Any]) -> int:
    """Expand a book. Ctrl-C keeps the current state."""
    from gameplay import file_io, registry
    from gameplay.cli.common.advice import command_line
    from gameplay.runs.expansion import NODES, WIDTH, Expansion
    from gameplay.search.limit import Limit

    game = draft.game
    spec = flags["engine"] or registry.default_engine(game.new()).name
    expansion = Expansion(draft, spec, Limit(nodes=flags["nodes"] or NODES), flags["width"] or WIDTH)
    if flags["deviation"] is not None:
        draft.facts.deviation = to_units(game, flags["deviation"])
    progress_line = ProgressLine()

    def save() -> None:
        file_io.write(out, draft.encode())

    def watch(progress: "ExpansionProgress") -> None:
        progress_line(_format_progress(progress, game))

    try:
        done = expansion.grow(flags["expand"], save, watch)
    except KeyboardInterrupt:
        progress_line.end()
        state = f"{out} is kept as it was after the last round" if out.exists() else "nothing was written yet"
        echo_err(
            f"{state}; the same command continues: {command_line('gameplay', 'book', 'build', game.spec)} ..."
        )
        raise
    progress_line.end()
    if not done:
        echo_err("no line is left to search: all leaves have exact values")
    write(draft, out)
    return 0


def _format_progress(progress: "ExpansionProgress", game: "GameLike") -> str:
    from gameplay.value import format_value

    value = format_value(progress.value, False, game.new().unit)
    line = " ".join(progress.line[:8]) + (" ..." if len(progress.line) > 8 else "")
    return f"{progress.positions:,} of {progress.target:,} positions, value {value}, {line}"


# -- shared by all commands ---------------------------------------------------------------------------


def open_book_file(path: str) -> "BookFile":
    from gameplay.knowledge.books.book import open_book

    if path.lower().endswith(".table") and Path(path).is_file():
        raise Usage(
            f"{path} holds every position of the first plies and cannot be changed; "
            f"expected a .book. Try: gameplay book show {path}"
        )
    return open_book(path)


def open_draft(path: str, game: "Game | None" = None) -> "EditableBook":
    """The book in a file, for editing. Raises BadInput; Usage if its game is not found."""
    from gameplay import registry
    from gameplay.knowledge.books.editable_book import EditableBook
    from gameplay.store import trust

    book_file = open_book_file(path)
    return EditableBook.of(book_file, game or registry.game(trust.mark_game(book_file.facts.spec)))


def create_match(game: str, position: str, moves: str) -> "Match":
    from gameplay import registry
    from gameplay.matches.match import match_without_players

    return match_without_players(registry.game(game), position, split_moves(moves))


def _start(game: "Game", position: str, moves: str) -> str:
    """The start of the lines in the game's notation; "" for the usual one."""
    if not (position or moves):
        return ""
    match = create_match(game.spec, position, moves)
    text = match.position.text()
    return str(text) if text else " ".join(turn.word for turn in match.turns)


def to_units(game: "GameLike", amount: float) -> int:
    return round(amount * int(game.new().unit))


def unused_path(out: Path) -> Path:
    from gameplay.store.saved import unused_path

    return unused_path(str(out))


def write(draft: "EditableBook", out: Path) -> None:
    from gameplay import file_io
    from gameplay.display.reports.book import format_size

    file_io.write(out, draft.encode())
    echo_err(f"{out}: {format_size(draft, out.stat().st_size)}")
