"""The definition of a game: its rules, words, statistics, players and optional parts."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Generic, TypeAlias

from msgspec import Struct, field

from ..cards.card import BACK, Card, Hand
from ..engine.chance import ChanceSource
from ..engine.game import A, ComputerPlayer, E, Game, O, S, Seat
from ..engine.offers import has_choice
from ..engine.seating import SharedPlay
from ..inputs.errors import BadInput
from .action_grammar import format_command
from .adviser import ActionValue, Adviser, Decision, ValuesScope
from .table_catalog import AnyTableSetup, EventListener, TableSetup
from .tally import T
from .words import Words


class CurveMetric(Struct, Generic[S], frozen=True):
    """A number that a seat has after each step, and how to display it.

    ``value`` returns it from the seat's view, or ``None`` if it has not changed. It is divided by
    ``parts`` for display and followed by ``unit``. ``ends`` holds the number's minimum and maximum,
    if there are such limits. With ``by_rounds``, the number is read only when a round ends.
    """

    title: str
    value: Callable[[S, Seat], float | None]
    parts: int = 1
    unit: str = ""
    ends: tuple[float, float] | None = None
    by_rounds: bool = False


class PracticePositions(Struct, Generic[O, S], frozen=True):
    """A game's functions for practice: describe, change and deal positions.

    * ``situation`` returns the name of the kind of choice that a seat has, which is the ``spot`` of
      the game's :class:`~.adviser.MistakeKind`. It returns an empty text if the seat has no choice
      or its choices are not judged. ``situations`` returns all names.
    * ``describe`` returns lines for the console: the cards that the seat sees, and its question.
    * ``parse_cards`` puts typed cards into a position of the same table. It returns ``None`` if the
      cards do not fit that position; then other positions are tried. It raises
      :class:`~..inputs.errors.BadInput` for a text that fits no position. ``cards_help`` says what
      may be typed.
    * ``drill_options`` returns the options of the table at which drills are dealt, given the
      options with which the player played. ``opponent`` is the computer player at that table, by
      default the game's first one.
    * ``with_shoe_of`` returns the first position with the cards that are left in the second one, in
      games with a shoe that lasts for several rounds; ``None`` if its own cards are not left there.
    """

    situation: Callable[[S, Seat], str]
    describe: Callable[[S, Seat], tuple[str, ...]]
    parse_cards: Callable[[S, Seat, str], S | None]
    cards_help: str
    situations: Callable[[], tuple[str, ...]]
    drill_options: Callable[[O], O] = lambda options: options
    opponent: str = ""
    with_shoe_of: Callable[[S, S], S | None] | None = None


def parse_cards(text: str, minimum: int, maximum: int, *, packs: int = 1) -> Hand:
    """Parse cards separated by white space or commas: ``KS 10h A♦``.

    Raises :class:`BadInput` for a word that is not a card, for too few or too many cards, and for a
    card that is given more often than ``packs`` contain it.
    """
    cards: list[Card] = []
    for word in text.replace(",", " ").split():
        try:
            card = Card.parse(word.upper().replace("10", "T") if word.isascii() else word)
        except ValueError:
            card = BACK
        if card is BACK:
            raise BadInput(f"{word!r} is not a card; write cards like KS, TH or 2c")
        cards.append(card)
        if cards.count(card) > packs:
            raise BadInput(f"{card} is given {'twice' if packs == 1 else 'too often'}")
    if not minimum <= len(cards) <= maximum:
        expected = f"{minimum}" if minimum == maximum else f"{minimum} to {maximum}"
        raise BadInput(f"give {expected} cards, not {len(cards)}")
    return tuple(cards)


def number_cards(hand: Hand) -> str:
    """Format cards with the numbers that the player types to choose them: ``1) 2C 2) 2H``."""
    return " ".join(f"{place}) {card}" for place, card in enumerate(hand, 1))


def _declare_nothing(parser: ArgumentParser) -> None:
    pass


class GameCommand(Struct, frozen=True):
    """A game's own part of the command line: ``COMMAND`` of the module ``command`` in its folder.

    ``setup`` returns the setup of a session, and ``odds`` prints the game's exact odds and returns
    the exit code. ``add_arguments`` and ``add_odds_arguments`` declare the options of ``tui-casino
    GAME`` and of ``tui-casino odds GAME``. ``run`` runs a special mode and returns its exit code,
    or returns ``None`` if the game is to be played.

    All these functions raise :class:`~tui_casino.inputs.errors.BadInput` for options that cannot be
    used. Their arguments contain ``cwd``, the folder in which relative paths start, ``environ``,
    and ``stdin``, ``stdout`` and ``stderr``.
    """

    setup: Callable[[Namespace], AnyTableSetup]
    odds: Callable[[Namespace], int]
    add_arguments: Callable[[ArgumentParser], None] = _declare_nothing
    add_odds_arguments: Callable[[ArgumentParser], None] = _declare_nothing
    run: Callable[[Namespace], int | None] = lambda args: None


class ChoiceRules(Struct, Generic[O, A], frozen=True):
    """Which actions are choices, and whether a human may undo them.

    ``deliberate`` is false for actions that only continue, such as asking for the next round.
    ``may_undo`` returns whether a human may undo choices under the given options while no balance
    is at stake.
    """

    deliberate: Callable[[A], bool] = lambda action: True
    may_undo: Callable[[O], bool] = lambda options: False


class PointsScoring(Struct, Generic[O, S], frozen=True):
    """The score of a game that is played for points, without money.

    ``score`` returns the points of a seat and of its opponent, given the seat's view. ``resumable``
    returns whether an interrupted session with the given options can be resumed later.
    """

    score: Callable[[S, Seat], tuple[int, int]]
    resumable: Callable[[O], bool] = lambda options: False


class HotSeat(Struct, Generic[S], frozen=True):
    """How a table handles several humans who share a keyboard.

    ``secret`` returns whether the human whose turn it is has to look at cards that the other
    players may not see. ``moment`` returns a text like :attr:`.Words.moment` that all players may
    read, given the view of a watcher.
    """

    secret: Callable[[S], bool] = lambda state: False
    moment: Callable[[S], str] = lambda view: ""


class RecordHooks(Struct, Generic[O, S, E], frozen=True):
    """The parts of a game that extend the session log and its replay.

    ``as_text`` writes a session as readable text, given each state and the events that led to it.
    Without it, a replay prints the lines of the events. ``own_log`` returns the writer of the
    game's own log in the player's folder, if it has one; its arguments are the options, the names
    of the players as in the session log, the chance source and the folder. ``measure`` is the
    number that the graph of a session shows; the default is the lead in points, or the money.
    ``ending`` returns the names and values of the game's own figures of a finished session, given
    its tally, its mistakes, and whether the mistakes are known.
    """

    as_text: Callable[[Iterable[tuple[S, tuple[E, ...]]]], Iterator[str]] | None = None
    own_log: Callable[[O, Sequence[str], ChanceSource, Path | None], EventListener | None] = (
        lambda options, players, source, folder: None
    )
    measure: Callable[[O], CurveMetric[S] | None] = lambda options: None
    ending: Callable[[Any, Sequence[Any], bool], Iterable[tuple[str, str]]] | None = None


class DailyDeal(Struct, Generic[O], frozen=True):
    """The daily deal of a game, which is the same for everybody on a day.

    ``setup`` returns the table, and ``rounds`` is the number of rounds. ``bet`` is played whenever
    it is on offer, so the player is not asked for it. ``stake`` is one bet in the game's units, or
    0 for a game for points. If one of the first three values changes, the label in
    :mod:`tui_casino.daily.deal` must change.
    """

    setup: Callable[[], TableSetup[O]]
    rounds: int
    bet: object | None = None
    stake: int = 0


class GameDefinition(Struct, Generic[O, S, A, E, T], frozen=True, eq=False):
    """A game, with everything that tables, logs, the console and the screens need to know about it.

    The first four fields are required. ``tally`` returns the empty statistics of a seat.
    ``players`` maps names to constructors of computer players, which are called for each session. A
    game with ``points`` is played for points, not for money; ``adviser`` computes its odds, and a
    game with ``positions`` can be practised. A game with ``daily`` has a daily deal, and one with
    ``shared`` can be played by several people at one table. ``unaided`` is the reason why nobody is
    helped, "" if that is allowed. Definitions are compared by identity, because they are keys of
    caches.
    """

    game: Game[O, S, A, E]
    words: Words[S, A, E, T]
    tally: Callable[[Seat], T]
    players: Mapping[str, Callable[[], ComputerPlayer[S, A]]]
    choices: ChoiceRules[O, A] = field(default_factory=ChoiceRules)
    points: PointsScoring[O, S] | None = None
    hot_seat: HotSeat[S] = field(default_factory=HotSeat)
    records: RecordHooks[O, S, E] = field(default_factory=RecordHooks)
    adviser: Adviser[O, S, A, E] = field(default_factory=Adviser)
    positions: PracticePositions[O, S] | None = None
    daily: DailyDeal[O] | None = None
    shared: SharedPlay[O] | None = None
    unaided: str = ""

    def format_action(self, view: S, seat: Seat, action: A) -> str:
        """Format an action as a command with cards, not positions: ``x AH 8D``, ``p 9C``."""
        command = format_command(action, self.words.verbs)
        cards = self.words.cards_of(view, seat, action)
        if cards is None:
            return command
        return " ".join([command.partition(" ")[0], *map(str, cards)])

    def decision(
        self, view: S, seat: Seat, action: A, values: ValuesScope = ValuesScope.NONE
    ) -> Decision[S, A] | None:
        """Judge an action that a seat chose, given the seat's view before the action.

        Return ``None`` if there was no choice, or if its value is not known. With ``OF_ALL`` the
        alternatives are evaluated as well, and ``None`` is returned for an action without
        alternatives. This may take a long time. No other code judges choices.
        """
        adviser, weighed = self.adviser, tuple[ActionValue[A], ...]()
        if values is ValuesScope.OF_ALL and not (
            weighed := adviser.alternatives(view, seat, action)
        ):
            return None
        mistake = adviser.mistake(view, seat, action, weighed)
        if mistake is not None:
            if values is ValuesScope.OF_MISTAKES:
                weighed = adviser.alternatives(view, seat, action)
            return Decision(seat, view, action, mistake.kind.spot, mistake, weighed)
        spot = adviser.spot(view, seat, action) if self.is_choice(view, seat, action) else None
        if spot is None and not weighed:
            return None
        return Decision(seat, view, action, spot or "", None, weighed)

    def reasons(self, decision: Decision[S, A] | None, rival: A | None = None) -> tuple[str, ...]:
        """Return sentences that explain why a choice was right or wrong, if reasons are known.

        A choice that is not a mistake is compared with ``rival``, or with the next best. Cards are
        written as in commands, like ``8D``. This may take as long as judging the choice.
        """
        if decision is None or self.adviser.reason is None:
            return ()
        reason = self.adviser.reason(decision, rival)
        return reason.sentences if reason else ()

    def is_choice(self, view: S, seat: Seat, action: A) -> bool:
        """Return whether an action of a seat was a choice: other actions were possible."""
        return self.choices.deliberate(action) and has_choice(self.game.offers(view, seat))

    def can_resume(self, options: O) -> bool:
        """Return whether an interrupted session with these options can be resumed later."""
        return self.points is not None and self.points.resumable(options)

    def curve_metric(self, options: O) -> CurveMetric[S]:
        """Return the number that the graph of a session with these options shows."""
        if (own := self.records.measure(options)) is not None:
            return own
        if self.points is not None:
            return CurveMetric("POINTS AHEAD", self._ahead)
        cents = 100 if self.game.unit == 1 else 1
        return CurveMetric("MONEY", self._fortune, parts=cents, by_rounds=True)

    def _ahead(self, view: S, seat: Seat) -> int:
        assert self.points is not None
        mine, other = self.points.score(view, seat)
        return mine - other

    def _fortune(self, view: S, seat: Seat) -> int:
        money = self.game.money(view, seat)
        return money.free + money.staked

    @property
    def unit_name(self) -> str:
        """The unit of a cost or an expected value, in the plural."""
        return "points" if self.points else "credits"

    def format_cost(self, decision: Decision[Any, Any]) -> str:
        """Format what a choice cost, in credits or points: ``0.84``."""
        return f"{decision.displayed_cost(self.in_units):.2f}"

    def format_amount(self, amount: Fraction | float) -> str:
        """Format an expected amount in credits or points, with two decimals."""
        return f"{self.in_units(amount):.2f}"

    def in_units(self, amount: Fraction | float) -> float:
        """Return an amount in points or credits."""
        return float(amount) if self.points else float(amount) * self.game.unit / 100


AnyDefinition: TypeAlias = GameDefinition[Any, Any, Any, Any, Any]
"""A game whose types are not known statically, such as one from the registry."""
Games: TypeAlias = Mapping[str, AnyDefinition]
"""Games by slug."""
