"""`gameplay book`: opening books of any game, built from games, searches or a full solution.

`show --json` prints one document: {"file", "game", "positions", "moves", "bytes", ...the facts of the file}.
`probe --json` prints one: {"game", "position", "moves": [{"move", "weight", "games", "won", "drawn", "lost",
"value", "depth", "known", "solved"}, ...]}, values on the scale of `gameplay.value`, `known` one of "",
"exactly", "least", "most".
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli import Group
from gameplay.cli.common import book_building
from gameplay.cli.common.options import (
    COUNT,
    ENGINE,
    FILE,
    GAME,
    SOURCE,
    STORE,
    TARGET,
    Real,
    Target,
    json_option,
    position_option,
)
from gameplay.cli.common.width import columns, echo_err
from gameplay.errors import BadInput, Usage
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.knowledge.books.book_file import BookFacts, BookMove
    from gameplay.matches.match import Match

SHOWN_PLIES, SHOWN_MOVES = 5, 2  # of the tree that `show` draws

OUT = click.option("-o", "--out", type=TARGET, required=True, metavar="BOOK", help="Write a new BOOK.")
POSITION = position_option("Begin at this position [the start].")
MOVES = click.option("--moves", metavar="MOVES", default="", help='Make these moves first: "e4 e5".')
DEVIATION = click.option(
    "--deviation",
    type=Real("VALUE", 0),
    help="Also play moves worse than the best by at most VALUE, in units of the game [0].",
)


@click.group(cls=Group, short_help="Build and inspect opening books")
def command() -> None:
    """Build opening books of any game, and inspect them.

    \b
    gameplay book build othello games.txt --plies 16 --min-games 2 --out mine.book
    gameplay book build checkers --expand 500 --out mine.book
    gameplay book build tictactoe --solve --out mine.book
    gameplay book probe othello own --moves "f5 d6"
    play othello --book own

    A .book holds positions, not lines: transpositions share an entry, and so do symmetric positions.
    """


@command.command(short_help="Build a book from games, by searches, or by solving")
@click.argument("game", type=GAME)
@click.argument("sources", type=SOURCE, nargs=-1, metavar="[GAMES]...")
@click.option(
    "-o",
    "--out",
    type=Target(replaces=True),
    required=True,
    metavar="BOOK",
    help="Write a new BOOK; --expand also continues an existing one.",
)
@click.option(
    "--plies",
    type=COUNT,
    help=f"Count the first N plies of each game [{book_building.MAX_COUNTED_PLIES}]; with --solve, keep N.",
)
@click.option("--min-games", type=COUNT, default=1, help="Drop moves played in fewer than N games [1].")
@click.option(
    "--solve",
    is_flag=True,
    help="Solve the whole game and store every move's exact value; with a .table: see above.",
)
@click.option("--expand", type=COUNT, help="Search the best lines until the values of N positions are known.")
@click.option("--engine", type=ENGINE, metavar="SPEC", help="Engine of --expand [the game's default engine].")
@click.option("--nodes", type=COUNT, help="Node limit of a search of --expand [20,000].")
@click.option("--width", type=COUNT, help="Moves that a search of --expand adds [4].")
@DEVIATION
@POSITION
@MOVES
@STORE
def build(game: str, sources: tuple[str, ...], out: Path, **flags: Any) -> int:
    """Build a book of GAME from GAMES, by searches (--expand), or by an exhaustive search (--solve).

    GAMES are files (.pgn, .pdn, .ggf, .sgf, .mat, .xg, transcripts, our own), saved games by number, and runs
    by name. The weight of a move is twice its wins plus its draws, for its player; without a result it is 1.

    --expand searches the leaf of the line with the least loss, and backs its value up through the book
    (drop-out expansion, Lincke 2001); of the searched moves the best are played. The book is written after
    every round: after Ctrl-C, or with a greater N, the same command continues. With GAMES it begins with
    their moves. --solve is for games of up to 5,000,000 positions.

    --solve --plies N --out FILE.table is for larger games with a solver, such as Connect Four: it solves
    every position of N plies, in one or two bytes a position. After Ctrl-C the same command continues.
    """
    return book_building.build(game, sources, out, flags)


@command.command(short_help="Add games to a book")
@click.argument("book", type=FILE)
@click.argument("sources", type=SOURCE, nargs=-1, required=True, metavar="GAMES...")
@STORE
def learn(book: Path, sources: tuple[str, ...], store: Path | None) -> None:
    """Add GAMES to BOOK: moves that won gain weight, moves that only lost do not.

    GAMES are files, saved games by number, and runs by name, as `last`. It counts the moves made in positions
    of the book. A game counts once, however often it is given.

    \b
    gameplay book learn mine.book last
    """
    from gameplay.runs import collected

    draft = book_building.open_draft(str(book))
    collection = collected.learn(draft, sources, store)
    for note in collection.notes:
        echo_err(note)
    draft.back_up()
    if collection.games:
        draft.facts.made.append(f"learned from {plural(collection.games, 'game')}")
    book_building.write(draft, book)
    click.echo(
        f"{plural(collection.games, 'game')} counted, {collection.moves:,} moves in positions of the book"
    )


@command.command(short_help="Show the entry of a position in a book")
@click.argument("game", type=GAME)
@click.argument("book", type=SOURCE, metavar="BOOK|own")
@POSITION
@MOVES
@json_option()
def probe(game: str, book: str, position: str, moves: str, as_json: bool) -> int:
    """Show the entry of a position of GAME in BOOK: a .book, lines of moves (.txt), or Polyglot's for chess.

    `own` is the included book. The exit status is 4 if the book has no entry.
    """
    from gameplay.errors import Unfinished
    from gameplay.knowledge.books import names

    match = book_building.create_match(game, position, moves)
    board = match.position
    entries = _probe_entries(match, book)
    if as_json:
        import json

        click.echo(json.dumps(_document(match, entries)))
        return 0 if entries else Unfinished.status
    where = str(names.name(board) or "")
    made = " ".join(turn.word for turn in match.turns)
    head = ", ".join(
        filter(None, [match.game.spec, made or (position and "the position given") or "the start", where])
    )
    click.echo(head)
    if not entries:
        click.echo("the book has no entry for it")
        return Unfinished.status
    from gameplay.display.reports.book import move_table as drawn

    click.echo("\n".join(drawn(entries, board, columns())))
    return 0


def _probe_entries(match: "Match", book: str) -> "dict[int, BookMove]":
    """The entries of a book of any kind for the moves of a match's position."""
    from gameplay.knowledge.books.book import Book
    from gameplay.knowledge.books.book_file import BookMove
    from gameplay.registry import open_knowledge

    source = open_knowledge("book", book, match.game)
    position = match.position
    if isinstance(source, Book):
        entries = source.entries_of(position)
        first_moves: dict[int, int] = {}  # the first of symmetric moves, by entry
        for move, entry in entries.items():
            first_moves.setdefault(id(entry), move)
        return {move: entries[move] for move in first_moves.values()}
    advice = source.probe(position) if position.outcome() is None else None
    if advice is None:
        return {}
    return {move: BookMove(weight=weight) for move, weight in zip(advice.moves, advice.weights, strict=True)}


def _document(match: "Match", entries: "dict[int, BookMove]") -> dict[str, Any]:
    from gameplay.value import EXACT, LOWER, UPPER

    words = {0: "", EXACT: "exactly", LOWER: "least", UPPER: "most"}
    rows = []
    for move, entry in entries.items():
        counts = {"weight": entry.weight, "games": entry.games, "won": entry.won, "drawn": entry.drawn}
        value = {"value": entry.value if entry.bound else None, "depth": entry.depth}
        rest = {"lost": entry.lost, **value, "known": words[entry.bound], "solved": entry.solved}
        rows.append({"move": match.position.format(move), **counts, **rest})
    return {"game": match.game.spec, "position": match.position.text(), "moves": rows}


@command.command(short_help="Show the sources and lines of a book")
@click.argument("book", type=SOURCE, metavar="[BOOK|GAME]", required=False)
@click.option("--plies", type=COUNT, default=SHOWN_PLIES, help=f"Draw lines of N plies [{SHOWN_PLIES}].")
@click.option(
    "--moves",
    "moves_per_position",
    type=COUNT,
    default=SHOWN_MOVES,
    help=f"... with N moves at each [{SHOWN_MOVES}].",
)
@json_option("the facts")
def show(book: str | None, plies: int, moves_per_position: int, as_json: bool) -> None:
    """Show the sources of BOOK, and its first lines as a tree, the most played on top.

    GAME selects the included book of that game; without an argument, the included books are listed.
    """
    from gameplay.knowledge.books import book as books

    if book is None:
        from gameplay.display.reports.book import align_facts

        rows = [(name, _summary(file)) for name, file in books.included_books().items()]
        click.echo("\n".join(align_facts(rows, columns())))
        return
    path = str(books.included_books().get(book, book)) if not Path(book).exists() else book
    if Path(path).suffix.lower() == ".table":
        _show_first_plies(path, as_json)
        return
    book_file = book_building.open_book_file(path)
    draft = book_building.open_draft(path)
    size = Path(path).stat().st_size
    if as_json:
        import json
        from dataclasses import asdict

        made = asdict(book_file.facts) | {"root": f"{book_file.facts.root:016x}"}
        counts = {"positions": len(draft), "moves": draft.moves(), "bytes": size}
        click.echo(json.dumps({"file": path, **counts, **made}))
        return
    from gameplay.display.reports.book import facts, tree_lines

    click.echo("\n".join(facts(book_file.facts, draft, size, columns())))
    for number, start in enumerate(book_file.facts.starts[:moves_per_position]):
        click.echo(f"\n{start}" if start else "")
        for line in tree_lines(draft, start, (), plies, 1 if number else moves_per_position, columns()):
            click.echo(line)


def _summary(file: Path) -> str:
    """The size and the sources of a book."""
    if file.suffix != ".table":
        draft = book_building.open_draft(str(file))
        return f"{draft.moves():>7,} moves  {'; '.join(_format_origin(draft.facts))}"
    from gameplay.knowledge.books.first_plies import GAME_PREFIX, open_file

    subject = open_file(str(file)).subject
    plies = len(subject.facts["counts"]) - 1
    game = subject.game.removeprefix(GAME_PREFIX)
    return f"{subject.entries:>7,} positions  every position of {game} up to ply {plies}, solved"


def _show_first_plies(path: str, as_json: bool) -> None:
    """The facts of a book of all first plies."""
    from gameplay.knowledge.books.first_plies import GAME_PREFIX, open_file

    file = open_file(path)
    game, counts = file.subject.game.removeprefix(GAME_PREFIX), file.subject.facts["counts"]
    if as_json:
        import json

        facts = {"file": path, "game": game, "positions": file.subject.entries, "bytes": file.size}
        click.echo(json.dumps(facts | {"counts": counts}))
        return
    from gameplay.display.reports.book import align_facts

    by_ply = ", ".join(f"{count:,}" for count in counts)
    lines = [
        ("game", game),
        ("holds", f"{file.subject.entries:,} positions, {file.size:,} bytes"),
        ("by ply", by_ply),
    ]
    lines += [("values", "exact: every position was solved")]
    click.echo("\n".join(align_facts(lines, columns())))


@command.command(short_help="Prune a book")
@click.argument("book", type=FILE)
@OUT
@click.option("--min-games", type=COUNT, help="Drop moves without a value played in fewer than N games.")
@click.option(
    "--deviation",
    type=Real("VALUE", 0),
    help="Drop moves worse than the best by more than VALUE, in units of the game.",
)
@click.option("--plies", type=COUNT, help="Keep the first N plies.")
def prune(book: Path, out: Path, min_games: int | None, deviation: float | None, plies: int | None) -> None:
    """Remove rare, bad or late moves from BOOK, and the positions that only they lead to."""

    if min_games is None and deviation is None and plies is None:
        raise Usage("no limit is given; expected --min-games, --deviation or --plies. Try: --min-games 2")
    draft = book_building.open_draft(str(book))
    count_before = draft.moves()
    draft.prune(
        min_games or 0, None if deviation is None else book_building.to_units(draft.game, deviation), plies
    )
    if not draft.positions:
        raise Usage("the limits drop every move; expected some to remain. Try: a smaller --min-games")
    book_building.write(draft, out)
    click.echo(f"{count_before - draft.moves():,} of {count_before:,} moves dropped")


@command.command(short_help="Merge books")
@click.argument("books", nargs=-1, required=True, type=FILE, metavar="BOOK...")
@OUT
def merge(books: tuple[Path, ...], out: Path) -> None:
    """Merge books of one game: counts are added, and of two values the deeper search's is kept.

    A book named twice counts once; books that count the same games are refused.
    """
    from gameplay.knowledge.books.editable_book import EditableBook

    first_file = book_building.open_book_file(str(books[0]))
    draft = book_building.open_draft(str(books[0]))
    digests = {first_file.digest}
    for path in books[1:]:
        book_file = book_building.open_book_file(str(path))
        if book_file.digest in digests:
            echo_err(f"{path}: a copy of another book, skipped")
            continue
        digests.add(book_file.digest)
        try:
            draft.merge(EditableBook.of(book_file, draft.game))
        except BadInput as error:
            message = str(error)
            raise BadInput(message if message.startswith(str(path)) else f"{path}: {message}") from None
    book_building.write(draft, out)


@command.command(short_help="Write a book as lines of moves, or for Polyglot")
@click.argument("book", type=FILE)
@click.option("-o", "--out", type=TARGET, help="Write to a new FILE: .txt, or .bin of Polyglot [stdout].")
def export(book: Path, out: Path | None) -> None:
    """Write BOOK as lines of moves, for `gameplay book import`, or for chess in Polyglot's format."""
    from gameplay import file_io
    from gameplay.knowledge.books import formats

    if out is not None and out.suffix.lower() not in (".txt", ".bin"):
        raise Usage(
            f"a book is written as .txt (lines of moves) or .bin (Polyglot), not as {out.suffix or out}"
        )
    draft = book_building.open_draft(str(book))
    if out is not None and out.suffix.lower() == ".bin":
        file_io.write(out, [formats.to_polyglot(draft)])
    elif out is not None:
        file_io.write(out, (f"{row}\n".encode() for row in formats.to_text(draft)))
    else:
        for row in formats.to_text(draft):
            click.echo(row)
        return
    echo_err(f"{book} is in {out}")


@command.command("import", short_help="Import a book from lines of moves, or from Polyglot")
@click.argument("game", type=GAME)
@click.argument("file", type=FILE)
@OUT
def import_(game: str, file: Path, out: Path) -> None:
    """Build a book of GAME from lines of moves (.txt), or from a Polyglot book (.bin) for chess.

    A Polyglot book stores hash keys only: positions that no line from the start reaches are left out.
    """
    from gameplay import registry
    from gameplay.knowledge.books import formats

    chosen_game = registry.game(game)
    if file.suffix.lower() == ".bin":
        draft, unreached = formats.from_polyglot(str(file.resolve()), chosen_game)
        if unreached:
            entries = plural(unreached, "entry", "entries")
            echo_err(f"{file}: left out {entries} that no line from the start reaches")
        draft.facts.made = [f"imported from {file.name}"]
    else:
        draft = formats.from_text(str(file), chosen_game)
        draft.facts.made = draft.facts.made or [f"imported from {file.name}"]
    book_building.write(draft, out)


# -- shared ---------------------------------------------------------------------------------------


def _format_origin(facts: "BookFacts") -> list[str]:
    """The sources of a book."""
    searched = [f"searched by {facts.engine}"] if facts.engine else []
    return [*facts.made, *searched]
