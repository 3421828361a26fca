"""The grammar of specs, which name games, engines and players: parser and writer.

    connect4:columns=8,rows=8          a game or an engine with options: NAME:OPTION=VALUE,...
    ./sticks.py:Sticks:sticks=30       a game from a file, which may name its class; a tree from a .toml file
    tree:lecture,x=7                   an included tree; tree:random,depth=3,seed=7 is a random one
    openspiel:kuhn_poker(players=3)    a game of OpenSpiel, with its parameters in OpenSpiel's notation

    human                              players: a human at the keyboard
    alphabeta:order=killer,depth=8     an engine; depth, nodes, sims, time (seconds) limit its moves
    ./greedy.py:Greedy:seed=3          a user-defined engine; the class may be omitted
    strategy:FILE.toml                 a stored strategy, as `gameplay exploit --out` writes it
    engine.toml                        an engine's options in a file; options after its name override them
    selective:book=FILE,syzygy=FOLDER  an engine with a book and endgame tables, see `gameplay.knowledge`
    selective:book=own                 ... with the game's included book
    perfect:book=none                  ... without a book, even if it would use one by default
    level:5                            the default engine, weakened to a level; book and tables as above
    script:4 4 3                       given moves, in the game's notation; quoted if they contain commas
    script:moves.txt                   ... from a file: text that begins like a path or has a suffix
    uci:stockfish,nodes=5000,Hash=64   an external program; protocols: ugi, uci, xboard, gtp, nboard, hub
    ugi:"./my engine" --book "a,b",time=1
    dxp:127.0.0.1:27531,minutes=5      a draughts program at a network address, by DXP

Spaces and commas in a program's command are quoted as in a shell. NAME=VALUE pairs follow: depth, nodes and
time limit its moves; `timeout` is the maximum number of seconds per move without a clock (60); `name` is the
displayed name; `ponder=on` lets it ponder; any other pair is an option of the program, and `option.depth=3`
one with such a name.

A list of players is split at unquoted commas; a part NAME=VALUE belongs to the player before it. `parse`
reads a player, `str` writes it. Errors raise Usage with the expected form.
"""

import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from gameplay import evaluation
from gameplay.errors import Untrusted, Usage, brief
from gameplay.knowledge import kinds
from gameplay.knowledge.books import book as books
from gameplay.options import ON_OFF, Number, Whole, read_option, refusal
from gameplay.search.limit import KINDS, Limit

DXP = "dxp"  # starts no program: an address follows
HUMAN, LEVEL, SCRIPT = "human", "level", "script"
PROTOCOLS = ("ugi", "uci", "gtp", "nboard", "hub", "xboard", "katago", "dxp")
PONDERING = ("uci", "xboard", "hub")  # protocols with pondering
LIMITS = ("depth", "nodes", "time")  # of programs; our engines have all of `limit.KINDS`
TIMEOUT = 60.0  # seconds per move without a clock
TIMEOUT_RANGE = Number(0, 999_999, open=True, unit="seconds")  # values of `timeout`
LEVELS = Whole(1)

OPENSPIEL = "openspiel"  # followed by a game in OpenSpiel's notation
FILED = ("tree", "strategy")  # followed by a file or the name of one

_PART = re.compile(r"""(?:[^,"']|"[^"]*"|'[^']*'|["'])+""")  # text between unquoted commas
_CONTINUES = re.compile(r"[a-z_]+=[^:]*|eval=.*")  # an option of the player before it
_CONTINUES_PROGRAM = re.compile(r"[\w .-]+=.*")  # ... if that is a program
_WORD = re.compile(r"[a-z][a-z0-9-]*")
_FILE = re.compile(r"[^:]*\.(py|toml)(?=:|$)")  # the file of a game or an engine


# -- a name and its options -------------------------------------------------------------------------


def split(text: str, example: str = "connect4:columns=8,rows=8") -> tuple[str, dict[str, str]]:
    """Split `NAME:k=v,k=v` into name and options; a file keeps its `:Class`. Errors quote the `example`."""
    head, _, tail = text.partition(":")
    if len(head) == 1 and tail[:1] in ("\\", "/"):  # C:\games.py
        drive, (head, _, tail) = head, tail.partition(":")
        head = f"{drive}:{head}"
    if head == OPENSPIEL and tail:
        return head, {"game": tail}
    if head in FILED and tail and "=" not in tail.partition(",")[0]:
        tail = "file=" + tail
    if ".py" in head and tail and "=" not in tail.partition(":")[0]:
        cls, _, tail = tail.partition(":")
        head = f"{head}:{cls}"
    options: dict[str, str] = {}
    for part in filter(None, tail.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key.strip():
            raise Usage(f"'{text}': '{part}' should read NAME=VALUE, as in {example}")
        _set_once(options, key.strip(), value.strip(), text)
    return head, options


def _set_once(options: dict[str, str], name: str, value: str, text: str) -> None:
    """Set an option of a spec. Raises Usage for one that is set already."""
    if name in options:
        raise Usage(
            f"'{brief(text)}' sets {name} twice, to '{brief(options[name])}' and to '{brief(value)}'; "
            f"expected one value. Try: leave {name}={brief(value)} out"
        )
    options[name] = value


def game_name(spec: str) -> str:
    """The game of a spec without its options, except the name of a tree or of a game of OpenSpiel."""
    head, options = split(spec)
    key = "game" if head == OPENSPIEL else "file" if head in FILED else ""
    return join(head, {key: options[key]} if key in options else {})


def join(head: str, options: Mapping[str, Any]) -> str:
    """The inverse of `split`."""
    if head == OPENSPIEL and "game" in options:
        return f"{head}:{options['game']}"
    words = [f"{key}={value}" for key, value in options.items()]
    first = str(next(iter(options.items()), ("", ""))[1])
    if head in FILED and next(iter(options), "") == "file" and _WORD.fullmatch(first):
        words[0] = first  # the name of a tree
    return ":".join((head, ",".join(words))) if words else head


def absolute(text: str, folder: Path) -> str:
    """A spec with the path of its file, if it has one, made absolute from `folder`."""
    file = _FILE.match(text)
    return str((folder / file[0]).resolve()) + text[file.end() :] if file else text


# -- code that a spec runs --------------------------------------------------------------------------


class Recorded(str):
    """A spec from a data file that names programs or Python files the user has not confirmed.

    It can be shown, compared and written again. `parse`, `engine` and `registry.game` refuse it: a data file
    never starts a program and never loads code. `gameplay.store.trust` decides which specs are marked.
    """


def refuse(text: str, items: "tuple[str, ...]") -> None:
    """Raise Untrusted for a spec from a data file that names programs or Python files."""
    if items and isinstance(text, Recorded):
        raise Untrusted(items)


def is_file(head: str) -> bool:
    """True for a Python file rather than a name: `./sticks.py`, `/home/ann/sticks.py:Sticks`."""
    return ".py" in head or "/" in head or "\\" in head


def game_code(text: str) -> tuple[str, ...]:
    """The Python file that a game's spec loads, as an absolute path; none for a game by name or a tree."""
    head, _ = split(text)
    return (_code_path(head),) if is_file(head) and not head.endswith(".toml") else ()


def player_code(text: str) -> tuple[str, ...]:
    """The programs that a player's spec starts and the Python files that it loads.

    Programs are written as specs without limits and names, files as absolute paths. A command with a relative
    path among its arguments is written with the current folder, on which the path depends.
    """
    kind, colon, rest = text.partition(":")
    if colon and kind in PROTOCOLS:
        return (_program_code(_program(text, kind, rest)),)
    if text == HUMAN or kind == SCRIPT or not re.search(r"[:./\\]", text):
        return ()
    return _engine_code(_level(text, rest) if kind == LEVEL else _engine(text))


def _program_code(program: "ProgramSpec") -> str:
    plain = structs.replace(program, limit=Limit(), timeout=TIMEOUT, name="")
    relative = [word for word in plain.command[1:] if not os.path.isabs(word) and os.path.exists(word)]
    return f"{plain} in {os.getcwd()}" if relative else str(plain)


def _engine_code(spec: "EngineSpec | LevelSpec") -> tuple[str, ...]:
    files = [spec.known[kinds.USER_DEFINED]] if kinds.USER_DEFINED in spec.known else []
    if isinstance(spec, EngineSpec):
        files += [spec.name] if is_file(spec.name) or spec.name.endswith(".toml") else []
        files += [word for word in (spec.options.get("eval", ""),) if ".py" in word]
    return tuple(map(_code_path, files))


def _code_path(word: str) -> str:
    head, colon, _ = word.partition(".py:")
    return os.path.realpath(os.path.expanduser(head + ".py" if colon else word))


# -- players ----------------------------------------------------------------------------------------


class Spec(msgspec.Struct, frozen=True):
    """A parsed player spec. Kinds of players without knowledge or files use these defaults."""

    @property
    def knowledge(self) -> dict[str, str]:
        """The paths of its books and tables, by option."""
        return {}

    @property
    def files(self) -> list[str]:
        """The files that determine its play."""
        return []

    def with_knowledge(self, paths: Mapping[str, str]) -> "Spec":
        """A copy with exactly this knowledge, if the player can have any."""
        return self

    def with_defaults(self, paths: Mapping[str, str]) -> "Spec":
        """A copy with this knowledge for the options that it does not set."""
        return self.with_knowledge({**paths, **self.knowledge})

    def without(self, option: str) -> "Spec":
        """A copy without the knowledge of one option."""
        return self.with_knowledge({name: path for name, path in self.knowledge.items() if name != option})

    def absolute(self, folder: Path) -> "Spec":
        """A copy with the paths of its files absolute from `folder`."""
        return self


class HumanSpec(Spec, frozen=True):
    """`human`."""

    def __str__(self) -> str:
        return HUMAN


class _KnowingSpec(Spec, frozen=True):
    """An engine or a level, which can use books and tables."""

    known: dict[str, str]

    @property
    def knowledge(self) -> dict[str, str]:
        return self.known

    @property
    def files(self) -> list[str]:
        return [
            path for name, path in self.known.items() if kinds.takes_file(name) and path not in books.KEYWORDS
        ]

    def with_knowledge(self, paths: Mapping[str, str]) -> Spec:
        return structs.replace(self, known=dict(paths))

    def absolute(self, folder: Path) -> Spec:
        return structs.replace(
            self,
            known={name: os.pathsep.join(_absolute_paths(path, folder)) for name, path in self.known.items()},
        )


class EngineSpec(_KnowingSpec, frozen=True):
    """An engine by name or file. options: as typed, including limits."""

    name: str
    options: dict[str, str] = {}

    @property
    def files(self) -> list[str]:
        code = _FILE.match(self.name)
        data = [self.options["file"]] if self.name in FILED and "file" in self.options else []
        return [*([code[0]] if code else []), *data, *super().files]

    def with_option(self, name: str, value: object) -> "EngineSpec":
        """A copy with one option set."""
        return structs.replace(self, options=self.options | {name: str(value)})

    def absolute(self, folder: Path) -> Spec:
        spec = super().absolute(folder)
        assert isinstance(spec, EngineSpec)
        options = dict(self.options)
        if self.name in FILED and "file" in options:
            options["file"] = str((folder / os.path.expanduser(options["file"])).resolve())
        if "eval" in options:
            options["eval"] = evaluation.resolve_file(options["eval"], folder)
        return structs.replace(spec, name=absolute(self.name, folder), options=options)

    def __str__(self) -> str:
        return join(self.name, self.options | self.known)


class LevelSpec(_KnowingSpec, frozen=True):
    """`level:N`."""

    level: int

    def __str__(self) -> str:
        return ",".join([f"{LEVEL}:{self.level}", *(f"{name}={path}" for name, path in self.known.items())])


class ScriptSpec(Spec, frozen=True):
    """`script:MOVES` or `script:FILE`: the moves, or their file."""

    moves: tuple[str, ...] = ()
    file: str = ""

    @property
    def files(self) -> list[str]:
        return [self.file] if self.file else []

    def absolute(self, folder: Path) -> Spec:
        return structs.replace(self, file=str((folder / self.file).resolve())) if self.file else self

    def __str__(self) -> str:
        line = self.file or " ".join(self.moves)
        return f'{SCRIPT}:"{line}"' if "," in line else f"{SCRIPT}:{line}"


class ProgramSpec(Spec, frozen=True):
    """`PROTOCOL:COMMAND,NAME=VALUE,...`. `options` go to the program."""

    protocol: str
    command: tuple[str, ...]
    limit: Limit = msgspec.field(default_factory=Limit)
    options: dict[str, str] = {}
    timeout: float = TIMEOUT
    name: str = ""
    ponder: bool = False

    def __str__(self) -> str:
        parts = [f"{self.protocol}:{' '.join(map(_quote, self.command))}"]
        parts += [f"{key}={value}" for key, value in limit_options(self.limit).items()]
        if self.timeout != TIMEOUT:
            parts.append(f"timeout={self.timeout:g}")
        if self.name:
            parts.append(f"name={self.name}")
        if self.ponder:
            parts.append("ponder=on")
        reserved = (*LIMITS, "timeout", "name", "ponder")
        return ",".join(parts + [f"{'option.' * (k in reserved)}{k}={v}" for k, v in self.options.items()])


def parse(text: str) -> Spec:
    """Parse a player. Raises Usage for an invalid spec, Untrusted for `Recorded` code."""
    kind, colon, rest = text.partition(":")
    if isinstance(text, Recorded):
        refuse(text, player_code(text))
    if text == HUMAN:
        return HumanSpec()
    if kind == SCRIPT:
        return _script(text, rest)
    if colon and kind in PROTOCOLS:
        return _program(text, kind, rest)
    return _level(text, rest) if kind == LEVEL else _engine(text)


def engine(text: str) -> EngineSpec:
    """Parse an engine. Raises Usage for another kind of player or malformed options; else as `parse`."""
    if isinstance(text, Recorded):
        refuse(text, player_code(text))
    kind, colon, _ = text.partition(":")
    if text == HUMAN or (colon and kind in (*PROTOCOLS, LEVEL, SCRIPT)):
        raise Usage(
            f"'{brief(text)}' is a player, and an engine of this program is expected (gameplay engines lists "
            "them); players meet in gameplay match"
        )
    return _engine(text)


def _level(text: str, rest: str) -> LevelSpec:
    number, *others = (part.strip() for part in rest.split(","))
    paths: dict[str, str] = {}
    for part in others:
        name, _, path = (piece.strip() for piece in part.partition("="))
        if name not in kinds.options():
            raise Usage(
                f"'{text}': a level accepts only the options {', '.join(kinds.options())}, not {name}. "
                "Try: level:5,book=own"
            )
        _set_once(paths, name, path, text)
    _check_paths(f"'{text}'", paths)
    return LevelSpec(paths, read_option(f"'{text}'", LEVEL, number, LEVELS, 5))


def _engine(text: str) -> EngineSpec:
    name, options = split(text, "alphabeta:depth=6,order=killer")
    paths = {key: options.pop(key) for key in list(options) if key in kinds.options()}
    _check_paths(name, paths)
    return EngineSpec(paths, name, options)


def _check_paths(owner: str, paths: Mapping[str, str]) -> None:
    """Raise Usage for knowledge without a path."""
    for name, path in paths.items():
        if not path:
            raise refusal(owner, name, path, "a file" if kinds.takes_file(name) else "a folder", "PATH")


def parse_list(text: str) -> list[str]:
    """Split `human,alphabeta:depth=6,order=killer` into `human` and `alphabeta:depth=6,order=killer`."""
    parts: list[str] = []
    for part in _parts(text):
        option = _CONTINUES_PROGRAM if parts and is_program(parts[-1]) else _CONTINUES
        if parts and (option.fullmatch(part) or part.partition("=")[0] in kinds.options()):
            parts[-1] += "," + part
        elif part:
            parts.append(part)
    return parts


def limit_options(limit: Limit) -> dict[str, Any]:
    """A limit as the options of a spec."""
    options = {"depth": limit.depth, "nodes": limit.nodes, "time": limit.seconds}
    options["sims"] = limit.simulations
    options["multipv"] = limit.multipv if limit.multipv > 1 else None
    return {key: value for key, value in options.items() if value is not None}


def typed_limit(spec: Spec) -> Limit:
    """The limits among the options of an engine, without loading it; none for other players. Raises Usage."""
    options = spec.options if isinstance(spec, EngineSpec) else {}
    return limit_of(f"'{spec}'", options)


def limit_of(owner: str, options: Mapping[str, str]) -> Limit:
    """The limits among the options of a player, as typed. Raises Usage, which names the owner."""
    limits = {key: read_option(owner, key, options[key], KINDS[key], 1) for key in KINDS if key in options}
    return Limit(
        limits.get("depth"),
        limits.get("nodes"),
        limits.get("time"),
        multipv=limits.get("multipv", 1),
        simulations=limits.get("sims"),
    )


def is_level(text: str) -> bool:
    """True if `text` names a level."""
    return text.partition(":")[0] == LEVEL


def is_program(text: str) -> bool:
    """True for an external program: `uci:COMMAND`, or another of `PROTOCOLS`."""
    kind, colon, _ = text.partition(":")
    return bool(colon) and kind in PROTOCOLS


# -- parsing ----------------------------------------------------------------------------------------


def _parts(text: str) -> list[str]:
    """Split at unquoted commas; quotes are kept."""
    return [part.strip() for part in _PART.findall(text)]


def _absolute_paths(path: str, folder: Path) -> list[str]:
    if path in books.KEYWORDS:
        return [path]
    return [str((folder / os.path.expanduser(part)).resolve()) for part in path.split(os.pathsep)]


def _quote(part: str) -> str:
    return f"'{part}'" if "," in part and "'" not in part else shlex.quote(part)


def _script(text: str, rest: str) -> ScriptSpec:
    line = rest.strip()
    if line[:1] in ("'", '"') and line[-1:] == line[:1]:
        line = line[1:-1].strip()
    if line.startswith(("/", "./", "../", "~/")) or re.search(r"\.[a-z]\w*$", line):
        return ScriptSpec(file=os.path.expanduser(line))
    if not line:
        raise Usage(f"'{text}' names no moves: write them in their order, as in script:4 4 3")
    return ScriptSpec(tuple(line.split()))


def _program(text: str, protocol: str, rest: str) -> ProgramSpec:
    """Parse a program; a relative path of its executable is made absolute."""
    parts = _parts(rest)
    try:
        command = shlex.split(parts[0]) if parts else []
    except ValueError as error:
        raise Usage(f"'{text}': there is {str(error).lower()}") from None
    if not command:
        form, example = ("HOST:PORT", "127.0.0.1:27531") if protocol == DXP else ("COMMAND", "./engine")
        raise Usage(f"'{text}' names no program: write {protocol}:{form}, as in {protocol}:{example}")
    command[0] = os.path.expanduser(command[0])
    if os.sep in command[0]:
        command[0] = os.path.abspath(command[0])
    given: dict[str, str] = {}  # all parts as typed
    limits: dict[str, str] = {}
    options: dict[str, str] = {}
    timeout, name, ponder = TIMEOUT, "", False
    for part in parts[1:]:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key:
            raise Usage(
                f"'{text}': '{part}' should read NAME=VALUE (quote a comma that is part of the command)"
            )
        _set_once(given, key, value, text)
        if key == "name":
            name = value
        elif key == "timeout":
            timeout = read_option(f"'{text}'", key, value, TIMEOUT_RANGE, f"{TIMEOUT:g}")
        elif key == "ponder":
            ponder = read_option(f"'{text}'", key, value, ON_OFF, "on")
        elif key in LIMITS:
            limits[key] = value
        else:
            _set_once(options, key.removeprefix("option."), value, text)
    limit = limit_of(f"'{text}'", limits)
    if ponder and protocol not in PONDERING:
        raise Usage(f"'{text}': ponder=on is for {', '.join(PONDERING)}; leave it out")
    return ProgramSpec(protocol, tuple(command), limit, options, timeout, name, ponder)
