"""`gameplay review`: finished games, move by move beside the best ones.

`--json` prints one object a game, a line each, as `gameplay.training.review.Review` keeps it, and with it

    figures   by side: {moves, accuracy, lost, verdicts: [?!, ?, ??], best, phases: [the same, ...]}
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gameplay.cli.common import game_files
from gameplay.cli.common.advice import command_line
from gameplay.cli.common.options import ENGINE, FILE, SOURCE, TARGET, Drawing, drawing_options, limit_options
from gameplay.cli.common.unsaved import report_unsaved
from gameplay.cli.common.width import echo_err, echo_error
from gameplay.errors import BadInput, GameplayError, Usage

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.position import AbstractPosition
    from gameplay.search.limit import Limit
    from gameplay.store.record import Record
    from gameplay.training.review import Figures, Review

MAX_PAGE_GAMES = 200  # games that a page holds


@click.command(short_help="Review finished games and find the mistakes")
@click.argument("files", metavar="N|FILE...", type=SOURCE, nargs=-1, required=True)
@click.option("--engine", type=ENGINE, metavar="SPEC", default="", help="Engine [the game's default].")
@limit_options(
    "Search depth limit in plies.",
    "Node limit of a search [100,000 if no limit is set; 10,000 for Scrabble, 2,000,000 for bridge].",
    "Time limit of a search, in seconds.",
)
@click.option(
    "--annotate",
    type=FILE,
    metavar="PATH",
    help="Write the games with marks, comments and better lines to PATH.",
)
@click.option("--html", type=TARGET, help="Write a page for a browser to a new FILE.")
@drawing_options("Print every line in full, whatever its length.")
@click.option("--json", "as_json", is_flag=True, help="Print every review as one JSON object per line.")
def command(
    files: tuple[str, ...],
    engine: str,
    limit: "Limit",
    annotate: Path | None,
    html: Path | None,
    drawing: Drawing,
    as_json: bool,
) -> int:
    """Review games: the cost of each move, and the better move.

    \b
    gameplay review last                             the newest saved game
    gameplay review games.pgn --annotate noted.pgn   a copy with comments
    gameplay review games/ --json > reviews.jsonl    all files of a folder

    FILE is a file of games that `gameplay replay` reads, or a folder of such files; N is a number of
    `gameplay games --saved`. Each position is searched for the two best moves and for the move that was made.
    Reviews are stored: after an interruption the same command continues. Two games with imperfect information
    are reviewed: bridge double dummy, and Scrabble by what the players know; costs are in points there.

    --annotate writes a copy in the format of the file, into the folder PATH if there are several. Existing
    files are never overwritten. Games that cannot be read or reviewed are reported and left out; the exit
    status is then 6.
    """
    sources = list(game_files.find_files(files))
    copies = _copies(sources, annotate)
    theme = drawing.theme(plain=as_json)
    output = _Output(theme, as_json)
    error_count = 0
    for path in sources:
        error_count += _review_file(path, engine, limit, output, is_only_file=len(sources) == 1)
        if copies is not None:
            _annotate(path, copies[path], engine, limit)
    output.close()
    if html is not None and output.page_games:
        _write_page(html, output)
    return BadInput.status if error_count else 0


def _review_file(path: Path, engine: str, limit: "Limit", output: "_Output", is_only_file: bool) -> int:
    """Review the games of a file; returns the number of failures. Raises Usage if `is_only_file`."""
    from gameplay import registry

    error_count = 0
    for number, record, problem in game_files.read_games(path):
        try:
            if record is None:
                raise BadInput(problem)
            if record.sealed:
                resume = command_line("play", "--resume", str(path))
                raise BadInput(
                    f"{path}: the game is not over; {record.game} has imperfect information, and is reviewed "
                    f"after the game only. Try: {resume}"
                )
            review = _review(record, engine, limit)
        except Usage as error:
            if is_only_file:
                raise
            error_count += 1
            echo_error(f"{path}: {error}")
            continue
        except GameplayError as error:
            error_count += 1
            text = str(error)
            echo_error(text if text.startswith(str(path)) else f"{path}, game {number}: {text}")
            continue
        for warning in record.warnings:
            echo_err(f"note: {path}, game {number}, {warning}")
        review.file, review.number = str(path), number
        output.show(review, registry.game(record.game).new(), record)
    return error_count


def _review(record: "Record", engine: str, limit: "Limit") -> "Review":
    """The review of a game, stored or new. Raises GameplayError, KeyboardInterrupt."""
    from gameplay.api.reviewing import review_of
    from gameplay.cli.common.progress_line import ProgressLine

    players, progress_line = " - ".join(record.display_names), ProgressLine()
    try:
        return review_of(
            record,
            engine,
            limit,
            True,
            lambda ply, plies: progress_line(f"move {ply} of {plies}: review of {players}"),
            report_unsaved,
        )
    finally:
        progress_line.end()


# -- output -------------------------------------------------------------------------------------


class _Output:
    """Prints reviews as they are completed, and at the end the figures of each player."""

    def __init__(self, theme: "Theme", as_json: bool) -> None:
        self.theme = theme
        self.as_json = as_json
        self.count = 0
        self.width = theme.console.size.width if theme.interactive else 0
        self.sums: dict[tuple[str, str], tuple[int, Figures]] = {}
        self.page_games: list[tuple[Review, Record]] = []

    def show(self, review: "Review", position: "AbstractPosition", record: "Record") -> None:
        """Print a review."""
        self.count += 1
        if len(self.page_games) < MAX_PAGE_GAMES:
            self.page_games.append((review, record))
        for seat, name in enumerate(review.names):
            games, sum_ = self.sums.get((name, review.loss_unit), (0, None))
            figures = review.player_figures(seat)
            self.sums[name, review.loss_unit] = games + 1, figures if sum_ is None else sum_ + figures
        if self.as_json:
            click.echo(_document(review))
            return
        from gameplay.display.reports.review import lines

        if self.count > 1:
            click.echo()
        click.echo("\n".join(lines(review, position, self.theme, self.width)))

    def close(self) -> None:
        """Print the totals of all reviews."""
        if self.as_json or self.count < 2:
            return
        from gameplay.display.reports.review import figures_row, fit_table
        from gameplay.training.review import EXPECTED_POINTS

        for measure in sorted({measure for _, measure in self.sums}):
            graded = measure == EXPECTED_POINTS
            heads = ["", "games", "moves", "accuracy" if graded else "cost a move", "cost", "?!", "?", "??"]
            rows = []
            for (name, unit), (games, sum_) in sorted(self.sums.items()):
                if unit == measure:
                    name_cell, *rest = figures_row(name, sum_, graded)
                    rows.append([name_cell, str(games), *rest])
            click.echo("\n" + "\n".join(fit_table(rows, heads, self.width)))


def _document(review: "Review") -> str:
    from dataclasses import asdict

    import msgspec

    figures = []
    for seat in range(len(review.sides)):
        phases = [asdict(review.player_figures(seat, phase)) for phase in range(len(review.phases))]
        figures.append(asdict(review.player_figures(seat)) | {"phases": phases})
    return msgspec.json.encode(msgspec.to_builtins(review, enc_hook=str) | {"figures": figures}).decode()


# -- writing ------------------------------------------------------------------------------------


def _copies(sources: list[Path], annotate: Path | None) -> dict[Path, Path] | None:
    """The path of the annotated copy of each file. Raises BadInput or Usage if there can be none."""
    from gameplay.store import saved
    from gameplay.training.annotation import check

    if annotate is None:
        return None
    for path in sources:
        check(path.suffix.lower())
    annotate = Path(os.path.expanduser(annotate))
    if len(sources) == 1 and not annotate.is_dir():
        if annotate.suffix.lower() != sources[0].suffix.lower():
            raise Usage(
                f"the copy has the format of {sources[0].name}: name it {annotate.stem}{sources[0].suffix}"
            )
        return {sources[0]: saved.unused_path(str(annotate), "--annotate")}
    if annotate.exists() and not annotate.is_dir():
        raise Usage(f"{annotate} is a file, and there are {len(sources)} to annotate: name a folder")
    if len({path.name for path in sources}) < len(sources):
        raise Usage("two of the files have the same name: annotate them one after the other")
    annotate.mkdir(parents=True, exist_ok=True)
    return {path: saved.unused_path(str(annotate / path.name), "--annotate") for path in sources}


def _annotate(source: Path, target: Path, engine: str, limit: "Limit") -> None:
    """Write a copy of a file annotated with the reviews of its games."""
    from gameplay import file_io

    parts = list(_annotated_games(source, engine, limit))
    if parts:
        file_io.write(target, parts)
        echo_err(f"{source}: annotated in {target}")


def _annotated_games(source: Path, engine: str, limit: "Limit") -> Iterator[bytes]:
    """The games of a file annotated with their stored reviews."""
    from functools import partial

    from gameplay import registry
    from gameplay.display.reports.review import remark
    from gameplay.store import saved
    from gameplay.store.formats import conversion, game_formats
    from gameplay.store.record import encode
    from gameplay.training import annotation

    if not saved.is_foreign(source):
        for _, record, _ in game_files.read_games(source):
            if record is None or record.sealed:
                continue
            if (review := _cached_review(record, engine, limit)) is not None:
                position = registry.game(record.game).new()
                yield (
                    encode(annotation.annotate_record(record, review, partial(remark, review, position)))
                    + b"\n"
                )
        return
    form = game_formats.FORMATS[source.suffix.lower()]
    for sheet, game in conversion.read(source, registry.game):
        if game is not None and (review := _cached_review(game, engine, limit)) is not None:
            position = registry.game(game.game).new()
            annotation.annotate(sheet, review, position, partial(remark, review, position))
            yield form.write(sheet).encode()


def _cached_review(record: "Record", engine: str, limit: "Limit") -> "Review | None":
    """The review of a game; None if it failed, which is already reported."""
    try:
        return _review(record, engine, limit)
    except GameplayError:
        return None


def _write_page(path: Path, output: _Output) -> None:
    from gameplay import file_io, registry
    from gameplay.display.pages.review import page
    from gameplay.runs.frames import frames, stage

    first_game = registry.game(output.page_games[0][1].game)
    framed_games = []
    for review, record in output.page_games:
        game = registry.game(record.game)
        if game.cls is first_game.cls:
            framed_games.append((review, frames(game, record), game.new()))
    if len(framed_games) < len(output.page_games):
        echo_err(f"{path}: the page shows the games of {first_game.name}; give each game a page")
    text = page(framed_games, stage(first_game), len(framed_games))
    file_io.write(path, [text.encode()])
    echo_err(f"{path}: {len(text.encode()) / 1000:,.0f} kB")
