"""A player's page as the tests read it, and long careers to show on one."""

import html
import re
from datetime import timedelta

from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from games.models import Kind, Match, Player, Seat
from ladder.models import RatingChange


def page_of(client: Client, name: str, viewer: Player | None = None) -> str:
    """The page of that name, as ``viewer`` gets it."""
    if viewer is not None:
        client.force_login(viewer)
    response = client.get(f"/players/{name}/")
    assert response.status_code == 200
    return response.content.decode()


def words(page: str) -> str:
    """The text that is read on a page."""
    return " ".join(html.unescape(strip_tags(page)).split())


def part(page: str, title: str) -> str:
    """The section of a page with this id of a title."""
    return re.search(rf'<section[^>]*aria-labelledby="{title}".*?</section>', page, re.S)[0]


def cells(table: str) -> list[list[str]]:
    """The rows of a table, each as its texts."""
    found = re.findall(r"<tr[^>]*>(.*?)</tr>", table.partition("<tbody>")[2], re.S)
    cell = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.S)
    return [[words(text) for text in cell.findall(row)] for row in found]


def a_career(player: Player, other: Player, ratings: list[int]) -> None:
    """Results that led ``player`` from 1500 over these ratings, one an hour, without plays."""
    began = timezone.now() - timedelta(hours=len(ratings))
    drawn = f"{player.pk}{Match.objects.count()}x"
    matches, seats, changes = [], [], []
    for number, after in enumerate(ratings):
        before, at = ratings[number - 1] if number else 1500, began + timedelta(hours=number)
        won = after > before
        name = f"{drawn}{number}"
        matches.append(
            Match(
                id=name,
                kind=Kind.RANKED,
                status="finished",
                how="points",
                simulated=True,
                commitment=name,
                commitment_number=player.pk * 100_000 + number,
                winner=1 - won,
                created_at=at,
                finished_at=at,
                points_0=101,
                points_1=80,
            )  # fmt: skip
        )
        for seat, who, opponent, change in (
            (0, player, other, after - before),
            (1, other, player, before - after),
        ):
            seats.append(Seat(match_id=name, seat=seat, player=who, finished_at=at))
            changes.append(
                RatingChange(
                    match_id=name,
                    player=who,
                    opponent=opponent,
                    score=int(change > 0),
                    k=16,
                    before=before,
                    after=before + change,
                    expected="0.5",
                    created_at=at,
                    opponent_rating=1500,
                    opponent_matches=50,
                )  # fmt: skip
            )
    for model, rows in ((Match, matches), (Seat, seats), (RatingChange, changes)):
        model.objects.bulk_create(rows, batch_size=500)
