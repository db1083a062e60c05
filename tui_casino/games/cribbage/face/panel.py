"""What is told of a moment beside the table: what the advisers say, the points, and the log."""

from __future__ import annotations

from typing import TypeAlias

from ....cards.card import Hand, show
from ....engine.game import Seat
from ....tui.table.glance import Figures, Glance, Journal, Judged, Section
from ..machine.moves import Action, Discard, Lay
from ..machine.state import State
from .advice import advice
from .tally import Tally

CribbageGlance: TypeAlias = Glance[State, Action, Tally]

NOTHING_TO_CHOOSE = "There is nothing to choose now."


def weigh(view: State, seat: Seat, action: Action) -> Judged[State, Action] | None:
    """Weigh a choice of cards; going on and counting are none."""
    from ..brains.adviser import judge  # numpy, late

    if not isinstance(action, Discard | Lay):
        return None
    return Judged(view, action, judge(view, seat, action))


def verdict(judged: Judged[State, Action] | None, seat: Seat) -> str:
    """Say what a choice of cards cost, and which was better; nothing if there was none."""
    if judged is None:
        return ""
    chosen = show(_cards(judged.view, seat, judged.action))
    if judged.mistake is None:
        return f"{chosen}: as good as any"
    best = show(_cards(judged.view, seat, judged.mistake.better))
    return f"{chosen} cost {float(judged.mistake.cost):.2f}, best {best}"


def figures(glance: CribbageGlance) -> Figures:
    """Give what each choice is worth, and what the choices so far have cost."""
    said = advice(glance.view, glance.seat)
    if not said:
        return Figures(NOTHING_TO_CHOOSE, ())
    return Figures("Adviser", (*said, "", *_costs(glance.journal, glance.seat)))


def answer(glance: CribbageGlance) -> tuple[str, ...]:
    """Answer what the adviser would do."""
    found = figures(glance)
    return found.lines or (found.title,)


def _adviser(glance: CribbageGlance) -> str:
    said = advice(glance.view, glance.seat)
    return "\n".join((*said, *_costs(glance.journal, glance.seat)))


def _costs(journal: Journal[State, Action], seat: Seat) -> tuple[str, ...]:
    lost = f"lost by choices: {float(journal.cost):.2f}"
    return tuple(filter(None, (verdict(journal.last, seat), lost)))


def _cards(view: State, seat: Seat, action: Action) -> Hand:
    """Give the cards that an action discards or lays."""
    places: tuple[int, ...] = ()
    match action:
        case Discard():
            places = action.places
        case Lay():
            places = (action.place,)
    return tuple(view.hands[seat][place - 1] for place in places)


def _session(glance: CribbageGlance) -> str:
    tally = glance.tally
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


def _log(glance: CribbageGlance) -> str:
    return "\n".join(glance.story)


PANEL: tuple[Section[State, Action, Tally], ...] = (
    Section("adviser", _adviser),
    Section("session", _session),
    Section("log", _log, tail=True),
)
