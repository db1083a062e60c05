"""The menu in screen-reader mode, from which the player opens tables and the other rooms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress

from msgspec import Struct, field

from .. import __version__
from ..engine.money import dollars
from ..gamekit.registry import GAMES, GameListing, listing_of
from ..gamekit.table_catalog import NO_FILE, AnyTableSetup, TableCatalog
from ..house.desk import Desk
from ..house.house import LoanNeeded, MoneyElsewhere, WaitingSession
from ..house.lobby import AnySitting
from ..house.shared_seat import find_table, sit_down
from ..house.sitting import SittingEnding
from ..house.table_list import read_moves
from ..inputs.errors import BadInput
from ..inputs.files import BadFile, UserPath
from ..records.ledger import LedgerError
from ..records.replay import log_options
from ..records.session_log import read_log
from .table import Waits
from .table_session import SHOWN_OF_HASH, take_seat
from .table_watch import watch_others
from .voice import (
    BACK,
    HELP,
    InputEnded,
    PromptOption,
    Verbosity,
    Voice,
    ask_text,
    browse,
    choose,
    confirm,
)

PLAY_MONEY = "Play money only: you cannot buy, win or cash out real money."
ABOUT = f"""\
Choose by number, or by the first letters of a name. b goes back, q leaves a table.
At a table you type its commands, such as b 5 or d; help lists them.
{HELP}
A table takes your buy-in as credit and returns it when you leave. If you leave with a bet
at stake, or your connection drops, the table waits for you with the same cards.
{PLAY_MONEY}"""


class MenuEntry(Struct, frozen=True):
    """A menu entry other than a game; ``alias`` is an earlier name that still works.

    The entry is listed while ``is_listed`` returns true.
    """

    name: str
    description: str
    enter: Callable[[Voice], None]
    alias: str = ""
    is_listed: Callable[[], bool] = lambda: True


def client_seed_entry(desk: Desk) -> MenuEntry:
    """Return the menu entry for adding a client seed to the next shuffle."""

    def enter(voice: Voice) -> None:
        commitment = desk.next_commitment()
        if voice.level is not Verbosity.FULL:
            commitment = f"{commitment[:SHOWN_OF_HASH]}..."
        voice.say(f"The commitment to the next shuffle is {commitment}.")
        question = (
            "Type any words as your client seed. Together with the house's seed, which can "
            "no longer change, they decide the cards."
        )
        word = ask_text(voice, f"{question} Press only Enter for none, or type b to go back.")
        if word and word.lower() not in BACK:
            desk.mix_in(word)
            voice.say("Your client seed is mixed into the shuffle of your next table.")

    return MenuEntry("Client seed", "add words of your own to the next shuffle", enter, "Your word")


def repay_entry(desk: Desk) -> MenuEntry:
    """Return the menu entry for repaying debt, which is listed while there is debt to repay."""

    def repayments() -> Mapping[int, str]:
        course = desk.course()
        return {} if course is None else course.repayments

    def is_listed() -> bool:
        with suppress(LedgerError):  # the line with the balance reports it
            return bool(repayments())
        return False

    def enter(voice: Voice) -> None:
        amounts = repayments()
        options = [PromptOption(f"{dollars(cents)}, {name}") for cents, name in amounts.items()]
        if (place := choose(voice, "How much do you repay?", options)) is not None:
            voice.say(desk.repay([*amounts][place]))

    return MenuEntry("Repay debt", "from your balance", enter, is_listed=is_listed)


class ScreenReaderVisit(Struct):
    """A player's visit in screen-reader mode, from the greeting until the player leaves.

    ``enabled_by`` is the option or setting that turned on screen-reader mode. ``rooms`` are the
    menu entries after the games. ``wait_notice`` makes a context that tells the player if the
    program has to wait for the ledger. ``troubles`` are error messages for the greeting.
    """

    desk: Desk
    voice: Voice
    enabled_by: str
    rooms: Sequence[MenuEntry] = ()
    wait_notice: Waits = nullcontext
    troubles: Sequence[str] = ()
    table: str | None = None
    watches: bool = False
    _listed: list[MenuEntry] = field(default_factory=list)

    def run(self, game: str | None = None, seating: AnyTableSetup | None = None) -> None:
        """Greet the player, open the requested table (if any), then show the menu.

        With the code of a ``table`` with others, the player sits down there, or ``watches`` it.
        """
        say = self.voice.say
        say(f"TUI Casino {__version__}, screen-reader mode, turned on by {self.enabled_by}.")
        self.voice.say_detail(PLAY_MONEY)
        for trouble in self.troubles:
            say(trouble)
        left = None
        try:
            if game is not None:
                self._report_news()
                self._open(listing_of(game), seating)
            elif self.table is not None:
                self._report_news(None if self.watches else self.table.upper())
                go = watch_others if self.watches else sit_with_others
                left = go(self.voice, self.desk, self.wait_notice, self.table)
            if not self.voice.ended:
                self._menu(lists=game is self.table is None, left=left)
        except InputEnded:
            pass
        say("Goodbye.")

    def _menu(self, *, lists: bool, left: str | None) -> None:
        self._report_standing(left)
        tells = self._balance_sentence
        for choice in browse(
            self.voice, "Menu", self._options, is_top=True, lists=lists, tells=tells
        ):
            rooms = self._listed
            if choice < len(GAMES):
                self._enter(GAMES[choice])
            elif choice < len(GAMES) + len(rooms):
                self._go_into(rooms[choice - len(GAMES)])
            elif choice == len(GAMES) + len(rooms):
                self.voice.say(ABOUT)
                continue
            else:
                return
            if not self.voice.ended:
                self._report_standing()

    def _options(self) -> list[PromptOption]:
        self._listed = [one for one in self.rooms if one.is_listed()]
        return [
            *map(self._offer, GAMES),
            *(PromptOption(one.name, one.description, one.alias) for one in self._listed),
            PromptOption("Help"),
            PromptOption("Quit"),
        ]

    def _report_standing(self, left: str | None = None) -> None:
        """Say the news and the balance, but not again that the seat at a table ``left`` waits."""
        self._report_news(left)
        if moves := self._moves_sentence():
            self.voice.say(moves)
        self.voice.say(self._balance_sentence())

    def _moves_sentence(self) -> str:
        """Return at which tables it is the player's move, or ""."""
        house, text = self.desk.house, ""
        if house.shared_tables is not None:
            with suppress(LedgerError):  # the line with the balance reports it
                text = read_moves(house.shared_tables).sentence(house.clock())
        return f"{text}; j opens the tables." if text else ""

    def _go_into(self, room: MenuEntry) -> None:
        try:
            room.enter(self.voice)
        except (BadInput, OSError) as error:
            self.voice.say(f"{room.name}: {error}")

    def _report_news(self, table: str | None = None) -> None:
        try:
            with self.wait_notice():
                self.desk.settle_open_sittings(table)
                self.desk.find_unfinished_games()
            notes = self.desk.notes
        except LedgerError as error:
            notes = (str(error),)
        for note in notes:
            self.voice.say(f"{note[:1].upper()}{note[1:]}.")

    def _balance_sentence(self) -> str:
        house = self.desk.house
        try:
            course = self.desk.course()
        except LedgerError as error:
            return str(error)
        if course is None:
            return f"{house.display_name}: free play."
        more = f", {dollars(course.at_tables)} is at tables" if course.at_tables else ""
        more += f", you owe the house {dollars(course.lent)}" if course.lent else ""
        return f"{house.display_name}: your balance is {dollars(course.cents)}{more}."

    def _offer(self, game: GameListing) -> PromptOption:
        if waiting := self.desk.waiting_at(game.slug):
            texts = (f"waiting: {self._waiting_text(one)}" for one in waiting)
            return PromptOption(game.title, result="; ".join(texts))
        return PromptOption(game.title, f"{game.line}. Table: {self.desk.table_title(game)}")

    def _waiting_text(self, waiting: WaitingSession) -> str:
        moment = self.desk.moment(waiting)
        text = moment.text if moment else ""
        stake = f", {dollars(moment.staked)} at stake" if moment and moment.staked else ""
        table = "" if waiting.entry else _table_of(waiting)
        return (text or ("your bet" if waiting.entry else "your game")) + stake + table

    # ---- tables ---------------------------------------------------------------------------

    def _enter(self, game: GameListing) -> None:
        """Let the player resume a waiting session, sit down, or choose another table."""
        while True:
            waiting = self.desk.waiting_at(game.slug)
            options = [PromptOption(f"Resume: {self._waiting_text(one)}") for one in waiting]
            staked = any(one.entry for one in waiting)
            if not staked:  # a round with a bet at stake has to be finished first
                options.append(PromptOption("Sit down", self.desk.table_title(game)))
                options.append(PromptOption("Another table"))
            choice = choose(self.voice, game.title, options)
            if choice is None:
                return
            if choice < len(waiting):
                self._go_on(game, waiting[choice])
                return
            seating = None
            if choice == len(waiting) + 1:
                seating = self._try_choosing(game)
                if seating is None:
                    continue
                self.desk.remember(game, seating)
            self._sit(game, seating)
            return

    def _try_choosing(self, game: GameListing) -> AnyTableSetup | None:
        tables = game.tables()
        try:
            return self._choose_table(tables, tables.options())
        except BadInput as error:
            self.voice.say(str(error))
            return None

    def _choose_table(
        self, tables: TableCatalog[object], current: object, name: str | None = None
    ) -> AnyTableSetup | None:
        """Let the player choose a table, then its variant or file; return ``None`` to go back."""
        if name is None:
            options = [PromptOption(table.title, table.note) for table in tables.choices.values()]
            choice = choose(self.voice, tables.title, options)
            if choice is None:
                return None
            name = [*tables.choices][choice]
        table = tables.choices[name]
        if table.variants is not None:
            return self._choose_table(table.variants, current)
        if table.file_request is None:
            return table.setup(current, NO_FILE)
        if (folder := self.desk.house.folder) is None:
            raise BadInput("there is no folder to read a file from")
        typed = ask_text(self.voice, f"{table.file_request.title}. {table.file_request.text}")
        return table.setup(current, UserPath(typed, folder)) if typed else None

    def _open(self, game: GameListing, seating: AnyTableSetup | None) -> None:
        """Resume the newest waiting session of a game, or sit down as requested."""
        waiting = self.desk.waiting_at(game.slug)
        if waiting and (seating is None or waiting[0].entry is not None):
            self._go_on(game, waiting[0])
        else:
            self._sit(game, seating)

    def _go_on(self, game: GameListing, waiting: WaitingSession) -> None:
        sitting = self._try_opening(lambda: self.desk.resume(waiting))
        if sitting is not None:
            self._seat(game, sitting)

    def _sit(self, game: GameListing, seating: AnyTableSetup | None) -> None:
        try:
            how = seating or self.desk.usual(game)
            if how.variants_of is not None:
                tables = game.tables()
                setup = self._choose_table(tables, tables.options(), how.variants_of)
                if setup is None:
                    return
                how = setup
        except BadInput as error:
            self.voice.say(str(error))
            return
        try:
            sitting = self._try_opening(lambda: self.desk.sit_down(game, how))
        except LoanNeeded as needed:
            if not confirm(self.voice, needed.question, f"Borrow {dollars(needed.cents)}"):
                return
            sitting = self._try_opening(lambda: self.desk.sit_down(game, how, borrow=True))
        if sitting is not None:
            self._seat(game, sitting, how)

    def _seat(
        self, game: GameListing, sitting: AnySitting, how: AnyTableSetup | None = None
    ) -> None:
        """Let the player play a session; if an error occurs, report it and return to the menu."""
        try:
            goal = None if how and how.dialogue else self.desk.session_goal(sitting)
            memory = self.desk.memory
            take_seat(self.voice, game, sitting, self.wait_notice, memory, how, goal)
        except (BadInput, OSError) as error:
            self.voice.say(f"{game.title}: {error}")

    def _try_opening(self, open_table: Callable[[], AnySitting | None]) -> AnySitting | None:
        """Open a table, or say why it cannot be opened. Raises :class:`LoanNeeded`."""
        try:
            with self.wait_notice():
                return open_table()
        except LoanNeeded:
            raise
        except MoneyElsewhere as error:
            titles = {listing.slug: listing.title for listing in GAMES}
            where = " and ".join(titles.get(slug, slug) for slug in error.games)
            those = "that game" if len(error.games) == 1 else "those games"
            then = f"; finish {those} first"
            if self.desk.unresumable.intersection(error.games):
                then = f", which cannot be resumed: {self.desk.house.settle_hint}"
            self.voice.say(f"Your money is at {where}{then}.")
        except (BadInput, OSError) as error:
            self.voice.say(f"Cannot open this table: {error}")
        return None


def sit_with_others(voice: Voice, desk: Desk, wait_notice: Waits, code: str) -> str | None:
    """Let the player play at a table with other people, or say why that is impossible.

    Return the code of the table if the player has left it but keeps the seat, which was reported.
    """
    house, tables = desk.house, desk.house.shared_tables
    try:
        with wait_notice():
            line = find_table(tables, code)
            assert tables is not None, "it has a table"
            listing = listing_of(line.game)
            seat = sit_down(house, tables, line, listing.definition())
    except (BadInput, OSError) as error:
        voice.say(f"Cannot sit down there: {error}")
        return None
    take_seat(voice, listing, seat.sitting, wait_notice, desk.memory, seat=seat)
    return line.code if seat.sitting.ending is SittingEnding.BROKEN_OFF else None


def _table_of(waiting: WaitingSession) -> str:
    """Return the table of a waiting game for points, after a comma; "" if it cannot be read."""
    listing = listing_of(waiting.game)
    try:
        log = read_log(waiting.log)
        options = log_options(listing.definition().game, log)
    except BadFile:
        return ""
    return f", {listing.tables().describe(options, log.header.players)}"
