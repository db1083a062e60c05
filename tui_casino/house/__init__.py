"""From the door to the cash-out: places, lines that are typed, sittings, and those broken off."""
