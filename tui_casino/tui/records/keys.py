"""The keys of a replay, the same for every game, and what they do."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from ...records.watch import Mark

SPEEDS = (1, 2, 5, 20)
"""Steps a second."""
HELP = f"""\
  left, right   a step
  up, down      a round; page up and page down, too
  Home, End     the beginning, the end
  space         play and pause
  + and -       faster, slower: {", ".join(map(str, SPEEDS))} steps a second
  m, b, w       the next mistake, bet, win; M, B, W: the one before
  g             go to a step by its number
  a             what the adviser says to this choice
  p             play on from here, for practice: a sitting of its own,
                which names this one; no purse is touched
  F2            the statistics up to this step
  Esc           back to the records

The table is shown as it was seen then, and at a choice of yours what the \
adviser would have done. Mistakes are found where the game knows the best."""


BINDINGS: list[BindingType] = [
    Binding("right", "go(1)", "Step", key_display="Arrows", id="replay.next"),
    Binding("left", "go(-1)", "Step back", show=False, id="replay.previous"),
    Binding("down,pagedown", "round(True)", "Round", show=False, id="replay.round"),
    Binding("up,pageup", "round(False)", "Round back", show=False, id="replay.round-back"),
    Binding("home", "first", "Beginning", show=False, id="replay.first"),
    Binding("end", "last", "End", show=False, id="replay.last"),
    Binding("space", "play", "Play", id="replay.play"),
    Binding("plus,equals_sign", "speed(1)", "Faster", show=False, id="replay.faster"),
    Binding("minus", "speed(-1)", "Slower", show=False, id="replay.slower"),
    *(
        binding
        for key, mark in {"m": Mark.MISTAKE, "b": Mark.BET, "w": Mark.WIN}.items()
        for binding in (
            Binding(
                key,
                f"seek('{mark}', True)",
                mark.capitalize(),
                show=mark is Mark.MISTAKE,
                id=f"replay.{mark}",
            ),
            Binding(
                key.upper(),
                f"seek('{mark}', False)",
                f"{mark.capitalize()} before",
                show=False,
                id=f"replay.{mark}-before",
            ),
        )
    ),
    Binding("g", "ask_step", "Go to", show=False, id="replay.go"),
    Binding("a", "advice", "Adviser", show=False, id="replay.advice"),
    Binding("p", "play_on_from_here", "Play on", id="replay.play-on"),
    Binding("f1,question_mark", "help", "Help", id="replay.help", key_display="F1"),
    Binding("f2", "statistics", "Statistics", show=False, id="replay.statistics"),
    Binding("escape,q", "leave", "Back", show=False, id="replay.leave"),
]
