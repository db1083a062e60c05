"""The texts of the hint line: current actions, explanations of typed commands, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from textual.actions import parse as parse_action

from ...engine.game import A, E, IllegalAction, O, S, SittingOver
from ...engine.money import dollars
from ...gamekit.action_grammar import insert_space, takes_arguments
from ...gamekit.tally import T
from ...house.sitting import Sitting
from ...house.table_commands import (
    HOUSE_WORDS,
    NOT_NOW,
    ActionCommand,
    CommandContext,
    QuestionAnswer,
    ReadCommand,
    RefusedCommand,
    house_verb,
    refusal_line,
)
from ...inputs.numbers import count_noun, is_integer
from ...records.ledger import LOAN_CENTS
from ...structs import replace
from ..draw.text import capitalize
from ..widgets.hint_line import Hint, HintMessage
from ..widgets.key_names import bindings_of, key_name_of_binding
from .choice_evaluator import WHY
from .listed_view import PRIMARY
from .pacing import Pacing
from .view import TableView

ANSWERS = {"$": "your credit", "a": "advice", "o": "odds", "s": "statistics", "stats": "statistics"}
"""The names of the questions that most games answer."""
TAKES_BACK = ("step_back", "compare")
"""The actions of tables at which choices can be taken back."""
FINAL = ("ask", "step_back")
"""The actions, besides commands of the game, that can change the session."""
GAMES_ADVISE = ("look", "chart", "turn", "lab", "battle")
ADVISES = ("advice", "figures", "guess", "table_odds", "trainer", "mistakes", *GAMES_ADVISE)
"""The actions that are refused where nobody is helped, with those of single games."""


class ActionLabels(Generic[O, S, A, E, T]):
    """Names the current actions of a view, and explains why actions are disabled.

    ``read`` parses a typed command.
    """

    def __init__(
        self, view: TableView[O, S, A, E, T], read: Callable[[str], ReadCommand[A]]
    ) -> None:
        self._view, self._read = view, read
        self._actions = dict.fromkeys(one.action for one in bindings_of(type(view)))
        verbs = view.definition.words.verbs.items()
        self._typed = {verb: kind for verb, kind in verbs if takes_arguments(kind)}

    # ---- what the player can do -----------------------------------------------------------

    @property
    def can_take_back(self) -> bool:
        return False

    @property
    def is_over(self) -> bool:
        return self._view.is_over

    @property
    def has_primary(self) -> bool:
        """Whether Space has an effect now; it has none while cards must be marked first."""
        return bool(self._view.primary or self._view.default_actions)

    def opens(self, letter: str) -> bool:
        """Return whether a letter is a command that takes arguments now, so that it is typed.

        While others act, such a command can be typed early, and it is carried out afterwards.
        """
        kind = self._typed.get(letter.lower())
        return kind is not None and (not self._view.awaited or self.is_offered(kind))

    def is_offered(self, kind: Callable[..., A]) -> bool:
        """Return whether an action of this kind can be typed now."""
        return self._view.is_offered(kind)

    def begins_command(self, text: str) -> bool:
        """Return whether a text can still become a command that is possible now."""
        first = next(iter(text.lower().split()), "")
        if not first:
            return False
        if self.opens(first[:1]) and (is_integer(first[1:]) or len(first) == 1):
            return True
        words = self._view.definition.words
        longer = (verb for verb in words.verbs if len(verb) > 1)
        commands = (*HOUSE_WORDS, *words.questions, *longer, WHY)
        return text.lower() == first and any(word.startswith(first) for word in commands)

    def can_be_command(self, text: str) -> bool:
        """Return whether a typed text begins with a command word, or with the start of one."""
        words = self._view.definition.words
        first, *rest = insert_space(text.lower(), words.verbs).split()
        if is_integer(first):
            return True
        ends = bool(rest) or text[-1].isspace()
        known = (*HOUSE_WORDS, *words.questions, *words.verbs, WHY)
        return any(word == first if ends else word.startswith(first) for word in known)

    def commits(self, action: str, text: str) -> bool:
        """Return whether the action of a key with this character may be a final choice.

        That is Space, a command of the game, a digit that is a command by itself (a digit that only
        marks or sets a bet is not), and a key that brings money or takes a choice back.
        """
        _, name, parameters = parse_action(action)
        word = str(parameters[0]) if name == "word" else text if text.isdecimal() else ""
        final = action == PRIMARY or name in FINAL
        return final or (bool(word) and isinstance(self._read(word), ActionCommand))

    def binding_label(self, action: str) -> str | None:
        """Return the current name of an action, or ``None`` for its usual name."""
        return self._view.binding_label(action)

    def in_order(self, hints: tuple[Hint, ...]) -> tuple[Hint, ...]:
        """Sort hints: answers to a question, then Space, then other actions, then typed commands.

        The other actions keep the order of the bindings, even if the player has changed the keys.
        """
        every = dict.fromkeys((*self._view.answers, PRIMARY, *self._actions))
        order = {action: place for place, action in enumerate(every)}
        placed = sorted(hints, key=lambda hint: order.get(hint.action, len(order)))
        return (*placed, *self._view.openers)

    def label(self, hint: Hint) -> Hint:
        """Return a hint with the current name and keys of its action."""
        if (words := self.binding_label(hint.action)) is not None:
            hint = replace(hint, words=words)
        minimum = self._view.digits(hint.action)
        if minimum is not None and hint.has_digits:
            first = hint.display[0]
            hint = replace(hint, display=f"{first}-{minimum}" if minimum > int(first) else first)
        return hint

    def meaning(self, line: str) -> HintMessage:
        """Describe what the line typed so far would do, or why it would be refused."""
        words = line.split()
        if not words:
            return HintMessage("typed", "", "type a command; ? lists them")
        if (verb := house_verb(line, may_undo=self.can_take_back)) is not None:
            return HintMessage("typed", "", verb.value)
        match self._read(line):
            case ActionCommand(action):
                return HintMessage("typed", "", self._view.meaning(action))
            case QuestionAnswer(word, _):
                return HintMessage("typed", "", ANSWERS.get(word, ""))
            case RefusedCommand(word, reason):
                return self.refused(line, word, reason)
        return HintMessage("typed")

    # ---- what the player cannot do --------------------------------------------------------

    def unbound(self, key: str, shown: str) -> HintMessage:
        """Return why a key does nothing now; ``shown`` is the key's name."""
        right = f"{key_name_of_binding(self._view, 'game.help')} lists the keys, : begins a command"
        none = HintMessage("refused", shown, "this key has no action here.", right)
        return self._greyed(key, shown) or none

    def _greyed(self, key: str, shown: str) -> HintMessage | None:
        """Return why a key of this table is disabled; ``None`` for other keys."""
        active = self._view.screen.active_bindings.get(key)
        if active is None or active.enabled:
            return None
        binding = active.binding
        _, name, parameters = parse_action(binding.action)
        if name == "word" and parameters:
            return self._barred_word(str(parameters[0]))
        if binding.action == PRIMARY:
            reason = self.primary_disabled_reason()
        else:
            reason = self.disabled_reason(name, parameters)
        return HintMessage(
            "refused", shown, reason or f"{binding.description}: not available now.", self.prompt()
        )

    def _barred_word(self, word: str) -> HintMessage:
        """Return why a command word is disabled; by default, other players have to act first."""
        if reason := self._view.disabled_reason("word", (word,)):
            return HintMessage("refused", word, reason, self.prompt())
        match self._read(word):
            case RefusedCommand(_, reason):
                return self._refused(word, word, reason)
        wait = "other players act first" if self._has_others else "cards are being dealt"
        return HintMessage("refused", word, f"not yet: {wait}.")

    @property
    def _has_others(self) -> bool:
        """Whether other players sit at the table."""
        return len(self._view.info.players) > 1

    def disabled_reason(self, action: str, parameters: tuple[object, ...]) -> str:
        return self._view.disabled_reason(action, parameters)

    def primary_disabled_reason(self) -> str:
        """Return why Space does nothing, such as the number of cards to mark first."""
        view = self._view
        slot = view.open_slot()
        if slot is not None and len(view.selection) < slot.minimum:
            first, last = slot.values[0], slot.values[-1]
            return f"first mark {slot.minimum} (keys {first} to {last})."
        if not view.awaited:
            return "other players are acting." if self._has_others else "cards are being dealt."
        return view.disabled_reason("primary", ()) or "not available now."

    def prompt(self) -> str:
        """Return what the table is waiting for, or the remaining keys once the session is over."""
        if self.is_over:
            on, leaves = (
                key_name_of_binding(self._view, f"game.{name}") for name in ("primary", "leave")
            )
            return f"{on}: {self.binding_label(PRIMARY)}, {leaves}: Leave"
        return capitalize(self._view.prompt(self._view.seen))

    def refused(self, line: str, word: str, reason: str) -> HintMessage:
        """Return the message for a refused line, or for the word of a refused action."""
        return self._greyed(line, line) or self._refused(line, word, reason)

    def refused_action(
        self, action: A, error: IllegalAction, at: CommandContext[O, S, A, E, T]
    ) -> HintMessage:
        """Return the message for an action that is not legal now."""
        verbs = self._view.definition.words.verbs.items()
        word = next((word for word, kind in verbs if kind is type(action)), "")
        return self.refused(word, word, refusal_line(word, error, at))

    def _refused(self, line: str, word: str, reason: str) -> HintMessage:
        refuses = self._view.refused(line, word, reason)
        if refuses.reason.startswith(NOT_NOW):  # the hints already show what can be done
            return HintMessage("refused", refuses.word, "not available now.", self.prompt())
        right = refuses.hint or (self.prompt() if self.is_over else "")
        return HintMessage("refused", refuses.word, refuses.reason, right)


class LiveActionLabels(ActionLabels[O, S, A, E, T]):
    """Names the current actions of a live table, and explains why others are disabled."""

    def __init__(
        self,
        view: TableView[O, S, A, E, T],
        sitting: Sitting[O, S, A, E, T],
        pacing: Pacing[O, S, A, E],
    ) -> None:
        super().__init__(view, self._read_line)
        self._sitting, self._pacing = sitting, pacing
        self._can_take_back = sitting.may_undo

    def _read_line(self, line: str) -> ReadCommand[A]:
        return self._sitting.dialogue.read(line, may_undo=self.can_take_back)

    def is_offered(self, kind: Callable[..., A]) -> bool:
        """Return whether an action can be typed now, even if a page has to be read first."""
        return any(kind is offer.kind for offer in self._sitting.dialogue.situation().offers)

    @property
    def can_take_back(self) -> bool:
        """Whether choices can be taken back at this table."""
        return self._can_take_back

    @property
    def is_over(self) -> bool:
        """Whether the session is over, because credit or cards have run out."""
        return isinstance(self._sitting.table.game.turn(self._sitting.table.state), SittingOver)

    @property
    def has_primary(self) -> bool:
        """Whether Space has an effect now; it has none while cards must be marked first."""
        if self._view.primary or self._view.default_actions:
            return True
        plays = self._pacing.is_running or self._pacing.is_spectated
        return self.is_over or plays or self._sitting.dialogue.hidden or self._is_stopped

    @property
    def is_daily(self) -> bool:
        return self._sitting.log.header.daily is not None

    @property
    def borrows(self) -> bool:
        """Whether Space asks the house for a loan, because the balance is below the least bet."""
        return self.is_over and self._sitting.needs_loan

    @property
    def _is_stopped(self) -> bool:
        """Whether the table is stopped because its log could not be written."""
        return not (self._pacing.is_turn or self._pacing.is_running or self.is_over)

    def binding_label(self, action: str) -> str | None:
        """Return an action's current name if it differs from that of its binding."""
        if action == PRIMARY:
            if self.borrows:
                return f"Borrow {dollars(LOAN_CENTS)}"
            if self.is_over:
                return self._view.primary_name
            if self._view.is_revealing or self._pacing.is_lingering:
                return "Continue" if self.is_daily else "Speed up"
            if not (self._view.awaited or self._sitting.table.waiting):
                if self._pacing.is_spectated:
                    return "Pause" if self._pacing.is_running else "Continue"
                if self._pacing.is_running:
                    return "Wait" if self._pacing.waits_for_others else "Speed up"
        if action in TAKES_BACK and not self.can_take_back:
            return ""
        if action == "mistakes":
            totals = self._view.totals
            unaided = self._sitting.definition.unaided
            if not totals.mistakes or unaided or self._sitting.staked:
                return ""
            is_counted = not totals.postponed  # with the trainer off, choices wait to be judged
            return f"See {count_noun(totals.mistakes, 'mistake')}" if is_counted else "See mistakes"
        words = self._view.binding_label(action)
        return "Continue" if words is None and action == PRIMARY else words

    def disabled_reason(self, action: str, parameters: tuple[object, ...]) -> str:
        """Return why the action of a greyed-out key is disabled now, or at this table."""
        if (reason := self._sitting.definition.unaided) and action in ADVISES:
            return f"{reason}."
        if self._sitting.definition.unaided and action in ("tables", "again"):
            where = "daily deal" if self.is_daily else "session with others"
            return f"a {where} has only this {'table' if action == 'tables' else 'deal'}."
        if action in TAKES_BACK:
            return f"{self._sitting.why_final}."
        return super().disabled_reason(action, parameters)

    def no_mistakes(self) -> str:
        if not self._view.definition.adviser.has_judge:
            return "the trainer does not evaluate choices in this game."
        return "no mistakes so far."
