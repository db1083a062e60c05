"""The cache file, while several programs create it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from tui_casino.records.cache import Cache

PROGRAMS = 4


def test_programs_that_create_the_cache_simultaneously_keep_every_row(tmp_path: Path) -> None:
    for turn in range(20):
        path, together = tmp_path / f"{turn}.db", Barrier(PROGRAMS)

        def keep(number: int, path: Path = path, together: Barrier = together) -> None:
            cache = Cache(path)
            together.wait()
            cache.keep_reviews([(tmp_path / f"{number}.jsonl", 1, 1, b"a review")])

        with ThreadPoolExecutor(PROGRAMS) as programs:
            list(programs.map(keep, range(PROGRAMS)))
        kept = sorted(Path(log).stem for log, _, _ in Cache(path).reviews())
        assert kept == [str(number) for number in range(PROGRAMS)], f"at attempt {turn}"
    assert not [*tmp_path.glob("*.key.*")]
