"""What plays, weighs and computes."""
