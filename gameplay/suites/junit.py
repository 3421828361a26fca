"""JUnit XML of a regression suite or of students' results, for build servers.

One `testcase` per test: `failure` for a regression, `error` for a fault or bad input, `skipped` for an
inconclusive test or expected failure; the text has the reason, location and result. Figures are `properties`,
and also in `system-out` for servers that drop them: nested names are joined by dots (`sprt.llr`), lists by
commas. There is no official schema; this follows what pytest writes as xunit2.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from gameplay.suites.regress import CaseVerdict

CHILDREN = {
    "regression": "failure",
    "fault": "error",
    "bad input": "error",
    "inconclusive": "skipped",
    "expected failure": "skipped",
}


def document(verdicts: Sequence[CaseVerdict], name: str = "gameplay regress") -> bytes:
    """The XML of the verdicts, a `testsuite` for each file."""
    root = ElementTree.Element("testsuites", name=name)
    for file in dict.fromkeys(verdict.file for verdict in verdicts):
        _suite(root, file, [verdict for verdict in verdicts if verdict.file == file])
    for element in (root, *root):
        _count(element)
    ElementTree.indent(root)
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _suite(root: ElementTree.Element, file: str, verdicts: Sequence[CaseVerdict]) -> None:
    suite = ElementTree.SubElement(root, "testsuite", name=file)
    for verdict in verdicts:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=f"{file}.{verdict.kind}",
            name=_clean(verdict.name),
            file=file,
            time=f"{verdict.seconds:.3f}",
        )
        if verdict.line:
            case.set("line", str(verdict.line))
        figures = list(_figures(verdict.facts))
        if figures:
            properties = ElementTree.SubElement(case, "properties")
            for key, value in figures:
                ElementTree.SubElement(properties, "property", name=key, value=_clean(value))
        lines = [f"{key} = {value}" for key, value in figures]
        if verdict.state in CHILDREN:
            child = ElementTree.SubElement(case, CHILDREN[verdict.state], message=_clean(verdict.summary))
            if child.tag != "skipped":
                child.set("type", verdict.state)
            line = f", line {verdict.line}" if verdict.line else ""
            place = f"{verdict.file}{line}: {verdict.kind} '{verdict.name}'"
            child.text = _clean("\n".join([verdict.summary, place, *lines]))
        ElementTree.SubElement(case, "system-out").text = _clean("\n".join([verdict.summary, *lines]))


def _figures(facts: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, str]]:
    """Each fact with its dotted name and text."""
    for key, value in facts.items():
        if isinstance(value, Mapping):
            yield from _figures(value, f"{within}{key}.")
        else:
            yield within + key, _format_value(value)


def _format_value(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_format_value, value))
    return str(value)


def _count(element: ElementTree.Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for plural, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(plural, str(sum(case.find(tag) is not None for case in cases)))
    element.set("time", f"{sum(float(case.get('time', 0)) for case in cases):.3f}")


def _clean(text: str) -> str:
    """Remove characters that XML cannot represent."""
    return "".join(
        letter
        if letter in "\t\n"
        or " " <= letter <= "\ud7ff"
        or "\ue000" <= letter <= "\ufffd"
        or letter > "\uffff"
        else "?"
        for letter in text
    )
