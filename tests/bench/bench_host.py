"""Measure how much a server with real SSH clients can do on one core.

    python tests/bench/bench_host.py [--short] [--core N] [--connects N] [--sittings N]
                                     [--crowds 60,120] [--seconds N] [--only PART ...]

Print Markdown. The server and its sessions run on one core, ``--core`` (by default the last
one). The clients run in separate processes on the other cores, if there are any. Attackers
use another loopback address. These are the parts:

* ``keys``: a table of each game through OpenSSH's client. Each key is pressed after the effect of
  the previous key is complete. The processor time is the sum of gateway, cage and session; the
  bytes are those sent to the terminal.
* ``entry``: the time from the connection to the menu, and from the key to the table; the memory of
  a session.
* ``crowd``: several sessions spread over all games, first with one key per second each on average,
  then more. Each player presses keys at random moments of their own.
* ``attacks``: the delay of a player who holds and releases a card four times a second during
  attacks.
* ``leaks``: many connections, and the resources that they leave in use.
* ``killed``: every process is killed while hands are open at tables of three games. All hands are
  resumed, and then the server drains.

``bench_house.py`` measures buy-ins and cash-outs.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

from tests.bench.bench_keys import BESIDE, KINDS, MEAN_KEY, played_at, yes_or_no
from tests.bench.measure import heading, options
from tests.bench.pty_program import Program, Window, surroundings
from tests.bench.rounds import ROUNDS, Seated
from tests.helpers.external_programs import program_path
from tests.host import load_clients
from tests.host.attacks import ATTACKS, attack
from tests.host.load_clients import Player, Stage, enrol, nobody_left, open_files, processor
from tests.host.loopback_server import Host, accounts, host, new_key
from tests.host.misbehaving_host import COUNT, PROGRAM
from tui_casino.gamekit.registry import GAMES

CONFIG = """sessions = 1000
excepted = []
connects = 100000
connections = 10000
logins = 10000
"""
ATTACKER = "127.0.0.2"
ATTACKERS = 4
LOGINS = ("connections", "logins that are cut")
"""The attacks whose rate is printed."""
DEFINITION = ("keys", "entry", "crowd", "attacks", "leaks", "killed")
MEGABYTE = 1e6


class Sizes(NamedTuple):
    """The amount of work; ``seconds`` is the duration of a stage of a crowd, and of an attack.

    ``played`` is the number of keys before a session's memory is measured again. ``alone`` is
    the number of seconds in which the server prepares tables for sessions.
    """

    games: int
    rounds: int
    entries: int
    crowds: tuple[int, ...]
    rates: tuple[float, ...]
    seconds: float
    attacked: float
    attacks: int
    connects: int
    sittings: int
    grace: int
    played: int
    alone: float


FULL = Sizes(5, 5, 50, (60, 120), (1.3, 1.6, 1.9), 15, 4, 99, 1_000, 200, 5, 14, 20)
SHORT = Sizes(1, 1, 1, (2,), (), 0.5, 0.5, 1, 4, 2, 0, 1, 0)


class Goal(NamedTuple):
    """A figure with its format and its upper target."""

    what: str
    figure: float
    form: str = ".0f"
    most: float | None = None

    def print(self) -> None:
        goal = (
            ["", ""] if self.most is None else [f"{self.most:g}", yes_or_no(self.figure, self.most)]
        )
        print(f"| {self.what} | {self.figure:,{self.form}} | {' | '.join(goal)} |")


class Bench:
    """A running server, with its processes and those of the clients."""

    def __init__(self, house: Host, clients: ProcessPoolExecutor, sizes: Sizes) -> None:
        self.house, self.sizes, self._clients = house, sizes, clients
        self.zygote, self.gateway, self.cage = house.helpers

    def do(self, job: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Run an action of the clients."""
        return self._clients.submit(_run, job, *arguments)

    def alone(self) -> None:
        """Wait until all visitors have left."""
        asyncio.run(nobody_left(self.zygote))


def _run(job: Callable[..., Any], *arguments: Any) -> Any:
    return asyncio.run(job(*arguments))


def main(sizes: Sizes, core: int, parts: Sequence[str]) -> None:
    """Print the tables."""
    cores = os.sched_getaffinity(0)
    others = cores - {core} or cores
    held = f"the host on core {core}, the clients on {', '.join(map(str, sorted(others)))}"
    print(f"{heading('textual', 'asyncssh').strip()}; {held}\n")
    context = get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as home,
        ProcessPoolExecutor(2, context, os.sched_setaffinity, (0, others)) as clients,
    ):
        with _hosted(Path(home), core, others, sizes.grace) as house:
            bench = Bench(house, clients, sizes)
            time.sleep(sizes.alone)
            print("| | | target | met |\n|---|--:|--:|---|")
            for part in DEFINITION[:-1]:
                if part in parts:
                    globals()[part](bench)
                    bench.alone()
        if "killed" in parts:
            killed(Path(home) / "again", core, others, clients, sizes)
    print(f"\nThe load at the end: {os.getloadavg()[0]:.1f}.")


@contextmanager
def _hosted(home: Path, core: int, others: set[int], grace: int) -> Iterator[Host]:
    os.sched_setaffinity(0, {core})
    metrics = ("--metrics", "127.0.0.1:0")
    with host(home, *metrics, config=f"grace = {grace}\n{CONFIG}", program=PROGRAM) as house:
        os.sched_setaffinity(0, others)
        yield house


# ---- a key ---------------------------------------------------------------------------------------


class Far(Program):
    """OpenSSH's client on a terminal; its cost is the processor time of the server."""

    processes: Sequence[int] = ()

    def processor(self) -> float:
        """Return the processor time of the server's processes for this session."""
        return processor(self.processes)


def keys(bench: Bench) -> None:
    """Play rounds of each game, key by key."""
    work, size = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    for slug in islice(ROUNDS, bench.sizes.games):
        with _far(bench) as (program, logs):
            menu = program.shown(load_clients.MENU)
            size["menu"].append(len(menu.text))
            slugs = [game.slug for game in GAMES]
            program.press(str(slugs.index(slug) + 1))
            table = Seated(program, logs)
            idle = program.idle(1.0)
            size["idle, a second"].append(len(idle.text))
            for _ in range(bench.sizes.rounds):
                for stroke in islice(ROUNDS[slug](table), 60):
                    kind = f"{slug}: {stroke.kind}"
                    written = table.press(stroke)
                    rest = idle.work / idle.took * written.took
                    work[kind].append(1000 * max(0.0, written.work - rest))
                    size[kind].append(len(written.text))
        bench.alone()
    told = [kind for kind in KINDS if kind in work]
    means = [
        fmean([w for kind in played_at(slug) for w in work[kind]])
        for slug in islice(ROUNDS, bench.sizes.games)
    ]
    Goal("processor time a key, ms: mean of all games", fmean(means), ".1f", MEAN_KEY).print()
    Goal("keys a second and core that this makes", 1000 / fmean(means)).print()
    for kind in told:
        Goal(f"{kind}: ms", median(work[kind]), ".1f", KINDS[kind].work).print()
    Goal("menu: bytes", median(size["menu"]), ".0f", 9_000).print()
    for kind in (f"{BESIDE}: hold", f"{BESIDE}: deal", "baccarat: coup"):
        if size[kind]:
            Goal(f"{kind}: bytes", median(size[kind]), ".0f", KINDS[kind].size).print()
    Goal("idle, a second: bytes", median(size["idle, a second"]), ".0f", 0).print()


@contextmanager
def _far(bench: Bench) -> Iterator[tuple[Program, Path]]:
    key = new_key()
    player = bench.house.add_player(key, f"Far {os.urandom(4).hex()}")
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        key.write_private_key(home / "id")
        (home / "id").chmod(0o600)
        window = Window(100, 30)
        told = {"IdentitiesOnly": "yes", "StrictHostKeyChecking": "no", "LogLevel": "ERROR"}
        told |= {"UserKnownHostsFile": "/dev/null", "SendEnv": "COLORTERM"}
        command = [program_path("ssh"), "-F", "none", "-i", str(home / "id")]
        command += [f"-o{name}={value}" for name, value in told.items()]
        command += ["-p", str(bench.house.port), "far@127.0.0.1"]
        program = Far(command, surroundings(home, window), window)
        try:
            late = time.monotonic() + 20
            folder = str(bench.house.data.player(player.id).resolve())
            session = None
            while session is None:
                assert time.monotonic() < late, "no session"
                with suppress(AssertionError):
                    session = load_clients.session_of(Player(0, b"", folder))
            program.processes = (bench.gateway, bench.cage, session)
            yield program, Path(folder) / "sessions"
        finally:
            program.processes = ()
            program.close()


# ---- coming in -----------------------------------------------------------------------------------


def entry(bench: Bench) -> None:
    """Connect and open tables one after the other; measure the private memory of sessions."""
    players = enrol(bench.house, min(5, bench.sizes.entries), "Entrant")
    each = -(-bench.sizes.entries // len(players))
    found = [
        entered
        for player, slug in zip(players, ROUNDS, strict=False)
        for entered in bench.do(load_clients.enter_and_go, player, slug, each).result()
    ]
    Goal(
        "connect to menu, p95, ms", 1000 * _part([e.menu for e in found], 0.95), ".0f", 120
    ).print()
    Goal("menu to table, p95, ms", 1000 * _part([e.table for e in found], 0.95), ".0f", 110).print()
    slugs = [*islice(ROUNDS, bench.sizes.games)]
    own, played = zip(
        *(
            (staked / MEGABYTE, after / MEGABYTE)
            for slug in slugs
            for staked, after in bench.do(
                load_clients.memories, players[:1], slug, bench.zygote, bench.sizes.played
            ).result()
        ),
        strict=True,
    )
    Goal("memory that a session has to itself, MB: mean", fmean(own), ".1f", 20).print()
    Goal("the most of it at a game, MB", max(own), ".1f").print()
    keys = f"after {bench.sizes.played} keys, by which choices are weighed"
    Goal(f"{keys}, MB: mean", fmean(played), ".1f").print()
    Goal(f"{keys}, MB: the most", max(played), ".1f").print()


def _part(figures: Sequence[float], part: float) -> float:
    return sorted(figures)[round(part * (len(figures) - 1))]


# ---- many ----------------------------------------------------------------------------------------


def crowd(bench: Bench) -> None:
    """Let players at all games press keys faster and faster."""
    sizes, most = bench.sizes, bench.sizes.crowds[-1]
    stages = [Stage(number, 1, sizes.seconds) for number in sizes.crowds]
    stages += [Stage(most, rate, sizes.seconds) for rate in sizes.rates]
    processes = {"gateway": [bench.gateway], "cage": [bench.cage], "sessions": [-bench.zygote]}
    players = enrol(bench.house, most, "Member")
    reached = 0.0
    for heard in bench.do(load_clients.crowd, players, stages, processes).result():
        stage, took = heard.stage, heard.took
        name = f"{stage.lines} sessions, {stage.lines * stage.rate:.0f} keys a second"
        work = sum(heard.work.values())
        goal = 75 if stage.rate == 1 else None
        Goal(f"{name}: key to paint, p50, ms", 1000 * median(took), ".0f").print()
        Goal(f"{name}: p99, ms", 1000 * _part(took, 0.99), ".0f", goal).print()
        parts = ", ".join(f"{what} {w / heard.keys * 1000:.1f}" for what, w in heard.work.items())
        Goal(
            f"{name}: ms of processor time a key ({parts})", 1000 * work / heard.keys, ".1f"
        ).print()
        Goal(f"{name}: of the core, %", 100 * work / stage.seconds).print()
        if len(took) > 0.8 * heard.keys and median(took) < 0.25:
            reached = max(reached, stage.lines * stage.rate)
    Goal("keys a second that were pressed and did not saturate it (target 130)", reached).print()


# ---- attacks -------------------------------------------------------------------------------------


def attacks(bench: Bench) -> None:
    """Measure the longest delay of a card for a player during attacks."""
    (calm,) = enrol(bench.house, 1, "Bystander")
    foes = [p._replace(source=ATTACKER) for p in enrol(bench.house, ATTACKERS, "Foe")]
    seconds, slowest = bench.sizes.attacked, 0.0
    for name in ("nobody attacks", *islice(ATTACKS, bench.sizes.attacks)):
        attacking = None
        if name in ATTACKS:
            attacking = bench.do(attack, name, foes, seconds + 3)
            time.sleep(min(1.5, seconds))
        before = bench.house.metric("connects_total")
        took = sorted(bench.do(load_clients.holds, calm, seconds).result())
        rate = (bench.house.metric("connects_total") - before) * 60 / sum((seconds, *took))
        if attacking is not None:
            attacking.result()
            slowest = max(slowest, took[-1])
        Goal(f"{name}: a bystander's slowest key, ms", 1000 * took[-1], ".0f", 25).print()
        if name in LOGINS:
            Goal(f"{name}: connections a minute meanwhile", rate).print()
        bench.alone()
    Goal("slowest key of all", 1000 * slowest, ".0f", 25).print()


# ---- leaks ---------------------------------------------------------------------------------------


def leaks(bench: Bench) -> None:
    """Connect and disconnect many times, and count the resources that stay in use."""
    players = enrol(bench.house, 4, "Comer")
    bench.do(load_clients.come_and_go, players, min(40, bench.sizes.connects)).result()
    before = Held.by(bench)
    bench.do(load_clients.come_and_go, players, bench.sizes.connects).result()
    after = Held.by(bench)
    times = f"after {bench.sizes.connects:,} connects and cuts"
    Goal(f"{times}: processes more", after.processes - before.processes, ".0f", 0).print()
    Goal(f"{times}: descriptors more", after.files - before.files, ".0f", 0).print()
    more = max(new / old for new, old in zip(after.objects, before.objects, strict=True))
    Goal(f"{times}: objects more, % of a process", 100 * (more - 1), ".2f", 0.5).print()


class Held(NamedTuple):
    """The resources of a server: processes, open files, and objects of the gateway and the cage."""

    processes: int
    files: int
    objects: tuple[int, ...]

    @classmethod
    def by(cls, bench: Bench) -> Held:
        """Count the resources while there are no visitors."""
        bench.alone()
        time.sleep(min(6.0, bench.sizes.seconds))  # a cut connection lingers for a while
        objects = tuple(objects_of(bench.house, p) for p in (bench.gateway, bench.cage))
        files = sum(map(open_files, bench.house.helpers))
        return cls(len(bench.house.children()), files, objects)


def objects_of(house: Host, process: int) -> int:
    """Return the number of objects of a process."""
    found = house.warnings.with_name(f"objects.{process}")
    found.unlink(missing_ok=True)
    os.kill(process, COUNT)
    late = time.monotonic() + 20
    while not found.exists() or not found.read_text():
        assert time.monotonic() < late, "the process does not report its objects"
        time.sleep(0.05)
    return int(found.read_text())


# ---- everything is killed ------------------------------------------------------------------------


def killed(
    home: Path, core: int, others: set[int], clients: ProcessPoolExecutor, sizes: Sizes
) -> None:
    """Kill all processes with open hands, resume all hands, and drain the server."""
    with _hosted(home, core, others, sizes.grace) as house:
        players = enrol(house, sizes.sittings, "Holder")
        names = [Path(player.folder).name for player in players]
        clients.submit(_run, load_clients.stake_all, players, house.process.pid).result()
        house.process.wait()
        before = accounts(house, names)
    with _hosted(home, core, others, sizes.grace) as house:
        players = [player._replace(port=house.port) for player in players]
        jobs = load_clients.take_up_all, players, house.process.pid
        found, drained = clients.submit(_run, *jobs).result()
        house.process.wait()
        after = accounts(house, names)
    number = len(players)
    Goal(f"of {number} sessions resumed after kill -9 of all", len(found)).print()
    menus, tables = ([1000 * each[n] for each in found] for n in (0, 1))
    Goal("connect to menu meanwhile, p50, ms", median(menus)).print()
    Goal("resume one, p50, ms", median(tables)).print()
    Goal("resume one, p95, ms", _part(tables, 0.95), ".0f", 300).print()
    lost = sum(a != b or len(a[1]) != 1 for a, b in zip(before, after, strict=True))
    Goal("players whose balance or stake changed", lost, ".0f", 0).print()
    Goal(f"drain of {number} sessions (grace {sizes.grace} s), s", drained, ".1f", 35).print()


# ---- the command line ----------------------------------------------------------------------------


def _asked(parser: ArgumentParser) -> tuple[Sizes, int, Sequence[str]]:
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--connects", type=int)
    parser.add_argument("--sittings", type=int)
    parser.add_argument("--seconds", type=float, help="of a stage of a crowd")
    parser.add_argument("--crowds", help="sessions, such as 60,120")
    parser.add_argument("--only", nargs="+", choices=DEFINITION, default=DEFINITION)
    asked = parser.parse_args()
    sizes = SHORT if asked.short else FULL
    for name in ("connects", "sittings", "seconds"):
        if (value := getattr(asked, name)) is not None:
            sizes = sizes._replace(**{name: value})
    if asked.crowds:
        sizes = sizes._replace(crowds=tuple(map(int, asked.crowds.split(","))))
    return sizes, asked.core, asked.only


if __name__ == "__main__":
    main(*_asked(options(__doc__)))
