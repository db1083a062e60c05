"""The dealer simulation on the screen; its results are the same as on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from msgspec import Struct
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.timer import Timer

from ....engine.chance import SEED_LIMIT
from ....engine.monte_carlo import random_seed
from ....gamekit.number_formats import percent, with_minus_signs
from ....inputs.errors import BadInput
from ....inputs.numbers import parse_number
from ....tui.draw.canvas import Canvas, write_line
from ....tui.draw.look import line_styles_of
from ....tui.draw.plots import draw_bar, plot
from ....tui.modals import InputDialog
from ....tui.room import Room, leave_binding
from ....tui.table.statistics_screen import export_figures
from ....tui.terminal.detection import GlyphSet
from ....tui.theme import sheets_of
from ....tui.widgets.hint_line import HintMessage
from ....tui.widgets.key_bar import VERB, digit_bindings
from ....tui.widgets.line_widget import CanvasWidget
from ....tui.widgets.title_bar import Note
from ....tui.window import ask_over
from ..brains.dealer_simulation import BattleProgress, BattleStopped, DealerBattle, run_battle
from ..machine.rules import DECKS, Rules
from .odds_report import GAIN, BattleFigure, battle_figures, battle_report
from .table_catalog import house_title

COLUMNS = (("rounds", 26, 12), ("share", 38, 12), ("std. error", 50, 12), ("infinite", 62, 14))
"""The columns of figures: heading, start and width."""
LEAST_PLOT = 4
"""The minimum number of rows of a plot."""
SKIPPED_SHARE = 20
"""The first 1/20 of the rounds are not plotted, because their averages vary too much."""


class BattleStatus(Struct, frozen=True):
    """The progress of a simulation: its figures so far, and the average gain of a bet of 1.

    ``headline`` is shown above the figures; ``share`` is the finished part of the simulation.
    """

    headline: str
    share: float = 0
    figures: tuple[BattleFigure, ...] = ()
    gain_history: tuple[tuple[int, float], ...] = ()


class BattleView(CanvasWidget):
    """Draws a running or a finished simulation."""

    def __init__(self, status: BattleStatus) -> None:
        super().__init__()
        self._status = status

    @property
    def status(self) -> BattleStatus:
        return self._status

    def show(self, status: BattleStatus) -> None:
        if status != self._status:
            self._status = status
            self.refresh()

    def _shown(self) -> object:
        return self._status

    def _paint(self, canvas: Canvas) -> None:
        status, width = self._status, canvas.width
        inner = min(width - 2, 76)
        x = max(1, (width - inner) // 2)
        write_line(canvas, x, 0, ((status.headline, "gold"),))
        self._progress(canvas, Region(x, 1, inner, 1))
        columns = [column for column in COLUMNS if column[1] + column[2] <= inner]
        for name, start, column_width in columns:
            write_line(canvas, x + start, 2, ((f"{name:>{column_width}}", "muted"),))
        for y, figure in enumerate(status.figures, 3):
            write_line(canvas, x, y, ((figure.label, ""),))
            for (_, start, column_width), text in zip(columns, _texts(figure), strict=False):
                tone = "strong" if start == COLUMNS[1][1] else "muted"
                write_line(canvas, x + start, y, ((f"{text:>{column_width}}", tone),))
        top = 4 + len(status.figures)
        if status.gain_history and canvas.height - top >= LEAST_PLOT:
            self._plot(canvas, Region(x, top, inner, canvas.height - top))

    def _progress(self, canvas: Canvas, place: Region) -> None:
        if not 0 < self._status.share < 1:
            return
        filled = round(place.width * self._status.share)
        draw_bar(
            canvas, place.x, place.y, filled, place.width, line_styles_of(canvas.look.palette).good
        )

    def _plot(self, canvas: Canvas, place: Region) -> None:
        """Plot the average gain per bet, leaving out the first rounds."""
        history = self._status.gain_history
        rounds = history[-1][0]
        gains = [
            100 * gain for rounds_done, gain in history if rounds_done * SKIPPED_SHARE >= rounds
        ]
        plain = canvas.look.tier is not GlyphSet.UNICODE
        rows = plot(
            gains, place.width, place.height - 1, plain, label=lambda gain: percent(gain / 100)
        )
        for y, row in enumerate(rows, place.y):
            canvas.write(place.x, y, row, line_styles_of(canvas.look.palette).gold)
        caption = f"average gain per bet after {rounds // SKIPPED_SHARE:,} to {rounds:,} rounds"
        write_line(canvas, place.right - len(caption), place.bottom - 1, ((caption, "muted"),))


def _texts(figure: BattleFigure) -> Sequence[str]:
    count = "" if figure.count is None else f"{figure.count:,}"
    share, error, exact = (
        with_minus_signs(percent(share, 4)) for share in (figure.share, figure.error, figure.exact)
    )
    return count, share, error if figure.error else "-", exact


LENGTHS = (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
"""The numbers of rounds that the digits choose."""
POLL_SECONDS = 0.2
"""The seconds between two updates while a simulation runs."""
EXPORTS = ("thirty-one-battle.csv", "thirty-one-battle.json")


class BattleScreen(Room[None]):
    """Runs dealer simulations under a table's rules, one at a time, and exports their results."""

    CSS_PATH = [*sheets_of("thirty-one")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "fight", "Run", id="battle.fight", group=VERB),
        *digit_bindings(len(LENGTHS), "length", "Rounds", "battle.length", first=0),
        Binding("d", "decks", "Decks", id="battle.decks", group=VERB),
        Binding("s", "seed", "Seed", id="battle.seed", group=VERB),
        Binding("e", "export", "Export", id="battle.export", group=VERB),
        leave_binding("battle", action="leave", keys="escape,q,f6"),
    ]

    def __init__(self, rules: Rules, export_folder: Path | None) -> None:
        super().__init__("Dealer simulation", lead="fight")
        self._rules, self._export_folder = rules, export_folder
        self._rounds, self._decks = LENGTHS[2], DECKS
        self._seed: int | None = None
        self._progress: BattleProgress | None = None
        self.last_battle: DealerBattle | None = None
        self._poll_timer: Timer | None = None

    def compose_content(self) -> ComposeResult:
        self.title_bar.describe(self._subtitle(), *self._notes())
        self.battle_view = BattleView(
            BattleStatus("Both sides follow the dealer's rule, but you also hit a soft 27.")
        )
        yield self.battle_view

    def on_unmount(self) -> None:
        if self._progress is not None:
            self._progress.stop()
        super().on_unmount()

    # ---- choices --------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable keys that cannot be used while a simulation runs, or before the first one."""
        if action in ("fight", "length", "decks", "seed"):
            return True if self._progress is None else None
        if action == "export":
            return True if self.last_battle is not None else None
        return True

    def disabled_reason(self, action: str) -> str:
        return (
            "run a simulation first."
            if self._progress is None
            else "a simulation is running: Esc stops it."
        )

    def hint_label(self, action: str) -> str | None:
        """Return the current name of an action if it differs from the name in its binding."""
        match action:
            case "fight":
                return f"Run {self._rounds:,}"
            case "decks":
                return "Infinite shoe" if self._decks else f"{DECKS} decks"
        return None

    def _subtitle(self) -> str:
        shoe = f"{self._decks} decks" if self._decks else "an infinite shoe"
        return f"{house_title(self._rules)}{self._between}{shoe}"

    @property
    def _between(self) -> str:
        return " - " if self.app.has_class("-ascii") else " · "

    def _notes(self) -> tuple[Note, ...]:
        """Return the seed of the figures shown, or of the next simulation."""
        seed = self.last_battle.seed if self.last_battle is not None else self._seed
        return () if seed is None else ((f"seed {seed}", "muted"),)

    def _refresh_options(self) -> None:
        self.title_bar.describe(self._subtitle(), *self._notes())
        self.hints.refresh_hints()

    def action_length(self, place: int) -> None:
        self._rounds = LENGTHS[place]
        self._refresh_options()

    def action_decks(self) -> None:
        self._decks = 0 if self._decks else DECKS
        self._refresh_options()

    @work(name="action_seed")
    async def action_seed(self) -> None:
        """Ask for a seed; with an empty seed, each simulation has a new one."""
        typed = await ask_over(
            self, InputDialog("The seed", "A whole number; the same number gives the same results.")
        )
        if typed is None:
            return
        try:
            seed = parse_number("s", typed, -SEED_LIMIT, SEED_LIMIT) if typed else None
        except BadInput as error:
            self.refuse("s", str(error).removeprefix("s: "))
            return
        self._seed = seed
        self._refresh_options()

    # ---- the simulation -------------------------------------------------------------------

    def action_fight(self) -> None:
        seed = random_seed() if self._seed is None else self._seed
        self._progress = BattleProgress(self._decks or None, seed)
        self._poll_timer = self.set_interval(POLL_SECONDS, self._poll)
        self._fight(self._progress, self._rounds, self._decks or None, seed)
        self.refresh_bindings()
        self._poll()

    @work(thread=True, name="battle")
    def _fight(self, running: BattleProgress, rounds: int, decks: int | None, seed: int) -> None:
        try:
            battle = run_battle(
                self._rules, rounds, decks=decks, seed=seed, listener=running.add_rounds
            )
        except BattleStopped:
            battle = None
        if self.is_attached:
            self.app.call_from_thread(self._finish, battle)

    def _finish(self, battle: DealerBattle | None) -> None:
        running, self._progress = self._progress, None
        if self._poll_timer is not None:
            self._poll_timer.stop()
        if running is None:
            return
        self.last_battle = battle or running.result
        if self.last_battle is not None:
            self._show(self.last_battle, running, "" if battle else "Stopped: ")
            self._refresh_options()
        self.refresh_bindings()

    def _poll(self) -> None:
        if self._progress is None:
            return
        if (battle := self._progress.result) is not None:
            self._show(battle, self._progress, "")
        else:
            self.battle_view.show(BattleStatus("…"))

    def _show(self, battle: DealerBattle, running: BattleProgress, prefix: str) -> None:
        figures = tuple(battle_figures(battle, self._rules))
        gain = next(figure for figure in figures if figure.label == GAIN)
        result = f"house edge {percent(-gain.share)}, standard error {percent(gain.error)}"
        share = battle.rounds / self._rounds if self._progress is not None else 1
        self.battle_view.show(
            BattleStatus(
                f"{prefix}{battle.rounds:,} rounds: {result}", share, figures, running.gain_history
            )
        )

    def action_leave(self) -> None:
        """Stop the simulation, or close the screen if none is running."""
        if self._progress is None:
            self.dismiss()
        else:
            self._progress.stop()

    def action_export(self) -> None:
        if self.last_battle is not None:
            report = battle_report(self.last_battle)
            lines, succeeded = export_figures(report, EXPORTS, self._export_folder)
            self.hints.show_message(
                HintMessage("told" if succeeded else "refused", "e", "; ".join(lines))
            )
