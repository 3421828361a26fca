"""Plans: the fields of a file, every error with its place, and equality of plans."""

import json
import tomllib
from pathlib import Path

import msgspec
import pytest

from gameplay import registry
from gameplay.cli.author.toml import KINDS, _kind_of
from gameplay.errors import BadInput, Usage
from gameplay.players import seats
from gameplay.runs import plan as plans
from gameplay.runs.plan import NODES, Adjudication, Plan, decode, differences, number_duplicates
from gameplay.runs.planning import build, problems, read
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.store import trust
from gameplay.suites import assignment
from gameplay.suites import suite as suites
from tests.support.commands import run_printed
from tests.support.golden import golden
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

SUITES = tomllib.loads((TESTS / "answers" / "suite_errors.toml").read_text())

PLAYERS = '[[players]]\nplayer = "iterative"\n[[players]]\nplayer = "alphabeta:depth=3"\n'
MATCH = 'game = "connect4"\n' + PLAYERS


def write_plan(folder: Path, text: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(text)
    return path


def test_a_short_file_is_enough(tmp_path):
    plan = read(write_plan(tmp_path, MATCH))
    assert (plan.form, plan.games, plan.seed) == ("match", 100, 1)
    assert [entry.name for entry in plan.players] == ["iterative", "alphabeta:depth=3"]


def test_plan_file_with_every_field(tmp_path):
    text = """
game = "connect4:columns=6"
form = "gauntlet"
games = 20
seed = 7
clock = "5+0.1"
margin = 0.2
title = "all of it"

players = [
    { name = "first", player = "iterative" },
    { player = "level:3" },
    { player = "alphabeta", depth = 4, clock = "1/move" },
]

[openings]
plies = 3
balance = "iterative:nodes=200"
bound = 30

[adjudicate]
plies = 40
exact = "alphabeta:depth=6"
resign = { value = 900, both = false }
[adjudicate.draw]
value = 0
moves = 4
after = 20
"""
    plan = read(write_plan(tmp_path, text))
    assert plan.adjudicate.resign is not None and plan.adjudicate.draw is not None
    assert (plan.adjudicate.resign.moves, plan.adjudicate.draw.after) == (3, 20)
    assert plan.limit(plan.players[2]) == Limit(depth=4)
    assert [plan.clock_of(entry) for entry in plan.players] == ["5+0.1", "5+0.1", "1/move"]
    assert decode(plan.encode()) == plan


# What stands in the file, the line and the words of the complaint.
WRONG = [
    ('gaem = "connect4"\n' + PLAYERS, 1, "gaem: unknown field; did you mean 'game'?"),
    (PLAYERS, 1, "game is missing"),
    ('game = "conect4"\n' + PLAYERS, 1, "game: unknown game 'conect4'; did you mean 'connect4'?"),
    ('game = "connect4"\n\nform = "swis"\n' + PLAYERS, 3, "form: 'swis' is none of match,"),
    ('game = "connect4"\ngames = "10"\n' + PLAYERS, 2, "games: expected a whole number, not text in quotes"),
    ('game = "connect4"\ngames = 7\n' + PLAYERS, 2, "games: each opening is played once with each seating"),
    ('game = "connect4"\ngames = 0\n' + PLAYERS, 2, "games: expected a whole number of at least 2"),
    ('game = "connect4"\n[[players]]\nplayer = "random"\n', 2, "players: expected a list of at least 2"),
    (MATCH + "depht = 3\n", 6, "players[2].depht: unknown field; did you"),
    (MATCH + 'clock = "5;3"\n', 6, "players[2].clock: '5;3' is not a time control"),
    (MATCH + '[[players]]\nname = "x"\n', 6, "players[3]: player is missing"),
    (MATCH + '[[players]]\nplayer = "iterativ"\n', 7, "players[3].player: unknown player"),
    (MATCH + '[[players]]\nplayer = "random"\n', 2, "players: a match of connect4 must have 2"),
    (MATCH + '[[players]]\nplayer="random"\nnodes=3\n', 8, "players[3].nodes: random does"),
    ('game = "connect4"\nrounds = 3\n' + PLAYERS, 2, "rounds: only the form swiss has rounds"),
    (
        'game = "connect4"\nform = "swiss"\nrounds = 2\n' + PLAYERS,
        3,
        "rounds: 2 players can meet new opponents in 1",
    ),
    (MATCH + "[sprt]\nelo0 = 5\nelo1 = 5\n", 6, "sprt: expected elo0 < elo1"),
    (MATCH + "[sprt]\nelo0 = 0\n", 6, "sprt: elo1 is missing"),
    (MATCH + "[sprt]\nelo0 = 0\nelo1 = inf\n", 8, "sprt.elo1: expected a number of at"),
    (MATCH + "[sprt]\nelo0 = nan\nelo1 = 5\n", 7, "sprt.elo0: expected a number of at"),
    (f'game = "connect4"\nseed = {2**63}\n' + PLAYERS, 2, "seed: expected a whole number of at most"),
    ('game = "connect4"\nseed = -1\n' + PLAYERS, 2, "seed: expected a whole number of at least 0, not -1"),
    ('game = "connect4"\ntime = inf\n' + PLAYERS, 2, "time: expected a number of at most"),
    (MATCH + "[sprt]\nelo0 = 0\nelo1 = 5\nalpha=1.5\n", 9, "sprt.alpha: expected a number"),
    (MATCH + "[sprt]\nelo0=0\nelo1=5\nalpha=0.5\nbeta=0.5\n", 6, "sprt: expected alpha + beta"),
    (MATCH + "[openings]\nplies = -1\n", 7, "openings.plies: expected a whole number"),
    (MATCH + "[openings]\nbound = 3\n", 6, "openings: bound needs an engine"),
    (MATCH + "[openings]\nstart = 3\n", 6, "openings: order and start need"),
    (
        MATCH + '[openings]\norder = "shuffled"\n',
        7,
        "openings.order: 'shuffled' is none of random, sequential",
    ),
    (
        MATCH + '[adjudicate.syzygy]\nfolder = "x"\n',
        6,
        "adjudicate.syzygy: syzygy: endgame tables of this format are for chess, and this is connect4",
    ),
    (MATCH + '[openings]\nbalance = "random"\n', 6, "openings: random does not search"),
    (MATCH + "[adjudicate.resign]\nvalu = 3\n", 7, "adjudicate.resign.valu: unknown field"),
    (MATCH + '[adjudicate]\nexact = "minimax"\n', 7, "adjudicate.exact: 'minimax' needs a"),
    (MATCH + "[adjudicate]\nplies = 0\n", 7, "adjudicate.plies: expected a whole number"),
]


@pytest.mark.parametrize("text, line, words", WRONG)
def test_plan_error_names_file_line_and_field(tmp_path, text, line, words):
    path = write_plan(tmp_path, text)
    with pytest.raises(BadInput) as error:
        read(path)
    assert str(error.value).startswith(f"{path}, line {line}: {words}")


@pytest.mark.parametrize(
    "text, words", [("game = connect4", "is not TOML"), ("", "game is missing"), (None, "there is no file")]
)
def test_a_file_that_is_no_plan_is_refused(tmp_path, text, words):
    path = tmp_path / "plan.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(BadInput, match=words):
        read(path)


def test_a_form_must_fit_the_seats():
    tree = "tree:three-players"
    assert build(tree, ["random"] * 3, games=3).games == 3
    for players, more, words in [
        (2, {}, "must have 3 players, not 2"),
        (4, {"form": "swiss", "games": 3}, "games of two players"),
        (3, {"games": 4}, "a multiple of 3"),
        (3, {"games": 3, "sprt": {"elo0": 0, "elo1": 5}}, "compares two players"),
    ]:
        with pytest.raises(Usage, match=words):
            build(tree, ["random"] * players, **more)


def test_a_command_line_makes_the_same_plan_as_a_file(tmp_path):
    text = """
game = "tictactoe"
games = 10
nodes = 50
[[players]]
name = "old"
player = "iterative:order=killer"
[[players]]
player = "minimax"
"""
    options = {"games": 10, "nodes": 50, "seed": None}
    assert build("tictactoe", ["old=iterative:order=killer", "minimax"], **options) == read(
        write_plan(tmp_path, text)
    )


@pytest.mark.parametrize(
    "players, options, words",
    [
        (["iterative"], {}, "at least 2"),
        (["iterative", "random"], {"games": 3}, "even number"),
        (["iterative", "random"], {"nodes": 0}, "nodes: expected a whole number of at least 1"),
        (["iterative", "random"], {"game": "tictactoe:width=x"}, "whole number"),
        (["iterative", "none"], {}, "^unknown player 'none'"),
        (["iterative", "iterative"], {"clock": "1/1/1"}, "clock: '1/1/1' is not a time control"),
    ],
)
def test_wrong_option_in_a_plan_is_reported(players, options, words):
    with pytest.raises(Usage, match=words):
        build(**{"game": "tictactoe", "players": players, **options})


def test_names_are_unique():
    assert number_duplicates(["a", "a", "b", "a"]) == ["a", "a (2)", "b", "a (3)"]
    plan = build("tictactoe", ["x=random", "x=minimax", "x (2)=random"], form="round-robin")
    assert [entry.name for entry in plan.players] == ["x", "x (2)", "x (2) (2)"]


def test_limits():
    plan = build("tictactoe", ["iterative", "alphabeta:depth=3", "minimax"], form="gauntlet")
    assert [plan.limit(entry) for entry in plan.players] == [Limit(nodes=NODES), None, Limit(nodes=NODES)]
    plan = build("tictactoe", ["iterative", "alphabeta:depth=3"], depth=5)
    assert [plan.limit(entry) for entry in plan.players] == [Limit(depth=5), Limit(depth=5)]
    assert (
        seats.player(plan.players[1].player, registry.game("tictactoe"), 0, Limit(depth=5)).limit.depth == 3
    )
    plan = build("tictactoe", ["iterative", "alphabeta"], clock="5+1")
    assert [plan.limit(entry) for entry in plan.players] == [None, None]


def test_plan_identity_covers_all_facts_that_decide_games(tmp_path):
    engine = tmp_path / "engine.toml"
    engine.write_text('engine = "iterative"\ndepth = 3\n')
    book = tmp_path / "book.txt"
    book.write_text("moves a1 b2\nmoves a2 b2\n")
    players = ["random", str(engine)]

    def plan(players=players, **changes: object) -> Plan:
        given = {"games": 4, "openings": {"file": str(book)}}
        return build(**{"game": "tictactoe", "players": players, **given, **changes})

    first = plan()
    assert plan(title="another").identity() == first.identity()
    trust.trust_started(first.game, first.engines)  # as a run of the plan does when it begins
    assert decode(first.encode()).identity() == first.identity()
    others = [
        plan(seed=2),
        plan(games=2),
        plan(form="round-robin"),
        plan(clock="5+1"),
        plan(nodes=70, players=["random", "iterative"]),
        plan(nodes=71, players=["random", "iterative"]),
        plan(players=["random:seed=3", str(engine)]),
        plan(players=players[::-1]),
        plan(openings={"plies": 2}),
        plan(adjudicate={"plies": 7}),
        plan(game="tictactoe:width=4"),
        plan(sprt={"elo0": 0, "elo1": 5}),
    ]
    assert len({other.identity() for other in [first, *others]}) == len(others) + 1
    before = first.facts()
    book.write_text("moves a1 b2\nmoves a3 b2\n")
    assert [line.split(":")[0] for line in differences(before, first.facts())] == ["the openings' file"]
    engine.write_text('engine = "iterative"\ndepth = 4\n')
    assert len(differences(before, first.facts())) == 2
    assert "iterative" not in differences(before, first.facts())[0]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder for plans, not the current one."""
    monkeypatch.chdir("/")
    (tmp_path / "plans").mkdir()
    return tmp_path / "plans"


def test_files_are_looked_for_from_the_plans_folder(tmp_path, folder):
    (tmp_path / "book.txt").write_text("# two\nmoves a1 b2\n\nmoves b2 a1\n")
    (folder / "engine.toml").write_text('engine = "minimax"\ndepth = 2\n')
    text = """
game = "tictactoe"
games = 4
openings.file = "../book.txt"
[[players]]
player = "engine.toml"
[[players]]
player = "random"
"""
    plan = read(write_plan(folder, text))
    assert plan.openings.file == str(tmp_path / "book.txt")
    assert plan.players[0].player == str(folder / "engine.toml")
    assert plan.players[0].name == "engine.toml"
    assert not list(problems(plan, openings=True))


def test_the_engines_of_openings_and_adjudication_are_looked_for_there_too(folder):
    (folder / "mine.py").write_text("def evaluate(position):\n    return 0\n")
    (folder / "deep.toml").write_text('engine = "alphabeta"\ndepth = 2\n')
    text = """
game = "tictactoe"
games = 4
openings = { plies = 2, balance = "alphabeta:depth=2,eval=mine.py", bound = 5 }
adjudicate = { exact = "deep.toml" }
players = [{ player = "alphabeta", depth = 1 }, { player = "random" }]
"""
    plan = read(write_plan(folder, text))
    assert plan.openings.balance == f"alphabeta:depth=2,eval={folder}/mine.py"
    assert plan.adjudicate.exact == str(folder / "deep.toml")
    assert not list(problems(plan, openings=True))
    before = plan.facts()
    (folder / "mine.py").write_text("def evaluate(position):\n    return 1\n")
    (folder / "deep.toml").write_text('engine = "alphabeta"\ndepth = 3\n')
    changed = differences(before, plan.facts())
    assert len(changed) == 2
    assert changed[0].startswith(f"the file {folder}/mine.py of balance: ")
    assert changed[1].startswith(f"the file {folder}/deep.toml of exact: ")
    file = folder / "suite.toml"
    match = text.replace("game =", "[[match]]\nname = 'one'\nexpect = {}\ngame =", 1)
    match = match.replace('players = [{ player = "alphabeta", depth = 1 }, { player = "random" }]',
                          'players = ["alphabeta:depth=1", "random"]')  # fmt: skip
    file.write_text(match)
    case = suites.read(file)[0].match[0]
    assert case.openings.balance == plan.openings.balance
    assert case.adjudicate.exact == plan.adjudicate.exact


# -- gameplay toml -------------------------------------------------------------------------------


def config(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    return run_printed(capsys, "toml", *arguments)


def test_our_own_files_are_right(capsys):
    files = sorted(Path("configs").glob("tournaments/*.toml")) + sorted(
        Path("configs").glob("regress/*.toml")
    )
    assert len(files) >= 6
    status, out, _ = config(capsys, "check", *files)
    assert (status, out) == (0, "".join(f"{file}: right\n" for file in files))


def test_check_reports_every_error_of_a_plan(capsys, tmp_path):
    players = '[[players]]\nplayer = "rando"\n[[players]]\nplayer = "random"\nclock = "x"\n'
    path = write_plan(tmp_path, 'game = "tictactoe"\ngames = 3\n' + players)
    status, out, err = config(capsys, "check", path)
    assert (status, err) == (6, "")
    assert [line.split(":")[0] for line in out.splitlines()] == [f"{path}, line {n}" for n in (4, 7, 2)]


def test_check_chooses_the_openings(capsys, tmp_path):
    (tmp_path / "book.txt").write_text("moves a1\nmoves a9\n")
    text = 'game = "tictactoe"\ngames = 4\nopenings = { file = "book.txt" }\n' + PLAYERS
    status, out, _ = config(capsys, "check", write_plan(tmp_path, text))
    assert status == 6
    assert "plan.toml, line 3: openings: " in out and "book.txt, line 2: " in out and "a9" in out


@pytest.mark.parametrize("text, words", SUITES["errors"])
def test_check_reads_test_suites(capsys, tmp_path, text, words):
    path = tmp_path / "suite.toml"
    path.write_text(f'game = "tictactoe"\n[[position]]\nname = "one"\n{text}\n')
    status, out, _ = config(capsys, "check", path)
    assert status == 6 and words in out


def test_kind_of_a_file_follows_from_name_and_keys(tmp_path):
    def kind(text, name="some.toml", folder="."):
        file = tmp_path / folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        return _kind_of(file)

    assert kind("", "settings.toml") == "settings" and kind("", "assignment.toml") == "assignment"
    assert kind("", folder="themes") == "theme" == kind('base = "wood"') == kind("[felt]\nlight = 20")
    assert kind("") == "plan" == kind("players = []\nposition = []") == kind('game = "go"') == kind("?")
    assert kind("[[random]]") == "assignment" == kind("reference = 'minimax'\n[[position]]")
    for tests in ("position", "match", "speed"):
        assert kind(f"[[{tests}]]") == "regress"
    assert kind("[signature]") == "regress"
    assert (
        _kind_of(tmp_path / "none.toml") == "plan" and _kind_of(tmp_path / "themes" / "none.toml") == "plan"
    )


def test_check_reads_every_kind_of_file(capsys, tmp_path):
    """A valid file is reported as valid, and an error in one does not affect the others."""
    files = {
        "assignment.toml": 'game = "tictactoe"\n[laws]\n',
        "settings.toml": 'theme = "night"\n',
        "theme.toml": 'base = "night"\n',
        "plan.toml": 'game = "tictactoe"\ngames = 4\n' + PLAYERS,
        "tests.toml": '[[position]]\nname = "one"\ngame = "tictactoe"\n'
        'expect = { move = "a1", not_moves = ["b2"] }\n',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    paths = [tmp_path / name for name in files]
    assert config(capsys, "check", *paths) == (0, "".join(f"{path}: right\n" for path in paths), "")
    for name, text, words in (
        ("assignment.toml", "", "has no tests: add [laws]"),
        (
            "assignment.toml",
            "reference = 'minimax'\n[[random]]\nname = 'x'\ntrees = ['pints']\n",
            "line 2: unknown kind of trees 'pints'; did you mean 'points'",
        ),
        ("settings.toml", "theme = 3\n", "line 1: theme: "),
        ("theme.toml", "base = 3\n", "line 1: base: "),
        (
            "tests.toml",
            '[[position]]\nname = "one"\nexpect = {}\n',
            'no game; add game = "connect4" here, or on top',
        ),
        (
            "tests.toml",
            files["tests.toml"].replace("b2", "z9"),
            "line 4: position[1].expect: 'z9' is not a legal move here",
        ),
        (
            "tests.toml",
            files["tests.toml"].replace('move = "a1"', 'pv = ["z9", "b2"]'),
            "line 4: position[1].expect: 'z9' is not a legal move here",
        ),
    ):
        (tmp_path / name).write_text(text)
        status, out, err = config(capsys, "check", *paths)
        wrong = [line for line in out.splitlines() if not line.endswith(": right")]
        assert status == 6 and len(wrong) == 1 and words in wrong[0] and wrong[0].startswith(str(tmp_path)), (
            out
        )
        assert len(out.splitlines()) == 5 and not err
        (tmp_path / name).write_text(files[name])


def test_check_looks_at_the_matches_of_tests(capsys, tmp_path):
    path = tmp_path / "suite.toml"
    path.write_text(
        'game = "tictactoe"\n[[match]]\nname = "one"\nplayers = ["random", "rando"]\nexpect = {}\n'
    )
    status, out, _ = config(capsys, "check", path)
    assert status == 6 and "line 4: match[1].players[2].player: unknown player" in out


def test_check_looks_at_the_openings_of_tests(capsys, tmp_path):
    (tmp_path / "book.txt").write_text("moves a1\nmoves a9\n")
    path = tmp_path / "suite.toml"
    match = '[[match]]\nname = "one"\nplayers = ["random", "random"]\nopenings = { file = "book.txt" }\n'
    path.write_text(f'game = "tictactoe"\n{match}expect = {{}}\n')
    status, out, _ = config(capsys, "check", path)
    assert status == 6 and "line 5: match[1].openings: " in out and "book.txt, line 2: " in out


@pytest.mark.parametrize("kind, name", [([], "Plan"), (["plan"], "Plan"), (["regress"], "Suite")])
def test_the_schema_is_json_schema(capsys, kind, name):
    status, out, _ = config(capsys, "schema", *kind)
    schema = json.loads(out)
    assert status == 0
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert schema["$ref"] == f"#/$defs/{name}"
    assert schema["$defs"][name]["additionalProperties"] is False
    assert set(schema["$defs"][name]["properties"]) >= {"game", "depth", "nodes", "time"}


def test_plan_schema_equals_the_stored_one(capsys):
    """Every field with its type, minimum, maximum and default."""
    schemas = [config(capsys, "schema", kind)[1] for kind in KINDS]
    defs = {name: definition for text in schemas for name, definition in json.loads(text)["$defs"].items()}
    lines = []
    for name, entry in sorted(defs.items()):
        must, more = ", ".join(entry["required"]) or "nothing", entry["additionalProperties"]
        lines.append(f"{name}: needs {must}; takes others: {more}")
        assert set(entry["required"]) <= set(entry["properties"])
        for field, field_schema in entry["properties"].items():
            assert "default" not in field_schema or field not in entry["required"]
            kept = field_schema.get("default")
            if isinstance(kept, int | float) and not isinstance(kept, bool):
                ranges = [field_schema, *field_schema.get("anyOf", ())]
                assert any(
                    number.get("minimum", kept) <= kept <= number.get("maximum", kept) for number in ranges
                )
            lines.append(f"    {field} {json.dumps(bare(field_schema), sort_keys=True)}")
    golden("schemas", "\n".join(lines) + "\n")


def bare(schema):
    """A schema without its messages for people."""
    if isinstance(schema, dict):
        return {key: bare(value) for key, value in schema.items() if key not in ("description", "title")}
    return [bare(entry) for entry in schema] if isinstance(schema, list) else schema


OURS = {
    kind
    for module in (plans, suites, assignment)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind is not msgspec.Struct
} - {assignment.Requirement, Limit, Report}


@pytest.mark.parametrize("kind", sorted(OURS, key=str))
def test_fields_of_files_are_given_by_name(kind):
    with pytest.raises(TypeError, match="positional"):
        kind("x")


def test_stored_plan_contains_only_given_fields():
    """Defaults are omitted in the store, so new fields change no stored plan."""
    player = plans.Entrant(player="random")
    assert Plan(game="nim", players=[player, player]).encode() == (
        b'{"game":"nim","players":[{"player":"random","name":"random"},'
        b'{"player":"random","name":"random (2)"}]}'
    )
    resign, draw = plans.Resign(value=0.9), plans.Draw(value=0, moves=4)
    full = Plan(
        game="nim",
        players=[player, plans.Entrant(player="random", name="b", nodes=7)],
        openings=plans.Openings(plies=2),
        adjudicate=plans.Adjudication(resign=resign, draw=draw),
        sprt=plans.Sprt(elo0=0, elo1=5),
    )
    assert full.encode() == (
        b'{"game":"nim","players":[{"player":"random","name":"random"},'
        b'{"player":"random","name":"b","nodes":7}],"openings":{"plies":2},'
        b'"adjudicate":{"resign":{"value":0.9},"draw":{"value":0,"moves":4}},'
        b'"sprt":{"elo0":0,"elo1":5,"alpha":0.05,"beta":0.05,"model":"normalized"}}'
    )
    assert decode(full.encode()) == full


def test_config_rejects_an_unknown_schema_and_a_missing_file(capsys):
    assert config(capsys, "schema", "chess")[0] == 2
    assert config(capsys, "check")[0] == 2
    status, out, _ = config(capsys, "check", "/no/such.toml")
    assert (status, out) == (6, "there is no file /no/such.toml\n")


@pytest.mark.parametrize(
    ("count", "options", "message"),
    [
        (3, {"form": "swiss", "rounds": 3}, ""),
        (3, {"form": "swiss", "rounds": 4}, "rounds: 3 players can meet new opponents in 3"),
        (4, {"form": "swiss", "rounds": 3}, ""),
        (4, {"form": "swiss", "rounds": 4}, "rounds: 4 players can meet new opponents in 3"),
        (2, {"rounds": 2, "games": 6}, "rounds: only the form swiss has rounds. Try: games = "),
        (2, {"openings": {"plies": 0, "balance": "iterative:depth=1"}}, "openings: plies = 0 leaves nothing"),
        (2, {"openings": {"plies": 1, "balance": "iterative:depth=1", "bound": 3}}, ""),
        (2, {"sprt": {"elo0": 0, "elo1": 5, "alpha": 0.5, "beta": 0.4}}, ""),
        (2, {"sprt": {"elo0": 6, "elo1": 5}}, "sprt: expected elo0 < elo1"),
        (2, {"form": "swiss", "sprt": {"elo0": 0, "elo1": 5}}, "sprt: an SPRT compares two players"),
        (3, {"form": "gauntlet", "sprt": {"elo0": 0, "elo1": 5}}, "sprt: an SPRT compares two players"),
        (
            3,
            {},
            "players: a match of tictactoe must have 2 players, not 3. Try: 2 of them, or gameplay",
        ),
        (2, {"games": 3}, "games: each opening is played once with each seating: ask"),
    ],
)
def test_valid_and_invalid_plan_fields(count, options, message):
    if not message:
        assert len(build("tictactoe", ["random"] * count, **options).players) == count
        return
    with pytest.raises(Usage) as refused:
        build("tictactoe", ["random"] * count, **options)
    assert str(refused.value).startswith(message)


def test_limit_applies_to_searching_players_without_their_own():
    for player, message in (
        ("random", "random does not search. Try: leave nodes out"),
        ("iterative:depth=2", ""),
        ("iterative", ""),
    ):
        plan = Plan(
            game="nim", players=[plans.Entrant(player=player, nodes=7), plans.Entrant(player="random")]
        )
        assert [str(problem) for problem in problems(plan)] == [f"players[1].nodes: {message}"][
            : bool(message)
        ]
        if not message:
            assert plan.limit(plan.players[0]) == Limit(nodes=7)


@pytest.mark.parametrize("game", ["chess:automatic=off", "go:size=3,automatic=off", "checkers:automatic=off"])
def test_game_that_need_not_end_is_adjudicated(game: str) -> None:
    with pytest.raises(Usage, match=r"automatic=off has no rule that ends every game: adjudicate a draw"):
        build(game, ["random", "random"])
    plan = build(game, ["random", "random"], adjudicate=Adjudication(plies=40))
    assert plan.adjudicate.plies == 40 and list(problems(plan)) == []
