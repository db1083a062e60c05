"""Textual's lists, made to live with keys that come before there is room for a line."""

from __future__ import annotations

from typing import Literal

from textual.command import CommandList, CommandPalette
from textual.widgets import OptionList


class Options(OptionList):
    """A list to choose from. Before it is laid out, a page up or down does nothing."""

    def _move_page(self, direction: Literal[-1, 1]) -> None:
        if self.scrollable_content_region:  # else no option has a line yet
            super()._move_page(direction)


class Palette(CommandPalette):
    """The command palette, whose list has no room in a low window."""

    def _action_command_list(self, action: str) -> None:
        if self.query_one(CommandList).scrollable_content_region:
            super()._action_command_list(action)
