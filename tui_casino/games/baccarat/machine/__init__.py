"""The rules of baccarat as a state machine without side effects."""
