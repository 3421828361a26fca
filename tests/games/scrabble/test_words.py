"""Word lists: packed automata, refusals."""

from pathlib import Path
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import BadInput
from gameplay.games.scrabble import words as _words
from gameplay.games.scrabble.tiles import KINDS
from gameplay.kernel import compiled
from tests.support.scrabble import FEW, word_list


def test_word_list_round_trips() -> None:
    lexicon, facts = _words.load(_words.ENABLE)
    assert lexicon.words == int(facts["words"]) == 168_551 and facts["name"] == "ENABLE"
    assert _words.ENABLE.stat().st_size < 1_000_000
    for rank in range(0, lexicon.words, 997 if compiled() else 9973):
        word = lexicon.word(rank)
        assert lexicon.rank(word) == rank
        assert lexicon.rank(word + b"\x11\x11") == -1
    known = [lexicon.rank(bytes(ord(letter) - 64 for letter in word)) for word in ("AA", "QUIZ", "QZ", "A")]
    assert [rank >= 0 for rank in known] == [True, True, False, False]


def test_a_list_is_built_written_and_read_again(tmp_path: Path) -> None:
    words = sorted(word_list(FEW))
    lexicon, _ = _words.load(Path(FEW))
    assert ["".join(KINDS[letter] for letter in lexicon.word(rank)) for rank in range(lexicon.words)] == words
    file = tmp_path / "few.words"
    file.write_bytes(_words.pack(lexicon, {"name": "few"}))
    again, facts = _words.load(file)
    assert again.edge_array == lexicon.edge_array and facts["name"] == "few"
    damaged = bytearray(file.read_bytes())
    damaged[-3] ^= 1
    file = tmp_path / "damaged.words"
    file.write_bytes(damaged)
    with pytest.raises(BadInput, match=r"damaged.words: the checksum is not that of the words"):
        _words.load(file)
    file = tmp_path / "rootless.words"
    file.write_bytes(_words.pack(lexicon, {}).replace(b"\nroot ", b"\nroot 9999999999"))
    with pytest.raises(BadInput, match=r"rootless.words: root must be the number of a state"):
        _words.load(file)


def test_accepted_word_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words of 2 to 15 letters count, in any case; the first wrong line is reported."""
    file = tmp_path / "mine.txt"

    def read(text: str) -> Any:
        file.write_text(text)
        _words.load.cache_clear()
        return _words.load(file)

    longest = "abcdefghijklmno"
    text = f"# mine\n\nI\nat\n  Cat \nat\n{longest}\n{longest}p\n"
    lexicon, facts = read(text)
    assert (lexicon.words, facts) == (3, {"name": "mine"})
    assert read("at")[0].words == 1
    for wrong, message in (
        ("at\n\nit's\n", r"mine.txt: line 3: 'it's' is not a word of the letters A to Z$"),
        ("7" + 40 * "x", f"mine.txt: line 1: '7{29 * 'x'}' is not a word of the letters A to Z$"),
        ("a\n" + longest + "p", "mine.txt: there are no words of 2 to 15 letters$"),
        (
            "gameplay words 1\nroot 0\n",
            "mine.txt: the checksum is not that of the words: the file is damaged$",
        ),
    ):
        with pytest.raises(BadInput, match=message):
            read(wrong)
    monkeypatch.setattr(_words, "MAX_BYTES", len(text))
    assert read(text)[0].words == 3
    monkeypatch.undo()
    with file.open("wb") as large:
        large.truncate(50_000_001)
    _words.load.cache_clear()
    with pytest.raises(BadInput, match="too large for a list of words, 50,000,000 bytes at most"):
        _words.load(file)
    with pytest.raises(BadInput, match=r"there is no file .*none\.txt"):
        _words.load(tmp_path / "none.txt")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\ufeffWORD\nI'M\n", r"line 2: 'I'M' is not a word of the letters A to Z"),
        ("# none\n", r"there are no words of 2 to 15 letters"),
    ],
)
def test_invalid_word_list_is_refused(tmp_path: Path, text: str, line: str) -> None:
    file = tmp_path / "list.txt"
    file.write_text(text)
    with pytest.raises(BadInput, match=line):
        registry.game(f"scrabble:words={file}").new()
    with pytest.raises(BadInput, match=r"there is no file .*no\.txt"):
        registry.game(f"scrabble:words={tmp_path}/no.txt").new()
    with pytest.raises(BadInput, match=r"there is no file ~no body/no\.txt"):
        registry.game("scrabble:words=~no body/no.txt").new()


def chain(length: int) -> list[int]:
    """The automaton of one word of this number of As."""
    return [0, 1 | 3 << 5, *(1 | 1 << 6 | state << 7 for state in range(1, length))]


@pytest.mark.parametrize(
    ("edges", "line"),
    [
        ([0], "not a word automaton"),
        ([0, 1], "not a word automaton"),
        ([0, 1 | 1 << 6], "not a word automaton"),
        ([0, 1 | 3 << 5, 2 | 3 << 5 | 2 << 7], "not a word automaton"),
        (chain(1), "of fewer than 2 or more than 15 letters"),
        (chain(16), "of fewer than 2 or more than 15 letters"),
        (chain(100_000), "of fewer than 2 or more than 15 letters"),
    ],
)
def test_invalid_automata_are_refused(edges: list[int], line: str) -> None:
    assert _words.Lexicon(chain(15), 15).words == 1
    with pytest.raises(ValueError, match=line):
        _words.Lexicon(edges, len(edges) - 1)
