"""The text, reports and screen of video poker."""
