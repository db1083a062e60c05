"""A lazy module is imported at the first call, and behaves as the real one."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import pytest

from tui_casino.gamekit.lazy_import import LazyModule, load_lazy

MODULE = """
LIMIT = 3

class Pair:
    def __init__(self, one, other=0):
        self.both = one, other

    @classmethod
    def of(cls, both):
        return cls(*both)

def twice(number, *, more=0):
    return 2 * number + more
"""


@pytest.fixture
def lazy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LazyModule:
    (tmp_path / "slow_to_load.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "slow_to_load", raising=False)
    return LazyModule("slow_to_load")


def test_naming_a_lazy_function_does_not_import_its_module_but_calling_does(
    lazy: LazyModule,
) -> None:
    twice = lazy.twice
    assert "slow_to_load" not in sys.modules
    assert twice(4, more=1) == 9
    assert "slow_to_load" in sys.modules
    assert lazy.twice == twice


def test_classes_and_constants_of_a_lazy_module_can_be_used(lazy: LazyModule) -> None:
    assert lazy.Pair(1, other=2).both == (1, 2)
    assert lazy.Pair.of((3, 4)).both == (3, 4)
    assert lazy.LIMIT == 3


def test_a_lazy_function_can_be_pickled(lazy: LazyModule) -> None:
    assert pickle.loads(pickle.dumps(lazy.twice))(2) == 4


def test_load_lazy_imports_the_module_of_a_lazy_function_and_ignores_others(
    lazy: LazyModule,
) -> None:
    load_lazy(None)
    load_lazy(len)
    assert "slow_to_load" not in sys.modules
    load_lazy(lazy.twice)
    assert "slow_to_load" in sys.modules


def test_missing_name_in_a_lazy_module_raises_attribute_error(lazy: LazyModule) -> None:
    with pytest.raises(AttributeError, match="no_such"):
        lazy.no_such()
    with pytest.raises(AttributeError):
        _ = lazy.Pair.no_such
