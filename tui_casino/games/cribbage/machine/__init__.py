"""The rules of cribbage as a state machine without side effects."""
