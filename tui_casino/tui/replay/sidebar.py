"""The sidebar of a replay: mistakes with their cards, the EV of all choices, and figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

from ...gamekit.adviser import ActionValue, Decision
from ...gamekit.definition import AnyDefinition
from ...gamekit.number_formats import rounded_cost, with_sign
from ...records.playback import ReplayMoment
from ..draw.look import Look, line_styles_of, style_of
from ..draw.plots import full_block
from ..draw.segments import Piece, join_pieces, justify
from ..table.action_text import AnyView, describe_action, with_card_signs, without_shared_verb
from ..table.background_tasks import BackgroundTasks
from ..table.face import AnyFace
from ..table.snapshot import TableSnapshot
from ..widgets.line_widget import LineWidget
from ..widgets.text_blocks import wrap_text

AnyMoment: TypeAlias = ReplayMoment[Any, Any, Any, Any]
BAR = 8
"""Columns of the bar that shows a choice's EV."""
NAME = 15


class ChoiceValue(Struct, frozen=True):
    """A possible choice: its EV, its cost, and its EV relative to the others.

    ``share`` is 1 for the best and 0 for the worst choice.
    """

    name: str
    value: str
    cost: str
    share: float
    taken: bool


class SidebarContent(Struct, frozen=True):
    """The sidebar's content without the choices; ``complete`` is true after the whole review."""

    mistakes: tuple[Decision[str, str], ...] = ()
    complete: bool = False
    cost: str = ""
    now: int = -1
    guess: bool = False
    figures: tuple[tuple[str, str], ...] = ()


def choice_values(
    view: AnyView, seen: Any, values: Sequence[ActionValue[Any]], taken: Any
) -> tuple[ChoiceValue, ...]:
    """Describe the EV of each choice."""
    if not values:
        return ()
    figure, in_units = view.definition.format_amount, view.definition.in_units
    best, worst = float(values[0].value), float(values[-1].value)
    first = describe_action(view, seen, values[0].action)
    choices = []
    for row in values:
        value = float(row.value)
        name = describe_action(view, seen, row.action)
        shorter = without_shared_verb(first, name) if len(values) > 5 else name
        gap = rounded_cost(in_units(best), in_units(value))
        cost = f"{gap:.2f}" if value < best else "best"
        share = (value - worst) / (best - worst) if best > worst else 1.0
        content = with_sign(value, figure(abs(value)))
        choices.append(ChoiceValue(shorter, content, cost, share, row.action == taken))
    return tuple(choices)


class ChoiceAnalysis(Struct, frozen=True):
    """The values of the choices at a moment, or else the adviser's lines, and the reasons."""

    values: tuple[ActionValue[Any], ...] = ()
    advice: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


def analyse_choice(
    definition: AnyDefinition,
    face: AnyFace,
    snapshot: TableSnapshot[Any, Any, Any],
    decide: Callable[[], Decision[Any, Any] | None],
) -> ChoiceAnalysis:
    """Analyse the choice at a moment; ``decide`` returns the player's decision there."""
    adviser = definition.adviser
    values = adviser.values(snapshot.view, snapshot.seat)
    if not values and face.pages.figures is not None and not adviser.has_action_values:
        return ChoiceAnalysis(advice=face.pages.figures(snapshot).lines)
    return ChoiceAnalysis(values, reasons=definition.reasons(decide() if values else None))


class ReplaySidebar(LineWidget):
    """Shows mistakes, choices and figures, one below the other.

    The sidebar evaluates the choices itself. In a game that cannot evaluate all of them it shows
    the lines of the adviser.
    """

    def __init__(self, definition: AnyDefinition, face: AnyFace) -> None:
        super().__init__(id="replay-side")
        self._definition, self._face, self._tasks = definition, face, BackgroundTasks(self)
        self._content = SidebarContent()
        self._choices: tuple[ChoiceValue, ...] = ()
        self._advice: tuple[str, ...] = ()
        self._reasons: tuple[str, ...] = ()
        self._unit = definition.unit_name
        self.valued = -1
        """The step for which choices are shown or being evaluated."""

    def put(self, content: SidebarContent) -> None:
        if content != self._content:
            self._content = content
            self.refresh()

    def value(
        self,
        choice: AnyMoment | None,
        view: AnyView,
        snapshot: TableSnapshot[Any, Any, Any] | None,
        decide: Callable[[AnyMoment], Decision[Any, Any] | None],
    ) -> None:
        """Evaluate all choices of the player; show nothing if there is no ``snapshot``.

        The values appear once they are computed.
        """
        self.valued = step = -1 if choice is None else choice.step
        self._choices, self._advice, self._reasons = (), (), ()
        if choice is None or snapshot is None:
            return

        def show(result: ChoiceAnalysis) -> None:
            self._advice, self._reasons = result.advice, tuple(map(with_card_signs, result.reasons))
            self._choices = choice_values(view, snapshot.view, result.values, choice.action)
            self.refresh()

        self._tasks.run(
            "here",
            lambda: analyse_choice(self._definition, self._face, snapshot, lambda: decide(choice)),
            show,
            lambda: self.is_attached and self.valued == step,
        )

    def _shown(self) -> object:
        return self._content, self._choices, self._advice, self._reasons

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        width = area.width - 3
        figures = [*self._figures(look, width)]
        reasons = [*self._reason_lines(look, width)]
        limit = max(6, area.height // 2 - 2 - len(reasons))
        current = [*self._choice_lines(look, width, limit), *reasons]
        room = max(4, area.height - len(current) - len(figures) - 2)
        parts = [[*self._mistakes(look, width, room)], current, figures]
        margin = Strip([*join_pieces([("  ", Style.null())], 2, look.tier)])
        for number, part in enumerate(part for part in parts if part):
            if number:
                yield Strip([])
            for strip in part:
                yield Strip.join([margin, strip])

    def _mistakes(self, look: Look, width: int, rows: int) -> Iterator[Strip]:
        content, inks, tier = self._content, line_styles_of(look.palette), look.tier
        count = len(content.mistakes)
        title: list[Piece] = [("MISTAKES", inks.gold)]
        if self._definition.adviser.has_judge:
            sum_up = f"{count}, cost {content.cost}" if count else "none"
            title.append((f"  {sum_up}{'' if content.complete else ' so far'}", inks.muted))
        yield justify(title, [(f"cost, {self._unit}", inks.muted)] if count else [], width, tier)
        if not self._definition.adviser.has_judge:
            yield join_pieces([("choices are not evaluated in this game", inks.muted)], width, tier)
            return
        fit = max(1, (rows - 1) // 2)
        current = max(
            (n for n, one in enumerate(content.mistakes) if one.step <= content.now), default=0
        )
        first = max(0, min(current - fit // 2, count - fit))
        lit = style_of(look.palette.text, look.palette.lit) + Style(bold=True)
        for number, one in enumerate(content.mistakes[first : first + fit], first + 1):
            at = one.step == content.now
            mark: Piece = (f"{'▌' if at else ' '}▲{number} ", inks.gold if at else inks.bad)
            hidden = content.guess
            price = [] if hidden else [(self._definition.format_cost(one), inks.bad)]
            head = justify(
                [mark, (f"round {one.round:,}, {one.view}", inks.text)], price, width, tier
            )
            choice_text: list[Piece] = [(" " * (len(mark[0]) - 1), inks.text)]
            if not hidden:
                choice_text += [
                    (one.action, inks.text),
                    (", best ", inks.muted),
                    (one.best, inks.good),
                ]
            for strip in (head, join_pieces(choice_text, width, tier)):
                full = strip.adjust_cell_length(width, Style.null())
                yield full.apply_style(lit) if at else full

    def _choice_lines(self, look: Look, width: int, limit: int) -> Iterator[Strip]:
        content, inks, tier = self._content, line_styles_of(look.palette), look.tier
        if content.guess or not (self._choices or self._advice):
            return
        if not self._choices:
            yield join_pieces([("ADVICE", inks.gold)], width, tier)
            for text in self._advice[:limit]:
                yield join_pieces([(text, inks.text)], width, tier)
            return
        bars = width >= NAME + BAR + 18
        head = f"ALL {len(self._choices)} CHOICES, {self._unit.upper()}"
        yield justify([(head, inks.gold)], [(f"{'EV':>8}{'cost':>8}", inks.muted)], width, tier)
        shown = _around(self._choices, limit)
        lit = style_of(look.palette.text, look.palette.lit)
        for choice in shown:
            best = choice.cost == "best"
            ink = inks.good if best else inks.bad if choice.taken else inks.muted
            cost = ink if best or choice.taken else inks.muted
            name = inks.good if best else inks.strong if choice.taken else inks.text
            mark = "▌" if choice.taken else " "
            bar = full_block(tier) * max(1, round(choice.share * BAR)) if bars else ""
            pieces: list[Piece] = [
                (mark, inks.gold),
                (choice.name.ljust(NAME), name),
                (f" {bar}", ink),
            ]
            figures: list[Piece] = [(f"{choice.value:>8}", inks.text), (f"{choice.cost:>8}", cost)]
            strip = justify(pieces, figures, width, tier)
            yield strip.apply_style(lit) if choice.taken else strip
        if len(shown) < len(self._choices):
            rest = f"{len(self._choices) - len(shown)} more with a lower EV"
            yield join_pieces([(rest, inks.muted)], width, tier)

    def _reason_lines(self, look: Look, width: int) -> Iterator[Strip]:
        inks, tier = line_styles_of(look.palette), look.tier
        if self._content.guess or not self._reasons:
            return
        yield join_pieces([("WHY", inks.gold)], width, tier)
        for sentence in self._reasons:
            for line in wrap_text(sentence, width):
                yield join_pieces([(line, inks.text)], width, tier)

    def _figures(self, look: Look, width: int) -> Iterator[Strip]:
        content, inks, tier = self._content, line_styles_of(look.palette), look.tier
        if content.figures:
            yield join_pieces([("SO FAR", inks.gold)], width, tier)
        for name, figure in content.figures:
            yield justify([(name, inks.muted)], [(figure, inks.text)], width, tier)


def _around(choices: tuple[ChoiceValue, ...], limit: int) -> Sequence[ChoiceValue]:
    """Return the best choices, always including the choice that was made."""
    room = limit - 2
    if len(choices) <= room + 1:
        return choices
    shown = choices[:room]
    if any(choice.taken for choice in shown):
        return shown
    return [*choices[: room - 1], *(choice for choice in choices if choice.taken)]
