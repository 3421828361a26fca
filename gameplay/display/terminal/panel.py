"""The panel beside the board: players, evaluation bar, search and moves."""

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
from gameplay.search.report import Candidate, Report
from gameplay.visible import one_line

if TYPE_CHECKING:
    from gameplay.board import Board
    from gameplay.display.text import Text
    from gameplay.display.theme import Theme
    from gameplay.players.player import MatchControl, Turn

MAX_DEALS = 8  # consecutive deals listed in games of imperfect information; more are counted
SOURCES = {"book": "opening book", "system": "bidding system", "rules": "rules of play"}
MAX_LINES = 3  # lines of the principal variation, or of a value
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


def describe_value(match: "MatchControl", report: Report, mover: int) -> str:
    """Describe the value of a search: `blue wins in 7 plies`, `draw`, `white +0.35 pawns`.

    With more than two players: the value of each.
    """
    position = match.position
    if report.thresholds:
        return scale.format_goal_distance(report.value, position, report.bound)
    if report.bound == "unknown":
        return "no value yet" if report.ahead else "no value"
    if report.values:
        named = scale.unit_name(position)
        each = (
            f"{match.side(n)} {scale.format_amount(value, position.unit)}"
            for n, value in enumerate(report.values)
        )
        return ", ".join(each) + (f" {named}" if position.scored else "")
    if position.players != 2:
        return f"{match.side(mover)} {scale.format_amount(report.value, position.unit)}"
    text = scale.format_for_side(
        report.value, position, _sides(match), mover, _viewer(match), report.exact, report.bound
    )
    certain = report.known and not scale.is_counted(report.value)
    return (
        f"{text} by the {report.source}" if certain and (report.exact or scale.is_win(report.value)) else text
    )


def _sides(match: "MatchControl") -> list[str]:
    return [match.side(number) for number in range(len(match.players))]


def _viewer(match: "MatchControl") -> int:
    """The seat from whose view values are shown."""
    return scale.viewing_seat([player.spec for player in match.players])


def search_facts(match: "MatchControl", report: Report, at: int, width: int) -> "Text":
    """The state of a search of the position after `at` moves, one fact a line."""
    from gameplay.display.text import Text

    mover = match.turns[at].player if at < len(match.turns) else match.turn
    deep = f"{report.depth}" + (f", seldepth {report.seldepth}" if report.seldepth > report.depth > 0 else "")
    if report.ahead and not report.depth:
        where = "stopped at move" if report.final else "at move"
        deep = f"{report.ahead}, {where} {report.tried + 1} of {report.choices}"
    if report.thresholds:
        facts = [
            ("threshold", format_thresholds(report, width - 10)),
            (
                "generated",
                f"{format_count(report.nodes)}, {format_count(report.nps)}/s, {report.seconds:.1f} s",
            ),
            (
                "expanded",
                format_count(report.expanded)
                + (f", {format_count(report.reopened)} again" * bool(report.reopened)),
            ),
            ("value", describe_value(match, report, mover)),
        ]
        if report.memory:
            facts.insert(3, ("memory", f"{report.memory / 1e6:,.1f} MB"))
    elif report.depth or not report.known:
        facts = [
            ("deals", report.simulated().replace(" deals", ""))
            if report.deals
            else (
                "visits",
                format_count(report.visits) + f", tree {report.seldepth} deep" * (report.seldepth > 0),
            )
            if report.visits
            else ("depth", deep)
            if report.claimant is None
            else ("seldepth", f"{report.seldepth}"),
            ("nodes", f"{format_count(report.nodes)}, {format_count(report.nps)}/s, {report.seconds:.1f} s"),
            ("value", describe_value(match, report, mover)),
        ]
    elif report.source in SOURCES:
        facts = [("known", f"by the {SOURCES[report.source]}")]
        facts += [("", fact) for fact in report.facts.split(", ") if fact]
    else:
        facts = [("value", describe_value(match, report, mover))]
    if report.error and not report.values:
        value = f"{facts[-1][1]} ± {_format_error(match, report)}"
        unit = scale.unit_name(match.position, report.bound, report.value)
        facts[-1] = ("value", value if len(value) <= width - 10 else value.replace(f" {unit}", "", 1))
    facts += [
        ("tried" if not number else "", _format_visits(match, candidate, report, mover, at, width - 10))
        for number, candidate in enumerate(report.visited)
        if len(report.visited) > 1
    ]
    if not report.known and ": " in report.facts:
        facts.append((report.facts.partition(": ")[0], report.facts.partition(": ")[2]))
    if report.trims:
        facts.append(("tree", f"full {report.trims} times: what was visited least was dropped"))
    if report.claimant is not None:
        facts.insert(-1, ("proof", format_proof(match, report)))
    elif report.bound == "unknown":  # a custom engine without a value, perhaps without any figures
        shown = {"depth": report.depth or report.ahead, "nodes": report.nodes, "visits": report.visits}
        facts = [fact for fact in facts if shown.get(fact[0])]
    if len(report.candidates) > 1:
        max_value = max(abs(candidate.value) for candidate in report.candidates)
        for number, candidate in enumerate(report.candidates, 1):
            value = _format_candidate(match, candidate, mover, max_value)
            facts.append((f"line {number}", f"{value}  {' '.join(match.spell(candidate.pv, at))}"))
    elif report.pv and not (report.bound == "unknown" and report.ahead):
        facts.append(("line", " ".join(match.spell(report.pv, at))))
    if report.probes:
        facts.append(("TT", f"{report.hit_share:.0%} hits, {report.fill:.1%} full"))
    if report.cutoffs:
        facts.append(
            ("beta cuts", f"{format_count(report.cutoffs)}, {report.first_share:.0%} by the first move")
        )
    if report.star1_cuts or report.star2_cuts:
        cuts = (("Star2", report.star2_cuts), ("Star1", report.star1_cuts))
        facts.append(("Star cuts", ", ".join(f"{format_count(cut)} by {name}" for name, cut in cuts if cut)))
    if report.branching:
        facts.append(("branching", f"{report.branching:.2f}"))
    lines: list[str] = []
    for name, fact in facts:
        line = one_line(f"{name:<10}{fact}")
        room = MAX_LINES if name in ("line", "value") else 1
        wrapped = textwrap.wrap(line, width, subsequent_indent=" " * 10) if room > 1 else [line]
        if len(wrapped) > room:
            wrapped = [*wrapped[: room - 1], wrapped[room - 1] + " ..."]
        lines += [line if len(line) <= width else line[: width - 3] + "..." for line in wrapped]
    return Text("\n".join(lines))


def analysis_heading(match: "MatchControl", report: Report | None, state: str, width: int) -> "Text":
    """The heading of an analysis: its state, the side to move, and the side from whose view values are."""
    from gameplay.display.text import Text

    if match.over() or match.turn == CHANCE:
        state_text = describe_result(match) if match.over() else "chance moves"
        return Text(f"{state}: {state_text}"[:width], style="bold")
    view = match.side(_viewer(match) if match.position.players == 2 else match.turn)
    if report is not None and any(candidate.values for candidate in report.candidates):
        view = "/".join(_sides(match))
    values = f", values for {view}" if match.position.players > 1 else ""
    mover = match.side(match.turn)
    texts = (f"{state}: {mover} to move{values}", f"{state}: {mover} moves{values}", f"{state}{values}")
    return Text(
        next((state_text for state_text in texts if len(state_text) <= width), texts[-1]), style="bold"
    )


def analysis_lines(match: "MatchControl", report: Report, at: int, width: int, rows: int = 0) -> "Text":
    """The progress of an analysis, then its lines of play, in at most `rows` rows (0: one row each)."""
    from gameplay.display.text import Text

    mover = match.turns[at].player if at < len(match.turns) else match.turn
    deep = f"depth {report.depth}" + (f"/{report.seldepth}" if report.seldepth > report.depth > 0 else "")
    if report.visits:
        deep = f"{format_count(report.visits)} visits"
    ended = {"proven": "seen to its end", "solved": "solved", "only move": "only move"}
    facts = [
        deep,
        f"{format_count(report.nodes)} nodes",
        *([f"{format_count(report.nps)}/s"] if report.nps else []),
    ]
    facts.append(ended.get(report.stopped, "done") if report.final else f"{report.seconds:.1f} s")
    while len(", ".join(facts)) > width and len(facts) > 2 + report.final:
        del facts[2]
    lines = textwrap.wrap(", ".join(facts), width)
    if not report.candidates and report.known and report.pv:  # no search is needed
        by = f"{match.spell(report.pv[:1], at)[0]} by the {report.source}"
        lines = textwrap.wrap(f"{by}: {report.facts}" if report.facts else by, width)
    elif not report.candidates:
        lines += textwrap.wrap(f"value {describe_value(match, report, mover)}", width)
    most = max((abs(candidate.value) for candidate in report.candidates), default=0.0)
    values = [
        "/".join(scale.format_amount(value, match.position.unit) for value in candidate.values)
        if candidate.values
        else _format_candidate(match, candidate, mover, most)
        for candidate in report.candidates
    ]
    wide = max(map(len, values), default=0)
    each = max(1, min(MAX_LINES, (rows - len(lines)) // max(1, len(values))))
    for value, candidate in zip(values, report.candidates, strict=True):
        rated = f"({candidate.remarks}) " if candidate.remarks else ""
        line = f"{value:>{wide}}  {rated}{' '.join(match.spell(candidate.pv, at))}"
        lines += textwrap.wrap(
            line, width, subsequent_indent=" " * (wide + 2), max_lines=each, placeholder=" ..."
        )
    return Text("\n".join(lines[: rows or None]))


def _format_error(match: "MatchControl", report: Report) -> str:
    """The standard error of a mean of simulations, in the unit of its value."""
    position = match.position
    if scale.is_share(position, report.bound, report.value):
        return f"{50 * report.error / position.unit:.1f}"
    return f"{report.error / position.unit:.2f}"


def _format_visits(
    match: "MatchControl", candidate: Candidate, report: Report, mover: int, at: int, width: int
) -> str:
    """A move by its share of the simulations, as a bar: `d4  ####      41 %  +0.12`."""
    total = max(sum(each.visits for each in report.visited), 1)
    word = match.spell(candidate.pv[:1], at)[0]
    max_value = max(abs(each.value) for each in report.visited)
    room = max(4, min(20, width - 23))
    bar = "#" * max(1, round(room * candidate.visits / total))
    value = _format_candidate(match, candidate, mover, max_value)
    return f"{word:<6} {bar:<{room}} {format_count(candidate.visits):>7}  {value}"


def format_proof(match: "MatchControl", report: Report) -> str:
    """Proof and disproof number: `12, disproof 40: does blue win?`."""
    assert report.claimant is not None
    proof, disproof = (
        "none" if number is None else format_count(number) for number in (report.proof, report.disproof)
    )
    return f"{proof}, disproof {disproof}: does {match.side(report.claimant)} win?"


def format_thresholds(report: Report, width: int) -> str:
    """The rising thresholds of a pathfinding search, as many of the last as fit."""
    words = list(map(str, report.thresholds))
    if len(" ".join(words)) > width:
        while len(words) > 1 and len(" ".join(["...", *words])) > width:
            del words[0]
        words.insert(0, "...")
    return " ".join(words)


def _format_candidate(match: "MatchControl", candidate: Candidate, mover: int, most: float) -> str:
    """A candidate's value beside others up to `most`, from the same view as all values here."""
    value, bound = candidate.value, candidate.bound
    if match.position.players == 2 and mover != _viewer(match):
        value, bound = -value, scale.NEGATED.get(bound, bound)
    return scale.format_score(value, match.position, candidate.proven, bound, most)


def detail_level(match: "MatchControl", chosen: str, over: bool = False, trying: bool = False) -> str:
    """The detail in which a search is shown, see `Theme.panel`; full for spectators and when `trying` moves.

    With `quiet`, players see value and line once the game is `over`.
    """
    watching = all(player.spec != "human" for player in match.players)
    return "full" if trying or watching or (over and chosen == "quiet") else chosen


def format_progress(report: Report, name: str, thinking: bool, width: int) -> str:
    """The progress of a search without its value: `mcts is thinking: 12,345 nodes, 1.2 M/s`."""
    facts = [f"depth {report.depth}"] if report.depth and not report.thresholds else []
    facts.append(f"{format_count(report.nodes)} nodes")
    facts += [f"{format_count(report.nps)}/s"] if report.nps else []
    facts += [f"{report.seconds:.1f} s"] if report.seconds >= 0.05 and not thinking else []
    head = f"{one_line(name)}{' is thinking' if thinking else ''}: "
    while len(facts) > 1 and len(head) + len(", ".join(facts)) > width:
        facts.pop()
    line = head + ", ".join(facts)
    return line if len(line) <= width else line[: max(0, width - 3)] + "..."


def searcher_name(match: "MatchControl", number: int, report: Report) -> str:
    """The name of the player, or of the engine that searched if another has been seated since."""
    player = match.players[number]
    return player.name if report.engine in ("", player.spec, str(player.engine)) else report.engine


def last_search_line(match: "MatchControl", report: Report, at: int, mover: int, width: int) -> str:
    """The last search of a player, after `at` moves, in a line: name, value, depth, principal variation."""
    deep = report.depth and not report.thresholds
    facts = [describe_value(match, report, mover), *([f"depth {report.depth}"] if deep else [])]
    who = f"{one_line(searcher_name(match, mover, report))} ({match.side(mover)})"
    line = " ".join([f"{who}: {', '.join(facts)};", *match.spell(report.pv, at)])
    return line if len(line) <= width else line[: width - 3] + "..."


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
