"""Third-party files of the web client are named with version, licence and checksum."""

from __future__ import annotations

import hashlib
import json
import re
import struct
from typing import Any

from tests.release.packages import ROOT
from tests.release.sbom import OURS, VENDOR, merged
from tui_casino.host.web.web_server import TYPES

BILL: dict[str, Any] = json.loads(OURS.read_text(encoding="utf-8"))
COMPONENTS: dict[str, dict[str, Any]] = {one["name"]: one for one in BILL["components"]}


def test_each_vendored_file_is_listed_once_with_its_checksum() -> None:
    named = [file for one in BILL["components"] for file in one["components"]]
    there = sorted(path.name for path in VENDOR.iterdir() if path.suffix in TYPES)
    assert sorted(file["name"] for file in named) == there
    for file in named:
        content = hashlib.sha256((VENDOR / file["name"]).read_bytes()).hexdigest()
        assert file["hashes"] == [{"alg": "SHA-256", "content": content}], file["name"]


def test_each_vendored_component_has_version_and_licence() -> None:
    for name, one in COMPONENTS.items():
        assert {"type", "version", "licenses", "externalReferences"} < set(one)
        assert one["bom-ref"].endswith(f"{name}@{one['version']}")
        assert one.get("purl", one["bom-ref"]) == one["bom-ref"]
        assert f"{name}.LICENSE.txt" in [file["name"] for file in one["components"]]
        assert f"`{name}" in (VENDOR / "README.md").read_text()
    own = "https://spdx.org/licenses/MIT: Permission is hereby granted, free of charge"
    for name in ("xterm", "addon-fit", "addon-webgl"):
        licence = " ".join((VENDOR / f"{name}.LICENSE.txt").read_text().split())
        assert own.partition(": ")[2] in licence
        assert COMPONENTS[name]["licenses"] == [{"license": {"id": "MIT"}}]


def test_vendored_font_has_the_listed_version() -> None:
    """The header of a WOFF 2 file (W3C, section 4.1) contains the version that its maker set."""
    for name in ("casino-mono.woff2", "casino-mono-bold.woff2"):
        signature, _, _, _, _, _, _, major, minor = struct.unpack(
            ">4sIIHHIIHH", (VENDOR / name).read_bytes()[:28]
        )
        assert signature == b"wOF2"
        assert f"{major + minor / 65536:.2f}" == COMPONENTS["casino-mono"]["version"]
    licence = (VENDOR / "casino-mono.LICENSE.txt").read_text()
    font = COMPONENTS["casino-mono"]
    [ancestor] = font["pedigree"]["ancestors"]
    assert f"{ancestor['name']} {ancestor['version']} " in licence.splitlines()[0]
    owners = re.findall(r"^Copyright \(c\) \d+ by ([^.,]*)", licence, re.MULTILINE)
    assert owners == ["Bitstream", "Tavmjong Bah"]
    assert len(font["licenses"]) == len(owners)


def test_bill_of_materials_lists_vendored_components_as_dependencies() -> None:
    bill = {
        "metadata": {"component": {"bom-ref": "us"}},
        "components": [{"bom-ref": "textual==8"}],
        "dependencies": [{"ref": "textual==8"}, {"ref": "us", "dependsOn": ["textual==8"]}],
    }
    after = merged(bill, BILL)
    names = {one["bom-ref"] for one in after["components"]}
    assert len(names) == 1 + len(COMPONENTS)
    needs = {one["ref"]: one.get("dependsOn", []) for one in after["dependencies"]}
    assert set(needs) == {"us", *names}
    assert set(needs["us"]) == names


def test_make_sbom_adds_vendored_components_to_the_bill_of_materials() -> None:
    recipe = (ROOT / "Makefile").read_text().partition("\nsbom:")[2].partition("\n\n")[0]
    assert "-m tests.release.sbom dist/sbom.cdx.json" in recipe
