"""The terminal: detect its capabilities, write to it and read from it."""
