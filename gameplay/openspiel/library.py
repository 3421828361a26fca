"""Loads games of OpenSpiel: names, parameters, and the reasons why some cannot be played here."""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from gameplay.errors import UnreadableFile, Usage, brief, nearest
from gameplay.extras import library
from gameplay.visible import one_line

HEAD = "openspiel"  # prefix of the spec of each game
OWN_PREFIX = "gameplay_"  # prefix of the names of exported games
TRIAL_SECONDS, TRIAL_BYTES = 20, 8 << 30  # limits of a trial of parameters
NOT_PLAYABLE = {
    "crossword": "its moves are structures; a move here is an integer",
}
WHOLE_STATE = frozenset(  # games in which `to_string` and the player to move determine the future
    (
        *("amazons", "breakthrough", "clobber", "connect_four", "dots_and_boxes", "gomoku", "havannah"),
        *("hex", "mnk", "nim", "oware", "pentago", "pig", "tic_tac_toe", "y"),
    )
)
REQUIRED = frozenset({"filename", "epsilon", "num_repetitions", "max_num_hands", "reset_stacks"})
EXAMPLES = {  # of required parameters
    "add_noise": "(game=kuhn_poker(),epsilon=1.0,seed=1)",
    "cached_tree": "(game=kuhn_poker())",
    "coop_to_1p": "(game=tiny_hanabi())",
    "efg_game": "(filename=FILE.efg)",
    "misere": "(game=tic_tac_toe())",
    "nfg_game": "(filename=FILE.nfg)",
    "normal_form_extensive_game": "(game=kuhn_poker())",
    "repeated_game": "(stage_game=matrix_pd(),num_repetitions=3)",
    "repeated_poker": "(universal_poker_game_string=universal_poker(),max_num_hands=3,reset_stacks=True)",
    "restricted_nash_response": "(game=kuhn_poker())",
    "start_at": "(game=kuhn_poker(),history=0;1)",
    "turn_based_simultaneous_game": "(game=matrix_rps())",
    "zerosum": "(game=matrix_pd())",
}
IMPERFECT_RECALL = frozenset({"dark_hex_ir", "liars_dice_ir", "phantom_ttt_ir"})
_NAME = re.compile(r"[a-z0-9_]+")

TRIAL_SCRIPT = """
import contextlib, random, resource, sys
with contextlib.suppress(ValueError, OSError):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]),) * 2)
import pyspiel
game = pyspiel.load_game(sys.argv[1])
if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
    game = pyspiel.convert_to_turn_based(game)
state, rng = game.new_initial_state(), random.Random(1)
for _ in range(200):
    if state.is_terminal() or state.is_mean_field_node():
        break
    outcomes = state.chance_outcomes() if state.is_chance_node() else [(a, 1) for a in state.legal_actions()]
    state.to_string()
    state.apply_action(rng.choices(*zip(*outcomes))[0] if outcomes else sys.exit("no legal move"))
"""


@dataclass(frozen=True)
class Loaded:
    """A playable game of OpenSpiel; turn_based: it was converted from simultaneous moves."""

    text: str  # its name and parameters, as `pyspiel.load_game` takes them
    name: str
    game: Any  # Any: pyspiel.Game, which has no types
    game_type: Any  # pyspiel.GameType
    turn_based: bool


def spiel() -> Any:
    """The module pyspiel. Raises Usage if it is not installed."""
    return library("pyspiel", f"{HEAD}:", HEAD)


def names() -> list[str]:
    """All games of OpenSpiel, without exported games of this program."""
    return [name for name in spiel().registered_names() if not name.startswith(OWN_PREFIX)]


@dataclass(frozen=True)
class ListedGame:
    """A description of a game of OpenSpiel that is not loaded."""

    name: str
    players: str  # "2", "2-10"
    words: str
    reason: str  # why it is not playable; "": it is


def list_games() -> list[ListedGame]:
    """Descriptions of the games in `names`."""
    return [
        _describe_game(game_type)
        for game_type in spiel().registered_games()
        if not game_type.short_name.startswith(OWN_PREFIX)
    ]


def _describe_game(game_type: Any) -> ListedGame:
    types, min_players, max_players = spiel().GameType, game_type.min_num_players, game_type.max_num_players
    players = str(min_players) if min_players == max_players else f"{min_players}-{max_players}"
    reason = NOT_PLAYABLE.get(game_type.short_name, "")
    required = _required_parameters(game_type)
    if required:  # the facts depend on the parameters
        return ListedGame(game_type.short_name, players, f"needs {', '.join(required)}", reason)
    reason = reason or _why_unplayable(game_type)
    if reason:
        return ListedGame(game_type.short_name, players, f"not playable: {reason}", reason)
    simultaneous = game_type.dynamics == types.Dynamics.SIMULTANEOUS
    perfect = game_type.information == types.Information.PERFECT_INFORMATION and not simultaneous
    words = [f"{'perfect' if perfect else 'imperfect'} information"]
    words += ["simultaneous moves"] if simultaneous else []
    words += [] if game_type.chance_mode == types.ChanceMode.DETERMINISTIC else ["chance"]
    words += [] if game_type.utility == types.Utility.ZERO_SUM else ["not zero-sum"]
    return ListedGame(game_type.short_name, players, ", ".join(words), reason)


def parameters(name: str) -> dict[str, Any]:
    """The parameters of a game with their defaults; None for required ones."""
    game_type = next(game_type for game_type in spiel().registered_games() if game_type.short_name == name)
    needed = set() if game_type.default_loadable else REQUIRED
    specification = game_type.parameter_specification
    return {
        key: None if isinstance(value, dict) or key in needed else value
        for key, value in specification.items()
    }


def _required_parameters(game_type: Any) -> list[str]:  # Any: pyspiel.GameType
    """The parameters that a game needs."""
    if game_type.default_loadable:
        return []
    return [key for key, value in parameters(game_type.short_name).items() if value is None]


@cache
def load(text: str) -> Loaded:
    """Load a game by name and parameters, `kuhn_poker` or `kuhn_poker(players=3)`.

    Raises Usage for an unknown name or parameter, for values that OpenSpiel refuses or that make it fail, and
    for games that are not playable here.
    """
    name = text.partition("(")[0]
    kinds = {game_type.short_name: game_type for game_type in spiel().registered_games()}
    if name not in kinds:
        near = nearest(name, kinds)
        where = "" if near else f" (gameplay games {HEAD} lists them)"
        raise Usage(f"OpenSpiel has no game '{one_line(brief(name))}'{near}{where}")
    if name in NOT_PLAYABLE:
        raise Usage(f"{HEAD}:{name} cannot be played here: {NOT_PLAYABLE[name]}")
    _check_syntax(text, name)
    _check_parameters(text, name, kinds[name])
    if text != name:
        _run_trial(text)
    try:
        with _silence_stderr():
            game = spiel().load_game(text)
            simultaneous = game.get_type().dynamics == spiel().GameType.Dynamics.SIMULTANEOUS
            if simultaneous:
                game = spiel().convert_to_turn_based(game)
    except (RuntimeError, IndexError, ValueError) as error:
        raise _load_error(text, str(error)) from None
    game_type = game.get_type()
    reason = _why_unplayable(game_type)
    if reason:
        raise Usage(f"{HEAD}:{name} cannot be played here: {reason}")
    return Loaded(text, name, game, game_type, simultaneous)


def _why_unplayable(game_type: Any) -> str:
    """Why a game of this type is not playable here; "" if it is."""
    types = spiel().GameType
    if game_type.dynamics == types.Dynamics.MEAN_FIELD:
        return "it is a mean field game"
    if game_type.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC:
        return "OpenSpiel samples its chance events internally, so that games cannot be replayed"
    return ""


def _check_syntax(text: str, name: str) -> None:
    """Raise Usage unless the text is a name, or a name and parameters in parentheses."""
    rest = text[len(name) :]
    depth = 0
    for place, character in enumerate(rest):
        depth += (character == "(") - (character == ")")
        if depth == 0 and place < len(rest) - 1:
            break
    else:
        if depth == 0:
            return
    raise Usage(
        f"'{HEAD}:{one_line(brief(text))}' should read {HEAD}:NAME or {HEAD}:NAME(PARAMETER=VALUE,...), "
        f"as in {HEAD}:kuhn_poker(players=3)"
    )


def _check_parameters(text: str, name: str, game_type: Any) -> None:
    """Raise Usage for an unknown or missing parameter, or a missing file."""
    specification, values = game_type.parameter_specification, dict[str, str]()
    for part in _split_parameters(text[len(name) + 1 : -1]):
        key, equals, value = part.partition("=")
        if not equals or not _NAME.fullmatch(key.lower()):
            raise Usage(
                f"{HEAD}:{name}: '{one_line(brief(part))}' should read PARAMETER=VALUE, "
                f"as in {HEAD}:kuhn_poker(players=3)"
            )
        if key in values:
            raise Usage(
                f"{HEAD}:{name} sets {key} twice; expected one value. Try: leave {one_line(brief(part))} out"
            )
        if key not in specification:
            expected = (
                f"; its parameters are {', '.join(specification)}" if specification else "; it has none"
            )
            hint = nearest(key, specification) or expected
            raise Usage(f"{HEAD}:{name} has no parameter '{one_line(key)}'{hint}")
        values[key] = value
    missing = [key for key in _required_parameters(game_type) if not values.get(key)]
    if missing:
        raise Usage(f"{HEAD}:{name} needs {', '.join(missing)}: write {HEAD}:{name}{EXAMPLES.get(name, '')}")
    file = values.get("filename")
    if file and not os.path.isfile(file):
        raise UnreadableFile(f"{HEAD}:{name}: there is no file '{one_line(brief(file))}'")


def _split_parameters(text: str) -> list[str]:
    """Split at commas outside parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _run_trial(text: str) -> None:
    """Play 200 moves in a subprocess: some values crash or hang the process that loads them."""
    if "\0" in text:
        raise _load_error(text, "a NUL character")
    try:
        process = subprocess.run(
            [sys.executable, "-P", "-c", TRIAL_SCRIPT, text, str(TRIAL_BYTES)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TRIAL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _load_error(text, f"a trial game did not end within {TRIAL_SECONDS} seconds") from None
    if process.returncode:
        lines = process.stderr.decode("utf-8", "replace").strip().splitlines()
        crashed = f"it ended the process (signal {-process.returncode})"
        raise _load_error(text, crashed if process.returncode < 0 else lines[-1] if lines else "it failed")


def _load_error(text: str, reason: str) -> Usage:
    """The error for a game that OpenSpiel cannot load or play."""
    message = re.sub(r"^(pyspiel\.)?\w*(Error|Exception): ", "", " ".join(reason.split()))
    message = re.sub(r"/\S*/(\w+\.(cc|h)):\d+ ", "", message)  # a path of the build machine
    return Usage(f"OpenSpiel cannot play '{one_line(brief(text))}': {one_line(brief(message, 160))}")


@contextlib.contextmanager
def _silence_stderr() -> Iterator[None]:
    """Discard what compiled code writes to standard error, such as warnings of known issues."""
    stderr, sink = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 2)
    try:
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(sink)


@cache
def resamples(text: str) -> bool:
    """True if OpenSpiel implements resampling for a game; tested at the first decision."""
    state, rng = load(text).game.new_initial_state(), Random(0)
    while state.is_chance_node():
        actions, odds = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(actions, odds)[0])
    if state.is_terminal():
        return False
    with _silence_stderr():
        try:
            state.resample_from_infostate(state.current_player(), rng.random)
        except RuntimeError as error:
            return "not implemented" not in str(error)
    return True


def bounds(game: Any) -> tuple[float | None, float | None]:  # Any: pyspiel.Game
    """The minimum (at most 0) and maximum (at least 0) payoff of a player; None if OpenSpiel has no bound."""
    limits: list[float | None] = []
    for method in (game.min_utility, game.max_utility):
        value = None
        with contextlib.suppress(RuntimeError), _silence_stderr():
            value = method()
        limits.append(value if value is not None and abs(value) < 1e100 else None)
    low, high = limits
    return low if low is None else min(low, 0), high if high is None else max(high, 0)
