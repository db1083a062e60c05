"""The keys of a replay, the same for every game, and their help."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from ...records.log_header import MOST_STEPS
from ...records.playback import ReplayMark
from ..room import help_binding, leave_binding
from ..widgets.key_bar import VERB
from .analysis import MISTAKE
from .status import SPEEDS

HELP = f"""\
  left, right   one step
  up, down      one round; also PgUp and PgDn
  Home, End     start, end
  space         play and pause
  + and -       faster, slower: {", ".join(map(str, SPEEDS))} steps per second
  m, b, w       the next mistake, bet, win; M, B, W the previous one
  t             guess first: hide each choice and its cost until the next step
  Enter         while you guess first: choose with the game's keys, and
                see the verdict; the replay then continues
  g             go to a step by number
  a             advice for this position
  c             graph in a window, with numbered mistakes
  p             continue from here as free play: a new session
                that refers to this one; your balance is not used
  y             copy the path of the log to the clipboard
  F2            statistics up to this step
  Esc           back to the history

The table is shown as you saw it. Before each of your choices you see what \
you chose and, if the game can evaluate it, what it cost. m goes to the \
position before the next mistake."""


def _seeks(key: str, mark: str) -> tuple[Binding, Binding]:
    name, there = mark.capitalize(), f"replay.{mark}"
    group = VERB if mark == MISTAKE else None
    shown = "Next mistake" if mark == MISTAKE else name
    return (
        Binding(key, f"seek('{mark}', True)", shown, id=there, group=group),
        Binding(
            key.upper(),
            f"seek('{mark}', False)",
            f"Previous {mark}",
            show=False,
            id=f"{there}-before",
        ),
    )


BINDINGS: list[BindingType] = [
    Binding("space", "play", "Play", id="replay.play", group=VERB),
    *_seeks("m", MISTAKE),
    Binding("right", "go(1)", "Step", key_display="←→", id="replay.next", group=VERB),
    Binding("left", "go(-1)", "Step back", show=False, id="replay.previous"),
    Binding(
        "down,pagedown",
        "seek('round', True)",
        "Round",
        key_display="↑↓",
        id="replay.round",
        group=VERB,
    ),
    Binding("up,pageup", "seek('round', False)", "Round back", show=False, id="replay.round-back"),
    Binding("t", "guess", "Guess first", id="replay.guess", group=VERB),
    Binding("enter", "answer", "Choose", id="replay.choose", key_display="Enter", group=VERB),
    Binding("p", "play_on_from_here", "Continue", id="replay.play-on", group=VERB),
    Binding("home", "go_to(0)", "Start", show=False, id="replay.first"),
    Binding("end", f"go_to({MOST_STEPS})", "End", show=False, id="replay.last"),
    Binding("plus,equals_sign", "speed(1)", "Speed", key_display="+-", id="replay.faster"),
    Binding("minus", "speed(-1)", "Slower", show=False, id="replay.slower"),
    *_seeks("b", ReplayMark.BET),
    *_seeks("w", ReplayMark.WIN),
    Binding("g", "ask_step", "Go to", id="replay.go"),
    Binding("a", "advice", "Advice", id="replay.advice"),
    Binding("c", "curve", "Graph", id="replay.curve"),
    Binding("y", "app.copy_log", "Copy the path", show=False, id="replay.copy"),
    help_binding("replay"),
    Binding("f2", "statistics", "Statistics", id="replay.statistics", key_display="F2"),
    leave_binding("replay", "History", "leave"),
]
