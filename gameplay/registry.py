"""Finds games, engines and knowledge: by name, by file, by entry point. A file in its folder is found."""

import importlib
import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gameplay import catalogue, evaluation, file_io, specs
from gameplay.capabilities import Bounded, ForPlayers
from gameplay.catalogue import name_of
from gameplay.errors import (
    BadInput,
    Fault,
    GameplayError,
    Terminated,
    Usage,
    WrongParameter,
    brief,
    raised,
    unknown,
)
from gameplay.knowledge import kinds
from gameplay.knowledge.books import book as books
from gameplay.knowledge.kinds import OWN
from gameplay.knowledge.knowledge import Knowledge
from gameplay.once import once
from gameplay.options import Whole, kind_of, read_option, refused
from gameplay.position import AbstractPosition, Position, parameters, signature
from gameplay.search.limit import KINDS, Limit
from gameplay.usercode import plugin

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

    Provider = Callable[[str], tuple[Engine, Limit]]

ENTRY_POINTS = "gameplay.games"
ENGINE_POINTS = "gameplay.engines"
OWN_GAME = "for a game of your own, give its file: ./NAME.py"
OWN_ENGINE = "for an engine of your own, give its file: ./NAME.py"
CONTRACTS = {"gameplay.position", "gameplay.kernel", "gameplay.adapter"}  # their classes are no games


@dataclass(frozen=True)
class Game:
    """A game with its parameters, ready to be begun any number of times, here or in another process."""

    spec: str  # finds the same game again: `connect4:columns=8`, `/home/ann/sticks.py:Sticks`
    name: str  # for people: `connect4`
    cls: type[AbstractPosition]
    parameters: dict[str, Any] = field(default_factory=dict)

    def seeded(self, seed: int, again: bool = False) -> "Game":
        """The same game with this seed, if it has such a parameter and its spec names none, or `again`."""
        if "seed" not in parameters(self.cls) or ("seed" in self.parameters and not again):
            return self
        head, options = specs.split(self.spec)
        spec = specs.join(head, options | {"seed": str(seed)})
        return replace(self, spec=spec, parameters=self.parameters | {"seed": seed})

    def varied(self, options: dict[str, str]) -> "Game":
        """The same game with other values of some parameters."""
        head, given = specs.split(self.spec)
        return game(specs.join(head, given | options))

    def new(self, text: str | None = None) -> AbstractPosition:
        """A new position: the start, or the one `text` describes.

        Raises BadInput for an invalid text and a class that does not derive from Position, Usage for what is
        no text.
        """
        if text is not None and not isinstance(text, str):
            raise refused("", "text", text, "a position in the notation of the game", "None")
        make: Callable[..., AbstractPosition] = self.cls
        try:
            position = make(**self.parameters)
        except BadInput as error:
            if any(isinstance(value, str) and os.path.isfile(value) for value in self.parameters.values()):
                raise  # what is wrong is in that file
            raise WrongParameter(str(error)) from None
        except (GameplayError, Terminated):
            raise
        except (Exception, SystemExit) as error:
            if isinstance(error, ValueError) and self.parameters:  # the author refuses what was asked for
                raise Usage(f"{self.spec}: {error}") from None
            numbers = [number for number in self.parameters.values() if isinstance(number, int)]
            if isinstance(error, OverflowError) and max(map(abs, numbers), default=0) >= 1 << 31:
                raise Usage(f"{self.spec}: {max(numbers, key=abs)} is too large a number") from None
            raise Fault(f"{self.name}: the constructor raised {raised(error)}") from error
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
    """Every game that can be asked for by name."""
    return sorted({*catalogue.games(), *plugin.offered(ENTRY_POINTS)})


def game(spec: str | type) -> Game:
    """The game that `spec` names: `NAME`, `FILE.py`, `FILE.py:Class` or `FILE.toml`, with `:key=value,...`.

    A class is a game too, such as one defined in a notebook; other processes can only load one from a file.
    Raises Usage for an unknown name or parameter, BadInput for a file or a class that cannot be used,
    Untrusted for code that a data file names (`specs.Recorded`).
    """
    if isinstance(spec, specs.Recorded):
        specs.refuse(spec, specs.game_code(spec))
    if isinstance(spec, str):
        return (_given_game(spec) if _given_games else None) or _named(spec)
    if not _is_game(spec):
        raise BadInput(
            f"{getattr(spec, '__name__', repr(spec))} is not a game: that is a class with moves(), "
            "make(move), outcome() and turn, a subclass of gameplay.Position; or a name or a file"
        )
    name = spec.__name__.lower()
    return Game(name, name, spec, _parameters(spec, name, {}))


_given_games: dict[str, type[AbstractPosition]] = {}  # classes of this process, by the name they have here
_given_engines: "dict[str, tuple[Any, type[Engine]]]" = {}  # ... and what the engine was made of


def give_game(cls: type) -> Game:
    """The game of a class, which `game` finds by name from now on, in this process.

    Raises BadInput as `game`, and Usage for the name of a game of this program.
    """
    own = catalogue.game_of(cls) if isinstance(cls, type) else ""
    if own:
        return game(own)
    given = game(cls)
    if catalogue.game_called(given.name):
        raise Usage(f"{given.name} is a game of this program: rename the class {cls.__name__}")
    _given_games[given.name] = given.cls
    return given


def give_engine(thing: Any) -> str:
    """The name by which `engine` finds a class, a function or an object with `search` from now on.

    In this process. Raises BadInput for what cannot be an engine, Usage for the name of an engine of ours.
    """
    from gameplay.adoption import engine_of

    own = thing if inspect.isclass(thing) or inspect.isfunction(thing) else type(thing)
    call = thing if own is thing or not hasattr(thing, "search") else thing.search
    name = stem = own.__name__.lower().strip("_<>") or "engine"
    if _own_engine(name):
        raise Usage(f"{name} is an engine of this program: rename {own.__name__}")
    number = 1
    while name in _given_engines and not _replaces(thing, _given_engines[name][0]):
        number += 1
        name = f"{stem}{number}"
    _given_engines[name] = thing, engine_of(call, name, name, quiet=False)
    return name


def _replaces(thing: Any, old: Any) -> bool:
    """True for the same thing, and for a class or a function that was defined again, as in a notebook."""
    if thing is old:
        return True
    words = [(getattr(one, "__module__", ""), getattr(one, "__qualname__", None)) for one in (thing, old)]
    return words[0] == words[1] and words[0][1] is not None


def is_given(spec: str) -> bool:
    """True if the spec of a game or an engine names a class of this process, which no other can load."""
    head = spec.partition(":")[0]
    return head in _given_games or head in _given_engines


def _given_game(spec: str) -> Game | None:
    head, options = specs.split(spec)
    cls = _given_games.get(head)
    if cls is None:
        return None
    return Game(specs.join(head, options), head, cls, _parameters(cls, head, options))


@once
def _named(spec: str) -> Game:
    head, options = specs.split(spec)
    if not head:
        raise Usage(f"the name of the game is empty in '{spec}'; expected a name or a file. Try: connect4")
    if head.endswith(".toml"):
        if not os.path.isfile(head):
            raise BadInput(file_io.no_file(head))
        options = {"file": str(Path(head).resolve())} | options
        cls, name, place = _ours("tree"), Path(head).stem, "tree"
    elif head == specs.OPENSPIEL:
        cls, place = _of_openspiel(options), head
        name = specs.join(head, options)
    elif specs.is_file(head):
        cls, place = _from_file(head)
        name = cls.__name__.lower()
    else:
        head, options = _sized(head, options)
        cls, name = game_class(head)
        place = name
    if "players" in options and isinstance(cls, ForPlayers):
        cls = cls.for_players(read_option(name, "players", options["players"], Whole(), 2))
    values = _parameters(cls, name, options)
    fits = cls.fits if isinstance(cls, Bounded) else None
    if fits is not None and not fits(**values):
        from gameplay.native.wide import wide

        cls = wide(cls.__module__, cls.__name__)
    return Game(specs.join(place, options), name, cls, values)


def _of_openspiel(options: dict[str, str]) -> type[AbstractPosition]:
    """The class of games of OpenSpiel. Raises Usage without a game."""
    if "game" not in options:
        raise Usage(
            "openspiel needs the name of a game, as in openspiel:kuhn_poker "
            "(gameplay games openspiel lists them)"
        )
    cls: type[AbstractPosition] = importlib.import_module("gameplay.openspiel.game").OpenSpiel
    return cls


def _sized(head: str, options: dict[str, str]) -> tuple[str, dict[str, str]]:
    """A game's name and options; `go 19` is `go:size=19` in games with that parameter."""
    name, _, number = head.rpartition(" ")
    own = catalogue.game_called(name)
    sized = (
        number.isdecimal() and own and not catalogue.game_called(head) and "size" in parameters(_ours(own))
    )
    return (own, {"size": number} | options) if sized else (head, options)


def game_class(word: str) -> tuple[type[AbstractPosition], str]:
    """The game called `word`, ours or an installed package's, and its name as it is written."""
    if name := catalogue.game_called(word):
        plugin.warn(ENTRY_POINTS, name, catalogue.game_called)
        return _ours(name), name
    plugins = plugin.offered(ENTRY_POINTS)
    if word not in plugins:
        own, _, rest = word.partition(" ")
        if rest and catalogue.game_called(own):
            raise Usage(
                f"there is no game '{brief(word)}': '{brief(rest)}' after {own} is unexpected; "
                "options begin with --, parameters with :"
            )
        raise Usage(unknown("game", word, game_names(), "gameplay games", OWN_GAME))
    plugin.warn(ENTRY_POINTS, word, catalogue.game_called)
    return plugin.loaded("game", plugins[word]), word


def taken() -> list[str]:
    """A sentence about each installed plug-in that cannot be used, because its name is taken."""
    games, engines = (
        plugin.clashes(ENTRY_POINTS, catalogue.game_called),
        plugin.clashes(ENGINE_POINTS, _own_engine),
    )
    return [*games.values(), *engines.values()]


def evaluations() -> dict[str, dict[str, str]]:
    """By game, what each evaluation that our games list weighs, by its name; the default first."""
    classes = {name: _ours(name) for name in catalogue.games()}
    listed = {name: cls.evaluations or {} for name, cls in classes.items()}
    return {game: {name: one.words for name, one in own.items()} for game, own in listed.items() if own}


def _parameters(cls: type, name: str, options: dict[str, str]) -> dict[str, Any]:
    declared = parameters(cls)
    open_ended = any(p.kind is p.VAR_KEYWORD for p in signature(cls).parameters.values())
    values: dict[str, Any] = {}
    for key, text in options.items():
        if (
            key not in declared and open_ended
        ):  # the game itself knows its names, as a tree its unknown leaves
            values[key] = text
            continue
        if key not in declared:
            raise Usage(f"{name}: {unknown('parameter', key, declared)}")
        default = declared[key].default
        values[key] = read_option(name, key, text, kind_of(default), default)
    missing = [k for k, p in declared.items() if p.default is inspect.Parameter.empty and k not in values]
    if missing and name in specs.FILED:
        raise Usage(
            f"{name} needs {missing[0]}: write {name}:NAME or {name}:FILE.toml (gameplay trees lists names)"
        )
    if missing:
        raise Usage(f"{name} needs {', '.join(missing)}: write {name}:{missing[0]}=VALUE")
    return values


def is_engine(spec: str) -> bool:
    """True for the name of an engine, and for a file, or a name in one, that holds an engine and no game."""
    head = specs.split(spec)[0]
    if head.endswith(".toml"):
        return False
    if not specs.is_file(head):
        return head in engine_names() and head not in game_names()
    path, colon, wanted = head.partition(".py:")
    module = plugin.module(Path(path + ".py" if colon else path), "an engine or a game is a .py file")
    from gameplay.adoption import CHOICE, found_in

    if wanted:
        thing = getattr(module, wanted, None)
        return thing is not None and not _is_game(thing) and _fits(thing, "engine")
    if _candidates(module, "game"):
        return False
    engines = found_in(module)
    return bool(engines) and (CHOICE in engines or any(map(inspect.isclass, engines.values())))


def _ours(name: str) -> type[AbstractPosition]:
    module = importlib.import_module(catalogue.games()[name])
    cls: type[AbstractPosition] = _only(_candidates(module, "game"), name)
    return cls


def _from_file(head: str, kind: str = "game") -> tuple[Any, str]:
    """The game or engine in a user's file, and the spec that finds it again from any folder."""
    path_text, _, wanted = head.partition(".py:") if ".py:" in head else (head, "", "")
    path = Path(path_text + ".py" if wanted else path_text)
    other = "a tree" if kind == "game" else "its options"
    article = "an" if kind == "engine" else "a"
    module = plugin.module(path, f"{article} {kind} is a .py file, {other} a .toml file")
    candidates = _candidates(module, kind)
    if wanted:
        thing = getattr(module, wanted, None)
        if not _fits(thing, kind):
            raise Usage(f"{path}: {unknown(kind, wanted, candidates)}")
        return thing, f"{path.resolve()}:{wanted}"
    thing = _only(candidates, str(path), kind)
    return thing, f"{path.resolve()}:{thing.__name__}"


def _candidates(module: ModuleType, kind: str) -> dict[str, Any]:
    """The games or engines that a module itself defines, by name."""
    if kind == "engine":
        from gameplay.adoption import found_in

        return found_in(module)
    return {
        key: thing
        for key, thing in vars(module).items()
        if not key.startswith("_") and _is_game(thing) and thing.__module__ == module.__name__
    }


def _fits(thing: Any, kind: str) -> bool:
    if kind == "engine":
        from gameplay.adoption import is_engine

        return is_engine(thing)
    return _is_game(thing)


def _is_game(thing: Any) -> bool:
    if not inspect.isclass(thing) or thing.__module__ in CONTRACTS:
        return False
    return issubclass(thing, Position) or all(hasattr(thing, word) for word in ("moves", "make", "outcome"))


def _only(candidates: dict[str, Any], place: str, kind: str = "game") -> Any:
    """The one game, or engine, of those found in a file. Raises BadInput for none, Usage for several."""
    if not candidates and kind == "engine":
        from gameplay.adoption import RIGHT

        raise BadInput(f"{place} holds no engine: that is {RIGHT}; gameplay engines --template prints one")
    if not candidates:
        raise BadInput(f"{place} holds no game: a class with moves(), make(move), outcome() and turn")
    if len(candidates) > 1:
        listed = ", ".join(candidates)
        raise Usage(
            f"{place} holds several {kind}s ({listed}): name one, as {place}:{next(iter(candidates))}"
        )
    return next(iter(candidates.values()))


# -- engines ------------------------------------------------------------------------------------


def summary(name: str, kind: str = "game") -> str:
    """A game or an engine in a line: the summary in its rules, else the first line of its docstring."""
    if kind == "game" and (file := catalogue.rules_file(name)):
        import tomllib

        return str(tomllib.loads(file.read_text(encoding="utf-8"))["summary"])
    cls = engine_class(name) if kind == "engine" else game_class(name)[0]
    return (inspect.getdoc(cls) or "").partition("\n")[0].strip()


def engine_names() -> list[str]:
    """Every engine that can be asked for by name."""
    return sorted({*catalogue.engines(), *plugin.offered(ENGINE_POINTS)})


def engine_class(word: str) -> "type[Engine]":
    """The engine called `word`; names are forgiving: `alpha-beta`, `ab`, `iterative-deepening`.

    A `FILE.py`, or `FILE.py:NAME` for a class or a function in it, is an engine of the user's own. Raises
    Usage for an unknown name, BadInput for a file that cannot be used, Fault where the code in it fails.
    """
    if word in _given_engines:
        return _given_engines[word][1]
    if specs.is_file(word):
        from gameplay.adoption import engine_of

        thing, place = _from_file(word, "engine")
        name = thing.__name__.lower() if inspect.isclass(thing) else Path(place.rpartition(":")[0]).stem
        return engine_of(thing, name, place)
    plain = _own_engine(word)
    if plain:
        plugin.warn(ENGINE_POINTS, plain, _own_engine)
    else:
        plugins = plugin.offered(ENGINE_POINTS)
        if word in plugins:
            plugin.warn(ENGINE_POINTS, word, _own_engine)
            from gameplay.adoption import engine_of

            return engine_of(plugin.loaded("engine", plugins[word]), word, word)
        plain = _aliased(word)
        if not plain:
            raise Usage(unknown("engine", word, engine_names(), "gameplay engines", OWN_ENGINE))
    module = importlib.import_module(catalogue.engines()[plain])
    classes: Iterable[type[Engine]] = filter(inspect.isclass, vars(module).values())
    return next(
        thing for thing in classes if thing.__module__ == module.__name__ and vars(thing).get("name") == plain
    )


def _own_engine(word: str) -> str:
    """The engine of this package that is called `word`, "" if there is none. Names are forgiving."""
    plain = _plain(word)
    return plain if plain in catalogue.engines() else ""


def _aliased(word: str) -> str:
    """The engine of this package that has `word` as an alias, "" if there is none."""
    plain = _plain(word)
    for name, module in catalogue.engines().items():
        if plain in importlib.import_module(module).ALIASES:
            return name
    return ""


def _plain(word: str) -> str:
    return word.lower().replace("-", "").replace("_", "").replace(" ", "")


def fit(engine: "Engine", position: AbstractPosition) -> None:
    """Raise Usage if the engine or an option of it cannot play a game: why, and which engines can."""
    why = engine.incompatibility(position)
    if why:
        able = [name for name in engine_names() if engine_class(name).suitability(position)]
        raise Usage(f"{engine.name} cannot play this: {why} (these can: {', '.join(able) or 'none'})")
    engine.check(position)


def usual_engine(position: AbstractPosition) -> "type[Engine]":
    """The engine class that suits a game best; where several do alike, the first by name.

    Raises Usage if no engine can play it.
    """
    classes = [engine_class(name) for name in engine_names()]
    best = max(classes, key=lambda cls: cls.suitability(position))
    if not best.suitability(position):
        raise Usage(f"no engine can play {name_of(position)}")
    return best


def engine(spec: Any) -> "tuple[Engine, Limit]":
    """The engine and the Limit that `spec` names: `alphabeta:order=random,depth=8`, or a TOML file.

    The file has the same keys, and `engine`; options behind its name overrule it. Tables and other knowledge,
    `iterative:tables=FOLDER`, are opened when a position is searched. A class or a function is an engine too,
    such as one defined in a notebook; it has its default options and no limit. Raises Usage for an unknown
    engine, option or value, and BadInput for a file that cannot be read and for what cannot be an engine.
    """
    if not isinstance(spec, str):
        from gameplay.adoption import engine_of

        name = getattr(spec, "__name__", type(spec).__name__)
        return engine_of(spec, name.lower(), name).from_options({}), Limit()
    head, given, limit = asked(spec)
    provider = _providers.get(_path(head)) if _providers else None
    if provider is not None:
        return provider(spec)
    cls = engine_class(head)
    own = cls.options()
    paths = {key: given.pop(key) for key in kinds.options() if key in given and key not in own}
    engine = cls.from_options(given)
    if paths and not cls.thinks:
        raise Usage(f"{cls.name} does not search and asks nothing: leave {next(iter(paths))} out")
    if paths:
        engine.known = paths
        engine.sources = lambda position: sources(engine, paths, game_of(position))
    return engine, limit


_providers: "dict[str, Provider]" = {}  # by the path of a file


@contextmanager
def provided(file: Path, provider: "Provider") -> Iterator[None]:
    """Within this, `engine` gets the engines of a file from `provider(spec)`, and does not load the file."""
    path = _path(str(file))
    _providers[path] = provider
    try:
        yield
    finally:
        del _providers[path]


def is_provided(head: str) -> bool:
    """True within `provided` for the file of an engine's spec."""
    return bool(_providers) and _path(head) in _providers


def _path(head: str) -> str:
    """The file of an engine's spec; "" for a name."""
    return (
        str(Path(head.partition(".py:")[0] + ".py" if ".py:" in head else head).resolve())
        if ".py" in head
        else ""
    )


def asked(spec: str) -> tuple[str, dict[str, Any], Limit]:
    """What an engine's spec consists of: the name or file, the options as typed, and the Limit.

    Raises as `engine`, without loading any engine.
    """
    words = specs.engine(spec)
    head, options = _engine_file(words.name) if words.name.endswith(".toml") else (words.name, {})
    given: dict[str, Any] = {**options, **words.options, **words.knowledge}
    limits = {key: given.pop(key) for key in KINDS if key in given}
    if "eval" in given:
        given["eval"] = evaluation.placed(given["eval"])
    return head, given, specs.limit_of(head, limits)


def _engine_file(spec: str) -> tuple[str, dict[str, str]]:
    data = file_io.toml(Path(spec))
    if not isinstance(data.get("engine"), str):
        raise BadInput(f'{spec} names no engine: add a line like engine = "iterative"')
    head = data.pop("engine")
    if isinstance(data.get("eval"), str):
        data["eval"] = evaluation.placed(data["eval"], Path(spec).parent)
    words = {True: "on", False: "off"}
    return head, {k: words[v] if isinstance(v, bool) else str(v) for k, v in data.items()}


# -- knowledge ----------------------------------------------------------------------------------


def knowledge_class(path: str) -> type[Knowledge]:
    """The one class of knowledge in a user's file. Raises Usage or BadInput for a file that has none."""
    if not path.endswith(".py"):
        raise refused("", OWN, path, "a Python file with a subclass of Knowledge", "FILE.py")
    module = plugin.module(Path(path), "knowledge is a .py file with a class of it")
    classes = {
        key: thing.__name__
        for key, thing in vars(module).items()
        if not key.startswith("_")
        and inspect.isclass(thing)
        and thing.__module__ == module.__name__
        and all(hasattr(thing, word) for word in ("probe", "advise", "fits"))
    }
    if len(classes) != 1:
        listed = ", ".join(classes.values()) or "none"
        raise BadInput(
            f"{path} should hold one subclass of Knowledge with probe(position), and holds {listed}"
        )
    cls: type[Knowledge] = vars(module)[next(iter(classes))]
    return cls


def opened(name: str, path: str, game: Game) -> Knowledge:
    """The knowledge that an option names, for a `Game`.

    Raises Usage for another game or without the library it takes, BadInput for a file, Fault for user code
    that fails.
    """
    if name == books.Book.option and path == books.NONE:
        return books.NoBook(path)
    if name == books.Book.option and path == books.OWN:
        shipped = books.own(game)
        source: Knowledge = kinds.kind_of(name, shipped)(shipped, game)
        source.path = books.OWN
        return source
    cls = knowledge_class(_absolute(path) if path else path) if name == OWN else kinds.kind_of(name, path)
    try:
        cls.fits(game.new())
    except Usage as error:
        if cls.takes == "file" and path and not os.path.isfile(_absolute(path)):
            raise Usage(f"{name}: {file_io.no_file(path)}; {error}") from None
        raise
    if not path:
        raise refused("", name, path, f"a {cls.takes}", "PATH")
    if "," in path:
        raise refused("", name, path, f"a {cls.takes} without a comma in its path, where an option ends")
    try:
        made: Knowledge = cls(_absolute(path), game)
        return made
    except GameplayError:
        raise
    except Exception as error:
        raise Fault(f"{name} {path}: the constructor raised {raised(error)}") from error


def sources(engine: "Engine", paths: Mapping[str, str], game: Game) -> tuple[Knowledge, ...]:
    """What the search of an engine asks inside its tree, opened for a game.

    Raises Usage for a source that is asked before a search alone, as a book is, or never by this engine.
    """
    asked = []
    for name, path in paths.items():
        source = opened(name, path, game)
        if not (engine.asks or source.inner or isinstance(source, books.NoBook)):
            raise Usage(f"{name}={path} is asked before a search, and this is about the search: leave it out")
        if source.inner and not (engine.asks or engine.probes):
            raise Usage(f"{engine.name} asks nothing within its search: leave {name}={path} out")
        asked.append(source)
    return tuple(asked)


def game_of(position: AbstractPosition) -> Game:
    """The game of a position of ours, with those of its parameters that the position shows."""
    cls = type(position)
    declared = parameters(cls)
    shown = {key: getattr(position, key, parameter.default) for key, parameter in declared.items()}
    values = {key: value for key, value in shown.items() if type(value) is type(declared[key].default)}
    other = {key: value for key, value in values.items() if value != declared[key].default}
    name = catalogue.game_of(cls)
    return Game(specs.join(name, other), name, cls, other)


def _absolute(path: str) -> str:
    """The path, absolute; of several folders each."""
    return os.pathsep.join(str(Path(os.path.expanduser(part)).resolve()) for part in path.split(os.pathsep))
