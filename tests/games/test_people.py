"""Following, blocking, muting, and finding people by name."""

from datetime import timedelta
from urllib.parse import unquote

import pytest
from django.db import connection

from games.models import (
    Answer,
    Block,
    Clock,
    Follow,
    Kind,
    Mute,
    Notification,
    Online,
    Player,
    PlayerKind,
    Topic,
    clock,
)
from games.selectors import people as selector
from games.selectors.table import table_for
from games.services import accounts, challenges, notifications, people, play, publish
from games.services.errors import Refused
from ladder.models import QueueEntry
from ladder.services import pairing
from tests.factories import dealt, house, person

pytestmark = pytest.mark.django_db
ACTS = ("follow", "unfollow", "block", "unblock", "mute", "unmute")


@pytest.fixture
def heard(monkeypatch, django_capture_on_commit_callbacks):
    """What the open pages of players hear while ``doing``: (player, topic)."""
    told: list[tuple[int, str]] = []

    def note(player_id, *topics):
        told.extend((player_id, topic) for topic in topics)

    monkeypatch.setattr(publish, "news", note)

    def while_(doing):
        told.clear()
        with django_capture_on_commit_callbacks(execute=True):
            doing()
        return set(told)

    return while_


def online(*players: Player) -> None:
    for player in players:
        Online.objects.create(player=player, until=clock.now() + timedelta(seconds=30))


def found(text: str, reader: Player) -> list[str]:
    return [line.player.name for line in selector.search(text, reader)]


# ------------------------------------------------------------------ what is said


def test_following_tells_the_other_once(heard):
    one, two = person("Omar"), person("Salma")
    told = heard(lambda: people.follow(one, two))
    assert told == {(two.pk, "bell"), (one.pk, "people")}
    assert heard(lambda: people.follow(one, two)) == set()
    line = Notification.objects.get()
    assert (line.player, line.topic, line.by) == (two, Topic.FOLLOW, one)
    notifications.read_all(two)
    people.unfollow(one, two)
    people.unfollow(one, two)
    assert not Follow.objects.exists()
    people.follow(one, two)
    assert Notification.objects.count() == 1


def test_a_follow_that_is_taken_back_unread_leaves_no_news():
    one, two = person(), person()
    people.follow(one, two)
    people.unfollow(one, two)
    assert not Notification.objects.exists()


def test_who_cannot_be_followed():
    me, guest = person(), person(kind=PlayerKind.GUEST)
    sentences = set()
    blocker = person()
    people.block(blocker, me)
    for other in (house(), guest, blocker):
        with pytest.raises(Refused) as refused:
            people.follow(me, other)
        sentences.add(refused.value.message)
    assert len(sentences) == 1  # so who is blocked cannot tell it from the rest
    with pytest.raises(Refused):
        people.follow(me, me)
    assert not Follow.objects.exists()


def test_a_guest_has_nothing_to_say():
    guest, other = person(kind=PlayerKind.GUEST), person()
    for act in ACTS:
        with pytest.raises(Refused, match="Sign up first"):
            getattr(people, act)(guest, other)


def test_a_guest_can_be_muted_and_blocked_but_no_house_player():
    me, guest = person(), person(kind=PlayerKind.GUEST)
    people.mute(me, guest)
    people.block(me, guest)
    assert (selector.muted(me), selector.blocked(me)) == ([guest], [guest])
    for act in (people.block, people.mute):
        with pytest.raises(Refused):
            act(me, house())


def test_the_lists_have_an_end(monkeypatch):
    monkeypatch.setattr(people, "MOST", 2)
    me = person()
    for act in (people.follow, people.block, people.mute):
        for _place in range(2):
            act(me, person())
        with pytest.raises(Refused, match="full"):
            act(me, person())
    people.unmute(me, selector.muted(me)[0])
    people.mute(me, person())


def test_muting_is_told_to_nobody(heard):
    me, other = person(), person()
    assert heard(lambda: people.mute(me, other)) == {(me.pk, "people"), (me.pk, "talk")}
    people.mute(me, other)
    assert Mute.objects.get().player == me
    people.unmute(me, other)
    assert not Mute.objects.exists()


# ------------------------------------------------------------------ what a block does


def test_a_block_ends_all_that_is_between_the_two(heard):
    me, other, third = person(), person(), person()
    for one, two in ((me, other), (other, me), (third, me)):
        people.follow(one, two)
    for one, two in ((me, other), (other, me)):
        challenges.offer(challenger=one, opponent=two, target=51 + 50 * (one == me),
                         clock_preset=Clock.FAST)  # fmt: skip
    told = heard(lambda: people.block(me, other))
    assert {(me.pk, "challenges"), (me.pk, "people"), (me.pk, "talk")} <= told
    assert {(other.pk, "challenges"), (other.pk, "people"), (other.pk, "talk")} <= told
    assert [(row.player, row.other) for row in Follow.objects.all()] == [(third, me)]
    assert not me.challenges_made.filter(answer=Answer.OPEN).exists()
    assert not me.challenges_got.filter(answer=Answer.OPEN).exists()
    assert {line.by for line in Notification.objects.filter(player=me)} == {third}
    assert not Notification.objects.filter(player=other, topic=Topic.CHALLENGE).exists()
    people.block(me, other)
    assert Block.objects.count() == 1
    for one, two in ((me, other), (other, me)):
        with pytest.raises(Refused):
            people.follow(one, two)
    people.unblock(me, other)
    people.unblock(me, other)
    assert not Follow.objects.filter(other=other).exists()
    people.follow(other, me)


def test_who_is_blocked_is_told_nothing():
    me, other = person(), person()
    people.block(me, other)
    assert not Notification.objects.filter(player=other).exists()


@pytest.mark.parametrize("blocker", [0, 1])
def test_the_queue_does_not_pair_them(blocker):
    two = [person(), person()]
    people.block(two[blocker], two[1 - blocker])
    assert [pairing.enter_queue(player) for player in two] == [None, None]
    assert pairing.pair() == 0
    third = person()
    assert pairing.enter_queue(third) is not None
    assert QueueEntry.objects.get().player in two


def test_the_queue_asks_for_blocks_once(django_assert_max_num_queries):
    waiting = [person() for _place in range(6)]
    for one in waiting:
        for other in waiting:
            if one != other:
                people.block(one, other)
    for player in waiting:
        assert pairing.enter_queue(player) is None
    with django_assert_max_num_queries(12):
        assert pairing.pair() == 0


def test_neither_watches_the_challenges_of_the_other(client):
    one, two, watcher = person(), person(), person()
    challenge = dealt(Kind.CHALLENGE, [one, two])
    ranked = dealt(Kind.RANKED, [one, person()])
    paths = [f"/games/{match.pk}/" for match in (challenge, ranked)]
    for blocker, blocked in ((one, watcher), (watcher, two)):
        client.force_login(watcher)
        assert [client.get(path).status_code for path in paths] == [200, 200]
        people.block(blocker, blocked)
        assert [client.get(path).status_code for path in paths] == [404, 200]
        play_end = client.get(f"{paths[0]}record.json").status_code
        assert play_end == 404
        people.unblock(blocker, blocked)
    people.block(one, watcher)
    play.resign(match_id=challenge.pk, player=two)
    assert client.get(f"{paths[0]}record.json").status_code == 404
    assert client.get(paths[0]).status_code == 404
    client.logout()
    assert client.get(paths[0]).status_code == 200


def test_the_match_of_the_two_goes_on(client):
    one, two = person(), person()
    match = dealt(Kind.CHALLENGE, [one, two])
    people.block(one, two)
    for player in (one, two):
        assert table_for(match.pk, player).seat is not None
    play.resign(match_id=match.pk, player=two)
    assert table_for(match.pk, one).winner == "me"


def test_a_closed_account_is_in_nobodys_list():
    me, other = person(), person()
    people.follow(me, other)
    people.follow(other, me)
    people.mute(me, other)
    people.block(person(), other)
    accounts.close_account(other)
    assert not Follow.objects.exists()
    assert not Mute.objects.exists()
    assert not Block.objects.exists()
    assert not Notification.objects.filter(player=other).exists()


# ------------------------------------------------------------------ lists


def test_who_is_here_comes_first_and_can_be_watched(django_assert_num_queries):
    me = person()
    names = ["Ziad", "Adham", "Mona", "Hidden"]
    ziad, adham, mona, hidden = others = [person(name) for name in names]
    Player.objects.filter(pk=hidden.pk).update(shows_online=False)
    for other in others:
        people.follow(me, other)
    online(ziad, mona, hidden)
    match = dealt(Kind.RANKED, [mona, person()])
    dealt(Kind.CHALLENGE, [ziad, person()])
    with django_assert_num_queries(2):
        lines = selector.following(me)
    assert [line.player for line in lines] == [mona, ziad, adham, hidden]
    assert [line.is_online for line in lines] == [True, True, False, False]
    assert [line.match for line in lines] == [match, None, None, None]
    here = selector.following(me, only_online=True)
    assert [line.player for line in here] == [mona, ziad]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Omar", "om"),
        ("Omar", "  OMA"),
        ("Omar", "0mar"),
        ("أحمد", "احم"),
        ("أحمد", "إحمد"),
        ("أحمد", "أَحْمَد"),
        ("احمد", "أحـــم"),
        ("سلمى", "سلمي"),
        ("سلمي", "سلمى"),
        ("فاطمة", "فاطمه"),
        ("هدى٣", "هدى3"),
        ("هدى٣", "هدي۳"),
        ("علي", "علی"),
        ("Marla9", "MARLA9"),
        ("a_b-c", "a_b"),
    ],
)
def test_a_name_is_found_however_it_is_spelt(name, text):
    reader = person()
    person(name)
    person("Nobody-else")
    assert found(text, reader) == [name]


@pytest.mark.parametrize(
    "text",
    ["", " ", "o", "%", "%%", "__", "o%", "_mar", "\0\0", "Om\0", "om\u202e\x07", "x" * 10_000,
     "ا" * 10_000, "\ud800\ud800", "\\", "' OR 1=1 --", "mar", "ـ" * 40],
)  # fmt: skip
def test_what_no_name_begins_with_finds_nothing(text):
    person("Omar")
    assert found(text, person()) == []


def test_who_is_not_found():
    reader = person("Samira")
    shown = person("Samir")
    person("Samir-closed", kind=PlayerKind.CLOSED)
    person("Samir-guest", kind=PlayerKind.GUEST)
    for name, blocker, blocked in (("Samir-one", 0, 1), ("Samir-two", 1, 0)):
        two = (person(name), reader)
        people.block(two[blocker], two[blocked])
    assert found("samir", reader) == [shown.name]
    assert found(house().name, reader) == []


def test_a_search_is_bounded_and_goes_by_the_index(django_assert_num_queries):
    reader = person()
    people.follow(reader, person("Tarek"))
    for number in range(30):
        person(f"Tarek{number:02}x")
    with django_assert_num_queries(4):
        lines = selector.search("Tarek", reader)
    assert len(lines) == selector.FOUND
    assert (lines[0].player.name, lines[0].is_followed) == ("Tarek", True)
    named = Player.objects.filter(selector._begins("name_key", "tarek"))
    plan = str(named.values("pk").explain())
    if connection.vendor == "sqlite":
        assert "USING" in plan
        assert "SCAN" not in plan


# ------------------------------------------------------------------ pages


def test_the_page_says_what_there_is(client):
    me, other = person("Nour"), person("Omar")
    client.force_login(me)
    empty = client.get("/people/").content.decode()
    for sentence in ("You follow nobody yet", "You have blocked nobody", "You have muted nobody"):
        assert sentence in empty
    for act in ("follow", "mute"):
        answer = client.post("/people/tie/", {"player": other.pk, "act": act}, follow=True)
        assert answer.redirect_chain == [("/people/", 303)]
    page = client.get("/people/?q=OMA").content.decode()
    assert page.count("<bdi>Omar</bdi>") >= 3
    assert "followed" in page
    client.post("/people/tie/", {"player": other.pk, "act": "block", "next": "/players/omar/"})
    page = client.get("/people/?q=OMA").content.decode()
    assert "Nobody was found" in page
    assert 'id="blocked"' in page


def test_the_page_costs_the_same_for_many(client, django_assert_max_num_queries):
    me = person()
    for _place in range(30):
        other = person("", date_joined=clock.now())
        people.follow(me, other)
        people.mute(me, other)
        online(other)
        people.block(me, person())
    client.force_login(me)
    client.get("/people/")
    with django_assert_max_num_queries(12):
        client.get("/people/?q=ab")


def test_a_profile_offers_what_can_be_done(client):
    me, other = person("Nour"), person("Omar")

    def acts():
        page = client.get("/players/omar/").content.decode()
        return {act for act in ACTS if f'value="{act}"' in page}, page

    assert acts()[0] == set()  # a stranger
    client.force_login(person(kind=PlayerKind.GUEST))
    assert acts()[0] == set()
    client.force_login(me)
    assert acts()[0] == {"follow", "mute", "block"}
    people.follow(me, other)
    assert acts()[0] == {"unfollow", "mute", "block"}
    people.block(me, other)
    assert acts()[0] == {"unblock"}
    client.force_login(other)
    theirs = client.get("/players/nour/").content.decode()
    assert 'value="follow"' not in theirs
    assert "cannot be followed or challenged" in theirs
    assert "block" not in theirs.split("profile-actions")[0]
    client.force_login(me)
    assert 'id="profile-actions"' not in client.get("/players/nour/").content.decode()


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"player": "x", "act": "follow"},
        {"player": "\0", "act": "follow"},
        {"player": "9" * 5000, "act": "follow"},
        {"player": "٣", "act": "follow"},
        {"player": "999999999", "act": "follow"},
        {"player": "1", "act": "forget"},
        {"player": "1", "act": "__init__"},
    ],
)
def test_a_form_that_means_nothing_is_answered_with_404(client, form):
    client.force_login(person())
    assert client.post("/people/tie/", form).status_code == 404


def test_who_has_no_account_is_led_to_one(client):
    form = {"player": person().pk, "act": "follow"}
    for path in ("/people/", "/notifications/"):
        assert unquote(client.get(path).url) == f"/accounts/login/?next={path}"
    part = {"HX-Request": "true", "HX-Current-URL": "http://testserver/people/?q=x"}
    asked = client.get("/people/", headers=part)["HX-Redirect"]  # the session has ended meanwhile
    assert unquote(asked) == "/accounts/login/?next=/people/?q=x"
    assert client.post("/people/tie/", form).url.startswith("/accounts/login/")
    client.force_login(person(kind=PlayerKind.GUEST))
    for answer in (client.get("/people/"), client.post("/people/tie/", form)):
        assert answer.url.startswith("/accounts/signup/")
    assert not Follow.objects.exists()


def test_writing_needs_a_post_with_its_token_and_leads_nowhere_else(client):
    me, other = person(), person()
    client.force_login(me)
    assert client.get("/people/tie/").status_code == 405
    for there in ("https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)"):
        form = {"player": other.pk, "act": "follow", "next": there}
        assert client.post("/people/tie/", form).url == "/people/"
    client.handler.enforce_csrf_checks = True
    assert client.post("/people/tie/", {"player": other.pk, "act": "block"}).status_code == 403
    assert not Block.objects.exists()


@pytest.mark.parametrize("query", ["%00", "%ED%A0%80", "%FF", "%25%25", "a" * 10_000, "%E2%80%AE"])
def test_a_search_that_is_nonsense_gets_a_page(client, query):
    client.force_login(person())
    assert client.get(f"/people/?q={query}").status_code == 200
