"""The charts of a player's page as numbers of drawings: all whole, so that no language writes them
with a comma. Left to right in every language, as charts are."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django import template
from django.utils.formats import date_format
from django.utils.timezone import template_localtime

from ladder.selectors.course import Course, Point
from ladder.selectors.spread import NAMED, Spread

register = template.Library()

WIDTH, HEIGHT = 600, 192  # of the course
COLUMN, TALL = 10, 100  # of a bar, and of the highest one
STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)  # between two lines of the grid
LINES = 4  # of the grid above the lowest one
PARTS = (4, 5, 3)  # into how many equal parts names divide an axis, if it can be divided so


@dataclass(frozen=True, slots=True)
class Drawing:
    """A line with what is under it, the lines of its grid, the places of the dots on it, and the
    names beside (from above) and below, each at equal distances."""

    line: str
    area: str
    grid: str
    dots: tuple[str, ...]
    beside: tuple[int, ...]
    below: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A bar, from above."""

    x: int
    y: int
    height: int


@dataclass(frozen=True, slots=True)
class Pin:
    """Where a rating lies: ``x`` in the units of the bars, ``percent`` of the whole width; and
    which end of its name stands there, so that all of it is seen."""

    x: int
    percent: int
    anchor: str


@register.simple_tag
def course_drawing(course: Course, over_time: bool) -> Drawing:
    """A rating over matches, or over time."""
    ticks = _ticks(course.lowest.rating, course.highest.rating)
    low, high = ticks[0], ticks[-1]
    across = _across(course, over_time)
    spots = {
        point: f"{x},{HEIGHT - round(HEIGHT * (point.rating - low) / (high - low))}"
        for point, x in zip(course.points, across, strict=True)
    }
    line = " ".join(spots[point] for point in course.points)
    heights = (HEIGHT * step // (len(ticks) - 1) for step in range(len(ticks)))
    return Drawing(
        line=line,
        area=f"0,{HEIGHT} {line} {across[-1]},{HEIGHT}",
        grid="".join(f"M0 {y}H{WIDTH}" for y in heights),
        dots=(spots[course.highest], spots[course.points[-1]]),
        beside=tuple(reversed(ticks)),
        below=_dates(course.points) if over_time else _numbers(course.matches),
    )


@register.simple_tag
def columns(spread: Spread) -> list[Column]:
    """The bars of a spread; whoever is alone in one is seen too."""
    top = spread.fullest.players
    heights = [-(-TALL * bar.players // top) for bar in spread.bars]
    return [Column(COLUMN * number, TALL - height, height) for number, height in enumerate(heights)]


@register.filter
def breadth(spread: Spread) -> int:
    """How wide all the bars are."""
    return COLUMN * len(spread.bars)


@register.simple_tag
def pin(spread: Spread, rating: int) -> Pin:
    """Where ``rating`` lies among the bars."""
    share = (rating - spread.low) / (spread.high - spread.low)
    anchor = "start" if share < 0.3 else "end" if share > 0.7 else "middle"
    return Pin(round(breadth(spread) * share), round(100 * share), anchor)


@register.filter
def bounds_of(spread: Spread) -> tuple[str, ...]:
    """Ratings at equal distances below the bars."""
    step = NAMED * spread.bars[0].width
    return tuple(str(at) for at in range(spread.low, spread.high + 1, step))


def _ticks(low: int, high: int) -> range:
    """Round ratings at equal distances, from ``low`` or less to ``high`` or more."""
    for step in STEPS:
        bottom, top = low // step * step, -(-high // step) * step
        if top - bottom <= LINES * step:
            break
    return range(bottom, max(top, bottom + step) + 1, step)


def _across(course: Course, over_time: bool) -> list[int]:
    first, last = course.points[0], course.points[-1]
    span = last.at - first.at
    if over_time and span:
        return [round(WIDTH * ((point.at - first.at) / span)) for point in course.points]
    end = _end(last.matches)
    return [round(WIDTH * point.matches / end) for point in course.points]


def _end(matches: int) -> int:
    """Where the axis of the matches ends: with the last one, or a little later."""
    return matches if matches < PARTS[0] else matches + min(-matches % parts for parts in PARTS)


def _numbers(matches: int) -> tuple[str, ...]:
    end = _end(matches)
    parts = next((parts for parts in PARTS if end % parts == 0), end)
    return tuple(str(end * part // parts) for part in range(parts + 1))


def _dates(points: tuple[Point, ...]) -> tuple[str, ...]:
    """When it began and ended, and the moment in the middle."""
    first, last = points[0].at, points[-1].at
    span = last - first
    moments = [first, first + span / 2, last]
    if span < timedelta(days=2):
        return tuple(_told(moment, "TIME_FORMAT") for moment in moments)
    months = span > timedelta(days=100)
    return tuple(_told(at, "YEAR_MONTH_FORMAT" if months else "MONTH_DAY_FORMAT") for at in moments)


def _told(moment: datetime, how: str) -> str:
    return date_format(template_localtime(moment), how)
