r"""The pictures on cards of 21 by 16 cells, and the figures and aces on cards of 15 by 12 cells.

With half blocks, a cell consists of two pixels, one above the other, so the pictures have 19 by 28
and 13 by 20 pixels. The ASCII pictures of the largest cards are separate line drawings.

>>> from tui_casino.cards.card import Card
>>> for row in draw_in_blocks(Card.parse("4D"))[:3]:
...     print(row.rstrip())
    ▄         ▄
  ▄███▄     ▄███▄
   ▀█▀       ▀█▀
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .card import Card, Rank


def split_sprites(names: str, drawings: str) -> Mapping[str, tuple[str, ...]]:
    """Map names to drawings; the sheet shows the drawings side by side, separated by ``¦``."""
    lines = drawings.strip("\n").splitlines()
    columns = zip(*(line.strip("¦").split("¦") for line in lines), strict=True)
    return dict(zip(names.split(), columns, strict=True))


WIDTH, HEIGHT = 19, 14

_LEFT, _MIDDLE, _RIGHT = 2, 7, 12
_SPOTS: dict[Rank, tuple[tuple[int, tuple[int, ...]], ...]] = {
    Rank.TWO: ((_MIDDLE, (0, 22)),),
    Rank.THREE: ((_MIDDLE, (0, 11, 22)),),
    Rank.FOUR: ((_LEFT, (0, 22)), (_RIGHT, (0, 22))),
    Rank.FIVE: ((_LEFT, (0, 22)), (_RIGHT, (0, 22)), (_MIDDLE, (11,))),
    Rank.SIX: ((_LEFT, (0, 11, 22)), (_RIGHT, (0, 11, 22))),
    Rank.SEVEN: ((_LEFT, (0, 11, 22)), (_RIGHT, (0, 11, 22)), (_MIDDLE, (6,))),
    Rank.EIGHT: ((_LEFT, (0, 11, 22)), (_RIGHT, (0, 11, 22)), (_MIDDLE, (6, 16))),
    Rank.NINE: ((_LEFT, (0, 7, 15, 22)), (_RIGHT, (0, 7, 15, 22)), (_MIDDLE, (11,))),
    Rank.TEN: (  # the long indices push the nearest pips inwards
        (_LEFT + 1, (0,)),
        (_LEFT, (7, 15, 22)),
        (_RIGHT, (0, 7, 15)),
        (_RIGHT - 1, (22,)),
        (_MIDDLE, (4, 18)),
    ),
}
"""The places of the pips' upper left pixels: their columns, and the rows in each column."""


def draw_in_blocks(card: Card) -> tuple[str, ...]:
    """Draw a card's pips, its figure, or an ace's large suit symbol in half blocks."""
    if card.rank in _SPOTS:
        pixels = _spread(_PIPS[card.suit.letter], _SPOTS[card.rank], 2 * HEIGHT)
    else:
        pixels = _PICTURES[card.suit.letter if card.rank is Rank.ACE else card.rank.pip]
    return _in_blocks(pixels)


def draw_figure_in_blocks(card: Card) -> tuple[str, ...]:
    """Draw a face card or an ace in 13 by 10 characters."""
    return _in_blocks(_FIGURES[card.suit.letter if card.rank is Rank.ACE else card.rank.pip])


def _in_blocks(pixels: Sequence[str]) -> tuple[str, ...]:
    pairs = zip(pixels[::2], pixels[1::2], strict=True)
    return tuple("".join(map(_block, above, below)) for above, below in pairs)


def draw_in_ascii(card: Card) -> tuple[str, ...]:
    """Draw a card's pips, its figure, or an ace's large suit symbol in ASCII."""
    if card.rank in _SPOTS:
        spots = tuple(
            (column, tuple(_ASCII_ROWS[row] for row in rows)) for column, rows in _SPOTS[card.rank]
        )
        return _spread(_ASCII_PIPS[card.suit.letter], spots, HEIGHT)
    return _ASCII_PICTURES[card.suit.letter if card.rank is Rank.ACE else card.rank.pip]


def _block(above: str, below: str) -> str:
    return " ▄▀█"[2 * (above != " ") + (below != " ")]


def _spread(
    pip: Sequence[str], spots: Sequence[tuple[int, Sequence[int]]], height: int
) -> tuple[str, ...]:
    """Draw a pip at each of the given spots of an empty card."""
    canvas = [[" "] * WIDTH for _ in range(height)]
    for column, rows in spots:
        for row in rows:
            for y, line in enumerate(pip, row):
                for x, dot in enumerate(line, column):
                    if dot != " ":
                        canvas[y][x] = dot
    return tuple(map("".join, canvas))


# ---- half blocks ---------------------------------------------------------------------------

_PIPS = split_sprites(
    "C D H S",
    """
¦ ### ¦     ¦     ¦  #  ¦
¦ ### ¦  #  ¦ # # ¦ ### ¦
¦## ##¦ ### ¦#####¦#####¦
¦#####¦#####¦#####¦#####¦
¦  #  ¦ ### ¦ ### ¦  #  ¦
¦ ### ¦  #  ¦  #  ¦ ### ¦
""",
)

_PICTURES = {
    **split_sprites(
        "J Q K",
        """
¦              ##   ¦                   ¦                   ¦
¦             ###   ¦         #         ¦                   ¦
¦            ####   ¦        ###        ¦    #    #    #    ¦
¦            ###    ¦     #  ###  #     ¦    ##  ###  ##    ¦
¦     ########      ¦    ##   #   ##    ¦    ###########    ¦
¦   ############    ¦    ### ### ###    ¦    # ## # ## #    ¦
¦   #############   ¦    ###########    ¦    ###########    ¦
¦   #############   ¦                   ¦                   ¦
¦                   ¦   #############   ¦    ###########    ¦
¦    ###########    ¦  ####       ####  ¦   ##         ##   ¦
¦    #         #    ¦  ###         ###  ¦   ##         ##   ¦
¦    #  #   #  #    ¦  ##   #   #   ##  ¦   ##  #   #  ##   ¦
¦    #  #   #  #    ¦  ##   #   #   ##  ¦   ##  #   #  ##   ¦
¦    #         #    ¦  ##           ##  ¦   ##         ##   ¦
¦    #    #    #    ¦  ##     #     ##  ¦   ##    #    ##   ¦
¦    ##  ##    #    ¦  ###         ###  ¦   ###  ###  ###   ¦
¦     #       ##    ¦  ###   ###   ###  ¦   #### # # ####   ¦
¦     ##  ### #     ¦  ####   #   ####  ¦    ### ### ###    ¦
¦      ##   ##      ¦  #####     #####  ¦    ###########    ¦
¦       #####       ¦  ######   ######  ¦     #########     ¦
¦     # ## ## #     ¦  ######   ######  ¦   #  #######  #   ¦
¦   ###  ###  ###   ¦  ####  ###  ####  ¦  ###  #####  ###  ¦
¦  #####  #  #####  ¦  ###  #   #  ###  ¦ #####  ###  ##### ¦
¦  ######   ######  ¦  ## ### # ### ##  ¦ ######  #  ###### ¦
¦  #  ### # ###  #  ¦   #  ###  ###  #  ¦ #  ####   ####  # ¦
¦  ## ###   ### ##  ¦  ##   ## ##   ##  ¦ ## #### # #### ## ¦
¦   # ### # ###     ¦   #############   ¦  # ####   ####    ¦
¦   # ###   ###     ¦   #############   ¦  # #### # ####    ¦
""",
    ),
    **split_sprites(
        "C D H S",
        """
¦                   ¦                   ¦                   ¦                   ¦
¦                   ¦                   ¦                   ¦                   ¦
¦                   ¦                   ¦                   ¦                   ¦
¦                   ¦                   ¦                   ¦                   ¦
¦        ###        ¦         #         ¦                   ¦         #         ¦
¦       #####       ¦         #         ¦    ###     ###    ¦         #         ¦
¦      #######      ¦        ###        ¦   #####   #####   ¦        ###        ¦
¦      #######      ¦        ###        ¦  ####### #######  ¦       #####       ¦
¦      #######      ¦       #####       ¦  ###############  ¦      #######      ¦
¦       #####       ¦       #####       ¦  ###############  ¦     #########     ¦
¦    ### ### ###    ¦      #######      ¦  ###############  ¦    ###########    ¦
¦   ##### # #####   ¦     #########     ¦  ###############  ¦   #############   ¦
¦  ###############  ¦    ###########    ¦   #############   ¦  ###############  ¦
¦  ###############  ¦   #############   ¦   #############   ¦  ###############  ¦
¦  ###############  ¦    ###########    ¦    ###########    ¦  ###############  ¦
¦   ##### # #####   ¦     #########     ¦     #########     ¦  ###############  ¦
¦    ###  #  ###    ¦      #######      ¦      #######      ¦   ##### # #####   ¦
¦         #         ¦       #####       ¦       #####       ¦    ###  #  ###    ¦
¦         #         ¦       #####       ¦        ###        ¦         #         ¦
¦        ###        ¦        ###        ¦         #         ¦        ###        ¦
¦       #####       ¦        ###        ¦                   ¦       #####       ¦
¦      #######      ¦         #         ¦                   ¦      #######      ¦
¦                   ¦         #         ¦                   ¦                   ¦
¦                   ¦                   ¦                   ¦                   ¦
¦                   ¦                   ¦                   ¦                   ¦
¦                   ¦                   ¦                   ¦                   ¦
¦                   ¦                   ¦                   ¦                   ¦
¦                   ¦                   ¦                   ¦                   ¦
""",
    ),
}

_FIGURES = split_sprites(
    "J Q K C D H S",
    """
¦         ##  ¦      #      ¦             ¦             ¦             ¦             ¦             ¦
¦        ###  ¦     ###     ¦  #   #   #  ¦             ¦             ¦             ¦             ¦
¦   #######   ¦  #  ###  #  ¦  ## ### ##  ¦             ¦             ¦             ¦             ¦
¦  #########  ¦  ##  #  ##  ¦  #########  ¦     ###     ¦      #      ¦             ¦      #      ¦
¦  #########  ¦  #########  ¦  # ## ## #  ¦    #####    ¦      #      ¦  ###   ###  ¦      #      ¦
¦             ¦             ¦  #########  ¦    #####    ¦     ###     ¦ ##### ##### ¦     ###     ¦
¦  #########  ¦  #########  ¦             ¦     ###     ¦    #####    ¦ ########### ¦    #####    ¦
¦  #       #  ¦ ###     ### ¦  #########  ¦  ### # ###  ¦   #######   ¦ ########### ¦   #######   ¦
¦  # #   # #  ¦ ##       ## ¦  #       #  ¦ ########### ¦   #######   ¦ ########### ¦  #########  ¦
¦  # #   # #  ¦ ## #   # ## ¦  # #   # #  ¦ ########### ¦  #########  ¦  #########  ¦ ########### ¦
¦  #   #   #  ¦ ## #   # ## ¦  # #   # #  ¦ ########### ¦   #######   ¦   #######   ¦ ########### ¦
¦  ##  #   #  ¦ ##   #   ## ¦  #   #   #  ¦  ### # ###  ¦   #######   ¦    #####    ¦ ##### ##### ¦
¦   #     ##  ¦ ###     ### ¦  ##     ##  ¦      #      ¦    #####    ¦     ###     ¦  ##  #  ##  ¦
¦   ## ### #  ¦ ###  #  ### ¦  ### # ###  ¦     ###     ¦     ###     ¦      #      ¦     ###     ¦
¦    ##   ##  ¦ ####   #### ¦  ###   ###  ¦    #####    ¦      #      ¦             ¦    #####    ¦
¦     #####   ¦ ##### ##### ¦   #######   ¦             ¦      #      ¦             ¦             ¦
¦  ## ### ##  ¦ ###  #  ### ¦ #  #####  # ¦             ¦             ¦             ¦             ¦
¦ #### # #### ¦ ## ## ## ## ¦ ##  ###  ## ¦             ¦             ¦             ¦             ¦
¦ # ## # ## # ¦ # #######   ¦ ## # # #    ¦             ¦             ¦             ¦             ¦
¦ # ## # ##   ¦ #########   ¦ ## ## ##    ¦             ¦             ¦             ¦             ¦
""",
)
"""The figures and aces of the smaller of the two sizes."""

# ---- ASCII ---------------------------------------------------------------------------------

_ASCII_ROWS = {0: 0, 4: 2, 6: 3, 7: 3, 11: 5, 15: 7, 16: 7, 18: 8, 22: 10}
"""The text row of a pip by its pixel row; a text row consists of two pixel rows."""

_ASCII_PIPS = split_sprites(
    "C D H S",
    r"""
¦  _  ¦ / \ ¦ _ _ ¦  .  ¦
¦ (_) ¦<   >¦( v )¦ / \ ¦
¦(_|_)¦ \ / ¦ \./ ¦(_|_)¦
""",
)

_ASCII_PICTURES = {
    **split_sprites(
        "J Q K",
        r"""
¦              //   ¦         o         ¦                   ¦
¦     _______ //    ¦     o  / \  o     ¦    |\   ^   /|    ¦
¦    /       \/     ¦     |\/   \/|     ¦    | \ / \ / |    ¦
¦   (_________)     ¦     |_______|     ¦    |__V___V__|    ¦
¦    |       |      ¦   .'|       |'.   ¦    |_________|    ¦
¦    | o   o |      ¦  (  | o   o |  )  ¦    |  o   o  |    ¦
¦    |   >   |      ¦  (  |   v   |  )  ¦    |    7    |    ¦
¦     \  -  /       ¦  (   \  o  /   )  ¦    |\.-===-./|    ¦
¦      '-.-'        ¦  (    '---'    )  ¦     \\\|||///     ¦
¦    .--\ /--.      ¦   \.-\  |  /-./   ¦   .--\\|||//--.   ¦
¦   /  | : |  \     ¦   /   \ | /   \   ¦  /  | \\|// |  \  ¦
¦  /|  | : |  |\    ¦  /|    \|/    |\  ¦ / | |  \|/  | | \ ¦
¦ / |  | : |  | \   ¦ / |_____o_____| \ ¦ | | |   +   | | | ¦
¦   |__|_:_|__|     ¦   /___________\   ¦   |_|___+___|_|   ¦
""",
    ),
    **split_sprites(
        "C D H S",
        r"""
¦                   ¦                   ¦                   ¦                   ¦
¦                   ¦         .         ¦                   ¦         .         ¦
¦       .---.       ¦        / \        ¦   .--.   .--.     ¦        / \        ¦
¦      /     \      ¦       /   \       ¦  /    \ /    \    ¦       /   \       ¦
¦      \     /      ¦      /     \      ¦ |      V      |   ¦      /     \      ¦
¦    .--'. .'--.    ¦     /       \     ¦ |             |   ¦     /       \     ¦
¦   /    | |    \   ¦    <         >    ¦  \           /    ¦    /         \    ¦
¦  |     '-'     |  ¦     \       /     ¦   \         /     ¦   /           \   ¦
¦   \    /|\    /   ¦      \     /      ¦    \       /      ¦  |             |  ¦
¦    '--' | '--'    ¦       \   /       ¦     \     /       ¦   \    /|\    /   ¦
¦         |         ¦        \ /        ¦      \   /        ¦    '--' | '--'    ¦
¦       __|__       ¦         '         ¦       \ /         ¦         |         ¦
¦                   ¦                   ¦        '          ¦       __|__       ¦
¦                   ¦                   ¦                   ¦                   ¦
""",
    ),
}
