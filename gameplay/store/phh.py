"""Hands of Texas hold'em as the Poker Hand History format writes them (J. Kim, 2023): `.phh` and `.phhs`.

    variant = "NT"                      NT without a limit, FT with fixed limits
    antes = [0, 0]
    blinds_or_straddles = [1, 2]
    min_bet = 2
    starting_stacks = [200, 200]
    actions = [
      "d dh p1 7c2d",                   cards of a player's own
      "d dh p2 AsKd",
      "p2 cbr 6",                       bets, raises or completes to 6 in this round
      "p1 f",                           folds; `cc` checks or calls, `sm` shows cards in the end
    ]
    players = ["ann", "bob"]

It is TOML. A file with tables, `[1]`, `[2]`, holds a hand in each. Of two players p2 has the button and the
small blind, of more p1 has the small blind. Our first seat is the small blind always. Chips are whole numbers
and there are no antes here, and the cards of everybody must be told: at the end nothing is hidden.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from gameplay.errors import BadInput, IllegalMove
from gameplay.position import CHANCE
from gameplay.store.movetext import Sheet, Step

LIMITS = {"NT": "any", "FT": "limit"}
NAMED = {"event": "Event", "venue": "Site"}
OWN = {"variant", "antes", "blinds_or_straddles", "min_bet", "small_bet", "big_bet", "starting_stacks"}
OWN |= {"actions", "players", "year", "month", "day", *NAMED}

_TABLE = re.compile(r"\s*\[\s*\"?([\w.-]+)\"?\s*\]\s*(?:#.*)?$")
_ACTIONS = re.compile(r"^\s*actions\s*=\s*\[", re.MULTILINE)
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*|\]')
_PLACE = re.compile(r"(.*?) \(at (?:line (\d+), column \d+|end of document)\)")
_CARDS = re.compile(r"(?:[2-9TJQKA][cdhs])+")
_HOLE = re.compile(r"d dh p(\d) (\S+)")
_OPEN = re.compile(r"d db (\S+)")
_ACT = re.compile(r"p(\d) (f|cc|cbr|sm)(?: (\S+))?")


# -- reading ------------------------------------------------------------------------------------


def read(lines: Iterable[str], name: str) -> Iterator[Sheet]:
    """The hands of a file; a sheet tells its `problem`."""
    table, began, hand, number = "", 1, [""], 0
    for at, line in enumerate(lines, 1):
        if found := _TABLE.match(line):
            if table or any(map(_matters, hand)):
                number += 1
                yield _sheet(hand, began, number, table, name)
            table, began, hand = found[1], at + 1, []
        else:
            hand.append(line)
    if table or any(map(_matters, hand)):
        yield _sheet(hand, began, number + 1, table, name)


def _matters(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _sheet(hand: list[str], began: int, number: int, table: str, name: str) -> Sheet:
    """One hand, told its fields; what they mean is asked in `fit`."""
    sheet = Sheet(number=number)
    sheet.tags |= {"Round": table} if table else {}
    text = "\n" * (began - 1 if table else 0) + "\n".join(hand if table else hand[1:])
    try:
        fields = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # of TOML, of a number too long for Python, of depth
        found = _PLACE.match(str(error))
        line = found[2] if found and found[2] else text.count("\n") + 1
        told = found[1] if found else str(error)
        sheet.problem = f"{name}, line {line}, game {number}: {told[:1].lower()}{told[1:]}"
        return sheet
    try:
        _tell_fields(sheet, fields)
    except BadInput as error:
        sheet.problem = f"{name}, game {number}: {error}"
        return sheet
    places = _places(text)
    for place, action in enumerate(fields["actions"]):
        word, _, comment = action.partition("#")
        at = places[place] if place < len(places) else began
        sheet.line.steps.append(Step(" ".join(word.split()), [comment.strip()] if comment else [], at=at))
    return sheet


def _places(text: str) -> list[int]:
    """The lines on which the actions stand."""
    found, places = _ACTIONS.search(text), []
    for token in _TOKEN.finditer(text, found.end()) if found else ():
        if token[0] == "]":
            break
        if token[0][0] != "#":
            places.append(1 + text.count("\n", 0, token.start()))
    return places


def _tell_fields(sheet: Sheet, fields: dict[str, Any]) -> None:
    """Note the fields as tags, those by player in the order of our seats. Raises BadInput."""
    variant = fields.get("variant")
    if variant not in LIMITS:
        raise BadInput(f"variant is {variant!r}; played here are NT and FT, hold'em without and with limits")
    stacks = _numbers(fields, "starting_stacks")
    count = len(stacks)
    if any(_numbers(fields, "antes", count)):
        raise BadInput("there are antes, which are not played here")
    blinds = _numbers(fields, "blinds_or_straddles", count)
    big = blinds[1]
    if any(blinds[2:]) or not 0 < blinds[0] <= big:
        raise BadInput(f"blinds_or_straddles is {blinds}; a small and a big blind come first, and no others")
    sizes = ("min_bet",) if variant == "NT" else ("small_bet", "big_bet")
    for times, field in enumerate(sizes, 1):
        if fields.get(field) != times * big:
            raise BadInput(f"{field} is {fields.get(field)!r}, not {times * big} as the big blind asks")
    actions = fields.get("actions")
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise BadInput("actions is missing, or no list of texts")
    seats = seated(count)
    sheet.tags |= {"Variant": variant, "Blinds": f"{blinds[0]}/{big}"}
    sheet.tags["Stacks"] = "/".join(str(stacks[player - 1]) for player in seats)
    names = fields.get("players", [])
    if not isinstance(names, list):
        raise BadInput(f"players is {_short(names)}, not a list of names")
    sheet.line.more["players"] = [str(names[p - 1]) if p <= len(names) else f"p{p}" for p in seats]
    sheet.tags |= {tag: str(fields[field]) for field, tag in NAMED.items() if field in fields}
    if all(isinstance(fields.get(part), int) for part in ("year", "month", "day")):
        sheet.tags["Date"] = "{year:04}.{month:02}.{day:02}".format(**fields)
    for field, value in fields.items():
        if field not in OWN:
            with suppress(TypeError, ValueError):  # times of day, and what else JSON does not know
                sheet.line.more[f"field {field}"] = [_toml(value)]


def _numbers(fields: dict[str, Any], field: str, count: int = 0) -> list[int]:
    """A field of whole numbers, as many as there are players. Raises BadInput."""
    found = fields.get(field)
    if not isinstance(found, list) or not all(type(one) is int and one >= 0 for one in found):
        raise BadInput(f"{field} is {_short(found)}, not a list of whole numbers of chips")
    if count and len(found) != count:
        raise BadInput(f"{field} has {len(found)} numbers for {count} players")
    if not 2 <= len(found) <= 6:
        raise BadInput(f"{field} is for {len(found)} players; hold'em is played here by 2 to 6")
    return found


def _short(value: Any) -> str:
    return repr(value)[:40]


def seated(count: int) -> list[int]:
    """The number of the player, from 1, on each of our seats."""
    return [2, 1] if count == 2 else list(range(1, count + 1))


def spec(sheet: Sheet) -> str:
    """The game that a sheet is of."""
    tags = sheet.tags
    if sheet.problem:
        return "holdem"
    stacks, limit = tags["Stacks"], LIMITS[tags["Variant"]]
    return f"holdem:players={stacks.count('/') + 1},stacks={stacks},blinds={tags['Blinds']},bets={limit}"


def fit(sheet: Sheet, position: Any) -> None:
    """Say the actions in the game's words. Raises BadInput, with the line.

    1. Who sits where. 2. Everybody's own cards, wherever they are told. 3. Bets and open cards in turn.
    Somebody who is asked, though nobody is left to bet against, can only check: that is left out.
    """
    seats, own = seated(position.players), dict.fromkeys(range(1, position.players + 1), "")
    for side, name in zip(position.sides, sheet.line.more["players"], strict=True):
        sheet.tags[side.title()] = name
    told, sheet.line.steps = sheet.line.steps, []
    lines: dict[int, int] = {}
    for step in told:
        if found := _HOLE.fullmatch(step.word) or re.fullmatch(r"p(\d) sm (\S+)", step.word):
            player = int(found[1])
            if player not in own:
                raise BadInput(f"line {step.at}: there is no p{player}")
            if _CARDS.fullmatch(found[2]) and len(own[player]) < 4:
                own[player] += found[2]
                lines[player] = step.at
    for player in seats:
        if len(own[player]) != 4:
            raise BadInput(f"the two cards of p{player} are not told")
        for card in (own[player][:2], own[player][2:]):
            _make(sheet, position, card, Step(card, at=lines[player]))
    for step in told:
        if found := _OPEN.fullmatch(step.word):
            if not _CARDS.fullmatch(found[1]):
                raise BadInput(f"line {step.at}: '{found[1][:20]}' are no cards, as AsKd")
            for card in re.findall("..", found[1]):
                if position.outcome() is not None or position.turn != CHANCE:
                    raise BadInput(f"line {step.at}: no card is dealt here")
                _make(sheet, position, card, Step(card, step.notes, at=step.at))
        elif found := _ACT.fullmatch(step.word):
            _act(sheet, position, step, seats, found)
        elif not _HOLE.fullmatch(step.word):
            raise BadInput(f"line {step.at}: '{step.word[:30]}' is no action, as 'p1 cbr 6'")
    if position.outcome() is None:
        sheet.tags["Termination"] = "unterminated"
    for _ in sheet.line.steps:
        position.unmake()


def _act(sheet: Sheet, position: Any, step: Step, seats: list[int], found: re.Match[str]) -> None:
    """What a player did."""
    player, done, amount = int(found[1]), found[2], found[3] or ""
    if done == "sm":
        return
    if position.outcome() is not None or position.turn == CHANCE:
        if done == "cc":
            return
        raise BadInput(f"line {step.at}: nobody can bet or fold here")
    if seats[position.turn] != player:
        raise BadInput(f"line {step.at}: it is the turn of p{seats[position.turn]}, not of p{player}")
    if (done == "cbr") != amount.isdecimal():
        raise BadInput(f"line {step.at}: '{step.word[:30]}' should read 'p1 f', 'p1 cc' or 'p1 cbr 6'")
    word = amount if done == "cbr" else "fold" if done == "f" else position.format(1)
    _make(sheet, position, word, step)


def _make(sheet: Sheet, position: Any, word: str, step: Step) -> None:
    try:
        move = position.parse(word)
    except IllegalMove as error:
        raise BadInput(f"line {step.at}: {error}") from None
    step.word = position.format(move)
    _note(step, position, move)
    sheet.line.steps.append(step)
    position.make(move)


# -- writing ------------------------------------------------------------------------------------


def _note(step: Step, position: Any, move: int) -> None:
    """Note with a step what is written of it."""
    if position.turn != CHANCE:
        said = "f" if move == 0 else "cc" if move == 1 else f"cbr {move - 1}"
        step.more["action"] = [f"p{seated(position.players)[position.turn]} {said}"]


def terms(position: Any) -> dict[str, str]:
    """What a hand says of its game."""
    return {
        "Variant": "FT" if position.limit else "NT",
        "Blinds": "/".join(map(str, position.blinds)),
        "Stacks": "/".join(map(str, position.stacks)),
    }


def tell(sheet: Sheet, position: Any) -> None:
    """Note what is written of each move, and who sits where."""
    sheet.line.more["players"] = [sheet.tags[side.title()] for side in position.sides]
    for step in sheet.line.steps:
        move = position.parse(step.word)
        _note(step, position, move)
        position.make(move)


def write(sheet: Sheet) -> str:
    """A hand; in a table of its own if it is one of several."""
    tags = sheet.tags
    stacks, (small, big) = tags["Stacks"].split("/"), tags["Blinds"].split("/")
    count = len(stacks)
    seats = seated(count)
    order = [seats.index(player) for player in range(1, count + 1)]
    sizes = {"min_bet": big} if tags["Variant"] == "NT" else {"small_bet": big, "big_bet": str(2 * int(big))}
    fields = {
        "variant": f'"{tags["Variant"]}"',
        "antes": _list(["0"] * count),
        "blinds_or_straddles": _list([small, big, *["0"] * (count - 2)]),
        **sizes,
        "starting_stacks": _list([stacks[seat] for seat in order]),
        "actions": "[\n" + "".join(f"  {_toml(line)},\n" for line in _actions(sheet, count)) + "]",
        "players": _toml([sheet.line.more["players"][seat] for seat in order]),
        **{field: _toml(tags[tag]) for field, tag in NAMED.items() if tags.get(tag, "?") != "?"},
    }
    if re.fullmatch(r"\d{4}\.\d\d\.\d\d", tags.get("Date", ""), re.ASCII):
        parts = zip(("year", "month", "day"), tags["Date"].split("."), strict=True)
        fields |= {part: str(int(number)) for part, number in parts}
    for name, given in sheet.line.more.items():
        if name.startswith("field "):
            fields[name.removeprefix("field ")] = given[0]
    text = "".join(f"{field} = {value}\n" for field, value in fields.items())
    table = tags.get("Round", "?")
    head = "" if table == "?" else f"[{table}]\n" if table.isalnum() else f"[{_toml(table)}]\n"
    return f"{head}{text}\n" if head else text


def _actions(sheet: Sheet, count: int) -> list[str]:
    """The actions: everybody's cards, then bets and open cards, at last the cards of those who stayed."""
    seats, steps = seated(count), sheet.line.steps
    dealt = [step.word for step in steps[: 2 * count]]
    hands = {seats[seat]: "".join(dealt[2 * seat : 2 * seat + 2]) for seat in range(count)}
    out = [f"d dh p{player} {hand}" for player, hand in sorted(hands.items()) if hand]
    opened, cards = 0, ""
    gone: set[int] = set()
    for step in steps[2 * count :]:
        comment = "".join(f" # {note}" for note in step.comments)
        if "action" in step.more:
            action = step.more["action"][0]
            gone |= {int(action[1])} if action.endswith(" f") else set()
            out.append(action + comment)
            continue
        cards += step.word
        opened += 1
        if opened >= 3:
            out.append(f"d db {cards}{comment}")
            cards = ""
    if sheet.tags.get("Termination") != "unterminated" and len(gone) < count - 1:
        out += [f"p{player} sm {hand}" for player, hand in sorted(hands.items()) if player not in gone]
    return out


def _list(numbers: list[str]) -> str:
    return f"[{', '.join(numbers)}]"


def _toml(value: Any) -> str:
    """A value as TOML writes it, which is how JSON does."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
