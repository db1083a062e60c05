"""What a game gives to the screen beside its view: values, which the shared screen draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from ...engine.game import A, E, O, S
from ...gamekit.adviser import Values
from ...gamekit.registry import Listing
from ...gamekit.tally import T

if TYPE_CHECKING:  # the menu has no table to draw
    from textual.screen import Screen

    from ...gamekit.tables import Tables
    from ...records.summaries import WrittenDecision
    from .glance import Figures, Glance, Section, StatisticsPage
    from .view import TableView


@dataclass(frozen=True, slots=True)
class Face(Generic[O, S, A, E, T]):
    """A game on the screen: its view, and the values that the shared screen draws around it.

    ``keys`` explains the view's own keys. ``figures`` is what the adviser says to the present
    moment, on a page of its own (``o``); ``answers`` are questions that the screen answers in
    other words than the console. Both are worked out off the loop, and ``thinking`` is said
    meanwhile, where that may take a moment. ``values``: the choices that the journal has with
    their values; ``always``: every choice is weighed, even if the player does not look;
    ``trains``: there is a trainer, which gives advice before a choice. Without ``statistics`` the
    game's own words for them are shown. ``ending`` gives rows of a game's own for the page of a
    sitting that is over, from its tally, its mistakes, and whether these are known. ``windows``
    load those of the game's own, by what they are called. ``odds`` gives a page of the odds of a
    whole table, with pictures.
    """

    view: type[TableView[O, S, A, E, T]]
    tables: Tables[O]
    keys: str
    panel: tuple[Section[S, A, T], ...] = ()
    statistics: Callable[[Glance[S, A, T]], StatisticsPage] | None = None
    figures: Callable[[Glance[S, A, T]], Figures] | None = None
    ending: Callable[[T, Sequence[WrittenDecision], bool], Iterable[tuple[str, str]]] | None = None
    odds: Callable[[Glance[S, A, T]], Iterable[str]] | None = None
    answers: Mapping[str, Callable[[Glance[S, A, T]], tuple[str, ...]]] = field(
        default_factory=dict
    )
    thinking: str = ""
    values: Values = Values.NONE
    always: bool = True
    trains: bool = False
    windows: Mapping[str, Callable[[], type[Screen[Any]]]] = field(default_factory=dict)

    @property
    def panel_titles(self) -> tuple[str, ...]:
        """What the parts of the panel are called."""
        return tuple(section.title for section in self.panel)


AnyFace: TypeAlias = Face[Any, Any, Any, Any, Any]


def face_of(listing: Listing) -> AnyFace:
    """Import a game's face."""
    face: AnyFace = import_module(f"{listing.package}.face.screen").FACE
    return face
