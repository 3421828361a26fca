"""Scrabble, for two to four players, by any list of English words.

move   a draw: the kind of tile, 0 for a blank, 1 to 26 for A to Z
       0: pass; then exchanges, the challenge, and plays of listed words, see `lexicon.py`
       2**31 - 1: a challenge that fails regardless of the list, for records of games with other lists
       2**31 and above: a phony, a play with an unlisted word, see `placement.encode_phony`
"""

import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gameplay.board import Board, Tray
from gameplay.errors import BadInput, IllegalMove, NoMoveMade, check_players, unknown_name
from gameplay.evaluation import Evaluation, by_name, load_evaluation
from gameplay.games.scrabble import drawing, notation, placement
from gameplay.games.scrabble import words as _words
from gameplay.games.scrabble.layout import AREA, BLANK, FIRST, RACK, SIDE
from gameplay.games.scrabble.lexicon import Lexicon
from gameplay.games.scrabble.placement import PHONY, Play
from gameplay.games.scrabble.plays import Placer, decode_exchange
from gameplay.games.scrabble.proof import EndgameProver
from gameplay.games.scrabble.tiles import KINDS, POINTS, TILES, spell
from gameplay.games.shared.legality import checked
from gameplay.plural import plural
from gameplay.position import CHANCE, Position, side

if TYPE_CHECKING:
    from random import Random

    from gameplay.capabilities import StopSignal

MAX_PLAYERS = 4
ROUNDS = 3  # scoreless rounds that end the game
PASS, CHALLENGE = 0, FIRST - 1
UPHELD = PHONY - 1
BONUS = {"five": 5, "ten": 10}  # points for a valid play that was challenged
CHALLENGES = ("off", "free", "double", *BONUS)
FILE = Path(__file__).with_name("weights.toml")
LEAVES = load_evaluation("leaves", "points, and the value of the rack leave", FILE, 10_000)
SCORE = Evaluation("score", "points only")


class Layout(NamedTuple):
    """An immutable game state."""

    cells: bytes
    racks: tuple[bytes, ...]  # kinds of tiles, sorted
    scores: tuple[int, ...]
    player: int  # the player to move once all racks are filled
    set_aside: bytes = b""  # the tiles that the player exchanges, until they have drawn others
    scoreless: int = 0  # scoreless turns in a row
    over: bool = False
    valid: bool = True  # all words of the last play are in the list
    before_play: "Layout | None" = None  # the state that a challenge restores; None: no play to challenge
    new_cells: tuple[int, ...] = ()  # the cells of the last play
    description: str = ""  # a public description of the last move


class Scrabble(Position):
    """Form words on a board from a hidden rack of seven tiles.

    The player to move lays tiles from their rack in one row or column. All new words of two letters and
    more, read to the right or down, must be in the word list, and the tiles must join those on the board;
    the first word covers the middle. The letters of each new word count, twice or three times on their
    premium squares, and so does the word; premium squares count only when a tile is laid on them. All seven
    tiles at once score 50 more. Then the player draws up to seven tiles again from the bag of 100. Instead
    of a word a player may exchange tiles, while the bag holds seven or more, or pass. A blank stands for any
    letter and counts nothing.

    A player who lays their last tile with the bag empty ends the game and gets the points of the other
    racks; all players lose the points on their own. Three rounds without a score end the game, too. The
    payoff is the lead over the mean of the other players.

    `words` is a file, one word a line; the default is ENABLE. With `challenge=off`, the default, only words
    of the list can be laid, since the engines know all of them. With `free` and `double` anything can be
    laid, and the next player may challenge it: a play with a word that is not in the list is taken back. A
    challenge that fails costs the challenger the turn in `double` and nothing in `free`; in `five` and `ten`
    the player of the word gets that many points. After the last tile of the game `-` accepts it.

    Moves name the first cell and the whole word: `8H:WORD` goes to the right in row 8 from column H,
    `H8:WORD` down; a letter that a blank stands for is small, `8H:WoRD`. A dot may stand for a tile on the
    board. `-ABC` exchanges tiles, `-?` a blank, `-` passes, `challenge` challenges. Draws are tiles: `A`,
    `?`. In records of games with other word lists, `upheld` is a challenge after which the play stands. On
    the board `=` and `-` are triple and double words, `"` and `'` letters. A position is written as its
    moves.
    """

    records = ".gcg"  # the format of its files
    chance = True
    hidden = True
    scored = True
    evaluates_chance_nodes = True
    unit = 100
    mistake_thresholds = (5, 10, 20)
    unit_names = ("point", "points")
    examples = "8H word, H8 down, -AEI, -"
    evaluations = by_name("scrabble", LEAVES, SCORE)

    def __init__(self, players: int = 2, words: str = "", challenge: str = "off") -> None:
        super().__init__()
        check_players("scrabble", players, MAX_PLAYERS)
        if challenge not in CHALLENGES:
            raise BadInput(unknown_name("challenge", challenge, CHALLENGES))
        self.players = players
        self.words = words
        self.challenge = challenge
        self.state = Layout(bytes(AREA), (b"",) * players, (0,) * players, 0)
        self.past: list[Layout] = []
        self.cached_moves: tuple[Any, list[int]] = (None, [])  # of the last position, after its key
        self.turn = CHANCE
        _words.load(_file(words))  # reports errors in the file now

    @property
    def lexicon(self) -> Lexicon:
        """The word list."""
        return _words.load(_file(self.words))[0]

    @property
    def placer(self) -> Placer:
        """The move generator, with the weights for rack leaves."""
        evaluation = self.evaluation or LEAVES
        return _placer(self.lexicon, evaluation if evaluation.inside else LEAVES)

    # -- the rules -------------------------------------------------------------------------------

    def bag(self) -> list[int]:
        """The number of tiles of each kind in the bag."""
        counts = list(TILES)
        for tile in self.state.cells:
            if tile:
                counts[0 if tile & BLANK else tile] -= 1
        for rack in (*self.state.racks, self.state.set_aside):
            for tile in rack:
                counts[tile] -= 1
        return counts

    def bag_size(self) -> int:
        """The number of tiles in the bag."""
        state = self.state
        return sum(TILES) - AREA + state.cells.count(0) - sum(map(len, state.racks)) - len(state.set_aside)

    def next_drawer(self) -> int | None:
        """The player who draws a tile now; None if there is none."""
        if self.state.over or not self.bag_size():
            return None
        return next((player for player, rack in enumerate(self.state.racks) if len(rack) < RACK), None)

    def moves(self) -> list[int]:
        state = self.state
        if self.turn == CHANCE:
            return [kind for kind, count in enumerate(self.bag()) if count]
        if self._played_out():
            return [PASS, CHALLENGE]
        rack, can_exchange = state.racks[self.turn], self.bag_size() >= RACK
        position = (state.cells, rack, can_exchange, state.before_play is None)
        if self.cached_moves[0] != position:
            moves = self.placer.plays(state.cells, rack)
            moves += self.placer.exchanges(rack) if can_exchange else []
            self.cached_moves = position, [*moves, PASS, *([] if state.before_play is None else [CHALLENGE])]
        return list(self.cached_moves[1])

    def chances(self) -> list[float]:
        counts = [count for count in self.bag() if count]
        return [count / sum(counts) for count in counts]

    def allows(self, move: int) -> bool:
        """True for phonies if plays can be challenged, and for the ruling that a play stands."""
        if move == UPHELD:
            return self.turn != CHANCE and self.state.before_play is not None
        if move < PHONY or self.challenge == "off" or self.turn == CHANCE or self._played_out():
            return False
        try:
            play = self.play(move)
        except IllegalMove:
            return False
        phony = placement.encode_phony(play) == move and not self._are_listed(play.words)  # else another move
        return phony and placement.has_tiles(self.state.racks[self.turn], play)

    def _played_out(self) -> bool:
        """True if a player has laid their last tile, and the play can be challenged."""
        return b"" in self.state.racks and not self.bag_size() and not self.state.over

    @checked
    def make(self, move: int) -> None:
        self.past.append(self.state)
        if self.turn == CHANCE:
            self._make_draw(move)
        elif move in (CHALLENGE, UPHELD):
            self._make_challenge(upheld=move == UPHELD)
        elif move < CHALLENGE:
            self._make_exchange(decode_exchange(move))
        else:
            self._make_play(self.play(move), move < PHONY)
        self.turn = self.state.player if self.next_drawer() is None else CHANCE

    def unmake(self) -> None:
        if not self.past:
            raise NoMoveMade()
        self.state = self.past.pop()
        self.turn = self.state.player if self.next_drawer() is None else CHANCE

    def _make_draw(self, kind: int) -> None:
        player, state = self.next_drawer(), self.state
        assert player is not None
        racks = _with_value(state.racks, player, bytes(sorted((*state.racks[player], kind))))
        self.state = state._replace(racks=racks, description="")
        if self.next_drawer() is None or len(racks[player]) == RACK:
            self.state = self.state._replace(set_aside=b"")

    def _make_exchange(self, tiles: bytes) -> None:
        """Put tiles aside until others are drawn; no tiles: a pass."""
        state = self.state
        count = f"exchanges {plural(len(tiles), 'tile')}" if tiles else "passes"
        racks = _with_value(state.racks, self.turn, _without_tiles(state.racks[self.turn], tiles))
        self._pass_turn(
            state._replace(
                racks=racks, set_aside=tiles, scoreless=state.scoreless + 1, before_play=None, new_cells=()
            ),
            count,
        )

    def _make_play(self, play: Play, valid: bool) -> None:
        state, mover = self.state, self.turn
        cells = bytearray(state.cells)
        for cell, tile in play.laid:
            cells[cell] = tile
        kinds = bytes([0 if tile & BLANK else tile for _, tile in play.laid])
        new_state = state._replace(
            cells=bytes(cells),
            racks=_with_value(state.racks, mover, _without_tiles(state.racks[mover], kinds)),
            scores=_with_value(state.scores, mover, state.scores[mover] + play.score),
            scoreless=0 if play.score else state.scoreless + 1,
            valid=valid,
            before_play=None if self.challenge == "off" else state._replace(before_play=None),
            new_cells=tuple([cell for cell, _ in play.laid]),
        )
        self._pass_turn(
            new_state, f"plays {notation.format_place(play)} {spell(play.tiles)} for {play.score}"
        )

    def _make_challenge(self, upheld: bool) -> None:
        """Withdraw a play with an unlisted word, unless it is `upheld`; else in `double` a turn is lost."""
        state, mover = self.state, self.turn
        before_play = state.before_play
        assert before_play is not None
        name = side(self, before_play.player)
        if not state.valid and not upheld:
            scoreless = before_play.scoreless + 1
            self._pass_turn(
                before_play._replace(scoreless=scoreless, valid=True),
                f"challenges the play of {name}, which is taken back",
                mover,
            )
            return
        if bonus := BONUS.get(self.challenge, 0):
            player = before_play.player
            state = state._replace(scores=_with_value(state.scores, player, state.scores[player] + bonus))
        if self._played_out():
            self._end_game(state._replace(before_play=None), f"challenges the play of {name}, which stands")
        elif self.challenge == "double":
            new_state = state._replace(before_play=None, scoreless=state.scoreless + 1)
            self._pass_turn(new_state, f"challenges the play of {name}, which stands, and loses the turn")
        else:
            self._pass_turn(
                state._replace(before_play=None), f"challenges the play of {name}, which stands", mover
            )

    def _pass_turn(self, state: Layout, description: str, player: int | None = None) -> None:
        """Pass the turn to `player`, by default the next one, unless the game is over."""
        mover = self.turn
        description = f"{side(self, mover)} {description}"
        player = (mover + 1) % self.players if player is None else player
        self.state = state._replace(player=player, description=description)
        has_played_out = b"" in state.racks and not self.bag_size()
        if (has_played_out and state.before_play is None) or state.scoreless >= ROUNDS * self.players:
            self._end_game(self.state, description)

    def _end_game(self, state: Layout, description: str) -> None:
        """Each player loses the points left on their rack; a player with an empty rack gains them."""
        unplayed = [sum(POINTS[tile] for tile in rack) for rack in state.racks]
        bonus = 0 if self.bag_size() else sum(unplayed)
        scores = [
            score - points + (0 if rack else bonus)
            for score, rack, points in zip(state.scores, state.racks, unplayed, strict=True)
        ]
        self.state = state._replace(
            scores=tuple(scores), over=True, before_play=None, description=description
        )

    def outcome(self) -> tuple[float, ...] | None:
        if not self.state.over:
            return None
        return self.leads([float(score) for score in self.state.scores])

    def leads(self, scores: Sequence[float]) -> tuple[float, ...]:
        """Each player's lead over the mean of the others."""
        opponents = self.players - 1
        return tuple((self.players * score - sum(scores)) / opponents for score in scores)

    def key(self) -> tuple[Any, ...]:
        before_play = self.state.before_play
        return (*self.state[:8], before_play[:8] if before_play is not None else None)

    def pack_words(self, name: str) -> bytes:
        """The word list as the contents of a file, see `words.py`."""
        return _words.pack(self.lexicon, {"name": name})

    # -- plays -----------------------------------------------------------------------------------

    def play(self, move: int) -> Play:
        """The play of a move. Raises IllegalMove if it does not fit on the board."""
        if move >= PHONY:
            return placement.place_word(self.state.cells, *placement.decode_phony(move))
        down, line, offset, letters, blanks = self.lexicon.decode(move)
        step, cell = (SIDE, offset * SIDE + line) if down else (1, line * SIDE + offset)
        tiles, number = bytearray(letters), 0
        for index in range(len(tiles)):
            if not self.state.cells[cell + index * step]:
                tiles[index] |= BLANK if number in blanks else 0
                number += 1
        return placement.place_word(self.state.cells, down, cell, bytes(tiles))

    def _are_listed(self, words: Iterable[bytes]) -> bool:
        """True if all words are in the list."""
        return all(self.lexicon.rank(word) >= 0 for word in words)

    def _encode_play(self, play: Play) -> int:
        """The move of a play of listed words; a play of one tile is listed across if that makes a word."""
        down, start, letters = play.down, play.start, play.words[0]
        if len(play.laid) == 1 and down and len(play.words) == 2:
            down, letters = 0, play.words[1]
            start = play.laid[0][0] - len(placement.adjacent_tiles(self.state.cells, play.laid[0][0], 1, -1))
        row, column = divmod(start, SIDE)
        blanks = tuple(number for number, (_, tile) in enumerate(play.laid) if tile & BLANK)
        line, offset = (column, row) if down else (row, column)
        return int(self.lexicon.encode(down, line, offset, letters, blanks))

    # -- imperfect information --------------------------------------------------------------------------

    def infoset(self, player: int) -> tuple[Any, ...]:
        """The player's rack, the board, the scores, the sizes of other racks, and the play to challenge."""
        state, before_play = self.state, self.state.before_play
        counts = tuple(map(len, state.racks))
        set_aside = state.set_aside if state.player == (player + 1) % self.players else len(state.set_aside)
        visible: tuple[Any, ...] = (player, state.racks[player], state.cells, state.scores, state.player)
        visible += (counts, set_aside, state.scoreless, state.over, state.valid, state.description)
        if before_play is None:
            return visible
        return (
            *visible,
            before_play.cells,
            before_play.scores,
            before_play.player,
            before_play.scoreless,
            before_play.racks[player],
        )

    def determinize(self, player: int, rng: "Random") -> "Scrabble":
        """Sample the other racks from the unseen tiles."""
        state = self.state
        unseen = self.bag()
        is_own_exchange = state.player == (player + 1) % self.players  # the tiles put aside
        for seat, rack in enumerate(state.racks):
            for tile in rack if seat != player else b"":
                unseen[tile] += 1
        for tile in state.set_aside if not is_own_exchange else b"":
            unseen[tile] += 1
        tiles = [kind for kind, count in enumerate(unseen) for _ in range(count)]
        rng.shuffle(tiles)

        def draw_tiles(count: int) -> list[int]:
            drawn = tiles[:count]
            del tiles[:count]
            return drawn

        hands = [
            list(rack) if seat == player else draw_tiles(len(rack)) for seat, rack in enumerate(state.racks)
        ]
        racks = tuple(bytes(sorted(hand)) for hand in hands)
        sample = type(self)(self.players, self.words, self.challenge)
        before_play = state.before_play
        if before_play is not None:
            mover = before_play.player
            previous_racks = racks
            if mover == player:
                previous_racks = _with_value(racks, mover, before_play.racks[mover])
            else:  # part of the current rack was kept
                cells = zip(before_play.cells, state.cells, strict=True)
                laid = [
                    0 if new_tile & BLANK else new_tile
                    for old_tile, new_tile in cells
                    if old_tile != new_tile
                ]
                previous_racks = _with_value(
                    racks,
                    mover,
                    bytes(sorted(laid + hands[mover][: len(before_play.racks[mover]) - len(laid)])),
                )
            before_play = before_play._replace(racks=previous_racks)
        set_aside = state.set_aside if is_own_exchange else bytes(sorted(draw_tiles(len(state.set_aside))))
        sample.state = state._replace(racks=racks, set_aside=set_aside, before_play=before_play)
        sample.turn = self.turn
        return sample

    def sees(self, player: int, move: int) -> bool:
        """Tiles drawn or exchanged are seen by their player; plays and passes by all."""
        if self.turn == CHANCE:
            return player == self.next_drawer()
        return player == self.turn or not 0 < move < CHALLENGE

    # -- for search ------------------------------------------------------------------------------

    def evaluate(self) -> int:
        return self.evaluate_for(self.turn)

    def evaluate_for(self, player: int) -> int:
        """A player's lead, including rack leaves; a refilled rack has no leave."""
        evaluation = self.evaluation
        if evaluation is not None and not evaluation.inside:
            return super().evaluate_for(player)
        state, empty = self.state, not self.bag_size()
        values = [self.unit * score for score in state.scores]
        for seat, rack in enumerate(state.racks if evaluation is not SCORE else ()):
            if empty:
                values[seat] -= self.unit * sum(POINTS[tile] for tile in rack)
            elif len(rack) < RACK:
                values[seat] += self.placer.leave_value(rack)
        return (self.players * values[player] - sum(values)) // (self.players - 1)

    def top_moves(self, count: int) -> list[tuple[int, int]]:
        """The best moves by score and rack leave, the best first; a phony is challenged.

        Exchanges are ranked by their leave.
        """
        state = self.state
        if state.before_play is not None and not state.valid:
            return [(CHALLENGE, 0)]
        if self._played_out():
            return [(PASS, 0)]
        bag_size = self.bag_size()
        opponent_points = sum(
            POINTS[tile] for seat, rack in enumerate(state.racks) if seat != self.turn for tile in rack
        )
        moves = self.placer.plays(state.cells, state.racks[self.turn], count, bag_size, opponent_points)
        return moves or [(PASS, 0)]

    def finish(self, control: "StopSignal | None", node_limit: int) -> tuple[int, int, bool, int] | None:
        """Solve a two-player endgame with an empty bag, where both racks are known.

        Challenging a valid play is never better than a pass.
        """
        state = self.state
        phony = state.before_play is not None and not state.valid
        if self.players != 2 or self.bag_size() or phony or self._played_out():
            return None
        solver = EndgameProver(Placer(self.lexicon), control, node_limit)
        result = solver.solve(
            state.cells, state.racks[self.turn], state.racks[1 - self.turn], state.scoreless
        )
        if result is None:
            return None
        move, gain, exact = result
        lead = state.scores[self.turn] - state.scores[1 - self.turn]
        return move, self.unit * (lead + gain), exact, solver.nodes

    # -- for people ------------------------------------------------------------------------------

    def format(self, move: int) -> str:
        if self.turn == CHANCE:
            return KINDS[move]
        if move in (CHALLENGE, UPHELD):
            return "upheld" if move == UPHELD else "challenge"
        if move < CHALLENGE:
            return "-" + "".join(KINDS[tile] for tile in decode_exchange(move))
        return notation.format_play(self.play(move))

    def parse(self, text: str) -> int:
        """Parse a move; also in the forms `8h word`, `swap abc`, `pass`."""
        words = text.replace(":", " ").replace("(", "").replace(")", "").split()
        if self.turn == CHANCE:
            return self._parse_draw(text.strip())
        head = words[0].lower() if words else ""
        if head in ("challenge", "upheld") and len(words) == 1:
            if self.state.before_play is None:
                raise IllegalMove("there is nothing to challenge")
            return UPHELD if head == "upheld" else CHALLENGE
        if head in ("-", "pass") and len(words) == 1:
            return PASS
        if self._played_out():
            raise IllegalMove("the last tile was laid: challenge, or - to let it stand")
        if head.startswith("-") or head in ("swap", "exchange"):
            tiles = "".join(words)[1:] if head.startswith("-") else "".join(words[1:])
            return self._parse_exchange(tiles)
        return self._parse_placement(*notation.parse_play(text, words))

    def _parse_draw(self, word: str) -> int:
        kind = KINDS.find(word.upper()) if len(word) == 1 else -1
        if kind < 0 or not self.bag()[kind]:
            raise IllegalMove(f"'{word}' is not a tile in the bag: A to Z, or ? for a blank")
        return kind

    def _parse_exchange(self, text: str) -> int:
        """Parse an exchange. Raises IllegalMove."""
        if self.bag_size() < RACK:
            raise IllegalMove(
                f"tiles are exchanged while the bag holds {RACK}, and it holds {self.bag_size()}"
            )
        text = text.upper().replace("_", "?")
        kinds = [KINDS.find(letter) for letter in text]
        rack = list(self.state.racks[self.turn])
        for kind, letter in zip(kinds, text, strict=True):
            if kind not in rack:
                raise IllegalMove(f"there is no {letter} to exchange on your rack")
            rack.remove(kind)
        if not kinds:
            raise IllegalMove("name the tiles to exchange, as in -ABC")
        return int(self.placer.encode_exchange(bytes(sorted(kinds))))

    def _parse_placement(self, down: int, start: int, word: str) -> int:
        """The move for a word at a place. Raises IllegalMove."""
        rack, cells = self.state.racks[self.turn], self.state.cells
        play = placement.place_word(cells, down, start, notation.parse_tiles(word, cells, down, start, rack))
        if not placement.has_tiles(rack, play):
            raise IllegalMove(f"your rack does not have the tiles for '{word}'")
        if self._are_listed(play.words):
            return self._encode_play(play)
        unlisted = next(other_word for other_word in play.words if self.lexicon.rank(other_word) < 0)
        if self.challenge == "off":
            raise IllegalMove(f"{spell(unlisted)} is not in the list of words")
        return placement.encode_phony(play)

    def ending(self) -> str:
        """The kind of ending: "playing out" or "scoreless turns"."""
        return "playing out" if b"" in self.state.racks else "scoreless turns"

    def news(self) -> Sequence[str]:
        """The last play and its score."""
        return (self.state.description,) if self.state.description else ()

    def public_report(self) -> str:
        """The number of tiles exchanged."""
        return self.state.description

    def board(self, viewer: int | None = None, last: int | None = None) -> Board:
        state = self.state
        visible_players = range(self.players) if viewer is None else [viewer]
        trays = [
            Tray(side(self, player) if viewer is None else "rack", drawing.rack(state.racks[player]))
            for player in visible_players
        ]
        return drawing.board(state.cells, state.new_cells, state.scores, trays, self.bag_size())

    def show(self, viewer: int | None = None) -> str:
        lines = drawing.text(self.state.cells)
        for player, score in enumerate(self.state.scores):
            tiles = self.state.racks[player]
            is_visible = viewer in (None, player)
            rack = "".join([KINDS[tile] for tile in tiles]) if is_visible else f"({len(tiles)} tiles)"
            lines.append(f"{side(self, player)}: {score}  {rack}".rstrip())
        return "\n".join([*lines, f"bag: {self.bag_size()}"])

    def __str__(self) -> str:
        return self.show()


# -- words and files ---------------------------------------------------------------------------------


def _file(words: str) -> Path:
    return Path(os.path.expanduser(words)) if words else _words.ENABLE


@lru_cache(maxsize=8)
def _placer(lexicon: Lexicon, evaluation: Evaluation) -> Placer:
    placer = Placer(lexicon)
    if evaluation is not SCORE:
        weights = evaluation.weights
        placer.set_weights(weights["tiles"], weights["pairs"], weights["balance"])
    return placer


# -- tuples of players, and racks ---------------------------------------------------------------------


def _with_value(row: Any, player: int, value: Any) -> Any:
    """A copy of a tuple with one player's value replaced."""
    return (*row[:player], value, *row[player + 1 :])


def _without_tiles(rack: bytes, tiles: bytes) -> bytes:
    remaining = list(rack)
    for tile in tiles:
        remaining.remove(tile)
    return bytes(remaining)
