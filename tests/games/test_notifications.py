"""Notifications: who is told of what, once, and for how long; and where each leads."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from games.models import (
    Answer,
    Block,
    Clock,
    Kind,
    Lease,
    Notification,
    Player,
    PlayerKind,
    Topic,
    clock,
)
from games.selectors import notifications as selector
from games.services import (
    accounts,
    challenges,
    notifications,
    people,
    play,
    presence,
    publish,
    turns,
)
from games.services.notifications import notify
from ladder.services import pairing
from tests.factories import a_match, dealt, house, person, play_on
from tests.i18n import pseudo

pytestmark = pytest.mark.django_db
TO_101 = {"target": 101, "clock_preset": Clock.FAST}


def of(player) -> list[Notification]:
    return list(Notification.objects.filter(player=player))


def test_of_unread_ones_with_a_tag_only_the_newest_stays():
    reader, match = person(), a_match()
    notify(reader, Topic.TURN, tag="turn:x", deal=1)
    notify(reader.pk, Topic.TURN, tag="turn:x", match=match, deal=2)
    notify(reader, Topic.NOTICE, text="one")
    notify(reader, Topic.NOTICE, text="two")
    assert len(of(reader)) == 3
    (turn,) = [line for line in of(reader) if line.tag]
    assert (turn.facts, turn.match) == ({"deal": 2}, match)
    assert notifications.read(reader, turn.pk)
    notify(reader, Topic.TURN, tag="turn:x", deal=3)
    assert len(of(reader)) == 4


def test_who_is_told_nothing():
    reader, blocked = person(), person()
    Block.objects.create(player=reader, other=blocked)
    notify(reader, Topic.FOLLOW, by=blocked)
    notify(blocked, Topic.FOLLOW, by=reader)  # the other way there is no block
    notify(reader, Topic.FOLLOW, by=reader)
    for other in (house(), person(kind=PlayerKind.GUEST), person(kind=PlayerKind.CLOSED)):
        notify(other, Topic.FOLLOW, by=reader)
    assert [line.player for line in Notification.objects.all()] == [blocked]


def test_they_are_read_and_forgotten():
    reader, other = person(), person()
    notify(reader, Topic.FOLLOW, by=other)
    notify(other, Topic.FOLLOW, by=reader)
    mine, theirs = of(reader)[0], of(other)[0]
    assert not notifications.read(reader, theirs.pk)
    assert notifications.read(reader, mine.pk)
    assert not notifications.read(reader, mine.pk)
    assert not notifications.read_all(reader)
    assert notifications.read_all(other)
    made = clock.now() - timedelta(days=90, seconds=1)
    Notification.objects.filter(pk=mine.pk).update(made_at=made)
    assert notifications.forget_old() == 1
    assert Notification.objects.get() == theirs


def test_the_bell_rings_after_the_commit_and_for_news_alone(
    monkeypatch, django_capture_on_commit_callbacks
):
    rung = []
    monkeypatch.setattr(publish, "news", lambda *what: rung.append(what))
    reader = person()
    for doing, rings in (
        (lambda: notify(reader, Topic.NOTICE, text="x"), True),
        (lambda: notify(reader, Topic.NOTICE, by=reader), False),
        (lambda: notifications.read_all(reader), True),
        (lambda: notifications.read_all(reader), False),
        (lambda: notifications.take_back("none", reader), False),
    ):
        with django_capture_on_commit_callbacks(execute=True):
            doing()
            assert rung == []
        assert rung == [(reader.pk, "bell")] * rings
        rung.clear()


# ------------------------------------------------------------------ what it says


def told(reader: Player, language: str = "en") -> list[tuple[str, str]]:
    """The sentences of ``reader`` and where each leads, newest first."""
    with translation.override(language):
        return [(line.html, line.address) for line in selector.page(reader).lines]


def test_each_says_what_it_tells_of_and_leads_there():
    reader, other = person("Nour"), person("<b>Omar")
    match = a_match(players=[reader, other])
    offered = challenges.offer(challenger=other, opponent=reader, **TO_101)
    name, table = "<bdi>&lt;b&gt;Omar</bdi>", match.get_absolute_url()
    for topic, how, sentence, address in (
        (Topic.PAIRING, {"match": match}, f"Your ranked match with {name} begins.",
         table),
        (Topic.TURN, {"match": match}, f"It is your turn against {name}.", table),
        (Topic.FOLLOW, {"by": other}, f"{name} follows you now.", other.get_absolute_url()),
        (Topic.CHALLENGE, {"by": other, "challenge": offered}, f"{name} challenges you to a match.",
         offered.get_absolute_url()),
        (Topic.CHALLENGE, {"by": other, "challenge": offered, "answer": Answer.DECLINED.value},
         f"{name} has declined your challenge.", offered.get_absolute_url()),
        (Topic.CHALLENGE,
         {"by": other, "challenge": offered, "match": match, "answer": Answer.ACCEPTED.value},
         f"{name} has accepted your challenge.", table),
        (Topic.NOTICE, {"text": "{name} <i>&"}, "<bdi>{name} &lt;i&gt;&amp;</bdi>", ""),
        (Topic.BADGE, {}, "You have earned a badge: .", ""),
    ):  # fmt: skip
        notify(reader, topic, **how)
        assert told(reader)[0] == (sentence, address)


def test_every_topic_has_a_sentence_and_an_icon():
    assert set(selector.SENTENCES) == set(selector.ICONS) == set(Topic)


def test_a_name_is_fenced_off_where_there_can_be_no_tag():
    reader, other = person(), person("سلمى")
    people.follow(other, reader)
    (line,) = selector.newest(reader)
    assert line.plain == "\u2068سلمى\u2069 follows you now."


def test_the_sentence_is_made_when_it_is_read_in_the_language_of_that_moment():
    reader = person()
    people.follow(person("Omar"), reader)
    with pseudo.offered():
        ((sentence, _address),) = told(reader, pseudo.CODE)
    assert sentence == "⟦<bdi>Omar</bdi> follows you now.⟧"


# ------------------------------------------------------------------ pages


def test_the_list_goes_by_pages_and_costs_the_same(client, django_assert_max_num_queries):
    reader, match = person(), a_match()
    client.force_login(reader)
    assert "Nothing yet" in client.get("/notifications/").content.decode()
    for number in range(selector.PAGE + 5):
        how = {"match": match} if number % 3 else {"by": person()}
        notify(reader, Topic.TURN if number % 3 else Topic.FOLLOW, **how)
    with django_assert_max_num_queries(9):
        client.get("/notifications/")
    first = selector.page(reader)
    assert len(first.lines) == selector.PAGE
    second = selector.page(reader, str(first.older))
    assert (len(second.lines), second.older) == (5, None)
    keys = [line.row.pk for line in [*first.lines, *second.lines]]
    assert keys == sorted(keys, reverse=True)
    page = client.get(f"/notifications/?before={first.older}").content.decode()
    assert page.count("line-") == 5
    last = second.lines[-1].row.pk
    assert "no older" in client.get(f"/notifications/?before={last}").content.decode()


@pytest.mark.parametrize("before", ["x", "%00", "9" * 5000, "-1", "٣", "1e3"])
def test_a_place_that_is_none_is_the_first_page(client, before):
    reader = person()
    notify(reader, Topic.FOLLOW, by=person())
    client.force_login(reader)
    page = client.get(f"/notifications/?before={before}")
    assert page.status_code == 200
    assert b"line-" in page.content


def test_one_tap_opens_it_and_then_it_is_read(client):
    reader, other = person(), person()
    people.follow(other, reader)
    (line,) = of(reader)
    client.force_login(reader)
    client.head(f"/notifications/{line.pk}/")
    assert of(reader)[0].read_at is None
    assert client.get(f"/notifications/{line.pk}/").url == other.get_absolute_url()
    assert of(reader)[0].read_at is not None
    client.force_login(other)
    assert client.get(f"/notifications/{line.pk}/").status_code == 404


def test_what_is_gone_leads_to_the_list_with_a_sentence(client):
    reader, other = person(), person()
    people.follow(other, reader)
    (line,) = of(reader)
    client.force_login(reader)
    accounts.close_account(other)
    page = client.get(f"/notifications/{line.pk}/", follow=True)
    assert page.redirect_chain == [("/notifications/", 302)]
    assert "That account is closed." in page.content.decode()
    assert "closed account" in page.content.decode()
    Notification.objects.all().delete()
    page = client.get(f"/notifications/{line.pk}/", follow=True)
    assert "That is past" in page.content.decode()
    assert client.get(f"/notifications/{'9' * 30}/").status_code == 302
    assert client.get("/notifications/x/").status_code == 404


def test_all_are_read_at_once(client):
    reader = person()
    notify(reader, Topic.NOTICE, text="one")
    notify(reader, Topic.NOTICE, text="two")
    client.force_login(reader)
    assert "Notifications, 2 new" in client.get("/rules/").content.decode()
    assert client.get("/notifications/read/").status_code == 405
    client.post("/notifications/read/")
    assert "Notifications, " not in client.get("/rules/").content.decode()


def test_the_bell_costs_a_query_and_a_stranger_none(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert 'id="bell"' not in client.get("/rules/").content.decode()
    reader = person()
    client.force_login(reader)
    for _news in range(120):
        notify(reader, Topic.NOTICE)
    with CaptureQueriesContext(connection) as asked:
        page = client.get("/rules/").content.decode()
    assert sum(Notification._meta.db_table in query["sql"] for query in asked) == 1
    assert 'aria-label="Notifications, 120 new"' in page
    assert ">99+</span>" in page
    fragment = client.get("/notifications/bell/")
    assert b"<html" not in fragment.content
    assert b'id="bell"' in fragment.content
    assert "no-store" in fragment["Cache-Control"]


def test_a_guest_and_a_stranger_have_no_bell(client):
    assert client.get("/notifications/bell/").status_code == 204
    assert client.get("/notifications/newest/").json() == {"lines": []}
    client.force_login(person(kind=PlayerKind.GUEST))
    assert client.get("/notifications/bell/").status_code == 204
    assert 'id="bell"' not in client.get("/rules/").content.decode()


# ------------------------------------------------------------------ the browser's own notices


def test_browsers_show_what_is_new_only_where_that_is_switched_on(client):
    reader = person()
    client.force_login(reader)
    people.follow(person("Omar"), reader)
    assert client.get("/notifications/newest/").json() == {"lines": []}
    assert (
        client.post("/notifications/notices/", {"on": "yes", "next": "/settings/"}).url
        == "/settings/"
    )
    (line,) = client.get("/notifications/newest/").json()["lines"]
    row = of(reader)[0]
    assert line["text"] == "\u2068Omar\u2069 follows you now."
    assert (line["tag"], line["address"]) == (row.tag, f"/notifications/{row.pk}/")
    assert "data-notices" in client.get("/rules/").content.decode()
    for _news in range(9):
        notify(reader, Topic.NOTICE)
    lines = client.get("/notifications/newest/").json()["lines"]
    assert len(lines) == selector.AT_ONCE
    assert len({line["tag"] for line in lines}) == selector.AT_ONCE
    assert [line["at"] for line in lines] == sorted(line["at"] for line in lines)
    Notification.objects.update(made_at=clock.now() - selector.FRESH)
    assert client.get("/notifications/newest/").json() == {"lines": []}
    client.post("/notifications/notices/", {"on": "no"})
    assert not Player.objects.get(pk=reader.pk).browser_notices


def test_the_worker_opens_what_is_clicked_and_lets_every_request_alone(client):
    answer = client.get("/worker.js")
    script = answer.content.decode()
    assert answer["Content-Type"] == "text/javascript"
    assert "no-cache" in answer["Cache-Control"]
    assert "notificationclick" in script
    assert '"fetch"' not in script


# ------------------------------------------------------------------ my turn elsewhere


@pytest.fixture
def after(django_capture_on_commit_callbacks):
    """Does something, and then what follows its commit."""

    def do(doing):
        with django_capture_on_commit_callbacks(execute=True):
            return doing()

    return do


def called(match, player) -> set[str]:
    rows = Notification.objects.filter(player=player, match=match, read_at=None)
    return set(rows.values_list("topic", flat=True))


def sides(match) -> tuple[Player, Player]:
    """Whose turn it is, and the other."""
    seats = {seat.seat: seat.player for seat in match.seats.select_related("player")}
    return seats[match.turn], seats[1 - match.turn]


def test_a_turn_that_begins_while_nobody_is_at_the_table_is_told(after):
    match = after(dealt)
    mover, waits = sides(match)
    assert (called(match, mover), called(match, waits)) == ({Topic.TURN}, set())
    after(lambda: play_on(match, 1))
    assert (called(match, mover), called(match, waits)) == (set(), {Topic.TURN})


def test_who_is_at_the_table_is_not_called(after):
    match = a_match()
    for seat in (0, 1):
        presence.arrive(channel=f"x{seat}", match_id=match.pk, seat=seat)
    players = [seat.player for seat in match.seats.select_related("player")]
    for number, player in enumerate(players):
        after(
            lambda p=player, n=number: play.give_seed(
                match_id=match.pk, player=p, client_seed=f"s{n}"
            )
        )
    after(lambda: play_on(match, 2))
    assert not Notification.objects.exists()
    Lease.objects.update(until=clock.now() - timedelta(seconds=1))
    after(lambda: play_on(match, 1))
    assert Notification.objects.count() == 1


def test_opening_the_table_or_its_end_takes_the_call_back(client, after):
    match = after(dealt)
    mover, waits = sides(match)
    client.force_login(mover)
    client.get(f"/games/{match.pk}/")
    assert called(match, mover) == set()
    after(lambda: play_on(match, 1))
    assert called(match, waits) == {Topic.TURN}
    after(lambda: play.resign(match_id=match.pk, player=mover))
    assert not Notification.objects.exists()


def test_no_clock_no_call(after):
    after(lambda: dealt(Kind.PRACTICE, [person(), house()]))
    match = after(lambda: dealt(Kind.CHALLENGE, clock_preset=Clock.NONE))
    after(lambda: play_on(match, 3))
    assert not Notification.objects.exists()


def test_a_block_does_not_silence_the_running_match(after):
    match = after(lambda: dealt(Kind.CHALLENGE))
    mover, waits = sides(match)
    after(lambda: people.block(waits, mover))
    after(lambda: play_on(match, 1))
    assert called(match, waits) == {Topic.TURN}


def test_a_step_costs_one_query_more_while_both_are_there(after, django_assert_num_queries):
    match = after(dealt)
    Notification.objects.all().delete()
    for seat in (0, 1):
        presence.arrive(channel=f"x{seat}", match_id=match.pk, seat=seat)
    with django_assert_num_queries(1):
        turns.tell_of_turn(match)


def test_a_pairing_is_told_until_the_table_is_opened(client, after):
    one, two = person(), person()
    pairing.enter_queue(one)
    match = pairing.enter_queue(two)
    assert called(match, one) == called(match, two) == {Topic.PAIRING}
    client.force_login(one)
    client.get(f"/games/{match.pk}/")
    assert (called(match, one), called(match, two)) == (set(), {Topic.PAIRING})
    after(lambda: play.abort(match_id=match.pk, player=one))
    assert not Notification.objects.exists()
