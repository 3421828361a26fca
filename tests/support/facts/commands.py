"""Required facts of the output of commands, computed independently of the code that printed it.

FACTS names the check of each command: the first whose pattern matches its words.
"""

import re
from collections.abc import Callable

from gameplay import registry
from tests.support.facts.books import books, check_build, check_export, check_probe, tables
from tests.support.facts.lists import (
    assignment,
    check_names,
    databases,
    document,
    helps,
    levels,
    openings,
    parameters,
    settings,
    terms,
    written_game,
)
from tests.support.facts.output import Output, check_error, nothing_yet, tidy
from tests.support.facts.positions import check_moves, perft, session, statistics
from tests.support.facts.questions import check_grade, check_questions
from tests.support.facts.runs import (
    _regress,
    check_match,
    check_replay,
    check_review,
    of_a_run,
    run_of_record,
    unknown,
)
from tests.support.facts.searches import (
    check_analysis,
    check_drawing,
    check_exploitability,
    check_measurement,
    check_report,
    check_solution,
    check_trace,
)


def check(output: Output) -> None:
    """Check the facts of every command, and those of this one."""
    tidy(output)
    command = " ".join(output.words)
    next(fact for pattern, fact in FACTS if re.match(pattern, command))(output)


FACTS: tuple[tuple[str, Callable[[Output], None]], ...] = (
    (r"(.* )?--help$", helps),
    (r"games$", check_names(registry.game_names(), r"^([a-z][\w-]*) +[A-Z]")),
    (r"engines$", check_names(registry.engine_names(), r"^([a-z]\w*) +\d")),
    (r"(games|engines) (?!nothing|--)", parameters),
    (r"openings (checkers|pig|chess nowhere)", check_error),
    (r"openings ", openings),
    (r"glossary (xyzzy|nothing)", check_error),
    (r"glossary", terms),
    (r"levels", levels),
    (r"perft tictactoe --position", check_error),
    (r"perft ", perft),
    (r"show ", check_moves),
    (r"settings (mode|theme (nothing|nowhere)|bell perhaps)", check_error),
    (r"settings", settings),
    (r"stats", lambda output: (nothing_yet if "no finished" in output.text else statistics)(output)),
    (
        r"puzzles|games --saved|run status$",
        lambda output: (of_a_run if "kedamo" in output.text else nothing_yet)(output),
    ),
    (r"analyse ", lambda output: (check_error if output.status else check_analysis)(output)),
    (
        r"measure tictactoe --engines minimax,",
        lambda output: (check_error if output.status else check_measurement)(output),
    ),
    (r"solve ", lambda output: (check_error if output.status else check_solution)(output)),
    (r"tree ", lambda output: (check_error if output.status else check_drawing)(output)),
    (r"trace ", lambda output: (check_error if output.status else check_trace)(output)),
    (r"exploit ", lambda output: (check_error if output.status else check_exploitability)(output)),
    (r"quiz .* <", check_grade),
    (r"quiz ", lambda output: (check_error if output.status else check_questions)(output)),
    (r"check ", lambda output: (check_error if output.status else check_report)(output)),
    (r"table probe nim", check_error),
    (r"table ", tables),
    (r"book probe tictactoe own --moves 'a1 a2", check_error),
    (r"book probe ", lambda output: (unknown if output.status else check_probe)(output)),
    (r"book export FILE.book", check_export),
    (r"book show", lambda output: (check_error if output.status else books)(output)),
    (r"book", lambda output: (check_error if output.status else check_build)(output)),
    (r"run export \S*\.pdn", written_game),
    (r"run (report|compare|status|verify|stop) last$", lambda output: of_a_run(output)),
    (r"run ", lambda output: (check_error if output.status else run_of_record)(output)),
    (r"replay ", lambda output: (check_error if output.status else check_replay)(output)),
    (r"review ", lambda output: (check_error if output.status else check_review)(output)),
    (r"match ", lambda output: (check_error if output.status else check_match)(output)),
    (r"play ", lambda output: (check_error if output.status == 2 else session)(output)),
    (r"toml schema theme", document),
    (r"patterns ", databases),
    (r"assignment ", lambda output: (check_error if output.status else assignment)(output)),
    (r"regress ", lambda output: _regress(output)),
    (r"", check_error),
)
