"""The count of a hand at the show: as a page, as players say it, and page by page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from ....cards.card import Card, Hand
from ....structs import replace
from ..machine.rules import points_of
from ..machine.scoring import Score
from ..machine.state import Event, HandCounted, HandShown, Scored, State

NAMES: Mapping[str, str] = MappingProxyType(
    {
        "starter": "a jack turned up",
        "fifteen": "fifteen",
        "thirtyone": "thirty-one",
        "go": "the last card",
        "run3": "a run of three",
        "run4": "a run of four",
        "run5": "a run of five",
        "run6": "a run of six",
        "run7": "a run of seven",
        "pair2": "a pair",
        "pair3": "three of a kind",
        "pair4": "four of a kind",
        "flush4": "a flush",
        "flush5": "a flush of five",
        "jack": "the right jack",
        "count": "the count",
        "muggins": "muggins",
    }
)
"""The spoken names of the kinds of scores."""

_UNITS = (
    "nothing",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def score_name(kind: str) -> str:
    """Return the name of a kind of score; a kind that is not in the table keeps its log name."""
    return NAMES.get(kind, kind)


def number_in_words(number: int) -> str:
    """Return a number from 0 to 99 in words; return a higher number in figures."""
    if number > 99:
        return str(number)
    if number < len(_UNITS):
        return _UNITS[number]
    tens, units = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_UNITS[units]}" if units else "")


def count_aloud(scores: Sequence[Score]) -> str:
    """Return the spoken count of a hand: "fifteen two, fifteen four, and a pair is six"."""
    phrases, total = [], 0
    for score in scores:
        total += score.points
        verb = " " if score.kind == "fifteen" else " is "
        phrases.append(f"{score_name(score.kind)}{verb}{number_in_words(total)}")
    if not phrases:
        return number_in_words(0)
    if len(phrases) > 1 and scores[-1].kind != "fifteen":
        phrases[-1] = f"and {phrases[-1]}"
    return ", ".join(phrases)


PAIRS = {"pair2": "pair of {}", "pair3": "three {}", "pair4": "four {}"}
SHORT = {
    "fifteen": "fifteen",
    "run3": "run of three",
    "run4": "run of four",
    "run5": "run of five",
    "flush4": "flush",
    "flush5": "flush of five",
    "jack": "the right jack",
}


class CountRow(Struct, frozen=True):
    """A combination, the running total with it, and whether the owner's count includes it."""

    score: Score
    total: int
    claimed: bool = True

    @property
    def name(self) -> str:
        """The name of the combination, such as ``pair of sevens``."""
        kind = self.score.kind
        if kind in PAIRS:
            return PAIRS[kind].format(self.score.cards[0].rank.plural)
        return SHORT.get(kind, kind)


class CountPage(Struct, frozen=True):
    """A hand with the starter, how it was counted, and both players' points after the count.

    ``counted`` is false while the owner is asked for the count. ``claimed_points`` is the owner's
    own count, or ``None`` if the table counts. ``muggins`` is the number of missed points that the
    opponent took. ``points_gained`` are the points that each seat scored, and ``back_pegs`` holds
    each seat's score before its last points.
    """

    seat: int
    hand: Hand
    starter: Card
    crib: bool
    points: tuple[int, int]
    back_pegs: tuple[int, int]
    scores: tuple[Score, ...] = ()
    claimed_points: int | None = None
    counted: bool = False
    muggins: int = 0
    points_gained: tuple[int, int] = (0, 0)

    @property
    def hand_kind(self) -> str:
        return "crib" if self.crib else "hand"

    @property
    def cards(self) -> Hand:
        """The four cards of the hand, followed by the starter."""
        return (*self.hand, self.starter)

    @property
    def total_points(self) -> int:
        return points_of(self.scores)

    @property
    def missed(self) -> int:
        """The number of points that the owner failed to count."""
        return 0 if self.claimed_points is None else max(0, self.total_points - self.claimed_points)

    @property
    def rows(self) -> tuple[CountRow, ...]:
        """The combinations, in the order in which they are counted.

        An owner claims only a number of points. The owner is assumed to have counted in this order,
        so the combinations beyond the claimed points were missed.
        """
        rows, total = [], 0
        for score in self.scores:
            total += score.points
            rows.append(
                CountRow(score, total, self.claimed_points is None or total <= self.claimed_points)
            )
        return tuple(rows)

    @property
    def combination_name(self) -> str:
        """The players' name for the whole set of combinations; an empty text if it has none."""
        runs = [score for score in self.scores if score.kind.startswith("run")]
        pairs = [score for score in self.scores if score.kind.startswith("pair")]
        if len(runs) == 4:
            return "a double double run: four runs and two pairs"
        if len(runs) == 3:
            return "a triple run: three runs and three of a kind"
        if len(runs) == 2 and pairs:
            return "a double run: two runs and a pair"
        return "" if self.scores else "nothing, also called nineteen"


class ShowProgress:
    """The pages of the hands at the show, in order; ``rows_shown`` combinations are visible.

    If players count their own hands, the game does not wait until a count has been read. So a
    counted page is ``paused`` until the player turns the page, and later pages wait. A counted hand
    of ``me`` appears immediately even then, because the player may have typed ahead.
    """

    def __init__(self, me: int | None) -> None:
        self._me = me
        self.pages: list[CountPage] = []
        self.page_index = self.rows_shown = 0
        self.paused = False

    @property
    def page(self) -> CountPage | None:
        return self.pages[self.page_index] if self.pages else None

    @property
    def last(self) -> bool:
        """Whether this is the last page so far."""
        return self.page_index >= len(self.pages) - 1

    @property
    def has_hidden_rows(self) -> bool:
        """Whether some combinations of the page are not visible yet."""
        return self.page is not None and self.rows_shown < len(self.page.scores)

    def clear(self) -> None:
        """Remove all pages, for the next round."""
        self.pages, self.page_index, self.rows_shown, self.paused = [], 0, 0, False

    def update(self, event: Event, state: State, pause: bool) -> None:
        """Apply an event that led to this state; ``pause`` keeps a counted page on the screen."""
        match event:
            case HandShown(seat, starter, hand, crib):
                self.pages.append(CountPage(seat, hand, starter, crib, state.points, state.back))
                if not self.paused:
                    self._open_last()
            case HandCounted(seat, scores, claimed_points) if self.pages:
                self.pages[-1] = replace(
                    self.pages[-1], scores=scores, claimed_points=claimed_points, counted=True
                )
                if not self.paused or seat == self._me:
                    self._open_last()
                    self.paused = pause
            case Scored(seat, _, points, kind, _, _) if self.pages and self.pages[-1].counted:
                page = self.pages[-1]
                first, second = page.points_gained
                points_gained = (first + points, second) if seat == 0 else (first, second + points)
                muggins = page.muggins + (points if kind == "muggins" else 0)
                self.pages[-1] = replace(page, points_gained=points_gained, muggins=muggins)
        if self.pages and isinstance(event, HandCounted | Scored):
            self.pages[-1] = replace(self.pages[-1], points=state.points, back_pegs=state.back)

    def turn_page(self) -> None:
        """Turn to the next page, which pauses as well if its hand has been counted."""
        if self.last:
            self.paused = False
            return
        self.page_index += 1
        page = self.pages[self.page_index]
        self.paused, self.rows_shown = page.counted, len(page.scores)

    def _open_last(self) -> None:
        self.page_index = len(self.pages) - 1
        self.rows_shown = len(self.pages[self.page_index].scores)
