"""A program that speaks UCI, UGI, xboard, GTP, NBoard, Hub or KataGo's JSON and breaks it in one way.

    hostile_engine.py PROTOCOL BEHAVIOUR [TEXT]

It plays the first free cell of tic-tac-toe, e4 in chess (xboard), d3 in Othello (NBoard), 9-13 in checkers
(Hub) or C3 in Go (KataGo). Needs nothing but Python; run it with `-I -S` and it is up in 20 ms. TEXT stands
for every text that the program may choose. BEHAVIOUR is one of

    none       plays by the protocol
    name       TEXT in its name, its options and its greeting
    info       TEXT in all that it reports of a search
    error      TEXT on standard error, then status 3       refuse     TEXT as the reason of a refusal (GTP)
    move       TEXT as its move                            illegal    a cell that is taken, or A1
    bytes      bytes that are no UTF-8, as its move        long       a move of 60,000 characters
    numbers    huge and odd numbers in reports             pieces     its move byte by byte
    endless    output without a newline                    lines      megabytes of empty lines
    flood      megabytes of reports                        greet      megabytes before its greeting
    silent     no answer                                   deaf       no answer, and ignores SIGTERM
    exit       ends instead of answering                   start      ends before its greeting
    stdin      closes its input, then is silent            stdout     closes its output, then is silent
    after      answers again and again, after its move and after the end
"""

import json
import os
import signal
import sys
import time

PROTOCOL, BEHAVIOUR, *rest = sys.argv[1:]
TEXT = rest[0] if rest else ""
FIRST = {"xboard": "e2e4", "nboard": "D3", "hub": "9-13", "katago": "C3"}
CELLS = [column + row for row in "123" for column in "abc"]
NUMBERS = ("9" * 5000, "-" + "9" * 5000, "1e300", "nan", "inf", "٣", "²", "0x10", "", "--1")
moves = []
number = ""  # of the last GTP command


def write(data):
    while data:
        data = data[os.write(1, data) :]


def say(line):
    write(line.encode("utf-8", "surrogateescape") + b"\n")


def doing(behaviour):
    return behaviour == BEHAVIOUR


def sleep():
    while True:
        time.sleep(1000)


def pour(data):
    try:
        while True:
            write(data)
    except OSError:
        sys.exit()


def text_if_named(text):
    """TEXT if this behaviour applies here, else the usual text."""
    return TEXT if doing("name") else text


def free():
    if PROTOCOL in FIRST:
        return FIRST[PROTOCOL]
    return next(cell for cell in CELLS if cell not in moves)


def word():
    """The move."""
    if doing("move"):
        return TEXT
    if doing("illegal"):
        return moves[0] if moves and PROTOCOL not in FIRST else "A1"
    if doing("bytes"):
        return b"\xff\xfe\xc3(\xed\xa0\x80".decode("utf-8", "surrogateescape")
    if doing("long"):
        return "a" * 60_000
    return free()


def report(value, nodes, depth, line, text=""):
    """Report a search, in the protocol's format."""
    if PROTOCOL in ("uci", "ugi"):
        say(f"info depth {depth} seldepth {depth} score cp {value} nodes {nodes} hashfull {nodes} pv {line}")
        say(f"info depth {depth} score mate {value} nps {nodes} pv {line}")
        say(f"info string {text}")
    elif PROTOCOL == "xboard":
        say(f"{depth} {value} 7 {nodes} {line}")
        say(f"telluser {text}")
    elif PROTOCOL == "katago":
        answer_analysis(line, value, nodes, isDuringSearch=True, rootInfo={"visits": nodes, "winrate": value})
        answer_analysis(line, 0.5, depth, isDuringSearch=True, rootInfo={"visits": 7})
    elif PROTOCOL == "hub":
        say(f'info depth={depth} score={value} nodes={nodes} pv="{line}" {text}')
    elif PROTOCOL == "nboard":
        say(f"status {text}")
        say(f"search {line} {value} 0 {depth}")
        say(f"nodestats {nodes} {value}")
    else:
        say(f"info move {line} visits {nodes} winrate {value} pv {line} {text}")


def answer(move):
    if PROTOCOL == "gtp":
        if not doing("after"):
            moves.append(move.lower())
        say(f"={number} {move}\n")
    elif PROTOCOL == "nboard":
        say(f"=== {move}")
    elif PROTOCOL == "katago":
        answer_analysis(move, 0.5, 1, isDuringSearch=False)
    elif PROTOCOL == "hub":
        say(f'done move="{move}"')
    elif PROTOCOL == "xboard":
        say(f"move {move}")
    else:
        say(f"bestmove {move}")


def go():
    if doing("endless"):
        pour(b"x" * 65536)
    elif doing("lines"):
        pour(b"\n" * 65536)
    elif doing("flood"):
        lines = {
            "gtp": b"info move a1 visits 1 winrate 0.5 pv a1 b1\n",
            "nboard": b"search D3c3 1.5 0 4\nnodestats 12 0.1\n",
            "katago": b'{"id": "3", "isDuringSearch": true, "moveInfos": []}\n',
            "xboard": b"1 1 1 1 e2e4 e7e5\n",
            "hub": b"info depth=1 score=0.01 nodes=1 pv=9-13\n",
        }
        pour(lines.get(PROTOCOL, b"info depth 1 score cp 1 nodes 1 pv a1 b1\n") * 1000)
    elif doing("deaf") or doing("silent"):
        if doing("deaf"):
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sleep()
    elif doing("exit"):
        os._exit(0)
    elif doing("error"):
        os.write(2, TEXT.encode("utf-8", "surrogateescape") + b"\n")
        os._exit(3)
    elif doing("stdin") or doing("stdout"):
        os.close(0 if doing("stdin") else 1)
        sleep()
    elif doing("refuse"):
        say(json.dumps({"id": number, "error": TEXT}) if PROTOCOL == "katago" else f"?{number} {TEXT}\n")
        return
    elif doing("info"):
        report(TEXT, TEXT, TEXT, f"{free()} {TEXT}", TEXT)
        report(1, 2, 3, f"{free()} {TEXT}", TEXT)
    elif doing("numbers"):
        for text in NUMBERS:
            report(text, text, text, free())
    elif doing("pieces"):
        lines = {"gtp": f"={number} {free()}\n\n", "nboard": f"=== {free()}\n"}
        lines["xboard"] = f"move {free()}\n"
        lines["hub"] = f"done move={free()}\n"
        move = {"move": free(), "winrate": 0.5}
        lines["katago"] = json.dumps({"id": number, "moveInfos": [move]}) + "\n"
        for letter in lines.get(PROTOCOL, f"bestmove {free()}\n"):
            write(letter.encode())
            time.sleep(0.001)
        moves.append(free())
        return
    answer(word())
    if doing("after"):
        for _ in range(3):
            answer({"nboard": "H8", "hub": "1-5", "katago": "A1", "xboard": "a2a3"}.get(PROTOCOL, "c3"))
            report(5, 5, 5, "c3", "still here")
        if PROTOCOL == "gtp":
            moves.append(free())


def answer_analysis(move, value, visits, **more):
    """An answer of KataGo with one move."""
    info = {"move": move, "order": 0, "winrate": value, "visits": visits, "pv": [move, TEXT]}
    say(json.dumps({"id": number, "moveInfos": [info], **more}))


def introduce():
    if doing("start"):
        os._exit(4)
    if doing("greet"):
        pour(b"Welcome to this program.\n" * 1000)
    if doing("name"):
        say(TEXT)


def speak(line):
    global moves, number
    words = line.split()
    if PROTOCOL == "katago":
        query = json.loads(line)
        number = query["id"]
        if query.get("action") == "query_version":
            introduce()
        if "action" in query:
            say(json.dumps(query | {"version": text_if_named("1.15")}))
        else:
            go()
        return
    if PROTOCOL == "gtp":
        number, *words = words
    if words[0] in ("uci", "ugi"):
        introduce()
        say(f"id name {text_if_named('Hostile')}")
        say(f"option name {text_if_named('Level')} type string default {text_if_named('3')}")
        say(words[0] + "ok")
    elif words[0] == "protover":
        introduce()
        say(f'feature ping=1 myname="{text_if_named("Hostile")}" option="{text_if_named("Level -string 3")}"')
        say("feature done=1")
    elif words[0] == "nboard":
        introduce()
        say(f"set myname {text_if_named('Hostile')}")
    elif words[0] == "hub":
        introduce()
        say(f'id name="{text_if_named("Hostile")}"')
        say(f'param name=level value="{text_if_named("3")}"')
        say("wait")
    elif words[0] == "init":
        say("ready")
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "ping":
        say(" ".join(["pong", *words[1:]]))
    elif words[0] == "position":
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
    elif words[0] in ("go", "genmove"):
        go()
    elif words[0] == "quit":
        if doing("after"):
            sleep()
        sys.exit()
    elif PROTOCOL == "gtp":
        if words[0] == "protocol_version":
            introduce()
        if words[0] == "play":
            moves.append(words[2].lower())
        if words[0] == "clear_board":
            moves = []
        if words[0] == "Foo":
            say(f"?{number} {TEXT}\n")
            return
        say(f"={number} {text_if_named('')}\n")


for received in sys.stdin:
    if received.strip():
        speak(received)
