"""The command-line options ``--jobs`` and ``--cluster`` for long computations."""

from __future__ import annotations

from argparse import Namespace, _ActionsContainer

from ..engine.parallel import Workers
from ..inputs.arguments import parse_number
from ..inputs.errors import BadInput

MOST_JOBS = 1024


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
