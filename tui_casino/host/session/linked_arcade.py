"""Run the arcade for one player over a connection to the gateway."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, nullcontext
from datetime import date
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from textual import constants
from textual.driver import Driver
from textual.notifications import SeverityLevel

from ...daily.deal import deals_of
from ...daily.session import read_try
from ...gamekit.registry import DEFINITIONS, listing_of
from ...gamekit.table_catalog import PrintLine
from ...house.daily_ranking import JudgedTry
from ...house.house import House, LazyExecutor
from ...house.settings import Settings, fallback_settings, load
from ...house.visit_state import VisitState
from ...inputs.errors import BadInput, write_crash_report
from ...records.codec import encode
from ...records.log_replica import restore_all_logs
from ...records.replay import ProofLevel, describe_proof, describe_seed
from ...records.session_log import read_log
from ...records.sqlite_ledger import SqliteLedger
from ...screen_reader.menu import ScreenReaderVisit
from ...screen_reader.visit import begin_visit
from ...structs import replace
from ...tui.app import Arcade, StartOptions
from ...tui.terminal.detection import detect, prepare
from ..daily_deals import JudgedAnswers, Judgement
from ..data_folder import DataFolder
from ..session_protocol import LINES, GatewayLink, Hello, SessionSockets
from .cage_client import (
    GONE,
    CageClient,
    CageDaily,
    CageTables,
    SessionResources,
    resources_over,
)
from .link_driver import LinkDriver
from .screen_reader import LinkInput, run_screen_reader


def judge_day(house: House, day: date) -> Iterator[Judgement]:
    """Yield a judgement of each finished try of a day; a try that does not count has none.

    Every log is played again with the server's own cards. This may take seconds. Raises
    :class:`~tui_casino.inputs.errors.BadInput`.
    """
    for deal in deals_of(day, DEFINITIONS, house.daily):
        result = read_try(house, deal).result()
        if result is not None:
            bets, slug = result.bets, deal.slug
            cost, unit = (result.cost, deal.game.unit_name) if bets is None else (bets, "bets")
            marks = "".join("01"[mark] for mark in result.marks)
            yield Judgement(
                JudgedTry(day, slug, house.player, house.display_name, str(cost), unit, marks),
                JudgedAnswers(slug, tuple(result.answers)),
            )


THREADS = 4
SORRY = "An internal error occurred; your log and balance are safe."


class LinkedArcade(Arcade):
    """The arcade on a remote terminal."""

    def __init__(
        self,
        start: StartOptions,
        ansi_color: bool | None,
        link: GatewayLink,
        hide: Callable[[str], str],
    ) -> None:
        self.link, self._hide = link, hide
        super().__init__(start, ansi_color)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a message to the player, without any paths on this machine."""
        hidden = self._hide(message)
        super().notify(hidden, title=title, severity=severity, timeout=timeout, markup=markup)

    def get_driver_class(self) -> type[Driver]:
        """Return the driver that uses the gateway."""
        return LinkDriver


async def play_session(lines: SessionSockets, hello: Hello) -> None:
    """Play until the player leaves or is disconnected, or the gateway ends the visit."""
    link = await GatewayLink.connect(lines.gateway, hello)
    executor = ThreadPoolExecutor(THREADS, "aside")
    asyncio.get_running_loop().set_default_executor(executor)
    cage = CageClient(lines.cage)
    try:
        farewell = await _play(link, cage, CageClient(lines.news), hello)
    except BadInput as error:
        farewell = _data_of(hello).hide(str(error))
    except Exception as error:
        write_crash_report(error)
        farewell = SORRY
    await link.bye(GONE if cage.disconnected else farewell)


def _data_of(hello: Hello) -> DataFolder:
    """Return the data folder that contains a player's folder, two levels below it."""
    return DataFolder(Path(hello.folder).parents[1])


async def _play(link: GatewayLink, cage: CageClient, news: CageClient, hello: Hello) -> str:
    loop = asyncio.get_running_loop()
    with ExitStack() as opened:
        folder = Path(hello.folder)
        means = resources_over(cage, shared=hello.seat is not None)
        opened.callback(means.ledger.close)
        opened.callback(news.close)
        if hello.verify is not None:
            return await asyncio.to_thread(_verified, Path(hello.verify), cage, means, link)
        daily = CageDaily(cage, partial(loop.call_soon_threadsafe, link.played_daily))
        logs = folder / "sessions"
        if means.log_replica is not None:  # the logs of sessions that were played at other servers
            await asyncio.to_thread(restore_all_logs, means.log_replica, logs)
        workers = LazyExecutor()
        opened.callback(workers.close)
        house = House(
            logs=logs,
            ledger=means.ledger,
            player=hello.player,
            cache=folder / "records.db" if means.ledger.persistent else None,
            name=hello.name,
            workers=workers,
            restore_source=means.restore_source,
            publish_commitment=means.publish_commitment,
            daily=None if hello.guest else daily,
            shared_tables=None if hello.guest else CageTables(cage, news),
            remote=True,
            log_replica=means.log_replica,
            log_quota=hello.logs << 20,
            answers=folder / "answers.jsonl" if means.ledger.persistent else None,
        )
        if hello.judge is not None:
            alone = replace(house, ledger=None)
            await asyncio.to_thread(_report_judgements, alone, hello.judge, link)
            return ""
        trouble = None
        try:
            settings = load(folder / "settings.toml")
        except BadInput as error:
            settings, trouble = fallback_settings(folder / "settings.toml"), str(error)
        memory = VisitState(folder / "visits.json")
        asked_by = hello.environ.get(LINES, "your settings" if settings.screen_reader else "")
        if asked_by:
            link.goes_by_lines()
            hide = _data_of(hello).hide

            def begin(typed: LinkInput, say: PrintLine) -> ScreenReaderVisit:
                return begin_visit(
                    house,
                    typed,
                    lambda line: say(hide(line)),
                    settings,
                    folder / "settings.toml",
                    asked_by,
                    memory=memory,
                    wait_notice=nullcontext,
                    new_source=means.new_source,
                    troubles=[trouble] if trouble else [],
                    table=hello.table,
                    watches=hello.watches,
                )

            ending = partial(_end_with, cage, means)
            try:
                await run_screen_reader(link, begin, ending, echo=not hello.edits)
            finally:
                asyncio.get_running_loop().remove_reader(cage.fileno())
            return ""
        terminal = detect(hello.environ, "utf-8")
        ansi_color = prepare(terminal, os.environ)
        # Textual set this at import, for another terminal; this process serves only one visitor
        setattr(constants, "COLOR_SYSTEM", os.environ["TEXTUAL_COLOR_SYSTEM"])  # noqa: B010
        start = StartOptions(
            house,
            terminal,
            settings,
            folder / "settings.toml",
            error=trouble,
            fresh=means.new_source,
            memory=memory,
            table=hello.table,
            watches=hello.watches,
        )
        arcade = LinkedArcade(start, ansi_color, link, _data_of(hello).hide)

        def look() -> None:
            if means.disconnected():
                loop.remove_reader(cage.fileno())
                arcade.exit()

        loop.add_reader(cage.fileno(), look)
        try:
            await arcade.run_async(mouse=terminal.mouse)
        finally:
            loop.remove_reader(cage.fileno())
            arcade.desk.close()
        return "" if arcade.error is None else SORRY


def _end_with(cage: CageClient, means: SessionResources, typed: LinkInput) -> None:
    """End the input once the cage has closed its connection."""
    loop = asyncio.get_running_loop()

    def look() -> None:
        if means.disconnected():
            loop.remove_reader(cage.fileno())
            typed.end()

    loop.add_reader(cage.fileno(), look)


def _verified(path: Path, cage: CageClient, means: SessionResources, link: GatewayLink) -> str:
    """Verify a log and print the verdict; return the fault, if any. Raises :class:`BadInput`."""
    log = read_log(path)
    definition = listing_of(log.header.game).definition()
    house = House(path.parent, means.ledger, "", daily=CageDaily(cage, lambda: None))
    verdict = house.verify(definition, log)
    if verdict.proof is ProofLevel.DIFFERS:
        return describe_proof(verdict, log)
    parts = filter(None, (describe_proof(verdict, log), describe_seed(log)))
    link.output("".join(f"{line}\n" for line in parts).encode())
    return ""


def _report_judgements(house: House, day: str, link: GatewayLink) -> None:
    """Write a line for each of the player's finished daily deals. Raises :class:`BadInput`."""
    for judged in judge_day(house, date.fromisoformat(day)):
        link.output(encode(judged) + b"\n")


def rehearse_visit() -> None:
    """Open the arcade once without a terminal, so that sessions share the computed results."""
    with TemporaryDirectory() as folder, closing(SqliteLedger(None)) as ledger:
        house = House(Path(folder) / "sessions", ledger, "nobody")
        terminal = detect({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "utf-8")
        start = StartOptions(house, terminal, Settings(), Path(folder) / "settings.toml")
        asyncio.run(_rehearse(Arcade(start)))


async def _rehearse(arcade: Arcade) -> None:
    async with arcade.run_test(size=(100, 30)) as pilot:
        await pilot.press("1")
        await pilot.pause()
