"""What ``make compat`` tries: every package has a lowest version, and the tests named are there."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from tests.release.packages import ROOT
from tui_casino.inputs.errors import missing_extra

SPEC = spec_from_file_location("compat", ROOT / ".ci" / "compat.py")
assert SPEC
assert SPEC.loader
compat: Any = module_from_spec(SPEC)
SPEC.loader.exec_module(compat)


def test_every_required_package_states_a_lowest_version() -> None:
    extras = compat.PROJECT["optional-dependencies"]
    asked = [*compat.PROJECT["dependencies"], *(one for extra in extras.values() for one in extra)]
    others = [one for one in asked if not one.startswith("tui-casino[")]
    assert [one for one in others if not re.search(r">=\d", one)] == []
    assert compat.needed() | compat.needed(*extras) == {
        re.split(r"[\[>]", one)[0] for one in others
    }
    assert {*compat.UNLOADED} < compat.needed("dev")


def test_tests_named_in_the_compatibility_script_exist() -> None:
    for test in (*compat.SCREEN, *compat.PART, *compat.PROOFS):
        path, _, name = test.partition("::")
        assert (ROOT / path).exists(), path
        assert not name or f"def {name}(" in (ROOT / path).read_text()


def test_error_about_a_missing_package_names_its_extra() -> None:
    code = "\n".join(path.read_text() for path in (ROOT / "tui_casino").rglob("*.py"))
    told = dict(re.findall(r'raise missing_extra\(".*?needs (\w+)[^"]*", "(\w+)"\)', code))
    assert {*told} == {"asyncssh", "aiohttp", "psycopg", "Dask"}
    assert all(package.lower() in compat.needed(extra) for package, extra in told.items())
    said = "serve needs asyncssh; run pip install 'tui-casino[serve]', or '.[serve]' in a checkout"
    assert str(missing_extra("serve needs asyncssh", "serve")) == said
