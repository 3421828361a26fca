"""Stratego: the rules of the International Stratego Federation, and imperfect information."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gameplay.board import BACK
from gameplay.display.terminal import panel
from gameplay.errors import BadInput
from gameplay.games.stratego.game import RAYS, Piece, Stratego, beats
from gameplay.games.stratego.layout import ARMIES, LAKES, LETTERS
from gameplay.games.stratego.setups import SETUPS
from gameplay.matches.match import match_without_players
from gameplay.position import CHANCE
from gameplay.registry import Game, game
from tests.support.conformance import check


def position_with(pieces: str, turn: int = 0, **options: Any) -> Any:
    """A position with only these pieces, such as `Xa4 xb5`, the marshals of red and of blue."""
    position: Any = game("stratego:army=barrage,start=chosen").new()
    for name in ("corner", "corner"):
        position.make(position.parse(name))
    position.cells = [None] * 100
    for word in pieces.split():
        rank = LETTERS.index(word[0].upper())
        at = cell(word[1:])
        position.cells[at] = Piece(int(word[0].islower()), rank, at, **options)
    position.turn = turn
    return position


def cell(word: str) -> int:
    return "abcdefghij".index(word[0]) + 10 * (int(word[1:]) - 1)


def words(position: Any) -> set[str]:
    return {position.format(move) for move in position.moves()}


@pytest.mark.parametrize("army", ARMIES)
def test_each_setup_has_the_pieces_of_its_army(army: str) -> None:
    counts = {LETTERS[rank]: count for rank, count in enumerate(ARMIES[army]) if count}
    assert sum(counts.values()) == (40 if army == "full" else 8)
    for rows in SETUPS[army].values():
        assert [len(row) for row in rows] == [10] * 4
        assert Counter("".join(rows).replace(".", "")) == counts
        assert "F" in rows[0]


def test_the_board_has_two_lakes_of_four_cells() -> None:
    assert {cell(word) for word in ["c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"]} == LAKES
    steps = sum(len(ray[:1]) for at in range(100) if at not in LAKES for ray in RAYS[at])
    assert steps == 2 * (2 * 90 - 2 * 12)  # each lake takes 4 steps within and 8 across its shore
    assert [len(ray) for ray in RAYS[cell("c4")]] == [0, 7, 2, 3]


def test_results_of_attacks() -> None:
    """By attacker in the order of LETTERS: + it wins, - it loses, = both are lost."""
    flag, bomb, *movers = range(12)
    for attacker in movers:
        assert beats(attacker, flag) > 0
        assert (beats(attacker, bomb) > 0) == (LETTERS[attacker] == "M")
        for other in movers:
            spying = (LETTERS[attacker], LETTERS[other]) == ("Y", "X")
            assert (beats(attacker, other) > 0) == (attacker > other or spying)
            assert (beats(attacker, other) == 0) == (attacker == other)
    assert beats(LETTERS.index("X"), LETTERS.index("Y")) > 0, "the spy falls where it is attacked"


def test_ranks_move_by_their_rules() -> None:
    position = position_with("Sa4 Gb1 Fj1 Be1 Xa6 xd4")
    scouting = {"a4-a5", "a4-b4", "a4-c4", "a4-d4", "a4-a3", "a4-a2", "a4-a1"}
    assert words(position) == scouting | {"b1-b2", "b1-c1", "b1-a1"} | {"a6-a7", "a6-b6", "a6-a5"}
    assert position.noisy() == [position.parse("a4-d4")]


def test_attack_reveals_both_pieces() -> None:
    for text, move, left, news in (
        ("Ma4 ba5 Fa1 xj10", "a4-a5", "M", "red a4-a5: the miner takes the bomb"),
        ("Ca4 ba5 Fa1 xj10", "a4-a5", "b", "red a4-a5: the colonel falls to the bomb"),
        ("Ya4 xa5 Fa1 gj10", "a4-a5", "Y", "red a4-a5: the spy takes the marshal"),
        ("Xa4 xa5 Fa1 gj10", "a4-a5", "", "red a4-a5: both marshals fall"),
    ):
        position = position_with(text)
        before = (position.key(), position.board(1))
        assert position.board(1).cells[6][0] == position.board(0).cells[5][0] == BACK
        position.make(position.parse(move))
        for viewer in (0, 1):
            assert position.board(viewer).cells[5][0] == left and position.board(viewer).cells[6][0] == ""
        assert position.news() == [news]
        position.unmake()
        assert (position.key(), position.board(1)) == before


def test_long_move_reveals_a_scout() -> None:
    position = position_with("Sa2 Fj1 xj10 fa10")
    position.make(position.parse("a2-a3"))
    assert position.board(1).cells[7][0] == BACK
    position.make(position.parse("j10-i10"))
    position.make(position.parse("a3-a7"))
    assert position.board(1).cells[3][0] == "S"


def test_game_ends_by_capture_of_the_flag_or_immobility() -> None:
    position = position_with("Ma9 fa10 xj10 Fa1")
    position.make(position.parse("a9-a10"))
    assert position.outcome() == (1, -1)
    stuck = position_with("Fa1 Ba2 Xj1 fa10 xj2")
    assert stuck.outcome() is None
    stuck.make(stuck.parse("j1-j2"))  # both marshals fall
    assert stuck.outcome() == (0, 0), "neither can move"
    alone = position_with("Fa1 Ba2 fa10 xj2 Sj1")
    alone.make(alone.parse("j1-j2"))
    assert alone.outcome() is None, "blue moves"
    alone.make(alone.parse("j2-j3"))
    assert alone.outcome() == (-1, 1), "red cannot"


def test_a_piece_goes_three_times_between_two_cells() -> None:
    """Rules of the federation: at most three times in a row, whatever the opponent does."""
    position = position_with("Xa1 Gj1 Fe1 xa10 fe10")
    for move in ["a1-a2", "a10-b10", "a2-a1", "b10-c10", "a1-a2", "c10-d10"]:
        position.make(position.parse(move))
    assert words(position) == {"a2-a3", "a2-b2", "j1-j2", "j1-i1"}
    for move in ["j1-j2", "d10-d9", "a2-a1"]:
        position.make(position.parse(move))
    assert position.outcome() is None


def test_a_game_without_captures_is_a_draw() -> None:
    position: Any = game("stratego:army=barrage,start=chosen,quiet=3").new("corner corner e4-e5 f7-f6 b4-b5")
    assert position.outcome() == (0, 0)
    position.unmake()
    assert position.outcome() is None


def test_unknown_pieces_are_sampled_uniformly() -> None:
    """Blue has five unknown pieces: one moved, so it is not flag or bomb; the flag is on the last row."""
    position = position_with("Xa1 fa10 bb10 xc9 gc8 sd8")
    for at in map(cell, ("c8", "d8")):
        position.cells[at] = position.cells[at]._replace(moved=True)
    position.cells[cell("d8")] = position.cells[cell("d8")]._replace(shown=True)
    # Squares of flag, bomb, spy, scouts, miner, general, marshal.
    homes = ["a10", "b10", "e7", "d8", "f7", "g7", "c8", "c9"]
    position.placed = (position.placed[0], tuple(map(cell, homes)))
    position.captured = tuple(
        Piece(1, LETTERS.index(letter), cell(home), True)
        for letter, home in (("Y", "e7"), ("S", "f7"), ("M", "g7"))
    )
    lots, seen = Random(3), Counter[str]()
    draws = 4000
    for _ in range(draws):
        other: Any = position.determinize(0, lots)
        assert other.infoset(0) == position.infoset(0)
        assert other.board(0) == position.board(0) and other.board() != other.board(0)
        seen["".join(other.letter(cell(word), None) for word in ("a10", "b10", "c9", "c8"))] += 1
    # The flag on a10 or b10, the bomb where nothing moved, marshal and general as they come.
    assert set(seen) == {"fbxg", "fbgx", "fxbg", "fgbx", "bfxg", "bfgx", "xfbg", "gfbx"}
    expected = draws / len(seen)
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 24.3  # chi-square, 7, 0.1 %


def test_the_flag_is_drawn_on_the_last_row_of_either_side() -> None:
    for player in (0, 1):
        position: Any = game("stratego:army=barrage").new()
        lots = Random(player)
        while position.turn == CHANCE:
            position.make(lots.choice(list(position.moves())))
        flags = Counter[int]()
        for _ in range(60):
            other: Any = position.determinize(player, lots)
            flags[
                next(at for at, piece in enumerate(other.cells) if piece and piece[:2] == (1 - player, 0))
            ] += 1
        back = [cell // 10 for cell in flags]
        assert len(flags) > 1 and set(back) == {9 if player == 0 else 0}
        assert set(flags) <= {
            at for at, piece in enumerate(position.cells) if piece and piece.player != player
        }


def test_piece_values() -> None:
    """In scouts, by rank from the flag; the evaluation is the mover's."""
    worth = dict(zip(LETTERS, (0, 1.5, 2.5, 1, 2.5, 1.5, 2, 3, 4, 6, 9, 12), strict=True))
    for letter, scouts in worth.items():
        for turn, sign in ((0, 1), (1, -1)):
            assert position_with(f"{letter}a1", turn).evaluate() == sign * 100 * scouts
            assert position_with(f"{letter.lower()}a10", turn).evaluate() == -sign * 100 * scouts
    assert position_with("Xa1 Sa2 gb10 mb9").evaluate() == 1200 + 100 - 900 - 250


def test_set_ups_are_offered_before_the_first_piece_and_attacks_before_other_moves() -> None:
    position: Any = game("stratego:start=chosen").new()
    assert position.examples.startswith("a set-up: corner, middle, wing, ")
    assert position.parse(position.examples.rpartition(": ")[2]) in position.moves()
    words = [position.format(move) for move in position.in_order(position.moves())]
    assert words[:6] == ["corner", "corner*", "middle", "middle*", "wing", "wing*"] and len(words) == 46
    position.make(position.parse("F-b1"))
    assert position.examples == ""
    fight: Any = game("stratego:army=barrage,start=chosen").new("corner corner")
    assert fight.examples == ""
    attacks = [fight.cells[move % 100] is not None for move in fight.in_order(fight.moves())]
    assert attacks == sorted(attacks, reverse=True) and sorted(fight.in_order(fight.moves())) == sorted(
        fight.moves()
    )
    assert game("stratego").new().examples == ""


def test_set_up_of_the_opponent_is_hidden() -> None:
    position: Any = game("stratego:start=chosen").new()
    empty = position.board(1).cells
    wing = position.parse("wing*")
    assert not position.sees(1, wing)
    position.make(wing)
    assert position.turn == 1 and position.board(1).cells == empty
    assert position.board(0).cells[9] == tuple("SBMLSTBFBM")


def test_setups_at_random_are_counted_not_listed() -> None:
    stratego = game("stratego:army=barrage")
    position, lots = stratego.new(), Random(1)
    words = []
    while position.turn == CHANCE:
        move = lots.choice(list(position.moves()))
        words.append(position.format(move))
        position.make(move)
    match = match_without_players(stratego, words=words)
    assert panel.move_list(match, 60, 5).plain == "(16 deals)"


OWN = 'mine = ["F.........", "B.........", "M.Y.......", "SSGX......"]\n'


def test_custom_set_ups_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN)
    position: Any = game(f"stratego:army=barrage,start=chosen,setups={file}").new()
    assert {"corner", "bluff*", "mine", "mine*"} <= words(position)
    position.setup("mine mine*")
    assert [position.letter(cell(at), None) for at in ("a1", "a2", "c3", "d4")] == ["F", "B", "Y", "X"]
    assert [position.letter(cell(at), None) for at in ("a10", "a9", "c8", "d7")] == ["f", "b", "y", "x"]
    other = position.determinize(0, Random(1))
    assert other.setups == str(file) and other.placed[0] == position.placed[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no file .*own\\.toml$"),
        ("mine = [", "is not TOML: "),
        ('"my own" = []', "the name of a set-up must be a word, not 'my own'"),
        ('mine = "F"', "mine is not a set-up, which is four rows of ten squares, the back row first, like "),
        (OWN.replace("SSGX......", "SSGX....."), "mine is not a set-up, which is four rows of ten"),
        (OWN.replace("]", ", 5]"), "mine is not a set-up, which is four rows of ten"),
        (OWN.replace("SSGX", "SSGG"), "mine has other pieces than an army of barrage: 1F 1B 1Y 2S 1M 1G 1X$"),
    ],
)
def test_files_that_are_no_set_ups_are_refused(tmp_path: Path, text: str | None, message: str) -> None:
    file = tmp_path / "own.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(BadInput, match=message):
        game(f"stratego:army=barrage,start=chosen,setups={file}").new()


def test_custom_set_ups_require_a_chosen_army(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(OWN)
    with pytest.raises(BadInput, match="need start=chosen"):
        game(f"stratego:army=barrage,setups={tmp_path / 'own.toml'}").new()


def standing(last: bool) -> Any:
    """Barrage with red's pieces on its first cells and blue's on its first or last ones."""
    position: Any = game("stratego:army=barrage").new()
    while position.turn == CHANCE:
        position.make(position.moves()[-1 if last and position.placing() == 1 else 0])
    return position


def test_infoset_has_the_cells_of_the_opponents_pieces_once_both_armies_stand() -> None:
    first, second = standing(False), standing(True)
    assert first.placed[0] == second.placed[0]
    assert first.infoset(0) != second.infoset(0)
    assert first.infoset(0)[2] == tuple(sorted(first.placed[1]))
    first.unmake()
    second.unmake()
    assert first.infoset(0) == second.infoset(0), "until then nothing but their number is seen"


def test_check_reports_an_infoset_without_the_cells_of_the_opponents_pieces() -> None:
    class Blind(Stratego):
        """Barrage with a wrong infoset: it has only the number of the opponent's pieces."""

        def infoset(self, player: int) -> Any:
            return (player, self.placed[player], len(self.placed[1 - player]), tuple(self.history))

    blind = check(Game("blind", "blind", Blind, {"army": "barrage"}), 1, plies=20)
    assert blind.broken[0].law == "views"
    assert "is shown something else" in blind.broken[0].seen
    sound = check(game("stratego:army=barrage"), 1, plies=20)
    assert {broken.law for broken in sound.broken} <= {"ends"}


def test_random_placements_are_a_setup_and_later_the_rest_with_the_flag_at_the_back() -> None:
    position: Any = game("stratego:start=chosen").new()
    drawn = {position.format(position.random_placements(Random(seed))[0]) for seed in range(40)}
    assert drawn == {name + mirror for name in SETUPS["full"] for mirror in ("", "*")}
    for player, flag in ((0, None), (1, "e8")):
        if flag:
            position.make(position.parse(flag))
        else:
            position.make(position.parse("b1"))
        for move in position.random_placements(Random(player)):
            assert move in position.moves()
            position.make(move)
        assert Counter("".join(position.setup_rows(player))) == Counter("".join(SETUPS["full"]["corner"]))
    assert position.placing() is None and not position.random_placements(Random(0))
    assert game("stratego").new().random_placements(Random(0)) == [], "armies are dealt"


@pytest.mark.parametrize("player", [0, 1])
def test_setup_in_rows_is_placed_as_the_one_of_that_name(player: int) -> None:
    state: Any = game("stratego:start=chosen").new()
    other: Any = game("stratego:start=chosen").new()
    for position in (state, other):
        for _ in range(player):
            position.make(position.parse("middle"))
    state.make(state.parse("wing"))
    for move in other.setup_moves(SETUPS["full"]["wing"]):
        assert move in other.moves()
        other.make(move)
    assert state.placed == other.placed
    assert tuple(other.setup_rows(player)) == SETUPS["full"]["wing"]
    assert player or other.setup_rows(1) == []


def test_wrong_setups_in_rows_are_refused() -> None:
    position: Any = game("stratego:army=barrage,start=chosen").new()
    with pytest.raises(BadInput, match=r"four rows of ten squares.*these have 3, 10"):
        position.setup_moves(["FB.", "M.....Y..."])
    with pytest.raises(BadInput, match="the set-up has other pieces than an army of barrage: 1F 1B"):
        position.setup_moves(["FF........", "M.....Y...", "....X.....", ".S..G..S.."])
    position.make(position.parse("F-b1"))
    assert position.setup_moves(SETUPS["barrage"]["corner"]) == []
    assert position.board(0).facts == ("to place next: bomb (B); 7 pieces left",)
    assert position.board(1).facts == ()
