"""What a player's page shows."""

from dataclasses import dataclass

from django.db.models import Q

from games.models import FormerName, Kind, Mask, Match, Player, PlayerKind, clock
from games.names import name_key
from games.selectors.matches import match_to_go_to
from ladder import elo
from ladder.models import Badge, Measure, Pool, Rating, RatingChange
from ladder.selectors import history, leaderboard, sanctions, seasons
from ladder.selectors.course import Course, course_of
from ladder.selectors.figures import Figures, figures_of
from ladder.selectors.meetings import Meetings, meetings_of
from ladder.selectors.spread import Spread, spread_with

LAST = 20
_NO_TEXT = (Measure.MUTE, Measure.RENAME)
_NOBODY = (PlayerKind.CLOSED, PlayerKind.GUEST)


@dataclass(frozen=True, slots=True)
class Standing:
    """A person's place on the ladder. ``ahead_of``: per cent of the ranked who have less; it and
    ``rank`` are None without a rank, and then ``lack`` says what is missing; None too if a
    moderator keeps the player off the boards."""

    rating: Rating
    rank: int | None
    ahead_of: int | None
    lack: leaderboard.Lack | None


@dataclass(frozen=True, slots=True)
class Profile:
    """``standing`` is None for who has none to have: a house player, whose fixed rating is
    ``practice``; a person's practice rating is shown to that person alone.

    ``place`` is how all ratings are spread, and ``reader`` the reader's own rating among them, on
    another's page. ``keeps_record``: the player does not let the reader see the list of matches.
    ``playing``: the ranked match that goes on now, for all to watch. ``about``: what the player has
    written there; nothing while a mute holds, or the name is withheld.
    """

    player: Player
    is_me: bool
    playing: Match | None
    standing: Standing | None = None
    practice: Rating | None = None
    reader: Rating | None = None
    course: Course | None = None
    place: Spread | None = None
    figures: Figures | None = None
    meetings: Meetings | None = None
    badges: tuple[Badge, ...] = ()
    lines: tuple[history.Line | RatingChange, ...] = ()
    keeps_record: bool = False
    about: str = ""


def find(name: str) -> Player:
    """The player called ``name`` in any spelling of it, or addressed so.

    Raises ``Player.DoesNotExist``, also for a closed account, whose name is no longer shown, and
    for a guest, who has no page.
    """
    player = Player.objects.called(name)
    if player.is_guest:
        raise Player.DoesNotExist
    return player


def called_before(name: str) -> Player | None:
    """Who was called ``name``, while that is not free again; or is, where the name is withheld."""
    key = name_key(name)
    shown = Player.objects.exclude(kind__in=_NOBODY).exclude(mask=Mask.CLOSED)
    former = FormerName.objects.filter(name_key=key).values("player")
    return shown.filter(Q(pk__in=former) | Q(name_key=key, mask=Mask.RENAME)).first()


def profile(player: Player, viewer: Player | None) -> Profile:
    """The page of ``player``. The number of queries, and of rows read, grows with nothing."""
    if player.is_house:
        fixed = Rating(player=player, pool=Pool.PRACTICE, rating=elo.HOUSE[player.level])
        return Profile(player, is_me=False, playing=None, practice=fixed)
    is_me = viewer is not None and viewer.pk == player.pk
    mine = _ratings(player)
    theirs = _ratings(viewer).get(Pool.RANKED) if viewer and not is_me else None
    rating = mine.get(Pool.RANKED) or Rating(player=player)
    keeps_record = not (is_me or player.shows_matches)
    kinds = Kind.values if is_me else [Kind.RANKED]
    return Profile(
        player=player,
        is_me=is_me,
        playing=match_to_go_to(player),
        standing=_standing(rating),
        practice=mine.get(Pool.PRACTICE) if is_me else None,
        reader=theirs,
        course=course_of(player),
        place=spread_with(row.rating for row in (rating, theirs) if row and row.matches),
        figures=figures_of(player),
        meetings=meetings_of(viewer, player) if _can_have_met(viewer, is_me) else None,
        badges=() if rating.barred else tuple(seasons.badges_of(player)),
        lines=() if keeps_record else tuple(history.entries(player, kinds, LAST)),
        keeps_record=keeps_record,
        about="" if sanctions.holds(player, *_NO_TEXT) else player.about,
    )


def _ratings(player: Player) -> dict[str, Rating]:
    """The ratings of a player, by pool."""
    return {row.pool: row for row in Rating.objects.filter(player=player)}


def _standing(rating: Rating) -> Standing:
    if rating.barred:
        return Standing(rating, None, None, None)
    if not rating.listed:
        return Standing(rating, None, None, leaderboard.lack_of(rating, clock.now()))
    ahead_of = leaderboard.share_below(rating.rating)
    return Standing(rating, leaderboard.rank_of(rating), ahead_of, None)


def _can_have_met(viewer: Player | None, is_me: bool) -> bool:
    return viewer is not None and viewer.is_person and not is_me
