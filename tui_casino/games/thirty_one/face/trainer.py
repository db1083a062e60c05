"""The strategy chart and the rules lab, computed in the background and shown when ready.

The rules lab is separate: it lets the player try house rules without changing the table.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from textual.widget import Widget

from ....structs import replace
from ....tui.table.background_tasks import BackgroundTasks
from ..brains.adviser import ThirtyOnePosition
from ..brains.odds import house_edge
from ..brains.rules_lab import OPTIONS, USUAL, EdgeEstimate, edge_effects, edge_of
from ..brains.strategy_chart import ChartRow, build_chart, chart_cell_of
from ..machine.rules import Rules
from .widgets.side_panel import LabState, StrategyChart, chart_of


class ChartBench:
    """The strategy chart of the table. ``changed`` is called when it is known.

    ``on_other_page`` shows the other page of the chart until there is another position.
    """

    def __init__(self, owner: Widget, rules: Rules, changed: Callable[[], None]) -> None:
        self._owner, self._rules, self._changed = owner, rules, changed
        self._tasks = BackgroundTasks(owner)
        self._position: ThirtyOnePosition | None = None
        self._last_position: ThirtyOnePosition | None = None
        self._rows: tuple[ChartRow, ...] = ()
        self._requested = self.on_other_page = False

    def update(self, position: ThirtyOnePosition | None) -> None:
        """Point at a position; without one, remember the last."""
        if not self._requested:
            self._requested = True
            self._tasks.run("chart", lambda: build_chart(self._rules), self._store, self._alive)
        if position is None:
            self._last_position = self._position or self._last_position
        if position != self._position:
            self._position, self.on_other_page = position, False

    def chart(self, *, guess: bool) -> StrategyChart | None:
        """Return the chart with the current cell marked, once it is known.

        For a player who guesses first, the best choice stays hidden until the player has acted, and
        then the last cell is marked.
        """
        if not self._rows:
            return None
        position = self._position or (self._last_position if guess else None)
        cell = (
            chart_cell_of(position)
            if position is not None and not position.insurance_asked
            else None
        )
        hide_best = guess and self._position is not None
        up_card = position.up_card if position else 0
        return chart_of(
            self._rows, cell, up_card, hide_best=hide_best, on_other_page=self.on_other_page
        )

    def _alive(self) -> bool:
        return self._owner.is_attached

    def _store(self, rows: tuple[ChartRow, ...]) -> None:
        self._rows = rows
        self._changed()


class LabBench:
    """The rules lab: a set of rules to try. ``changed`` is called whenever a figure changes."""

    def __init__(self, owner: Widget, rules: Rules, changed: Callable[[], None]) -> None:
        self._owner, self.changed = owner, changed
        self._tasks = BackgroundTasks(owner)
        self._requested_rules: Rules | None = None
        self.lab = LabState(rules)

    def begin(self) -> None:
        """Start computing the figures for the current rules, unless they are known already."""
        rules = self.lab.rules
        if self._requested_rules == rules:
            return
        self._requested_rules = rules

        def still() -> bool:
            return self._owner.is_attached and self.lab.rules == rules

        def put_edge(edges: tuple[Fraction, Fraction, EdgeEstimate | None]) -> None:
            usual, edge, two_deck = edges
            self._put(replace(self.lab, usual_edge=usual, edge=edge, two_deck_edge=two_deck))

        def compute_edges() -> tuple[Fraction, Fraction, EdgeEstimate | None]:
            return house_edge(USUAL), house_edge(rules), edge_of(rules)

        self._tasks.run("edge", compute_edges, put_edge, still)
        self._tasks.run(
            "effects",
            lambda: tuple(effect for _, effect in edge_effects(rules)),
            lambda effects: self._put(replace(self.lab, effects=effects)),
            still,
        )

    def switch(self, number: int) -> None:
        """Turn an option of the rules on or off."""
        rules = OPTIONS[number].switched(self.lab.rules)
        self._put(LabState(rules, usual_edge=self.lab.usual_edge))
        self.begin()

    def _put(self, lab: LabState) -> None:
        self.lab = lab
        self.changed()
