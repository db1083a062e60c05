"""What a game gives to the screen beside its view: values, which the shared screen draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from textual.content import Content

from ...engine.game import A, E, O, S, Seat
from ...gamekit.adviser import Mistake
from ...gamekit.registry import Listing
from ...gamekit.tables import Tables
from ...gamekit.tally import T

if TYPE_CHECKING:
    from .view import TableView

Text: TypeAlias = Content | str


@dataclass(frozen=True, slots=True)
class Judged(Generic[S, A]):
    """A choice that the adviser has weighed: from what view, and what it cost, if anything.

    ``worth`` is what the choice brings on average, in the game's units, where that is known.
    """

    view: S
    action: A
    mistake: Mistake[A] | None = None
    worth: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Journal(Generic[S, A]):
    """What a seat's rounds and weighed choices have come to since it sat down at this screen.

    ``bankroll`` is the seat's money in whole dollars, first as it was found, then after each
    round; costs are in the game's units.
    """

    bankroll: tuple[int, ...] = ()
    choices: int = 0
    mistakes: int = 0
    cost: Fraction = Fraction(0)
    worth: Fraction = Fraction(0)
    last: Judged[S, A] | None = None
    last_mistake: Judged[S, A] | None = None

    def weighed(self, judged: Judged[S, A]) -> Journal[S, A]:
        """Give the journal with one more choice."""
        mistake = judged.mistake
        return replace(
            self,
            choices=self.choices + 1,
            mistakes=self.mistakes + (mistake is not None),
            cost=self.cost + (mistake.cost if mistake else 0),
            worth=self.worth + (judged.worth or 0),
            last=judged,
            last_mistake=judged if mistake else self.last_mistake,
        )

    def banked(self, dollars: int) -> Journal[S, A]:
        """Give the journal with the money after one more round."""
        return replace(self, bankroll=(*self.bankroll, dollars))


@dataclass(frozen=True, slots=True)
class Glance(Generic[S, A, T]):
    """A seat's whole situation, from which panel, figures and statistics are written.

    ``draft`` are the values that are marked now, ``notes`` lines that the view has kept, ``plain``
    says that only ASCII may be used.
    """

    view: S
    seat: Seat
    tally: T
    draft: tuple[Any, ...] = ()
    journal: Journal[S, A] = field(default_factory=Journal)
    notes: tuple[str, ...] = ()
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Section(Generic[S, A, T]):
    """A part of the side panel: its title, and what writes it; off the loop, so it may weigh.

    ``tail`` shows the last lines if they are too many, and takes the room that is left.
    """

    title: str
    write: Callable[[Glance[S, A, T]], Text]
    tail: bool = False


@dataclass(frozen=True, slots=True)
class Figures:
    """A page of figures under a title; none to show if there are no lines."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StatisticsPage:
    """A sitting's statistics: counts, what they should be, and the report that is exported.

    ``expected`` is asked off the loop, for it may take a while. ``columns`` are those of the
    figures one below the other, and side by side.
    """

    counts: str
    expected: Callable[[], str]
    report: Mapping[str, Any]
    columns: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Face(Generic[O, S, A, E, T]):
    """A game on the screen: its view, and the values that the shared screen draws around it.

    ``keys`` explains the view's own keys. ``figures`` is what the adviser says to the present
    moment, on a page of its own (``o``); ``answers`` are questions that the screen answers in
    other words than the console. Both are worked out off the loop, and ``thinking`` is said
    meanwhile, where that may take a moment. ``weigh`` weighs a choice where that says more than
    the game's judge; ``always`` tells to weigh every choice, seen or not. Without ``statistics``
    the game's own words for them are shown.
    """

    view: type[TableView[O, S, A, E, T]]
    tables: Tables[O]
    keys: str
    panel: tuple[Section[S, A, T], ...] = ()
    statistics: Callable[[Glance[S, A, T]], StatisticsPage] | None = None
    figures: Callable[[Glance[S, A, T]], Figures] | None = None
    answers: Mapping[str, Callable[[Glance[S, A, T]], tuple[str, ...]]] = field(
        default_factory=dict
    )
    thinking: str = ""
    weigh: Callable[[S, Seat, A], Judged[S, A] | None] | None = None
    always: bool = True


AnyFace: TypeAlias = Face[Any, Any, Any, Any, Any]


def face_of(listing: Listing) -> AnyFace:
    """Import a game's face."""
    face: AnyFace = import_module(f"{listing.package}.face.screen").FACE
    return face
