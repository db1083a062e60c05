"""What ``make compat`` tries: every package has a lowest version, and the tests named are there."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from tests.release.packages import ROOT

SPEC = spec_from_file_location("compat", ROOT / ".ci" / "compat.py")
assert SPEC
assert SPEC.loader
compat: Any = module_from_spec(SPEC)
SPEC.loader.exec_module(compat)


def test_every_package_has_a_lowest_version() -> None:
    extras = compat.PROJECT["optional-dependencies"]
    asked = [*compat.PROJECT["dependencies"], *(one for extra in extras.values() for one in extra)]
    others = [one for one in asked if not one.startswith("tui-casino[")]
    assert [one for one in others if not re.search(r">=\d", one)] == []
    assert compat.needed() | compat.needed(*extras) == {
        re.split(r"[\[>]", one)[0] for one in others
    }
    assert {*compat.UNLOADED} < compat.needed("dev")


def test_what_it_runs_is_there() -> None:
    for test in (*compat.PART, *compat.PROOFS):
        path, _, name = test.partition("::")
        assert (ROOT / path).exists(), path
        assert not name or f"def {name}(" in (ROOT / path).read_text()
