"""What a list is filtered by."""

from __future__ import annotations

from textual.widgets import Static


class Filter(Static):
    """Says what is filtered by; a click chooses the next value, as its key does."""

    def __init__(self, name: str, key: str, action: str | None = None) -> None:
        super().__init__(id=f"filter-{name}", classes="filter", markup=False)
        self._of, self._by, self._action = name, key, action or name

    def say(self, value: str) -> None:
        """Say the value."""
        self.update(f"{self._of.capitalize()}: {value} ({self._by})")

    async def on_click(self) -> None:
        """Choose the next one."""
        await self.screen.run_action(self._action)
