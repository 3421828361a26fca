"""Options of fastchess and cutechess-cli as the plan of a match.

    -engine cmd=stockfish name=new option.Hash=64 -engine cmd=fairymax proto=xboard
    -each tc=40/60+0.6 option.Hash=16 -rounds 50 -openings file=book.epd -sprt elo0=0 elo1=5

`KEYS` lists the options with `key=value` words, `SINGLE_VALUE` those with one value, `NO_EFFECT` those
without effect here, with the reason. `UNSUPPORTED` lists unsupported options with the nearest alternative:
they are refused, so that no match differs from the request.
"""

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from gameplay.errors import Usage, brief, unknown_name
from gameplay.runs import requests
from gameplay.runs.plan import Decided, Order, Plan
from gameplay.search.limit import Limit, numeral
from gameplay.specs import PROTOCOLS, ProgramSpec, parse

ENGINE = (
    "cmd",
    "name",
    "proto",
    "args",
    "arg",
    "tc",
    "st",
    "nodes",
    "depth",
    "plies",
    "timemargin",
    "restart",
    "ponder",
    "option.NAME",
)
KEYS: dict[str, tuple[str, ...]] = {
    "-engine": ENGINE,
    "-each": ENGINE,
    "-openings": ("file", "format", "order", "plies", "start", "policy"),
    "-sprt": ("elo0", "elo1", "alpha", "beta", "model"),
    "-resign": ("movecount", "score", "twosided"),
    "-draw": ("movenumber", "movecount", "score"),
    "-pgnout": ("file",),
}
SINGLE_VALUE = (
    *("-games", "-rounds", "-concurrency", "-srand", "-event", "-maxmoves", "-variant", "-tournament"),
    *("-tb", "-tbpieces", "-tbadjudicate"),
)
NO_EFFECT = {
    "-repeat": "each opening is played with both seatings",
    "-recover": "a match continues after a fault of an engine",
    "-ratinginterval": "the standing is always shown",
    "-scoreinterval": "the standing is always shown",
    "-autosaveinterval": "each game is stored as it ends",
    "-report": "the pentanomial is always printed",
}
UNSUPPORTED = {
    "-noswap": "each opening is played with both seatings",
    "-noreverse": "each opening is played with both seatings",
    "-epdout": "gameplay run export --out FILE writes the games of a run",
    "-log": "gameplay run report lists the faults of a run with the last lines of a program",
    "-debug": "gameplay run report lists the faults of a run with the last lines of a program",
    "-config": "gameplay run resume continues a run",
    "-site": "-event NAME is the title of the run",
    "-seeds": "the seeds of a knockout are the engines in their order",
    "-wait": "games begin as soon as a worker is free",
    "-output": "--json prints the result for other programs",
    "-bookmode": "-openings file=FILE names the openings",
    "-book": "-openings file=FILE names the openings",
    "-quick": "-engine, -each and -openings are equivalent",
}
FLAGS = ("-tbignore50",)
RESULTS: dict[str, Decided] = {"BOTH": "all", "WIN_LOSS": "wins", "DRAW": "draws"}
# Policies of cutechess-cli that are not supported.
POLICIES = {
    "encounter": "one opening for all games of two engines",
    "default": "in a tournament another opening for each two engines",
}
FORMS = {
    "gauntlet": "gauntlet",
    "round-robin": "round-robin",
    "roundrobin": "round-robin",
    "knockout": "knockout",
}
MODELS = {"normalized": "normalized", "logistic": "logistic", "bayesian": ""}
PONDER = "ponder"  # a key of cutechess-cli without a value
PAIR = 2  # default of -games: games of a round

Words = dict[str, str]


def is_dialect(words: Sequence[str]) -> bool:
    """True for a command line in these options."""
    return "-engine" in words


@dataclass
class CommandLine:
    """A parsed command line: engines with their keys, other options, and options of this program."""

    engines: list[Words] = field(default_factory=list)
    each: Words = field(default_factory=dict)
    keyed: dict[str, Words] = field(default_factory=dict)
    plain: Words = field(default_factory=dict)
    own_options: list[str] = field(default_factory=list)

    def number(self, option: str, minimum: int = 1) -> int | None:
        """The value of an option; None if absent. Raises Usage."""
        return _whole(option, self.plain[option], minimum) if option in self.plain else None


@dataclass(frozen=True)
class Translation:
    """The translation of a command line: plan, concurrent games, and output file."""

    plan: Plan
    jobs: int | None
    out: Path | None


def parse_words(words: Sequence[str]) -> CommandLine:
    """Parse a command line. Raises Usage for unsupported options."""
    line = CommandLine()
    at = 0
    while at < len(words):
        option = words[at]
        at += 1
        if option.startswith("--"):
            line.own_options.append(option)
            while at < len(words) and not words[at].startswith("-"):
                line.own_options.append(words[at])
                at += 1
            continue
        values = []
        while at < len(words) and (not words[at].startswith("-") or numeral(words[at][1:]) is not None):
            values.append(words[at])
            at += 1
        _add_option(line, option, values)
    return line


def _add_option(line: CommandLine, option: str, values: list[str]) -> None:
    if option in KEYS:
        if option == "-pgnout" and values[:1] and "=" not in values[0]:
            values = [f"file={values[0]}", *values[1:]]
        words = _keys(option, values)
        if option == "-engine":
            line.engines.append(words)
        elif option == "-each":
            line.each |= words
        else:
            line.keyed[option] = words
    elif option in SINGLE_VALUE:
        if len(values) != 1:
            raise Usage(f"{option}: expected one value, not {brief(' '.join(values)) or 'none'}")
        line.plain[option] = values[0]
    elif option == "-repeat" and values not in ([], ["2"]):
        raise Usage(
            f"-repeat {' '.join(values)} has no counterpart here. Nearest: -repeat, {NO_EFFECT['-repeat']}"
        )
    elif option in FLAGS:
        if values:
            raise Usage(f"{option} takes no value, not {brief(' '.join(values))}")
        line.plain[option] = ""
    elif option in UNSUPPORTED:
        raise Usage(f"{brief(option)} has no counterpart here. Nearest: {UNSUPPORTED[option]}")
    elif option not in NO_EFFECT:
        every = [*KEYS, *SINGLE_VALUE, *FLAGS, *NO_EFFECT]
        raise Usage(f"{unknown_name('option', option, every)} (options of fastchess begin with one -)")


def _keys(option: str, values: list[str]) -> Words:
    """The `key=value` words of an option."""
    words: Words = {}
    for word in values:
        if word == PONDER and option in ("-engine", "-each"):
            word = f"{PONDER}=on"
        key, equals, value = word.partition("=")
        if not equals:
            raise Usage(f"{option}: '{brief(word)}' should read KEY=VALUE, as in {KEYS[option][0]}=...")
        if key not in KEYS[option] and not (option in ("-engine", "-each") and key.startswith("option.")):
            raise Usage(f"{option}: {unknown_name('key', key, KEYS[option])}")
        if not value and key not in ("arg", "args", "cmd") and not key.startswith("option."):
            raise Usage(f"{option}: {key} has no value; expected {key}=VALUE")
        if key == "plies" and option != "-openings":
            key = "depth"
        if key == "arg" and key in words:
            value = f"{words[key]} {shlex.quote(value)}"
        elif key == "arg":
            value = shlex.quote(value)
        elif key in words:
            raise Usage(f"{option} sets {key} twice; expected one value. Try: leave {brief(word)} out")
        words[key] = value
    return words


def translate(line: CommandLine) -> Translation:
    """Translate a command line into a plan. Raises Usage or BadInput."""
    engines = [line.each | engine for engine in line.engines]
    if len(engines) < 2:
        raise Usage("a match needs two engines or more: add another -engine cmd=PROGRAM")
    form = _form(line, len(engines))
    shared = _shared_limits(engines)
    players = [_player(engine, shared) for engine in engines]
    depth, nodes = (shared.get(key) for key in ("depth", "nodes"))
    plan = requests.match(
        players,
        _game(line),
        _games(line),
        Limit(_whole("depth", depth) if depth else None, _whole("nodes", nodes) if nodes else None),
        seed if (seed := line.number("-srand", 0)) is not None else 1,
        _openings(line, len(engines)),
        _adjudication(line),
        _sprt(line),
        clock=_clock(shared) or None,
        margin=_margin(engines),
        form=form,
        title=line.plain.get("-event"),
    )
    out = line.keyed.get("-pgnout", {}).get("file")
    if out is None and "-pgnout" in line.keyed:
        raise Usage("-pgnout needs file=FILE")
    return Translation(plan, line.number("-concurrency"), Path(out) if out else None)


# -- engines ----------------------------------------------------------------------------------------


def _shared_limits(engines: list[Words]) -> Words:
    """The limits shared by all engines, which become those of the plan."""
    keys = ("tc", "st", "nodes", "depth")
    first, *others = engines
    return {
        key: first[key]
        for key in keys
        if key in first and all(other.get(key) == first[key] for other in others)
    }


def _player(engine: Words, shared: Words) -> dict[str, Any]:
    """The entry of a plan. Raises Usage."""
    if not engine.get("cmd"):
        raise Usage("-engine needs its program: -engine cmd=stockfish")
    protocol = engine.get("proto", "uci")
    if protocol not in PROTOCOLS:
        raise Usage(f"-engine: {unknown_name('proto', protocol, PROTOCOLS)}")
    if engine.get("restart", "auto") not in ("auto", "off"):
        raise Usage(
            "restart=on has no counterpart here. Nearest: restart=auto, as an engine's features ask for it"
        )
    try:
        words = shlex.split(f"{engine.get('args', '')} {engine.get('arg', '')}")
    except ValueError as error:
        raise Usage(f"-engine args={brief(engine.get('args', ''))}: there is {str(error).lower()}") from None
    options = {key.removeprefix("option."): text for key, text in engine.items() if key.startswith("option.")}
    ponder = engine.get(PONDER, "off")
    if ponder not in ("on", "off"):
        raise Usage(f"-engine: {PONDER} must stand alone or be on or off, not '{brief(ponder)}'")
    spec = ProgramSpec(protocol, (engine["cmd"], *words), options=options, ponder=ponder == "on")
    parse(str(spec))
    own = {
        key: text
        for key, text in engine.items()
        if key in ("tc", "st", "nodes", "depth") and key not in shared
    }
    entry: dict[str, Any] = {"player": str(spec)}
    entry |= {key: _whole(key, own[key]) for key in ("depth", "nodes") if key in own}
    return entry | {key: text for key, text in (("name", engine.get("name")), ("clock", _clock(own))) if text}


def _clock(engine: Words) -> str:
    """The time control in the syntax of plans; "" without a clock. Raises Usage."""
    if "st" in engine:
        if "tc" in engine:
            raise Usage("tc and st exclude each other: leave one out")
        return f"{engine['st']}/move"
    text = engine.get("tc", "inf")
    if text in ("inf", "infinite"):
        return ""
    return re.sub(r"^0/", "", text)


def _margin(engines: list[Words]) -> float | None:
    margins = {engine.get("timemargin") for engine in engines}
    if len(margins) > 1:
        raise Usage("timemargin is the same for all engines here. Nearest: -each timemargin=MS")
    text = margins.pop()
    return None if text is None else _whole("timemargin", text, 0) / 1000


# -- the match --------------------------------------------------------------------------------------


def _form(line: CommandLine, count: int) -> str | None:
    name = line.plain.get("-tournament")
    if name is None:
        return "round-robin" if count > 2 else None
    if name not in FORMS:
        raise Usage(f"-tournament: {unknown_name('form', name, FORMS)}")
    return None if count == 2 and FORMS[name] != "knockout" else FORMS[name]


def _games(line: CommandLine) -> int | None:
    """Games of each pairing: -games times -rounds; None for the default."""
    games, rounds = line.number("-games"), line.number("-rounds")
    if games is None and rounds is None:
        return None
    return (PAIR if games is None else games) * (1 if rounds is None else rounds)


def _game(line: CommandLine) -> str:
    variant = line.plain.get("-variant", "standard")
    if variant == "fischerandom":
        if "-openings" not in line.keyed:
            raise Usage("-variant fischerandom needs positions. Try: -openings file=FILE.epd")
    elif variant != "standard":
        raise Usage(f"-variant: {unknown_name('variant', variant, ['standard', 'fischerandom'])}")
    return "chess"


def _openings(line: CommandLine, engines: int) -> dict[str, Any]:
    """The fields of `plan.Openings`; the default order is that of the file."""
    words = line.keyed.get("-openings")
    if words is None:
        return {}
    if "file" not in words:
        raise Usage("-openings needs file=FILE")
    form, suffix = words.get("format"), Path(words["file"]).suffix.lower()
    if form is not None and form not in ("epd", "pgn"):
        raise Usage(f"-openings: {unknown_name('format', form, ['epd', 'pgn'])}")
    if form is not None and suffix != f".{form}":
        raise Usage(f"-openings: a file is read by its ending: call {brief(words['file'])} something.{form}")
    order = words.get("order", "sequential")
    if order not in get_args(Order):
        raise Usage(f"-openings: {unknown_name('order', order, get_args(Order))}")
    _policy(words.get("policy", "round"), engines)
    numbers = {key: _whole(key, words[key]) for key in ("plies", "start") if key in words}
    return requests.openings_fields(words["file"]) | numbers | {"order": order}


def _policy(policy: str, engines: int) -> None:
    """Check the policy of openings: only a new opening for each round is supported. Raises Usage."""
    if policy == "round" or (policy == "default" and engines == 2):
        return
    if policy not in POLICIES:
        raise Usage(f"-openings: {unknown_name('policy', policy, ['round', *POLICIES])}")
    raise Usage(
        f"policy={policy}, {POLICIES[policy]}, has no counterpart here. Nearest: policy=round, the same "
        "openings for each two engines"
    )


def _sprt(line: CommandLine) -> dict[str, Any] | None:
    words = line.keyed.get("-sprt")
    if words is None:
        return None
    for key in ("elo0", "elo1"):
        if key not in words:
            raise Usage(f"-sprt needs elo0=N and elo1=N, and {key} is missing")
    model = words.get("model")
    if model is not None and not MODELS.get(model):
        nearest = (
            " Nearest: model=logistic" if model in MODELS else f" Expected {', '.join(filter(None, MODELS))}"
        )
        raise Usage(f"-sprt: model={brief(model)} has no counterpart here.{nearest}")
    numbers: dict[str, Any] = {key: _real(key, words[key]) for key in words if key != "model"}
    return numbers | ({"model": model} if model is not None else {})


def _adjudication(line: CommandLine) -> dict[str, Any]:
    """The adjudication of a plan: moves are converted to plies; scores are centipawns."""
    rules = _tables(line)
    if (longest := line.number("-maxmoves")) is not None:
        rules["plies"] = 2 * longest
    for option in ("-resign", "-draw"):
        words = line.keyed.get(option)
        if words is None:
            continue
        for key in ("movecount", "score"):
            if key not in words:
                raise Usage(f"{option} needs movecount=N and score=N, and {key} is missing")
        moves = _whole("movecount", words["movecount"])
        score = _whole("score", words["score"], int(option == "-resign"))
        rules[option[1:]] = {"value": score, "moves": moves}
        if option == "-draw" and "movenumber" in words:
            rules["draw"]["after"] = 2 * _whole("movenumber", words["movenumber"], 0)
        if option == "-resign":
            both = words.get("twosided", "false")
            if both not in ("true", "false"):
                raise Usage(f"-resign: twosided must be true or false, not '{brief(both)}'")
            rules["resign"]["both"] = both == "true"
    return rules


def _tables(line: CommandLine) -> dict[str, Any]:
    """The adjudication by endgame tables, as a rule of a plan; empty without it. Raises Usage."""
    if "-tb" not in line.plain:
        for option in ("-tbpieces", "-tbignore50", "-tbadjudicate"):
            if option in line.plain:
                raise Usage(f"{option} goes with -tb PATHS, the folders of the tables")
        return {}
    results = line.plain.get("-tbadjudicate", "BOTH")
    if results not in RESULTS:
        raise Usage(f"-tbadjudicate: {unknown_name('kind of result', results, RESULTS)}")
    folder = line.plain["-tb"].replace(";", os.pathsep)
    rule: dict[str, Any] = {"folder": folder, "results": RESULTS[results]}
    if most := line.number("-tbpieces", 0):
        rule["pieces"] = most
    return {"syzygy": rule | {"fifty": "-tbignore50" not in line.plain}}


def _whole(key: str, text: str, minimum: int = 1) -> int:
    number = numeral(text)
    if number is None or number < minimum:
        raise Usage(f"{key}: expected a whole number from {minimum} up, not '{brief(text)}'")
    return number


def _real(key: str, text: str) -> float:
    if not re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", text):
        raise Usage(f"{key}: expected a number, not '{brief(text)}'")
    return float(text)
