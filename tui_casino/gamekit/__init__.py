"""The interfaces that the author of a game implements: rules, words, tables and advisers."""
