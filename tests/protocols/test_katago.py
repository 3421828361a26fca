"""KataGo's analysis protocol, both sides: queries and answers, wrong fields, whole games over a pipe."""

import json
import os
import re
import sys
from random import Random
from typing import Any

import pytest

from gameplay import registry
from gameplay.capabilities import PolicyLookup
from gameplay.errors import Usage
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.hosted import Hosted
from gameplay.ntuples.policy import PolicyTables
from gameplay.players import seats
from gameplay.protocols.channel import Broken
from gameplay.protocols.katago import Katago, format_rules
from gameplay.protocols.katago_query import RULES, QueryError, read_query
from gameplay.protocols.katago_side import KatagoSide
from gameplay.search.limit import MAX_LIMIT, Limit
from gameplay.specs import join
from tests.support.hosted import play_match
from tests.support.paths import ROOT
from tests.support.wire import ENDS, talk_over

pytestmark = pytest.mark.once

SMALL = {"boardXSize": 5, "boardYSize": 5, "komi": 2.5, "rules": "chinese-ogs", "maxVisits": 60}
WALLS = [  # Black has three columns of five, White two: 15 points to 10
    *(["B", f"C{row}"] for row in range(1, 6)),
    *(["W", f"D{row}"] for row in range(1, 6)),
    *(["B", point] for point in ("A1", "A3", "B2", "B4", "A5")),
    *(["W", point] for point in ("E1", "E3")),
]


class Conversation:
    """Our side without a process."""

    def __init__(self, engine: str = "mcts:seed=1") -> None:
        self.messages: list[str] = []

        def seat(terms: dict[str, str]) -> Any:
            game = registry.game(join("go", terms))
            player = seats.player(engine, game)
            return player, Hosted(game, player, spare=registry.game(join("go", terms | {"ko": "simple"})))

        self.side = KatagoSide("gameplay", seat, self.messages.append)

    def ask(self, *queries: Any) -> list[dict[str, Any]]:
        """The answers to queries, as if all arrived at once."""
        self.messages.clear()
        first, *others = [query if isinstance(query, str) else json.dumps(query) for query in queries]
        for query in others:
            self.side.inbox.put(query)
        assert self.side.execute(first)
        return [json.loads(line) for line in self.messages]


def query(name: str = "a", **fields: Any) -> dict[str, Any]:
    return {"id": name, "moves": [], **SMALL, **fields}


# -- our side -------------------------------------------------------------------------------------


def test_every_turn_is_answered() -> None:
    moves = [["B", "C3"], ["W", "(1,1)"], ["B", "pass"]]
    answers = Conversation().ask(query(moves=moves, analyzeTurns=[0, 2, 3, 2], includeOwnership=True))
    assert [(answer["id"], answer["turnNumber"], answer["isDuringSearch"]) for answer in answers] == [
        *(("a", turn, False) for turn in (0, 2, 3))
    ]
    for entry, mover in zip(answers, "BBW", strict=True):
        infos, root = entry["moveInfos"], entry["rootInfo"]
        proven = infos[0]["move"] == "pass"  # which ends the game
        assert root["currentPlayer"] == mover and (root["visits"] >= 60 or proven)
        assert [info["order"] for info in infos] == list(range(len(infos))) and 1 <= len(infos) <= 10
        assert sum(info["visits"] for info in infos) <= root["visits"]
        assert all(0 <= info["winrate"] <= 1 and info["pv"][0] == info["move"] for info in infos)
        assert len(entry["ownership"]) == 25 and all(-1 <= share <= 1 for share in entry["ownership"])
        assert sum(entry["ownership"]) - 2.5 == pytest.approx(root["scoreLead"], abs=0.02)
    moves = [info["move"] for info in answers[2]["moveInfos"]]
    assert "C3" not in moves and "B4" not in moves, "(1,1) is B4 on this board, and both are occupied"


class Lookup:
    """A policy that passes with probability 1/2, and shares the rest."""

    def of(self, position: Any) -> tuple[float, dict[int, float]]:
        moves = position.moves()
        passing = position.parse("pass")
        return 0.0, {move: 0.5 if move == passing else 0.5 / (len(moves) - 1) for move in moves}


def test_a_learned_policy_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    request = Conversation()
    monkeypatch.setattr(request.side, "_policy_lookup", lambda terms: Lookup())
    (answer,) = request.ask(query(moves=[["B", "A5"]], includePolicy=True, maxVisits=20))
    policy = answer["policy"]
    assert len(policy) == 26 and policy[0] == -1, "the upper left corner is taken"
    assert policy[-1] == 0.5 and sum(policy[1:]) == pytest.approx(1, abs=1e-4)
    priors = {info["move"]: info["prior"] for info in answer["moveInfos"]}
    assert all(prior == (0.5 if move == "pass" else 0.020833) for move, prior in priors.items())
    (answer,) = request.ask(query(maxVisits=20))
    assert "policy" not in answer and "prior" in answer["moveInfos"][0]


def test_learned_tables_are_such_a_policy() -> None:
    assert issubclass(PolicyTables, PolicyLookup)


def test_ownership_after_each_move_is_reported() -> None:
    (answer,) = Conversation().ask(query(initialStones=WALLS, initialPlayer="B", includeMovesOwnership=True))
    for info in answer["moveInfos"]:
        assert len(info["ownership"]) == 25
        assert sum(info["ownership"]) - 2.5 == pytest.approx(info["scoreLead"], abs=0.02)
    assert "ownership" not in answer


def test_values_of_a_decided_game_are_those_of_the_area() -> None:
    """Black has 15 points and White 10; komi 2.5 leaves 2.5, komi 7.5 turns the game."""
    request = Conversation()
    for komi, lead in ((2.5, 2.5), (7.5, -2.5)):
        for perspective, sign in (("BLACK", 1), ("WHITE", -1), ("SIDETOMOVE", 1)):
            settings = {"reportAnalysisWinratesAs": perspective}
            (answer,) = request.ask(
                query(
                    initialStones=WALLS,
                    initialPlayer="B",
                    komi=komi,
                    overrideSettings=settings,
                    maxVisits=400,
                )
            )
            root = answer["rootInfo"]
            assert root["scoreLead"] == pytest.approx(sign * lead, abs=2), (komi, perspective)
            assert (root["winrate"] > 0.5) == (sign * lead > 0), (komi, perspective)
            assert root["utility"] == pytest.approx(2 * root["winrate"] - 1, abs=1e-5)
    (answer,) = request.ask(query(initialStones=WALLS, initialPlayer="B", includeOwnership=True))
    rows = [answer["ownership"][at : at + 5] for at in range(0, 25, 5)]
    assert all(min(row[:3]) > 0.5 and max(row[3:]) < 0.5 for row in rows), rows


def test_analysis_continues_after_repeated_turns_and_the_end_of_the_game() -> None:
    moves = [["B", "C3"], ["B", "D4"], ["W", "pass"], ["B", "pass"], ["W", "B2"]]
    answers = Conversation().ask(query(moves=moves, analyzeTurns=[1, 2, 4, 5]))
    assert [answer["rootInfo"]["currentPlayer"] for answer in answers] == ["B", "W", "W", "B"]
    assert not {"C3", "D4", "B2"} & {info["move"] for info in answers[3]["moveInfos"]}


def test_moves_can_be_allowed_and_avoided() -> None:
    request = Conversation()
    for name, wanted in (("allowMoves", {"B2", "D4"}), ("avoidMoves", {"A1", "C5"})):
        entry = {"player": "B", "moves": ["B2", "D4"], "untilDepth": 1}
        if name == "avoidMoves":
            points = [f"{column}{row}" for column in "ABCDE" for row in range(1, 6)]
            entry["moves"] = [point for point in [*points, "pass"] if point not in wanted]
        (answer,) = request.ask(query(**{name: [entry]}))
        assert {info["move"] for info in answer["moveInfos"]} == wanted


def test_higher_priorities_are_answered_first() -> None:
    answers = Conversation().ask(query("low"), query("high", priority=3), query("turns", moves=[["B", "C3"]]))
    assert [answer["id"] for answer in answers] == ["high", "low", "turns"]
    moves = [["B", "C3"]]
    answers = Conversation().ask(query(moves=moves, analyzeTurns=[0, 1], priorities=[1, 2]))
    assert [answer["turnNumber"] for answer in answers] == [1, 0]


def test_searches_are_terminated() -> None:
    request = Conversation()
    endless = query("long", maxVisits=10**9, overrideSettings={"maxTime": 60}, analyzeTurns=[0])
    stop = {"id": "s", "action": "terminate", "terminateId": "long"}
    waiting = query("wait", moves=[["B", "C3"]], analyzeTurns=[0, 1])
    never = {"id": "t", "action": "terminate", "terminateId": "wait", "turnNumbers": [1]}
    shown = request.side._watch

    def watch(match: Any, report: Any) -> bool:
        request.side.inbox.put(json.dumps(stop))
        return shown(match, report)

    output = request.ask(waiting, never)
    assert output[0] == {"id": "wait", "isDuringSearch": False, "noResults": True, "turnNumber": 1}
    assert output[1] == never and output[2]["turnNumber"] == 0
    request.side._watch = watch
    output = request.ask(endless)
    assert output[0] == stop and output[-1]["id"] == "long" and output[-1]["moveInfos"]
    assert request.ask(query("a"), query("b"), {"id": "u", "action": "terminate_all"}) == [
        *({"id": name, "isDuringSearch": False, "noResults": True, "turnNumber": 0} for name in "ab"),
        {"id": "u", "action": "terminate_all"},
    ]


def test_reports_come_during_a_search() -> None:
    settings = {"maxTime": 0.3}
    answers = Conversation().ask(
        query(maxVisits=10**9, overrideSettings=settings, reportDuringSearchEvery=0.01)
    )
    assert [answer["isDuringSearch"] for answer in answers] == [True] * (len(answers) - 1) + [False] and len(
        answers
    ) > 1
    visits = [answer["rootInfo"]["visits"] for answer in answers]
    assert visits == sorted(visits)


def test_actions_are_echoed() -> None:
    request = Conversation()
    (answer,) = request.ask({"id": "v", "action": "query_version"})
    assert (
        answer["id"] == "v"
        and answer["action"] == "query_version"
        and answer["version"]
        and answer["git_hash"]
    )
    (answer,) = request.ask({"id": "m", "action": "query_models"})
    assert answer["models"][0]["name"] == "mcts"
    assert request.ask({"id": "c", "action": "clear_cache"}) == [{"id": "c", "action": "clear_cache"}]


def test_rules_and_handicap_become_terms_of_our_game() -> None:
    stones = [["B", "B2"], ["B", "D4"], ["B", "B4"]]
    for given, more, komi, ko, suicide in (
        ("tromp-taylor", {}, "2.5", "positional", "on"),
        ("Chinese", {}, "2.5", "simple", "off"),
        ("chinese-kgs", {"initialStones": stones}, "5.5", "positional", "off"),
        ("aga", {"initialStones": stones}, "4.5", "situational", "off"),
        ("new-zealand", {"initialStones": stones}, "2.5", "situational", "on"),
        ("chinese", {"initialStones": stones, "whiteHandicapBonus": "0"}, "2.5", "simple", "off"),
        ("chinese", {"initialStones": [*stones, ["W", "A1"]]}, "2.5", "simple", "off"),
        ("chinese", {"moves": [*stones, ["W", "A1"]]}, "5.5", "simple", "off"),
        ({"ko": "SITUATIONAL", "suicide": False}, {}, "2.5", "situational", "off"),
    ):
        terms = read_query(query(rules=given, **more)).terms
        assert terms == {"columns": "5", "rows": "5", "komi": komi, "ko": ko, "suicide": suicide}, given
    usual = {name: SMALL[name] for name in SMALL if name != "komi"}
    assert read_query({"id": "a", "moves": [], **usual}).terms["komi"] == "7.5"
    for name, given in RULES.items():
        result = read_query(query(rules=name))
        exact = given["score"] == "AREA" and given["tax"] == "NONE" and not given.get("hasButton")
        assert bool(result.warnings) == (not exact), name
    assert read_query(query(initialStones=stones)).first_player == 1, "White begins after a handicap"
    assert read_query(query(initialStones=stones)).start() == "...../.X.X./...../.X.../..... white"


@pytest.mark.parametrize(
    ("fields", "name", "why"),
    [
        ({"boardXSize": 20}, "boardXSize", "from 1 to 19"),
        ({"boardYSize": 2.5}, "boardYSize", "from 1 to 19"),
        ({"boardYSize": True}, "boardYSize", "from 1 to 19"),
        ({"komi": 0.3}, "komi", "half-integer"),
        ({"komi": float("inf")}, "komi", "half-integer"),
        ({"komi": "7"}, "komi", "half-integer"),
        ({"rules": "go"}, "rules", "known: tromp-taylor"),
        ({"rules": {"ko": "NONE"}}, "rules", "ko: NONE"),
        ({"rules": 7}, "rules", "a string or a JSON object"),
        ({"moves": "B D4"}, "moves", "array of pairs"),
        ({"moves": [["B"]]}, "moves", "array of pairs"),
        ({"moves": [["X", "D4"]]}, "moves", 'write "B" or "W"'),
        ({"moves": [["B", "I4"]]}, "moves", "Could not parse board location: I4"),
        ({"moves": [["B", "F1"]]}, "moves", "not on the board: F1"),
        ({"moves": [["B", "(5,0)"]]}, "moves", r"not on the board: \(5,0\)"),
        ({"initialStones": [["B", "pass"]]}, "initialStones", "cannot be placed"),
        ({"initialPlayer": "G"}, "initialPlayer", "Could not parse player: G"),
        ({"analyzeTurns": [1]}, "analyzeTurns", "from 0 to 0"),
        ({"analyzeTurns": 0}, "analyzeTurns", "from 0 to 0"),
        ({"priority": "x"}, "priority", "Must be an integer"),
        ({"priorities": [1, 2]}, "priorities", "one for each"),
        ({"maxVisits": 0}, "maxVisits", "from 1 to"),
        ({"includeOwnership": 1}, "includeOwnership", "boolean"),
        ({"reportDuringSearchEvery": 0}, "reportDuringSearchEvery", "from 0.001"),
        ({"allowMoves": ["D4"]}, "allowMoves", "array of objects"),
        ({"avoidMoves": [{"player": "B", "moves": ["D4"], "untilDepth": 0}]}, "avoidMoves", "untilDepth"),
        ({"overrideSettings": []}, "overrideSettings", "Must be an object"),
        ({"overrideSettings": {"maxTime": -1}}, "overrideSettings", "above 0"),
        ({"overrideSettings": {"reportAnalysisWinratesAs": "ME"}}, "overrideSettings", "BLACK, WHITE"),
    ],
)
def test_wrong_field_is_named(fields: dict[str, Any], name: str, why: str) -> None:
    with pytest.raises(QueryError, match=why) as error:
        read_query(query(**fields))
    assert error.value.field == name


def test_errors_and_warnings_have_the_id_of_their_query() -> None:
    request = Conversation()
    (answer,) = request.ask(query("x", moves=[["B", "C3"], ["W", "C3"]]))
    assert (answer["id"], answer["field"]) == ("x", "moves") and answer["error"].startswith(
        "Illegal move 1: "
    )
    (answer,) = request.ask(query("x", initialStones=[["B", "A2"], ["B", "B1"], ["W", "A1"]]))
    assert answer["field"] == "initialStones" and "liberty" in answer["error"]
    for line, why in (
        ("{", "Could not parse"),
        ("[" * 10**5, "Could not parse"),
        ("[]", "Request must"),
        ("{}", "id"),
    ):
        (answer,) = request.ask(line)
        assert why in answer["error"] and "id" not in answer
    (answer,) = request.ask({"id": "y", "action": "dance"})
    assert answer["id"] == "y" and answer["field"] == "action" and "terminate_all" in answer["error"]
    *warnings, answer = request.ask(
        query("z", includePolicy=True, rules="japanese", overrideSettings={"wideRootNoise": 1})
    )
    assert {(warning["id"], warning["field"]) for warning in warnings} == {
        *(("z", name) for name in ("includePolicy", "rules", "overrideSettings"))
    }
    assert answer["id"] == "z" and answer["moveInfos"] and "policy" not in answer
    assert not read_query(query(includePolicy=False, includePVVisits=False)).warnings, "what is not wanted"


def test_malformed_input_is_answered_and_survived() -> None:
    request, rng = Conversation(), Random(4)
    odd = [None, True, -1, 1e300, "B", "D4", [], [[]], {}, [["B", "D4"]], "\ud800", [None], 10**30, "9" * 99]
    names = [
        *query(),
        "initialStones",
        "analyzeTurns",
        "priority",
        "allowMoves",
        "overrideSettings",
        "action",
    ]
    for _ in range(300):
        fields = {rng.choice(names): rng.choice(odd) for _ in range(rng.randrange(1, 4))}
        for answer in request.ask(
            query(**(fields | {"maxVisits": 1 if rng.random() < 0.9 else rng.choice(odd)}))
        ):
            assert "Error" not in answer.get("error", ""), fields
    assert request.ask(query())[0]["moveInfos"]


def test_example_of_the_page_is_answered() -> None:
    page = (ROOT / "docs/how-to/go.md").read_text()
    (answer,) = Conversation().ask(*re.findall(r"```json\n(.*?)\n```", page, re.S))
    assert answer["id"] == "first" and answer["turnNumber"] == 1 and len(answer["moveInfos"]) == 10
    assert {"visits", "winrate", "scoreLead", "pv"} < set(answer["moveInfos"][0])


# -- their side -----------------------------------------------------------------------------------


def answer(number: int, *moves: tuple[str, int, float], **more: Any) -> str:
    infos = [
        {
            "move": move,
            "visits": visits,
            "winrate": rate,
            "scoreLead": 3.5,
            "order": order,
            "pv": [move, "pass"],
        }
        for order, (move, visits, rate) in enumerate(moves)
    ]
    return json.dumps({"id": str(number), "isDuringSearch": False, "moveInfos": infos, **more})


def test_katago_handshake_and_query() -> None:
    position = registry.game("go:size=9,komi=6.5").new()
    talk, wire = talk_over(Katago, '{"id": "0"}', "Started", '{"id": "1", "version": "1.15"}', '{"id": "2"}')
    talk.greet({"wideRootNoise": "0.04", "rootSymmetryPruning": "true", "humanSLProfile": "rank_3k"}, ENDS)
    talk.begin(ENDS)
    assert [json.loads(line)["action"] for line in wire.sent] == ["query_version", "clear_cache"]
    talk.prepare(position, ENDS)
    talk.position(talk.start(position, ""), [(0, "E5"), (1, "pass")], ENDS)
    talk.go(0, Limit(nodes=50), None, ENDS)
    request = json.loads(wire.sent[2])
    assert request["id"] == "3" and request["moves"] == [["B", "E5"], ["W", "pass"]]
    assert (request["boardXSize"], request["boardYSize"], request["komi"]) == (9, 9, 6.5)
    assert request["rules"]["ko"] == "POSITIONAL" and request["rules"]["suicide"] is False
    assert request["maxVisits"] == 50 and request["initialPlayer"] == "B" and request["initialStones"] == []
    assert request["overrideSettings"] == {
        "reportAnalysisWinratesAs": "SIDETOMOVE",
        **{"wideRootNoise": 0.04, "rootSymmetryPruning": True, "humanSLProfile": "rank_3k"},
    }


@pytest.mark.parametrize(
    ("limit", "clock", "visits", "seconds"),
    [
        (Limit(), None, None, None),  # as the configuration of KataGo says
        (Limit(seconds=0.5), None, 10**8, 0.5),
        (Limit(nodes=7, seconds=2.0), None, 7, 2.0),
        (Limit(), "2/move", 10**8, 1.94),
    ],
)
def test_limits_of_a_query(
    limit: Limit, clock: str | None, visits: int | None, seconds: float | None
) -> None:
    talk, wire = talk_over(Katago)
    talk.go(0, limit, None if clock is None else Clock([parse_time_control(clock)] * 2), ENDS)
    request = json.loads(wire.sent[0])
    assert request.get("maxVisits") == visits and request["overrideSettings"].get("maxTime") == seconds


def test_starts_become_stones_and_moves() -> None:
    talk, _ = talk_over(Katago)
    position = registry.game("go:size=5").new("..X../...../..O../...../..... white B2 pass")
    text = position.text()
    assert json.loads(talk.start(position, text)) == {
        "initialStones": [["B", "C5"], ["W", "C3"]],
        "initialPlayer": "W",
        "moves": [["W", "B2"], ["B", "pass"]],
    }
    assert position.text() == text
    handicap = registry.game("go:size=9,handicap=2").new()
    document = json.loads(talk.start(handicap, ""))
    assert len(document["initialStones"]) == 2 and document["initialPlayer"] == "W"
    assert format_rules(handicap)["whiteHandicapBonus"] == "N"
    assert format_rules(registry.game("go:rules=tromp-taylor,ko=situational").new()) == {
        **{"ko": "SITUATIONAL", "score": "AREA", "tax": "NONE", "suicide": True},
        **{"hasButton": False, "whiteHandicapBonus": "0", "friendlyPassOk": False},
    }


def test_answers_become_reports() -> None:
    seen: list[dict[str, Any]] = []

    def watch(report: dict[str, Any]) -> bool:
        seen.append(dict(report))
        return True

    talk, wire = talk_over(
        Katago,
        answer(0, ("A1", 1, 0.5)),  # to an earlier query
        '{"id": "1", "warning": "unused", "field": "x"}',
        answer(
            1, ("C3", 9, 0.75), ("D4", 4, 0.5), isDuringSearch=True, rootInfo={"winrate": 0.7, "visits": 14}
        ),
        answer(1, ("D4", 30, 0.25), ("C3", 20, 0.2)),
    )
    talk.prepare(registry.game("go:size=5").new(), ENDS)
    talk.go(0, Limit(nodes=50), None, ENDS)
    assert talk.answer(ENDS, watch) == "D4"
    assert seen[0]["value"] == pytest.approx(0.4 * talk.unit) and seen[0]["nodes"] == 14
    assert seen[0]["pv"] == ["C3", "pass"] and seen[0]["bound"] == "expectation"
    assert [line["visits"] for line in seen[0]["lines"]] == [9, 4]
    assert talk.info["value"] == pytest.approx(-0.5 * talk.unit) and talk.info["visits"] == 50
    assert json.loads(wire.sent[1]) == {"id": "stop", "action": "terminate", "terminateId": "1"}
    talk.prepare(registry.game("go:size=5,goal=points").new(), ENDS)
    wire.lines = [answer(1, ("D4", 30, 0.25))]
    assert talk.stop(ENDS) == "D4" and talk.info["value"] == 3.5 * talk.unit, "the margin counts"


def test_non_finite_numbers_are_omitted() -> None:
    talk, wire = talk_over(Katago)
    for rate in ("NaN", "Infinity", "null", '"0.5"', "true"):
        wire.lines = [answer(0, ("C3", 9, 0.5)).replace('"winrate": 0.5', f'"winrate": {rate}')]
        with pytest.raises(Broken, match=r"^answered without a move$"):
            talk.answer(ENDS, lambda report: False)
    wire.lines = [answer(0, ("C3", 10**30, 7.0), rootInfo=[])]
    assert talk.answer(ENDS, lambda report: False) == "C3"
    assert talk.info["visits"] == MAX_LIMIT and talk.info["value"] == talk.unit


def test_errors_cost_the_game() -> None:
    talk, _ = talk_over(Katago, '{"error": "Illegal move 3: D4", "field": "moves", "id": "0"}')
    with pytest.raises(Broken, match=r"^reports an error: Illegal move 3: D4 \(moves\)$") as broken:
        talk.answer(ENDS, lambda report: False)
    assert broken.value.kind == "protocol_error"
    talk, _ = talk_over(Katago)
    with pytest.raises(Broken, match=r"^did not answer 'clear_cache' in time$") as broken:
        talk.begin(ENDS)
    assert broken.value.kind == "hang"


def test_a_start_with_a_ko_is_refused() -> None:
    with pytest.raises(Usage, match="ko ban"):
        Katago.check_start(registry.game("go").new(), "... black ko=B2")


@pytest.mark.skipif(os.name != "posix", reason="outside engines need POSIX")
def test_our_player_meets_our_program() -> None:
    program = f"katago:{sys.executable} -m gameplay katago --engine mcts:seed=3,nodes=40"
    met = play_match(registry.game("go:size=5,komi=2.5"), f"random,{program}", 24)
    turn = met.turns[1]
    report = turn.report
    assert report is not None and report.visits >= 40 and report.visited and report.bound == "expectation"
    assert report.pv[0] == turn.move == report.visited[0].move
    assert max(entry.visits for entry in report.visited) == report.visited[0].visits
