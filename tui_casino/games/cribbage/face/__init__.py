"""The text, reports and screen of cribbage."""
