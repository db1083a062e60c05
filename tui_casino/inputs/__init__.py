"""Input from players: parsing of files, numbers and arguments, with clear errors."""
