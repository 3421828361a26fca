"""Bidding systems: rules from a file, the calls they make and their meanings. The default is bidding.toml.

A rule has an auction, a call and the promise of the call:

    {after = "1M (x)?", call = "2M", says = "raise", points = "6-9", length = {M = "3+"}},

1. The auction: own calls are bare, those of the other side are in brackets. Own passes are written, theirs
   are not, and none before the first bid. `*` is any call, `...` any number of calls, `?` marks an optional
   call, `n` is any level. There may be a list of such auctions. "" is the opening.
2. Suits: C D H S, N for no trumps; M and O are majors, m is a minor, X Y Z are any, and different letters are
   different suits. A letter not bound by the auction may be any suit for which the rule holds: the longest
   one, of equal ones the highest from five cards on, else the lowest. A call without a level is the cheapest.
3. The promise. points: 4 for an ace, 3, 2, 1 for king, queen and jack, and 1 for each card beyond four in a
   suit; total: with the fewest that the partner has promised; length, fit: cards of a suit, and with the
   fewest that the partner has promised; balanced; stopped: suits in which the opponents cannot cash
   tricks (or "theirs"); aces, all_aces: their number, alone and with the partner's.
4. Further conditions: ranks = "Z<X", level = "1-3" of the bid (or of the doubled one), forced, if the player
   must not pass the partner's last call, and game = false, if the side has not bid one yet.
5. `forcing`: the partner must not pass. `says`: the name of the convention.

The first rule that holds for a hand makes its call; if there is none, it passes. A call shows the promises of
the rules that would make it, in any order: those for such auctions, if there are any, else those for all
("..."), and finally those of a player forced to bid.
"""

import os
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from gameplay import file_io
from gameplay.errors import BadInput, unknown_name
from gameplay.games.bridge.score import STRAINS

PASS, DOUBLE, REDOUBLE, FIRST = 52, 53, 54, 55  # the calls, as moves of `bridge`; then bids, from 1C on
SUITS = {"M": (2, 3), "O": (2, 3), "m": (0, 1), "X": (0, 1, 2, 3), "Y": (0, 1, 2, 3), "Z": (0, 1, 2, 3)}
SUITS |= {letter: (suit,) for suit, letter in enumerate("CDHS")}
NAMES = ("clubs", "diamonds", "hearts", "spades")
CALLS = {"pass": PASS, "x": DOUBLE, "xx": REDOUBLE}
ALWAYS = r"(?:\S+ )*"  # any number of calls
GAMES = (5, 5, 4, 4, 3)  # the levels of games, by strain
ANY = (0, 99)

HEADS = {
    "name": "The name shown on screens",
    "about": "A one-line description",
    "rules": "Rules, each in braces: the first that applies makes the call; if none does, it is a pass",
}
FIELDS: dict[str, tuple[Any, str]] = {  # of a rule: type and description
    "after": (
        (str, list),
        "The auction, one or a list: own calls bare, theirs in brackets; own passes are written, theirs are "
        "not, and none before the first bid. `*` any call, `...` any number of calls, `(x)?` optional, "
        "`n` any level",
    ),
    "call": (str, "The call; without a level the cheapest bid of the suit"),
    "says": (str, "The name of the convention"),
    "points": (
        str,
        "Points: 4, 3, 2, 1 for ace, king, queen, jack, and 1 for each card beyond four in a suit",
    ),
    "total": (str, "Points with the fewest that the partner has promised"),
    "length": (dict, "Cards of each suit"),
    "fit": (dict, "Cards of each suit with the fewest that the partner has promised"),
    "balanced": (bool, "Whether the shape is balanced"),
    "stopped": (str, "Suits in which they do not take tricks at once, or `theirs`"),
    "aces": (str, "Number of aces"),
    "all_aces": (str, "Number of aces with the partner's"),
    "ranks": (str, "Order of suits that must hold: `Z<X`"),
    "level": (str, "Level of the bid, or of the doubled one: `1-3`"),
    "forced": (bool, "Whether the partner's last call must not be passed"),
    "game": (bool, "Whether the side has bid a game"),
    "forcing": (bool, "The partner must not pass"),
}
_BID = re.compile(r"([1-7n])([CDHSNMOmXYZ])")
_CALL = re.compile(r"([1-7]?)([CDHSNMOmXYZ])|pass|x|xx")
_RANGE = re.compile(r"(\d{1,2})(?:(\+)|-(\d{1,2}))?", re.ASCII)

Range = tuple[int, int]


class HandFacts(NamedTuple):
    """The features of a hand of thirteen cards."""

    points: int
    lengths: tuple[int, ...]
    balanced: bool
    aces: int
    stopped: tuple[bool, ...]


class Promise(NamedTuple):
    """The features that a call shows about a hand."""

    points: Range = ANY
    lengths: tuple[Range, ...] = (ANY,) * 4
    balanced: bool | None = None
    aces: tuple[int, ...] = (0, 1, 2, 3, 4)
    stopped: tuple[int, ...] = ()

    def distance(self, hand: HandFacts) -> int:
        """The distance of a hand from the promise, in points and cards; 0: it holds."""
        total = max(self.points[0] - hand.points, hand.points - self.points[1], 0)
        for (low, high), count in zip(self.lengths, hand.lengths, strict=True):
            total += max(low - count, count - high, 0)
        total += self.balanced is not None and self.balanced != hand.balanced
        total += hand.aces not in self.aces
        return total + sum([not hand.stopped[suit] for suit in self.stopped])

    def intersect(self, other: "Promise") -> "Promise":
        """The intersection with a later promise; where they exclude each other, the later one."""
        balanced = other.balanced if other.balanced is not None else self.balanced
        aces = tuple([count for count in other.aces if count in self.aces]) or other.aces
        lengths = map(_intersect, self.lengths, other.lengths)
        return Promise(_intersect(self.points, other.points), tuple(lengths), balanced, aces)

    def __str__(self) -> str:
        parts = [f"{_range_text(self.points, 40)} points"] if self.points != ANY else []
        parts += ["balanced"] if self.balanced else ["unbalanced"] if self.balanced is False else []
        parts += [
            f"{_range_text(self.lengths[suit], 13)} {NAMES[suit]}"
            for suit in (3, 2, 1, 0)
            if self.lengths[suit] != ANY
        ]
        if len(self.aces) < 5:
            count = (
                f"{self.aces[0]}+"
                if self.aces[-1] - self.aces[0] == len(self.aces) - 1 > 0
                else " or ".join(map(str, self.aces))
            )
            parts.append(f"{count} ace{'s' * (count != '1')}")
        parts += [f"{NAMES[suit]} stopped" for suit in self.stopped]
        return ", ".join(parts)


def _intersect(earlier: Range, later: Range) -> Range:
    low, high = max(earlier[0], later[0]), min(earlier[1], later[1])
    return (low, high) if low <= high else later


def _range_text(interval: Range, max_value: int) -> str:
    low, high = interval
    return f"{low}" if low == high else f"{low}+" if high >= max_value else f"{low}-{high}"


def hull(promises: Sequence[Promise]) -> Promise:
    """The union of promises."""
    return Promise(
        _span([promise.points for promise in promises]),
        tuple([_span([promise.lengths[suit] for promise in promises]) for suit in range(4)]),
        promises[0].balanced if len({promise.balanced for promise in promises}) == 1 else None,
        tuple(sorted({count for promise in promises for count in promise.aces})),
    )


def _span(ranges: Sequence[Range]) -> Range:
    return min(low for low, _ in ranges), max(high for _, high in ranges)


class Option(NamedTuple):
    """A call that a rule makes in an auction, for hands that fulfil its promise."""

    call: int
    promise: Promise
    convention: str
    forcing: bool
    priority: int  # 0: a rule for these auctions, 1: for all auctions, 2: for forced calls

    def covers(self, other: "Option") -> bool:
        """True if it has the same meaning for more hands."""
        promise, other_promise = self.promise, other.promise
        return (
            (self.convention, self.forcing, promise.balanced, promise.aces, promise.stopped)
            == (
                other.convention,
                other.forcing,
                other_promise.balanced,
                other_promise.aces,
                other_promise.stopped,
            )
            and (promise.points, promise.lengths) != (other_promise.points, other_promise.lengths)
            and all(
                outer[0] <= low and high <= outer[1]
                for outer, (low, high) in zip(
                    (promise.points, *promise.lengths),
                    (other_promise.points, *other_promise.lengths),
                    strict=True,
                )
            )
        )

    def __str__(self) -> str:
        text = (
            f"{self.convention}: {self.promise}"
            if self.convention and str(self.promise)
            else self.convention or str(self.promise)
        )
        return text + (", forcing" if self.forcing else "")


class Auction(NamedTuple):
    """The information from an auction so far."""

    calls: tuple[int, ...] = ()
    hulls: tuple[Promise, ...] = (Promise(),) * 4  # by place: the dealer, then clockwise
    promises: tuple[tuple[tuple[Promise, ...], ...], ...] = ((),) * 4  # call by call: one of these holds
    forcing: tuple[bool, ...] = (False,) * 4  # whether the last call of each is forcing


class Rule(NamedTuple):
    """A compiled rule."""

    patterns: tuple[re.Pattern[str], ...]
    level: str  # of the call: "", the cheapest
    strain: str  # "" of a pass and doubles
    call: int  # these; else 0
    fields: dict[str, Any]
    letters: tuple[str, ...]  # that stand for suits

    def parse_field(self, field: str) -> Range:
        """The range of a field, by default any."""
        return _parse_range(self.fields[field]) if field in self.fields else ANY


class System:
    """The rules of a file. Raises BadInput with the place of an error."""

    def __init__(self, path: Path) -> None:
        text = file_io.text(path)
        data = file_io.parse_toml(text, path)
        for key in data:
            if key not in HEADS:
                raise BadInput(f"{path}: {unknown_name('field', key, HEADS)}")
        rules = data.get("rules")
        if not isinstance(rules, list) or not rules or not all(isinstance(rule, dict) for rule in rules):
            raise BadInput(
                f"{path} has no rules; a system is a name and rules = [...], a table in braces each"
            )
        self.name, self.about = str(data.get("name", path.stem)), str(data.get("about", ""))
        lines = [
            line_number
            for line_number, line in enumerate(text.splitlines(), 1)
            if line.lstrip().startswith("{")
        ]
        self.rules = []
        for number, fields in enumerate(rules):
            try:
                self.rules.append(_parse_rule(fields))
            except BadInput as error:
                line = f", line {lines[number]}" if len(lines) == len(rules) else ""
                raise BadInput(f"{path}{line}, rule {number + 1}: {error}") from None
        self.auction = lru_cache(4096)(self._auction)
        self.options = lru_cache(4096)(self._options)

    # -- for players -----------------------------------------------------------------------------

    def choose(self, calls: tuple[int, ...], hand: HandFacts) -> Option:
        """The next call of a player with this hand after these calls."""
        for options in self.options(calls):
            fitting = [option for option in options if not option.promise.distance(hand)]
            if fitting:
                return max(fitting, key=lambda option: _suit_preference(option, hand))
        return Option(PASS, Promise(), "nothing to say", False, 2)

    def meanings(self, calls: tuple[int, ...]) -> list[Option]:
        """The options of the rules for the last of these calls."""
        matching = [
            option for options in self.options(calls[:-1]) for option in options if option.call == calls[-1]
        ]
        priority = min([option.priority for option in matching], default=0)
        return [option for option in matching if option.priority == priority]

    def meaning(self, calls: tuple[int, ...]) -> str:
        """The meaning of the last of these calls, in words; empty if no rule makes it."""
        matching = self.meanings(calls)
        widest = [
            option
            for option in matching
            if not any(other is not option and other.covers(option) for other in matching)
        ]
        words = list(dict.fromkeys(map(str, widest)))
        head, colon, _ = words[0].partition(": ") if words else ("", "", "")
        return "; or ".join([*words[:1], *(word.removeprefix(f"{head}{colon}") for word in words[1:3])])

    # -- meanings of the calls so far -----------------------------------------------------------

    def _auction(self, calls: tuple[int, ...]) -> Auction:
        if not calls:
            return Auction()
        previous = self.auction(calls[:-1])
        meanings = self.meanings(calls)
        seat = (len(calls) - 1) % 4
        hulls, all_promises, forcing = list(previous.hulls), list(previous.promises), list(previous.forcing)
        forcing[seat] = bool(meanings) and all(option.forcing for option in meanings)
        if meanings:
            promises = tuple([option.promise for option in meanings])
            hulls[seat] = hulls[seat].intersect(hull(promises))
            all_promises[seat] = (*all_promises[seat], promises)
        return Auction(calls, tuple(hulls), tuple(all_promises), tuple(forcing))

    def _options(self, calls: tuple[int, ...]) -> tuple[tuple[Option, ...], ...]:
        """The options of each rule in this auction, in the order of the rules."""
        auction, text = self.auction(calls), auction_text(calls)
        by_rule = []
        for rule in self.rules:
            options: dict[Option, None] = {}
            for pattern in rule.patterns:
                match = pattern.fullmatch(text)
                if match is not None:
                    options |= dict.fromkeys(_matching_options(rule, match.groupdict(), auction))
            if options:
                by_rule.append(tuple(options))
        return tuple(by_rule)


def auction_text(calls: Sequence[int]) -> str:
    """An auction as rules match it, from the view of the next caller, with a blank after each call."""
    words, is_open = [], False
    for number, call in enumerate(calls):
        is_open = is_open or call != PASS
        by_partnership = (len(calls) - number) % 2 == 0
        if is_open and (by_partnership or call != PASS):
            word = call_text(call)
            words.append(f"{word} " if by_partnership else f"({word}) ")
    return "".join(words)


def call_text(call: int) -> str:
    """The text of a call."""
    if call < FIRST:
        return ("pass", "x", "xx")[call - PASS]
    return f"{1 + (call - FIRST) // 5}{STRAINS[(call - FIRST) % 5]}"


def _suit_preference(option: Option, hand: HandFacts) -> tuple[int, int]:
    """The sort key among several calls of a rule: the longest suit."""
    strain = (option.call - FIRST) % 5
    if option.call < FIRST or strain == 4:
        return (0, 0)
    return (hand.lengths[strain], strain if hand.lengths[strain] > 4 else -strain)


def _matching_options(rule: Rule, bound: dict[str, str], auction: Auction) -> Iterator[Option]:
    """The calls of a rule in a matching auction.

    1. Bind the letters to suits. 2. Check that the call is legal. 3. Compute the promise.
    """
    calls, fields = auction.calls, rule.fields
    highest_bid = max((call for call in calls if call >= FIRST), default=0)
    partner = auction.hulls[(len(calls) - 2) % 4]
    if "forced" in fields and fields["forced"] != (
        auction.forcing[(len(calls) - 2) % 4] and calls[-1:] == (PASS,)
    ):
        return
    if "game" in fields and fields["game"] != _in_game(calls):
        return
    bound_suits = {letter: STRAINS.index(word) for letter, word in bound.items() if word}
    free_letters = [letter for letter in rule.letters if letter not in bound_suits]
    for suits in product(*(SUITS[letter] for letter in free_letters)):
        suit = bound_suits | dict(zip(free_letters, suits, strict=True))
        distinct_suits = [suit[letter] for letter in suit if letter in "MOmXYZ"]
        if len(set(distinct_suits)) < len(distinct_suits):
            continue
        if "ranks" in fields:
            low, high = (suit[letter] for letter in fields["ranks"].split("<"))
            if low >= high:
                continue
        call = rule.call
        if rule.strain:
            strain = 4 if rule.strain == "N" else suit[rule.strain]
            call = FIRST + strain + (5 * (int(rule.level) - 1) if rule.level else 0)
            while not rule.level and call <= highest_bid:
                call += 5
        if not _legal(call, calls, highest_bid):
            continue
        low, high = rule.parse_field("level")
        if (
            not low <= ((call if call >= FIRST else highest_bid) - FIRST) // 5 + 1 <= high
            and "level" in fields
        ):
            continue
        promise, convention = _promise(rule, suit, partner, calls), fields.get("says", "")
        if not promise.aces or any(low > high for low, high in (promise.points, *promise.lengths)):
            continue  # no hand fits this and the partner's promise
        priority = (
            2 if fields.get("forced") else int(all(pattern.pattern == ALWAYS for pattern in rule.patterns))
        )
        yield Option(call, promise, convention, fields.get("forcing", False), priority)


def _promise(rule: Rule, suit: dict[str, int], partner: Promise, calls: Sequence[int]) -> Promise:
    """The promise of a rule, given the partner's."""
    fields = rule.fields
    points, (low, high) = rule.parse_field("points"), rule.parse_field("total")
    partner_min = partner.points[0]
    if "total" in fields:
        points = (max(points[0], low - partner_min), min(points[1], high - partner_min if high < 99 else 99))
    lengths = [ANY] * 4
    for letter, text in fields.get("length", {}).items():
        lengths[suit[letter]] = _parse_range(text)
    for letter, text in fields.get("fit", {}).items():
        low, high = _parse_range(text)
        partner_min = partner.lengths[suit[letter]][0]
        lengths[suit[letter]] = (max(0, low - partner_min), high - partner_min if high < 99 else 99)
    aces = _parse_counts(fields["aces"]) if "aces" in fields else (0, 1, 2, 3, 4)
    if "all_aces" in fields:
        partner_min = partner.aces[0]
        aces = tuple(
            [count for count in range(5) if count + partner_min in _parse_counts(fields["all_aces"])]
        )
    stopped = fields.get("stopped", "")
    if stopped == "theirs":
        opponent_suits = {(call - FIRST) % 5 for call in calls[-1::-2] if call >= FIRST}
        suits = tuple(sorted(opponent_suits - {4}))
    else:
        suits = tuple([suit[letter] for letter in stopped.split()])
    return Promise(points, tuple(lengths), fields.get("balanced"), aces, suits)


def _legal(call: int, calls: Sequence[int], highest_bid: int) -> bool:
    """True if this call may be made."""
    if call >= FIRST:
        return highest_bid < call < FIRST + 35
    if call == PASS:
        return True
    calls_made = [(number, last_call) for number, last_call in enumerate(calls) if last_call != PASS]
    if not calls_made:
        return False
    number, last_call = calls_made[-1]
    by_opponents = (len(calls) - number) % 2 == 1
    return by_opponents and (last_call >= FIRST if call == DOUBLE else last_call == DOUBLE)


def _in_game(calls: Sequence[int]) -> bool:
    """True if the side to call has bid a game."""
    own_bid = max((call for call in calls[-2::-2] if call >= FIRST), default=0)
    return own_bid > 0 and (own_bid - FIRST) // 5 + 1 >= GAMES[(own_bid - FIRST) % 5]


# -- reading ---------------------------------------------------------------------------------------


def _parse_rule(fields: dict[str, Any]) -> Rule:
    """A rule of a file. Raises BadInput."""
    for field, value in fields.items():
        if field not in FIELDS:
            raise BadInput(unknown_name("field", field, FIELDS))
        kind, _ = FIELDS[field]
        if not isinstance(value, kind):
            expected = {bool: "true or false", dict: "a table of suits"}.get(kind, "text")
            raise BadInput(f"{field} must be {expected}, not {value!r}")
    for field in ("after", "call"):
        if field not in fields:
            raise BadInput(f"{field} is missing")
    auctions = fields["after"] if isinstance(fields["after"], list) else [fields["after"]]
    match = _CALL.fullmatch(fields["call"])
    if match is None:
        raise BadInput(f"'{fields['call']}' is not a call: 1N, 2M, X, pass, x or xx")
    patterns = tuple([_compile_auction(str(auction)) for auction in auctions])
    letters = {match[2]} if match[2] and match[2] != "N" else set()
    for field in ("length", "fit"):
        for letter, text in fields.get(field, {}).items():
            letters.add(_check_suit(letter))
            if not isinstance(text, str):
                raise BadInput(f"{field} of {letter} must be text, not {text!r}")
            _parse_range(text)
    letters |= {_check_suit(letter) for letter in fields.get("stopped", "").split() if letter != "theirs"}
    if "ranks" in fields:
        if fields["ranks"].count("<") != 1:
            raise BadInput(
                f"ranks must be two suits, the lower one first, as in Z<X, not '{fields['ranks']}'"
            )
        letters |= {_check_suit(letter) for letter in fields["ranks"].split("<")}
    for field in ("points", "total", "level"):
        if field in fields:
            _parse_range(fields[field])
    for field in ("aces", "all_aces"):
        if field in fields:
            _parse_counts(fields[field])
    call = CALLS.get(fields["call"], 0)
    return Rule(patterns, match[1] or "", match[2] or "", call, fields, tuple(sorted(letters)))


def _check_suit(letter: str) -> str:
    if letter not in SUITS:
        raise BadInput(f"'{letter}' is not a suit: C, D, H, S, M, O, m, X, Y or Z")
    return letter


def _compile_auction(text: str) -> re.Pattern[str]:
    """An auction of a rule as a regular expression. Raises BadInput."""
    patterns, bound_letters = [], set[str]()
    for token in text.split():
        word, optional = token.removesuffix("?"), token.endswith("?")
        by_opponents = word[:1] == "(" and word[-1:] == ")"
        inner = word[1:-1] if by_opponents else word
        bid = _BID.fullmatch(inner)
        if word == "...":
            patterns.append(ALWAYS)
            continue
        if inner == "*":
            pattern = r"[^ ()]+"
        elif inner in CALLS:
            pattern = inner
        elif bid is None or (optional and bid[2] in "MOmXYZ"):
            raise BadInput(
                f"'{token}' in the auction '{text}' is not a call such as 1N, (2M), x, pass, *, (*) or (x)?"
            )
        else:
            letter = bid[2]
            pattern = "[1-7]" if bid[1] == "n" else bid[1]
            if letter in "CDHSN":
                pattern += letter
            elif letter in bound_letters:
                pattern += f"(?P={letter})"
            else:
                bound_letters.add(letter)
                pattern += f"(?P<{letter}>[{''.join(STRAINS[suit] for suit in SUITS[letter])}])"
        pattern = rf"\({pattern}\) " if by_opponents else f"{pattern} "
        patterns.append(f"(?:{pattern})?" if optional else pattern)
    return re.compile("".join(patterns))


@cache
def _parse_range(text: str) -> Range:
    """`15-17`, `12+` or `4`. Raises BadInput."""
    match = _RANGE.fullmatch(text)
    if match is None:
        raise BadInput(f'{text!r} is not a range such as "15-17", "12+" or "4"')
    low = int(match[1])
    high = 99 if match[2] else int(match[3] or low)
    if low > high:
        raise BadInput(f"'{text}' runs backwards")
    return low, high


@cache
def _parse_counts(text: str) -> tuple[int, ...]:
    """Numbers from 0 to 4: `0,4` or `2+`. Raises BadInput."""
    ranges = [_parse_range(part) for part in text.split(",")]
    counts = tuple([count for count in range(5) if any(low <= count <= high for low, high in ranges)])
    if not counts:
        raise BadInput(f"'{text}' is not a number of aces, 0 to 4")
    return counts


# -- hands -----------------------------------------------------------------------------------------


def evaluate_hand(cards: Sequence[int]) -> HandFacts:
    """Compute the features of a hand; cards as in `pack`."""
    suits: list[list[int]] = [[], [], [], []]
    points = 0
    for card in cards:
        suits[card & 3].append(card >> 2)
        if card >= 36:  # from a jack on
            points += (card >> 2) - 8
    lengths = tuple([len(suit) for suit in suits])
    points += sum([count - 4 for count in lengths if count > 4])
    balanced = min(lengths) > 1 and lengths.count(2) < 2
    stopped = tuple([_is_stopped(suit) for suit in suits])
    return HandFacts(points, lengths, balanced, sum([12 in suit for suit in suits]), stopped)


def _is_stopped(ranks: Sequence[int]) -> bool:
    """An ace, a king with one more, a queen with two, a jack with three."""
    return any(13 - rank <= len(ranks) for rank in ranks if rank > 8)


DEFAULT_SYSTEM = Path(__file__).with_name("bidding.toml")


@cache
def system(path: str = "") -> System:
    """The system of a file, by default the standard one. Raises BadInput."""
    return System(Path(os.path.expanduser(path)) if path else DEFAULT_SYSTEM)
