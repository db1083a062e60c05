"""The terminal: detect what it can show, write to it and read from it."""
