"""`gameplay puzzles`: positions with one good move, repeated at growing intervals; `find` finds more.

`endgames` trains endgames; its `--json` prints one document: {"file", "today", "games": [{"game", "level",
"streak", "longest", "due", "endings": [{"ending", "words", "levels": {N: {"solved", "tried"}}}]}]}.

`--list --json` prints one document: {"file", "today", "puzzles": [{...}, ...]}, each as
`gameplay.training.practice.Exercise` stores it. `find --json` prints the found puzzles, one a line.
"""

import os
import re
import textwrap
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gameplay.cli import Group
from gameplay.cli.common.options import (
    COUNT,
    FILE,
    GAME,
    SOURCE,
    TARGET,
    Drawing,
    Integer,
    drawing_options,
    json_option,
)
from gameplay.cli.common.unsaved import try_save
from gameplay.cli.common.width import columns, echo_err, echo_error, echo_wrapped
from gameplay.errors import BadInput, GameplayError, Usage, brief, nearest, unknown_name
from gameplay.plural import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gameplay.cli.common.progress_line import ProgressLine
    from gameplay.registry import Game
    from gameplay.store.formats.anki import Note
    from gameplay.store.record import Record
    from gameplay.training.practice import Exercise, Practice

MIN_SOURCE_WIDTH = 24  # minimum columns of `from`; narrower lists put it on its own line


def _parse_kind(context: click.Context, parameter: click.Parameter, word: str) -> str:
    """Validate a kind of puzzles. Raises Usage for an unknown one."""
    from gameplay.training.practice import KINDS

    if word and word not in KINDS:
        raise Usage(unknown_name("kind", word, KINDS))
    return word


KIND = click.option(
    "--kind",
    metavar="NAME",
    default="",
    callback=_parse_kind,
    help="Only this kind: the move wins (win), is the only one that does not lose (save), captures, "
    "threatens or checks (forcing), or does not (quiet).",
)


class PuzzleCommands(Group):
    """The subcommands of puzzles."""

    kind = "command"


@click.group(
    cls=PuzzleCommands, short_help="Practise on the mistakes of your own games", invoke_without_command=True
)
@click.option("--game", type=GAME, default="", help="Only puzzles of one game.")
@KIND
@click.option("--count", type=COUNT, default=10, help="At most N puzzles [10].")
@click.option("--drill", is_flag=True, help="Choose the move among four instead of typing it.")
@click.option(
    "--list", "list_only", is_flag=True, help="List all puzzles and when they are due, without a session."
)
@click.option(
    "--anki", type=TARGET, help="Write all puzzles as a deck for Anki to a new FILE.apkg, without a session."
)
@drawing_options("Draw boards in plain characters.")
@json_option("the list")
@click.pass_context
def command(
    context: click.Context,
    game: str,
    kind: str,
    count: int,
    drill: bool,
    list_only: bool,
    anki: Path | None,
    drawing: Drawing,
    as_json: bool,
) -> int:
    """Solve puzzles: positions of your reviewed games, and others, in which only one move is good.

    \b
    gameplay review last
    gameplay puzzles
    gameplay puzzles --game chess --count 5 --drill
    gameplay puzzles --list
    gameplay puzzles find chess --count 5
    gameplay puzzles --game chess --anki chess.apkg

    Type the move, `hint`, `skip` or `quit`. A hint is the move that was played, and its refutation. A solved
    puzzle returns after 1 day, 6 days and growing intervals (SM-2), a missed one the next day.

    Puzzles are mistakes of human players; if a file does not name them, those of both sides. `gameplay
    puzzles find` takes them from any games. With --drill choose the right move among tempting ones: the move
    played, moves that short searches prefer, captures and checks.

    A deck of --anki holds one note per puzzle. Importing a newer deck into Anki updates the notes and leaves
    your progress as it is.
    """
    from gameplay import registry
    from gameplay.cli.common.questions import ask_puzzles
    from gameplay.training import practice

    if context.invoked_subcommand is not None:
        return 0
    if anki is not None:
        _check_deck(anki, list_only or as_json or drill)
    if game:
        registry.game(game)  # raises Usage for an unknown name
    stored = practice.load()
    new = _gather(stored)
    if anki is not None:
        return _write_deck(practice.select_puzzles(stored, game, kind), anki, _no_puzzles(stored, game, kind))
    if as_json or list_only:
        _list(stored, game, kind, as_json)
        return 0
    if new:
        click.echo(f"{plural(new, 'new puzzle')} from your reviewed games")
    due = practice.due_puzzles(stored, today(), game, kind)[:count]
    if not due:
        echo_wrapped(_no_puzzles(stored, game, kind))
        return 0
    ask_puzzles(stored, due, drawing.theme(), drill, today())
    return 0


@command.command(short_help="Find puzzles in games, or by self-play")
@click.argument("sources", metavar="GAME|N|FILE...", type=SOURCE, nargs=-1, required=True)
@KIND
@click.option("--count", type=COUNT, default=10, help="Stop after N puzzles [10].")
@click.option("--games", type=COUNT, default=20, help="Play N games of self-play at most [20].")
@click.option("--level", type=COUNT, help="Strength of both sides in self-play [5, or the game's last].")
@click.option("--nodes", type=COUNT, help="Node limit of the first search of a position [20,000].")
@click.option("--seed", type=Integer(0), default=0, help="Seed of self-play [0].")
@click.option("--json", "as_json", is_flag=True, help="Print each puzzle as one JSON object per line.")
def find(
    sources: tuple[str, ...],
    kind: str,
    count: int,
    games: int,
    level: int | None,
    nodes: int | None,
    seed: int,
    as_json: bool,
) -> int:
    """Find positions in which one move alone is good, in the games of FILEs or in self-play of a GAME.

    \b
    gameplay puzzles find chess --count 5        engines of level 5 play for them
    gameplay puzzles find games.pgn --kind win   any collection of games
    gameplay puzzles find games/ last            a folder, and the newest game

    A FILE is one that `gameplay review` reads. Each position is searched for its two best moves: where the
    second is at least a mistake, and a shallow search misses the first, a search of 20 times the nodes must
    confirm it. Puzzles are stored for `gameplay puzzles`. The same games, seed and nodes give
    the same puzzles. Games that cannot be read or reviewed are reported and left out, and the exit status is
    then 6.
    """
    import msgspec

    from gameplay.cli.common.advice import command_line
    from gameplay.cli.common.progress_line import ProgressLine
    from gameplay.training import finding, practice

    stored = practice.load()
    found_count = searched_count = error_count = 0
    with ProgressLine(not as_json) as progress_line:
        for title, record in _records(sources, games, level, seed, progress_line):
            try:
                searched_count += 1
                for exercise in _find_puzzles(
                    stored, title, record, nodes or finding.SEARCH_NODES, progress_line
                ):
                    if kind and kind not in exercise.kinds:
                        continue
                    found_count += 1
                    progress_line.end()
                    if as_json:
                        click.echo(msgspec.json.encode(exercise, enc_hook=str).decode())
                    else:
                        echo_wrapped(_format_puzzle(exercise))
                    if found_count == count:
                        break
            except GameplayError as error:
                error_count += 1
                progress_line.end()
                echo_error(f"{title}: {error}")
            if found_count == count:
                break
    if not as_json:
        summary = f"{plural(found_count, 'puzzle')} in {plural(searched_count, 'game')}"
        echo_wrapped(
            summary + (f"; solve them: {command_line('gameplay', 'puzzles')}" if found_count else "")
        )
    return BadInput.status if error_count else 0


def _parse_ratings(context: click.Context, parameter: click.Parameter, text: str) -> tuple[int, int] | None:
    """The two numbers of --rating. Raises Usage."""
    import re

    match = re.fullmatch(r"(\d{1,4})-(\d{1,4})", text, re.ASCII)
    if text and (match is None or int(match[1]) > int(match[2])):
        raise Usage(f"--rating is '{brief(text)}'; expected LOW-HIGH. Try: --rating 1400-1700")
    return (int(match[1]), int(match[2])) if match else None


@command.command("from", short_help="Solve puzzles of the lichess database, by motif and rating")
@click.argument("file", type=FILE)
@click.option(
    "--motif", "motifs", metavar="A,B,...", default="", help="Only puzzles with these themes of lichess."
)
@click.option(
    "--rating",
    "ratings",
    metavar="LOW-HIGH",
    default="",
    callback=_parse_ratings,
    help="Only of these ratings.",
)
@click.option("--count", type=COUNT, default=10, help="At most N puzzles [10].")
@click.option("--seed", type=Integer(0), help="Seed of the choice [a new one].")
@drawing_options("Draw boards in plain characters.")
def from_file(
    file: Path, motifs: str, ratings: tuple[int, int] | None, count: int, seed: int | None, drawing: Drawing
) -> None:
    """Solve puzzles of chess from FILE: the puzzles of lichess, lichess_db_puzzle.csv or .csv.zst.

    \b
    gameplay puzzles from puzzles.csv.zst --motif fork --rating 1400-1700
    gameplay puzzles from puzzles.csv --motif mateIn3,sacrifice --count 5
    gameplay puzzles from puzzles.csv --seed 7   the same ten each time

    Puzzles are chosen at random among all that match. Type each move of the solution; the replies are made.
    Another move that mates is right, too. `hint` shows how the move begins, `skip` the solution. Puzzles that
    you have answered come back in `gameplay puzzles`, and are not chosen again. Damaged lines are counted and
    left out. A .zst file needs the extra zstandard.
    """
    from random import randrange

    from gameplay.cli.common.progress_line import ProgressLine
    from gameplay.cli.common.questions import ask_puzzles
    from gameplay.training import practice, puzzle_file

    try:
        theme = drawing.theme()
    except Usage as error:
        raise Usage(f"{error}; of the themes of puzzles: --motif") from None
    stored = practice.load()
    seed = randrange(1_000_000) if seed is None else seed
    names = tuple(filter(None, (name.strip() for name in motifs.split(","))))
    puzzle_filter = puzzle_file.PuzzleFilter(names, ratings)
    with ProgressLine() as progress_line:
        sample = puzzle_file.sample(
            file,
            puzzle_filter,
            count,
            seed,
            stored.known,
            lambda lines: progress_line(f"{lines:,} puzzles (Ctrl-C: stop)"),
        )
    if sample.damaged:
        echo_err(f"{file}: {plural(sample.damaged, 'damaged line')} left out")
    if not sample.puzzles:
        raise BadInput(f"{file}: the puzzles with {puzzle_filter} are damaged, or answered already")
    condition = f" with {puzzle_filter}" if str(puzzle_filter) else ""
    echo_wrapped(f"{len(sample.puzzles)} of {plural(sample.matched, 'puzzle')}{condition}, seed {seed}")
    ask_puzzles(stored, sample.puzzles, theme, False, today())


@command.command(short_help="Train endgames: every move is judged and answered perfectly")
@click.argument("game", type=GAME, required=False, default="")
@click.option("--ending", "endings", metavar="A,B,...", default="", help="Only these endings, such as KRvK.")
@click.option("--level", type=click.IntRange(1, 5), metavar="1-5", help="How hard they are [by progress].")
@click.option("--count", type=COUNT, default=10, help="At most N positions [10].")
@click.option("--seed", type=Integer(0), help="Seed of the positions [a new one].")
@click.option("--list", "list_only", is_flag=True, help="List the endings of GAME and the progress.")
@drawing_options("Draw boards in plain characters.")
@json_option("the list")
def endgames(
    game: str,
    endings: str,
    level: int | None,
    count: int,
    seed: int | None,
    list_only: bool,
    drawing: Drawing,
    as_json: bool,
) -> int:
    """Practise endgames of GAME, judged by tables or a solver; without GAME list them, solved/tried by level.

    \b
    gameplay puzzles endgames
    gameplay puzzles endgames chess
    gameplay puzzles endgames chess --ending KRvK,KPvK --level 2
    gameplay puzzles endgames chess --list

    Type moves as in `play`; the other side resists longest. Each move gets a verdict: it keeps the win (and
    how long it takes), or throws it away and is not played, so that you can try another. Also `hint`, `undo`,
    `solution`, `again`, `next` and `quit`. The level is the moves that you need plus the only moves among
    them. Missed positions come back the next day, and once solved ever later. Tables that are missing
    are built first, which takes about a minute for some four-piece endings.

    Without a terminal, moves are read line by line. The exit status is 3 if a position was missed, 4 if the
    input ended before the last one.
    """
    from gameplay.cli.common.endgames import progress, trainer

    names = [name.strip() for name in endings.split(",") if name.strip()]
    if names and (not game or list_only or as_json):
        raise Usage("--ending chooses positions of a GAME; expected one, without --list and --json")
    if list_only or as_json or not game:
        progress.show_progress(game, as_json, today())
        return 0
    return trainer.train(game, names, level, count, seed, drawing.theme(), today())


def _find_puzzles(
    stored: "Practice",
    title: str,
    record: "Record | GameplayError",
    nodes: int,
    progress_line: "ProgressLine",
) -> "Iterator[Exercise]":
    """Yield the new puzzles of a game, storing each with its wrong answers. Raises GameplayError."""
    from gameplay.training import drill, finding, practice

    if isinstance(record, GameplayError):
        raise record

    def watch(ply: int, plies: int) -> None:
        progress_line(f"move {ply} of {plies} (Ctrl-C: stop): {title}")

    try:
        for exercise in finding.find_puzzles(record, stored, title, nodes, watch):
            drill.add_distractors(exercise)
            stored.exercises.append(exercise)
            try_save(practice.merge_and_save, stored, exercise)
            yield exercise
    finally:
        try_save(practice.merge_and_save, stored)  # includes positions without puzzles


def _records(
    sources: tuple[str, ...], games: int, level: int | None, seed: int, progress_line: "ProgressLine"
) -> "Iterator[tuple[str, Record | GameplayError]]":
    """Yield the title and the record, or the error, of each game to search: self-play, or read from files."""
    from gameplay import registry
    from gameplay.cli.common import game_files
    from gameplay.players.level import all_settings
    from gameplay.training import finding
    from gameplay.training.review import engine_for

    for word in sources:
        game = _parse_game(word)
        if game is not None:
            engine_for(game)
            strength = level or min(finding.LEVEL, len(all_settings(game)))
            for number in range(1, games + 1):
                progress_line(f"playing game {number} (Ctrl-C: stop)")
                record = finding.play_game(game.spec, number, strength, seed)
                yield f"self-play of level {strength}, game {number}", record
            continue
        try:
            paths = list(game_files.find_files((word,)))
        except BadInput as error:
            raise BadInput(f"{error}{nearest(word, registry.game_names())}") from None
        for path in paths:
            for number, game_record, problem in game_files.read_games(path):
                if game_record is None:
                    yield f"{path}, game {number}", BadInput(problem)
                else:
                    yield (
                        ", ".join(filter(None, [" - ".join(game_record.display_names), game_record.date])),
                        game_record,
                    )


def _parse_game(word: str) -> "Game | None":
    """The game that a word names; None if it names saved games or files."""
    from gameplay import registry

    head = word.partition(":")[0]
    if head in registry.game_names() or head.endswith((".py", ".toml")):
        return registry.game(word)
    if word == "last" or word.isdecimal() or Path(os.path.expanduser(word)).exists():
        return None
    try:
        return registry.game(word)
    except GameplayError:
        return None


def _format_puzzle(exercise: "Exercise") -> str:
    """A puzzle in one line, without its solution."""
    from gameplay.training.practice import base_game

    return f"{base_game(exercise.game)}, {exercise.source}" + (
        f": {', '.join(exercise.kinds)}" if exercise.kinds else ""
    )


def today() -> date:
    """The date for due puzzles."""
    return date.today()


def _gather(stored: "Practice") -> int:
    """Make puzzles of new mistakes; returns their number. Ctrl-C postpones the rest."""
    from gameplay.cli.common.progress_line import ProgressLine
    from gameplay.cli.common.saved_games import note_reviews
    from gameplay.training import practice, stored_reviews

    progress_line = ProgressLine()
    previous_count = len(stored.exercises)
    failures: list[GameplayError] = []
    reviews, damaged = stored_reviews.scan()
    note_reviews(damaged)
    try:
        practice.add_mistakes(
            stored,
            reviews,
            lambda number: progress_line(f"Ctrl-C: stop; mistake {number} of reviewed games"),
            failed=failures.append,
        )
    except KeyboardInterrupt:
        pass
    finally:
        progress_line.end()
    if failures:
        noun = (
            "1 position of a reviewed game" if len(failures) == 1 else f"{len(failures)} positions of reviews"
        )
        echo_err(f"{noun} cannot be set up: {failures[0]}")
    return len(stored.exercises) - previous_count


def _check_deck(path: Path, has_other_output: bool) -> None:
    """Raise Usage if no deck can be written. `has_other_output`: another output is requested."""
    if has_other_output:
        raise Usage("--anki writes a deck; expected no --list, --json or --drill. Try: leave them out")
    if path.suffix.lower() != ".apkg":
        raise Usage(f"{path}: a deck for Anki ends in .apkg. Try: --anki {path.with_suffix('.apkg')}")


def _write_deck(puzzles: "list[Exercise]", path: Path, reason: str) -> int:
    """Write the puzzles as a deck for Anki; returns the exit status. `reason`: the error without puzzles."""
    import time

    from gameplay import file_io
    from gameplay.display.pages import deck
    from gameplay.store.formats import anki

    note_type = anki.NoteType(deck.NAME, deck.FIELDS, deck.FRONT, deck.BACK, deck.STYLE)
    if not puzzles:
        raise Usage(reason)
    notes, error_count = [], 0
    for exercise in puzzles:
        try:
            notes.append(_note(exercise))
        except GameplayError as error:
            error_count += 1
            echo_error(f"the puzzle from {exercise.source} is left out: {error}")
    file_io.write(path, [anki.package(note_type, notes, int(time.time()))])
    echo_err(f"{plural(len(notes), 'puzzle')} written to {path}")
    return BadInput.status if error_count else 0


def _note(exercise: "Exercise") -> "Note":
    """A puzzle as a note of Anki. Raises GameplayError if its game is missing or its rules have changed."""
    from gameplay.cli.common.questions import exercise_match
    from gameplay.display.pages import deck
    from gameplay.store.formats.anki import Note
    from gameplay.training.practice import base_game

    fields = deck.note_fields(exercise, exercise_match(exercise), exercise_match(exercise, solved=True))
    tags = (
        "gameplay",
        *(f"gameplay::{word}" for word in (*exercise.kinds, *exercise.themes) if word.isalnum()),
    )
    deck_name = re.sub(r"[^\w-]+", "-", base_game(exercise.game))
    return Note(f"gameplay-{exercise.id}", f"gameplay::{deck_name}", fields, tags)


def _no_puzzles(stored: "Practice", game: str, kind: str) -> str:
    from gameplay.cli.common.advice import command_line
    from gameplay.training import practice, stored_reviews

    puzzles = practice.select_puzzles(stored, game, kind)
    if not puzzles and kind and practice.select_puzzles(stored, game):
        find = command_line("gameplay", "puzzles", "find")
        return f"there are no puzzles of the kind {kind}; find some: {find}"
    if not puzzles:
        of_game = f" of {game}" if game else ""
        if any(
            not game or practice.base_game(review.game) == practice.base_game(game)
            for review in stored_reviews.scan()[0]
        ):
            return f"there are no puzzles{of_game} yet: no reviewed mistake had exactly one better move"
        review = command_line("gameplay", "review", "last")
        return f"there are no puzzles{of_game} yet; review your games first: {review}"
    return f"nothing is due today; the next puzzle comes on {min(puzzle.due for puzzle in puzzles)}"


def _list(stored: "Practice", game: str, kind: str, as_json: bool) -> None:
    from gameplay.training import practice

    puzzles = practice.select_puzzles(stored, game, kind)
    if as_json:
        import msgspec

        document = {"file": str(practice.path()), "today": today().isoformat(), "puzzles": puzzles}
        click.echo(msgspec.json.encode(document, enc_hook=str).decode())
        return
    from gameplay.display.reports.review import format_table

    if not puzzles:
        echo_wrapped(_no_puzzles(stored, game, kind))
        return
    rows = [
        [
            exercise.due or "new",
            practice.base_game(exercise.game),
            f"{exercise.asked - exercise.wrong} of {exercise.asked}",
            ", ".join(exercise.kinds),
            exercise.source,
        ]
        for exercise in sorted(puzzles, key=lambda exercise: exercise.due)
    ]
    lines = format_table(rows, ["due", "game", "solved", "kind", "from"], words=(0, 1, 3, 4))
    width = columns()
    if 0 < width < max(map(len, lines)):
        lines = _wrap_rows(rows, lines, width)
    click.echo("\n".join(lines))


def _wrap_rows(rows: list[list[str]], lines: list[str], width: int) -> list[str]:
    """Wrap a list that is too wide: the last column, or the last two columns on lines of their own."""
    wrap = partial(textwrap.wrap, width=width, break_on_hyphens=False)
    last_column = lines[0].index("from")
    if width - last_column >= MIN_SOURCE_WIDTH:
        return [wrapped for line in lines for wrapped in wrap(line, subsequent_indent=" " * last_column)]
    folded: list[str] = []
    for *leading, kinds, source in rows:
        folded += wrap("  ".join(leading), subsequent_indent="  ")
        for text in (kinds, source):
            folded += wrap(text, initial_indent="  ", subsequent_indent="    ")
    return folded
