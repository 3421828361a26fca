"""The data that one seat receives and stores are independent of hidden information."""

import base64
import io
import json
import re
import sys
import zlib
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from gameplay import registry
from gameplay.cli import router, run
from gameplay.display.terminal.screen import Screen
from gameplay.errors import BadInput, Usage
from gameplay.games.shared import pack
from gameplay.matches.match import Match
from gameplay.matches.views import View
from gameplay.players import judge
from gameplay.players import seats as seating
from gameplay.players.empty_seat import EmptySeat
from gameplay.position import side
from gameplay.protocols.uci import Ugi
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from gameplay.store import record
from gameplay.store.record import decode, encode, record_of, seal
from gameplay.store.saved import write_record
from tests.support.paths import TESTS
from tests.support.themes import PLAIN

pytestmark = pytest.mark.once

TRICKS = str(TESTS / "examples" / "games" / "tricks.py")
WORDS = str(TESTS / "answers" / "few_words.txt")


def dealt(hands: str, rest: str = "") -> str:
    """The moves that deal these hands, one card to each in turn, and the moves after them."""
    cards = [map(pack.card_text, pack.parse_hand(hand, "a hand")) for hand in hands.split()]
    return " ".join([*(card for each in zip(*cards, strict=True) for card in each), rest]).strip()


NORTH, WEST = "J95.K87.AQ4.T862", "T842.T93.J73.AK5"
ONE, OTHER = "A73.QJ5.K962.974", "KQ6.A642.T85.QJ3"
MORE, LESS = "KQ6.QJ5.K962.974", "A73.A642.T85.QJ3"
TRICK = "2c 9c Qc 4s 3c Ts"  # west has no club: that much is known
OTHERS = " ".join(word for hand in (ONE, OTHER) for word in map(pack.card_text, pack.parse_hand(hand, "")))
UNPLAYED = " ".join(word for word in OTHERS.split() if word not in TRICK)

# Bridge, near its end, when solving a deal takes no time; east is dummy.
PLAY = (
    "2c 4c 3c Kc 3h Kh Qh 6h 8c 7c Jc 5c Qc Ac Tc 9c Jd Qd 2d 5d 9s 7s Qs Ts 8d 3d 4d 6d 4h 9h 7h Jh "
    "5h 2h Th 8h 8s"
)
LAST = "2s 4s 6s Td 7d Ks Ah"

# Two ways in which the same game may have begun for the first player, and what of it is the other's secret.
SECRETS = {
    "kuhn": (("K Q", "Q"), ("K J", "J")),
    "kuhn:players=3": (("K J Q check bet fold", "Q"), ("K J T check bet fold", "T")),
    "leduc": (("Ks Qh check check Js", "Qh"), ("Ks Kh check check Js", "Kh")),
    "liars-dice": (("3 6 1x3 2x2", ""), ("3 1 1x3 2x2", "")),
    "phantom-tictactoe": (("b2 a1", ""), ("b2 c3", "")),
    "battleship:rows=4,columns=4,ships=2+3": (
        ("a1-b1 d1-d2 a2-c2 b4-d4 a3 a1", "d1-d2 b4-d4"),
        ("a1-b1 c1-d1 a2-c2 d2-d4 a3 a1", "c1-d1 d2-d4"),
    ),
    "holdem": (("Ks Kh Qs Qh", "Qs Qh"), ("Ks Kh Js Jh", "Js Jh")),
    "stratego:army=barrage,start=chosen,quiet=20": (
        ("corner F-a10 B-b10 Y-c10 S-d10 S-e10 M-a9 G-b9 X-a7 e4-e5 a7-a6", "F-a10 M-a9 G-b9 X-a7"),
        ("corner F-b10 B-a10 Y-c10 S-d10 S-e10 M-b9 G-a7 X-a9 e4-e5 a7-a6", "F-b10 M-b9 G-a7 X-a9"),
    ),
    "bridge": (
        (dealt(f"{NORTH} {ONE} {OTHER} {WEST}", "pass 1D pass pass"), OTHERS),
        (dealt(f"{NORTH} {OTHER} {ONE} {WEST}", "pass 1D pass pass"), OTHERS),
    ),
    "bridge:contract=3N,declarer=W": (
        (dealt(f"{NORTH} {ONE} Q642.642.T85.QJ3 KT8.AT93.J73.AK5", PLAY), LAST),
        (dealt(f"{NORTH} {ONE} KQ6.A642.875.QJ3 T842.T93.JT3.AK5", PLAY), LAST),
    ),
    "hearts": (
        (dealt(f"{NORTH} {ONE} {OTHER} {WEST}", f"5s 9s Js As Qh Jh Ks Qs Ah Ac Kc 5c {TRICK}"), UNPLAYED),
        (dealt(f"{NORTH} {MORE} {LESS} {WEST}", f"5s 9s Js Ks Qh Jh As 7s Ah Ac Kc 5c {TRICK}"), UNPLAYED),
    ),
    f"scrabble:words={WORDS}": (
        ("A A B E I O T C D E E F G N", "CDEEFGN"),
        ("A A B E I O T H J K L M U N", "HJKLMUN"),
    ),
    TRICKS: (("K 6 9 T 7 A", "A"), ("K 6 9 T 7 Q", "Q")),
}
SEALED = re.compile(r'"sealed":"[^"]*"')
ASKED = "moves\nhint\nhint\neval\nwhy\nshow\nreplay\nreview\ndraw\nundo\nredo\nsave kept.json\n"
STAMPS = re.compile(r"\d{8}-\d{6}[\w-]*|\d\d\d\d-\d\d-\d\d[ T]\d\d:\d\d(:\d\d[+\d:]*)?")


def printed_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *line: str, typed: str = ""
) -> str:
    """All output of a command, without the time of day."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    run(router, "gameplay", list(line))
    out, err = capsys.readouterr()
    return STAMPS.sub("", out + err)


@pytest.mark.parametrize("spec", SECRETS)
def test_external_program_receives_nothing_hidden(spec: str) -> None:
    results = []
    for moves, _ in SECRETS[spec]:
        game, messages = registry.game(spec), []
        match = View(Match(game, [EmptySeat() for _ in range(game.new().players)], "", moves.split()), 0)
        talk = Ugi(SimpleNamespace(send=lambda line, deadline, messages=messages: messages.append(line)))
        talk.send_view(match, 0.0)
        results.append((match.start, match.words(), messages))
    assert results[0] == results[1] and len(results[0][2]) > 2


@pytest.mark.parametrize("spec", SECRETS)
def test_output_and_files_do_not_depend_on_hidden_information(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = registry.game(spec).new().players
    results = []
    monkeypatch.setattr(
        judge, "Limit", lambda **given: Limit(simulations=100, nodes=4000, multipv=given.get("multipv", 1))
    )
    for number, (moves, secret) in enumerate(SECRETS[spec]):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        monkeypatch.setenv("GAMEPLAY_HOME", str(folder / "home"))
        say = partial(printed_text, monkeypatch, capsys)
        play = ("play", spec, "--players", ",".join(["human"] + ["random"] * (seats - 1)), "--seed", "3")
        begun = (*play, "--moves", moves)
        texts = [say(*begun, *form, typed=ASKED) for form in ((), ("--json",), ("--jsonl",))]
        texts.append(say("resume", "1", typed=ASKED))
        texts.append(say("games", "--saved"))
        for form in ((), ("--json",), ("--ply", "2")):
            texts.append(say("replay", "1", *form))
        texts += [say("export", "1"), say("review", "1"), say("stats"), say("export", "kept.json")]
        kept = [file.read_bytes() for file in folder.rglob("*.json")]
        for text in kept:
            assert decode(text, "").words[: len(moves.split())] == moves.split(), "the game can go on"
        files = [STAMPS.sub("", text.decode()) for text in kept]
        texts += sorted(files, key=lambda text: SEALED.sub("", text))  # not by what is sealed
        plain = [SEALED.sub("", text.replace(str(folder), "")) for text in texts]
        assert any("sealed" in text for text in texts)
        if spec.startswith("bridge"):  # others have no engine that reviews them, or are over by then
            assert any("is reviewed after the game only" in text for text in texts)
        for word in secret.split():
            assert not [text for text in plain if re.search(rf"(?<![\w-]){word}(?![\w-])", text)]
        results.append(plain)
    for first, second in zip(*results, strict=True):
        assert first == second


@pytest.mark.parametrize("spec", SECRETS)
@pytest.mark.parametrize("size", [(40, 20), (80, 24), (140, 40)])
def test_no_drawing_shows_hidden_information(spec: str, size: tuple[int, int]) -> None:
    """For one human among engines, and for several humans at one keyboard."""
    seats = registry.game(spec).new().players
    for players in (["human", *["random"] * (seats - 1)], ["human"] * seats):
        pictures = []
        for moves, _ in SECRETS[spec]:
            match = Match(registry.game(spec), [EmptySeat(player) for player in players], moves=moves.split())
            screen = Screen(PLAIN, viewer=0 if players.count("human") == 1 else None)
            screen.match, screen.holder = match, 0
            pictures.append(screen.ansi(*size))
        assert pictures[0] == pictures[1]
        assert len(pictures[0].splitlines()) <= size[1]


def test_undo_keeps_the_deal_and_is_counted() -> None:
    moves = ["Ks", "Qh", "check", "check", "Js", "bet"]
    match = Match(registry.game("leduc"), [EmptySeat("human"), EmptySeat("human")], moves=moves)
    assert match.view(1).undo(9) == 1 and match.words() == moves[:5], "the open card is not taken back"
    assert match.undo() == 0 and match.taken_back == 1
    match.redo()
    assert record_of(match).taken_back == 1
    assert match.rewind(9) == 6, "who steps through a game goes to its start"
    over = Match(registry.game("tictactoe"), [EmptySeat("human"), EmptySeat("human")], moves=["a1"])
    assert over.undo() == 1 and not over.taken_back


def test_hidden_information_is_sampled_for_each_search() -> None:
    match = Match(registry.game("liars-dice:dice=5"), [EmptySeat("human"), EmptySeat("human")], seed=1)
    dealt = []
    for _ in range(2):
        while match.turn < 0:
            match.step()
        dealt.append(match.words())
        match.restart()
    assert dealt[0] != dealt[1]


def test_damaged_sealed_record_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(
        registry.game("kuhn"), [EmptySeat("human"), EmptySeat("human")], moves=["K", "Q", "check"], seed=7
    )
    whole = record_of(match)
    text = encode(seal(whole))
    assert b"check" not in text and b'"seed":7' not in text
    again = decode(text, "kept.json")
    assert (again.words, again.seed, again.moves) == (["K", "Q", "check"], 7, whole.moves)
    assert encode(again) == text, "whoever writes it again seals it"
    nested = encode(replace(whole, sealed=base64.b64encode(zlib.compress(text)).decode()))
    start = text.index(b'"sealed":"') + 12
    with pytest.raises(BadInput, match=r"kept.json: the sealed part of the record is damaged"):
        decode(text[:start] + b"AAAA" + text[start + 4 :], "kept.json")
    with pytest.raises(BadInput, match=r"kept.json: the sealed part of the record is damaged"):
        decode(nested, "kept.json")
    monkeypatch.setattr(record, "MAX_SEALED", 100)
    with pytest.raises(BadInput, match=r"kept.json: the sealed part of the record is damaged"):
        decode(text, "kept.json")
    with pytest.raises(Usage, match=r"until the game is over save it as .json"):
        write_record(whole, Path("kept.pbn"), None, True)


def thinkers(spec: str, position: Any, folder: Path) -> list[str]:
    """Players for the mover: engines, levels, a strategy with this infoset."""
    moves = [position.format(move) for move in position.moves()]
    shares = {word: (2 if number else 1) / (2 * len(moves) - 1) for number, word in enumerate(moves)}
    table = ", ".join(f"{json.dumps(word)} = {share}" for word, share in shares.items())
    known = json.dumps(repr(position.infoset(position.turn)))
    strategy = folder / "strategy.toml"
    name = json.dumps(side(position, position.turn))
    strategy.write_text(f"game = {json.dumps(spec)}\n[{name}]\n{known} = {{ {table} }}\n")
    names = [name for name in registry.engine_names() if registry.engine_class(name).hidden]
    names.remove("strategy")
    if not spec.startswith("kuhn"):
        names.remove("cfr")  # which would count the tree for long
    if not spec.startswith("scrabble"):  # where one deal, which is always finished, takes seconds
        names.append("pimc:by=rollout")
    return [*names, "ismcts:observers=single", f"strategy:{strategy}", "level:2"]


@pytest.mark.parametrize("spec", SECRETS)
def test_no_player_uses_hidden_information(spec: str, tmp_path: Path) -> None:
    """With another hidden part the answers are the same for the same seeds, and so is their distribution.

    They are asked by the referee, who hands them a view; engines are then handed the truth itself, which
    they must not look at.
    """
    game = registry.game(spec)
    truths = [game.new(moves) for moves, _ in SECRETS[spec]]
    limit = Limit(nodes=100, multipv=99)
    able, answers = 0, set()
    for name in thinkers(spec, truths[0], tmp_path):
        results: list[list[Any]] = []
        for (moves, _), truth in zip(SECRETS[spec], truths, strict=True):
            log: list[Any] = []
            match = Match(game, [EmptySeat()] * truth.players, moves=moves.split(), seed=5)
            for seed in (6, 7):
                try:
                    player = seating.player(name, game, seed, None if "level" in name else limit)
                    choice = player.choose(match.view(0))
                    assert choice is not None
                    log.append((choice.move, choice.report and choice.report.candidates))
                    if "level" not in name:
                        engine = registry.engine(f"{name}{',' if ':' in name else ':'}seed={seed}")[0]
                        report = Session(engine).search(truth, limit)
                        log.append((report.move, report.candidates))
                except Usage:
                    break  # it does not play this game
            results.append(log)
        assert results[0] == results[1], name
        able += bool(results[0])
        answers.update(move for move, _ in results[0])
    assert able >= 5, "random, ismcts, a strategy and levels play every game"
    assert len(answers) > 1, "they do not all answer the same whatever they are asked"
