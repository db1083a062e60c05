"""Check a log of TUI Casino without the program: python check.py LOG."""

import hashlib
import hmac
import json
import sys

PACK = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]


def stream(key: bytes, label: str):
    blocks = (
        hmac.digest(key, b"%s|%d" % (label.encode(), k), hashlib.sha256) for k in range(10**6)
    )
    return (int.from_bytes(b[i : i + 4], "big") for b in blocks for i in range(0, 32, 4))


def below(n: int, words) -> int:
    return next(w for w in words if w < 2**32 - 2**32 % n) % n


def shoe(key: bytes, number: int, pack: list[str], rest: str = "") -> list[str]:
    cards, words = list(pack), stream(key, f"shoe {number}{rest}")
    for last in range(len(cards) - 1, 0, -1):
        other = below(last + 1, words)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def mixed(seed: bytes, word: str) -> bytes:
    return hmac.digest(seed, b"word|" + word.encode(), hashlib.sha256) if word else seed


def word_of(seats: dict[int, str]) -> str:
    brought = "|".join(seats[seat] for seat in sorted(seats) if seats[seat])
    return hashlib.sha256(brought.encode()).hexdigest() if brought else ""


def thrown(key: bytes, seat: int, choice: int) -> list[int]:
    places, words = [1, 2, 3, 4, 5, 6], stream(key, f"seat {seat} choice {choice}")
    return sorted(places.pop(below(n, words)) for n in (6, 5))


if __name__ == "__main__":
    raw = open(sys.argv[1], "rb").read().splitlines()
    first, *steps, last = map(json.loads, raw)
    if "seat" in first:
        sys.exit("this log has what one seat saw, not every card")
    if first["croupier"]["name"] == "cards":
        sys.exit("known cards were dealt, as the log lists them: there was no shuffle")
    if first["source"]["kind"] != "committed":
        sys.exit("no seed was committed to: the cards follow from a number that was chosen")
    for before, line in zip(raw, [*steps, last]):
        line["prev"] == hashlib.sha256(before).hexdigest() or sys.exit(f"chain broken at {line}")
    if "end" not in last:
        sys.exit("the session has not ended: its seed is not revealed yet")
    seed, word = bytes.fromhex(last["end"]["seed"]), first["source"].get("word", "")
    if hashlib.sha256(seed).hexdigest() != first["source"]["value"]:
        sys.exit("the seed does not fit the commitment")
    key, seats, is_first = mixed(seed, word), {}, True
    shoes, dealt, gone = 0, 0, []  # gone: the cards of rounds of 31 since the last shuffle
    choices, drawn = [0] * len(first["players"]), 0
    for step in steps:
        if (seat := step["by"]) is not None:
            choices[seat] += 1
            if first["game"] == "cribbage" and first["players"][seat] == "random":
                if step["do"]["is"] == "Discard":
                    places, drawn = thrown(key, seat, choices[seat]), drawn + 1
                    step["do"]["places"] == places or sys.exit(
                        f"another choice at step {step['n']}"
                    )
        if step["do"]["is"] == "Shoe":
            again = any(event.get("discards") for event in step["ev"])
            pack = gone if again else PACK * (step["do"]["stock"] // 52)
            last_key = mixed(seed, word_of(seats) or word)
            shoes, cards, at, gone = shoes + 1, shoe(last_key, shoes + 1, pack), 0, []
        elif step["do"]["is"] == "Deal":
            is_burnt = any(event["is"] in ("BurnCard", "Burnt") for event in step["ev"])
            if is_first and not is_burnt:  # the first card of a round
                is_first, new_key = False, mixed(seed, word_of(seats) or word)
                if new_key != last_key:
                    cards[at:] = shoe(new_key, shoes, cards[at:], f" card {at + 1}")
                    last_key = new_key
            dealt, at = dealt + 1, at + 1
            step["do"]["card"] in cards[at - 1 : at] or sys.exit(
                f"another card at step {step['n']}"
            )
        if step["do"]["is"] == "Join":
            seats[seat] = step["do"].get("entropy", "")
        for event in step["ev"]:
            if event["is"] == "SeatLeft":
                seats.pop(event["seat"], None)
        heard = [event.get("event", event) for event in step["ev"]]  # at a table with others
        kinds = [event.get("kind", event["is"]) for event in step["ev"]]
        is_first |= "CoupOver" in kinds or "RoundOver" in kinds
        overs = [event for event in heard if "dealer" in event and "insurance" in event]
        if first["game"].startswith("thirty-one") and overs:
            gone += [card for over in overs for hand in over["hands"] for card in hand["cards"]]
            gone += overs[0]["dealer"]
    print(f"{dealt} cards of {shoes} shoes follow from the seed")
    if drawn:
        print(f"and {drawn} discards of random players")
