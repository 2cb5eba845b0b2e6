"""Challenges: who may make one, what each of the two sees, and the one match that comes of it."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games.models import (
    Answer,
    Block,
    Challenge,
    Clock,
    Follow,
    Kind,
    Level,
    Match,
    Notification,
    Online,
    Player,
    PlayerKind,
    Status,
    Topic,
    Unrated,
    Welcome,
    clock,
)
from games.services import accounts, challenges, play, publish
from games.services.errors import Refused
from tests.factories import dealt, house, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def told(monkeypatch) -> list[tuple[str, str]]:
    """What open pages hear: (group, what)."""
    heard: list[tuple[str, str]] = []

    def note(group: str, message: dict[str, str]) -> None:
        heard.append((group, message.get("topics") or message.get("match", "")))

    monkeypatch.setattr(publish, "publish", note)
    return heard


def offered(one: Player, other: Player, target: int = 101, by=Clock.STANDARD) -> Challenge:
    return challenges.offer(challenger=one, opponent=other, target=target, clock_preset=by)


def linked(one: Player) -> Challenge:
    return challenges.offer_link(challenger=one, target=51, clock_preset=Clock.FAST)


def earlier(link: Challenge) -> Challenge:
    """A link that was not made just now: another one is meant to be another."""
    made_at = link.made_at - challenges.PRESSED_TWICE
    Challenge.objects.filter(pk=link.pk).update(made_at=made_at)
    return link


def taken(challenge: Challenge, player: Player) -> Match:
    return challenges.accept(challenge_id=challenge.pk, player=player)


def late(challenge: Challenge) -> Challenge:
    """A challenge whose time is up, and nobody has swept it yet."""
    Challenge.objects.filter(pk=challenge.pk).update(expires_at=clock.now())
    return challenge


def of(challenge: Challenge) -> str:
    return Challenge.objects.get(pk=challenge.pk).answer


def as_(player: Player | None) -> Client:
    client = Client()
    if player is not None:
        client.force_login(player)
    return client


def page(player: Player | None, challenge: Challenge, **how: object) -> str:
    answer = as_(player).get(challenge.get_absolute_url(), **how)
    assert answer.status_code == 200
    return answer.content.decode()


# ------------------------------------------------------------------ one match comes of it


@pytest.mark.parametrize("target", challenges.TARGETS)
@pytest.mark.parametrize("preset", challenges.CLOCKS)
def test_a_challenge_accepted_is_a_match_of_its_terms(target, preset):
    one, two = person(), person()
    match = taken(offered(one, two, target, preset), two)
    assert (match.kind, match.target, match.clock) == (Kind.CHALLENGE, target, preset)
    assert match.unrated == Unrated.CHALLENGE
    assert [seat.player for seat in match.seats.select_related("player")] == [one, two]


def test_it_is_one_match_however_often_it_is_accepted():
    one, two = person(), person()
    challenge = offered(one, two)
    match = taken(challenge, two)
    assert taken(challenge, two) == match
    assert taken(challenge, one) == match  # the challenger's stale page
    assert Match.objects.count() == 1


def test_who_comes_second_to_a_link_is_told():
    one, two, three = person(), person(), person()
    link = linked(one)
    match = taken(link, two)
    with pytest.raises(Refused, match="Somebody else has taken"):
        taken(link, three)
    assert taken(link, two) == match
    assert Match.objects.count() == 1


def test_two_who_challenge_each_other_to_the_same_have_met():
    one, two = person(), person()
    first = offered(one, two)
    assert offered(two, one, target=51).match is None  # other terms are another challenge
    second = offered(two, one)
    assert second == first
    assert second.match.status == Status.STARTING
    assert Match.objects.count() == 1


def test_the_same_challenge_again_is_the_same_and_another_takes_its_place():
    one, two = person(), person()
    first = offered(one, two)
    assert offered(one, two) == first
    second = offered(one, two, target=151)
    assert of(first) == Answer.CANCELLED
    assert of(second) == Answer.OPEN
    third = offered(one, late(two_of(second)))
    assert of(second) == Answer.EXPIRED
    assert of(third) == Answer.OPEN


def two_of(challenge: Challenge) -> Player:
    late(challenge)
    return challenge.opponent


@pytest.mark.parametrize("who", ["taker", "challenger"])
@pytest.mark.parametrize("kind", [Kind.RANKED, Kind.CHALLENGE])
def test_a_match_that_runs_is_not_neglected_for_another(who, kind):
    one, two = person(), person()
    busy = two if who == "taker" else one
    other = dealt(kind, [busy, person()])
    challenge = offered(one, two)
    with pytest.raises(Refused, match="in a match now"):
        taken(challenge, two)
    assert of(challenge) == Answer.OPEN
    play.resign(match_id=other.pk, player=busy)
    assert taken(challenge, two).status == Status.STARTING


def test_practice_waits_for_a_challenge():
    one, two = person(), person()
    dealt(Kind.PRACTICE, [two, house()])
    assert taken(offered(one, two), two).status == Status.STARTING


def test_of_three_challenges_accepted_in_a_row_one_begins():
    me, others = person(), [person() for _ in range(3)]
    got = [offered(other, me) for other in others]
    begun = taken(got[0], me)
    for challenge in got[1:]:
        with pytest.raises(Refused):
            taken(challenge, me)
        assert of(challenge) == Answer.OPEN
    assert Match.objects.get() == begun


# ------------------------------------------------------------------ what is over stays over


@pytest.mark.parametrize("end", ["declined", "cancelled", "expired", "late"])
def test_what_is_over_is_not_accepted(end):
    one, two = person(), person()
    challenge = offered(one, two)
    if end == "declined":
        challenges.decline(challenge_id=challenge.pk, player=two)
    elif end == "cancelled":
        challenges.cancel(challenge_id=challenge.pk, player=one)
    else:
        late(challenge)
        if end == "expired":
            assert challenges.expire() == 1
    for player in (two, one):
        with pytest.raises(Refused):
            taken(challenge, player)
    assert not Match.objects.exists()


def test_answers_may_be_repeated_and_not_changed():
    one, two = person(), person()
    challenge = offered(one, two)
    for _twice in range(2):
        challenges.decline(challenge_id=challenge.pk, player=two)
    with pytest.raises(Refused):
        challenges.cancel(challenge_id=challenge.pk, player=one)
    assert of(challenge) == Answer.DECLINED
    assert Notification.objects.filter(player=one).count() == 1
    other = offered(one, two)
    for _twice in range(2):
        challenges.cancel(challenge_id=other.pk, player=one)
    with pytest.raises(Refused):
        challenges.decline(challenge_id=other.pk, player=two)
    third = offered(one, two)
    taken(third, two)
    with pytest.raises(Refused, match="the match has begun"):
        challenges.cancel(challenge_id=third.pk, player=one)


def test_ten_minutes_by_name_and_a_day_by_link():
    one = person()
    for challenge, stands in (
        (offered(one, person()), timedelta(minutes=10)),
        (linked(one), timedelta(hours=24)),
    ):
        assert challenge.expires_at - challenge.made_at == stands
        assert re.fullmatch("[A-Za-z0-9]{16}", challenge.pk)
    assert challenges.expire() == 0


def test_only_who_is_asked_declines_and_only_who_asked_takes_back():
    one, two, three = person(), person(), person()
    link = linked(one)
    challenge = offered(one, two)
    for act, what, who in (
        (challenges.decline, link, three),
        (challenges.cancel, link, three),
        (challenges.cancel, challenge, two),
        (challenges.decline, challenge, one),
    ):
        with pytest.raises(Refused):
            act(challenge_id=what.pk, player=who)
    assert of(link) == of(challenge) == Answer.OPEN


# ------------------------------------------------------------------ who may


def test_who_may_challenge_me():
    one, two = person(), person(challengers=Welcome.NOBODY)
    with pytest.raises(Refused, match="from you now") as nobody:
        offered(one, two)
    Player.objects.filter(pk=two.pk).update(challengers=Welcome.FOLLOWED)
    with pytest.raises(Refused):
        offered(one, two)
    Follow.objects.create(player=one, other=two)
    with pytest.raises(Refused):
        offered(one, two)
    Follow.objects.create(player=two, other=one)
    assert offered(one, two).is_open
    assert offered(two, one).match  # who asks first is welcome to an answer, whatever is set
    # A block says the same, whoever made it.
    for pair in ((0, 1), (1, 0)):
        people = [person(), person()]
        Block.objects.create(player=people[pair[0]], other=people[pair[1]])
        with pytest.raises(Refused) as blocked:
            offered(people[0], people[1])
        assert blocked.value.message == nobody.value.message


def test_a_link_is_not_for_whom_a_block_keeps_apart():
    for pair in ((0, 1), (1, 0)):
        people = [person(), person()]
        link = linked(people[0])
        Block.objects.create(player=people[pair[0]], other=people[pair[1]])
        with pytest.raises(Refused, match="from you now"):
            taken(link, people[1])
        assert of(link) == Answer.OPEN


def test_challenges_are_between_two_people_with_an_account():
    me, guest = person(), person(kind=PlayerKind.GUEST)
    gone = person()
    accounts.close_account(gone)
    for one, other in ((me, me), (me, house()), (me, guest), (me, gone), (guest, me), (gone, me)):
        with pytest.raises(Refused):
            offered(one, other)
    for one in (guest, gone):
        with pytest.raises(Refused):
            taken(linked(person()), one)
    for one in (guest, gone):
        with pytest.raises(Refused):
            linked(one)
    with pytest.raises(Refused, match="practise"):
        offered(me, house())
    assert not Match.objects.exists()


@pytest.mark.parametrize("terms", [(50, Clock.FAST), (101, Clock.NONE), (0, "x")])
def test_terms_that_there_are_not(terms):
    for make in (lambda: offered(person(), person(), *terms),
                 lambda: challenges.offer_link(
                     challenger=person(), target=terms[0], clock_preset=terms[1])):  # fmt: skip
        with pytest.raises(Refused):
            make()


def test_there_are_not_too_many_open_ones():
    one = person()
    made = [offered(one, person()) for _ in range(challenges.MOST_OPEN)]
    links = [earlier(linked(one)) for _ in range(challenges.MOST_OPEN)]
    with pytest.raises(Refused, match="withdraw one"):
        offered(one, person())
    with pytest.raises(Refused, match="withdraw one"):
        linked(one)
    late(links[0])
    challenges.cancel(challenge_id=made[0].pk, player=one)
    assert offered(one, person()).is_open
    assert linked(one).is_open


def test_the_same_link_within_seconds_is_the_same():
    one = person()
    link = linked(one)
    assert linked(one) == link
    assert linked(person()) != link
    assert challenges.offer_link(challenger=one, target=101, clock_preset=Clock.FAST) != link
    challenges.cancel(challenge_id=link.pk, player=one)
    anew = earlier(linked(one))
    assert anew != link
    assert linked(one) != anew


def test_a_closed_account_has_nothing_open():
    one, two, three = person(), person(), person()
    made, got, link = offered(one, two), offered(three, one), linked(one)
    accounts.close_account(one)
    assert [of(made), of(got), of(link)] == ["cancelled", "declined", "cancelled"]


def test_a_block_calls_off_what_is_open_without_telling_whose_doing_it_was():
    one, two, three = person(), person(), person()
    made, got, other = offered(one, two), offered(two, one, target=51), offered(three, one)
    challenges.cancel_between(one, two)
    assert [of(made), of(got), of(other)] == ["cancelled", "declined", "open"]
    assert "has declined" in page(two, got)


# ------------------------------------------------------------------ who hears of it


def test_both_are_told_and_called(told, django_capture_on_commit_callbacks):
    one, two = person(), person()
    groups = {publish.player_group(player.pk) for player in (one, two)}

    def after(act) -> list[tuple[str, str]]:
        told.clear()
        with django_capture_on_commit_callbacks(execute=True):
            act()
        return [line for line in told if line[1] != "bell"]

    news = {(group, "challenges") for group in groups}
    assert set(after(lambda: offered(one, two))) == news
    challenge = Challenge.objects.get()
    assert set(after(lambda: challenges.decline(challenge_id=challenge.pk, player=two))) == news
    assert after(lambda: challenges.decline(challenge_id=challenge.pk, player=two)) == []
    other = offered(one, two)
    assert set(after(lambda: challenges.cancel(challenge_id=other.pk, player=one))) == news
    late(offered(one, two))
    assert set(after(challenges.expire)) == news
    third = offered(one, two)
    heard = after(lambda: taken(third, two))
    assert {(group, Match.objects.get().pk) for group in groups} <= set(heard)


def test_the_bell_of_who_is_challenged_and_of_who_is_answered():
    one, two = person(), person()
    challenge = offered(one, two)
    line = Notification.objects.get()
    assert (line.player, line.topic, line.by) == (two, Topic.CHALLENGE, one)
    challenges.cancel(challenge_id=challenge.pk, player=one)
    assert not Notification.objects.exists()
    missed = late(offered(one, two))
    challenges.expire()
    assert Notification.objects.get().challenge == missed  # who was away may know
    second = offered(one, two)
    challenges.decline(challenge_id=second.pk, player=two)
    line = Notification.objects.get()
    assert (line.player, line.facts) == (one, {"answer": "declined"})


def test_who_is_away_when_it_is_accepted_finds_it_in_the_bell():
    one, two, three = person(), person(), person()
    Online.objects.create(player=one, until=clock.now() + timedelta(minutes=1))
    taken(offered(one, two), two)
    assert not Notification.objects.filter(player=one).exists()
    play.abort(match_id=Match.objects.get().pk, player=two)
    match = taken(offered(three, two), two)
    line = Notification.objects.get(player=three)
    assert (line.match, line.facts) == (match, {"answer": "accepted"})


# ------------------------------------------------------------------ the pages


def test_a_named_challenge_is_nobody_elses_business():
    one, two, three = person(), person(), person()
    challenge = offered(one, two)
    for client in (as_(three), as_(None), as_(person(is_staff=True, is_superuser=True))):
        address = challenge.get_absolute_url()
        assert client.get(address).status_code == 404
        for act in ("decline/", "cancel/"):
            assert client.post(address + act).status_code == 404
    assert as_(three).post(f"{challenge.get_absolute_url()}accept/").status_code == 404
    taken(challenge, two)
    assert as_(three).get(challenge.get_absolute_url()).status_code == 404


@pytest.mark.parametrize(
    "path",
    ["x", "x" * 16, "x" * 400, "..", "%00", "%FF", "new%00", "%ED%A0%80", "a%0Ab", "0", "-1"],
)
def test_guessed_addresses_are_no_pages(path):
    client = as_(person())
    for end in ("", "accept/", "decline/", "cancel/"):
        for ask in (client.get, client.post):
            assert ask(f"/challenges/{path}/{end}").status_code in (404, 405)


def test_looking_changes_nothing():
    one, two = person(), person()
    rows = [offered(one, two), linked(one), late(offered(two, one, target=51))]
    before = list(Challenge.objects.order_by("pk").values())
    for row in rows:
        for player in (one, two):
            page(player, row)
            page(player, row, headers={"HX-Request": "true"})
    page(None, rows[1])
    for player in (one, two):
        for path in ("/challenges/", "/challenges/open/", "/challenges/new/?to=x"):
            assert as_(player).get(path).status_code == 200
    for end in ("accept/", "decline/", "cancel/"):
        assert as_(two).get(rows[0].get_absolute_url() + end).status_code == 405
    assert list(Challenge.objects.order_by("pk").values()) == before


def test_after_a_refusal_the_language_leads_to_the_challenge():
    one, two = person(), person()
    challenge = offered(one, two)
    challenges.cancel(challenge_id=challenge.pk, player=one)
    address = challenge.get_absolute_url()
    refused = as_(two).post(f"{address}accept/")
    assert refused.status_code == 409
    assert f'name="next" value="{address}"' in refused.content.decode()


def test_each_of_the_two_sees_what_can_be_done():
    one, two = person("Nour"), person("Salma")
    challenge = offered(one, two)
    mine, theirs = page(one, challenge), page(two, challenge)
    assert 'data-action="cancel-challenge"' in mine
    assert 'data-action="accept"' not in mine
    assert "is not on the site now" in mine
    assert theirs.count('data-action="accept"') == theirs.count('data-action="decline"') == 1
    assert theirs.count("btn-primary") == 1
    assert "wa.me" not in mine + theirs
    Online.objects.create(player=two, until=clock.now() + timedelta(minutes=1))
    assert "is not on the site now" not in page(one, challenge)


def test_of_who_keeps_it_private_nobody_is_told_that_they_are_away():
    challenge = offered(person("Nour"), person("Salma", shows_online=False))
    assert "is not on the site now" not in page(challenge.challenger, challenge)


@pytest.mark.parametrize("end", ["declined", "cancelled", "expired"])
def test_each_of_the_two_sees_what_became_of_it(end):
    one, two = person("Nour"), person("Salma")
    challenge = offered(one, two)
    if end == "declined":
        challenges.decline(challenge_id=challenge.pk, player=two)
    elif end == "cancelled":
        challenges.cancel(challenge_id=challenge.pk, player=one)
    else:
        late(challenge)
    said = {
        "declined": ("has declined", "You have declined"),
        "cancelled": ("You have withdrawn this challenge", "has withdrawn this challenge"),
        "expired": ("has not answered in time", "The time of this challenge is up"),
    }[end]
    for player, sentence in zip((one, two), said, strict=True):
        text = page(player, challenge)
        assert sentence in text
        assert f'data-answer="{end}"' in text
        assert 'data-action="accept"' not in text
        assert "/challenges/new/?to=" in text  # a way on
        assert "every 5s" not in text


def test_both_are_led_to_the_table_and_afterwards_to_the_match():
    one, two, three = person(), person(), person()
    link = linked(one)
    answer = as_(two).post(f"{link.get_absolute_url()}accept/")
    match = Match.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/games/{match.pk}/")
    for player in (one, two):
        assert as_(player).get(link.get_absolute_url())["Location"] == f"/games/{match.pk}/"
        live = as_(player).get(link.get_absolute_url(), headers={"HX-Request": "true"})
        assert live["HX-Redirect"] == f"/games/{match.pk}/"
    refused = as_(three).post(f"{link.get_absolute_url()}accept/")
    assert refused.status_code == 409
    for text in (refused.content.decode(), page(three, link), page(None, link)):
        assert "Somebody else has taken this challenge" in text
        assert match.pk not in text
    play.abort(match_id=match.pk, player=two)
    assert f'href="/games/{match.pk}/"' in page(one, link)


def test_a_page_that_shows_the_truth_is_not_sent_it_again():
    one, two = person(), person()
    challenge = offered(one, two)
    text = page(two, challenge)
    address = re.search(r'hx-get="([^"]+seen=[^"]+)"', text)[1]
    htmx = {"HX-Request": "true"}
    assert as_(two).get(address, headers=htmx).status_code == 204
    challenges.cancel(challenge_id=challenge.pk, player=one)
    part = as_(two).get(address, headers=htmx)
    assert part.status_code == 200
    assert "<html" not in part.content.decode()
    assert 'data-answer="cancelled"' in part.content.decode()


def test_a_stranger_and_a_guest_are_asked_to_sign_up_and_come_back():
    link = linked(person())
    back = f"next={reverse('games:challenge', args=[link.pk]).replace('/', '%2F')}"
    text = page(None, link)
    assert text.count(back) == 2
    assert 'data-action="accept"' not in text
    guest = person(kind=PlayerKind.GUEST)
    text = page(guest, link)
    assert back in text
    assert 'data-action="accept"' not in text
    sent = as_(None).post(f"{link.get_absolute_url()}accept/")
    assert sent["Location"].startswith(reverse("account_login"))
    assert as_(guest).post(f"{link.get_absolute_url()}accept/").status_code == 409
    assert of(link) == Answer.OPEN


def test_a_preview_says_who_how_far_and_by_which_clock(settings):
    settings.SITE_URL = "https://basra.example"
    one = person("Nour", email="nour@example.org", about="a secret of mine")
    link = linked(one)
    text = page(None, link)
    tags = dict(
        re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"', text)
    )
    assert tags["og:url"] == f"https://basra.example{link.get_absolute_url()}"
    assert "Nour" in tags["og:title"]
    assert "to 51" in tags["og:description"]
    assert "6 seconds a turn" in tags["og:description"]
    assert tags["og:image"].startswith("https://basra.example/static/preview")
    assert tags["twitter:card"] == "summary_large_image"
    assert "nour@example.org" not in text
    assert "a secret of mine" not in text


def test_the_title_is_not_ones_own_name_to_who_made_it():
    one, two = person("Nour"), person("Salma")
    link, made = linked(one), offered(one, two)

    def title(player: Player | None, challenge: Challenge) -> str:
        return re.search("<title>(.+?)</title>", page(player, challenge))[1]

    assert "Nour challenges you" in title(two, made)
    for _open in (True, False):
        assert "Your challenge by link" in title(one, link)
        assert "Your challenge to Salma" in title(one, made)
        late(link), late(made)


def test_the_link_can_be_shared_without_script(settings):
    one = person("Nour")
    link = linked(one)
    text = page(one, link)
    address = settings.SITE_URL + link.get_absolute_url()
    assert f'readonly value="{address}"' in text
    whatsapp = re.search(r'href="https://wa.me/\?text=([^"]+)"', text)[1]
    assert "Nour" in whatsapp
    assert whatsapp.endswith(address.replace(":", "%3A").replace("/", "%2F"))


def test_the_lists():
    one, two = person(), person()
    assert "No open challenges" in as_(one).get("/challenges/").content.decode()
    got, link = offered(two, one), linked(one)
    for path in ("/challenges/", "/challenges/open/"):
        text = as_(one).get(path).content.decode()
        assert text.count("data-challenge=") == 2
        assert f"/challenges/{got.pk}/accept/" in text
        assert f"/challenges/{link.pk}/cancel/" in text
    htmx = {"HX-Request": "true", "HX-Target": "challenges"}
    part = as_(one).post(f"/challenges/{got.pk}/decline/", headers=htmx).content.decode()
    assert got.pk not in part
    assert link.pk in part
    late_one = as_(one).post(f"/challenges/{got.pk}/accept/", headers=htmx)
    assert late_one.status_code == 200
    assert "It has been declined." in late_one.content.decode()
    assert as_(None).get("/challenges/open/").status_code == 204
    assert as_(None).get("/challenges/").status_code == 302


def test_a_list_leads_to_a_table_that_waits_for_my_seed():
    one, two = person(), person()
    link = linked(one)
    match = taken(link, two)
    for player in (one, two):
        answer = as_(player).get("/challenges/open/", headers={"HX-Request": "true"})
        assert answer["HX-Redirect"] == f"/games/{match.pk}/"
    play.give_seed(match_id=match.pk, player=one, client_seed="x")
    assert "HX-Redirect" not in as_(one).get("/challenges/open/")


def test_lists_and_pages_ask_the_database_no_more_for_more(django_assert_max_num_queries):
    me = person()
    client = as_(me)

    def queries(path: str) -> int:
        with django_assert_max_num_queries(20) as seen:
            assert client.get(path).status_code == 200
        return len(seen)

    offered(person(), me), earlier(linked(me))
    few = queries("/challenges/")
    for _more in range(4):
        offered(person(), me), earlier(linked(me)), offered(me, person())
    assert queries("/challenges/") == few


# ------------------------------------------------------------------ the form

FIRST = {"whom": "person", "target": 101, "clock": "standard"}


def test_the_form_challenges_a_person_however_the_name_is_spelt():
    one, two = person(), person("Salma")
    text = as_(one).get("/challenges/new/?to=salma").content.decode()
    assert 'value="salma"' in text
    answer = as_(one).post("/challenges/new/", FIRST | {"to": " SALMA "})
    made = Challenge.objects.get()
    assert answer["Location"] == made.get_absolute_url()
    assert (made.challenger, made.opponent, made.target) == (one, two, 101)
    # Twice is once; and the other way round it is accepted.
    as_(one).post("/challenges/new/", FIRST | {"to": "Salma"})
    met = as_(two).post("/challenges/new/", FIRST | {"to": one.name})
    assert met["Location"] == f"/games/{Match.objects.get().pk}/"
    assert Challenge.objects.count() == 1


def test_the_form_makes_a_link():
    one = person()
    as_(one).post("/challenges/new/", {"whom": "link", "target": 151, "clock": "relaxed"})
    made = Challenge.objects.get()
    assert (made.opponent, made.target, made.clock) == (None, 151, "relaxed")


@pytest.mark.parametrize(
    "bad",
    [
        {"to": "nobody1"}, {"to": ""}, {"to": "a\x00b"}, {"to": "x" * 500},
        {"whom": "x"}, {"target": "102"}, {"target": "9" * 99}, {"target": "\x00"},
        {"clock": "none"}, {"clock": "\x00"}, {"whom": ""},
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_is_said_in_the_form(bad):
    person("Salma")
    answer = as_(person()).post("/challenges/new/", FIRST | {"to": "Salma"} | bad)
    assert answer.status_code == 422
    assert "error" in answer.content.decode()
    assert not Challenge.objects.exists()


@pytest.mark.parametrize("to", ["%00", "%FF", "%ED%A0%80", "x" * 500, "%3Cscript%3E", "nobody1"])
def test_a_name_in_the_address_breaks_nothing(to):
    answer = as_(person()).get(f"/challenges/new/?to={to}")
    assert answer.status_code == 200
    assert "<script>" not in answer.content.decode()


def test_who_does_not_want_to_is_said_in_the_form():
    person("Salma", challengers=Welcome.NOBODY)
    answer = as_(person()).post("/challenges/new/", FIRST | {"to": "Salma"})
    assert answer.status_code == 409
    assert "does not take challenges from you now" in answer.content.decode()


def test_a_house_player_offers_practice_instead():
    me, level = person(), Level.CASUAL
    name = house(level).name
    for answer in (
        as_(me).get(f"/challenges/new/?to={name}"),
        as_(me).post("/challenges/new/", FIRST | {"to": name}),
    ):
        text = answer.content.decode()
        assert f'name="level" value="{level}"' in text
        assert text.count("btn-primary") == 1


def test_the_preference_is_a_setting():
    one = person()
    assert 'name="challengers"' in as_(one).get("/settings/").content.decode()
    as_(one).post("/settings/", {"back": "star", "challengers": "nobody"})
    assert Player.objects.get(pk=one.pk).challengers == Welcome.NOBODY
    as_(one).post("/settings/", {"back": "star"})
    assert Player.objects.get(pk=one.pk).challengers == Welcome.NOBODY
    assert as_(one).post("/settings/", {"back": "star", "challengers": "x"}).status_code == 422


def test_a_profile_and_the_lobby_lead_to_the_form():
    one, two = person(), person("Salma")
    address = "/challenges/new/?to=salma"
    for reader in (one, None):
        assert f'href="{address}"' in as_(reader).get(two.get_absolute_url()).content.decode()
    for player in (two, house()):
        text = as_(two).get(player.get_absolute_url()).content.decode()
        assert "/challenges/new/?to=" not in text
    lobby = as_(one).get("/").content.decode()
    assert lobby.count('data-action="challenge"') == 1
