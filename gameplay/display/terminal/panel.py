"""The panel beside the board: players, evaluation bar, moves and result; for searches see `search_panel`."""

import math
import textwrap
from itertools import groupby
from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.capabilities import HasBreakdown, HasClaims
from gameplay.display.board.cell import letter
from gameplay.knowledge.books import names
from gameplay.matches.views import HIDDEN_MOVE
from gameplay.plural import plural
from gameplay.position import CHANCE
from gameplay.search.report import Report
from gameplay.visible import one_line

if TYPE_CHECKING:
    from gameplay.board import Board
    from gameplay.display.text import Text
    from gameplay.display.theme import Theme
    from gameplay.players.player import MatchControl, Turn

MAX_DEALS = 8  # consecutive deals listed in games of imperfect information; more are counted
MORE_HINT = "... type show for all"  # below truncated facts


def piece_of(match: "MatchControl", player: int, theme: "Theme | None" = None) -> str:
    """The sign of a player's piece in `theme` (None: its letter); "" if there is none."""
    board = match.board()
    owners = board.owners if board is not None else {}
    piece = next((piece for piece, owner in owners.items() if owner == player), "")
    return letter(board, theme, piece) if theme is not None and board is not None and piece else piece


def captures_and_note(board: "Board | None", player: int, theme: "Theme | None" = None) -> tuple[str, str]:
    """The pieces that a player has captured, and a note: (`♟♟♞`, `+2`); letters without a theme."""
    if board is None:
        return "", ""
    taken = board.taken.get(player, "")
    return "".join(letter(board, theme, piece) if theme else piece for piece in taken), board.notes.get(
        player, ""
    )


def title(match: "MatchControl", heading: str = "") -> str:
    """The game with its parameters; of a game in a file only the name.

    In a match of several games: the name, and `heading`, the number of the game and the score.
    """
    if heading:
        return one_line(f"{match.game.name}, {heading}")
    return one_line(match.game.spec if "/" not in match.game.spec else match.game.name)


def human_viewers(match: "MatchControl") -> list[int]:
    """The seats of the viewers with hidden information; none in games of perfect information."""
    if not match.secrets:
        return []
    return [seat for seat, player in enumerate(match.players) if player.spec == "human"]


def start_notices(match: "MatchControl", clears: bool = True) -> list[str]:
    """Notices at the start of a game of imperfect information.

    They name the engines that search a single deal, and announce that the window is cleared between two
    human players.
    """
    position, facts = match.position, []
    for seat, player in enumerate(match.players):
        engine = player.engine
        if engine is not None and position.hidden and engine.place:
            facts.append(f"{match.side(seat)} ({player.name}) searches one consistent deal")
    if clears and len(human_viewers(match)) > 1:
        facts.append("the window is cleared, with all that was scrolled away, when the keyboard is passed on")
    return facts


def is_hidden_move(match: "MatchControl", turn: "Turn") -> bool:
    """True if a human player may not see which move this was."""
    return not set(turn.unseen).isdisjoint(human_viewers(match))


def format_count(number: float) -> str:
    """Format a count: 950, 12,345, 2.31 M."""
    if number < 1e6:
        return f"{number:,.0f}"
    return f"{number / 1e6:.2f} M" if number < 1e9 else f"{number / 1e9:.2f} G"


def count_of(number: int, noun: str) -> str:
    """Format a count with its noun: `1 node`, `12,345 nodes`, `2.31 M nodes`."""
    return f"{format_count(number)} {noun if number == 1 else noun + 's'}"


def players_text(match: "MatchControl", theme: "Theme", viewer: int | None = None, width: int = 80) -> "Text":
    """The players, one a line, with > at the player on turn. `viewer`: the seat called `you`.

    The name is followed by note and captures, on a line of their own if they are long.
    """
    from gameplay.display.text import Text

    text = Text()
    on_turn = None if match.over() else match.turn
    board = match.board()
    for number, player in enumerate(match.players):
        piece, side = piece_of(match, number, theme), match.side(number)
        text.append("\n" if number else "")
        line = Text("> " if number == on_turn else "  ", style="bold")
        if piece:
            line.append(f" {piece} ", style=_piece_style(board, theme, number))
            line.append(" ")
        named = piece_of(match, number) == side.upper()
        line.append("" if named else f"{side} ", style="bold")
        name = (
            "you" if number == viewer and not player.display_name else one_line(player.label or player.name)
        )
        line.append(name, style="not bold")
        if time := format_clock(match, number):
            line.append(f"  {time}", style="bold" if number == on_turn else "not bold")
        facts = "  ".join(filter(None, reversed(captures_and_note(board, number, theme))))
        if facts:
            line.append("  " if line.cell_len + 2 + len(facts) <= width else "\n      ")
            line.append(facts, style="not bold")
        text.append_text(line)
    if on_turn == CHANCE:
        text.append("\n> chance", style="bold")
    return text


def board_facts(match: "MatchControl", width: int, height: int, scale: int = 0) -> list[str]:
    """The facts that are not drawn on the board at this scale (`Board.facts`), as many lines as fit.

    If some do not fit, the last line names the command that prints all.
    """
    board = match.board()
    texts = (*board.facts, *(() if scale else board.middle)) if board is not None else ()
    lines = [part for text in texts for part in textwrap.wrap(text, width, subsequent_indent="  ")]
    return lines if len(lines) <= height else [*lines[: height - 1], MORE_HINT] if height > 1 else []


def format_clock(match: "MatchControl", player: int) -> str:
    """The time on a player's clock; "" without a clock."""
    face = match.clock.face(player) if match.clock is not None else None
    if match.clock is None or face is None:
        return ""
    return f"{face}{' paused' if match.clock.paused and player == match.turn else ''}"


def _piece_style(board: "Board | None", theme: "Theme", player: int) -> str:
    """The style of a player's pieces, as on the board."""
    if board is not None and board.ground:
        return theme.piece(player, board.white, board.ground, theme.ground(board.ground, 1))
    return theme.chip_style(player)


def win_share(match: "MatchControl", report: Report, mover: int) -> float:
    """The first player's expected score, from 0 (lost) to 1 (won), in a search by `mover`."""
    value = report.value if mover == 0 else -report.value
    unit: int = match.position.unit
    if scale.is_win(value):
        return 0.5 + math.copysign(0.5, value)
    if report.bound == "expectation" and not match.position.scored:
        return 0.5 + value / unit / 2
    return 0.5 + scale.squash(value, unit) / 2


def turn_share(match: "MatchControl", turn: "Turn") -> float | None:
    """The first player's expected score, 0 to 1, in the search of a move; None without a search."""
    report = turn.report
    if report is None or not report.valued or match.position.players != 2:
        return None
    return win_share(match, report, turn.player)


def evaluation_bar(match: "MatchControl", theme: "Theme", report: Report, mover: int, width: int) -> "Text":
    """The evaluation bar: the first player's share on the left, filled; the second's on the right."""
    from gameplay.display.text import Text

    left, right = piece_of(match, 0, theme) or match.side(0), piece_of(match, 1, theme) or match.side(1)
    room = max(4, width - len(left) - len(right) - 2)
    full = round(win_share(match, report, mover) * room)
    marks = "█░" if theme.unicode else "#."
    text = Text(no_wrap=True)
    text.append(f"{left} ", style="bold")
    board = match.board()
    white = board.white if board is not None else None
    text.append(marks[0] * full, style=theme.bar(0, white))
    text.append(marks[1] * (room - full), style=theme.bar(1, white))
    text.append(f" {right}", style="bold")
    return text


def searcher_name(match: "MatchControl", number: int, report: Report) -> str:
    """The name of the player, or of the engine that searched if another has been seated since."""
    player = match.players[number]
    return player.name if report.engine in ("", player.spec, str(player.engine)) else report.engine


def opening_name(match: "MatchControl") -> str:
    """The opening of a match with its code, as `C65 Ruy Lopez: Berlin Defense`; "" where it has no name."""
    if not match.turns or not names.has_names(type(match.position)):
        return ""
    key = (match.game.spec, match.start, tuple(turn.move for turn in match.turns[: names.MAX_PLIES]))
    if key not in _last_opening:  # cached: drawn many times a second during a search
        _last_opening.clear()
        name = names.opening(match.game.new(match.start), key[2])
        _last_opening[key] = str(name) if name else ""
    return _last_opening[key]


_last_opening: dict[tuple[str, str, tuple[int, ...]], str] = {}  # cache of the last opening


def move_list(match: "MatchControl", width: int, height: int) -> "Text":
    """The moves made, numbered in rounds, as many of the last as fit; the last one in brackets.

    Games with chance have no numbers: chance moves are in parentheses, and the player of each move is named.
    Games that describe the effects of moves show these descriptions instead, one per line.
    """
    from gameplay.display.text import Text

    headlines = event_lines(match, width, height)
    if headlines:
        return Text("\n".join(headlines))
    lines: list[str] = []
    for line in _runs_by_player(match) if match.position.chance else _numbered_rounds(match):
        if lines and len(lines[-1]) + 2 + len(line) <= width:
            lines[-1] += f"  {line}"
        else:
            lines += textwrap.wrap(line, width) if match.position.chance else [line]
    name = opening_name(match)
    if name and height > 2:
        return Text("\n".join([*textwrap.wrap(name, width)[:1], *lines[1 - height :]]))
    return Text("\n".join(lines[-max(1, height) :]))


def event_lines(match: "MatchControl", width: int, height: int) -> list[str]:
    """The effects of the last moves, as many lines as fit."""
    lines: list[str] = []
    for turn in reversed(match.turns):
        wrapped = [line for item in turn.news for line in textwrap.wrap(item, width, subsequent_indent="  ")]
        if len(lines) + len(wrapped) > height and lines:
            break
        lines = [*wrapped, *lines]
        if len(lines) >= height or turn is match.turns[0]:
            break
    return lines[-height:]


def _numbered_rounds(match: "MatchControl") -> list[str]:
    """The moves in numbered rounds."""
    rounds: list[str] = []
    seats = len(match.players)
    late = match.turns[0].player if match.turns else 0  # who began, from 0
    if late > 0:
        rounds.append("1. " + " ".join(["..."] * late))
    for number, turn in enumerate(match.turns, late):
        word = f"[{turn.word}]" if number == late + len(match.turns) - 1 else turn.word
        if number % seats == 0 or not rounds:
            rounds.append(f"{number // seats + 1}. {word}")
        else:
            rounds[-1] += f" {word}"
    return rounds


def _runs_by_player(match: "MatchControl") -> list[str]:
    """Consecutive moves of each player, with the name, and visible chance moves in between."""
    runs: list[str] = []
    turns, player = match.turns, None
    for chance, group in groupby(turns, lambda turn: turn.player == CHANCE):
        made = list(group)
        if chance:
            runs += _format_chance(match, made)
            continue
        words = [turn.word for turn in made]
        if made[-1] is turns[-1]:
            words[-1] = f"[{made[-1].word}]"
        for number, (turn, word) in enumerate(zip(made, words, strict=True)):
            if turn.player == player and number:
                runs[-1] += f" {word}"
            else:
                runs.append(word if turn.player == player else f"{match.side(turn.player)} {word}")
                player = turn.player
    return runs


def _format_chance(match: "MatchControl", made: "list[Turn]") -> list[str]:
    """Consecutive chance moves: `(53)` of dice, `(Qs 5c)` of cards, the last in brackets; [] if hidden."""
    words = [turn.word for turn in made]
    if match.position.hidden:
        if len(made) > MAX_DEALS:
            return [f"({len(made)} deals)"]
        words = [turn.word for turn in made if turn.word != HIDDEN_MOVE]
    if not words:
        return []
    return [f"[{' '.join(words)}]" if made[-1] is match.turns[-1] else f"({' '.join(words)})"]


def describe_result(match: "MatchControl", viewer: int | None = None) -> str:
    """Describe the result of a match."""
    if match.payoffs is None:
        return "the game is unfinished"
    payoffs, position = match.payoffs, match.position
    if len(payoffs) == 1 and not position.scored:
        made = plural(len(match.turns), "move")
        text = f"solved in {made}" if payoffs[0] > 0 else f"no move is left after {made}: not solved"
        return text + (f", {match.note}" if match.note else "")
    margin = position.scored and position.zero_sum
    if len(payoffs) > 2 or (position.scored and not margin):
        scores = ", ".join(
            f"{match.side(number)} {scale.format_payoff(points)}" for number, points in enumerate(payoffs)
        )
        return f"the game is over: {scores}"
    ending = position.ending() if match.reason == "rules" else ""
    if match.reason in ("agreed", "claimed"):
        claims = position if match.reason == "claimed" and isinstance(position, HasClaims) else None
        why = claims.claim() if claims is not None else ""
        return f"draw {match.reason}" + (f": {why}" if why else "")
    if payoffs[0] == payoffs[1]:
        return "the game is a draw" + (f": {ending}" if ending else "")
    winner = 0 if payoffs[0] > payoffs[1] else 1
    early = {"resigned": "resigned", "time": "lost on time"}.get(match.reason)
    resigned = f"; {match.side(1 - winner)} {early}" if early else ""
    won = abs(payoffs[0])
    points = f"{scale.format_payoff(won)} {position.unit_names[won != 1]}" if margin else ""
    if ending:
        resigned = f" by {ending}" + (f", {points}" if points and points != ending else "")
    elif points and not early:
        resigned = f" by {points}"
    if viewer is not None:
        return f"you {'win' if winner == viewer else 'lose'}: {match.side(winner)} wins{resigned}"
    return f"{match.side(winner)} wins{resigned}"


def count_moves(match: "MatchControl") -> int:
    """The moves of the players; deals and rolls do not count."""
    return sum(turn.player != CHANCE for turn in match.turns)


def match_summary(match: "MatchControl") -> list[str]:
    """Facts of a finished match: its moves (without deals and rolls), and the search effort of engines."""
    facts: list[str] = []
    if match.reason == "rules" and isinstance(match.position, HasBreakdown):
        facts += match.position.breakdown()
    facts.append(plural(count_moves(match), "move"))
    if match.note and match.reason in ("rules", "counted") and len(match.players) > 1:
        facts.append(match.note)
    if match.taken_back:
        back = plural(match.taken_back, "move")
        facts.append(f"{back} taken back, with what was seen by then")
    for number in range(len(match.players)):
        searches: dict[str, list[Report]] = {}
        for turn in match.turns:
            if turn.player == number and turn.report is not None:
                searches.setdefault(searcher_name(match, number, turn.report), []).append(turn.report)
        for name, reports in searches.items():
            nodes, seconds = sum(r.nodes for r in reports), sum(r.seconds for r in reports)
            if nodes > len(reports):  # an engine that moves at random visits one position a move
                facts.append(
                    f"{name} ({match.side(number)}): {format_count(nodes)} positions in {seconds:.1f} s"
                )
    return facts
