"""Hands played out against computer players, for EVs at tables that are not solved."""
