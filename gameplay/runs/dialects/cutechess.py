"""Options of fastchess and cutechess-cli as the plan of a match.

    -engine cmd=stockfish name=new option.Hash=64 -engine cmd=fairymax proto=xboard
    -each tc=40/60+0.6 option.Hash=16 -rounds 50 -openings file=book.epd -sprt elo0=0 elo1=5

`KEYS` are the options with `key=value` words and their keys, `PLAIN` those with one value, `IDLE` those that
change nothing here, and why. `ABSENT` are options of theirs without a counterpart, and the nearest thing
here: they are refused, so that no match differs from what was asked for.
"""

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from gameplay.errors import Usage, brief, unknown
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
PLAIN = (
    *("-games", "-rounds", "-concurrency", "-srand", "-event", "-maxmoves", "-variant", "-tournament"),
    *("-tb", "-tbpieces", "-tbadjudicate"),
)
IDLE = {
    "-repeat": "each opening is played with both seatings",
    "-recover": "a match goes on after the fault of an engine",
    "-ratinginterval": "the standing is shown all the time",
    "-scoreinterval": "the standing is shown all the time",
    "-autosaveinterval": "each game is stored as it ends",
    "-report": "the pentanomial is always printed",
}
ABSENT = {
    "-noswap": "each opening is played with both seatings",
    "-noreverse": "each opening is played with both seatings",
    "-epdout": "gameplay run export --out FILE writes the games of a run",
    "-log": "gameplay run report lists the faults of a run with the last lines of a program",
    "-debug": "gameplay run report lists the faults of a run with the last lines of a program",
    "-config": "gameplay run resume goes on with a run",
    "-site": "-event NAME is the title of the run",
    "-seeds": "the seeds of a knockout are the engines in their order",
    "-wait": "games begin as soon as a worker is free",
    "-output": "--json prints the result for other programs",
    "-bookmode": "-openings file=FILE names the openings",
    "-book": "-openings file=FILE names the openings",
    "-quick": "-engine, -each and -openings say the same",
}
FLAGS = ("-tbignore50",)
RESULTS: dict[str, Decided] = {"BOTH": "all", "WIN_LOSS": "wins", "DRAW": "draws"}
POLICIES = {
    "encounter": "one opening for all games of two engines",
    "default": "in a tournament another opening for each two engines",
}  # of cutechess-cli that differ from ours, and how
FORMS = {
    "gauntlet": "gauntlet",
    "round-robin": "round-robin",
    "roundrobin": "round-robin",
    "knockout": "knockout",
}
MODELS = {"normalized": "normalized", "logistic": "logistic", "bayesian": ""}
PONDER = "ponder"  # a key of cutechess-cli without a value
PAIR = 2  # games of a round, where -games says nothing

Words = dict[str, str]


def spoken(words: Sequence[str]) -> bool:
    """True for a command line in these options."""
    return "-engine" in words


@dataclass
class CommandLine:
    """A command line, sorted: engines with their keys, the other options, and the words of our options."""

    engines: list[Words] = field(default_factory=list)
    each: Words = field(default_factory=dict)
    keyed: dict[str, Words] = field(default_factory=dict)
    plain: Words = field(default_factory=dict)
    ours: list[str] = field(default_factory=list)

    def number(self, option: str, least: int = 1) -> int | None:
        """The value of an option; None where it was not given. Raises Usage."""
        return _whole(option, self.plain[option], least) if option in self.plain else None


@dataclass(frozen=True)
class Translation:
    """What a command line asks for: a plan, games at a time, and the file for the games."""

    plan: Plan
    jobs: int | None
    out: Path | None


def sort(words: Sequence[str]) -> CommandLine:
    """The command line, sorted. Raises Usage for options that have no counterpart here."""
    asked = CommandLine()
    at = 0
    while at < len(words):
        option = words[at]
        at += 1
        if option.startswith("--"):
            asked.ours.append(option)
            while at < len(words) and not words[at].startswith("-"):
                asked.ours.append(words[at])
                at += 1
            continue
        values = []
        while at < len(words) and (not words[at].startswith("-") or numeral(words[at][1:]) is not None):
            values.append(words[at])
            at += 1
        _take(asked, option, values)
    return asked


def _take(asked: CommandLine, option: str, values: list[str]) -> None:
    if option in KEYS:
        if option == "-pgnout" and values[:1] and "=" not in values[0]:
            values = [f"file={values[0]}", *values[1:]]
        words = _keys(option, values)
        if option == "-engine":
            asked.engines.append(words)
        elif option == "-each":
            asked.each |= words
        else:
            asked.keyed[option] = words
    elif option in PLAIN:
        if len(values) != 1:
            raise Usage(f"{option} is followed by one value, not by {brief(' '.join(values)) or 'nothing'}")
        asked.plain[option] = values[0]
    elif option == "-repeat" and values not in ([], ["2"]):
        raise Usage(
            f"-repeat {' '.join(values)} has no counterpart here. Nearest: -repeat, {IDLE['-repeat']}"
        )
    elif option in FLAGS:
        if values:
            raise Usage(f"{option} stands alone, without {brief(' '.join(values))}")
        asked.plain[option] = ""
    elif option in ABSENT:
        raise Usage(f"{brief(option)} has no counterpart here. Nearest: {ABSENT[option]}")
    elif option not in IDLE:
        every = [*KEYS, *PLAIN, *FLAGS, *IDLE]
        raise Usage(f"{unknown('option', option, every)} (options of fastchess begin with one -)")


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
            raise Usage(f"{option}: {unknown('key', key, KEYS[option])}")
        if not value and key not in ("arg", "args", "cmd") and not key.startswith("option."):
            raise Usage(f"{option}: {key} has no value; expected {key}=VALUE")
        if key == "plies" and option != "-openings":
            key = "depth"
        if key == "arg" and key in words:
            value = f"{words[key]} {shlex.quote(value)}"
        elif key == "arg":
            value = shlex.quote(value)
        words[key] = value
    return words


def translate(asked: CommandLine) -> Translation:
    """The plan that the options ask for. Raises Usage or BadInput."""
    engines = [asked.each | engine for engine in asked.engines]
    if len(engines) < 2:
        raise Usage("a match needs two engines or more: add another -engine cmd=PROGRAM")
    form = _form(asked, len(engines))
    shared = _shared(engines)
    players = [_player(engine, shared) for engine in engines]
    depth, nodes = (shared.get(key) for key in ("depth", "nodes"))
    plan = requests.match(
        players,
        _game(asked),
        _games(asked),
        Limit(_whole("depth", depth) if depth else None, _whole("nodes", nodes) if nodes else None),
        seed if (seed := asked.number("-srand", 0)) is not None else 1,
        _openings(asked, len(engines)),
        _adjudication(asked),
        _sprt(asked),
        clock=_clock(shared) or None,
        margin=_margin(engines),
        form=form,
        title=asked.plain.get("-event"),
    )
    out = asked.keyed.get("-pgnout", {}).get("file")
    if out is None and "-pgnout" in asked.keyed:
        raise Usage("-pgnout needs file=FILE")
    return Translation(plan, asked.number("-concurrency"), Path(out) if out else None)


# -- engines ----------------------------------------------------------------------------------------


def _shared(engines: list[Words]) -> Words:
    """The limits and times that all engines have alike: they are those of the plan."""
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
        raise Usage(f"-engine: {unknown('proto', protocol, PROTOCOLS)}")
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
        raise Usage(f"-engine: {PONDER} stands alone, or is on or off, not '{brief(ponder)}'")
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
    """A time control of ours; "" where no clock runs. Raises Usage."""
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


def _form(asked: CommandLine, count: int) -> str | None:
    name = asked.plain.get("-tournament")
    if name is None:
        return "round-robin" if count > 2 else None
    if name not in FORMS:
        raise Usage(f"-tournament: {unknown('form', name, FORMS)}")
    return None if count == 2 and FORMS[name] != "knockout" else FORMS[name]


def _games(asked: CommandLine) -> int | None:
    """Games of each pairing: those of a round times the rounds; None: as many as usual."""
    games, rounds = asked.number("-games"), asked.number("-rounds")
    if games is None and rounds is None:
        return None
    return (PAIR if games is None else games) * (1 if rounds is None else rounds)


def _game(asked: CommandLine) -> str:
    variant = asked.plain.get("-variant", "standard")
    if variant == "fischerandom":
        if "-openings" not in asked.keyed:
            raise Usage("-variant fischerandom plays positions that you name: add -openings file=FILE.epd")
    elif variant != "standard":
        raise Usage(f"-variant: {unknown('variant', variant, ['standard', 'fischerandom'])}")
    return "chess"


def _openings(asked: CommandLine, engines: int) -> dict[str, Any]:
    """The fields of `plan.Openings`: in the order of the file, as usual there, from number `start` on."""
    words = asked.keyed.get("-openings")
    if words is None:
        return {}
    if "file" not in words:
        raise Usage("-openings needs file=FILE")
    form, suffix = words.get("format"), Path(words["file"]).suffix.lower()
    if form is not None and form not in ("epd", "pgn"):
        raise Usage(f"-openings: {unknown('format', form, ['epd', 'pgn'])}")
    if form is not None and suffix != f".{form}":
        raise Usage(f"-openings: a file is read by its ending: call {brief(words['file'])} something.{form}")
    order = words.get("order", "sequential")
    if order not in get_args(Order):
        raise Usage(f"-openings: {unknown('order', order, get_args(Order))}")
    _policy(words.get("policy", "round"), engines)
    numbers = {key: _whole(key, words[key]) for key in ("plies", "start") if key in words}
    return requests.openings_fields(words["file"]) | numbers | {"order": order}


def _policy(policy: str, engines: int) -> None:
    """Check when another opening is due: here with each round. Raises Usage."""
    if policy == "round" or (policy == "default" and engines == 2):
        return
    if policy not in POLICIES:
        raise Usage(f"-openings: {unknown('policy', policy, ['round', *POLICIES])}")
    raise Usage(
        f"policy={policy}, {POLICIES[policy]}, has no counterpart here. Nearest: policy=round, the same "
        "openings for each two engines"
    )


def _sprt(asked: CommandLine) -> dict[str, Any] | None:
    words = asked.keyed.get("-sprt")
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


def _adjudication(asked: CommandLine) -> dict[str, Any]:
    """The rules of a plan: moves of both sides are two plies, and a score is in hundredths of a pawn."""
    rules = _tables(asked)
    if (longest := asked.number("-maxmoves")) is not None:
        rules["plies"] = 2 * longest
    for option in ("-resign", "-draw"):
        words = asked.keyed.get(option)
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
                raise Usage(f"-resign: twosided is true or false, not '{brief(both)}'")
            rules["resign"]["both"] = both == "true"
    return rules


def _tables(asked: CommandLine) -> dict[str, Any]:
    """The adjudication by endgame tables, as a rule of a plan; empty without it. Raises Usage."""
    if "-tb" not in asked.plain:
        for option in ("-tbpieces", "-tbignore50", "-tbadjudicate"):
            if option in asked.plain:
                raise Usage(f"{option} goes with -tb PATHS, the folders of the tables")
        return {}
    results = asked.plain.get("-tbadjudicate", "BOTH")
    if results not in RESULTS:
        raise Usage(f"-tbadjudicate: {unknown('kind of result', results, RESULTS)}")
    folder = asked.plain["-tb"].replace(";", os.pathsep)
    rule: dict[str, Any] = {"folder": folder, "results": RESULTS[results]}
    if most := asked.number("-tbpieces", 0):
        rule["pieces"] = most
    return {"syzygy": rule | {"fifty": "-tbignore50" not in asked.plain}}


def _whole(key: str, text: str, least: int = 1) -> int:
    number = numeral(text)
    if number is None or number < least:
        raise Usage(f"{key} is a whole number from {least} up, not '{brief(text)}'")
    return number


def _real(key: str, text: str) -> float:
    if not re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", text):
        raise Usage(f"{key} is a number, not '{brief(text)}'")
    return float(text)
