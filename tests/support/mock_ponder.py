"""A program that speaks UCI or Hub, plays a game that it is given, ponders on it, and fails as requested.

    mock_ponder.py --line "e2e4 e7e5 ..." [--protocol uci|hub] [--fault KIND] [--log FILE] [--mark ANYTHING]

It answers `go` after N moves with the move number N of the line, and expects the next one. Everything that it
reads goes to the log. KIND is one of

    deaf       goes on pondering, whatever comes      early      answers before `ponderhit` or `stop`
    illegal    expects an illegal reply               silent     expects no reply
    late       moves 0.25 s after a `ponderhit`        dies       ends while it ponders
    unable     offers no option Ponder (UCI)
"""

import os
import sys
import time

arguments = dict(zip(sys.argv[1::2], sys.argv[2::2], strict=True))
line, fault, log = arguments["--line"].split(), arguments.get("--fault", ""), arguments.get("--log")
hub = arguments.get("--protocol") == "hub"
plies = 0  # moves of the position
pondering = False


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer():
    move, reply = (
        line[plies],
        {"illegal": "e1e8", "silent": ""}.get(fault, "".join(line[plies + 1 : plies + 2])),
    )
    say(f"info depth=1 score=0.1 pv={move}" if hub else f"info depth 1 score cp 10 pv {move}")
    if hub:
        say(f"done move={move}" + (f" ponder={reply}" if reply else ""))
    else:
        say(f"bestmove {move}" + (f" ponder {reply}" if reply else ""))


def execute(words):
    global plies, pondering
    if words[0] in ("uci", "hub"):
        if not hub and fault != "unable":
            say("option name Ponder type check default false")
        say("wait" if hub else "uciok")
    elif words[0] in ("isready", "ping", "init"):
        say({"isready": "readyok", "ping": "pong", "init": "ready"}[words[0]])
    elif words[0] in ("position", "pos"):
        text = " ".join(words).replace('moves="', "moves ").replace('"', "")
        plies = len(text.partition(" moves ")[2].split())
    elif words[0] == "go":
        if "ponder" not in words:
            answer()
        elif fault == "dies":
            os._exit(1)
        else:
            pondering = fault != "early"
            if fault == "early":
                answer()
    elif words[0] in ("ponderhit", "ponder-hit", "stop") and pondering and fault != "deaf":
        pondering = False
        if fault == "late" and words[0] != "stop":
            time.sleep(0.25)
        answer()


for received in sys.stdin:
    if log:
        with open(log, "a") as file:
            file.write(received)
    if received.split()[:1] == ["quit"]:
        break
    execute(received.split() or [""])
