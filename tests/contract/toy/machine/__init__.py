"""The rules as a pure machine."""
