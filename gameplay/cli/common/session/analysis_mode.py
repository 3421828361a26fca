"""Analysis mode in a game on the terminal: moves are tried on a copy of the match, an engine searches on."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gameplay.display.terminal import search_panel
from gameplay.display.terminal.line import PlainOutput
from gameplay.errors import Unfinished, Usage
from gameplay.matches.match import Match
from gameplay.players.analysis import Analysis, Analyst, parse_analyse
from gameplay.players.commands import Command
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.judge import SECONDS
from gameplay.specs import HUMAN

if TYPE_CHECKING:
    from gameplay.display.terminal.screen import Screen
    from gameplay.players.human import PlayerInput
    from gameplay.players.player import MatchControl

MORE = ("flip", "territory")  # commands of the view, available here too
# Attributes of the view to restore afterwards; the match first, since setting it resets the others.
VIEW_STATE = ("match", "report", "mover", "at", "thinking", "last_searches", "territory", "analysis")


def analyse(
    view: "Screen | PlainOutput",
    player_input: "PlayerInput",
    match: "MatchControl",
    argument: str,
    commands: Mapping[str, Command],
) -> str:
    """Try moves from the position of a match until the user returns to it; returns the message to show then.

    `argument` names the lines and the engine, see `parse_analyse`; `commands` are those of the game, some of
    which are available here. The clock is paused meanwhile. With imperfect information the position is
    analysed from the view of the side to move, and no moves can be tried. Raises Usage if the position
    cannot be analysed.
    """
    if match.secrets and match.seat is None:
        raise Usage("the game has imperfect information: only its players can analyse it")
    lines, spec = parse_analyse(argument)
    more = tuple(commands[name] for name in MORE if name in commands)
    analyst = Analyst(Analysis(match.game, spec, lines), more, match.secrets, commands)
    copy = None if match.secrets else _copy(match)
    trial = copy or match
    saved_state = {name: getattr(view, name) for name in VIEW_STATE if hasattr(view, name)}
    clock = match.clock
    was_running = clock is not None and not clock.paused
    if clock is not None and was_running:
        clock.pause()
    if copy is not None:
        view.match = copy
    message = ""
    try:
        while not analyst.is_finished:
            is_new = analyst.analysis.follow(trial)
            if isinstance(view, PlainOutput):
                if not message:
                    _print(view, trial, analyst.analysis, is_new)
            else:
                view.analysis = analyst.analysis
            answer = analyst.execute(player_input.read(trial, analyst), trial)
            if answer.choice is not None and copy is not None:
                copy.make(answer.choice)
            message = answer.text
            player_input.show_answer(message)
    except (KeyboardInterrupt, Unfinished):
        pass
    finally:
        analyst.analysis.end()
        for name, value in saved_state.items():
            setattr(view, name, value)
        if clock is not None and was_running:
            clock.resume()
    return "back in the game, as it was"


def _copy(match: "MatchControl") -> Match:
    """A copy of the match at the same position, with hidden information revealed."""
    seats = [EmptySeat(HUMAN) for _ in match.players]
    trial = Match(match.game, seats, match.start, match.words())
    trial.revealed = True
    return trial


def _print(output: PlainOutput, trial: "MatchControl", analysis: Analysis, is_new: bool) -> None:
    """Print the position and the latest report, for a new position after a short search."""
    output.turn(trial)
    if is_new:
        analysis.wait(SECONDS)
    report = analysis.report()
    width = output.theme.console.size.width if output.out.isatty() else 10_000
    output.write(search_panel.analysis_heading(trial, report, analysis.state(), width).plain)
    if report is not None:
        describe = search_panel.search_facts if report.thresholds else search_panel.analysis_lines
        output.write(describe(trial, report, len(trial.turns), width).plain)
