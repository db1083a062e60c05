"""What was done at a table, in the words and signs of its view."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...cards.card import Card
from ...gamekit.grammar import takes_words
from .glance import Judged
from .view import TableView

if TYPE_CHECKING:
    from ...gamekit.parts import AnyParts
    from ...records.course import Slip

AnyView = TableView[Any, Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class SaidSlip:
    """A mistake in words: before which cards it was made, what was done, and what was best.

    ``cost`` is as the game writes it; ``title`` tells where it was.
    """

    step: int
    title: str
    standing: str
    done: str
    best: str
    cost: str


def spoken(view: AnyView, seen: Any, action: Any) -> str:
    """Say an action from what was seen before it, in a few words: ``throw A♥ 4♦``."""
    now, view.seen = view.seen, seen
    try:
        return view.meaning(action).partition(",")[0]
    finally:
        view.seen = now


_CARD = re.compile(r"\b([2-9TJQKA])([SHDC])\b")


def in_signs(text: str) -> str:
    """Write cards that are named by letters, as in the lines of the console, by signs."""
    return _CARD.sub(lambda found: Card.parse(found[0]).symbol, text)


def in_words(parts: AnyParts, command: str) -> str:
    """Write a command, cards by their letters, as what is done with it: ``discard A♥ 4♦``."""
    verb, _, rest = command.partition(" ")
    kind = parts.words.verbs.get(verb)
    name = verb if kind is None else getattr(kind, "__name__", verb).lower()
    if not rest and kind is not None and takes_words(kind):
        rest = "nothing"
    return in_signs(f"{name} {rest}".rstrip())


def beside(done: str, best: str) -> str:
    """Say the better one of two actions, without the verb that both have."""
    verb, _, rest = best.partition(" ")
    return rest if rest and done.partition(" ")[0] == verb else best


def said_mistakes(view: AnyView, mistakes: Iterable[Judged[Any, Any]]) -> Iterator[str]:
    """Give lines that list mistakes by cards, the dearest first: cost, what was done, the best."""
    for judged in sorted(mistakes, key=lambda one: -one.mistake.cost if one.mistake else 0):
        if judged.mistake is not None:
            done = spoken(view, judged.view, judged.action)
            best = spoken(view, judged.view, judged.mistake.better)
            yield f"{view.parts.figure(judged.mistake.cost):>8}  {view.standing(judged.view)}"
            yield f"{'':8}  {done}, best {beside(done, best)}"


def said_slip(view: AnyView, slip: Slip[Any, Any]) -> SaidSlip:
    """Say a mistake in words."""
    done = spoken(view, slip.seen, slip.action)
    best = spoken(view, slip.seen, slip.mistake.better)
    return SaidSlip(
        slip.step,
        f"round {slip.round:,}",
        view.standing(slip.seen),
        done,
        beside(done, best),
        view.parts.figure(slip.mistake.cost),
    )
