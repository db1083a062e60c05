"""What cribbage gives to the screen."""

from ....tui.table.face import Face
from .panel import PANEL, answer, figures, weigh
from .tables import TABLES
from .view import CribbageView

KEYS = """\
  space    go on, or give the two marked cards to the crib
  1 to 6   mark a card for the crib, or lay it in the play; or click
  o        the advisers: what each choice is worth
  v        the log so far
  F4       another table: the trainer, a game, against whom
  F5       the same cards again from the first one
           (space after the end: again where a seed was given, else new)"""

FACE = Face(
    CribbageView,
    TABLES,
    KEYS,
    PANEL,
    figures=figures,
    answers={"a": answer},
    weigh=weigh,
)
