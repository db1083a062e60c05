"""What the author of a game reads: the parts of a game, its words, tables and advisers."""
