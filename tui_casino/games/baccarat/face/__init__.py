"""The text, reports and screen of baccarat."""
