"""A program that speaks the protocol of KataGo as its docs/Analysis_Engine.md has it, on boards of 5x5.

    mock_katago.py [--rates C3=0.7,D4=0.5] [--fault KIND] [--log FILE] [--mark ANYTHING]

It gives each of the named moves its winrate, from the view of the player to move, and 100 visits; the moves
of `allowMoves` alone where there are some. Values are reported from Black's view, as by KataGo's example
configuration, unless `reportAnalysisWinratesAs` says otherwise. KIND is one of

    dies       exits at a query                       deaf     reports during the search and never ends
    error      answers with an error                  nothing  answers a terminated search without results
"""

import json
import os
import sys

arguments = dict(zip(sys.argv[1::2], sys.argv[2::2], strict=True))
named = [pair.split("=") for pair in arguments.get("--rates", "C3=0.7,D4=0.5,B2=0.25").split(",")]
rates = [(move, float(rate)) for move, rate in named]
fault = arguments.get("--fault", "")
waiting = []  # queries that wait for `terminate`


def say(answer):
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def analysis(query, during):
    """The answer for the last turn of a query."""
    moves = query["moves"]
    player = "BW"[moves[-1][0] == "B"] if moves else query.get("initialPlayer", "B")
    perspective = query.get("overrideSettings", {}).get("reportAnalysisWinratesAs", "BLACK")
    turned = perspective != "SIDETOMOVE" and perspective[0] != player
    allowed = [word for entry in query.get("allowMoves", []) for word in entry["moves"]]
    chosen = [(move, 0.1) for move in allowed if move not in dict(rates)]
    chosen += [(move, rate) for move, rate in rates if not allowed or move in allowed]
    infos = []
    for order, (move, rate) in enumerate(chosen):
        rate, lead = (1 - rate if turned else rate), 20 * (rate - 0.5) * (-1 if turned else 1)
        infos.append(
            {
                **{"lcb": rate - 0.02, "move": move, "order": order, "prior": 0.5 / (order + 1)},
                **{"pv": [move, "pass"], "scoreLead": lead, "scoreMean": lead, "scoreSelfplay": lead},
                **{"scoreStdev": 9.5, "utility": 2 * rate - 1, "utilityLcb": 2 * rate - 1.2},
                **{"visits": 100, "edgeVisits": 100, "winrate": rate},
            }
        )
    first = infos[0]
    root = {name: first[name] for name in ("lcb", "scoreLead", "scoreSelfplay", "utility", "winrate")}
    root |= {"currentPlayer": player, "visits": 1 + 100 * len(infos), "thisHash": "0F", "symHash": "0A"}
    number = len(moves)
    return {
        **{"id": query["id"], "isDuringSearch": during, "moveInfos": infos, "rootInfo": root},
        "turnNumber": number,
    }


def execute(query):
    if query.get("action") == "query_version":
        say(query | {"version": "1.16.4", "git_hash": "<omitted>"})
    elif query.get("action") == "terminate":
        say(query)
        if fault == "nothing":
            for search in waiting:
                say({"id": search["id"], "isDuringSearch": False, "noResults": True, "turnNumber": 0})
    elif "action" in query:
        say(query)
    elif fault == "dies":
        sys.stderr.write("out of GPU memory\n")
        os._exit(1)
    elif fault == "error":
        say({"error": "Could not set rules", "field": "rules", "id": query["id"]})
    elif fault in ("deaf", "nothing"):
        waiting.append(query)
        if fault == "deaf":
            say(analysis(query, during=True))
    else:
        say({"warning": "Unused", "field": "x", "id": query["id"]})
        say(analysis(query, during=True))
        say(analysis(query, during=False))


for received in sys.stdin:
    if "--log" in arguments:
        with open(arguments["--log"], "a") as file:
            file.write(received)
    execute(json.loads(received))
