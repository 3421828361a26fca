"""Scrabble: rules, challenges, hidden racks, rollouts."""

from collections import Counter
from random import Random

import pytest

from gameplay import registry
from gameplay.display.board.drawing import draw, size
from gameplay.display.theme import Theme
from gameplay.errors import IllegalMove
from gameplay.games.scrabble import placement
from gameplay.games.scrabble import words as _words
from gameplay.games.scrabble.game import FIRST, Scrabble
from gameplay.games.scrabble.layout import AREA, RACK
from gameplay.games.scrabble.plays import decode_exchange
from gameplay.games.scrabble.tiles import KINDS, TILES
from gameplay.kernel import compiled
from gameplay.learning import scrabble as learning
from gameplay.position import CHANCE
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from tests.support.digests import Digests, answers
from tests.support.golden import golden
from tests.support.scrabble import FEW, empty_bag, position_of, random_position

# -- words ------------------------------------------------------------------------------------------


def test_moves_are_numbers_and_back() -> None:
    lexicon, _ = _words.load(_words.ENABLE)
    rng = Random(3)
    for _ in range(2000 if compiled() else 200):
        word = lexicon.word(rng.randrange(lexicon.words))
        count = min(7, len(word))
        fields = (rng.randrange(2), rng.randrange(15), rng.randrange(16 - len(word)), word)
        blanks = tuple(sorted(rng.sample(range(count), min(count, rng.randrange(3)))))
        move = lexicon.encode(*fields, blanks)
        assert FIRST <= move < 1 << 31 and lexicon.decode(move) == (*fields, blanks)
        kinds = bytes(sorted(rng.choices(range(27), k=rng.randrange(8))))
        assert decode_exchange(Scrabble().placer.encode_exchange(kinds)) == kinds


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
        ("Z9:TS", "is not a move: write the square and the word"),
        ("8H", "is not a move: write the square and the word"),
        ("Z9:" + 40 * "T", f"^'Z9:{37 * 'T'}' is not a move: write the square and the word"),
        ("-Q", "there is no Q to exchange on your rack"),
        ("challenge", "there is nothing to challenge"),
        ("K8:S", "^'S': a word has two letters or more$"),
        ("swap", "^name the tiles to exchange, as in -ABC$"),
        ("exchange SSS", "^there is no S to exchange on your rack$"),
        ("16A:AT", "is not a move: write the square and the word"),
        ("0A:AT", "is not a move: write the square and the word"),
    ],
)
def test_illegal_plays_are_refused_with_the_reason(word: str, line: str) -> None:
    position = position_of({8: ".......CAT"}, ("STTEA?S", "AAAAAAA"))
    with pytest.raises(IllegalMove, match=line):
        position.parse(word)


def test_typed_words_are_parsed_in_common_forms() -> None:
    position = position_of({8: ".......CAT"}, ("STTEA?S", "AAAAAAA"))
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
        position_of(racks=("CATSEEN", "A")).parse("1A:CATS")


def test_one_tile_that_makes_two_words_is_one_move() -> None:
    position = position_of({8: ".......AT", 9: "......A"}, ("SHAEEEE", "AAAAAAA"))
    assert position.parse("H8:AH") == position.parse("9G:AH")


def test_exchanges_need_seven_in_the_bag_and_stay_hidden() -> None:
    position = random_position(2, 2)
    rack = position.state.racks[position.turn]
    mover, rest = position.turn, position.bag_size()
    move = position.parse("-" + KINDS[rack[0]] + KINDS[rack[3]])
    assert position.sees(mover, move) and not position.sees(1 - mover, move)
    position.make(move)
    assert position.turn == CHANCE and position.bag_size() == rest, "what is exchanged is not drawn again"
    assert position.news()[0].endswith("exchanges 2 tiles")
    position.make(position.moves()[0])
    position.make(position.moves()[0])
    assert position.turn == 1 - mover and position.bag_size() == rest
    late = empty_bag(position_of({8: ".......CAT"}, ("STTEA", "AE")))
    assert not [move for move in late.moves() if 0 < move < FIRST]
    with pytest.raises(IllegalMove, match="while the bag holds 7"):
        late.parse("-S")


def test_player_who_goes_out_gains_the_remaining_tiles() -> None:
    position = empty_bag(position_of({8: ".......CAT"}, ("S", "QZ")))
    position.make(position.parse("8H:CATS"))
    assert position.outcome() == (6 + 20 + 20, -46) and position.ending() == "playing out"
    position.unmake()
    for _ in range(6):
        assert position.outcome() is None
        position.make(0)
    assert position.outcome() == (-1 + 20, -19) and position.ending() == "scoreless turns"


def test_payoffs_of_three_players_are_their_leads() -> None:
    position = empty_bag(position_of({8: ".......CAT"}, ("S", "QZ", "E")))
    position.make(position.parse("8H:CATS"))
    assert position.state.scores == (6 + 21, -20, -1)
    assert position.outcome() == pytest.approx((37.5, -33, -4.5))


@pytest.mark.parametrize(("challenge", "next_one"), [("free", 1), ("double", 0)])
def test_challenges(challenge: str, next_one: int) -> None:
    position = position_of({8: ".......CAT"}, ("STTEAZZ", "AEIOUST"), challenge=challenge)
    start = position.state
    with pytest.raises(IllegalMove, match="nothing to challenge"):
        position.parse("challenge")
    phony = position.parse("K8:ZZS")
    assert phony not in position.moves() and position.allows(phony)
    assert position.format(phony) == "K8:ZZS"
    position.make(phony)
    while position.turn == CHANCE:
        position.make(position.moves()[0])
    assert position.turn == 1 and position.top_moves(3) == [(position.parse("challenge"), 0)]
    position.make(position.parse("challenge"))
    assert position.turn == 1, "the turn is the challenger's"
    assert (position.state.cells, position.state.racks, position.state.scores) == (
        start.cells,
        start.racks,
        start.scores,
    )
    assert not position.allows(phony), "it is another's turn"
    position = position_of({8: ".......CAT"}, ("STTEAZZ", "AEIOUST"), challenge=challenge)
    position.make(position.parse("8H:CATS"))
    while position.turn == CHANCE:
        position.make(position.moves()[0])
    position.make(position.parse("challenge"))
    assert position.turn == next_one and position.state.scores == (6, 0)


def test_the_last_word_can_be_challenged() -> None:
    position = empty_bag(position_of({8: ".......CAT"}, ("Z", "QI"), challenge="double"))
    position.make(position.parse("8H:CATZ"))
    assert position.outcome() is None and position.moves() == [0, FIRST - 1]
    assert position.top_moves(3) == [(FIRST - 1, 0)], "it is not a word"
    with pytest.raises(IllegalMove, match=r"^the last tile was laid: challenge, or - to let it stand$"):
        position.parse("8H:CATQI")
    position.make(position.parse("challenge"))
    assert (
        position.outcome() is None and position.turn == 1 and position.state.racks == (b"\x1a", b"\x09\x11")
    )
    position = empty_bag(position_of({8: ".......CAT"}, ("Z", "QI"), challenge="double"))
    position.make(position.parse("8H:CATZ"))
    position.make(position.parse("-"))
    assert position.outcome() is not None, "it was let stand"
    position = empty_bag(position_of({8: ".......CAT"}, ("S", "QI"), challenge="double"))
    position.make(position.parse("8H:CATS"))
    assert position.top_moves(3) == [(0, 0)], "it is one: challenged in vain"


def test_without_challenges_nothing_else_is_allowed() -> None:
    position = position_of({8: ".......CAT"}, ("STTEAZZ", "AEIOUST"))
    with pytest.raises(IllegalMove, match="CATZ is not in the list of words"):
        position.parse("8H:CATZ")
    assert not position.allows(1 << 40)


def test_numbers_of_no_play_are_not_allowed() -> None:
    position = position_of({8: ".......CAT"}, ("STTEAZZ", "AEIOUST"), challenge="free")
    phony, rng = position.parse("K8:ZZS"), Random(5)
    assert position.allows(phony) and not position.allows(phony + (2 * AREA << 22))
    listed, on_board = position.play(position.parse("8H:CATS")), position.play(position.parse("8H:CATZ"))
    assert not position.allows(placement.encode_phony(listed)), "it has a number already"
    assert position.allows(placement.encode_phony(on_board))
    assert not position.allows(
        placement.encode_phony(on_board._replace(tiles=bytes([3 + 32, *on_board.tiles[1:]])))
    )
    for bits in range(31, 120):
        assert not position.allows(1 << bits | rng.getrandbits(bits))


def plausible_move(position: Scrabble, rng: Random) -> int:
    """One of the top-ranked moves, sometimes a pass, a challenge, or letters that form no word."""
    if position.turn == CHANCE:
        return rng.choices(position.moves(), position.chances())[0]
    moves = [move for move, _ in position.top_moves(5)]
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
def test_games_between_good_players_equal_the_stored_ones() -> None:
    """Like test_random_games.py; random moves would seldom form a word of a short list."""
    log = []
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
            last = plausible_move(position, rng)
            assert position.allows(last) or last in position.moves()
            position.make(last)
        log += digests.rows(
            f"{players} players, challenge={challenge}, {count} positions: {position.ending()}"
        )
    golden("scrabble_games", "\n".join(log) + "\n")


# -- what is hidden ---------------------------------------------------------------------------------


@pytest.mark.once
def test_consistent_racks_are_sampled_uniformly() -> None:
    """Of eight unseen tiles the opponent has seven: the one in the bag has the right frequency."""
    position = random_position(3, 60)
    while position.past and (position.turn == CHANCE or position.bag_size() != 1):
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
    position = position_of({8: ".......CAt"}, ("STTEA?S", "AAAAAAA"))
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
def test_rollouts_report_means_and_depend_on_the_seed_only() -> None:
    position = random_position(1, 4, words=FEW)
    engine, _ = registry.engine("rollout:moves=5")
    assert registry.default_engine(position).name == "rollout"
    report = Session(engine).search(position, Limit(simulations=100, multipv=5))
    assert report.bound == "expectation" and report.visits >= 100 and report.stopped == "simulations"
    assert report.error > 0 and len(report.candidates) == 5
    assert report.candidates == Session(engine).search(position, Limit(simulations=100, multipv=5)).candidates
    static, _ = registry.engine("rollout:plies=0")
    move = Session(static).search(position, Limit()).move
    assert move == position.top_moves(1)[0][0]


def test_leave_value_is_the_sum_of_its_weights() -> None:
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
        assert position.placer.leave_value(bytes(rack)) == sums
        assert len(numbers) == len(rack) * (len(rack) + 1) // 2 + 1
