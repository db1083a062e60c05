"""The replay of a recorded session, step by step in its game's own view."""
