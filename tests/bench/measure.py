"""What the benches share: ``--short``, the machine that they ran on, and how long a call takes."""

from __future__ import annotations

import os
import platform
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TypeVar

Sizes = TypeVar("Sizes")


def options(doc: str | None) -> ArgumentParser:
    """Give the command line of a bench that says this of itself."""
    parser = ArgumentParser(description=doc, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument(
        "--short", action="store_true", help="a little of everything, to see that it works"
    )
    return parser


def chosen(doc: str | None, full: Sizes, short: Sizes) -> Sizes:
    """Read the command line, and give how much it wants to be done."""
    return short if options(doc).parse_args().short else full


def heading(*packages: str) -> str:
    """Name the machine and the versions, and tell how much else it has to do at the moment."""
    named = [f"Python {platform.python_version()}"]
    named += (f"{package} {version(package)}" for package in packages)
    load = os.getloadavg()[0]
    return f"{_processor()}, {os.cpu_count()} cores; {', '.join(named)}; load {load:.1f}\n"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def once(job: Callable[[], object]) -> float:
    """Give the seconds that a call takes."""
    start = perf_counter()
    job()
    return perf_counter() - start


def seconds(job: Callable[[], object], runs: int) -> float:
    """Give the median of the seconds that a call takes, over so many."""
    return median(once(job) for _ in range(runs))
