"""A round of the original trainer, programmed from its description and not from our game.

It draws with Java's generator, as the original did, stores its own hands in lists, and returns
the log up to the show, without the scores.
"""

from __future__ import annotations

from tui_casino.engine.chance import JavaRandom

RANKS = "A23456789TJQK"
PACK = [rank + suit for suit in "CDHS" for rank in "AKQJT98765432"]


def order(card: str) -> tuple[int, str]:
    return RANKS.index(card[0]), card[1]


def value(card: str) -> int:
    return min(RANKS.index(card[0]) + 1, 10)


def printed(cards: list[str]) -> str:
    return f"[{','.join(sorted(cards, key=order))}]"


def random_round(seed: int) -> list[str]:
    """Play a round of two random players; return the log lines without scores, and each go."""
    dice = JavaRandom(seed)

    def pick(cards: list[str]) -> str:
        return cards.pop(dice.below(len(cards)))

    lines = [f"seed,{seed}"]
    lines += [f"cribbage.RandomPlayer,P{player}" for player in (0, 1)]
    pack = list(PACK)
    hands: list[list[str]] = [[], []]
    for _ in range(6):
        for hand in hands:
            hand.append(pick(pack))
    for player, hand in enumerate(hands):
        hand.sort(key=order)
        lines.append(f"deal,P{player},{printed(hand)}")
    crib: list[str] = []
    for player, hand in enumerate(hands):
        gone = [pick(hand), pick(hand)]
        crib += gone
        lines.append(f"discard,P{player},{printed(gone)}")
    kept = [list(hand) for hand in hands]
    starter = pick(pack)
    lines.append(f"starter,{starter}")
    if starter[0] == "J":
        lines.append("score starter,P1")
    total, go, player, last = 0, False, 0, 0
    while hands[0] or hands[1]:
        may = [card for card in hands[player] if total + value(card) <= 31]
        may_not = [card for card in hands[player] if card not in may]
        ended = False
        if may:
            card = pick(may)
            hands[player] = may + may_not
            total, last = total + value(card), player
            lines.append(f"play,P{player},{total},{card}")
            ended = total == 31
            if ended or not go:
                player = 1 - player
        else:
            if go:
                ended = True
                lines.append(f"score go,P{last}")
            go = True
            player = 1 - player
        if ended:
            total, go = 0, False
    if total:
        lines.append(f"score go,P{last}")
    shown = ((0, kept[0]), (1, kept[1]), (1, crib))
    return [*lines, *(f"show,P{player},{starter}+{printed(hand)}" for player, hand in shown)]
