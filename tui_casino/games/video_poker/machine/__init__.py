"""The rules of video poker as a state machine without side effects."""
