"""Texas hold'em hands in the Poker Hand History format (J. Kim, 2023): `.phh` and `.phhs`.

    variant = "NT"                      NT: no limit, FT: fixed limit
    antes = [0, 0]
    blinds_or_straddles = [1, 2]
    min_bet = 2
    starting_stacks = [200, 200]
    actions = [
      "d dh p1 7c2d",                   hole cards
      "d dh p2 AsKd",
      "p2 cbr 6",                       bets, raises or completes to 6 in this round
      "p1 f",                           folds; `cc` checks or calls, `sm` shows cards
    ]
    players = ["ann", "bob"]

The format is TOML. In a file with tables `[1]`, `[2]`, each is a hand. Heads-up, p2 has the button and the
small blind, and blinds and antes are listed in reverse order; otherwise p1 has the small blind. The first
seat here is always the small blind. Numbers after the two blinds are straddles, or, if negative, blinds
posted to enter the game. Amounts are scaled by a power of ten to whole units, at most two billion per stack,
and scaled back when written. Unknown cards, `????`, are filled in with unseen cards such that players who do
not show do not win; a remark says so.
"""

import datetime
import json
import random
import re
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from gameplay.errors import BadInput, IllegalMove
from gameplay.position import CHANCE
from gameplay.store.formats.pgn import Sheet, Step

if TYPE_CHECKING:
    from gameplay.games.holdem.game import Holdem

LIMITS = {"NT": "any", "FT": "limit"}
TEXT_FIELDS = {"event": "Event", "venue": "Site"}
HANDLED = {"variant", "antes", "blinds_or_straddles", "min_bet", "small_bet", "big_bet", "starting_stacks"}
HANDLED |= {"actions", "players", "year", "month", "day", *TEXT_FIELDS}

_TABLE = re.compile(r"\s*\[\s*\"?([\w.-]+)\"?\s*\]\s*(?:#.*)?$")
_ACTIONS = re.compile(r"^[ \t]*actions\s*=\s*\[", re.MULTILINE)
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*|\]')
_PLACE = re.compile(r"(.*?) \(at (?:line (\d+), column \d+|end of document)\)")
_CARDS = re.compile(r"(?:[2-9TJQKA][cdhs])+")
_HOLE_CARDS = re.compile(r"(?:[2-9TJQKA][cdhs]|\?\?){1,2}")
_HOLE = re.compile(r"d dh p(\d{1,2}) (\S+)", re.ASCII)
_OPEN = re.compile(r"d db (\S+)")
_ACTION = re.compile(r"p(\d{1,2}) (f|cc|cbr|sm)(?: (\S+))?", re.ASCII)
_SHOW = re.compile(r"p(\d{1,2}) sm (\S+)", re.ASCII)
_BET = re.compile(r"p\d{1,2} cbr (\d{1,15}(?:\.\d{1,12})?)", re.ASCII)
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
MAX_PLAYERS = 10  # players
MAX_DECIMALS = 12  # decimals of chips
COARSE_UNITS = 1_000_000  # units per stack above which units are larger powers of ten, if amounts allow it
MAX_UNITS = 2_000_000_000  # units per stack that the game supports
MAX_AMOUNT = 10**15  # amount; with MAX_DECIMALS decimals 27 digits, below Decimal's precision of 28
MAX_SAMPLES = 100  # samples of a hidden hand until it loses


# -- reading ------------------------------------------------------------------------------------


def read(lines: Iterable[str], name: str) -> Iterator[Sheet]:
    """The hands of a file; invalid ones have a `problem`."""
    table, first_line, hand, number = "", 1, [""], 0
    for at, line in enumerate(lines, 1):
        if head := _TABLE.match(line):
            if table or any(map(_has_content, hand)):
                number += 1
                yield _sheet(hand, first_line, number, table, name)
            table, first_line, hand = head[1], at + 1, []
        else:
            hand.append(line)
    if table or any(map(_has_content, hand)):
        yield _sheet(hand, first_line, number + 1, table, name)


def _has_content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _sheet(hand: list[str], first_line: int, number: int, table: str, name: str) -> Sheet:
    """One hand with its fields, interpreted in `prepare`."""
    sheet = Sheet(number=number)
    sheet.tags |= {"Round": table} if table else {}
    text = "\n".join(hand if table else hand[1:])
    above = first_line - 1 if table else 0  # lines
    try:
        fields = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError, InvalidOperation) as error:
        # Invalid TOML, nesting too deep, or a number too long.
        location = _PLACE.match(str(error))
        line = above + (int(location[2]) if location and location[2] else text.count("\n") + 1)
        reason = location[1] if location else str(error)
        sheet.problem = f"{name}, line {line}, game {number}: {reason[:1].lower()}{reason[1:]}"
        return sheet
    try:
        _note_fields(sheet, fields)
    except BadInput as error:
        sheet.problem = f"{name}, game {number}: {error}"
        return sheet
    action_lines = [above + place for place in _action_lines(text)]
    for place, action in enumerate(fields["actions"]):
        word, _, comment = action.partition("#")
        at = action_lines[place] if place < len(action_lines) else first_line
        sheet.line.steps.append(Step(" ".join(word.split()), [comment.strip()] if comment else [], at=at))
    return sheet


def _action_lines(text: str) -> list[int]:
    """The line numbers of the actions."""
    actions, action_lines = _ACTIONS.search(text), []
    for token in _TOKEN.finditer(text, actions.end()) if actions else ():
        if token[0] == "]":
            break
        if token[0][0] != "#":
            action_lines.append(1 + text.count("\n", 0, token.start()))
    return action_lines


def _note_fields(sheet: Sheet, fields: dict[str, Any]) -> None:
    """Set the fields as tags, per-player fields in the order of our seats. Raises BadInput."""
    variant = fields.get("variant")
    if variant not in LIMITS:
        raise BadInput(
            f"variant is {_shorten(variant)}; supported are NT (no-limit hold'em)"
            " and FT (fixed-limit hold'em)"
        )
    sizes = ("min_bet",) if variant == "NT" else ("small_bet", "big_bet")
    unit = _unit(fields, sizes)
    stacks = _numbers(fields, "starting_stacks", unit)
    count = len(stacks)
    antes = _numbers(fields, "antes", unit, count)
    blinds = _blinds(fields, unit, count)
    big = blinds[1] or max(blinds)
    for times, field in enumerate(sizes, 1):
        if _amount(fields.get(field), unit) != times * big:
            expected = f"{times} x the big blind ({_chips(times * big, unit)})"
            raise BadInput(f"{field} is {_shorten(fields.get(field))}, not {expected}")
    actions = fields.get("actions")
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise BadInput("actions is missing or not a list of strings")
    seats = seat_order(count)
    last = max(seat for seat, chips in enumerate(blinds) if chips)
    sheet.tags |= {"Variant": variant, "Blinds": "/".join(map(str, blinds[: max(2, last + 1)]))}
    if any(antes):  # in the order of the blinds
        each = list(map(str, antes))
        sheet.tags["Antes"] = each[0] if len(set(each)) == 1 else "/".join(each)
    if unit != 1:
        sheet.tags["Unit"] = f"{unit:f}"
        scale = f"1 chip of the file is read as {unit:f} chips"
        if unit < 1:
            scale = f"{1 / unit:f} chips of the file are read as 1 chip"
        sheet.line.notes.append(scale)
    sheet.tags["Stacks"] = "/".join(str(stacks[player - 1]) for player in seats)
    names = fields.get("players", [])
    if not isinstance(names, list):
        raise BadInput(f"players is {_shorten(names)}, not a list of names")
    sheet.line.more["players"] = [str(names[p - 1]) if p <= len(names) else f"p{p}" for p in seats]
    sheet.tags |= {tag: str(fields[field]) for field, tag in TEXT_FIELDS.items() if field in fields}
    if all(isinstance(fields.get(part), int) for part in ("year", "month", "day")):
        sheet.tags["Date"] = "{year:04}.{month:02}.{day:02}".format(**fields)
    for field, value in fields.items():
        if field not in HANDLED:
            with suppress(TypeError, ValueError):  # values that JSON cannot represent, such as times
                sheet.line.more[f"field {field}"] = [_toml(value)]


def _unit(fields: dict[str, Any], sizes: Iterable[str]) -> Decimal:
    """Units per chip: the power of ten nearest to 1 with whole amounts and no stack too large.

    Raises BadInput.
    """
    amounts: list[Any] = [fields.get(size) for size in sizes]
    for field in ("antes", "blinds_or_straddles", "starting_stacks"):
        values = fields.get(field)
        amounts += values if isinstance(values, list) else []
    actions = fields.get("actions")
    for action in actions if isinstance(actions, list) else []:
        if bet := _BET.match(str(action)):
            amounts.append(Decimal(bet[1]))
    numbers = [Decimal(amount) for amount in amounts if type(amount) is int or isinstance(amount, Decimal)]
    numbers = [number for number in numbers if number.is_finite() and abs(number) < MAX_AMOUNT]
    unit = Decimal(1)
    while any(_amount(number, unit) is None for number in numbers):
        unit *= 10
        if unit > 10**MAX_DECIMALS:
            raise BadInput(f"chips have more than {MAX_DECIMALS} decimals")
    tenth, most = unit / 10, max(numbers, default=Decimal(0))
    while most * unit > COARSE_UNITS and all(_amount(number, tenth) is not None for number in numbers):
        unit, tenth = tenth, tenth / 10
    if most * unit > MAX_UNITS:
        raise BadInput(
            f"{_chips(int(most * unit), unit)} chips are {int(most * unit):,} units of"
            f" {_chips(1, unit)}, the smallest in the hand; {MAX_UNITS:,} can be counted"
        )
    return unit


def _amount(value: Any, unit: Decimal) -> int | None:
    """An amount in units; None if it is not a whole number of them."""
    if type(value) is not int and not isinstance(value, Decimal):
        return None
    amount = Decimal(value)
    small = amount.is_finite() and abs(amount) < MAX_AMOUNT
    return int(amount * unit) if small and amount * unit % 1 == 0 else None


def _numbers(
    fields: dict[str, Any], field: str, unit: Decimal, count: int = 0, negative: bool = False
) -> list[int]:
    """A field of amounts in units, one per player. Raises BadInput."""
    values = fields.get(field)
    amounts = [_amount(value, unit) for value in values] if isinstance(values, list) else [None]
    numbers = [amount for amount in amounts if amount is not None and (amount >= 0 or negative)]
    if len(numbers) < len(amounts):
        raise BadInput(f"{field} is {_shorten(values)}, not a list of amounts of chips")
    if count and len(numbers) != count:
        raise BadInput(f"{field} has {len(numbers)} numbers for {count} players")
    if not 2 <= len(numbers) <= MAX_PLAYERS:
        raise BadInput(f"{field} is for {len(numbers)} players; holdem supports 2 to {MAX_PLAYERS}")
    return numbers


def _blinds(fields: dict[str, Any], unit: Decimal, count: int) -> list[int]:
    """The blinds, straddles and blinds posted to enter the game, which are negative. Raises BadInput."""
    blinds = _numbers(fields, "blinds_or_straddles", unit, count, negative=True)
    posts = list(map(abs, blinds))
    if not 0 <= blinds[0] <= blinds[1] or not any(posts):
        problem = "expected the small and big blind first, as in [1, 2, 0]"
    elif any(blind < -blinds[1] for blind in blinds):
        problem = "a blind posted to enter the game must not exceed the big blind"
    else:
        return posts
    raise BadInput(f"blinds_or_straddles is {_shorten(fields['blinds_or_straddles'])}; {problem}")


def _shorten(value: Any) -> str:
    return re.sub(r"Decimal\('([^']*)'\)", r"\1", repr(value)[:200])[:40]


def seat_order(count: int) -> list[int]:
    """The player number, from 1, of each of our seats."""
    return [2, 1] if count == 2 else list(range(1, count + 1))


def spec(sheet: Sheet) -> str:
    """The game spec of a sheet."""
    tags = sheet.tags
    if sheet.problem:
        return "holdem"
    stacks, limit = tags["Stacks"], LIMITS[tags["Variant"]]
    antes = f",antes={tags['Antes']}" if "Antes" in tags else ""
    return (
        f"holdem:players={stacks.count('/') + 1},stacks={stacks},blinds={tags['Blinds']},bets={limit}{antes}"
    )


def prepare(sheet: Sheet, position: "Holdem") -> None:
    """Convert the actions to the game's notation. Raises BadInput, with the line.
    1. The seats. 2. All hole cards, wherever they are. 3. Bets and community cards in order.
    A check of a player without an opponent to bet against is omitted.
    """
    seats, hands = seat_order(position.players), dict.fromkeys(range(1, position.players + 1), "")
    for side, name in zip(position.sides, sheet.line.more["players"], strict=True):
        sheet.tags[side.title()] = name
    actions, sheet.line.steps = sheet.line.steps, []
    lines: dict[int, int] = {}
    for step in actions:
        if action := _HOLE.fullmatch(step.word) or _SHOW.fullmatch(step.word):
            player, shown = int(action[1]), action[2]
            if player not in hands:
                raise BadInput(f"line {step.at}: there is no player p{player}")
            if _HOLE_CARDS.fullmatch(shown) and len(hands[player].strip("?")) < 4:
                complete = len(hands[player]) == 4  # cards shown at the end replace unknown ones
                hands[player] = shown if complete and "?" not in shown else (hands[player] + shown)[:4]
                lines[player] = step.at
    has_actions = any(not _HOLE.fullmatch(step.word) for step in actions)
    counts = [len(hands[player]) for player in seats]
    for player, count, later in zip(seats, counts, [*counts[1:], 0], strict=True):
        if count < 4 and (has_actions or later):  # otherwise the deal was interrupted
            raise BadInput(f"the two hole cards of p{player} are missing; write ???? for unknown ones")
    unknown = sorted(player for player in seats if "?" in hands[player])
    rng, cards = random.Random(0), hands
    for attempt in range(MAX_SAMPLES):
        cards = _sample_unknown(cards, actions, rng, spread=13 if attempt < MAX_SAMPLES // 4 else 5)
        _replay(sheet, position, actions, cards, lines, seats)
        payoffs = position.outcome()
        actions_made = {step.more["action"][0] for step in sheet.line.steps if "action" in step.more}
        for _ in sheet.line.steps:
            position.unmake()
        if payoffs is None:
            sheet.tags["Termination"] = "unterminated"
            break
        remaining = [seat for seat, player in enumerate(seats) if f"p{player} f" not in actions_made]
        hidden = [seat for seat in remaining if seats[seat] in unknown]
        wrong = [seats[seat] for seat in hidden if payoffs[seat] > 0]
        if not wrong or len(hidden) == len(remaining):
            break
        cards = cards | {wrong[0]: hands[wrong[0]]}
    if unknown:
        sheet.line.more["unknown"] = [str(player) for player in unknown]
        players = ", ".join(f"p{player}" for player in unknown)
        sheet.line.notes.append(f"unknown in the file and filled in: the cards of {players}")


def _sample_unknown(
    hands: dict[int, str], actions: list[Step], rng: random.Random, spread: int
) -> dict[int, str]:
    """The cards of each player; unknown ones are sampled from the unused cards.
    The smaller the `spread`, the more likely are low ranks.
    """
    community = "".join(action[1] for step in actions if (action := _OPEN.fullmatch(step.word)))
    seen = set(re.findall("..", "".join(hands.values()) + community))
    rest = [card for card in DECK if card not in seen]
    rng.shuffle(rest)
    if spread < 13:
        rest.sort(key=lambda card: DECK.index(card) // 4 + spread * rng.random(), reverse=True)
    return {
        player: "".join(rest.pop() if card == "??" else card for card in re.findall("..", cards))
        for player, cards in hands.items()
    }


def _replay(
    sheet: Sheet,
    position: "Holdem",
    actions: list[Step],
    hands: dict[int, str],
    lines: dict[int, int],
    seats: list[int],
) -> None:
    """Make the moves of a hand with these cards. Raises BadInput, with the line."""
    sheet.line.steps = []
    for player in seats:
        for card in re.findall("..", hands[player]):
            _append_move(sheet, position, card, Step(card, at=lines[player]))
    for step in actions:
        if action := _OPEN.fullmatch(step.word):
            if not _CARDS.fullmatch(action[1]):
                raise BadInput(f"line {step.at}: '{action[1][:20]}' are not cards such as AsKd")
            for card in re.findall("..", action[1]):
                if position.outcome() is not None or position.turn != CHANCE:
                    raise BadInput(f"line {step.at}: no card is dealt here")
                _append_move(sheet, position, card, Step(card, step.notes, at=step.at))
        elif action := _ACTION.fullmatch(step.word):
            copy = Step(step.word, list(step.notes), at=step.at)
            _act(sheet, position, copy, seats, action, Decimal(sheet.tags.get("Unit", "1")))
        elif not _HOLE.fullmatch(step.word):
            raise BadInput(f"line {step.at}: '{step.word[:30]}' is not an action such as 'p1 cbr 6'")


def _act(
    sheet: Sheet, position: "Holdem", step: Step, seats: list[int], action: re.Match[str], unit: Decimal
) -> None:
    """Make a player's action; amounts are in units."""
    player, verb = int(action[1]), action[2]
    if verb == "sm":
        return
    if position.outcome() is not None or position.turn == CHANCE:
        if verb == "cc":
            return
        raise BadInput(f"line {step.at}: no bet or fold is possible here")
    if seats[position.turn] != player:
        raise BadInput(f"line {step.at}: it is the turn of p{seats[position.turn]}, not of p{player}")
    bet = _BET.fullmatch(step.word)
    chips = _amount(Decimal(bet[1]), unit) if bet else None
    if (verb == "cbr") != (chips is not None) or (verb != "cbr" and action[3]):
        raise BadInput(f"line {step.at}: '{step.word[:30]}' should read 'p1 f', 'p1 cc' or 'p1 cbr 6'")
    word = str(chips) if verb == "cbr" else "fold" if verb == "f" else position.format(1)
    _append_move(sheet, position, word, step)


def _append_move(sheet: Sheet, position: "Holdem", word: str, step: Step) -> None:
    try:
        move = position.parse(word)
    except IllegalMove as error:
        raise BadInput(f"line {step.at}: {error}") from None
    step.word = position.format(move)
    _note(step, position, move)
    sheet.line.steps.append(step)
    position.make(move)


# -- writing ------------------------------------------------------------------------------------


def _note(step: Step, position: "Holdem", move: int) -> None:
    """Add to a step its written form."""
    if position.turn != CHANCE:
        action = "f" if move == 0 else "cc" if move == 1 else f"cbr {move - 1}"
        step.more["action"] = [f"p{seat_order(position.players)[position.turn]} {action}"]


def game_tags(position: "Holdem") -> dict[str, str]:
    """The tags that describe the game of a hand."""
    return {
        "Variant": "FT" if position.limit else "NT",
        "Blinds": "/".join(map(str, position.blinds)),
        "Stacks": "/".join(map(str, position.stacks)),
        **({"Antes": "/".join(map(str, position.antes))} if any(position.antes) else {}),
    }


def annotate(sheet: Sheet, position: "Holdem") -> None:
    """Add the written form of each move and the seats to a sheet."""
    sheet.line.more["players"] = [sheet.tags[side.title()] for side in position.sides]
    for step in sheet.line.steps:
        move = position.parse(step.word)
        _note(step, position, move)
        position.make(move)


def write(sheet: Sheet) -> str:
    """The text of a hand; in a table if it is one of several."""
    tags = sheet.tags
    unit = Decimal(tags.get("Unit", "1"))
    stacks, antes, blinds = (
        list(map(int, tags.get(tag, "0").split("/"))) for tag in ("Stacks", "Antes", "Blinds")
    )
    count, big = len(stacks), blinds[1] or max(blinds)
    antes = antes if len(antes) == count else antes * count
    blinds = [-blind if seat > 1 and blind <= blinds[1] else blind for seat, blind in enumerate(blinds)]
    blinds += [0] * (count - len(blinds))
    seats = seat_order(count)
    order = [seats.index(player) for player in range(1, count + 1)]
    names = ("min_bet",) if tags["Variant"] == "NT" else ("small_bet", "big_bet")
    sizes = {name: _chips(times * big, unit) for times, name in enumerate(names, 1)}
    fields = {
        "variant": f'"{tags["Variant"]}"',
        "antes": _list(antes, unit),
        "blinds_or_straddles": _list(blinds, unit),
        **sizes,
        "starting_stacks": _list([stacks[seat] for seat in order], unit),
        "actions": "[\n" + "".join(f"  {_toml(line)},\n" for line in _actions(sheet, count)) + "]",
        "players": _toml([sheet.line.more["players"][seat] for seat in order]),
        **{field: _toml(tags[tag]) for field, tag in TEXT_FIELDS.items() if tags.get(tag, "?") != "?"},
    }
    if re.fullmatch(r"\d{4}\.\d\d\.\d\d", tags.get("Date", ""), re.ASCII):
        parts = zip(("year", "month", "day"), tags["Date"].split("."), strict=True)
        fields |= {part: str(int(number)) for part, number in parts}
    for name, values in sheet.line.more.items():
        if name.startswith("field "):
            fields[name.removeprefix("field ")] = values[0]
    text = "".join(f"{field} = {value}\n" for field, value in fields.items())
    table = tags.get("Round", "?")
    head = "" if table == "?" else f"[{table}]\n" if table.isalnum() else f"[{_toml(table)}]\n"
    return f"{head}{text}\n" if head else text


def _actions(sheet: Sheet, count: int) -> list[str]:
    """The actions: all hole cards, then bets and community cards, then the cards at showdown."""
    seats, steps = seat_order(count), sheet.line.steps
    unit, unknown = Decimal(sheet.tags.get("Unit", "1")), sheet.line.more.get("unknown", [])
    dealt = [step.word for step in steps[: 2 * count]]
    hands = {seats[seat]: "".join(dealt[2 * seat : 2 * seat + 2]) for seat in range(count)}
    hands |= {int(player): "????" for player in unknown}
    out = [f"d dh p{player} {hand}" for player, hand in sorted(hands.items()) if hand]
    opened, cards = 0, ""
    folded: set[int] = set()
    for step in steps[2 * count :]:
        comment = "".join(f" # {note}" for note in step.comments)
        if "action" in step.more:
            action = step.more["action"][0]
            folded |= {int(action[1:-2])} if action.endswith(" f") else set()
            head, bet, amount = action.partition(" cbr ")
            out.append(head + (f"{bet}{_chips(int(amount), unit)}" if bet else "") + comment)
            continue
        cards += step.word
        opened += 1
        if opened >= 3:
            out.append(f"d db {cards}{comment}")
            cards = ""
    out += [f"d db {cards}"] if cards else []  # of an interrupted flop
    if sheet.tags.get("Termination") != "unterminated" and len(folded) < count - 1:
        out += [f"p{player} sm {hand}" for player, hand in sorted(hands.items()) if player not in folded]
    return out


def _chips(amount: int, unit: Decimal) -> str:
    """An amount in units as chips."""
    text = f"{amount / unit:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _list(amounts: list[int], unit: Decimal) -> str:
    return f"[{', '.join(_chips(amount, unit) for amount in amounts)}]"


def _toml(value: Any) -> str:
    """A value in TOML, which for these types equals JSON."""
    if isinstance(value, datetime.time | datetime.date):
        return value.isoformat()
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError("not a number that JSON has")
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
