"""Numbers of drawings: all whole, so that no language writes them with a comma."""

from django import template

from games.selectors.statistics import BOUNDS, USUAL, Band, Figure, Shuffle

register = template.Library()

CELL = 10  # units of the picture of the counts, for a place and for a card
HEIGHT = 100  # of the bars
WIDEST = 4  # standard deviations that a line of one figure reaches to either side


@register.simple_tag
def cells(shuffle: Shuffle, band: Band) -> str:
    """The counts that lie in ``band`` as the data of one path: squares of a grid."""
    low = float("-inf") if band.low is None else band.low
    high = float("inf") if band.high is None else band.high
    return "".join(
        f"M{CELL * column} {CELL * row}h{CELL}v{CELL}h-{CELL}z"
        for row, line in enumerate(shuffle.distances)
        for column, distance in enumerate(line)
        if low <= distance < high
    )


@register.filter
def shade(band: Band) -> str:
    """How a band is drawn: ``less-3`` is three standard deviations less than expected, or more
    than that; ``more-1`` one more; nothing where the count is about what is expected."""
    if band.high is not None and band.high < 0:
        return f"less-{-band.high}"
    if band.low is not None and band.low > 0:
        return f"more-{band.low}"
    return ""


@register.simple_tag
def bars(shuffle: Shuffle) -> list[dict[str, int]]:
    """The bands as bars: how high each stands and would be expected to, of ``HEIGHT``."""
    found = shuffle.bands
    top = max(max(band.counts, band.expected) for band in found)
    return [
        {
            "x": 10 * number,
            "y": HEIGHT - round(HEIGHT * band.counts / top),
            "height": round(HEIGHT * band.counts / top),
            "expected": HEIGHT - round(HEIGHT * band.expected / top),
        }
        for number, band in enumerate(found)
    ]


@register.filter
def spot(figure: Figure) -> int:
    """Where a figure lies on its line: 0 to 200, the expected value at 100."""
    reach = max(-WIDEST, min(WIDEST, figure.distance))
    return round(100 + 96 * reach / WIDEST)


@register.simple_tag
def usual_reach() -> int:
    """How far what is usual reaches to either side of 100 on such a line."""
    return round(96 * USUAL / WIDEST)


@register.simple_tag
def bounds() -> tuple[int, ...]:
    """The bounds of the bands, in standard deviations."""
    return BOUNDS
