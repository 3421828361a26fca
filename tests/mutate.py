"""Do the tests bite?  Change one thing of the code at a time and see whether some test falls.

    make mutate SEED=7 COUNT=40 FILES="gameplay/runs gameplay/value.py"

Draws files of the package and single mutations of each (`mutations` says which there are), always the same
for the same seed and sources. Each is made in a throw-away copy of the checkout, where the tests that matter
for the file (`near`) run first and, if they pass, all the others. Modules that have a .pxd are tested as pure
Python. A mutant is

    caught          some test fails, or runs for so long that it will not end
    signature only  only the signature of the search differs: `gameplay signature --update` would accept it
    survived        nothing fails: write the test that is missing, or see that the mutant does the same

The tests of packaging are left out: they build what the others test.
"""

import argparse
import ast
import contextlib
import difflib
import functools
import importlib.util
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parent.parent
OF_A_FILE = 4  # mutants of each file drawn, since its tests run once without any
CONTRACT = "tests/conformance/test_games.py"  # what every game must satisfy
SIGNATURE = "tests/conformance/test_signature.py"
NEVER = 7200  # seconds; no run of all tests takes that long

COMPARISONS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
}  # fmt: skip
ARITHMETIC = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "*"), ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"), ast.BitXor: ("^", "|"),
}  # fmt: skip
BOOLEAN = {ast.And: ("and", "or"), ast.Or: ("or", "and")}


@dataclass(frozen=True)
class Mutation:
    """One change of a source: the `line` where it is, and the whole `text` with it."""

    line: int
    text: str


def mutations(source: str) -> list[Mutation]:
    """Every single mutation of a source, in the order of the file.

    Comparisons, arithmetic, and/or; `not` and minus dropped, conditions negated; numbers one more, True for
    False; calls, assignments to attributes and items, raise, break and continue dropped; None returned.
    Annotations, words, what only the compiler runs and whether a class is frozen stay as they are.
    """
    data = source.encode()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def begin(node: ast.AST) -> int:
        return starts[node.lineno - 1] + node.col_offset

    def end(node: ast.AST) -> int:
        return starts[node.end_lineno - 1] + node.end_col_offset

    results: list[tuple[int, Mutation]] = []
    for node in mutable_nodes(ast.parse(source)):
        for at, stop, new in changes(node, data, begin, end):
            text = (data[:at] + new.encode() + data[stop:]).decode()
            results.append((at, Mutation(data[:at].count(b"\n") + 1, text)))
    return [mutation for _, mutation in sorted(results, key=lambda pair: pair[0])]


def mutable_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that a mutation may change."""
    if isinstance(node, (ast.JoinedStr, ast.Import, ast.ImportFrom)):
        return  # before Python 3.12 nothing in an f-string has its place in the file
    if isinstance(node, ast.FunctionDef) and node.name == "__dealloc__":
        return
    if isinstance(node, ast.keyword) and node.arg == "frozen":  # or not: nobody writes there
        return
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns"):
            continue
        if (
            field == "body"
            and isinstance(node, ast.If)
            and re.search("compiled|CHECKING", ast.dump(node.test))
        ):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from mutable_nodes(child)


def compiler(test: ast.expr) -> bool:
    """True if a condition concerns only the compiler or the type checker."""
    return not isinstance(test, ast.UnaryOp) and bool(re.search("compiled|CHECKING", ast.dump(test)))


def changes(node, data, begin, end):
    """Yield each replacement: begin, end, text."""

    def between(left, right, words):
        gap = data[end(left) : begin(right)].decode()
        old = re.search(r"\s+".join(map(re.escape, words[0].split())), gap)
        if old:  # always, but for a comment that has it before
            at = end(left) + len(gap[: old.start()].encode())
            yield at, at + len(old[0]), words[1]

    match node:
        case ast.Compare():
            lefts = [node.left, *node.comparators]
            for left, operator, right in zip(lefts, node.ops, node.comparators, strict=False):
                yield from between(left, right, COMPARISONS[type(operator)])
        case ast.BinOp() if type(node.op) in ARITHMETIC:
            yield from between(node.left, node.right, ARITHMETIC[type(node.op)])
        case ast.AugAssign():
            if type(node.op) in ARITHMETIC:
                yield from between(node.target, node.value, ARITHMETIC[type(node.op)])
            yield begin(node), end(node), "pass"
        case ast.BoolOp():
            for left, right in pairwise(node.values):
                yield from between(left, right, BOOLEAN[type(node.op)])
        case ast.UnaryOp(op=ast.Not()):
            yield begin(node), begin(node) + len("not"), ""
        case ast.UnaryOp(op=ast.USub()):
            yield begin(node), begin(node) + len("-"), ""
        case ast.Constant(value=bool()):
            yield begin(node), end(node), str(not node.value)
        case ast.Constant(value=int() | float()):
            yield begin(node), end(node), repr(node.value + 1)
        case (
            ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom())
            | ast.Raise()
            | ast.Break()
            | ast.Continue()
        ):
            yield begin(node), end(node), "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield begin(node), end(node), "pass"
        case ast.Return(value=ast.expr() as value) if not (
            isinstance(value, ast.Constant) and value.value is None
        ):
            yield begin(node), end(node), "return None"
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            # Of `not`, == and the like that is done above.
            ordered = isinstance(test, ast.Compare) and isinstance(
                test.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
            )
            if not compiler(test) and (ordered or not isinstance(test, (ast.UnaryOp, ast.Compare))):
                yield begin(test), end(test), f"not ({data[begin(test) : end(test)].decode()})"


def near(root: Path, file: Path) -> list[str]:
    """The test files that matter for a file: that of its name, those that import it, those that name it.

    In this order, then by how often. Where there is none, those of the modules that import it.
    """
    room, stem = ".".join(file.parent.relative_to(root).parts), file.stem
    name_of = file.parent.name if stem in ("game", "engine") else stem
    mirrored = (root / "tests").joinpath(*file.parent.relative_to(root).parts[1:])
    own = mirrored / f"test_{stem}.py", mirrored.with_name(f"test_{name_of}.py")
    named = re.compile(rf"""["'`]{name_of}["':, ]""")
    layer = file.relative_to(root).parts[1]
    called = layer in ("games", "engines", "cli", "protocols")  # by name, not imported
    ranks: dict[str, tuple[int, int]] = {}
    for test, text in sources(root / "tests", "**/test_*.py"):
        if test in own:
            rank = 0, 0
        elif imports(text, room, stem):
            rank = 1, -text.count(stem)
        elif called and name_of in text and named.search(text):
            rank = 2, -text.count(name_of)
        elif layer == "games" and test == root / CONTRACT:
            rank = 2, 0
        else:
            continue
        ranks[str(test.relative_to(root))] = rank
    ranks.pop("tests/test_packaging.py", None)
    if ranks:
        return sorted(ranks, key=lambda name: (ranks[name], name))
    users = [path for path, text in sources(root / "gameplay", "**/*.py") if imports(text, room, stem)]
    tests = [near(root, user) for user in users if user.stem != "__init__" and user != file]
    return list(dict.fromkeys(test for names in tests for test in names))


@functools.cache
def sources(folder: Path, pattern: str) -> list[tuple[Path, str]]:
    """The sources of a folder, by file."""
    return [(file, file.read_text()) for file in sorted(folder.glob(pattern))]


def imports(text: str, room: str, stem: str) -> bool:
    """True if a source imports the module `stem` of `room`."""
    if f'"{room}.{{' in text:  # import_module(f"room.{name}")
        return True
    if stem not in text or room not in text:
        return False
    whole = f"{room}.{stem}"
    return stem in several(text, room) or (
        whole in text and bool(re.search(rf"\b{re.escape(whole)}\b", text))
    )


@functools.cache
def several(text: str, room: str) -> frozenset[str]:
    """The names that a source imports from a room."""
    matches = re.findall(rf"from {re.escape(room)} import (?:\(([^)]*)|([^(\n]*))", text)
    return frozenset(re.findall(r"\w+", " ".join(first or second for first, second in matches)))


class Copy:
    """A temporary copy of the checkout at `root`, including compiled modules."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder / root.name
        skipped = shutil.ignore_patterns(
            ".git", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".*_cache"
        )
        shutil.copytree(root, self.folder, ignore=skipped)
        self.home = folder / "home"
        self.home.mkdir()

    def write(self, file: Path, text: str) -> None:
        """`file`: in the copy. Its bytecode is removed: a mutant may have the same size and time stamp.

        Its time stamp stays: newer than its compiled module, it would stop the tests of other files.
        """
        Path(importlib.util.cache_from_source(str(file))).unlink(missing_ok=True)
        if file.read_text() != text:
            was = file.stat()
            file.write_text(text)
            os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))

    def tests(self, words: list[str], pure: bool, limit: float) -> str:
        """Run pytest with these words. The first test that fails, "" if none does."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "HOME": str(self.home)}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=no", *words]
        if pure:
            environment["GAMEPLAY_PURE"] = "1"
            command += ["-m", "not once"]
        with tempfile.TemporaryFile() as output:
            ran = subprocess.Popen(
                command, cwd=self.folder, env=environment, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip
            try:
                status = ran.wait(limit)
            except subprocess.TimeoutExpired:
                return f"no end in {limit:.0f} s"
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(ran.pid, signal.SIGKILL)
                ran.wait()
            output.seek(0)
            out = output.read().decode(errors="replace")
        if status in (0, 5):  # 5: no test of that choice
            return ""
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", out, re.MULTILINE)
        return failed[1] if failed else " ".join(out.split()[-8:]) or f"status {status}"


def sample_mutations(root: Path, chosen: list[str], seed: int, count: int) -> list[tuple[Path, Mutation]]:
    """The sample: random files, and random mutations of each."""
    draw = random.Random(seed)
    files = []
    for name in chosen or ["gameplay"]:
        place = (root / name).resolve()
        if not place.exists() or not place.is_relative_to(root):
            raise SystemExit(f"there is no {name} in {root}; FILES are files and folders of the checkout")
        files += sorted(place.rglob("*.py")) if place.is_dir() else [place]
    sample: list[tuple[Path, Mutation]] = []
    draw.shuffle(files)
    while files and len(sample) < count:
        rest = []
        for file in files:
            if len(sample) >= count:
                break
            left = [mutation for mutation in mutations(file.read_text()) if (file, mutation) not in sample]
            for mutation in draw.sample(left, min(OF_A_FILE, len(left), count - len(sample))):
                sample.append((file, mutation))
            if len(left) > OF_A_FILE:
                rest.append(file)
        files = rest
    return sample


def difference(old: str, new: str) -> str:
    """The lines that a mutation changes."""
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), n=1, lineterm=""))
    return "\n".join(f"        {line}" for line in lines[3:])


def main(words: list[str] | None = None, root: Path = ROOT) -> int:
    """Print a line for each mutant, the changes of those that survived, and the share caught."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="which sample")
    parser.add_argument("--count", type=int, default=20, help="how many mutants")
    parser.add_argument("--near", action="store_true", help="run the tests that matter only, not the others")
    parser.add_argument("files", nargs="*", help="files and folders of the package; without any, all of it")
    asked = parser.parse_args(words)
    root = root.resolve()
    counts: Counter[str] = Counter()
    clean: dict[tuple[str, bool], float] = {}  # seconds of each test file
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        Path(folder).chmod(0o755)  # some tests give up root's powers, and import what they need after that
        copy = Copy(root, Path(folder))
        for original, mutation in sample_mutations(root, asked.files, asked.seed, asked.count):
            name = original.relative_to(root)
            file = copy.folder / name
            hot = original.with_suffix(".pxd").exists()
            matter = near(root, original)
            others = [
                test
                for test in (
                    str(file.relative_to(root)) for file, _ in sources(root / "tests", "**/test_*.py")
                )
                if test not in [*matter, "tests/test_packaging.py"]
            ]
            apart = ["-k", "not signature"]

            # 1. Tests that fail by themselves would catch everything; and how long they take.
            for test in matter:
                if (test, hot) not in clean:
                    began = time.monotonic()
                    failed = copy.tests([*apart, test], hot, NEVER)
                    if failed:
                        print(f"{failed} fails without any mutation: mend that first")
                        return 1
                    clean[test, hot] = time.monotonic() - began

            # 2. The mutant against the tests that matter, the others, and the signature.
            began = time.monotonic()
            copy.write(file, mutation.text)
            limit = 60 + 4 * sum(clean[test, hot] for test in matter)
            by = copy.tests([*apart, *matter], hot, limit) if matter else ""
            if not by and not asked.near:
                by = copy.tests([*apart, *others], hot, NEVER)
            fate = "caught"
            if not by:
                by = copy.tests(["-k", "signature", SIGNATURE], hot, NEVER) if hot else ""
                fate = "signature only" if by else "survived"
            copy.write(file, original.read_text())
            counts[fate] += 1
            print(f"{fate:14}  {name}:{mutation.line}  {by}  ({time.monotonic() - began:.0f} s)", flush=True)
            if fate != "caught":
                print(difference(original.read_text(), mutation.text), flush=True)
    total = sum(counts.values())
    if total:
        parts = ", ".join(f"{counts[fate]} {fate}" for fate in ("caught", "signature only", "survived"))
        print(f"{total} mutants: {parts}; {counts['caught'] / total:.0%} caught")
    return 0


if __name__ == "__main__":
    sys.exit(main())
