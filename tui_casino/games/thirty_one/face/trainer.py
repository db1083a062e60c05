"""What the trainer knows of the moment: it is worked out off the loop, and shown when it is there.

The rules lab stands by itself: it tries houses, and changes none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from textual.widget import Widget

from ....tui.table.background_tasks import BackgroundTasks
from ..brains import two_deck_edges
from ..brains.adviser import ThirtyOnePosition
from ..brains.odds import house_edge
from ..brains.rules_lab import OPTIONS, USUAL, edge_effects
from ..brains.strategy_chart import ChartRow, build_chart, chart_cell_of
from ..brains.trainer_data import TrainerData, read_trainer_data
from ..brains.two_deck_edges import EdgeEstimate
from ..machine.rules import Rules
from .widgets.chart_view import StrategyChart, chart_of
from .widgets.lab_view import LabState


class ThirtyOneTrainer:
    """The reading of the moment, and the chart of the house; ``changed`` is called for each.

    ``guess``: the best is kept back until one has acted. ``turned`` shows the chart's other page.
    """

    def __init__(self, owner: Widget, rules: Rules, changed: Callable[[], None]) -> None:
        self._owner, self._rules, self._changed = owner, rules, changed
        self._asking = BackgroundTasks(owner)
        self._position: ThirtyOnePosition | None = None
        self._before: ThirtyOnePosition | None = None
        self._reading: TrainerData | None = None
        self._rows: tuple[ChartRow, ...] = ()
        self._asked_chart = False
        self.guess = self.turned = False

    def attend(self, position: ThirtyOnePosition | None) -> None:
        """Think about this moment; between two of them the last one stays in mind."""
        if not self._asked_chart:
            self._asked_chart = True
            self._asking.run("chart", lambda: build_chart(self._rules), self._learn, self._alive)
        if position is None:
            self._before = self._position or self._before
        if position == self._position:
            return
        self._position, self._reading, self.turned = position, None, False
        if position is None:
            return
        moment = position

        def still() -> bool:
            return self._alive() and self._position == moment

        self._asking.run("reading", lambda: read_trainer_data(moment), self._note, still)

    def forget(self) -> None:
        """Have nothing in mind."""
        self._position = self._before = self._reading = None

    @property
    def known(self) -> bool:
        """Whether the moment is worked out."""
        return self._reading is not None

    @property
    def reading(self) -> TrainerData | None:
        """What is known of the moment, and may be told."""
        return None if self.guess else self._reading

    @property
    def chart(self) -> StrategyChart | None:
        """The chart with the place of the moment; of the last one, where one guessed it."""
        if not self._rows:
            return None
        position = self._position or (self._before if self.guess else None)
        at = chart_cell_of(position) if position is not None and not position.asked else None
        dark = self.guess and self._position is not None
        up = position.up if position else 0
        return chart_of(self._rows, at, up, dark=dark, turned=self.turned)

    def _alive(self) -> bool:
        return self._owner.is_attached

    def _learn(self, rows: tuple[ChartRow, ...]) -> None:
        self._rows = rows
        self._changed()

    def _note(self, reading: TrainerData) -> None:
        self._reading = reading
        self._changed()


class LabBench:
    """The rules lab: a house to try; ``changed`` is called when a figure is there, or goes."""

    def __init__(self, owner: Widget, rules: Rules, changed: Callable[[], None]) -> None:
        self._owner, self.changed = owner, changed
        self._asking = BackgroundTasks(owner)
        self._asked: Rules | None = None
        self.lab = LabState(rules)

    def begin(self) -> None:
        """Work the figures of the house out, if nobody has begun to."""
        rules = self.lab.rules
        if self._asked == rules:
            return
        self._asked = rules

        def still() -> bool:
            return self._owner.is_attached and self.lab.rules == rules

        def put_edge(found: tuple[Fraction, Fraction, EdgeEstimate | None]) -> None:
            usual, edge, fresh = found
            self._put(replace(self.lab, usual=usual, edge=edge, fresh=fresh))

        def edges() -> tuple[Fraction, Fraction, EdgeEstimate | None]:
            return house_edge(USUAL), house_edge(rules), two_deck_edges.edge_of(rules)

        self._asking.run("edge", edges, put_edge, still)
        self._asking.run(
            "effects",
            lambda: tuple(effect for _, effect in edge_effects(rules)),
            lambda found: self._put(replace(self.lab, effects=found)),
            still,
        )

    def switch(self, number: int) -> None:
        """Switch an option of the house."""
        rules = OPTIONS[number].switched(self.lab.rules)
        self._put(LabState(rules, usual=self.lab.usual))
        self.begin()

    def _put(self, lab: LabState) -> None:
        self.lab = lab
        self.changed()
