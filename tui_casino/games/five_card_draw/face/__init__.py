"""The texts and screens of five-card draw."""
