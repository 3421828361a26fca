"""`play`: one game, between people, engines, or both."""

import os
import re
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gameplay.cli import STATUSES
from gameplay.errors import BadInput, GameplayError, Terminated, TryLater, Usage
from gameplay.registry import engine_names, game_names

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.matches.match import Match
    from gameplay.players.player import Player
    from gameplay.players.words import Answer
    from gameplay.registry import Game
    from gameplay.search.limit import Limit
    from gameplay.store.record import Record

DEFAULT_GAME = "connect4"


def _games(context: Any, parameter: Any, typed: str) -> list[str]:
    return [name for name in game_names() if name.startswith(typed)]


def _engines(context: Any, parameter: Any, typed: str) -> list[str]:
    return [name for name in engine_names() if name.startswith(typed)]


@click.command(
    short_help="Play a game, or watch one",
    epilog=STATUSES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.argument("game", required=False, shell_complete=_games)
@click.option(
    "--engine",
    metavar="SPEC",
    shell_complete=_engines,
    help="Who plays against you [iterative; selective where moves can be noisy, as in chess].",
)
@click.option("--depth", type=int, metavar="PLIES", help="Limit of a search: plies.")
@click.option("--time", "seconds", type=float, metavar="SECONDS", help="Limit of a search: seconds a move.")
@click.option("--nodes", type=int, metavar="N", help="Limit of a search: positions visited.")
@click.option("--threads", type=int, metavar="N", help="Threads a search may use, where the engine can [1].")
@click.option("--level", type=int, metavar="1-10", help="Strength of the engine: 1 a child, 10 all it can.")
@click.option(
    "--book", metavar="FILE", help="An opening book for the engines of chess, in Polyglot's format."
)
@click.option("--syzygy", metavar="FOLDER", help="Endgame tables for the engines of chess.")
@click.option("--as", "seat", metavar="SIDE", help="Your side: first, second, or its name: x, o, red, white.")
@click.option(
    "--players",
    metavar="A,B",
    help="Who plays: human, an engine, level:5, script:MOVES, uci:COMMAND, ugi:COMMAND; "
    "human,alphabeta:depth=6.",
)
@click.option("--position", metavar="TEXT", help="Begin from this position.")
@click.option("--moves", metavar="MOVES", help='Begin with these moves: "4 4 3", "1. e4 e5".')
@click.option("--seed", type=click.IntRange(0), metavar="N", help="Seed of dice and of whoever draws lots.")
@click.option("--ponder", is_flag=True, help="The engine goes on thinking while you do.")
@click.option("--resume", is_flag=True, help="Go on with the last unfinished game.")
@click.option("--save", metavar="FILE", help="Keep the record in this file as well.")
@click.option("--plain", is_flag=True, help="One fact a line, nothing redrawn; moves are read line by line.")
@click.option("--ascii", is_flag=True, help="Draw with ASCII characters only.")
@click.option(
    "--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours [auto]."
)
@click.option("--json", "as_json", is_flag=True, help="Print nothing but the result, as one JSON document.")
@click.option("--jsonl", is_flag=True, help="Print every event as a JSON object a line.")
def command(game: str | None, **flags: Any) -> int:
    """Play GAME (default: connect4): a name, a name with parameters, a file of your own.

    \b
    play tictactoe                          you against the default engine
    play connect4 --level 3 --as second     an easy opponent that begins
    play connect4 --players minimax,random  watch two engines
    play ./sticks.py --engine alphabeta     a game from your own file

    Every move is saved. Without a terminal moves and words are read line by line. While you play: `help`.
    """
    from gameplay.display.theme import decide

    if flags["as_json"] and flags["jsonl"]:
        raise Usage("--json and --jsonl both say what to print; give one")
    signal.signal(signal.SIGTERM, _terminated)
    theme = decide(flags["color"], flags["ascii"], flags["plain"] or flags["as_json"] or flags["jsonl"])
    sitting = _resumed(theme, game, flags) if flags["resume"] else _begun(theme, game or DEFAULT_GAME, flags)
    sitting.run()
    return 0


def _terminated(number: int, frame: Any) -> None:
    raise Terminated(128 + number)  # every move is saved already


def _begun(theme: "Theme", spec: str, flags: dict[str, Any]) -> "Sitting":
    """A new game, as the flags say."""
    from gameplay import registry
    from gameplay.players import seats
    from gameplay.search.limit import Limit

    if flags["level"] is not None and (flags["engine"] or flags["players"]):
        raise Usage(
            "--level says how well the default engine plays; name no other (or write level:5 in --players)"
        )
    if flags["players"] and (flags["engine"] or flags["seat"]):
        raise Usage("--players names everybody; leave out --engine and --as")
    limit = Limit(flags["depth"], flags["nodes"], flags["seconds"])
    if flags["level"] is not None and limit:
        raise Usage("--level sets how far the engine looks; leave out --depth, --time and --nodes")
    game = registry.game(spec)
    start = game.new()
    if flags["players"]:
        specs = seats.split(flags["players"])
        if len(specs) != start.players:
            named = f"--players names {len(specs)}: {', '.join(specs)}"
            raise Usage(f"{game.name} is for {start.players} players; {named}")
    else:
        other = flags["engine"] or seats.opponent(game)
        if flags["level"] is not None:
            other = f"level:{flags['level']}"
        specs = [other] * start.players
        specs[seats.seat(flags["seat"] or "first", start)] = seats.HUMAN
    if limit and not any(map(seats.searches, specs)):
        raise Usage("--depth, --time and --nodes limit a search, and nobody here searches; leave them out")
    if flags["ponder"]:
        seats.check_pondering(specs)
    if flags["threads"] is not None:
        specs = [seats.threaded(spec, flags["threads"]) for spec in specs]
    specs = _aided(specs, flags)
    seed = flags["seed"]
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "little") if theme.interactive else 0
    return Sitting(
        theme,
        game,
        specs,
        limit=limit,
        seed=seed,
        start=flags["position"] or "",
        moves=_words(flags["moves"] or ""),
        file=flags["save"],
        output="json" if flags["as_json"] else "jsonl" if flags["jsonl"] else "",
        ponder=flags["ponder"],
    )


def _words(text: str) -> list[str]:
    """The moves of a list, which may be numbered as in the books: `4 4 3`, `4,4,3`, `1. e4 e5 2.Nf3`."""
    return re.sub(r"(?<![^\s,])\d+\.+(?=[\s,A-Za-z])", " ", text).replace(",", " ").split()


def _aided(specs: list[str], flags: dict[str, Any]) -> list[str]:
    """The players with the book and the tables of the flags; those of their own come first."""
    from gameplay.players import seats

    asked = {name: flags[name] for name in ("book", "syzygy") if flags[name] is not None}
    if not asked:
        return specs
    found = [seats.aided(spec, asked) for spec in specs]
    if found == specs:
        raise Usage(f"--{next(iter(asked))} is for an engine of ours, and none plays that has none")
    return found


def _resumed(theme: "Theme", spec: str | None, flags: dict[str, Any]) -> "Sitting":
    """The last unfinished game, as it was left."""
    from gameplay import registry
    from gameplay.store import saved

    allowed = {"resume", "ponder", "save", "plain", "ascii", "color", "as_json", "jsonl"}
    spelt = {"seat": "as", "seconds": "time"}
    extra = [f"--{spelt.get(key, key)}" for key, value in flags.items() if value and key not in allowed]
    if extra or spec:
        raise Usage(f"--resume goes on with a game as it was; leave out {extra[0] if extra else spec}")
    found = saved.last_unfinished()
    if found is None:
        raise BadInput(f"there is no unfinished game in {saved.folder()}")
    record = found.record
    if flags["ponder"]:
        from gameplay.players import seats

        seats.check_pondering(record.players)
    return Sitting(
        theme,
        registry.game(record.game),
        record.players,
        seed=record.seed,
        start=record.start,
        moves=record.words,
        record=record,
        path=found.path,
        file=flags["save"],
        output="json" if flags["as_json"] else "jsonl" if flags["jsonl"] else "",
        ponder=flags["ponder"],
    )


class Sitting:
    """One or more games by the same players: where they read and write, what is shown, what is kept."""

    def __init__(
        self,
        theme: "Theme",
        game: "Game",
        specs: list[str],
        seed: int = 0,
        start: str = "",
        moves: list[str] | None = None,
        limit: "Limit | None" = None,
        record: "Record | None" = None,
        path: Path | None = None,
        file: str | None = None,
        output: str = "",
        ponder: bool = False,
    ) -> None:
        from gameplay.players.words import Words
        from gameplay.store.saved import writable

        self.theme = theme
        self.game = game
        self.specs = specs
        self.seed = seed
        self.start = start
        self.moves = moves or []
        self.limit = limit
        self.record = record
        self.path = path
        self.file = writable(file) if file else None
        self.output = output
        self.ponder = ponder
        self.trouble = ""
        self.view: Any
        self.desk: Any
        self.words: Words = Words(self._more_words())
        self._furnish()

    def _furnish(self) -> None:
        """Choose what shows the game and where the human reads and writes."""
        if self.theme.interactive:
            from gameplay.display.screen import Screen
            from gameplay.players.human import Prompt

            self.view = Screen(self.theme)
            self.desk = Prompt(self.view)
            return
        from gameplay.display.line import Teller
        from gameplay.players.script import Lines

        quiet = bool(self.output)
        self.view = Teller(self.theme, sys.stderr if quiet else sys.stdout, quiet)
        self.desk = Lines(sys.stdin, self.view, "> " if sys.stdin.isatty() else "")

    # -- playing -------------------------------------------------------------------------------

    def run(self) -> None:
        """Play until nobody wants to go on. Raises what ended it early; everything is saved by then."""
        from gameplay.players import seats

        match = self._match()
        while True:
            try:
                match.play()
            except KeyboardInterrupt:
                self.view.close()
                self._say_how_to_resume(match)
                raise
            except GameplayError:
                if self.output == "json":
                    self._print(match)
                raise
            finally:
                self.view.close()
                seats.rest(match.players)
            if self.record is not None:  # loaded meanwhile
                match = self._match()
                continue
            if not self.theme.interactive:
                break
            self.view.final()
            following = (
                self._ask_again(match) if match.payoffs is not None and "human" in self.specs else None
            )
            if following is None:
                if match.payoffs is None:
                    self._say_how_to_resume(match)
                break
            match = following
        if self.output == "json":
            self._print(match)
        if self.trouble:
            raise TryLater(self.trouble)

    def _match(self) -> "Match":
        """A match between those who sit here, from where the last one was left."""
        from gameplay.matches.match import Match
        from gameplay.store.record import restore
        from gameplay.store.saved import Saving

        players = [self._player(spec, number, self.game) for number, spec in enumerate(self.specs)]
        match = Match(self.game, players, self.start, self.moves, self.seed)
        if self.record is not None:
            restore(match, self.record)
            for player in players:
                getattr(player, "resume", lambda _: None)(match)
        savings = [Saving(self._warn, self.path)]
        if self.file is not None:
            savings.append(Saving(self._warn, self.file))
        humans = [number for number, spec in enumerate(self.specs) if spec == "human"]
        self.view.reading = humans[0] if len(humans) == 1 else None
        listeners: list[Any] = [*savings, self.view]
        if self.theme.interactive and not humans:
            self.view.watching = True
            listeners.insert(-1, _Leave())
        if self.ponder:
            from gameplay.players.ponder import Bell

            listeners.append(Bell())
        if self.output == "jsonl":
            from gameplay.display.stream import Stream

            listeners.append(Stream(sys.stdout))
        for listener in listeners:
            listener.match = match
        match.listeners = listeners
        self.record, self.path, self.moves = None, None, []
        return match

    def _player(self, spec: str, number: int, game: "Game") -> "Player":
        from gameplay.matches.match import seed_of
        from gameplay.players import seats
        from gameplay.players.human import Human

        seed = seed_of(self.seed, "player", number)
        player = seats.player(spec, game, seed, self.limit, lambda: Human(self.desk, self.words))
        return seats.pondering(player) if self.ponder else player

    def _ask_again(self, match: "Match") -> "Match | None":
        """After the end: another game, the same one from before the last move, or None."""
        choices = {"again": "another game", "swap": "another game, from the other side", "undo": "take back"}
        if self.view.reading is None:
            del choices["swap"]
        choices["quit"] = "leave"
        try:
            word = self.desk.question(choices)
        except KeyboardInterrupt:
            return None
        if word == "quit":
            return None
        print()
        if word == "undo":
            self.words.obey("undo", match)
            return match
        if word == "swap":
            self.specs = [*self.specs[1:], self.specs[0]]
        self.seed += 1
        return self._match()

    # -- saying --------------------------------------------------------------------------------

    def _print(self, match: "Match") -> None:
        import msgspec

        from gameplay.display.stream import document
        from gameplay.store.record import record_of

        click.echo(msgspec.json.encode(document(match, msgspec.to_builtins(record_of(match)))))

    def _say_how_to_resume(self, match: "Match") -> None:
        if match.turns and not self.trouble:
            print("the game is saved; go on with: play --resume", file=sys.stderr)

    def _warn(self, trouble: str) -> None:
        self.trouble = trouble
        if self.theme.interactive and "human" in self.specs:
            self.desk.say(trouble)
        else:
            print(trouble, file=sys.stderr, flush=True)

    # -- words that reach beyond the match -----------------------------------------------------

    def _more_words(self) -> Any:
        from gameplay.players.words import Word

        return (
            Word("flip", "", "turn the board round", self._flip),
            Word("level", "N", "the engine's level, 1-10", self._level),
            Word("engine", "NAME", "another engine plays", self._engine),
            Word("save", "FILE", "keep the game in a file", self._save),
            Word("load", "FILE", "go on from a file", self._load),
        )

    def _flip(self, match: "Match", _: str) -> "Answer":
        from gameplay.players.words import Answer

        self.view.flip = not self.view.flip
        return Answer("the board is turned round")

    def _level(self, match: "Match", argument: str) -> "Answer":
        from gameplay.players.words import Answer

        if not argument.isdecimal():
            return Answer(f"a level is a number from 1 to 10, not '{argument}'")
        return self._engine(match, f"level:{argument}")

    def _engine(self, match: "Match", argument: str) -> "Answer":
        from gameplay.knowledge.aids import apart
        from gameplay.players import seats
        from gameplay.players.words import Answer

        engines = [number for number, spec in enumerate(self.specs) if spec != "human"]
        if not engines:
            return Answer("only people play here")
        seats.rest(match.players)
        for number in engines:
            spec = seats.aided(argument, apart(self.specs[number])[1])
            match.players[number] = self._player(spec, number, self.game)
            self.specs[number] = spec
        return Answer(f"{match.players[engines[0]].name} plays now")

    def _save(self, match: "Match", argument: str) -> "Answer":
        from gameplay.players.words import Answer
        from gameplay.store.record import record_of
        from gameplay.store.saved import keep, writable

        path = writable(argument)
        keep(record_of(match), path, match.game)
        return Answer(f"saved in {path}")

    def _load(self, match: "Match", argument: str) -> "Answer":
        from gameplay import registry
        from gameplay.matches.match import Match
        from gameplay.players.words import Answer
        from gameplay.store.saved import outside, read

        path = Path(argument).expanduser()
        record = read(path, None, registry.game)
        if outside(path):
            record.players = list(self.specs)  # those who play here go on with it
        game = registry.game(record.game)
        players = [self._player(spec, number, game) for number, spec in enumerate(record.players)]
        Match(game, players, record.start, record.words, record.seed)  # what is wrong with it is found here
        self.game, self.specs, self.seed, self.start = game, list(record.players), record.seed, record.start
        self.record, self.moves = record, record.words
        match.leave()
        return Answer(f"loaded {argument}", done=True)


class _Leave:
    """A listener where no human plays: Ctrl-C during a search plays the best move so far and leaves."""

    match: Any = None

    def __call__(self, event: Any) -> bool:
        report = event.turn.report if event.kind == "move" else None
        if report is not None and report.stopped == "interrupted":
            raise KeyboardInterrupt
        return False
