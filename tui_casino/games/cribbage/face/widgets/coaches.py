"""The coaches of cribbage on its screen: a panel, a page, and what the last choice cost."""

from __future__ import annotations

from typing import Any

from textual import work
from textual.widgets import Static

from .....cards.card import Hand, show
from .....engine.game import Seat
from .....gamekit.adviser import Mistake
from .....tui.modals import Page
from .....tui.table.coached import CoachedScreen
from .....tui.widgets.bars import put
from .....tui.widgets.panel import Panel
from .....tui.windows import open_over
from ...machine.moves import Action, Discard, Lay
from ...machine.state import State
from ..tally import Tally


class Coaches(CoachedScreen):
    """A table with both coaches, who work off the screen's thread; its screen has the panel."""

    def __init__(self, title: str, sitting: Any) -> None:
        super().__init__(title, sitting)
        self.verdict = ""

    def judged(self, view: State, action: Action, mistake: Mistake[Action] | None) -> None:
        """Say what the choice cost beside the hand, and in the panel."""
        if isinstance(action, Discard | Lay):
            chosen = show(_cards(view, self.seat, action))
            self.verdict = f"{chosen}: as good as any"
            if mistake is not None:
                best = show(_cards(view, self.seat, mistake.better))
                self.verdict = f"{chosen} cost {float(mistake.cost):.2f}, best {best}"
            put(self.query_one("#crib-verdict", Static), self.verdict)
            self.refresh_panel()

    def do(self, line: str) -> None:
        """Do what a line says; advice is worked out off the screen's thread."""
        if line.split() == ["a"]:
            self.action_coach()
        else:
            super().do(line)

    @work(thread=True, exclusive=True, group="coach")
    def action_coach(self) -> None:
        """Show what each choice is worth on a page."""
        from ...brains.advice import advice  # numpy, late

        said = advice(self.view, self.seat)
        self.app.call_from_thread(self._open_coach, said)

    def _open_coach(self, said: tuple[str, ...]) -> None:
        if self._gone:
            return
        if said:
            open_over(self, Page("Coach", "\n".join((*said, "", *self._mistakes()))))
        else:
            self.say("There is nothing to choose now.")

    def _mistakes(self) -> list[str]:
        lost = f"lost by choices: {float(self.cost):.2f}"
        return [self.verdict, lost] if self.verdict else [lost]

    @work(thread=True, exclusive=True, group="panel")
    def refresh_panel(self) -> None:
        """Write the panel, off the screen's thread: the pegging coach takes a moment."""
        if not self.query_one(Panel).display:
            return
        from ...brains.advice import advice  # numpy, late

        view = self.view
        said = advice(view, self.seat)
        self.app.call_from_thread(self._write_panel, view, said)

    def _write_panel(self, view: State, said: tuple[str, ...]) -> None:
        if self._gone or view != self.view:
            return
        panel = self.query_one(Panel)
        panel.put("coach", "\n".join((*said, *self._mistakes())))
        tally = self.dialogue.tally
        assert isinstance(tally, Tally)
        panel.put("session", _session_text(tally))


def _cards(view: State, seat: Seat, action: Action) -> Hand:
    """Give the cards that an action discards or lays."""
    places = action.places if isinstance(action, Discard) else ()
    if isinstance(action, Lay):
        places = (action.place,)
    return tuple(view.hands[seat][place - 1] for place in places)


def _session_text(tally: Tally) -> str:
    rows = [
        ("rounds", tally.rounds),
        ("pegged", tally.pegged),
        ("hands", tally.hands),
        ("cribs", tally.cribs),
        ("other's points", tally.against),
    ]
    if tally.games:
        rows += [("games", tally.games), ("won", tally.games_won)]
    return "\n".join(f"{name:<16}{value:>8,}" for name, value in rows)
