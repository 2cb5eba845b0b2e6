"""The graph of a review as numbers of a drawing: all whole, so that no language writes them with a
comma. Left to right in every language, as charts are."""

from dataclasses import dataclass

from django import template

from games.engine import Card, Play
from games.selectors.reviews import Summary

register = template.Library()

WIDTH, HEIGHT = 600, 192
STEPS = (5, 10, 20, 50, 100, 200, 500)  # points between two lines of the grid
LINES = 5  # of the grid above the lowest one


@dataclass(frozen=True, slots=True)
class Drawing:
    """A line and the lines of its grid, the line of an even score, where deals begin, the dots of
    the turning points, and the points named beside, from above."""

    line: str
    grid: str
    even: int
    deals: str
    dots: tuple[str, ...]
    beside: tuple[int, ...]


@register.simple_tag
def score_drawing(summary: Summary) -> Drawing:
    """The expected score over the plays."""
    scores = summary.scores
    ticks = _ticks(min(0, *scores), max(0, *scores))
    across = [round(WIDTH * at / max(1, len(scores) - 1)) for at in range(len(scores))]
    spots = [f"{x},{_height(score, ticks)}" for x, score in zip(across, scores, strict=True)]
    begins = [at for at, play in enumerate(summary.plays) if play is _first_of(summary, play.deal)]
    turning = {id(play) for play in summary.turning}
    return Drawing(
        line=" ".join(spots),
        grid="".join(f"M0 {_height(tick, ticks)}H{WIDTH}" for tick in ticks),
        even=_height(0, ticks),
        deals="".join(f"M{across[at]} 0V{HEIGHT}" for at in begins[1:]),
        dots=tuple(spots[at] for at, play in enumerate(summary.plays) if id(play) in turning),
        beside=tuple(reversed(ticks)),
    )


@register.filter
def taken(play: Play) -> tuple[Card, ...]:
    """What a play takes, in order."""
    return tuple(sorted(play.capture))


def _first_of(summary: Summary, deal: int) -> object:
    return next(found.plays[0] for found in summary.deals if found.index == deal)


def _height(score: float, ticks: range) -> int:
    low, high = ticks[0], ticks[-1]
    return HEIGHT - round(HEIGHT * (score - low) / (high - low))


def _ticks(low: float, high: float) -> range:
    """Round points at equal distances, from ``low`` or less to ``high`` or more."""
    for step in STEPS:
        bottom, top = int(low // step) * step, int(-(-high // step)) * step
        if top - bottom <= LINES * step:
            break
    return range(bottom, max(top, bottom + step) + 1, step)
