"""The daily deal as lines of text, for the command and for screen-reader mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress

from ..daily.deal import DayDeal, day_of, deals_of
from ..daily.result_text import choice_texts, share_text
from ..daily.session import DailyResult, DailySession, DailyTry, open_try, read_try, run_on
from ..gamekit.registry import DEFINITIONS, title_of
from ..gamekit.table_catalog import PrintLine
from ..house.daily_ranking import TITLES, BoardKind, board_lines, empty_text
from ..house.house import DailyServer, House
from ..house.table_commands import HouseVerb, house_verb
from ..inputs.errors import BadInput
from ..inputs.numbers import count_noun
from ..records.log_catalog import make_entry
from ..records.session_log import LogWriteError
from ..structs import replace
from .menu import MenuEntry
from .practice import practise_log
from .records import open_recording
from .table_session import spoken_definition
from .voice import PromptOption, Voice, VoicePlace, browse, capitalized

_HELP = """\
  Bets, deals and all steps that are not choices are made for you; there is no advice.
  d      deal the next round, as Enter does
  ?      this help
  q      stop; you can resume your try until the day ends (UTC)"""

NEXT = "Deal the next round? d or Enter deals it, q stops and resumes later."
_DEALS = {"", "d", "deal", "next", "y", "yes"}


def play_try(
    house: House,
    deal: DayDeal,
    lines: Iterator[str],
    say: PrintLine,
    warn: PrintLine,
    resumes: str,
    within: Callable[[DailySession], AbstractContextManager[None]] = lambda session: nullcontext(),
) -> DailyTry:
    """Play a try, or say that it is finished; return it as its log shows it afterwards.

    ``resumes`` names the command or the menu entry that resumes it, and ``within`` returns the
    context in which it is played. Raises :class:`BadInput` if the try does not count.
    """
    if read_try(house, deal).finished:
        warn("you have played this deal; there is one try per game and day")
    else:
        with (
            open_try(house, replace(deal, game=spoken_definition(deal.game))) as session,
            within(session),
        ):
            if _converse(session, lines, say, warn, resumes):
                say("")
    attempt = read_try(house, deal)
    if attempt.fault:
        raise BadInput(attempt.fault)
    return attempt


def result_sentence(result: DailyResult) -> str:
    """Return what the choices of a try cost, and how many were best."""
    cost = f"Your choices cost {result.cost_text}"
    if result.bets is not None:
        cost += f", which is {result.shared_cost}"
    return f"{cost}; {result.best} of {count_noun(result.choices, 'choice')} were best."


def state_text(attempt: DailyTry) -> str:
    """Return the state of a try in a few words."""
    if attempt.fault:
        return attempt.fault
    if attempt.unfinished:
        return "unfinished"
    result = attempt.result()
    if result is None:
        return "over" if attempt.deal.over else "not played"
    return f"{result.best} of {result.choices} best, cost {result.cost_text}"


def daily_entry(house: Callable[[], House], is_on: Callable[[], bool]) -> MenuEntry:
    """Return the menu entry of the daily deal; a guest and a wrong clock have none."""

    def is_listed() -> bool:
        with suppress(BadInput):
            return is_on() and house().has_daily and bool(day_of(house().clock()))
        return False

    def enter(voice: Voice) -> None:
        home = replace(house(), ledger=None)
        deals = deals_of(day_of(home.clock()), DEFINITIONS, home.daily)

        def options() -> list[PromptOption]:
            states = (state_text(read_try(home, deal)) for deal in deals)
            games = [
                PromptOption(title_of(deal.slug), result=state)
                for deal, state in zip(deals, states, strict=True)
            ]
            boards = PromptOption("Boards", "everybody's results")
            return games if home.daily is None else [*games, boards]

        for place in browse(voice, f"Daily deal {deals[0].number}", options):
            if place == len(deals) and home.daily is not None:
                _say_boards(voice, home.daily)
                continue
            attempt = play_try(
                home,
                deals[place],
                voice,
                voice.say,
                lambda text: voice.say(f"{capitalized(text).rstrip('.')}."),
                "this menu",
                lambda session: voice.within(
                    VoicePlace(
                        lambda: describe_try(session), question=lambda: try_question(session)
                    )
                ),
            )
            if (result := attempt.result()) is not None and not voice.ended:
                _open_result(voice, home, attempt, result)

    return MenuEntry("Daily deal", "the same cards for everybody, one try", enter, "", is_listed)


def _open_result(voice: Voice, house: House, attempt: DailyTry, result: DailyResult) -> None:
    """Say the result of a try, then offer what the keys of its page do on the screen."""
    voice.say(result_sentence(result))
    run = run_on(house, DEFINITIONS, result.deal.day)
    voice.say(f"Your run is {count_noun(run, 'day')}.")
    voice.say_list(choice_sentences(result))
    practise = [PromptOption("Practise", "your mistakes in this deal")]
    options = [
        PromptOption("Share", "the text for others; it contains no cards"),
        PromptOption("Replay", "this deal, step by step"),
        *(practise if result.cost else []),
    ]
    for place in browse(voice, "Your result", lambda: options):
        if place == 0:
            for line in share_text(result, run, plain=True).split("\n"):
                voice.say(line)
        elif place == 1:
            open_recording(voice, house, make_entry(attempt.path, DEFINITIONS, {}))
        else:
            practise_log(voice, house, result.deal.slug, attempt.path)


def describe_try(session: DailySession) -> Iterator[str]:
    """Yield lines that describe a try in play."""
    deal = session.deal
    yield f"Daily deal {deal.number}, {title_of(deal.slug)}."
    yield f"{capitalized(session.round_text)}."
    yield from () if session.round_ended else session.describe()


def try_question(session: DailySession) -> str:
    """Return what a try asks now; "" if it is over."""
    if session.over:
        return ""
    if session.round_ended:
        return NEXT
    dialogue = session.sitting.dialogue
    at = dialogue.situation()
    return dialogue.definition.words.prompt(at.view, at.seat)


def choice_sentences(result: DailyResult) -> list[str]:
    """Return each choice of a finished try with its cost and, if it was a mistake, the best one."""
    return [
        f"{capitalized(one.who)} {one.action}, {one.cost}"
        + "".join(f"; {best.who}: {best.action}" for best in others)
        + "."
        for one, *others in (choice_texts(result, decision) for decision in result.decisions)
    ]


def _say_boards(voice: Voice, server: DailyServer) -> None:
    """Let the player choose boards, and say their places."""
    options = [PromptOption(capitalized(TITLES[kind]), "") for kind in BoardKind]
    for place in browse(voice, "Boards", lambda: options):
        kind = [*BoardKind][place]
        boards = [board for board in server.boards(kind) if board.players]
        for board in boards:
            voice.say(f"{title_of(board.game)}:")
            for line in board_lines(board):
                voice.say(" ".join(line.split()))
        if not boards:
            voice.say(empty_text(kind))


def _converse(
    session: DailySession, lines: Iterator[str], say: PrintLine, warn: PrintLine, resumes: str
) -> bool:
    """Play until the deal is over; return false if the player stops before."""
    sitting, deal = session.sitting, session.deal
    rounds = count_noun(deal.daily.rounds, "round")
    if session.resumed:
        warn("you resume your try of today's deal")
        session.advance()
        for line in () if session.over else session.describe():
            say(line)
    else:
        warn(f"daily {deal.number}, {title_of(deal.slug)}: {rounds}, one try; {deal.secrecy}")
        warn("type help for the commands, q to stop and resume later")
    pending = ""  # typed, but not carried out yet, because the log cannot be written
    begun = ""
    while True:
        if not session.round_ended and begun != session.round_text:
            begun = session.round_text
            say(f"{capitalized(begun)}.")
        try:
            for line in session.reply(pending) if pending else ():
                say(line)
            pending = ""
            asks_next = session.round_ended
            for line in session.advance():
                say(line)
            if session.round_ended and not session.over and not asks_next:
                say(NEXT)
            for line in sitting.take_news():
                warn(line)
            if session.over:
                session.finish()
                return True
        except LogWriteError as error:
            warn(
                f"the log cannot be written: {error.strerror}; nothing is lost. Free some space, "
                "then press Enter to continue, or stop with q"
            )
        typed = next(lines, None)
        verb = None if typed is None else house_verb(typed, may_undo=False)
        if typed is None or verb is HouseVerb.LEAVE:
            warn(f"your try is kept: {resumes} resumes it until {deal.day} ends (UTC)")
            return False
        if verb is HouseVerb.HELP:
            rules = sitting.definition.words.help(sitting.table.view(sitting.dialogue.viewer))
            say(f"{rules}\n{_HELP}")
        elif session.round_ended:  # nothing else: it would act on cards that nobody has seen yet
            if typed.strip().lower() in _DEALS:
                session.begin_next()
            else:
                warn(f"{typed.strip()}: no cards are dealt. {NEXT}")
        elif typed.strip():
            pending = typed
