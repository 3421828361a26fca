"""`play`: one game or a match of several, between people, engines, or both."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli.common.options import (
    ENGINE,
    FILE,
    LINES,
    SOURCE,
    Drawing,
    Integer,
    Label,
    OptionValue,
    drawing_options,
    game_argument,
    limit_options,
    position_option,
    split_moves,
)
from gameplay.errors import Terminated, Usage
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.cli.common.session.game_session import GameSession
    from gameplay.cli.common.session.seating import Seating
    from gameplay.display.theme import Theme
    from gameplay.options import Kind
    from gameplay.registry import Game

DEFAULT_GAME = "connect4"
NO_PONDERING = "a level does not ponder: it plays without searching during your turns"
CASUAL = "a casual opponent; for another type level beginner, club or strong, or engine NAME"


def _threads_kind() -> "Kind":
    from gameplay.search.options import THREADS

    return THREADS


LAST = "last unfinished"  # --resume without a value


@click.command(short_help="Play a game, or watch one")
@game_argument(required=False)
@click.option(
    "--engine",
    type=ENGINE,
    metavar="SPEC",
    help="Opponent: an engine at full strength, with its options after a colon.",
)
@limit_options(
    "Search depth limit in plies.", "Node limit of a search.", "Time limit of a search, in seconds."
)
@click.option("--multipv", type=LINES, help="Show the N best moves of a search with their lines [1].")
@click.option(
    "--threads",
    type=OptionValue(_threads_kind, "2"),
    help="Search threads, for engines that can use several [1].",
)
@click.option(
    "--level",
    metavar="LEVEL",
    help="Strength of the opponent: beginner, casual, club, strong or full, or a number (gameplay levels "
    "GAME) [casual; full with --engine or a limit].",
)
@click.option(
    "--book",
    type=SOURCE,
    metavar="FILE",
    help="Opening book for the engines: a .book file, a .txt file of lines of moves, a Polyglot .bin file; "
    "`own` is the book that comes with the program.",
)
@click.option(
    "--syzygy",
    type=SOURCE,
    metavar="FOLDER",
    help="Folder of Syzygy endgame tables for the engines of chess.",
)
@click.option(
    "--as", "seat", metavar="SIDE", help="Your side, by its name or its turn: white, red, x; first, second."
)
@click.option(
    "--players",
    metavar="A,B",
    help="Players by seat, as human,minimax: human, ENGINE, level:N, script:MOVES, or a program that speaks "
    "a protocol (uci:COMMAND, ugi, xboard, gtp, katago, nboard, hub, dxp:HOST:PORT).",
)
@position_option("Begin from this position, as `gameplay show` writes it.", None)
@click.option("--moves", metavar="MOVES", help='Begin with these moves: "4 4 3", "1. e4 e5".')
@click.option("--seed", type=Integer(0), help="Seed of dice, deals and random choices.")
@click.option(
    "--clock",
    metavar="TIME",
    help="Thinking time of each side, in minutes and seconds added a move: 5+3, 0:30, 40/90+30, 10+3x30.",
)
@click.option(
    "--match",
    "match_form",
    is_flag=False,
    flag_value="",
    metavar="[LENGTH]",
    help="Play several games with a running score: a number of games, or what counts in GAME (gameplay games "
    "GAME), as in games:5 [best of 3].",
)
@click.option("--ponder", is_flag=True, help="Let the engine think during your turns too.")
@click.option(
    "--tutor", is_flag=True, help="Warn before a move that is a mistake: it is played when typed again."
)
@click.option(
    "--names", type=Label(), metavar="A,B", help="Names of the people who play, in the order of their seats."
)
@click.option(
    "--resume",
    type=SOURCE,
    is_flag=False,
    flag_value=LAST,
    metavar="[N|FILE]",
    help="Resume the last unfinished game, game N of `gameplay games --saved`, or the game in FILE.",
)
@click.option(
    "--save",
    type=SOURCE,
    metavar="FILE",
    help="Save the game in FILE too: .json, .pgn (chess), .pdn (checkers, draughts), .txt (Othello).",
)
@click.option("--record", type=FILE, help="Record the terminal into a new FILE.cast, which asciinema plays.")
@drawing_options("Print one fact per line and redraw nothing; read moves line by line.")
@click.option("--full", is_flag=True, help="Use the whole screen, with the mouse.")
@click.option("--json", "as_json", is_flag=True, help="Print only the result, as one JSON document.")
@click.option("--jsonl", is_flag=True, help="Print every event as one JSON object per line.")
@click.pass_context
def command(
    context: click.Context, /, game: str | None, resume: str | None, drawing: Drawing, **flags: Any
) -> int:
    """Play GAME: a name, a name with parameters, or your own file. Without arguments choose from a menu.

    \b
    play                                    choose a game, an opponent, a side
    play tictactoe                          you against a casual opponent
    play tictactoe --engine minimax         ... an engine at full strength
    play connect4 --level beginner --as second   you move second
    play connect4 --players minimax,random  watch two engines
    play chess --clock 5+3                  five minutes each, 3 s added a move
    play othello --match 5                  best of five games, sides changing
    play ./sticks.py --engine alphabeta     a game from your own file

    Every move is saved at once; --resume continues a game, with other players if --players names them. While
    you play, `help` lists the commands. Without a terminal, moves and commands are read line by line.
    """
    if flags["as_json"] and flags["jsonl"]:
        raise Usage(
            "--json and --jsonl both choose what to print; expected one of them. Try: leave --jsonl out"
        )
    path = flags.pop("record")
    with _handle_sigterm():
        if path is not None:
            from gameplay.display.terminal import recording

            status = recording.record(path, f"play {game or ''}".strip())
            if status is not None:
                return status
        return _run_session(context, game, resume, drawing, flags)


def _run_session(
    context: click.Context, game: str | None, resume: str | None, drawing: Drawing, flags: dict[str, Any]
) -> int:
    theme = drawing.theme(plain=flags["as_json"] or flags["jsonl"])
    if flags["full"] and not theme.interactive:
        raise Usage("--full requires a terminal to draw on, and there is none here. Try: leave --full out")
    if theme.interactive and not _has_arguments(context):
        return _play_from_menu(context, theme)
    if resume is not None:
        _check_resume(context)
        return _resume_session(theme, "" if resume == LAST else resume, game, flags).run()
    return _new_session(theme, DEFAULT_GAME if game is None else game, flags).run()


DISPLAY_OPTIONS = {"plain", "ascii", "color", "named", "full"}  # display options


def _has_arguments(context: click.Context) -> bool:
    """True if an argument or an option other than those of the display was given."""
    from click.core import ParameterSource

    sources = {
        name: context.get_parameter_source(name) for name in context.params if name not in DISPLAY_OPTIONS
    }
    return any(source is ParameterSource.COMMANDLINE for source in sources.values())


def _play_from_menu(context: click.Context, theme: "Theme") -> int:
    """Show the start menu, print the equivalent command, and play."""
    from gameplay.cli.common.advice import command_line
    from gameplay.cli.common.session import start_menu

    arguments = start_menu.choose_arguments(theme)
    if arguments is None:
        return 0
    click.echo(f"The same again: {command_line('play', *arguments)}")
    display_options = {name: value for name, value in context.params.items() if name in DISPLAY_OPTIONS}
    with command.make_context("play", list(arguments), parent=context.parent) as menu_context:
        menu_context.params.update(display_options)
        return int(command.invoke(menu_context))


@contextmanager
def _handle_sigterm() -> Iterator[None]:
    def terminated(number: int, frame: Any) -> None:
        raise Terminated(128 + number)  # every move is saved already

    previous_handler = signal.signal(signal.SIGTERM, terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous_handler)


def _new_session(theme: "Theme", spec: str, flags: dict[str, Any]) -> "GameSession":
    """A session of a new game."""
    from gameplay import registry
    from gameplay.cli.common.session.game_session import GameSession
    from gameplay.cli.common.session.seating import Seating
    from gameplay.players import seats
    from gameplay.specs import is_level

    _check_flags(flags)
    game = registry.game(spec)
    seed = flags["seed"]
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "little") if theme.interactive else 0
    if not flags["position"]:
        game = game.with_seed(seed)
    specs = _player_specs(game, flags)
    game = _with_default_start(game, specs, flags)
    names = _names(specs, flags["names"])
    start, moves = flags["position"] or "", _parse_moves(flags["moves"] or "")
    table = Seating(game, specs, seed, start, moves, _parse_clock(flags["clock"]), names=names)
    if flags["match_form"] is not None:
        table = _begin_match(table, flags["match_form"])
    if flags["tutor"]:
        _check_tutor(game, table.specs, table.clock)
    notice = CASUAL if not _named_opponent(flags) and any(map(is_level, specs)) else ""
    if flags["ponder"] and not any(map(seats.ponders, specs)):
        notice = NO_PONDERING
    return GameSession(
        theme, table, flags["limit"], flags["save"], _output_format(flags), flags["ponder"], flags["full"],
        flags["tutor"], notice,
    )  # fmt: skip


def _with_default_start(game: "Game", specs: list[str], flags: dict[str, Any]) -> "Game":
    """The game with its default start for people, unless parameters or moves define another."""
    from gameplay.capabilities import HasBeginnings
    from gameplay.specs import HUMAN

    if HUMAN not in specs or flags["position"] or flags["moves"] or not isinstance(game.cls, HasBeginnings):
        return game
    options = game.cls.beginnings[0].options
    return game if options.keys() & game.parameters.keys() else game.with_parameters(options)


def _begin_match(table: "Seating", text: str) -> "Seating":
    """The first game of the match that --match asks for. Raises Usage."""
    from gameplay.cli.common.session.seating import series_game
    from gameplay.matches.series import new_series
    from gameplay.scoring.forms import kind_of, parse_form
    from gameplay.store.saved import now

    if table.moves:
        raise Usage("--moves begins one game, and --match plays several. Try: leave --moves out")
    game = table.game
    if table.start and not kind_of(parse_form(text, game.cls), game.cls).any_start:
        raise Usage(
            "--position begins one game, and --match plays several from the start. Try: leave --position out"
        )
    series = new_series(
        parse_form(text, game.cls), game, table.specs, table.names, table.seed, table.start, now()
    )
    return series_game(series, table.clock)


def _check_tutor(game: "Game", specs: list[str], clock: str) -> None:
    """Raises Usage if --tutor is not possible: unsupported game, no human player, or a clock."""
    from gameplay.players import tutor
    from gameplay.specs import HUMAN

    tutor.check(game)
    if HUMAN not in specs:
        raise Usage("--tutor warns people, and no person plays. Try: leave --tutor out")
    if clock:
        raise Usage(
            f"--tutor searches on your time, which --clock {clock} limits; "
            "expected one of them. Try: leave --tutor out"
        )


def _check_flags(flags: dict[str, Any]) -> None:
    """Raises Usage for conflicting flags."""
    if flags["level"] is not None and (flags["engine"] or flags["players"]):
        raise Usage(
            "--level sets the strength of the default engine, and another is named; "
            "expected one of them. Try: level:5 in --players"
        )
    if flags["players"] and (flags["engine"] or flags["seat"]):
        raise Usage("--players names all players, so --engine and --as add nothing. Try: leave them out")


def _parse_clock(text: str | None) -> str:
    """The time control of --clock as records write it; "" without one. Raises Usage."""
    from gameplay.matches.clock import parse_time_control

    try:
        return str(parse_time_control(text, minutes=True)) if text is not None else ""
    except Usage as error:
        raise Usage(f"--clock: {error}. Try: --clock 5+3") from None


def _output_format(flags: dict[str, Any]) -> str:
    return "json" if flags["as_json"] else "jsonl" if flags["jsonl"] else ""


def _player_specs(game: "Game", flags: dict[str, Any]) -> list[str]:
    """The players' specs. Raises Usage for a flag that applies to no player."""
    from gameplay.players import seats
    from gameplay.specs import HUMAN, parse_list

    start = game.new()
    if flags["players"]:
        specs = parse_list(flags["players"])
        if len(specs) != start.players:
            specs_text = f"--players names {len(specs)}: {', '.join(specs)}".removesuffix(": ")
            raise Usage(f"{specs_text}; {game.name} is for {plural(start.players, 'player')}")
    elif start.players == 1 and (flags["engine"] or flags["level"] is not None):
        raise Usage(
            f"{game.name} is for one player, who has no opponent. Try, to watch an engine: --players idastar"
        )
    else:
        specs = [_opponent(game, flags)] * start.players
        specs[seats.seat(flags["seat"] or "first", start)] = HUMAN
    if flags["multipv"] is not None:
        flags["limit"] = flags["limit"].with_(multipv=flags["multipv"])
        if not any(map(seats.searches, specs)):
            raise Usage(
                "--multipv shows lines of a search, and no player here searches. Try: leave --multipv out"
            )
    if flags["limit"] and not any(map(seats.searches, specs)):
        raise Usage(
            "--depth, --nodes, --sims and --time limit a search, and no player here searches. Try: "
            "leave them out"
        )
    if flags["ponder"]:
        seats.check_pondering(specs)
    if flags["threads"] is not None:
        specs = seats.all_with_threads(specs, flags["threads"])
    return _with_knowledge(specs, flags)


# Search options, which levels do not support: any of them makes the default engine the opponent.
FULL_STRENGTH = ("multipv", "threads", "book", "syzygy", "ponder")


def _opponent(game: "Game", flags: dict[str, Any]) -> str:
    """The opponent: the given engine or level, else a casual player."""
    from gameplay.players import seats, strength
    from gameplay.specs import is_level

    if flags["engine"]:
        return str(flags["engine"])
    if flags["level"] is not None:
        opponent = strength.spec(flags["level"], game)
        if is_level(opponent) and flags["limit"]:
            raise Usage("--level sets the limits of the search. Try: leave --depth, --time and --nodes out")
        return opponent
    return seats.opponent(game) if _named_opponent(flags) else strength.default_opponent(game)


def _named_opponent(flags: dict[str, Any]) -> bool:
    """True if the flags name the opponents, or set options of an engine at full strength."""
    is_named = any(flags[name] is not None for name in ("engine", "level", "players"))
    return is_named or bool(flags["limit"]) or any(flags[name] for name in FULL_STRENGTH)


def _names(specs: list[str], names_option: str | None) -> list[str]:
    """The names of the people by seat; "" for engines. Raises Usage."""
    from gameplay.specs import HUMAN

    names = [name.strip() for name in names_option.split(",")] if names_option else []
    people = [seat for seat, spec in enumerate(specs) if spec == HUMAN]
    if names_option is not None and (len(names) != len(people) or not all(names)):
        play = f"{len(people)} {'person plays' if len(people) == 1 else 'people play'}"
        example = ",".join(["Ann", "Ben", "Cy", "Dee", "Eve", "Flo"][: len(people)])
        fix = f"--names {example}" if people else "leave --names out"
        raise Usage(
            f"--names is '{names_option}'; expected a name for each person, and here {play}. Try: {fix}"
        )
    if names_option is None and len(people) == 1:
        from gameplay.store.settings import settings

        names = [settings().name]
    name_by_seat = dict(zip(people, names, strict=False))
    return [name_by_seat.get(seat, "") for seat in range(len(specs))]


def _parse_moves(text: str) -> list[str]:
    """The moves of a list, which may have move numbers: `4 4 3`, `4,4,3`, `1. e4 e5 2.Nf3`."""
    return split_moves(re.sub(r"(?<![^\s,])\d+\.+(?=[\s,A-Za-z])", " ", text))


def _with_knowledge(specs: list[str], flags: dict[str, Any]) -> list[str]:
    """The specs with the book and the tables of the flags, for players whose specs have none."""
    from gameplay.players import seats

    sources = {name: flags[name] for name in ("book", "syzygy") if flags[name] is not None}
    if not sources:
        return specs
    new_specs = [seats.with_knowledge(spec, sources) for spec in specs]
    if new_specs == specs:
        option = f"--{next(iter(sources))}"
        raise Usage(
            f"{option} applies to built-in engines whose spec sets none, and no such engine plays. "
            f"Try: leave {option} out"
        )
    return new_specs


WITH_RESUME = DISPLAY_OPTIONS | {"game", "players", "resume", "ponder", "tutor", "save", "as_json", "jsonl"}


def _check_resume(context: click.Context) -> None:
    """Raises Usage for options that conflict with --resume."""
    extra = [
        context.params["game"] if parameter.name == "game" else parameter.opts[0]
        for parameter in context.command.params
        if parameter.name not in WITH_RESUME and context.params.get(str(parameter.name))
    ]
    if extra:
        raise Usage(
            f"--resume continues a game unchanged, and {extra[-1]} was given. Try: leave {extra[-1]} out"
        )


def _resume_session(theme: "Theme", which: str, game: str | None, flags: dict[str, Any]) -> "GameSession":
    """A session of a saved game; `which` "": the last unfinished one."""
    from gameplay.cli.common.session.game_session import GameSession
    from gameplay.cli.common.session.seating import resume_seating
    from gameplay.players import seats
    from gameplay.specs import parse_list

    table = resume_seating(which, game, parse_list(flags["players"]) if flags["players"] else None)
    if flags["ponder"]:
        seats.check_pondering(table.specs)
    if flags["tutor"]:
        _check_tutor(table.game, table.specs, table.clock)
    return GameSession(
        theme, table, None, flags["save"], _output_format(flags), flags["ponder"], flags["full"],
        flags["tutor"],
    )  # fmt: skip
