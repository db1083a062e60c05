"""A table on the screen, live or replayed."""
