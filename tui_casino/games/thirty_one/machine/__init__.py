"""The rules of Hit Me as a pure state machine."""
