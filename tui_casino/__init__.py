"""TUI Casino: a card-game arcade for the terminal."""

__version__ = "1.0.0"
