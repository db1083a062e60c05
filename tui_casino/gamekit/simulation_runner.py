"""Long computations on the console: the options for their workers, and a progress bar."""

from __future__ import annotations

from argparse import Namespace, _ActionsContainer
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TextIO, TypeVar

from ..engine.chance import SEED_LIMIT
from ..engine.parallel import Workers
from ..inputs.errors import BadInput
from ..inputs.numbers import parse_number
from ..inputs.sanitize import raw_stream

MOST_JOBS = 1024

R_co = TypeVar("R_co", covariant=True)
"""The result of a simulation."""


def add_worker_options(parser: _ActionsContainer, work: str, usual: str = "all") -> None:
    """Declare ``--jobs`` and ``--cluster``; their help texts name the ``work``."""
    parser.add_argument(
        "--jobs",
        metavar="N",
        help=f"the number of this machine's cores that run {work} (default: {usual})",
    )
    parser.add_argument(
        "--cluster",
        metavar="tcp://HOST:PORT",
        help=f"run {work} on the Dask cluster whose scheduler has this address",
    )


def workers_from_options(args: Namespace, usual: int | None = None) -> Workers:
    """Return the workers that the options choose, by default ``usual`` cores (``None``: all).

    Raises :class:`BadInput` for invalid options.
    """
    if args.cluster is None:
        jobs = usual if args.jobs is None else parse_number("--jobs", args.jobs, 1, MOST_JOBS)
        return Workers(jobs)
    if args.jobs is not None:
        raise BadInput("--jobs applies to this machine and cannot be used with --cluster")
    try:
        return Workers(cluster=args.cluster)
    except ValueError as error:
        raise BadInput(f"--cluster: {error}") from None


def refuse_options(args: Namespace, options: Iterable[str], reason: str) -> None:
    """Raise :class:`BadInput` with the reason if one of the options is given."""
    for option in options:
        if getattr(args, option) not in (None, False):
            raise BadInput(f"--{option} {reason}")


class Simulate(Protocol[R_co]):
    """Runs a simulation with a seed (``None``: a random one) and workers; reports its progress."""

    def __call__(
        self, *, seed: int | None, workers: Workers, progress: Callable[[int], None] | None
    ) -> R_co: ...


def run_simulation(args: Namespace, unit: str, count: int, simulate: Simulate[R_co]) -> R_co:
    """Simulate ``count`` rounds, called ``unit``, with a progress bar; return the result.

    The options are ``--seed`` and those of :func:`add_worker_options`. Raises :class:`BadInput` for
    invalid options.
    """
    seed = None if args.seed is None else parse_number("--seed", args.seed, -SEED_LIMIT, SEED_LIMIT)
    workers = workers_from_options(args)
    with progress_bar(unit, count, args.stderr) as progress:
        return simulate(seed=seed, workers=workers, progress=progress)


@contextmanager
def progress_bar(name: str, total: int, stream: TextIO) -> Iterator[Callable[[int], None] | None]:
    """Show a progress bar while the block runs, if the stream is a terminal.

    Yield a function that takes the number of finished parts, or ``None`` if the stream is not a
    terminal.
    """
    if not stream.isatty():
        yield None
        return
    from rich.console import Console  # late: not needed without a terminal
    from rich.progress import Progress

    shown = Progress(
        console=Console(file=raw_stream(stream)),
        transient=True,
        redirect_stdout=False,  # leave the streams of the process unchanged
        redirect_stderr=False,
    )
    with shown as progress:
        task = progress.add_task(name, total=total)
        yield lambda done: progress.update(task, completed=done)
