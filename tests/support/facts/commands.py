"""What must be true of the output of commands, found without the code that printed it.

FACTS names the check of each command: the first whose pattern matches its words.
"""

import re
from collections.abc import Callable

from gameplay import registry
from tests.support.facts.books import books, built, exported, probed, tables
from tests.support.facts.lists import (
    assignment,
    databases,
    document,
    helps,
    levels,
    listed,
    openings,
    parameters,
    settings,
    terms,
    written_game,
)
from tests.support.facts.output import Output, nothing_yet, refused, tidy
from tests.support.facts.positions import perft, session, shown, statistics
from tests.support.facts.questions import asked, graded
from tests.support.facts.runs import (
    _regress,
    matched,
    of_a_run,
    replayed,
    reviewed,
    run_of_record,
    unknown,
)
from tests.support.facts.searches import analysed, checked, drawn, exploited, measured, solved, traced


def check(output: Output) -> None:
    """What is true of every command, and what must be true of this one."""
    tidy(output)
    command = " ".join(output.words)
    next(fact for pattern, fact in FACTS if re.match(pattern, command))(output)


FACTS: tuple[tuple[str, Callable[[Output], None]], ...] = (
    (r"(.* )?--help$", helps),
    (r"games$", listed(registry.game_names(), r"^([a-z][\w-]*) +[A-Z]")),
    (r"engines$", listed(registry.engine_names(), r"^([a-z]\w*) +\d")),
    (r"(games|engines) (?!nothing|--)", parameters),
    (r"openings (checkers|pig|chess nowhere)", refused),
    (r"openings ", openings),
    (r"glossary (xyzzy|nothing)", refused),
    (r"glossary", terms),
    (r"levels", levels),
    (r"perft tictactoe --position", refused),
    (r"perft ", perft),
    (r"show ", shown),
    (r"settings (mode|theme (nothing|nowhere)|bell perhaps)", refused),
    (r"settings", settings),
    (r"stats", lambda output: (nothing_yet if "no finished" in output.text else statistics)(output)),
    (
        r"puzzles|games --saved|run status$",
        lambda output: (of_a_run if "kedamo" in output.text else nothing_yet)(output),
    ),
    (r"analyse ", lambda output: (refused if output.status else analysed)(output)),
    (
        r"measure tictactoe --engines minimax,",
        lambda output: (refused if output.status else measured)(output),
    ),
    (r"solve ", lambda output: (refused if output.status else solved)(output)),
    (r"tree ", lambda output: (refused if output.status else drawn)(output)),
    (r"trace ", lambda output: (refused if output.status else traced)(output)),
    (r"exploit ", lambda output: (refused if output.status else exploited)(output)),
    (r"quiz .* <", graded),
    (r"quiz ", lambda output: (refused if output.status else asked)(output)),
    (r"check ", lambda output: (refused if output.status else checked)(output)),
    (r"table probe nim", refused),
    (r"table ", tables),
    (r"book probe tictactoe own --moves 'a1 a2", refused),
    (r"book probe ", lambda output: (unknown if output.status else probed)(output)),
    (r"book export FILE.book", exported),
    (r"book show", lambda output: (refused if output.status else books)(output)),
    (r"book", lambda output: (refused if output.status else built)(output)),
    (r"run export \S*\.pdn", written_game),
    (r"run (report|compare|status|verify|stop) last$", lambda output: of_a_run(output)),
    (r"run ", lambda output: (refused if output.status else run_of_record)(output)),
    (r"replay ", lambda output: (refused if output.status else replayed)(output)),
    (r"review ", lambda output: (refused if output.status else reviewed)(output)),
    (r"match ", lambda output: (refused if output.status else matched)(output)),
    (r"play ", lambda output: (refused if output.status == 2 else session)(output)),
    (r"toml schema theme", document),
    (r"patterns ", databases),
    (r"assignment ", lambda output: (refused if output.status else assignment)(output)),
    (r"regress ", lambda output: _regress(output)),
    (r"", refused),
)
