"""The table of Hit Me: house edges with two decks."""
