"""Loads games, engines and knowledge by name, file or entry point."""

import importlib
import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from gameplay import catalogue, evaluation, file_io, specs
from gameplay.capabilities import Bounded, ForPlayers
from gameplay.catalogue import name_of
from gameplay.errors import (
    BadInput,
    Fault,
    GameplayError,
    Terminated,
    UnreadableFile,
    Usage,
    WrongParameter,
    brief,
    describe_exception,
    unknown_name,
)
from gameplay.knowledge import kinds
from gameplay.knowledge.books import book as books
from gameplay.knowledge.kinds import USER_DEFINED
from gameplay.knowledge.knowledge import Knowledge
from gameplay.once import once_per_folder
from gameplay.options import Whole, kind_of, read_option, refusal
from gameplay.position import AbstractPosition, Position, parameters, signature
from gameplay.search.limit import KINDS, Limit
from gameplay.usercode import plugin

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

    Provider = Callable[[str], tuple[Engine, Limit]]

ENTRY_POINTS = "gameplay.games"
ENGINE_POINTS = "gameplay.engines"
CUSTOM_GAME = "for a game of your own, give its file: ./NAME.py"
CUSTOM_ENGINE = "for an engine of your own, give its file: ./NAME.py"
CONTRACTS = {"gameplay.position", "gameplay.kernel", "gameplay.adapter"}  # define no games


class Game(msgspec.Struct, frozen=True):
    """A game and its parameters: creates positions, in this or, by its `spec`, in another process."""

    spec: str  # loads the same game again: `connect4:columns=8`, `/home/ann/sticks.py:Sticks`
    name: str  # displayed: `connect4`
    cls: type[AbstractPosition]
    parameters: dict[str, Any] = {}

    def with_seed(self, seed: int, again: bool = False) -> "Game":
        """The game with this seed, if it has such a parameter. `again`: replace a seed in its spec too."""
        if "seed" not in parameters(self.cls) or ("seed" in self.parameters and not again):
            return self
        head, options = specs.split(self.spec)
        spec = specs.join(head, options | {"seed": str(seed)})
        return structs.replace(self, spec=spec, parameters=self.parameters | {"seed": seed})

    def with_parameters(self, options: dict[str, str]) -> "Game":
        """The game with some parameters replaced."""
        head, given = specs.split(self.spec)
        return game(specs.join(head, given | options))

    def new(self, text: str | None = None) -> AbstractPosition:
        """A new position: the start, or the one `text` describes.

        Raises BadInput for invalid text or a class that does not derive from Position, Usage if `text` is not
        a str.
        """
        if text is not None and not isinstance(text, str):
            raise refusal("", "text", text, "a position in the notation of the game", "None")
        make: Callable[..., AbstractPosition] = self.cls
        try:
            position = make(**self.parameters)
        except BadInput as error:
            values = self.parameters.values()
            names_file = any(isinstance(value, str) and os.path.isfile(value) for value in values)
            if names_file or isinstance(error, UnreadableFile):
                raise  # a file is wrong, not the parameter that names it
            raise WrongParameter(str(error)) from None
        except (GameplayError, Terminated):
            raise
        except (Exception, SystemExit) as error:
            if isinstance(error, ValueError) and self.parameters:  # the game rejected a parameter
                raise Usage(f"{self.spec}: {error}") from None
            numbers = [number for number in self.parameters.values() if isinstance(number, int)]
            if isinstance(error, OverflowError) and max(map(abs, numbers), default=0) >= 1 << 31:
                raise Usage(f"{self.spec}: the number {max(numbers, key=abs)} is too large") from None
            raise Fault(f"{self.name}: the constructor raised {describe_exception(error)}") from error
        if not isinstance(position, AbstractPosition):
            name = self.cls.__name__
            raise BadInput(
                f"{name} is not a subclass of gameplay.Position: write class {name}(gameplay.Position), "
                "and super().__init__() in its constructor"
            )
        if text:
            position.setup(text)
        return position


def game_names() -> list[str]:
    """The names of the built-in games and those of plug-ins."""
    return sorted({*catalogue.games(), *plugin.entry_points(ENTRY_POINTS)})


def game(spec: str | type) -> Game:
    """Load the game `spec`: `NAME`, `FILE.py`, `FILE.py:Class` or `FILE.toml`, with `:key=value,...`.

    A class is accepted too, such as one defined in a notebook; other processes can only load one from a file.
    Raises Usage for an unknown name or parameter, BadInput for a file or a class that cannot be used,
    Untrusted for code that a data file names (`specs.Recorded`).
    """
    if isinstance(spec, specs.Recorded):
        specs.refuse(spec, specs.game_code(spec))
    if isinstance(spec, str):
        return (_registered_game(spec) if _registered_games else None) or _load_game(spec)
    if not _is_game(spec):
        raise BadInput(
            f"{getattr(spec, '__name__', repr(spec))} is not a game; expected a subclass of "
            "gameplay.Position with moves(), make(move), outcome() and turn, a name or a file"
        )
    name = spec.__name__.lower()
    return Game(name, name, spec, _parameters(spec, name, {}))


custom_games: list[Game] = []  # those loaded from Python files
_registered_games: dict[str, type[AbstractPosition]] = {}  # by name
_registered_engines: "dict[str, tuple[Any, type[Engine]]]" = {}  # the user's object and its class


def register_game(cls: type) -> Game:
    """Register a class, so that `game` loads it by its name in this process; return the game.

    Raises BadInput as `game`, and Usage for the name of a built-in game.
    """
    builtin = catalogue.game_of(cls) if isinstance(cls, type) else ""
    if builtin:
        return game(builtin)
    registered = game(cls)
    if catalogue.game_by_alias(registered.name):
        raise Usage(f"{registered.name} is a built-in game: rename the class {cls.__name__}")
    _registered_games[registered.name] = registered.cls
    return registered


def register_engine(thing: Any) -> str:
    """Register a class, a function or an object with `search`; return the name by which `engine` loads it.

    It is registered in this process only. Raises BadInput for a `thing` that cannot be an engine, Usage for
    the name of a built-in engine.
    """
    from gameplay.adoption import ENGINE_FORMS, engine_of

    if thing is None or isinstance(thing, (bool, int, float, bytes, list, tuple, dict)):
        raise BadInput(f"{brief(repr(thing))} is not an engine; expected a name or {ENGINE_FORMS}")
    source = thing if inspect.isclass(thing) or inspect.isfunction(thing) else type(thing)
    call = thing if source is thing or not hasattr(thing, "search") else thing.search
    name = stem = source.__name__.lower().strip("_<>") or "engine"
    if _builtin_engine(name):
        raise Usage(f"{name} is a built-in engine: rename {source.__name__}")
    number = 1
    while name in _registered_engines and not _replaces(thing, _registered_engines[name][0]):
        number += 1
        name = f"{stem}{number}"
    _registered_engines[name] = thing, engine_of(call, name, name, quiet=False)
    return name


def _replaces(thing: Any, old: Any) -> bool:
    """True for the same object, or a class or function defined again, as in a notebook."""
    if thing is old:
        return True
    names = [
        (getattr(source, "__module__", ""), getattr(source, "__qualname__", None)) for source in (thing, old)
    ]
    return names[0] == names[1] and names[0][1] is not None


def is_registered(spec: str) -> bool:
    """True if a spec names a game or an engine registered in this process, which no other can load."""
    head = spec.partition(":")[0]
    return head in _registered_games or head in _registered_engines


def _registered_game(spec: str) -> Game | None:
    head, options = specs.split(spec)
    cls = _registered_games.get(head)
    if cls is None:
        return None
    return Game(specs.join(head, options), head, cls, _parameters(cls, head, options))


@once_per_folder
def _load_game(spec: str) -> Game:
    head, options = specs.split(spec)
    if not head:
        raise Usage(f"the name of the game is empty in '{spec}'; expected a name or a file. Try: connect4")
    if head.endswith(".toml"):
        if not os.path.isfile(head):
            raise BadInput(file_io.no_file(head))
        options = {"file": str(Path(head).resolve())} | options
        cls, name, place = _builtin_game("tree"), Path(head).stem, "tree"
    elif head == specs.OPENSPIEL:
        cls, place = _openspiel_class(options), head
        name = specs.join(head, options)
    elif specs.is_file(head):
        cls, place = _load_file(head)
        name = cls.__name__.lower()
    else:
        head, options = _split_size(head, options)
        cls, name = game_class(head)
        place = name
    if "players" in options and isinstance(cls, ForPlayers):
        cls = cls.for_players(read_option(name, "players", options["players"], Whole(), 2))
    values = _parameters(cls, name, options, head)
    fits = cls.fits if isinstance(cls, Bounded) else None
    if fits is not None and not fits(**values):
        from gameplay.native.wide import wide

        cls = wide(cls.__module__, cls.__name__)
    loaded = Game(specs.join(place, options), name, cls, values)
    if specs.is_file(place):
        custom_games.append(loaded)
    return loaded


def _openspiel_class(options: dict[str, str]) -> type[AbstractPosition]:
    """The class of OpenSpiel's games. Raises Usage if the options name no game."""
    if "game" not in options:
        raise Usage(
            "openspiel needs the name of a game, as in openspiel:kuhn_poker "
            "(gameplay games openspiel lists them)"
        )
    cls: type[AbstractPosition] = importlib.import_module("gameplay.openspiel.game").OpenSpiel
    return cls


def _split_size(head: str, options: dict[str, str]) -> tuple[str, dict[str, str]]:
    """The name and options of a game; `go 19` is `go:size=19` in games with that parameter."""
    name, _, number = head.rpartition(" ")
    game = catalogue.game_by_alias(name)
    sized = number.isdecimal() and game and not catalogue.game_by_alias(head)
    if sized and "size" in parameters(_builtin_game(game)):
        _check_size(game, number)
        return game, {"size": number} | options
    return head, options


def _check_size(game: str, number: str) -> None:
    """Raise Usage if a word after the name of a game is not one of its sizes, but perhaps a depth."""
    try:
        _load_game(specs.join(game, {"size": number})).new()
    except GameplayError as error:
        raise Usage(_unexpected_word(f"{game} {number}", game, number) + f" ({error})") from None


def _unexpected_word(word: str, game: str, rest: str) -> str:
    return (
        f"unknown game '{brief(word)}': '{brief(rest)}' after {brief(game)} is unexpected; "
        "options begin with --, parameters with :"
    )


def join_words(words: Iterable[str]) -> str:
    """The spec of a game given in several words, such as `go 19`. Raises Usage for words after parameters."""
    given = [*words]
    for number, (word, after) in enumerate(pairwise(given), 1):
        if (
            ":" in word
            and not specs.is_file(word)
            and not word.endswith((",", ":", "="))
            and after[:1] != ","
        ):
            head, rest = " ".join(given[:number]), " ".join(given[number:])
            raise Usage(_unexpected_word(" ".join(given), head, rest))
    return " ".join(given)


def game_class(word: str) -> tuple[type[AbstractPosition], str]:
    """The class and the canonical name of the built-in game or plug-in `word`."""
    if name := catalogue.game_by_alias(word):
        plugin.warn(ENTRY_POINTS, name, catalogue.game_by_alias)
        return _builtin_game(name), name
    plugins = plugin.entry_points(ENTRY_POINTS)
    if word not in plugins:
        game, _, rest = word.partition(" ")
        if rest and catalogue.game_by_alias(game):
            raise Usage(_unexpected_word(word, game, rest))
        raise Usage(unknown_name("game", word, game_names(), "gameplay games", CUSTOM_GAME))
    plugin.warn(ENTRY_POINTS, word, catalogue.game_by_alias)
    return plugin.load("game", plugins[word]), word


def plugin_clashes() -> list[str]:
    """A sentence about each installed plug-in that is ignored because its name is in use."""
    games, engines = (
        plugin.clashes(ENTRY_POINTS, catalogue.game_by_alias),
        plugin.clashes(ENGINE_POINTS, _builtin_engine),
    )
    return [*games.values(), *engines.values()]


def evaluations() -> dict[str, dict[str, str]]:
    """The descriptions of the built-in evaluations, by game and name; the default first."""
    classes = {name: _builtin_game(name) for name in catalogue.games()}
    by_game = {name: cls.evaluations or {} for name, cls in classes.items()}
    return {
        game: {name: evaluation.words for name, evaluation in evaluations.items()}
        for game, evaluations in by_game.items()
        if evaluations
    }


def _parameters(cls: type, name: str, options: dict[str, str], typed: str = "") -> dict[str, Any]:
    """The values of a game's parameters. `typed`: the head of its spec, to be repeated; empty for a class."""
    declared = parameters(cls)
    open_ended = any(p.kind is p.VAR_KEYWORD for p in signature(cls).parameters.values())
    values: dict[str, Any] = {}
    for key, text in options.items():
        if key not in declared and open_ended:  # checked by the game, such as the unknown leaves of a tree
            values[key] = text
            continue
        if key not in declared:
            raise Usage(f"{name}: {unknown_name('parameter', key, declared)}")
        default = declared[key].default
        values[key] = read_option(name, key, text, kind_of(default), default)
    missing = [k for k, p in declared.items() if p.default is inspect.Parameter.empty and k not in values]
    if missing and name in specs.FILED:
        raise Usage(
            f"{name} needs {missing[0]}: write {name}:NAME or {name}:FILE.toml (gameplay trees lists names)"
        )
    if missing and not typed:
        raise Usage(f"{name} needs {', '.join(missing)}: give each a default, as in {missing[0]}=1")
    if missing:
        spec = specs.join(typed, options | dict.fromkeys(missing, "VALUE"))
        raise Usage(f"{name} needs {', '.join(missing)}: write {spec}")
    return values


def is_engine(spec: str) -> bool:
    """True for an engine name, and for a file, or a name in a file, that defines an engine and no game."""
    head = specs.split(spec)[0]
    if head.endswith(".toml"):
        return False
    if not specs.is_file(head):
        return head in engine_names() and head not in game_names()
    path, colon, wanted = head.partition(".py:")
    module = plugin.load_module(Path(path + ".py" if colon else path), "an engine or a game is a .py file")
    from gameplay.adoption import DEFAULT_FUNCTION, engine_candidates

    if wanted:
        thing = getattr(module, wanted, None)
        return thing is not None and not _is_game(thing) and _is_kind(thing, "engine")
    if _candidates(module, "game"):
        return False
    engines = engine_candidates(module)
    return bool(engines) and (DEFAULT_FUNCTION in engines or any(map(inspect.isclass, engines.values())))


def _builtin_game(name: str) -> type[AbstractPosition]:
    module = importlib.import_module(catalogue.games()[name])
    cls: type[AbstractPosition] = _single(_candidates(module, "game"), name)
    return cls


def _load_file(head: str, kind: str = "game") -> tuple[Any, str]:
    """The game or engine in a user's file, and the spec that loads it again from any folder."""
    path_text, _, wanted = head.partition(".py:") if ".py:" in head else (head, "", "")
    path = Path(path_text + ".py" if wanted else path_text)
    other = "a tree" if kind == "game" else "its options"
    article = "an" if kind == "engine" else "a"
    module = plugin.load_module(path, f"{article} {kind} is a .py file, {other} a .toml file")
    candidates = _candidates(module, kind)
    if wanted:
        thing = getattr(module, wanted, None)
        if not _is_kind(thing, kind):
            raise Usage(f"{path}: {unknown_name(kind, wanted, candidates)}")
        return thing, f"{path.resolve()}:{wanted}"
    thing = _single(candidates, str(path), kind)
    return thing, f"{path.resolve()}:{thing.__name__}"


def _candidates(module: ModuleType, kind: str) -> dict[str, Any]:
    """The games or engines that a module defines and does not import, by name."""
    if kind == "engine":
        from gameplay.adoption import engine_candidates

        return engine_candidates(module)
    return {
        key: thing
        for key, thing in vars(module).items()
        if not key.startswith("_") and _is_game(thing) and thing.__module__ == module.__name__
    }


def _is_kind(thing: Any, kind: str) -> bool:
    if kind == "engine":
        from gameplay.adoption import is_engine

        return is_engine(thing)
    return _is_game(thing)


def _is_game(thing: Any) -> bool:
    if not inspect.isclass(thing) or thing.__module__ in CONTRACTS:
        return False
    return issubclass(thing, Position) or all(hasattr(thing, word) for word in ("moves", "make", "outcome"))


def _single(candidates: dict[str, Any], place: str, kind: str = "game") -> Any:
    """The only candidate in a file. Raises BadInput if there is none, Usage if there are several."""
    if not candidates and kind == "engine":
        from gameplay.adoption import ENGINE_FORMS

        raise BadInput(f"{place} holds no engine; expected {ENGINE_FORMS}. Try: gameplay engines --template")
    if not candidates:
        raise BadInput(
            f"{place} holds no game; expected a class with moves(), make(move), outcome() and turn"
        )
    if len(candidates) > 1:
        listed = ", ".join(candidates)
        raise Usage(f"{place} holds several {kind}s ({listed}). Try: {place}:{next(iter(candidates))}")
    return next(iter(candidates.values()))


# -- engines ------------------------------------------------------------------------------------


def summary(name: str, kind: str = "game") -> str:
    """A game or an engine in one line: the summary of its rules, else the first line of its docstring."""
    if kind == "game" and (file := catalogue.rules_file(name)):
        import tomllib

        return str(tomllib.loads(file.read_text(encoding="utf-8"))["summary"])
    cls = engine_class(name) if kind == "engine" else game_class(name)[0]
    return (inspect.getdoc(cls) or "").partition("\n")[0].strip()


def engine_names() -> list[str]:
    """The names of the built-in engines and those of plug-ins."""
    return sorted({*catalogue.engines(), *plugin.entry_points(ENGINE_POINTS)})


def engine_class(word: str) -> "type[Engine]":
    """The class of the engine `word`; case, hyphens and aliases are accepted: `alpha-beta`, `ab`.

    `FILE.py`, or `FILE.py:NAME` for a class or a function in it, is a user-defined engine. Raises Usage for
    an unknown name, BadInput for a file that cannot be used, Fault if its code fails.
    """
    if word in _registered_engines:
        return _registered_engines[word][1]
    if specs.is_file(word):
        from gameplay.adoption import engine_of

        thing, place = _load_file(word, "engine")
        name = thing.__name__.lower() if inspect.isclass(thing) else Path(place.rpartition(":")[0]).stem
        return engine_of(thing, name, place)
    plain = _builtin_engine(word)
    if plain:
        plugin.warn(ENGINE_POINTS, plain, _builtin_engine)
    else:
        plugins = plugin.entry_points(ENGINE_POINTS)
        if word in plugins:
            plugin.warn(ENGINE_POINTS, word, _builtin_engine)
            from gameplay.adoption import engine_of

            return engine_of(plugin.load("engine", plugins[word]), word, word)
        plain = _engine_by_alias(word)
        if not plain:
            raise Usage(unknown_name("engine", word, engine_names(), "gameplay engines", CUSTOM_ENGINE))
    module = importlib.import_module(catalogue.engines()[plain])
    classes: Iterable[type[Engine]] = filter(inspect.isclass, vars(module).values())
    return next(
        thing for thing in classes if thing.__module__ == module.__name__ and vars(thing).get("name") == plain
    )


def _builtin_engine(word: str) -> str:
    """The name of the built-in engine `word`, "" if there is none."""
    plain = _normalize(word)
    return plain if plain in catalogue.engines() else ""


def _engine_by_alias(word: str) -> str:
    """The built-in engine that has `word` as an alias, "" if there is none."""
    plain = _normalize(word)
    for name, module in catalogue.engines().items():
        if plain in importlib.import_module(module).ALIASES:
            return name
    return ""


def _normalize(word: str) -> str:
    return word.lower().replace("-", "").replace("_", "").replace(" ", "")


def check_engine(engine: "Engine", position: AbstractPosition) -> None:
    """Raise Usage if the engine or one of its options does not support the game; list the engines that do."""
    reason = engine.incompatibility(position)
    if reason:
        suitable = [name for name in engine_names() if engine_class(name).suitability(position)]
        raise Usage(f"{engine.name} cannot play this: {reason} (these can: {', '.join(suitable) or 'none'})")
    engine.check(position)


def default_engine(position: AbstractPosition) -> "type[Engine]":
    """The engine class with the greatest suitability for a game; the first by name among equals.

    Raises Usage if no engine can play it.
    """
    classes = [engine_class(name) for name in engine_names()]
    best = max(classes, key=lambda cls: cls.suitability(position))
    if not best.suitability(position):
        raise Usage(f"no engine can play {name_of(position)}")
    return best


def engine(spec: Any) -> "tuple[Engine, Limit]":
    """Create the engine and the Limit of `spec`: `alphabeta:order=random,depth=8`, or a TOML file.

    The file has the same keys, and `engine`; options after its name override it. Tables and other knowledge,
    `iterative:tables=FOLDER`, are opened when a position is searched. A class or a function is accepted too,
    such as one defined in a notebook, with its default options and no limit. Raises Usage for an unknown
    engine, option or value, BadInput for a file that cannot be read or a `spec` that cannot be an engine.
    """
    if not isinstance(spec, str):
        from gameplay.adoption import engine_of

        name = getattr(spec, "__name__", type(spec).__name__)
        return engine_of(spec, name.lower(), name).from_options({}), Limit()
    head, given, limit = parse_engine(spec)
    provider = _overrides.get(_path(head)) if _overrides else None
    if provider is not None:
        return provider(spec)
    cls = engine_class(head)
    options = cls.options()
    paths = {key: given.pop(key) for key in kinds.options() if key in given and key not in options}
    engine = cls.from_options(given)
    if paths and not cls.thinks:
        raise Usage(f"{cls.name} does not search and uses no knowledge. Try: leave {next(iter(paths))} out")
    if paths:
        engine.known = paths
        engine.sources = lambda position: open_sources(engine, paths, game_of(position))
    return engine, limit


_overrides: "dict[str, Provider]" = {}  # by the path of a file


@contextmanager
def override_engines(file: Path, provider: "Provider") -> Iterator[None]:
    """A context in which `engine` creates the engines of a file by `provider(spec)` instead of loading it."""
    path = _path(str(file))
    _overrides[path] = provider
    try:
        yield
    finally:
        del _overrides[path]


def is_overridden(head: str) -> bool:
    """True within `override_engines` for the file of an engine's spec."""
    return bool(_overrides) and _path(head) in _overrides


def _path(head: str) -> str:
    """The file of an engine's spec; "" for a name."""
    if ".py" not in head:
        return ""
    return str(Path(head.partition(".py:")[0] + ".py" if ".py:" in head else head).resolve())


def parse_engine(spec: str) -> tuple[str, dict[str, Any], Limit]:
    """Parse an engine's spec into its name or file, its options as typed, and its Limit.

    Raises as `engine`, without loading any engine.
    """
    words = specs.engine(spec)
    head, options = _read_engine_file(words.name) if words.name.endswith(".toml") else (words.name, {})
    given: dict[str, Any] = {**options, **words.options, **words.knowledge}
    limits = {key: given.pop(key) for key in KINDS if key in given}
    if "eval" in given:
        given["eval"] = evaluation.resolve_file(given["eval"])
    return head, given, specs.limit_of(head, limits)


def _read_engine_file(spec: str) -> tuple[str, dict[str, str]]:
    data = file_io.toml(Path(spec))
    if not isinstance(data.get("engine"), str):
        raise BadInput(f'{spec} names no engine. Try: engine = "iterative"')
    head = data.pop("engine")
    if isinstance(data.get("eval"), str):
        data["eval"] = evaluation.resolve_file(data["eval"], Path(spec).parent)
    words = {True: "on", False: "off"}
    return head, {k: words[v] if isinstance(v, bool) else str(v) for k, v in data.items()}


# -- knowledge ----------------------------------------------------------------------------------


def knowledge_class(path: str) -> type[Knowledge]:
    """The Knowledge class in a user's file. Raises Usage or BadInput unless there is exactly one."""
    if not path.endswith(".py"):
        raise refusal("", USER_DEFINED, path, "a Python file with a subclass of Knowledge", "FILE.py")
    module = plugin.load_module(Path(path), "knowledge is a .py file with a subclass of Knowledge")
    classes = {
        key: thing.__name__
        for key, thing in vars(module).items()
        if not key.startswith("_")
        and inspect.isclass(thing)
        and thing.__module__ == module.__name__
        and all(hasattr(thing, word) for word in ("probe", "advise", "check_supported"))
    }
    if len(classes) != 1:
        listed = ", ".join(classes.values()) or "none"
        raise BadInput(f"{path}: expected one subclass of Knowledge with probe(position), found {listed}")
    cls: type[Knowledge] = vars(module)[next(iter(classes))]
    return cls


def open_knowledge(name: str, path: str, game: Game) -> Knowledge:
    """Open the knowledge that an option names, for a game.

    Raises Usage if it is for another game or its library is missing, BadInput for a damaged file, Fault if
    user code fails.
    """
    if name == books.Book.option and path == books.NO_BOOK:
        return books.NoBook(path)
    if name == books.Book.option and path == books.INCLUDED:
        included = books.included_path(game)
        source: Knowledge = kinds.class_for(name, included)(included, game)
        source.path = books.INCLUDED
        return source
    cls = (
        knowledge_class(_absolute(path) if path else path)
        if name == USER_DEFINED
        else kinds.class_for(name, path)
    )
    try:
        cls.check_supported(game.new())
    except Usage as error:
        if cls.path_kind == "file" and path and not os.path.isfile(_absolute(path)):
            raise Usage(f"{name}: {file_io.no_file(path)}; {error}") from None
        raise
    if not path:
        raise refusal("", name, path, f"a {cls.path_kind}", "PATH")
    if "," in path:
        raise refusal("", name, path, f"a {cls.path_kind} without a comma in its path")
    try:
        return cls(_absolute(path), game)
    except GameplayError:
        raise
    except Exception as error:
        raise Fault(f"{name} {path}: the constructor raised {describe_exception(error)}") from error


def open_sources(engine: "Engine", paths: Mapping[str, str], game: Game) -> tuple[Knowledge, ...]:
    """Open the knowledge that an engine probes within its search.

    Raises Usage for a source that is probed only before a search, such as a book, or never by this engine.
    """
    opened = []
    for name, path in paths.items():
        source = open_knowledge(name, path, game)
        if not (engine.probes_root or source.in_search or isinstance(source, books.NoBook)):
            raise Usage(f"{name}={path} is probed only before a search. Try: leave it out")
        if source.in_search and not (engine.probes_root or engine.probes):
            raise Usage(f"{engine.name} probes no knowledge within its search. Try: leave {name}={path} out")
        opened.append(source)
    return tuple(opened)


def game_of(position: AbstractPosition) -> Game:
    """The game of a position, with the parameters that are attributes of the position."""
    cls = type(position)
    declared = parameters(cls)
    shown = {key: getattr(position, key, parameter.default) for key, parameter in declared.items()}
    values = {key: value for key, value in shown.items() if type(value) is type(declared[key].default)}
    other = {key: value for key, value in values.items() if value != declared[key].default}
    name = catalogue.game_of(cls)
    return Game(specs.join(name, other), name, cls, other)


def _absolute(path: str) -> str:
    """Each path in `path`, which may list several, absolute."""
    return os.pathsep.join(str(Path(os.path.expanduser(part)).resolve()) for part in path.split(os.pathsep))
