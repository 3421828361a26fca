"""Pages on files and protocols: the docstrings of the modules that read, write and speak them."""

import importlib
import inspect

from reference.markdown import code, page, paragraphs, prose

FORMATS = {
    "Records of games": "game_formats",
    "PGN and PDN": "pgn",
    "EPD": "epd",
    "SGF": "sgf",
    "GGF": "ggf",
    "MAT": "mat",
    "XG": "xg",
    "OGXM": "ogxm",
    "PHH": "phh",
    "PBN": "pbn",
    "GCG": "gcg",
    "CSV and Parquet": "tabular",
    "Anki": "anki",
    "How games are read": "conversion",
    "How games are written": "encoding",
    "Text files": "text",
}
PROTOCOLS = {
    "UCI": "uci_side",
    "UGI": "ugi",
    "xboard": "xboard_side",
    "GTP": "gtp_side",
    "KataGo's analysis protocol": "katago_side",
    "Hub": "hub_side",
    "DXP": "dxp",
    "NBoard": "nboard_side",
}
COMMANDS = ("uci", "ugi", "xboard", "gtp", "katago", "hub", "dxp", "nboard")


def formats() -> dict[str, str]:
    """One page on the formats of records."""
    intro = "What `gameplay run import`, `gameplay run export` and `gameplay replay` read and write."
    return {"index": page("File formats", intro, *_sections("gameplay.store.formats", FORMATS))}


def protocols() -> dict[str, str]:
    """One page on the protocols that engines of this program speak as servers."""
    links = ", ".join(f"[`gameplay {name}`](../commands/{name}.md)" for name in COMMANDS)
    intro = f"What our engines understand and answer. Commands: {links}."
    return {"index": page("Protocols", intro, *_sections("gameplay.protocols", PROTOCOLS))}


def _sections(package: str, modules: dict[str, str]) -> list[str]:
    parts = []
    for title, name in modules.items():
        module = importlib.import_module(f"{package}.{name}")
        parts += [
            f"## {prose(title)}",
            paragraphs(inspect.getdoc(module) or ""),
            f"Module {code(module.__name__)}.",
        ]
    return parts
