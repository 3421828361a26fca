"""Scrabble: its plays beside a plain generator's, published scores, its rules, its words and its engine."""

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gameplay import registry
from gameplay.display.board.drawing import draw, size
from gameplay.display.theme import Theme
from gameplay.errors import BadInput, IllegalMove
from gameplay.games.scrabble import words as _words
from gameplay.games.scrabble.endgame import EndgameSolver
from gameplay.games.scrabble.game import (
    AREA,
    FIRST,
    KINDS,
    LETTER,
    POINTS,
    RACK,
    TILES,
    WORD,
    Layout,
    Scrabble,
    _phony,
)
from gameplay.games.scrabble.plays import Placer, swapped
from gameplay.kernel import compiled
from gameplay.learning import scrabble as learning
from gameplay.position import CHANCE
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from tests.games.test_random_games import Digests, answers
from tests.support.golden import golden
from tests.support.paths import TESTS

FEW = str(TESTS / "answers" / "few_words.txt")


def tiles(text: str) -> bytes:
    """A rack of these letters."""
    return bytes(sorted(KINDS.index(letter) for letter in text))


def at(rows: dict[int, str] | None = None, racks: tuple[str, ...] = ("", ""), **given: Any) -> Scrabble:
    """A position with some rows of the board, from 1; dots are empty, small letters blanks."""
    position = Scrabble(len(racks), **given)
    cells = bytearray(AREA)
    for row, line in (rows or {}).items():
        for column, letter in enumerate(line):
            if letter != ".":
                cells[15 * row - 15 + column] = KINDS.index(letter.upper()) + 32 * letter.islower()
    held = tuple(map(tiles, racks))
    position.state = Layout(bytes(cells), held, (0,) * len(racks), 0)
    position.turn = 0
    return position


def empty_bag(position: Scrabble) -> Scrabble:
    """The same, as if all tiles that are nowhere had been drawn: on squares that join nothing."""
    position.rest = lambda: 0  # type: ignore[method-assign]
    return position


def dealt(seed: int, turns: int, **given: Any) -> Scrabble:
    """A game after so many turns, of moves among the five that look best."""
    position, rng = Scrabble(**given), Random(seed)
    while position.outcome() is None and (turns or position.turn == CHANCE):
        if position.turn == CHANCE:
            position.make(rng.choices(position.moves(), position.chances())[0])
        else:
            position.make(rng.choice(position.favourites(5))[0])
            turns -= 1
    return position


# -- plays ------------------------------------------------------------------------------------------


@cache
def beginnings(words: frozenset[bytes]) -> set[bytes]:
    """What words begin with."""
    return {word[:count] for word in words for count in range(len(word) + 1)}


def plain(position: Scrabble, words: frozenset[bytes]) -> dict[frozenset[tuple[int, int]], int]:
    """All plays and what they count: letter by letter from each square, no anchors, masks or automaton.

    Of each the tiles that are laid; what a play counts is summed once more from the rules.
    """
    begun = beginnings(words)
    cells, rack = position.state.cells, position.state.racks[position.turn]
    found: dict[frozenset[tuple[int, int]], int] = {}

    def new_words(laid: dict[int, int], down: int) -> list[list[int]]:
        """The cells of the word in a direction, then of those across it."""
        first = min(laid)

        def run(cell: int, step: int) -> list[int]:
            def there(one: int, other: int) -> bool:
                near = 0 <= other < AREA and (step == 15 or one // 15 == other // 15)
                return near and bool(cells[other] or other in laid)

            while there(cell, cell - step):
                cell -= step
            line = [cell]
            while there(line[-1], line[-1] + step):
                line.append(line[-1] + step)
            return line

        along, across = (15, 1) if down else (1, 15)
        lines = [run(first, along), *(run(cell, across) for cell in laid)]
        return [line for line in lines if len(line) > 1]

    def count(laid: dict[int, int], down: int) -> None:
        lines = new_words(laid, down)
        letters = [bytes((laid.get(cell) or cells[cell]) & 31 for cell in line) for line in lines]
        joined = any(cells[cell] for line in lines for cell in line) if any(cells) else 112 in laid
        if not lines or not joined or not all(word in words for word in letters):
            return
        score = 50 if len(laid) == 7 else 0
        for line in lines:
            total, times = 0, 1
            for cell in line:
                tile = laid.get(cell) or cells[cell]
                total += (0 if tile & 32 else POINTS[tile]) * (LETTER[cell] if cell in laid else 1)
                times *= WORD[cell] if cell in laid else 1
            score += total * times
        assert found.setdefault(frozenset(laid.items()), score) == score

    def go(cell: int, step: int, left: bytes, word: bytes, laid: dict[int, int]) -> None:
        over = cell >= AREA or (step == 1 and word and not cell % 15)
        if laid and word in words and (over or not cells[cell]):
            count(laid, int(step == 15))
        if over:
            return
        if cells[cell]:
            if (longer := word + bytes([cells[cell] & 31])) in begun:
                go(cell + step, step, left, longer, laid)
            return
        for kind in set(left):
            for tile in (kind,) if kind else range(33, 59):
                if (longer := word + bytes([tile & 31])) in begun:
                    rest = left.replace(bytes([kind]), b"", 1)
                    go(cell + step, step, rest, longer, {**laid, cell: tile})

    for cell in range(AREA):
        for step in (1, 15):
            before = cell - step
            inside = before >= 0 and (step == 15 or cell % 15)
            if not (inside and cells[before]):
                go(cell, step, rack, b"", {})
    return found


@pytest.mark.parametrize("turns", [1, 9])
def test_plays_and_their_points_are_a_plain_generators(turns: int) -> None:
    listed = frozenset(bytes(ord(letter) - 64 for letter in word) for word in spelled(FEW))
    for seed in range(2):
        position = dealt(seed, turns, words=FEW)
        assert position.outcome() is None
        if seed == 1:  # a blank
            rack = tiles("?AEINRT")
            position.state = position.state._replace(racks=(rack, rack))
        plays = [position.play(move) for move in position.moves() if move >= FIRST]
        ours = {frozenset(play.laid): play.score for play in plays}
        assert len(ours) == len(plays), "none is told twice"
        assert ours == plain(position, listed)
        position.evaluation = position.evaluations["score"]
        told = position.placer.plays(position.state.cells, position.state.racks[position.turn], 30)
        assert all(worth == 100 * position.play(move).score for move, worth in told if move >= FIRST)


def spelled(path: str) -> list[str]:
    lines = Path(path).read_text(encoding="utf-8").split("\n")
    return [line.upper() for line in lines if line and not line.startswith("#")]


def test_published_scores() -> None:
    """The best opening is MUZJIKS, 128 points; Karl Khoshnaw's CAZIQUES of 1982 counted 392."""
    position = at(racks=("MUZJIKS", "A"))
    assert max(position.play(move).score for move in position.moves() if move >= FIRST) == 128
    assert (
        position.play(position.parse("8H:MUZJIKS")).score
        < 128
        == position.play(position.parse("8B MUZJIKS")).score
    )
    position = at({13: "UN"}, ("CAZIQES", "A"))
    play = position.play(position.parse("A8 cAZIQUES".upper()))
    assert play.score == 392 and len(play.laid) == 7


def test_every_tile_counts() -> None:
    assert sum(TILES) == 100
    assert sum(count * points for count, points in zip(TILES, POINTS, strict=True)) == 187


# -- words ------------------------------------------------------------------------------------------


def test_the_list_comes_back_whole() -> None:
    lexicon, facts = _words.read(_words.ENABLE)
    assert lexicon.words == int(facts["words"]) == 168_551 and facts["name"] == "ENABLE"
    assert _words.ENABLE.stat().st_size < 1_000_000
    for rank in range(0, lexicon.words, 997 if compiled() else 9973):
        word = lexicon.word(rank)
        assert lexicon.rank(word) == rank
        assert lexicon.rank(word + b"\x11\x11") == -1
    known = [lexicon.rank(bytes(ord(letter) - 64 for letter in word)) for word in ("AA", "QUIZ", "QZ", "A")]
    assert [rank >= 0 for rank in known] == [True, True, False, False]


def test_a_list_is_built_written_and_read_again(tmp_path: Path) -> None:
    words = sorted(spelled(FEW))
    lexicon, _ = _words.read(Path(FEW))
    assert ["".join(KINDS[letter] for letter in lexicon.word(rank)) for rank in range(lexicon.words)] == words
    file = tmp_path / "few.words"
    file.write_bytes(_words.packed(lexicon, {"name": "few"}))
    again, facts = _words.read(file)
    assert again.held == lexicon.held and facts["name"] == "few"
    damaged = bytearray(file.read_bytes())
    damaged[-3] ^= 1
    file = tmp_path / "damaged.words"
    file.write_bytes(damaged)
    with pytest.raises(BadInput, match=r"damaged.words: the checksum is not that of the words"):
        _words.read(file)
    file = tmp_path / "rootless.words"
    file.write_bytes(_words.packed(lexicon, {}).replace(b"\nroot ", b"\nroot 9999999999"))
    with pytest.raises(BadInput, match=r"rootless.words: root must be the number of a state"):
        _words.read(file)


def test_what_a_list_of_words_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words of 2 to 15 letters count, whatever their case; the first wrong line is told."""
    file = tmp_path / "mine.txt"

    def read(text: str) -> Any:
        file.write_text(text)
        _words.read.cache_clear()
        return _words.read(file)

    longest = "abcdefghijklmno"
    text = f"# mine\n\nI\nat\n  Cat \nat\n{longest}\n{longest}p\n"
    lexicon, facts = read(text)
    assert (lexicon.words, facts) == (3, {"name": "mine"})
    assert read("at")[0].words == 1
    for wrong, said in (
        ("at\n\nit's\n", r"mine.txt: line 3: 'it's' is no word of the letters A to Z$"),
        ("7" + 40 * "x", f"mine.txt: line 1: '7{29 * 'x'}' is no word of the letters A to Z$"),
        ("a\n" + longest + "p", "mine.txt: there are no words of 2 to 15 letters$"),
        (
            "gameplay words 1\nroot 0\n",
            "mine.txt: the checksum is not that of the words: the file is damaged$",
        ),
    ):
        with pytest.raises(BadInput, match=said):
            read(wrong)
    monkeypatch.setattr(_words, "LARGEST", len(text))
    assert read(text)[0].words == 3
    monkeypatch.undo()
    with file.open("wb") as large:
        large.truncate(50_000_001)
    _words.read.cache_clear()
    with pytest.raises(BadInput, match="too large for a list of words, 50,000,000 bytes at most"):
        _words.read(file)
    with pytest.raises(BadInput, match=r"none.txt: No such file or directory$"):
        _words.read(tmp_path / "none.txt")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\ufeffWORD\nI'M\n", r"line 2: 'I'M' is no word of the letters A to Z"),
        ("# none\n", r"there are no words of 2 to 15 letters"),
    ],
)
def test_a_list_that_is_none_is_refused(tmp_path: Path, text: str, line: str) -> None:
    file = tmp_path / "list.txt"
    file.write_text(text)
    with pytest.raises(BadInput, match=line):
        registry.game(f"scrabble:words={file}").new()
    with pytest.raises(BadInput, match=r"no\.txt: No such file"):
        registry.game(f"scrabble:words={tmp_path}/no.txt").new()
    with pytest.raises(BadInput, match=r"^~no body/no\.txt: No such file"):
        registry.game("scrabble:words=~no body/no.txt").new()


def chain(length: int) -> list[int]:
    """The automaton of one word of so many As."""
    return [0, 1 | 3 << 5, *(1 | 1 << 6 | state << 7 for state in range(1, length))]


@pytest.mark.parametrize(
    ("edges", "line"),
    [
        ([0], "is none"),
        ([0, 1], "is none"),
        ([0, 1 | 1 << 6], "is none"),
        ([0, 1 | 3 << 5, 2 | 3 << 5 | 2 << 7], "is none"),
        (chain(1), "of one letter, or of more than 15"),
        (chain(16), "of one letter, or of more than 15"),
        (chain(100_000), "of one letter, or of more than 15"),
    ],
)
def test_what_is_no_automaton_is_refused(edges: list[int], line: str) -> None:
    assert _words.Lexicon(chain(15), 15).words == 1
    with pytest.raises(ValueError, match=line):
        _words.Lexicon(edges, len(edges) - 1)


def test_moves_are_numbers_and_back() -> None:
    lexicon, _ = _words.read(_words.ENABLE)
    rng = Random(3)
    for _ in range(2000 if compiled() else 200):
        word = lexicon.word(rng.randrange(lexicon.words))
        count = min(7, len(word))
        told = (rng.randrange(2), rng.randrange(15), rng.randrange(16 - len(word)), word)
        blanks = tuple(sorted(rng.sample(range(count), min(count, rng.randrange(3)))))
        move = lexicon.number(*told, blanks)
        assert FIRST <= move < 1 << 31 and lexicon.decode(move) == (*told, blanks)
        kinds = bytes(sorted(rng.choices(range(27), k=rng.randrange(8))))
        assert swapped(Scrabble().placer.swap(kinds)) == kinds


# -- the rules --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("K8:QUIT", "your rack does not have the tiles for 'QUIT'"),
        ("8A:SAT", "'SAT' touches no tile on the board"),
        ("8G:SEAT", "'SEAT' does not fit: there is C on 8H"),
        ("8N:SEAT", "'SEAT' does not fit: there are 2 squares from there on"),
        ("8H:CA", "'CA' is not the whole word"),
        ("8H:CAT", "'CAT' lies there already"),
        ("9H:.AT", "there is no tile on 9H, where the dot is"),
        ("9H:TS", "TS is not in the list of words"),
        ("Z9:TS", "is no move: say where and what"),
        ("8H", "is no move: say where and what"),
        ("Z9:" + 40 * "T", f"^'Z9:{37 * 'T'}' is no move: say where and what"),
        ("-Q", "there is no Q to exchange on your rack"),
        ("challenge", "there is nothing to challenge"),
        ("K8:S", "^'S': a word has two letters or more$"),
        ("swap", "^say which tiles to exchange, as -ABC$"),
        ("exchange SSS", "^there is no S to exchange on your rack$"),
        ("16A:AT", "is no move: say where and what"),
        ("0A:AT", "is no move: say where and what"),
    ],
)
def test_what_cannot_be_played_is_told(word: str, line: str) -> None:
    position = at({8: ".......CAT"}, ("STTEA?S", "AAAAAAA"))
    with pytest.raises(IllegalMove, match=line):
        position.parse(word)


def test_words_as_people_type_them() -> None:
    position = at({8: ".......CAT"}, ("STTEA?S", "AAAAAAA"))
    move = position.parse("8H:CATS")
    for text in ("8h cats", "8H:...S", "8h ...s", "8H (CAT)S", "8H  CATS"):
        assert position.parse(text) == move
    assert position.format(position.parse("8h catty")) == "8H:CATTy", (
        "a blank where the rack has no such tile"
    )
    assert position.format(position.parse("8H:CATs")) == "8H:CATs", "a small letter is a blank"
    assert position.parse("-_") == position.parse("-?")
    assert position.parse("swap tt") == position.parse("-TT") and position.parse("pass") == 0
    with pytest.raises(IllegalMove, match="does not cover the middle, 8H"):
        at(racks=("CATSEEN", "A")).parse("1A:CATS")


def test_one_tile_that_makes_two_words_is_one_move() -> None:
    position = at({8: ".......AT", 9: "......A"}, ("SHAEEEE", "AAAAAAA"))
    assert position.parse("H8:AH") == position.parse("9G:AH")


def test_exchanges_need_seven_in_the_bag_and_are_seen_by_their_mover_alone() -> None:
    position = dealt(2, 2)
    rack = position.state.racks[position.turn]
    mover, rest = position.turn, position.rest()
    move = position.parse("-" + KINDS[rack[0]] + KINDS[rack[3]])
    assert position.sees(mover, move) and not position.sees(1 - mover, move)
    position.make(move)
    assert position.turn == CHANCE and position.rest() == rest, "what is exchanged is not drawn again"
    assert position.news()[0].endswith("exchanges 2 tiles")
    position.make(position.moves()[0])
    position.make(position.moves()[0])
    assert position.turn == 1 - mover and position.rest() == rest
    late = empty_bag(at({8: ".......CAT"}, ("STTEA", "AE")))
    assert not [move for move in late.moves() if 0 < move < FIRST]
    with pytest.raises(IllegalMove, match="while the bag holds 7"):
        late.parse("-S")


def test_who_is_out_gets_what_is_left() -> None:
    position = empty_bag(at({8: ".......CAT"}, ("S", "QZ")))
    position.make(position.parse("8H:CATS"))
    assert position.outcome() == (6 + 20 + 20, -46) and position.ending() == "playing out"
    position.unmake()
    for _ in range(6):
        assert position.outcome() is None
        position.make(0)
    assert position.outcome() == (-1 + 20, -19) and position.ending() == "scoreless turns"


def test_three_players_are_paid_by_what_they_are_ahead_of_the_others() -> None:
    position = empty_bag(at({8: ".......CAT"}, ("S", "QZ", "E")))
    position.make(position.parse("8H:CATS"))
    assert position.state.scores == (6 + 21, -20, -1)
    assert position.outcome() == pytest.approx((37.5, -33, -4.5))


@pytest.mark.parametrize(("challenge", "next_one"), [("free", 1), ("double", 0)])
def test_challenges(challenge: str, next_one: int) -> None:
    position = at({8: ".......CAT"}, ("STTEAZZ", "AEIOUST"), challenge=challenge)
    start = position.state
    with pytest.raises(IllegalMove, match="nothing to challenge"):
        position.parse("challenge")
    phony = position.parse("K8:ZZS")
    assert phony not in position.moves() and position.allows(phony)
    assert position.format(phony) == "K8:ZZS"
    position.make(phony)
    while position.turn == CHANCE:
        position.make(position.moves()[0])
    assert position.turn == 1 and position.favourites(3) == [(position.parse("challenge"), 0)]
    position.make(position.parse("challenge"))
    assert position.turn == 1, "the turn is the challenger's"
    assert (position.state.cells, position.state.racks, position.state.scores) == (
        start.cells,
        start.racks,
        start.scores,
    )
    assert not position.allows(phony), "it is another's turn"
    position = at({8: ".......CAT"}, ("STTEAZZ", "AEIOUST"), challenge=challenge)
    position.make(position.parse("8H:CATS"))
    while position.turn == CHANCE:
        position.make(position.moves()[0])
    position.make(position.parse("challenge"))
    assert position.turn == next_one and position.state.scores == (6, 0)


def test_the_last_word_can_be_challenged() -> None:
    position = empty_bag(at({8: ".......CAT"}, ("Z", "QI"), challenge="double"))
    position.make(position.parse("8H:CATZ"))
    assert position.outcome() is None and position.moves() == [0, FIRST - 1]
    assert position.favourites(3) == [(FIRST - 1, 0)], "it is no word"
    with pytest.raises(IllegalMove, match=r"^the last tile was laid: challenge, or - to let it stand$"):
        position.parse("8H:CATQI")
    position.make(position.parse("challenge"))
    assert (
        position.outcome() is None and position.turn == 1 and position.state.racks == (b"\x1a", b"\x09\x11")
    )
    position = empty_bag(at({8: ".......CAT"}, ("Z", "QI"), challenge="double"))
    position.make(position.parse("8H:CATZ"))
    position.make(position.parse("-"))
    assert position.outcome() is not None, "it was let stand"
    position = empty_bag(at({8: ".......CAT"}, ("S", "QI"), challenge="double"))
    position.make(position.parse("8H:CATS"))
    assert position.favourites(3) == [(0, 0)], "it is one: challenged in vain"


def test_without_challenges_nothing_else_is_allowed() -> None:
    position = at({8: ".......CAT"}, ("STTEAZZ", "AEIOUST"))
    with pytest.raises(IllegalMove, match="CATZ is not in the list of words"):
        position.parse("8H:CATZ")
    assert not position.allows(1 << 40)


def test_numbers_of_no_play_are_not_allowed() -> None:
    position = at({8: ".......CAT"}, ("STTEAZZ", "AEIOUST"), challenge="free")
    phony, rng = position.parse("K8:ZZS"), Random(5)
    assert position.allows(phony) and not position.allows(phony + (2 * AREA << 22))
    listed, on_board = position.play(position.parse("8H:CATS")), position.play(position.parse("8H:CATZ"))
    assert not position.allows(_phony(listed)), "it has a number already"
    assert position.allows(_phony(on_board))
    assert not position.allows(_phony(on_board._replace(tiles=bytes([3 + 32, *on_board.tiles[1:]]))))
    for bits in range(31, 120):
        assert not position.allows(1 << bits | rng.getrandbits(bits))


@pytest.mark.parametrize(
    ("spec", "line"),
    [
        ("scrabble:players=5", "for 2 to 4 players, not 5"),
        ("scrabble:challenge=on", "there is no challenge 'on'"),
    ],
)
def test_parameters_that_are_wrong(spec: str, line: str) -> None:
    with pytest.raises(BadInput, match=line):
        registry.game(spec).new()


def tried(position: Scrabble, rng: Random) -> int:
    """A move among those that look best, now and then a pass, a challenge, or letters that are no word."""
    if position.turn == CHANCE:
        return rng.choices(position.moves(), position.chances())[0]
    moves = [move for move, _ in position.favourites(5)]
    if rng.random() < 0.3:
        moves = [move for move in position.moves() if move in (0, FIRST - 1)]
    elif position.challenge != "off" and rng.random() < 0.5:
        for move in moves:
            place, _, word = position.format(move).partition(":")
            try:
                return position.parse(f"{place}:{word[::-1]}")
            except IllegalMove:
                continue
    return rng.choice(moves)


@pytest.mark.once
def test_games_between_good_players_are_as_they_were_kept() -> None:
    """As test_random_games.py; but few moves at random lay a word of a short list."""
    told = []
    for seed, (players, challenge) in enumerate(((2, "off"), (3, "double"), (2, "free"), (4, "ten"))):
        position, rng, digests, count, last = (
            Scrabble(players, "", challenge),
            Random(seed),
            Digests(),
            0,
            None,
        )
        while True:
            over = position.outcome() is not None
            if over or rng.random() < (0.1 if position.turn == CHANCE else 0.5):
                digests.add(answers(position, rng, last))
                digests.add(iter([("known", str([position.infoset(seat) for seat in range(players)]))]))
                count += 1
            if over:
                break
            last = tried(position, rng)
            assert position.allows(last) or last in position.moves()
            position.make(last)
        told += digests.rows(
            f"{players} players, challenge={challenge}, {count} positions: {position.ending()}"
        )
    golden("scrabble_games", "\n".join(told) + "\n")


# -- what is hidden ---------------------------------------------------------------------------------


@pytest.mark.once
def test_all_racks_that_fit_are_drawn_alike() -> None:
    """Of eight tiles unseen the other has seven: the one in the bag is each as often as it is there."""
    position = dealt(3, 60)
    while position.past and (position.turn == CHANCE or position.rest() != 1):
        position.unmake()
    assert position.past
    player = position.turn
    unseen = Counter(position.state.racks[1 - player]) + Counter(
        {kind: count for kind, count in enumerate(position.bag()) if count}
    )
    rng, drawn, left = Random(1), 4000, Counter[int]()
    for _ in range(drawn):
        world = position.determinize(player, rng)
        assert world.infoset(player) == position.infoset(player)
        left[next(kind for kind, count in enumerate(world.bag()) if count)] += 1
    assert sum(unseen.values()) == RACK + 1
    spread = sum((left[kind] - drawn * n / 8) ** 2 / (drawn * n / 8) for kind, n in unseen.items())
    assert spread < 40 and left.keys() == unseen.keys()


@pytest.mark.once
@pytest.mark.parametrize(
    "theme", [Theme(False, True, False), Theme(True, True, False), Theme(False, False, False)]
)
def test_the_board_fits_small_windows_and_shows_premiums(theme: Theme) -> None:
    position = at({8: ".......CAt"}, ("STTEA?S", "AAAAAAA"))
    board = position.board(0)
    for scale, (width, height) in ((0, (40, 18)), (1, (80, 21 if theme.colour else 40))):
        wide, high = size(board, scale, theme)
        assert wide <= width and high <= height
    text = draw(board, theme, 0).plain
    assert max(map(len, text.splitlines())) <= 40
    lines = text.splitlines()
    assert "CAt" in lines[8].replace(" ", "") and lines[1].replace(" ", "").startswith("1=")
    assert "S" in lines[-1] and ("?" if theme.unicode else "_") in lines[-1], (
        "the blank is no card from behind"
    )
    assert not set("STE") & set(draw(position.board(1), theme, 0).plain.splitlines()[-1].replace("rack", ""))


# -- the engine -------------------------------------------------------------------------------------


@pytest.mark.once
def test_rollouts_tell_means_and_are_the_same_by_the_same_seed() -> None:
    position = dealt(1, 4, words=FEW)
    engine, _ = registry.engine("rollout:moves=5")
    assert registry.usual_engine(position).name == "rollout"
    report = Session(engine).search(position, Limit(simulations=100, multipv=5))
    assert report.bound == "expectation" and report.visits >= 100 and report.stopped == "simulations"
    assert report.error > 0 and len(report.candidates) == 5
    assert report.candidates == Session(engine).search(position, Limit(simulations=100, multipv=5)).candidates
    static, _ = registry.engine("rollout:plies=0")
    move = Session(static).search(position, Limit()).move
    assert move == position.favourites(1)[0][0]


def test_leaves_are_what_their_weights_add_up_to() -> None:
    position = Scrabble()
    weights = position.evaluations["leaves"].weights
    rng = Random(2)
    pool = [kind for kind, count in enumerate(TILES) for _ in range(count)]
    for _ in range(50):
        rack = sorted(rng.sample(pool, rng.randrange(8)))
        numbers = learning.terms(rack)
        vowels = sum(tile in learning.VOWELS for tile in rack)
        sums = sum(weights["tiles"][tile] for tile in rack)
        sums += sum(weights["pairs"][a][b] for i, a in enumerate(rack) for b in rack[:i])
        sums += weights["balance"][vowels][sum(tile > 0 for tile in rack) - vowels]
        assert position.placer.leaves(bytes(rack)) == sums
        assert len(numbers) == len(rack) * (len(rack) + 1) // 2 + 1


# -- the end ----------------------------------------------------------------------------------------


def ended(seed: int, most: int) -> Scrabble | None:
    """A game between what looks best, from where no more than so many tiles are on the racks."""
    position = dealt(seed, 18)
    while position.outcome() is None and (position.turn == CHANCE or position.rest()):
        position.make(position.favourites(1)[0][0] if position.turn >= 0 else position.moves()[0])
    while position.outcome() is None and sum(map(len, position.state.racks)) > most:
        position.make(position.favourites(1)[0][0])
    return position if position.outcome() is None else None


def best(position: Scrabble) -> float:
    """What the first player gets if both play best: every line to its end."""
    payoffs = position.outcome()
    if payoffs is not None:
        return payoffs[0]
    mover, found = position.turn, []
    for move in position.moves():
        position.make(move)
        found.append(best(position))
        position.unmake()
    return max(found) if mover == 0 else min(found)


def solved(position: Scrabble) -> None:
    """Fails unless the search of the end says what every line to the end does, and its move keeps that."""
    position.state = position.state._replace(calm=4)  # two more turns without points end it
    mover, found = position.turn, position.finish(None, 0)
    assert found is not None
    move, value, exact, _ = found
    worth = best(position) * (1 if mover == 0 else -1)
    assert (value, exact) == (100 * worth, True)
    position.make(move)
    assert best(position) * (1 if mover == 0 else -1) == worth


@pytest.mark.once
def test_the_end_is_worth_what_every_line_to_the_end_says() -> None:
    positions = [position for seed in range(8) if (position := ended(seed, 3)) is not None]
    assert len(positions) >= 2
    for position in positions:
        solved(position)


@pytest.mark.parametrize("racks", [("AE", "D"), ("E", "AN"), ("?", "T")])
def test_the_end_is_solved_in_both_builds(racks: tuple[str, str]) -> None:
    solved(empty_bag(at({8: ".......AD"}, racks, words=FEW)))


# The racks, the turns without points so far, and where to stop: after so many plies, or positions (0: never).
ENDS = (
    ("AE", "D", 0, 60, 0),
    ("?", "TI", 4, 60, 0),
    ("??", "ET", 5, 60, 0),
    ("A??", "LR", 4, 2, 0),
    ("ILT?", "AES", 3, 1, 0),
    ("ENOT", "D?", 0, 2, 0),
    ("RESINOI", "ADEN", 0, 1, 0),
    ("AE", "ND", 0, 60, 40),
    ("AE", "ND", 0, 60, 1),
    ("X", "O", 5, 60, 0),
    ("T", "", 0, 60, 0),
)


def test_the_end_is_searched_as_it_was_kept() -> None:
    told = []
    for mine, theirs, calm, depth, most in ENDS:
        position = at({7: "......H..T", 8: "......AID"}, (mine, theirs), words=FEW)
        solver = EndgameSolver(Placer(position.lexicon, POINTS, LETTER, WORD), None, most)
        state = position.state
        found = solver.solve(state.cells, *map(tiles, (mine, theirs)), calm, depth)
        again = solver.solve(state.cells, *map(tiles, (mine, theirs)), calm, depth)  # the table is filled
        says = [
            f"{position.format(move)} {value} {exact}" if one else "nothing"
            for one in (found, again)
            for move, value, exact in (one or (0, 0, False),)
        ]
        told.append(
            f"{mine} {theirs} {calm} {depth} {most}: {', '.join(says)}, {solver.nodes} nodes, {solver.depth}"
        )
    golden("scrabble_ends", "\n".join(told) + "\n")


@pytest.mark.parametrize("challenge", ["free", "double"])
def test_the_end_is_solved_where_words_can_be_challenged(challenge: str) -> None:
    position = empty_bag(at({8: ".......AD"}, ("AE", "ND"), words=FEW, challenge=challenge))
    position.make(next(move for move in position.moves() if move >= FIRST))
    assert position.state.before is not None
    solved(position)
    position.state = position.state._replace(valid=False)
    assert position.finish(None, 0) is None, "it is challenged"


@pytest.mark.once
def test_the_end_is_played_out_by_search_within_its_limits() -> None:
    position = next(filter(None, (ended(seed, 4) for seed in range(20))))
    engine, _ = registry.engine("rollout")
    report = Session(engine).search(position, Limit(simulations=400))
    assert report.exact and report.bound == "exact" and report.value == report.candidates[0].value
    assert position.finish(None, 1) is None, "nothing is known after one position"
    three = dealt(1, 4, words=FEW, players=3)
    assert three.finish(None, 0) is None and dealt(1, 2).finish(None, 0) is None
