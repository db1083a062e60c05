"""The texts of the menu: the rooms, the money in the title bar, and the help page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...engine.money import dollars
from ...gamekit.registry import GAMES
from ...house.balance_history import BalanceHistory
from ...house.house import WaitingSession, WaitingSummary
from ..draw.segments import text_width
from ..widgets.title_bar import Note
from .game_list import RoomEntry

if TYPE_CHECKING:  # the menu is painted before anything of the teacher is imported
    from ...daily.session import DailyOverview
    from ...teacher.overview import MistakeOverview

OTHERS = "  j          tables with other people\n"
_HELP = f"""\
Choose a game with its digit, with the arrow keys and Space, or with the mouse.

  1 to {len(GAMES)}     choose a game
  space      play, or resume where you left off
  F4         choose another table of the game
  d, t       daily deal; today's five: your costliest mistakes
{OTHERS}  m, l, r    mistakes and drills, leaks, history
  g, p       a goal for your sessions; repay debt
  w          your own client seed for the next shuffle
  v          check the shuffle of your last session
  y          copy the path of your last session's log
  F2         statistics: your results and your luck
  F3         settings: theme, cards, animation, keys, name
  F1 or ?    show this help
  T          show the tour again
  q          quit

All money is play money. Green bars: you are ahead; red: behind. \
A table takes your buy-in (F3) as credit; it returns when you leave. \
If you leave with a bet at stake or during a game for points, or if your \
connection drops, the table waits for you with the same cards.

At a table, the second line from the bottom shows every action and its key. \
You can also type commands: b 5, d, h 1 2, a, $. A colon begins any \
command. F1 explains each game."""


def help_text(*, has_others: bool) -> str:
    """Return the help page; ``has_others`` says whether there are tables with other people."""
    return _HELP if has_others else _HELP.replace(OTHERS, "")


def room_entries(
    overview: MistakeOverview | None,
    done: int,
    waits: int,
    deals: DailyOverview | None = None,
    goal: tuple[str, str] | None = None,
    *,
    has_daily: bool = False,
    has_others: bool = False,
) -> Iterator[RoomEntry]:
    """Yield the rooms; ``done`` counts the finished sessions for money, ``waits`` those waiting.

    ``deals`` are the daily deals, if they are known; ``has_daily`` says whether there are any.
    ``goal`` is the player's goal and its detail. ``has_others`` says whether there are tables with
    other people. A room whose figures are not known yet has its row
    already, so that no row moves when they are read.
    """
    if deals is not None:
        yield RoomEntry("d", f"Daily deal {deals.number}", deals.played, f", {deals.run_text}")
    elif has_daily:
        yield RoomEntry("d", "Daily deal", "one try per game and day")
    if has_others:
        yield RoomEntry("j", "Tables", "with other people")
    practised, learned = "costliest first, and drills", ""
    leaks, cost = "what your mistakes cost", ""
    five, end = "five of your mistakes a day", ""
    if overview is not None:
        practised = f"{overview.waiting:,} waiting"
        learned = f", {overview.learned:,} learned" if overview.learned else ""
        if (daily := overview.daily).size:
            five, end = f"{daily.marks}  {daily.count}", "" if daily.rest else ", done for today"
        if (habit := overview.habit) is not None:
            leaks = habit.habit
            cost = f", {habit.rate_text}"
    yield RoomEntry("t", "Today's five", five, end)
    yield RoomEntry("m", "Your mistakes", practised, learned)
    yield RoomEntry("l", "Leaks", leaks, cost)
    counts = [f"{done:,} for money"] if done else []
    counts += [f"{waits} waiting"] if waits else []
    yield RoomEntry("r", "History", ", ".join(counts) or "every session, step by step")
    yield RoomEntry("F2", "Statistics", "your results and your luck")
    if goal is not None:
        words, detail = goal
        yield RoomEntry("g", "Goal", words, f", {detail}" if detail else "")


def title_notes(
    name: str, course: BalanceHistory | None, room: int, *, debt: bool, guest: bool = False
) -> Iterator[Note]:
    """Yield the player's name and money, as far as they fit into the ``room`` of the title bar.

    Guests see that nothing is kept, if necessary without their name.

    Money at tables is never left out, because a balance of 0.00 alone would be alarming. The debt
    is only included on request.
    """
    if course is None:
        notes: list[Note] = [("free play", "muted")]
    else:
        balance, at_tables = dollars(course.cents), dollars(course.at_tables)
        notes = [(f"balance {balance}", "gold")]
        if course.at_tables:
            both = f"{balance} + {at_tables}"
            ways: list[list[Note]] = [
                [(f"{at_tables} at tables", "muted"), *notes],
                [(f"{both} at tables", "gold")],
                [(both, "gold")],
            ]
            notes = next((one for one in ways if _length(one) <= room), ways[-1])
    others: list[Note] = [(name, "")]
    if guest:
        texts = (f"{name}: nothing is kept", "nothing is kept", "not kept", "guest")
        fitting = (one for one in texts if _length([(one, ""), *notes]) <= room)
        others = [(next(fitting, texts[-1]), "bad")]
    if debt and course is not None and course.lent:
        others.append((f"debt {dollars(course.lent)}", "bad"))
    while others and _length([*others, *notes]) > room:
        del others[0]
    yield from (*others, *notes)


def _length(notes: list[Note]) -> int:
    return text_width("  ".join(words for words, _ in notes))


def waiting_text(waiting: Sequence[WaitingSession], moments: Mapping[Path, WaitingSummary]) -> str:
    """Describe the newest of a game's waiting sessions; return "" if there is none."""
    if not waiting:
        return ""
    moment = moments.get(waiting[0].log)
    text = moment.text if moment else ""
    text = text or ("your bet" if waiting[0].entry else "your game")
    return f"{len(waiting)} waiting: {text}" if len(waiting) > 1 else f"waiting: {text}"
