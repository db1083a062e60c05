"""The texts and screens of Hit Me."""
