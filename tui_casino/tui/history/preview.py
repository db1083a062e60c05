"""A preview of the log at the cursor: its graph, costliest mistakes and proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from time import sleep
from typing import Any

from msgspec import Struct
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.strip import Strip

from ...gamekit.adviser import Decision
from ...gamekit.registry import find_listing
from ...house.own_sessions import table_of
from ...inputs.errors import BadInput
from ...inputs.files import BadFile
from ...inputs.sanitize import printable
from ...records.cache import Cache
from ...records.clock import local_time
from ...records.ledger import LogCheckpoint
from ...records.log_review import LogReview
from ...records.playback import Playback
from ...records.recording_review import RecordingReview
from ...records.replay import ProofLevel, verify_log
from ...records.session_log import SessionLog, read_log
from ..draw.look import Look, line_styles_of, result_tone
from ..draw.segments import Piece, first_fitting, join_pieces, justify
from ..replay.graph import BankrollCurve, ReplayGraph, curve_of
from ..replay.seat_view import SeatView, SittingNotOver
from ..table.action_text import AnyView, mistake_in_view_words
from ..table.face import AnyFace, face_of
from ..widgets.line_widget import ContentWidget, LineWidget
from .log_list import LogRow, deviation, result, time_played, title

MOST = 20_000
"""The maximum number of steps that the preview reads; the rest of a longer log is ignored."""
SOME = 200
"""Steps after which the preview checks whether it is still wanted."""
ROOMY = 10
"""The minimum height at which a mistake gets two rows."""


class PreviewContent(Struct, frozen=True):
    """The contents of a preview: a log's review and verification, and a view that describes it.

    There is no review while the session may not be shown yet, or if the log cannot be read.
    """

    review: LogReview[Any, Any] | None = None
    steps: int = 0
    weighed: bool = False
    view: AnyView | None = None
    proof: str = ""
    good: bool = True
    as_bad: float | None = None


class PreviewText(Struct, frozen=True):
    """The text next to the curve: mistakes, costliest first, with their numbers on the curve."""

    mistakes: tuple[tuple[int, Decision[str, str]], ...] = ()
    figure: Callable[[Decision[Any, Any]], str] = str
    none: str = "none"
    complete: bool = True
    seed: str = ""
    proof: str = ""
    good: bool = True
    deviation: str = ""
    unit: str = ""


def load_preview(
    row: LogRow,
    cache: Path | None,
    knows: Callable[[SessionLog], LogCheckpoint | None],
    still: Callable[[], bool],
) -> PreviewContent | None:
    """Read a log on a thread; return ``None`` if it cannot be read or is no longer wanted.

    ``knows`` returns the ledger's checkpoint of a log.
    """
    entry, listing = row.entry, find_listing(row.entry.game)
    if listing is None or entry.fault is not None:
        return None
    definition = listing.definition()
    try:
        with Playback(definition, entry.path, Cache(cache)) as recording:
            reviewer = RecordingReview(recording, only=row.wrong or ())
            while reviewer.advance(SOME) and reviewer.review.done < MOST:
                if not still():
                    return None
                sleep(0.001)  # let the event loop run
            view = _view(face_of(listing), recording)
            review = reviewer.review if view is not None else None
            steps = min(recording.steps, reviewer.review.done)
        proof, good = _proof(definition, entry.path, knows) if steps < MOST else ("", True)
    except (BadInput, OSError) as error:
        return PreviewContent(proof=_reason(error), good=False)
    weighed = definition.adviser.has_judge
    as_bad = row.summary.as_bad if row.summary else None
    return PreviewContent(review, steps, weighed, view, proof, good, as_bad)


def _view(face: AnyFace, recording: Playback[Any, Any, Any, Any, Any]) -> AnyView | None:
    """Return a view that describes a recording; ``None`` while the recording may not be shown."""
    try:
        reading = SeatView(recording)
    except SittingNotOver:
        return None
    begin = recording.moment_at(0)
    view: AnyView = face.view(reading.table_info(face), reading.visible_state(begin), begin.tally)
    return view


def _proof(
    definition: Any, path: Path, knows: Callable[[SessionLog], LogCheckpoint | None]
) -> tuple[str, bool]:
    log = read_log(path)
    verdict = verify_log(definition, log, knows(log))
    if verdict.proof is ProofLevel.DIFFERS:
        return f"differs in line {verdict.line}", False
    return verdict.proof.value, True


def _no_mistakes(content: PreviewContent, row: LogRow) -> str:
    if content.view is None and content.good:
        return "shown once the session is over"
    if not content.good and content.review is None:
        return "unknown: the log is damaged"
    if not content.weighed:
        return "choices are not evaluated in this game"
    if not row.entry.finished:
        return "counted once the session is over"
    return "being analysed …" if row.wrong is None else "none"


def _reason(error: BadInput | OSError) -> str:
    """Return what is wrong with a log; the name of the log is shown elsewhere."""
    if isinstance(error, BadFile):
        return printable(
            error.reason if error.line is None else f"line {error.line}: {error.reason}"
        )
    return printable(str(error))


def _short(seed: str) -> str:
    return seed if len(seed) < 16 else f"{seed[:4]}…{seed[-4:]}"


class PreviewHeading(LineWidget):
    """The heading that identifies the log: its game, date, table and result."""

    def __init__(self) -> None:
        super().__init__(id="preview-heading")
        self._row: LogRow | None = None
        self._note = ""

    def put(self, row: LogRow | None, note: str = "") -> None:
        """Describe this log, or show a note instead."""
        if (row, note) != (self._row, self._note):
            self._row, self._note = row, note
            self.refresh()

    def _shown(self) -> object:
        return self._row, self._note

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks, row = line_styles_of(look.palette), self._row
        if row is None or self._note:
            yield join_pieces([(" " + self._note, inks.muted)], area.width, look.tier)
            return
        entry = row.entry
        start = local_time(entry.started)
        said, tone = result(row)
        star = "★ " * row.label.star  # narrow lists have no column for it
        pieces: list[Piece] = [(f" {star}{title(entry).upper()}  ", inks.gold)]
        if row.label.name:
            pieces.append((f"{row.label.name}  ", inks.gold))
        if entry.fault is not None:
            pieces.append((f"damaged: {entry.fault}", inks.bad))
            yield join_pieces(pieces, area.width, look.tier)
            if area.height > 1:
                name = printable(entry.path.name)
                yield join_pieces([(f" {name}", inks.muted)], area.width, look.tier)
            return
        day = (f"{start:%A} {start.day} {start:%B}, {start:%H:%M}  ", inks.strong)
        short = (f"{start.day} {start:%b} {start:%H:%M}  ", inks.strong)
        where = (f"{table_of(entry)}  ", inks.muted)
        result_piece = (said, inks.style(result_tone(tone, even="text")))
        took = (f"  {time_played(row.summary)}".rstrip(), inks.muted)
        layouts = (
            [day, where, result_piece, took],
            [day, where, result_piece],
            [short, where, result_piece],
            [short, result_piece],
        )
        text = first_fitting(area.width, *([*pieces, *layout] for layout in layouts))
        yield join_pieces(text, area.width, look.tier)
        if area.height > 1:
            whose = f"{entry.player}'s money" if entry.player else "free play"
            reason = f"ended: {entry.reason}" if entry.reason else ""
            said = " · ".join(
                filter(None, (whose, reason, *entry.notes, printable(entry.path.name)))
            )
            yield join_pieces([(" " + said, inks.muted)], area.width, look.tier)


class PreviewDetails(ContentWidget[PreviewText | None]):
    """The numbered mistakes, the proof, and the deviation."""

    def __init__(self) -> None:
        super().__init__(None, id="preview-beside")

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        text, inks, tier = self.content, line_styles_of(look.palette), look.tier
        if text is None:
            return
        width, strips = area.width - 1, list[Strip]()
        count = len(text.mistakes)
        head = "MISTAKES" if text.complete else "MISTAKES so far"
        strips.append(
            justify(
                [(head, inks.gold)],
                [(f"cost, {text.unit}" if text.unit else "cost", inks.muted)],
                width,
                tier,
            )
        )
        if not count:
            strips.append(join_pieces([(text.none, inks.muted)], width, tier))
        deviation, _, chance = text.deviation.partition("; ")
        foot = [
            *([[("PROOF ", inks.gold), (text.seed, inks.text)]] if text.seed else []),
            *([[(text.proof, inks.good if text.good else inks.bad)]] if text.proof else []),
            *([[("DEVIATION ", inks.gold), (deviation, inks.text)]] if deviation else []),
            *([[(chance, inks.muted)]] if chance else []),
        ]
        if len(foot) > 1 and area.height < ROOMY:
            foot = [[piece for part in foot[:2] for piece in (*part, ("  ", inks.text))]]
        rows = area.height - len(strips) - len(foot)
        each = 2 if area.height >= ROOMY or 2 * count <= rows else 1
        room = max(1, (rows - (area.height >= ROOMY)) // each)
        shown = text.mistakes if count <= room else text.mistakes[: max(1, room - 1)]
        for number, one in shown:
            best: list[Piece] = [
                (one.action, inks.text),
                (", best ", inks.muted),
                (one.best, inks.good),
            ]
            mark = f"▲{number} "
            price: list[Piece] = [(text.figure(one), inks.bad)]
            if each == 1:
                strips.append(justify([(mark, inks.bad), *best], price, width, tier))
                continue
            strips.append(justify([(mark, inks.bad), (one.view, inks.text)], price, width, tier))
            strips.append(join_pieces([(" " * len(mark), inks.text), *best], width, tier))
        if len(shown) < count:
            remaining = f"{count - len(shown)} more in the replay"
            strips.append(join_pieces([(remaining, inks.muted)], width, tier))
        if area.height >= ROOMY:
            strips.append(Strip([]))
        yield from strips
        for pieces in foot:
            yield join_pieces(pieces, width, tier)


def _deviation(text: str, as_bad: float | None) -> str:
    if not text:
        return ""
    likely = "" if as_bad is None else f"; chance of this or worse: {as_bad:.1%}"
    return f"{text} standard deviations{likely}"


class LogPreview(Vertical):
    """The log at the cursor, below the list."""

    def __init__(self) -> None:
        super().__init__(id="preview")
        self.heading, self.graph, self.details = (
            PreviewHeading(),
            ReplayGraph(id="preview-graph"),
            PreviewDetails(),
        )

    def compose(self) -> ComposeResult:
        yield self.heading
        with Horizontal(id="preview-body"):
            yield self.graph
            yield self.details

    def clear(self, row: LogRow | None, note: str = "") -> None:
        """Show only the details from the list, until the log has been read."""
        self.heading.put(row, note)
        self.graph.put(BankrollCurve())
        self.details.show(None)

    def put(self, row: LogRow, content: PreviewContent) -> None:
        view, review = content.view, content.review
        mistakes: tuple[tuple[int, Decision[str, str]], ...] = ()
        if view and review:
            numbered = sorted(enumerate(review.mistakes, 1), key=lambda each: -each[1].cost)
            mistakes = tuple((number, mistake_in_view_words(view, one)) for number, one in numbered)
        self.graph.put(curve_of(review, content.steps) if review else BankrollCurve())
        seed = row.entry.seed
        source = row.entry.source
        shuffle = ""
        if source is not None:
            shuffle = f"seed {_short(seed)}" if seed else "seed still secret"
            shuffle += f"  client seed {printable(source.word)}" if source.word else ""
        text, _ = deviation(row.summary)
        self.details.show(
            PreviewText(
                mistakes,
                view.definition.format_cost if view else str,
                _no_mistakes(content, row),
                content.steps >= row.entry.steps,
                shuffle,
                f"{'✓' if content.good else '✗'} {content.proof}" if content.proof else "",
                content.good,
                _deviation(text, content.as_bad),
                view.definition.unit_name if view else "",
            )
        )
