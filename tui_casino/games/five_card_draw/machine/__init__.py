"""The rules of five-card draw as a pure state machine."""
