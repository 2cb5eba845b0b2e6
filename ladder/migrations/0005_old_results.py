"""Results from before these columns existed: fill them in, in the ledger and in the ratings.

The ledger is written here for the last time: after this its triggers keep it.
"""

from datetime import UTC, timedelta

from django.db import migrations
from django.utils import timezone


class Told:
    """What the rows of one player have told so far."""

    def __init__(self):
        self.matches = self.season = self.season_won = self.season_lost = 0
        self.peak = self.last_at = None
        self.met = set()

    def take(self, row):
        self.matches += 1
        self.met.add(row.opponent_id)
        at = row.created_at
        self.last_at = max(self.last_at or at, at)
        if self.matches >= 10:
            self.peak = row.after if self.peak is None else max(self.peak, row.after)
        utc = at.astimezone(UTC)
        season = 4 * utc.year + (utc.month - 1) // 3
        if season > self.season:
            self.season, self.season_won, self.season_lost = season, 0, 0
        if season == self.season:
            self.season_won += row.score
            self.season_lost += 1 - row.score


def fill_in(apps, _schema_editor):
    changes = apps.get_model("ladder", "RatingChange").objects
    told, first = {}, {}
    for row in changes.filter(kind="result", pool="ranked").order_by("id").iterator():
        player = told.setdefault(row.player_id, Told())
        row.matches_before = player.matches
        player.take(row)
        other = first.pop(row.match_id, None)
        if other is None:
            first[row.match_id] = row
            continue
        for one, two in ((row, other), (other, row)):
            if one.opponent_rating is None:
                changes.filter(pk=one.pk).update(
                    opponent_rating=two.before, opponent_matches=two.matches_before
                )
    ratings = apps.get_model("ladder", "Rating").objects.filter(pool="ranked")
    lately = timezone.now() - timedelta(days=14)
    for player_id, player in told.items():
        ratings.filter(player=player_id).update(
            peak=player.peak,
            opponents=len(player.met),
            last_at=player.last_at,
            season=player.season,
            season_matches=player.season_won + player.season_lost,
            season_won=player.season_won,
            season_lost=player.season_lost,
        )
    ratings.filter(
        matches__gte=10, opponents__gte=3, last_at__gt=lately, player__kind="person"
    ).update(listed=True)


class Migration(migrations.Migration):

    dependencies = [
        ('ladder', '0004_ledger'),
    ]

    operations = [
        migrations.RunPython(fill_in, migrations.RunPython.noop),
    ]
