"""The keys of the list of logs, and the help that tells of them."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from ..widgets.key_bar import OUT, VERB

HELP = """\
  up, down   move through the list; also page keys, Home, End
  space      open the replay, step by step; also Enter or a click
  m          open it at the first mistake
  p          play on where it stopped, for practice; a waiting bet is
             resumed from the menu
  *          mark it with a star; n gives it a name
  v          verify it: rules, result, every card
  /          find by game, table, name, state or seed; empty shows all
  g          show only one game
  s          show only one state
  o          sort by time, result, mistakes, length, stars, game
  l          leaks: what each kind of mistake costs you
  F2         totals of all of them
  y          copy where the log is, for your terminal to paste
  F5         read the folder again
  Esc        back to the menu

States: waits, its bet or game can be resumed from the menu; being played, \
at this moment; cut off, practice that was interrupted; cashed out; left, practice \
that was ended; over, the game ended it; taken back, you took back a choice; damaged."""
BINDINGS: list[BindingType] = [
    Binding("space,enter", "open", "Open the replay", id="records.open", group=VERB),
    Binding("m", "mistakes", "Mistakes", id="records.mistakes", group=VERB),
    Binding("p", "play_on", "Play on", id="records.play-on", group=VERB),
    Binding("v", "verify", "Verify", id="records.verify", group=VERB),
    Binding("asterisk", "star", "Star", key_display="*", id="records.star", group=VERB),
    Binding("n", "name", "Name", id="records.name", group=VERB),
    Binding("slash", "find", "Find", key_display="/", id="records.find", group=VERB),
    Binding("g", "game", "Game", id="records.game"),
    Binding("s", "state", "State", id="records.state"),
    Binding("o", "order", "Order", id="records.order"),
    Binding("f1,question_mark", "help", "Help", id="records.help", key_display="F1"),
    Binding("f2", "app.statistics", "Statistics", id="records.statistics", key_display="F2"),
    Binding("l", "app.leaks", "Leaks", id="records.leaks"),
    Binding("y", "app.copy_log", "Copy the path", show=False, id="records.copy"),
    Binding("f5", "look", "Look again", show=False, id="records.look"),
    Binding("escape,q", "dismiss", "Menu", id="records.leave", key_display="Esc", group=OUT),
]
