"""Every address, every stranger: each route of the URL map and each socket, asked by everybody
there is, against one table. An address that the table lacks is a failure, which prints the rows as
the address answers now: look at them, and put them into the table if they are right.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import pytest
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from games.models import Clock, Kind, Match, Notification, Player, Topic, clock
from games.services import challenges, notifications, play
from ladder.models import (
    Appeal,
    Finding,
    FindingKind,
    Measure,
    Reason,
    Report,
    Role,
    Sanction,
)
from ladder.services import cases, reports
from tests.factories import dealt, house, person, staff
from tests.realtime.sockets import socket
from tests.secrecy.addresses import (
    ASKERS,
    METHODS,
    SOCKET,
    Row,
    answer_of,
    parameters,
    path_of,
    routes,
    rows,
    socket_routes,
)

NO_ID = 0  # no row has it


@dataclass
class Scene:
    """One of everything, and somebody of every kind."""

    people: dict[str, Player | None] = field(default_factory=dict)
    matches: dict[str, Match] = field(default_factory=dict)
    things: dict[str, object] = field(default_factory=dict)
    clients: dict[str, Client] = field(default_factory=dict)

    def values(self, route: str, which: str) -> dict[str, object]:
        """What stands for the parameters of ``route``: ``which`` is the thing of that name."""
        wanted = parameters(route)
        told = {name: self.things.get(name, NO_ID) for name in wanted}
        if "match_id" in wanted:
            told["match_id"] = self.matches[which or "ranked"].id
        if "object_id" in wanted and "content_type_id" not in wanted:
            model = "/".join(route.split("/")[1:3])
            told["object_id"] = self.things.get(model, NO_ID)
        if "name" in wanted and route.startswith("data/"):
            told["name"] = "nothing.zip"
        if "name" in wanted and route.startswith("learn/"):
            told["name"] = "capture"
        return told


@pytest.fixture
def scene() -> Scene:
    made = Scene()
    player, opponent, other, suspended = (person() for _one in range(4))
    made.people = {
        "nobody": None,
        "stranger": person(),
        "other": other,
        "watcher": person(),
        "player": player,
        "suspended": suspended,
        **{role: staff(role) for role in Role.values},
    }
    made.matches = {
        "ranked": dealt(Kind.RANKED, [player, opponent]),
        "challenge": dealt(Kind.CHALLENGE, [player, opponent]),
        "practice": dealt(Kind.PRACTICE, [player, house()]),
        "over": dealt(Kind.CHALLENGE, [player, opponent]),
        "practice-over": dealt(Kind.PRACTICE, [player, house()]),
        "others": dealt(Kind.RANKED, [other, person()]),
    }
    for name in ("over", "practice-over"):
        play.resign(match_id=made.matches[name].id, player=player)
    made.things = _things(player, opponent, made)
    for asker in ASKERS:
        client = made.clients[asker] = Client(raise_request_exception=False)
        if made.people[asker] is not None:
            client.force_login(made.people[asker])
    made.clients["watcher"].get(f"/games/{made.matches['ranked'].id}/")
    _suspend(suspended, made.people["administrator"])
    return made


def _suspend(player: Player, by: Player) -> None:
    Sanction.objects.create(
        player=player,
        measure=Measure.SUSPENSION,
        reason=Reason.INSULTS,
        message="Insults at three tables.",
        by=by,
        began_at=clock.now(),
        acknowledged_at=clock.now(),
    )
    if hasattr(player, "is_held"):  # whether anything stands against somebody at all
        Player.objects.filter(pk=player.pk).update(is_held=True)


def _things(player: Player, opponent: Player, scene: Scene) -> dict[str, object]:
    moderator = scene.people["moderator"]
    report = reports.report(
        opponent, player, Reason.STALLING, "Sits it out.", match=scene.matches["ranked"]
    )
    case = cases.claim(report.case, moderator)
    finding = Finding.objects.create(
        kind=FindingKind.STALLING, key="x", found_at=clock.now(), renewed_at=clock.now()
    )
    finding.players.add(player)
    finding.matches.add(scene.matches["over"])
    notifications.notify(player, Topic.FOLLOW, by=opponent)
    offered = challenges.offer(
        challenger=opponent, opponent=player, target=101, clock_preset=Clock.STANDARD
    )
    sanction = Sanction.objects.create(
        player=player,
        measure=Measure.WARNING,
        reason=Reason.INSULTS,
        message="Once more and you are muted.",
        by=moderator,
        began_at=clock.now(),
        acknowledged_at=clock.now(),
    )
    appeal = Appeal.objects.create(sanction=sanction, text="No.", made_at=clock.now())
    return {
        "challenge_id": offered.pk,
        "notification_id": Notification.objects.get(player=player, topic=Topic.FOLLOW).pk,
        "name": player.name_key,
        "year": 2020,
        "quarter": 1,
        "player_id": player.pk,
        "case_id": case.pk,
        "report_id": report.pk,
        "finding_id": finding.pk,
        "sanction_id": sanction.pk,
        "appeal_id": appeal.pk,
        "content_type_id": ContentType.objects.get_for_model(Player).pk,
        "object_id": player.pk,
        "app_label": "games",
        "url": "nothing",
        "uidb36": "1",
        "key": "nothing",
        "games/player": player.pk,
        "games/match": scene.matches["ranked"].id,
        "auth/group": Group.objects.get(name=Role.HELPER).pk,
        "ladder/report": Report.objects.get().pk,
    }


def ask(scene: Scene, row: Row, asker: str) -> HttpResponse:
    """The answer of ``row`` to ``asker``. Whatever it changes is undone."""
    client = scene.clients[asker]
    path = path_of(row.route, scene.values(row.route, row.which))
    cookies = client.cookies.copy()
    cache.clear()
    with transaction.atomic():
        answer = client.generic(row.method, path, content_type="application/x-www-form-urlencoded")
        transaction.set_rollback(True)
    client.cookies = cookies
    return answer


def answered(scene: Scene, row: Row) -> Row:
    """``row`` as it is answered now."""
    now = tuple(answer_of(ask(scene, row, asker)) for asker in ASKERS)
    return Row(row.method, row.route, row.which, now)


def show(lines: Iterable[str]) -> None:
    """Fail with these lines, whole, unless there are none."""
    if text := "\n".join(lines):
        pytest.fail(f"\n{text}", pytrace=False)


def test_the_table_has_every_address_and_no_other():
    known = {(row.method, row.route) for row in rows()}
    there = {(method, route) for method in METHODS for route in routes()}
    there |= {(SOCKET, route) for route in socket_routes()}
    assert sorted(known - there) == []
    assert sorted(there - known) == [], "test_what_the_table_lacks prints the rows"


@pytest.mark.django_db
def test_what_the_table_lacks(scene):
    """An address without a row is shown as it answers now, for somebody to judge."""
    known = {(row.method, row.route) for row in rows()}
    lacking = [
        Row(method, route, "", ())
        for route in sorted(routes())
        for method in METHODS
        if (method, route) not in known
    ]
    show(str(answered(scene, row)) for row in lacking)


@pytest.mark.django_db
def test_everybody_gets_what_the_table_says(scene):
    wrong = [
        f"{row}\n{now}   <- now"
        for row in rows()
        if row.method != SOCKET and (now := answered(scene, row)).answers != row.answers
    ]
    show(wrong)


@pytest.mark.django_db
def test_no_address_takes_a_post_from_another_site(scene):
    """Whatever does anything for a post wants the token of a page of ours."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.force_login(scene.people["administrator"])
    scene.clients["administrator"] = client
    taken = [
        str(row)
        for row in rows()
        if row.method == "POST"
        and row.answers[-1] not in ("404", "405")
        and ask(scene, row, "administrator").status_code not in (403, 404, 405)
    ]
    show(taken)


@pytest.mark.django_db(transaction=True)
async def test_sockets(scene_of_sockets):
    people, matches = scene_of_sockets
    for row in (row for row in rows() if row.method == SOCKET):
        values = {"match_id": matches.get(row.which or "ranked")}
        path = path_of(row.route, values) if row.route else "/ws/nothing/"
        got = []
        for asker in ASKERS:
            opened = await socket(path, people[asker])
            got.append("open" if (await opened.connect())[0] else "no")
            await opened.disconnect()
        assert str(Row(row.method, row.route, row.which, tuple(got))) == str(row)


@pytest.fixture
def scene_of_sockets():
    """Committed, since sockets read in threads of their own."""
    player, other = person(), person()
    people = {
        "nobody": None, "stranger": person(), "other": other, "watcher": person(),
        "player": player, "suspended": person(), **{role: staff(role) for role in Role.values},
    }  # fmt: skip
    _suspend(people["suspended"], people["administrator"])
    matches = {
        "ranked": dealt(Kind.RANKED, [player, other]).id,
        "practice": dealt(Kind.PRACTICE, [player, house()]).id,
        "nothing": "aaaaaaaaaaaa",
    }
    return people, matches
