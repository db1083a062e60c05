"""TUI Casino: a card-game arcade for the terminal."""

__version__ = "0.1.0"
