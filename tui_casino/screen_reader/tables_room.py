"""The room of tables by ear: sit down at a table with others, make one, or come by a code."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine.seating import TableChoice
from ..house.desk import Desk
from ..house.shared_tables import FROZEN, SharedTablesClient
from ..house.table_clock import clock_words
from ..house.table_list import (
    BLOCK,
    BLOCKED,
    BY_CODE,
    EMPTY,
    EVERYBODY,
    NEW_FOR,
    NEW_GAME,
    UNBLOCK,
    YOUR_MOVE,
    ListedTable,
    read_tables,
    shared_games,
)
from ..inputs.errors import BadInput
from ..inputs.numbers import count_noun, is_integer, list_words, parse_integer
from .menu import MenuEntry, sit_with_others
from .table import Waits
from .table_watch import watch_others
from .voice import BACK, HELPS, PromptOption, Voice, VoicePlace, ask_text, capitalized, choose

WATCH = "watch"
ASK = "Type a number, n, c with a code, or q."
HELP = """\
a number: sit down at that table, or come back to your seat
n: make a new table, and sit down there
c and a code, such as c k7qx: sit down with the code of a table
watch, with the number or the code of a table: hear each round there once it is over
block, with the name of a player at a table: you hear no phrases of this player, your tables are \
closed to them, and their tables are not listed for you
unblock, with a name: ends that; blocked lists the names
Enter: say the tables again, as they are now
q: back to the menu"""


def tables_entry(desk: Desk, wait_notice: Waits) -> MenuEntry:
    """Return the menu entry of the tables with others, which only a server has."""

    def enter(voice: Voice) -> None:
        if (tables := desk.house.shared_tables) is not None:
            _Room(voice, desk, tables, wait_notice).run()

    return MenuEntry(
        "Tables",
        "with other people",
        enter,
        "j",
        lambda: desk.house.shared_tables is not None,
    )


class _Room:
    """The room, until the player goes back; numbers are those of the list that was said last."""

    def __init__(
        self, voice: Voice, desk: Desk, tables: SharedTablesClient, wait_notice: Waits
    ) -> None:
        self._voice, self._desk, self._tables = voice, desk, tables
        self._wait_notice = wait_notice
        self._listed: tuple[ListedTable, ...] = ()

    def run(self) -> None:
        """Say the tables, and do what the player types. Raises :class:`.voice.InputEnded`."""
        self._listed = read_tables(self._tables, self._desk.house.clock())
        with self._voice.within(VoicePlace(self._describe, question=lambda: ASK)):
            self._say_list()
            while True:
                self._voice.ask_last(ASK)
                if (typed := self._voice.ask().lower()) in BACK:
                    return
                try:
                    self._do(typed)
                except (BadInput, OSError) as error:
                    self._voice.say(f"{capitalized(str(error))}.")

    def _describe(self) -> Iterable[str]:
        yield f"Tables with other people: {count_noun(len(self._listed), 'table')}."

    def _say_tables(self) -> None:
        self._listed = read_tables(self._tables, self._desk.house.clock())
        self._say_list()

    def _say_list(self) -> None:
        if self._listed:
            self._voice.say("Tables with other people:")
            self._voice.say_list(
                f"{at}. {table_sentence(x)}" for at, x in enumerate(self._listed, 1)
            )
        else:
            self._voice.say(EMPTY)

    def _do(self, typed: str) -> None:
        word, _, code = typed.partition(" ")
        if typed in HELPS:
            self._voice.say(HELP)
        elif not typed:
            self._say_tables()
        elif is_integer(typed):
            self._sit_at(parse_integer(typed))
        elif word == "c" and code:
            self._sit(code.strip().upper())
        elif word == WATCH:
            self._watch(code.strip())
        elif typed == "n":
            self._make()
        elif word in (BLOCK, UNBLOCK, BLOCKED):
            self._voice.say(self._block(word, code.strip()))
        else:
            self._voice.say(f"{typed} has no meaning here.")

    def _block(self, word: str, name: str) -> str:
        """Block a player at a listed table or end that, or list the players who are blocked."""
        blocked = self._tables.blocked()
        if word == BLOCKED:
            return f"You block {list_words(blocked) if blocked else 'nobody'}."
        if not name:
            return f"{word}: type the name of a player after it."
        places = {other: one.code for one in self._listed for other in one.others}
        known = places if word == BLOCK else dict.fromkeys(blocked, "")
        found = next((one for one in known if one.casefold() == name.casefold()), None)
        if found is None:
            where = "sits at a table in the list" if word == BLOCK else "is blocked"
            return f"{word}: nobody called {name} {where}."
        self._tables.block(known[found], found, on=word == BLOCK)
        return f"You block {found}." if word == BLOCK else f"You no longer block {found}."

    def _sit_at(self, number: int) -> None:
        if not 1 <= number <= len(self._listed):
            self._voice.say(f"There is no table {number} in the list.")
            return
        table = self._listed[number - 1]
        if table.refusal:
            self._voice.say(capitalized(table.refusal))
        else:
            self._sit(table.code)

    def _watch(self, typed: str) -> None:
        """Watch the table with this number in the list, or with this code."""
        if is_integer(typed) and 1 <= parse_integer(typed) <= len(self._listed):
            typed = self._listed[parse_integer(typed) - 1].code
        if not typed:
            self._voice.say(f"{WATCH}: type the number or the code of a table after it.")
        else:
            watch_others(self._voice, self._desk, self._wait_notice, typed.upper())

    def _sit(self, code: str) -> None:
        sit_with_others(self._voice, self._desk, self._wait_notice, code)
        if not self._voice.ended:
            self._say_tables()

    def _make(self) -> None:
        games = shared_games()
        listings = [*games]
        voice = self._voice
        place = choose(voice, NEW_GAME, [PromptOption(listing.title) for listing in listings])
        if place is None:
            return
        game, options = listings[place], dict[str, str]()
        while (choice := games[game].next_choice(options)) is not None:
            if (value := self._choose(choice)) is None:
                return
            options[choice.name] = value
        who = choose(voice, NEW_FOR, [PromptOption(capitalized(x)) for x in (EVERYBODY, BY_CODE)])
        if who is None:
            return
        code = self._tables.make(game.slug, options, is_listed=who == 0)
        voice.say(f"Others sit down with the code {code}.")
        self._sit(code)

    def _choose(self, choice: TableChoice) -> str | None:
        """Let the player make a choice; numbers are typed as they are. ``None`` goes back."""
        names = [*choice.values]
        if not all(map(is_integer, names)):
            texts = [PromptOption(capitalized(text)) for text in choice.values.values()]
            place = choose(self._voice, choice.question, texts)
            return None if place is None else names[place]
        question = f"{choice.question} {names[0]} to {names[-1]}; b goes back."
        while (typed := ask_text(self._voice, question).lower()) not in BACK:
            if typed in names:
                return typed
        return None


def table_sentence(table: ListedTable) -> str:
    """Return a table as a sentence: game, rules and pace, seats, players, code, own move."""
    who = f": {', '.join(table.players)}" if table.players else ""
    seats = f"{len(table.names)} of {table.seats} seats taken{who}"
    own = "; you sit there" if table.sits else "; your table" if table.is_own else ""
    stopped = f"; {FROZEN}" * table.is_frozen
    said = f"{table.game}, {table.rules}; {seats}; {table.pace}; code {table.code}"
    move = ""
    if table.left is not None:
        move = f"; {YOUR_MOVE}, {clock_words(table.left)} left"
    return f"{said}{own}{move}{stopped}."
