"""Go playouts: the policy against an oracle, dead stones, territory."""

import random
from functools import cache

import pytest

from gameplay.games.go import notation
from gameplay.kernel import compiled
from tests.support.go import Oracle, new, point_of

# -- playouts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec", ["", "size=5", "columns=7,rows=4,goal=points", "size=6,handicap=4,placement=free"]
)
def test_a_playout_is_a_game_to_its_end_and_leaves_the_position(spec):
    position = new(spec)
    for word in ("C3", "D4", "D3"):
        position.make(position.parse(word))
    before = position.key(), position.moves(), str(position)
    for seed in range(20 if compiled() else 4):
        moves, movers, gains = position.rollout(seed, seed % 16)  # all but mercy
        assert (position.key(), position.moves(), str(position)) == before
        assert position.rollout(seed, seed % 16) == (moves, movers, gains)
        other = position.twin()
        for move, mover in zip(moves, movers, strict=True):
            assert other.turn == mover
            if move not in other.moves():
                break  # superko, which playouts do not know
            other.make(move)
        else:
            if len(moves) < 3 * position.area:
                assert other.outcome() == tuple(gain / position.unit for gain in gains)


CAPTURE, ESCAPE, PATTERN, CARE, MERCY = (1 << bit for bit in range(5))


def first_moves(position, policy, count=40):
    return {position.format(position.rollout(seed, policy)[0][0]) for seed in range(count)}


@pytest.mark.parametrize(
    ("rows", "move", "policy", "answers"),
    [
        ("...../...../.OX../..O../..... white", "D3", ESCAPE, {"C4"}),  # run
        ("...../.XX../XOX../.OO../..... white", "D3", ESCAPE, None),  # there is nothing to save
        ("...../...../...../...../.X... white", "A1", CAPTURE, {"A2"}),
        ("...../...../...../...../.X... white", "A1", ESCAPE, None),
    ],
)
def test_playouts_answer_atari(rows, move, policy, answers):
    position = new("size=5", rows)
    position.make(position.parse(move))
    if answers is None:
        assert len(first_moves(position, policy)) > 5
    else:
        assert first_moves(position, policy) == answers
        assert len(first_moves(position, 0)) > 5


def test_playouts_answer_known_patterns_next_to_the_last_move():
    position = new("", "E5 D4")
    assert first_moves(position, PATTERN) <= {"C3", "C4", "C5", "D3", "D5", "E3", "E4"}
    far = new("", "E5 A9")
    assert len(first_moves(far, PATTERN)) > 5


def test_playouts_with_care_avoid_self_atari():
    position = new("size=5", "..XXO/OOOOO/...../XXXXX/..... white pass")
    assert "B5" in first_moves(position, 0, 80)
    assert "B5" not in first_moves(position, CARE, 80)


def test_mercy_ends_a_playout_early_and_never_for_the_loser():
    position = new("size=7")
    shorter = 0
    for seed in range(60 if compiled() else 8):
        full, _, ends = position.rollout(seed, 0)
        cut, _, stops = position.rollout(seed, MERCY)
        assert cut == full[: len(cut)]
        shorter += len(cut) < len(full)
        assert len(cut) < len(full) or stops == ends
    assert shorter


def test_captures_and_escapes_come_first():
    results = [
        ("...../...../.OX../..O../..... white", "D3", "C4"),
        ("...../...../...../...../.X... white", "A1", "A2"),
    ]
    for rows, move, best in results:
        position = new("size=5", rows)
        position.make(position.parse(move))
        hints = position.hints()
        assert max(hints, key=lambda word: hints[word]) == best
        assert hints["pass"] < max(hints.values())


@cache
def has_shape(seen, mover):
    """True if the mover has a known pattern there, under any symmetry."""
    rows = [seen[:3], seen[3:6], seen[6:]]
    views = set()
    for _ in range(4):
        rows = [tuple(row) for row in zip(*rows[::-1], strict=True)]
        views |= {sum(rows, ()), sum((row[::-1] for row in rows), ())}
    for text in (*notation.HANE, *notation.CUT, *notation.SIDE, *notation.X_ALONE):
        for x in (mover,) if text in notation.X_ALONE else (0, 1):
            means = {"X": {x}, "O": {1 - x}, ".": {2}, "#": {3}, "?": {0, 1, 2, 3}}
            means |= {"x": {1 - x, 2, 3}, "o": {x, 2, 3}}
            signs = text.replace(" ", "")
            for view in views:
                if all(at == 4 or view[at] in means[sign] for at, sign in enumerate(signs)):
                    return True
    return False


class Adviser(Oracle):
    """The playout policy and the hints, implemented with sets of points."""

    def signs(self, point):
        """The 3x3 neighbourhood of a point from the top: stones by player, 2 empty, 3 off the board."""
        x, y = point
        around = [(x + across, y + up) for up in (1, 0, -1) for across in (-1, 0, 1)]
        return tuple(self.board.get(p, 2) if p in self.points else 3 for p in around)

    def shaped(self, point, mover):
        return has_shape(self.signs(point), mover)

    def eye(self, point, mover):
        x, y = point
        across = {(x + 1, y + 1), (x - 1, y + 1), (x + 1, y - 1), (x - 1, y - 1)}
        wrong = sum(self.board.get(p) == 1 - mover for p in across) + bool(across - self.points)
        return all(self.board.get(p) == mover for p in self.beside(point)) and wrong < 2

    def self_atari(self, point, mover, crowd):
        """True if a move without captures leaves a chain of more than `crowd` stones one liberty."""
        own = [p for p in self.beside(point) if self.board.get(p) == mover]
        board, lost = self.after(point)
        if lost:
            return False
        after = {**self.board, point: mover} if board is None else board
        return sum(len(self.chain(self.board, p)[0]) for p in own) >= crowd and (
            len(self.chain(after, point)[1]) <= 1
        )

    def atari(self, point, colour):
        """The chain of a point and its liberty, if it has this colour and is in atari."""
        if self.board.get(point) == colour:
            chain, liberties = self.chain(self.board, point)
            if len(liberties) == 1:
                return chain, next(iter(liberties))
        return None

    def hint(self, point, mover, last, before):
        if point is None:
            lead = (self.score() - 7.5) * (1 - 2 * mover)
            return 100 if self.passes and lead > 0 else -20
        if self.eye(point, mover):
            return -30
        results = [(colour, self.atari(p, colour)) for p in self.beside(point) for colour in (0, 1)]
        taken = sum(len(each[0]) for colour, each in results if each and colour != mover)
        saved = sum(len(each[0]) for colour, each in results if each and colour == mover)
        value = 15 + 2 * min(taken, 5) if taken else 0
        if self.self_atari(point, mover, 1):
            value -= 15
        elif saved:
            value += 12 + 2 * min(saved, 5)
        value += 8 * self.shaped(point, mover)
        for weight, other in ((1, last), (2, before)):
            if other:
                across, up = abs(point[0] - other[0]), abs(point[1] - other[1])
                value += max(0, 8 - across - up - max(across, up)) // weight
        columns, rows = max(self.points)
        line = min(point[0], columns - point[0], point[1], rows - point[1])
        return value + (-6, -2, 1)[min(line, 2)]

    def urgent(self, last, banned):
        """The moves that capture the last stone's chain or save an adjacent chain of the mover."""
        points, mover = set(), self.turn
        aimed = self.atari(last, 1 - mover)
        if aimed:
            points.add(aimed[1])
        for p in self.beside(last):
            own = self.atari(p, mover)
            if own:
                run = own[1]
                if self.after(run)[0] is not None and not self.self_atari(run, mover, 0):
                    points.add(run)
                others = [self.atari(q, 1 - mover) for stone in own[0] for q in self.beside(stone)]
                points |= {each[1] for each in others if each and each[1] != run}
        return points - {banned}


def positions_with_oracles(columns, rows, plays, length):
    """Positions of random games, each with its oracle and the last two moves."""
    for seed in range(plays):
        rng = random.Random(seed)
        position = new(f"columns={columns},rows={rows},ko=simple")
        adviser = Adviser(columns, rows)
        past = [None, None]
        for _ in range(length):
            moves = {move: point_of(position, move) for move in position.moves()}
            move = rng.choice([move for move in moves if move or rng.random() < 0.1] or [0])
            position.make(move)
            adviser.make(moves[move])
            past.append(moves[move])
            if position.outcome() is not None:
                break
            yield position, adviser, past[-1], past[-2]


def test_hints_are_those_of_the_oracle():
    for columns, rows, plays, length in ((5, 5, 2, 40), (7, 4, 2, 30), (2, 3, 4, 12), (9, 9, 1, 12)):
        for position, adviser, last, before in positions_with_oracles(columns, rows, plays, length):
            hints = position.hints()
            for move in position.moves():
                point = point_of(position, move)
                expected = adviser.hint(point, position.turn, last, before)
                assert hints[position.format(move)] == expected, (position.text(), position.format(move))


@pytest.mark.skipif(compiled(), reason="compiled, what playouts choose from is no Python object")
def test_playouts_choose_among_the_moves_of_the_oracle():
    for position, adviser, last, _ in positions_with_oracles(5, 4, 5, 40):
        mover, colour = position.turn, position.turn + 1
        names = {point_of(position, p): p for p in position.centre_order[: position.area]}
        banned = point_of(position, position.ko_point)
        free = [p for p in adviser.points - set(adviser.board) if p != banned]
        free = [p for p in free if adviser.after(p)[0] is not None]

        # 1. An answer to the last move: what takes or saves, else a shape beside it.
        answers = {}
        if last:
            urgent = adviser.urgent(last, banned)
            near = [p for p in free if max(abs(p[0] - last[0]), abs(p[1] - last[1])) == 1]
            shaped = {p for p in near if adviser.shaped(p, mover) and not adviser.self_atari(p, mover, 0)}
            answers = {
                CAPTURE | ESCAPE: urgent,
                PATTERN: shaped,
                CAPTURE | ESCAPE | PATTERN: urgent or shaped,
            }

        # 2. Any move but an eye, with care none that puts two stones or more in atari.
        for policy in (0, CARE, CAPTURE | ESCAPE, PATTERN, CAPTURE | ESCAPE | PATTERN):
            expected = answers.get(policy, set()) or {
                p
                for p in free
                if not adviser.eye(p, mover) and not (policy & CARE and adviser.self_atari(p, mover, 2))
            }
            position.policy = policy
            results = {position.choose_playout_move(colour) for _ in range(40 if len(expected) < 5 else 10)}
            right = {names[p] for p in expected} or {0}
            assert results == right if len(right) < 5 else results <= right, position.text()


ENDED = "...XO../.O.XO../..XXO../XXXXO../XX.XOO./XXXXO.X/.X.XO.O black"  # B6 and G2 are dead


# -- dead stones, territory -----------------------------------------------------------------------


def test_dead_stones_are_found_and_taken_off():
    position = new("size=7", ENDED)
    before = (position.key(), position.turn, position.stones(), position.moves())
    dead = position.dead_chains()
    assert sorted(map(position.format, (point for chain in dead for point in chain))) == ["B6", "G2"]
    assert (position.key(), position.turn, position.stones(), position.moves()) == before
    rows = ENDED.replace(".O.XO", "...XO").replace("O.X/", "O../")
    assert position.lead_without({point for chain in dead for point in chain}) == new("size=7", rows).lead()
    assert position.lead_without(set()) == position.lead()
    position.make(0)
    position.make(0)
    assert position.dead_chains() == dead  # also when the game is over


def test_ownership_of_obvious_territory():
    position = new("size=7", ENDED)
    owned = position.ownership(60, 5)
    assert owned == position.ownership(60, 5) and len(owned) == 49
    assert all(-1 <= share <= 1 for share in owned.values())
    territory = position.territory()
    # An empty point, a stone, a dead stone.
    assert territory.owned[0, 0] == territory.owned[0, 3] == territory.owned[1, 1] == 0
    assert territory.owned[0, 6] == territory.owned[0, 4] == territory.owned[5, 6] == 1
    assert territory.lead == sum(1 - 2 * who for who in territory.owned.values()) - 7.5
    assert set(new("size=3").territory().owned.values()) <= {0}


@pytest.mark.parametrize(
    ("spec", "moves", "playouts", "shares"),
    [
        ("size=4", "B2 C3 C2", 12, [6, 6, 10, 10, 6, 6, 6, 8, 8, 10, 10, 10, 6, 7, 10, 10]),
        (
            "size=5,suicide=on,ko=simple",
            "C3 B2 B3 C2 pass D3",
            7,
            [-3, -3, -3, -7, -7, -3, -3, -7, -7, -3, -5, -7, -7, -3, -3, -3, *[-7] * 5, -3, -3, -7, -7],
        ),
        ("columns=4,rows=3,goal=points", "B2 C2 B3 pass", 5, [5, 1, 5, 3, 3, 1, 5, 1, 5, 1, 5, 1]),
    ],
)
def test_ownership_counts_equal_the_stored_ones(spec, moves, playouts, shares):
    """Playouts that end with a point Black's less those with it White's."""
    position = new(spec, moves)
    assert [round(share * playouts) for share in position.ownership(playouts, 3).values()] == shares
    assert position.text() == moves


def test_territory_needs_two_thirds_of_playouts():
    shares = {5: 0.34, 6: -0.34, 7: 1 / 3, 9: -1.0, 10: 0.0, 11: 1.0}  # A1 to C2
    territory = notation.territory(shares, 2, 3, 15)
    assert territory.owned == {(1, 0): 0, (1, 1): 1, (0, 0): 1, (0, 2): 0} and territory.lead == -7.5


def test_ownership_uses_fewer_playouts_on_large_boards():
    assert [new(f"size={size}").playout_count() for size in (9, 12, 13, 19)] == [100, 100, 95, 44]
