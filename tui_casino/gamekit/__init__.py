"""The parts that the author of a game provides: rules, words, tables and advisers."""
