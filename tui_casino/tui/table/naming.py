"""What a hint line says of a view: what can be done now, what a typed line means, and why not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from textual.actions import parse as parse_action

from ...engine.game import A, E, O, S
from ...gamekit.tally import T
from ...house.reader import NOT_NOW, Act, Answer, Reading, Refused, house_verb
from ..draw.glyphs import capital
from ..widgets.hints import Hint, Said
from ..widgets.key_names import key_of
from .view import PRIMARY, TableView

ANSWERS = {"$": "your credit", "a": "advice", "o": "odds", "s": "statistics", "stats": "statistics"}
"""What the questions are called that most games have."""


class Naming(Generic[O, S, A, E, T]):
    """Names the deeds of a view at this moment, and says why one cannot be done.

    ``read`` reads a line as it is meant there.
    """

    def __init__(self, view: TableView[O, S, A, E, T], read: Callable[[str], Reading[A]]) -> None:
        self._view, self._read = view, read
        self._actions = dict.fromkeys(one.action for _, one in type(view)._merge_bindings())

    # ---- what can be done -----------------------------------------------------------------

    @property
    def takes_back(self) -> bool:
        """Whether choices can be taken back."""
        return False

    @property
    def over(self) -> bool:
        """Whether nothing more can be done here."""
        return self._view.over

    @property
    def can_go_on(self) -> bool:
        """Whether Space does something now: that is so but where something has to be marked."""
        return bool(self._view.primary or self._view.usual)

    def called(self, action: str) -> str | None:
        """Say what a key's action is called at this moment, if not by its own name."""
        return self._view.called(action)

    def in_order(self, hints: tuple[Hint, ...]) -> tuple[Hint, ...]:
        """Put what answers a question first, and what Space does before all other deeds.

        These are in the order of the bindings: the keys of a player's own come behind others else.
        Those that are typed come last.
        """
        every = dict.fromkeys((*self._view.answers, PRIMARY, *self._actions))
        order = {action: place for place, action in enumerate(every)}
        placed = sorted(hints, key=lambda hint: order.get(hint.action, len(order)))
        return (*placed, *self._view.openers)

    def named(self, hint: Hint) -> Hint:
        """Give a hint by what its action is called at this moment, and by the keys that do it."""
        if (words := self.called(hint.action)) is not None:
            hint = hint._replace(words=words)
        first, dash, last = hint.display.partition("-")
        least = self._view.digits(hint.action)
        if dash and least is not None and first.isdigit() and last.isdigit():
            hint = hint._replace(display=f"{first}-{least}" if least > int(first) else first)
        return hint

    def meaning(self, line: str) -> Said:
        """Say what a line would do, as far as it is typed, or why it would be refused."""
        words = line.split()
        if not words:
            return Said("typed", "", "a command, as ? lists them")
        if (verb := house_verb(line, takes_back=self.takes_back)) is not None:
            return Said("typed", "", verb.value)
        match self._read(line):
            case Act(action):
                return Said("typed", "", self._view.meaning(action))
            case Answer(word, _):
                return Said("typed", "", ANSWERS.get(word, ""))
            case Refused(word, why):
                return self.refused(line, word, why)
        return Said("typed")

    # ---- what cannot ----------------------------------------------------------------------

    def unheard(self, key: str, shown: str) -> None:
        """Say why a key does nothing now, or that it is none; ``shown`` stands on it."""
        right = f"{key_of(self._view, 'game.help')} lists them, : takes a command"
        none = Said("refused", shown, "no such key here.", right)
        self._view.tell(self._greyed(key, shown) or none)

    def _greyed(self, key: str, shown: str) -> Said | None:
        """Say why a key of this table cannot be used now; nothing of any other key."""
        active = self._view.screen.active_bindings.get(key)
        if active is None or active.enabled:
            return None
        binding = active.binding
        _, name, parameters = parse_action(binding.action)
        if name == "word" and parameters:
            return self._barred_word(str(parameters[0]))
        if binding.action == PRIMARY:
            why = self.why_no_primary()
        else:
            why = self.why_not(name, parameters)
        return Said("refused", shown, why or f"{binding.description}: not now.", self.now())

    def _barred_word(self, word: str) -> Said:
        """Say why a word cannot be used; one that could be now waits for others to act."""
        if why := self._view.why_not("word", (word,)):
            return Said("refused", word, why, self.now())
        match self._read(word):
            case Refused(_, why):
                return self._refused(word, word, why)
        return Said("refused", word, "not yet: others act first.")

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Say why the action of a greyed key cannot be done now."""
        return self._view.why_not(action, parameters)

    def why_no_primary(self) -> str:
        """Say what is wanting before Space can do something."""
        view = self._view
        slot = view.open_slot()
        if slot is not None and len(view.draft) < slot.least:
            first, last = slot.values[0], slot.values[-1]
            return f"first mark {slot.least}, from {first} to {last}."
        return view.why_not("primary", ()) or ("" if view.awaited else "the table plays on.")

    def now(self) -> str:
        """Say what the table waits for; where nothing more can be played, what can be done."""
        if self.over:
            on, leaves = (key_of(self._view, f"game.{name}") for name in ("primary", "leave"))
            return f"{on}: {self.called(PRIMARY)}, {leaves}: Leave"
        return capital(self._view.prompt(self._view.seen))

    def refused(self, line: str, word: str, why: str) -> Said:
        """Give what the hint line says of a line, or an action by its word, that was refused."""
        return self._greyed(line, line) or self._refused(line, word, why)

    def _refused(self, line: str, word: str, why: str) -> Said:
        refuses = self._view.refused(line, word, why)
        if refuses.why.startswith(NOT_NOW):  # the hints name what can be done
            return Said("refused", refuses.word, "not now.", self.now())
        right = refuses.right or (self.now() if self.over else "")
        return Said("refused", refuses.word, refuses.why, right)
