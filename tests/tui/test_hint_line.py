"""The hint line of screens at which nothing is typed: its deeds, its clicks, its refusals."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from tests.helpers.arcade_pilot import (
    arcade,
    at_table,
    click,
    hint_text,
    lines,
    practice,
    press,
    run_app,
    settle,
    shuffles,
    state,
    table,
)
from tests.helpers.parameter_ids import labelled
from tui_casino.inputs.sanitize import LINE_TOO_LONG, LONGEST_LINE
from tui_casino.tui.draw.look import Look
from tui_casino.tui.draw.segments import truncate, truncate_at_word
from tui_casino.tui.terminal.detection import GlyphSet
from tui_casino.tui.theme import FELT, NONE, SIXTEEN, Palette
from tui_casino.tui.widgets.command_line import CommandLine
from tui_casino.tui.widgets.hint_line import (
    Hint,
    HintLine,
    HintMessage,
    hints_strip,
    said_strip,
    typed_strip,
)
from tui_casino.tui.widgets.key_bar import VERB, KeyBar


class Room(Screen[None]):
    """A room with two deeds, of which one cannot be done, and a place to go."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", key_display="F1", id="room.help"),
        Binding("v", "note('v')", "Verify", group=VERB),
        Binding("e", "nothing", "Export", group=VERB),
        Binding("space", "note('space')", "Go on", group=VERB),
        Binding("x", "note('x')", "Hidden", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []
        self.named = "Replay it"

    def compose(self) -> ComposeResult:
        """Lay out a floor over the two lines."""
        yield Static("the floor", id="floor")
        yield HintLine("note('space')")
        yield KeyBar(lambda *told: self.query_one(HintLine).hint(*told))

    def hint_label(self, action: str) -> str | None:
        """Name the action of Space."""
        return self.named if action == "note('space')" else None

    def disabled_reason(self, action: str) -> str:
        """Say why it is greyed."""
        return "nothing is marked."

    def on_mount(self) -> None:
        """Give the floor the height."""
        self.query_one("#floor").styles.height = "1fr"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Have nothing to export."""
        return None if action == "nothing" else True

    def action_note(self, key: str) -> None:
        """Note a key."""
        self.done.append(key)

    def on_key(self, event: events.Key) -> None:
        """Let no key be silent."""
        self.query_one(HintLine).process_key(event)


async def entered(pilot: Pilot[None]) -> tuple[Room, HintLine]:
    room = Room()
    await pilot.app.push_screen(room)
    await settle(pilot)
    return room, room.query_one(HintLine)


def hint_line_text(pilot: Pilot[None]) -> str:
    return lines(pilot.app)[-2].rstrip()


async def test_hint_line_actions_can_be_clicked_and_the_main_one_is_first(tmp_path: Path) -> None:
    async with run_app(arcade(practice(tmp_path))) as pilot:
        room, line = await entered(pilot)
        assert hint_line_text(pilot) == " ›  space  Replay it   v Verify   e Export"
        line.details = "121 to 103, yesterday"
        room.named = "Replay"
        line.refresh_hints()
        await settle(pilot)
        assert (
            hint_line_text(pilot)
            == " ›  space  Replay   v Verify   e Export   121 to 103, yesterday"
        )
        assert lines(pilot.app)[-1].split() == ["F1", "Help"]
        await click(pilot, line, x=20)
        await click(pilot, line, x=3)
        assert room.done == ["v", "space"]


async def test_answer_to_a_key_stays_in_the_hint_line_until_the_next_key(tmp_path: Path) -> None:
    async with run_app(arcade(practice(tmp_path))) as pilot:
        room, line = await entered(pilot)
        await press(pilot, "z")
        assert hint_line_text(pilot) == " ! z  this key has no action here. F1 lists the keys"
        await press(pilot, "x")
        assert hint_line_text(pilot) == " ! zx  you cannot type commands here. Esc clears"
        await press(pilot, "escape", "e")
        assert hint_line_text(pilot) == " ! e  nothing is marked."
        await press(pilot, "escape", "x")
        assert room.done == ["x"]
        assert hint_line_text(pilot).startswith(" ›  space")
        await press(pilot, "pagedown")
        assert hint_line_text(pilot).startswith(" ! ")
        await click(pilot, line, x=20)
        assert room.done == ["x"], "a click takes the refusal away, and does no more"
        assert hint_line_text(pilot).startswith(" ›  space")


@pytest.mark.parametrize("game", ["1", "2", "5"], ids=["video poker", "baccarat", "cribbage"])
async def test_click_on_a_hint_of_several_digits_presses_none_of_them(
    game: str, tmp_path: Path
) -> None:
    async with at_table(practice(tmp_path), 1, game=game) as pilot:
        line = pilot.app.screen.query_one(CommandLine)
        x, hint = next(placed for placed in line.placed() if placed[1].has_digits)
        before = state(pilot), table(pilot.app).view.selection
        await click(pilot, line, x=x + 1)
        assert hint_text(pilot.app).startswith(f"refused {hint.display} press one of these keys")
        assert (state(pilot), table(pilot.app).view.selection) == before


def test_hint_line_drops_whole_parts_of_the_text_after_the_hints() -> None:
    hints = (Hint("space", "space", "Resume five-card draw"),)
    look = Look(NONE)

    def behind(width: int) -> str:
        more = "since 13:40 · 40.00 at stake"
        return hints_strip(tuple(hints), width, look, more).text.partition("draw")[2].strip()

    assert behind(80) == "since 13:40 · 40.00 at stake"
    assert behind(60) == "since 13:40"
    assert behind(44) == ""


@pytest.mark.parametrize("palette", [NONE, SIXTEEN], ids=lambda palette: palette.name)
def test_unavailable_action_is_in_parentheses_if_there_is_no_grey(palette: Palette) -> None:
    hints = (Hint("space", "space", "Draw"), Hint("u", "u", "Take back", enabled=False))
    assert hints_strip(hints, 40, Look(palette)).text.rstrip() == " ›  space  Draw   (u Take back)"
    assert hints_strip(hints, 40, Look(FELT)).text.rstrip() == " ›  space  Draw   u Take back"


@pytest.mark.parametrize(
    ("width", "kept"),
    [
        (42, "Your credit is 980.00, and 20.00 at stake"),
        (40, "Your credit is 980.00, and 20.00 at…"),
        (37, "Your credit is 980.00, and 20.00 at…"),
        (36, "Your credit is 980.00, and 20.00 at…"),
        (35, "Your credit is 980.00, and 20.00…"),
        (1, "…"),
        (0, ""),
    ],
)
def test_hint_line_cuts_a_long_sentence_after_a_word(width: int, kept: str) -> None:
    sentence = "Your credit is 980.00, and 20.00 at stake"
    assert truncate_at_word(sentence, width, GlyphSet.UNICODE) == kept


@pytest.mark.parametrize(
    ("width", "kept"), [(5, "won …"), (12, "won …"), (13, "won 1,234.50…"), (3, "wo…")]
)
def test_figures_in_the_hint_line_are_never_cut(width: int, kept: str) -> None:
    assert truncate("won 1,234.50 in all", width, GlyphSet.UNICODE) == kept


def test_hint_line_cuts_a_word_longer_than_itself() -> None:
    assert truncate_at_word("see 0123456789abcdef", 12, GlyphSet.ASCII) == "see 0123456."


def test_hint_line_keeps_the_right_text_whole_and_cuts_the_sentence() -> None:
    """Half of a sentence tells nothing; what a colon announces is told as far as it goes."""
    look = Look(NONE)

    def refusal_text(text: str, width: int) -> str:
        return said_strip(
            HintMessage("refused", "x", text, "Place your bets"), width, look
        ).text.rstrip()

    assert refusal_text("not now.", 31) == " ! x  not now. Place your bets"
    assert refusal_text("not now.", 29) == " ! x  not now."
    assert refusal_text("not now:", 26) == " ! x  not now: Place your…"


@pytest.mark.parametrize("width", [40, 60, 79, 80, 100], ids=labelled("{} columns"))
def test_hint_line_of_a_typed_line_always_names_the_key_that_closes_it(width: int) -> None:
    meaning = HintMessage("refused", "", "give an amount and a spot, like b 25 p; spots are p b t")
    shown = typed_strip("b 25", 4, (4, 4), meaning, width, Look(FELT)).text
    assert len(shown) == width
    assert shown.rstrip().endswith("Esc clears" if width >= 80 else "Esc")
    assert shown.startswith(" : b 25   ! give an amount")


async def test_paste_longer_than_a_line_is_refused_and_clears_the_command_line(
    tmp_path: Path,
) -> None:
    app = arcade(practice(tmp_path), fresh=shuffles(7))
    async with run_app(app) as pilot:
        await press(pilot, "1", "colon", "b")
        line = app.screen.query_one(CommandLine)
        for length, value in ((LONGEST_LINE - 2, LONGEST_LINE), (1, 0)):
            pilot.app.post_message(events.Paste("5" * length))
            await pilot.pause()
            assert len(line.value) == value
        assert LINE_TOO_LONG in hint_text(app)
