"""What a player gives, read and refused clearly: files, numbers, arguments."""
