"""A game's face: its view, its tables, and the texts around the view."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from msgspec import Struct, field

from ...engine.game import A, E, O, S
from ...gamekit.adviser import Decision, ValuesScope
from ...gamekit.registry import GameListing
from ...gamekit.tally import T

if TYPE_CHECKING:  # the menu does not draw a table
    from textual.screen import Screen

    from ...gamekit.table_catalog import TableCatalog
    from ..draw.card_groups import CardGroup
    from .snapshot import ChartPage, FiguresPage, PanelSection, StatisticsPage, TableSnapshot
    from .view import TableView


class GamePages(Struct, Generic[S, A, T], frozen=True):
    """The pages of a game; each is optional.

    ``statistics`` replaces the statistics that the console prints as text. ``figures`` contains the
    adviser's figures for the current choice (``o``), and ``odds`` the odds of the whole table.
    ``chart`` returns the strategy chart of the current choice, for a window of a given width.
    ``windows`` loads the game's own screens, by title.
    ``count_names`` are the names on the screen of counts that the tally's report names differently.
    """

    statistics: Callable[[TableSnapshot[S, A, T]], StatisticsPage] | None = None
    figures: Callable[[TableSnapshot[S, A, T]], FiguresPage] | None = None
    odds: Callable[[TableSnapshot[S, A, T]], Iterable[str]] | None = None
    chart: Callable[[TableSnapshot[S, A, T], int], ChartPage] | None = None
    windows: Mapping[str, Callable[[], type[Screen[Any]]]] = field(default_factory=dict)
    count_names: Mapping[str, str] = field(default_factory=dict)


class AdviceSettings(Struct, Generic[S, A, T], frozen=True):
    """How the screen evaluates choices and gives advice.

    ``answers`` contains the screen's own answers to questions that the console answers in other
    words. ``working`` is shown while advice is computed, if that takes a moment. ``values`` selects
    the choices whose alternatives are also evaluated.
    """

    answers: Mapping[str, Callable[[TableSnapshot[S, A, T]], tuple[str, ...]]] = field(
        default_factory=dict
    )
    working: str = ""
    values: ValuesScope = ValuesScope.OF_MISTAKES


class Face(Struct, Generic[O, S, A, E, T], frozen=True):
    """How a game appears on the screen: its view, its tables, and the texts around the view.

    ``keys`` explains the view's own keys, and ``panel`` contains the sections of the side panel.
    ``decision_cards`` returns the cards of a choice with its marks, the most important first, given
    what the player saw at the end of the round, if it is known.
    """

    view: type[TableView[O, S, A, E, T]]
    tables: TableCatalog[O]
    keys: str
    panel: tuple[PanelSection[S, A, T], ...] = ()
    pages: GamePages[S, A, T] = field(default_factory=GamePages)
    advice: AdviceSettings[S, A, T] = field(default_factory=AdviceSettings)
    decision_cards: Callable[[Decision[S, A], S | None], tuple[CardGroup, ...]] = (
        lambda decision, ending: ()
    )

    @property
    def panel_titles(self) -> tuple[str, ...]:
        return tuple(section.title for section in self.panel)


AnyFace: TypeAlias = Face[Any, Any, Any, Any, Any]


def face_of(listing: GameListing) -> AnyFace:
    """Import a game's face."""
    face: AnyFace = import_module(f"{listing.package}.face.face").FACE
    return face
