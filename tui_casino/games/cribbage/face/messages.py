"""What the screen says of a round, in one line: what was laid and scored, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence

from ....tui.draw.glyphs import capitalize
from ..machine.moves import (
    Event,
    GameOver,
    GoSaid,
    Laid,
    RoundBegun,
    RoundOver,
    RoundPart,
    Scored,
)
from .count_pages import CountPage
from .seat_names import SeatNames
from .spoken_count import count_aloud, score_name


def event_sentences(heard: Sequence[Event], names: SeatNames) -> list[str]:
    """Tell events, a sentence each; all that a card scores at once stands in its own."""
    told: list[str] = []
    for place, event in enumerate(heard):
        match event:
            case RoundBegun(dealer):
                told.append(f"{names.does(dealer, 'deal', 'deals')}.")
            case Laid(seat, count, card):
                scored = _scored_by(heard[place + 1 :], seat)
                lays = f"{names.does(seat, 'lay', 'lays')} {card.symbol}"
                told.append(f"{lays}, {count}: {scored}." if scored else f"{lays}: {count}.")
            case GoSaid(seat):
                told.append(f"{names.does(seat, 'say', 'says')} go.")
            case Scored(seat, _, points, kind, _, part):
                alone = part is RoundPart.STARTER or (part is RoundPart.PLAY and kind == "go")
                if alone:
                    told.append(f"{points} to {names.to(seat)} for {_for(kind)}.")
            case RoundOver(points):
                told.append(_over(points, names))
            case GameOver(winner, (first, second), worth):
                how = ("", " by a skunk", " by a double skunk")[worth - 1]
                wins = names.does(winner, "win", "wins")
                told[-1:] = [f"{wins} {max(first, second)} to {min(first, second)}{how}."]
    return told


def _scored_by(after: Sequence[Event], seat: int) -> str:
    """Say what a card scored, from the events behind it."""
    found = []
    for event in after:
        if not isinstance(event, Scored) or event.seat != seat or event.kind == "go":
            break
        found.append(f"{_for(event.kind)} for {event.points}")
    return " and ".join(found)


def _for(kind: str) -> str:
    return "a jack turned up" if kind == "starter" else score_name(kind)


def _over(points: Sequence[int], names: SeatNames) -> str:
    first, second = (
        f"{names.does(seat, 'have', 'has')} {points[seat]}" for seat in _me_first(names)
    )
    return f"{first}, {second}."


def _me_first(names: SeatNames) -> tuple[int, int]:
    return (1, 0) if names.me == 1 else (0, 1)


def hand_worth_text(page: CountPage, names: SeatNames) -> str:
    """Say what a hand is worth, and of a count what was missed."""
    spoken = count_aloud(page.scores)
    if page.said is None:
        return f"{capitalize(names.whose(page.seat))} {page.what}: {spoken}."
    counted = f"{names.does(page.seat, 'counted', 'counted')} {page.said}"
    if page.said == page.worth:
        return f"{counted}, and that is right."
    if page.said > page.worth:
        return f"{counted}: it is {page.worth}. {page.said - page.worth} too many."
    missed = f"{counted}: it is {page.worth}. {page.missed} missed"
    if not page.muggins:
        return f"{missed}: {_names_of_missed(page)}."
    other = 1 - page.seat
    caller = "you call" if other == names.me else f"{names[other]} calls"
    return f"{missed}, and {caller} muggins: {page.muggins} to {names.to(1 - page.seat)}."


def short_worth_text(page: CountPage, names: SeatNames) -> str:
    """Say the same of a count in a narrow window."""
    if page.said is None or not page.missed:
        return f"{capitalize(names.whose(page.seat))} {page.what}: {page.worth}."
    lost = f": {page.muggins} to {names.to(1 - page.seat)} by muggins" if page.muggins else ""
    return f"{page.said} of {page.worth} counted{lost}."


def _names_of_missed(page: CountPage) -> str:
    """Name the kinds that were missed, each once."""
    return ", ".join(
        dict.fromkeys(score_name(row.score.kind) for row in page.rows if not row.found)
    )
