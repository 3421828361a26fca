"""The list of components (SBOM) of a release, as CycloneDX JSON: dependencies, versions, licences.

Versions and licences are those of the environment in which the release is built and tested.
"""

import json
import tomllib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


def write(out: Path, epoch: int) -> Path:
    """Write the SBOM into the folder `out`, dated `epoch` (seconds since 1970), and return its file."""
    found = distribution("gameplay")
    file = out / f"gameplay-{found.version}.cdx.json"
    file.write_text(json.dumps(components(found, epoch), indent=2, ensure_ascii=False) + "\n", "utf-8")
    return file


def components(package: Distribution, epoch: int) -> dict[str, Any]:
    """Return the document for `package`: required, optional, and build-time components (scope `excluded`)."""
    extras = package.metadata.get_all("Provides-Extra") or []
    scopes: dict[str, str] = {}
    build = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    for scope, names in (
        ("required", closure(needs(package))),
        ("optional", closure(needs(package, *(extra for extra in extras if extra != "dev")))),
        ("excluded", closure(canonicalize_name(Requirement(line).name) for line in build)),
    ):
        for name in names:
            scopes.setdefault(name, scope)
    listed = {name: distribution(name) for name in sorted(scopes)}
    links = {"gameplay": (package, tuple(extra for extra in extras if extra != "dev"))}
    links |= {name: (found, ()) for name, found in listed.items()}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(epoch, UTC).isoformat(),
            "component": {"type": "application", **described("gameplay", package)},
        },
        "components": [
            {"type": "library", **described(name, found), "scope": scopes[name]}
            for name, found in listed.items()
        ],
        "dependencies": [
            {
                "ref": purl(name, found),
                "dependsOn": [purl(n, listed[n]) for n in sorted(set(needs(found, *extra))) if n in listed],
            }
            for name, (found, extra) in links.items()
        ],
    }


def closure(names: Iterable[str]) -> set[str]:
    """Return the names and, step by step, those that they need; without those that are not installed."""
    found: set[str] = set()
    ahead = list(names)
    while ahead:
        name = ahead.pop()
        if name in found:
            continue
        try:
            ahead += needs(distribution(name))
        except PackageNotFoundError:
            continue
        found.add(name)
    return found


def needs(package: Distribution, *extras: str) -> Iterator[str]:
    """Yield the names that `package` requires on this platform, with `extras` if any."""
    for line in package.requires or []:
        requirement = Requirement(line)
        if not requirement.marker or any(requirement.marker.evaluate({"extra": e}) for e in ("", *extras)):
            yield canonicalize_name(requirement.name)


def described(name: str, package: Distribution) -> dict[str, Any]:
    """Return name, version, licence and package URL of one component."""
    return {
        "bom-ref": purl(name, package),
        "name": name,
        "version": package.version,
        "licenses": [licence(package)],
        "purl": purl(name, package),
    }


def licence(package: Distribution) -> dict[str, Any]:
    """Return the licence as metadata give it: an SPDX expression, a line of text, or a classifier."""
    fields = package.metadata
    if "License-Expression" in fields:
        return {"expression": fields["License-Expression"]}
    line = fields["License"].strip() if "License" in fields else ""
    if not line or "\n" in line or len(line) > 80:  # some packages put the whole text here
        classified = [c for c in fields.get_all("Classifier") or [] if c.startswith("License ::")]
        line = classified[0].rpartition(" :: ")[2] if classified else "not stated"
    return {"license": {"name": line}}


def purl(name: str, package: Distribution) -> str:
    return f"pkg:pypi/{name}@{package.version}"
