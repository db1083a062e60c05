"""Functions for all benchmarks: the option ``--short``, the heading, and timing."""

from __future__ import annotations

import os
import platform
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import TypeVar

Sizes = TypeVar("Sizes")


def options(doc: str | None) -> ArgumentParser:
    """Return the parser of a benchmark's command line, with its docstring as the help."""
    parser = ArgumentParser(description=doc, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="do a little of everything, as a test")
    return parser


def chosen(doc: str | None, full: Sizes, short: Sizes) -> Sizes:
    """Read the command line and return the amount of work that it asks for."""
    return short if options(doc).parse_args().short else full


def heading(*packages: str) -> str:
    """Return a line with the machine and its current speed, and the versions of packages."""
    named = [f"Python {platform.python_version()}"]
    named += (f"{package} {version(package)}" for package in packages)
    load = os.getloadavg()[0]
    speed = f"load {load:.1f}; a loop of ten million takes {loop():.2f} s"
    return f"{_processor()}, {os.cpu_count()} cores; {', '.join(named)}; {speed}\n"


def loop() -> float:
    """Return the processor time of a loop of ten million, in seconds: the machine's speed."""
    start = process_time()
    for _ in range(10_000_000):
        pass
    return process_time() - start


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def once(job: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    start = perf_counter()
    job()
    return perf_counter() - start


def seconds(job: Callable[[], object], runs: int) -> float:
    """Return the median of the seconds that a call takes, over several runs."""
    return median(once(job) for _ in range(runs))
