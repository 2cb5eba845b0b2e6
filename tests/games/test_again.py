"""Playing a match once more: offered, answered, rated or said not to be, and one match of it."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from games.models import (
    Answer,
    Block,
    Challenge,
    Clock,
    Kind,
    Level,
    Match,
    Notification,
    Online,
    Player,
    Status,
    Topic,
    Unrated,
    Welcome,
    clock,
)
from games.services import accounts, challenges, play
from games.services.errors import NotSeated, Refused
from ladder.models import Lapse, QueueEntry, RankedPause
from tests.factories import a_match, dealt, house, person

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true", "HX-Target": "again"}


def over(kind: str = Kind.RANKED, players: list[Player] | None = None, **how: object) -> Match:
    """A match that has been resigned."""
    match = dealt(kind, players, **how)
    return play.resign(match_id=match.pk, player=match.seats.get(seat=0).player)


def sides(match: Match) -> list[Player]:
    """Its two players, both with a page open."""
    players = [seat.player for seat in match.seats.select_related("player")]
    for player in players:
        Online.objects.update_or_create(
            player=player, defaults={"until": clock.now() + timedelta(minutes=1)}
        )
    return players


def asks(match: Match, player: Player, shown: str = "") -> Challenge:
    return challenges.offer_again(match_id=match.pk, player=player, shown=shown)


def as_(player: Player | None) -> Client:
    client = Client()
    if player is not None:
        client.force_login(player)
    return client


def part(match: Match, player: Player) -> str:
    """The offer as that player's page shows it; the same as in the whole page."""
    got = as_(player).get(f"/games/{match.pk}/again/", headers=HTMX)
    text = got.content.decode()
    whole = as_(player).get(f"/games/{match.pk}/").content.decode()
    answer = re.search(r'data-answer="(\w+)"', text)[0]
    assert answer in whole
    assert whole.count('data-action="rematch"') == text.count('data-action="rematch"')
    assert whole.count("btn-primary") <= 1
    return text


# ------------------------------------------------------------------ one match


@pytest.mark.parametrize("kind", [Kind.RANKED, Kind.CHALLENGE])
def test_both_ask_and_one_match_begins(kind):
    old = over(kind, target=101, clock_preset=Clock.STANDARD)
    one, two = sides(old)
    assert asks(old, one).is_open
    assert asks(old, one) == Challenge.objects.get()
    match = asks(old, two).match
    assert (match.kind, match.target, match.clock) == (kind, old.target, old.clock)
    assert {seat.player for seat in match.seats.select_related("player")} == {one, two}
    assert match.unrated == ("" if kind == Kind.RANKED else Unrated.CHALLENGE)
    # However often it is pressed, on either page, then and afterwards.
    play.abort(match_id=match.pk, player=one)
    for player in (one, two):
        assert asks(old, player).match == match
    assert Match.objects.count() == 2


def test_a_challenge_is_played_again_to_its_own_terms():
    old = over(Kind.CHALLENGE, target=51, clock_preset=Clock.RELAXED)
    one, two = sides(old)
    asks(old, one)
    match = asks(old, two).match
    assert (match.target, match.clock) == (51, Clock.RELAXED)


def test_who_accepts_by_the_challenge_gets_the_same_match():
    old = over()
    one, two = sides(old)
    offer = asks(old, one)
    match = challenges.accept(challenge_id=offer.pk, player=two)
    assert challenges.accept(challenge_id=offer.pk, player=one) == match
    assert asks(old, one).match == match


def test_a_ranked_rematch_leaves_the_queue_and_is_refused_in_another_match():
    old = over()
    one, two = sides(old)
    QueueEntry.objects.create(player=two, rating=1500, entered_at=clock.now())
    other = dealt(Kind.RANKED, [one, person()])
    with pytest.raises(Refused, match="in a match now"):
        asks(old, two)
    play.resign(match_id=other.pk, player=one)
    asks(old, one)
    assert asks(old, two).match
    assert not QueueEntry.objects.exists()


def test_an_open_challenge_gives_way_to_the_offer_to_play_again():
    old = over()
    one, two = sides(old)
    first = challenges.offer(challenger=one, opponent=two, target=51, clock_preset=Clock.FAST)
    asks(old, one)
    first.refresh_from_db()
    assert first.answer == Answer.CANCELLED


# ------------------------------------------------------------------ each state on both pages


def test_nothing_is_offered_yet():
    old = over()
    for player in sides(old):
        text = part(old, player)
        assert text.count('data-action="rematch"') == 1
        assert "Play again" in text
        assert "every 5s" in text


def test_offered():
    old = over()
    one, two = sides(old)
    asks(old, one)
    mine, theirs = part(old, one), part(old, two)
    assert "Waiting for" in mine
    assert 'data-action="cancel-rematch"' in mine
    assert 'data-action="rematch"' not in mine
    assert "wants to play again" in theirs
    assert theirs.count('data-action="rematch"') == theirs.count("decline-rematch") == 1
    assert Notification.objects.get().topic == Topic.REMATCH


def test_declined():
    old = over()
    one, two = sides(old)
    offer = asks(old, one)
    challenges.decline(challenge_id=offer.pk, player=two)
    mine, theirs = part(old, one), part(old, two)
    assert "does not want to play again" in mine
    assert 'data-action="rematch"' not in mine
    with pytest.raises(Refused, match="does not want"):
        asks(old, one)
    assert "You have declined" in theirs
    assert 'data-action="rematch"' in theirs  # and may think better of it
    assert asks(old, two).is_open


def test_taken_back():
    old = over()
    one, two = sides(old)
    offer = asks(old, one)
    challenges.cancel(challenge_id=offer.pk, player=one)
    for player, said in (
        (one, "You have withdrawn your offer"),
        (two, "has withdrawn the offer"),
    ):
        text = part(old, player)
        assert said in text
        assert text.count('data-action="rematch"') == 1
    with pytest.raises(Refused):
        challenges.accept(challenge_id=offer.pk, player=two)


@pytest.mark.parametrize("swept", [True, False])
def test_the_time_is_up(swept):
    old = over()
    one, two = sides(old)
    offer = asks(old, one)
    assert offer.expires_at - offer.made_at == timedelta(minutes=2)
    Challenge.objects.filter(pk=offer.pk).update(expires_at=clock.now())
    if swept:
        challenges.expire()
    for player, said in ((one, "has not answered in time"), (two, "to play again is over")):
        text = part(old, player)
        assert said in text
        assert text.count('data-action="rematch"') == 1
    assert asks(old, two).challenger == two  # an offer of their own, nothing is accepted
    assert Match.objects.count() == 1


def test_gone():
    old = over()
    one, two = sides(old)
    Online.objects.filter(player=two).delete()
    assert "has left the site" in part(old, one)
    assert "has left the site" not in part(old, two)
    asks(old, one)
    assert "has left the site" in part(old, one)
    Online.objects.filter(player=one).delete()
    assert "has left the site" in part(old, two)
    Player.objects.filter(pk=one.pk).update(shows_online=False)
    assert "has left the site" not in part(old, two)


def test_accepted():
    old = over()
    one, two = sides(old)
    asks(old, one)
    shown = re.search(r'hx-get="([^"]+)"', part(old, one))[1]
    match = asks(old, two).match
    page = as_(one)
    assert page.get(shown, headers=HTMX)["HX-Redirect"] == f"/games/{match.pk}/"
    # A page that came later says where, and leaves its reader in peace.
    whole = page.get(f"/games/{old.pk}/").content.decode()
    assert f'href="/games/{match.pk}/"' in whole
    address = re.search(r'hx-get="(/games/\w+/again/[^"]*)"', whole)[1]
    assert page.get(address, headers=HTMX).status_code == 204
    assert "every 5s" not in re.search(r'class="again-in".*?>', whole)[0]


def test_a_page_asks_for_as_long_as_something_may_change():
    old = over()
    one, _two = sides(old)
    Match.objects.filter(pk=old.pk).update(finished_at=clock.now() - timedelta(hours=1))
    assert "every 5s" not in part(old, one)
    asks(old, one)
    assert "every 5s" in part(old, one)


def test_who_watched_finds_the_next_match_if_everybody_may_look_at_it():
    for kind, found in ((Kind.RANKED, True), (Kind.CHALLENGE, False)):
        old = over(kind)
        one, two = sides(old)
        asks(old, one)
        match = asks(old, two).match
        for watcher in (None, person()):
            text = as_(watcher).get(f"/games/{old.pk}/").content.decode()
            assert (match.pk in text) == found
            assert 'data-action="rematch"' not in text
            assert as_(watcher).get(f"/games/{old.pk}/again/", headers=HTMX).status_code == 404


# ------------------------------------------------------------------ rated or not


def three_times(one: Player, two: Player) -> Match:
    for _time in range(3):
        old = over(Kind.RANKED, [one, two])
    return old


def test_a_fourth_within_a_day_is_said_not_to_be_rated_before_it_is_taken():
    one, two = person(), person()
    old = three_times(one, two)
    sides(old)
    said = "three ranked matches within 24 hours"
    for player in (one, two):
        text = part(old, player)
        assert said in text
        assert f'name="shown" value="{Unrated.SAME_PAIR}"' in text
    with pytest.raises(challenges.Changed):
        asks(old, one)  # a page that had not said so
    asks(old, one, Unrated.SAME_PAIR)
    assert said in part(old, one)
    assert said in part(old, two)
    match = asks(old, two, Unrated.SAME_PAIR).match
    assert match.unrated == Unrated.SAME_PAIR
    for player in (one, two, None):
        text = as_(player).get(f"/games/{match.pk}/").content.decode()
        assert "This match is not rated: " in text
    play.abort(match_id=match.pk, player=one)


def test_what_changes_between_offer_and_answer_is_asked_once_more():
    old = over()
    one, two = sides(old)
    offer = asks(old, one)
    for _more in range(2):
        over(Kind.RANKED, [one, two])
    post = {"shown": ""}
    for path in (f"/games/{old.pk}/again/", f"/challenges/{offer.pk}/accept/"):
        answer = as_(two).post(path, post, headers=HTMX)
        text = answer.content.decode()
        assert answer.status_code == 200
        assert "has changed" in text
        assert "three ranked matches" in text
        assert f'name="shown" value="{Unrated.SAME_PAIR}"' in text
    assert Challenge.objects.get().is_open
    assert as_(two).post(f"/games/{old.pk}/again/", {"shown": Unrated.SAME_PAIR}).status_code == 302
    assert Match.objects.order_by("-created_at").first().unrated == Unrated.SAME_PAIR


def test_what_was_to_be_unrated_and_would_be_rated_is_asked_once_more_too():
    one, two = person(), person()
    old = three_times(one, two)
    sides(old)
    asks(old, one, Unrated.SAME_PAIR)
    Match.objects.exclude(pk=old.pk).update(created_at=clock.now() - timedelta(hours=25))
    with pytest.raises(challenges.Changed):
        asks(old, two, Unrated.SAME_PAIR)
    assert asks(old, two).match.unrated == ""


def test_why_a_match_was_not_rated_stands_below_it():
    def said(match: Match, player: Player | None) -> bool:
        return "Not rated: " in as_(player).get(f"/games/{match.pk}/").content.decode()

    challenge, ranked, practice = over(Kind.CHALLENGE), over(), over(Kind.PRACTICE)
    for match, expected in ((challenge, True), (ranked, False), (practice, False)):
        assert said(match, match.seats.get(seat=0).player) == expected
    assert said(challenge, None)
    playing = dealt(Kind.CHALLENGE)
    assert said(playing, playing.seats.get(seat=0).player)


def test_who_is_paused_is_told_and_the_other_is_not_told_why():
    old = over()
    one, two = sides(old)
    now = clock.now()
    lapse = Lapse.objects.create(player=one, match=old, what="left", at=now)
    RankedPause.objects.create(
        player=one, lapse=lapse, nth=1, began_at=now, until=now + timedelta(hours=1)
    )
    with pytest.raises(Refused, match="from you now"):
        asks(old, two)
    with pytest.raises(Refused, match="paused|left"):
        asks(old, one)


# ------------------------------------------------------------------ who may


def test_only_the_two_of_it_and_only_when_it_is_over():
    old = over()
    one, two = sides(old)
    stranger = person()
    with pytest.raises(NotSeated):
        asks(old, stranger)
    answer = as_(stranger).post(f"/games/{old.pk}/again/")
    assert answer.status_code == 302
    assert as_(stranger).post(f"/games/{old.pk}/again/", headers=HTMX).status_code == 404
    running = dealt()
    with pytest.raises(Refused, match="not over yet"):
        asks(running, running.seats.get(seat=0).player)
    practice = over(Kind.PRACTICE)
    with pytest.raises(Match.DoesNotExist):
        asks(practice, stranger)
    assert as_(stranger).post(f"/games/{practice.pk}/again/").status_code == 404
    with pytest.raises(Refused):
        asks(practice, practice.seats.get(seat=0).player)
    offer = asks(old, one)
    for act in ("", "accept/", "decline/", "cancel/"):
        ask = as_(stranger).post if act else as_(stranger).get
        assert ask(f"/challenges/{offer.pk}/{act}").status_code == 404
    assert Challenge.objects.get().is_open
    assert two


def test_a_block_bars_it_without_saying_so():
    old = over()
    one, two = sides(old)
    Block.objects.create(player=two, other=one)
    assert "lock" not in part(old, one)
    for player in (one, two):
        with pytest.raises(Refused, match="from you now"):
            asks(old, player)


def test_who_takes_no_challenges_may_be_asked_by_who_has_just_played():
    old = over()
    one, two = sides(old)
    Player.objects.filter(pk=two.pk).update(challengers=Welcome.NOBODY)
    assert asks(old, one).is_open


def test_a_closed_account_is_not_asked():
    old = over()
    one, two = sides(old)
    accounts.close_account(two)
    assert 'data-action="rematch"' not in as_(one).get(f"/games/{old.pk}/").content.decode()
    with pytest.raises(Refused):
        asks(old, one)


def test_a_ranked_match_that_was_not_played_waits_in_the_queue_instead():
    left = a_match()
    one, two = sides(left)
    play.abort(match_id=left.pk, player=one)
    for player, asks_anew in ((one, 1), (two, 0)):  # who did not leave has kept the place
        text = as_(player).get(f"/games/{left.pk}/").content.decode()
        assert 'data-action="rematch"' not in text
        assert text.count('data-action="ranked"') == asks_anew
    with pytest.raises(Refused):
        asks(left, one)
    friendly = a_match(Kind.CHALLENGE)
    one, two = sides(friendly)
    play.abort(match_id=friendly.pk, player=one)
    assert asks(friendly, two).is_open


def test_practice_is_played_again_at_once():
    match = dealt(Kind.PRACTICE, [person(), house(Level.CASUAL)])
    me = match.seats.get(seat=0).player
    play.resign(match_id=match.pk, player=me)
    text = as_(me).get(f"/games/{match.pk}/").content.decode()
    assert text.count('data-action="rematch"') == 1
    form = re.search(r'<form[^>]*action="/games/practice/".*?</form>', text, re.S)[0]
    assert f'name="level" value="{Level.CASUAL}" data-action="rematch"' in form
    as_(me).post("/games/practice/", {"level": Level.CASUAL})
    assert Match.objects.filter(status=Status.STARTING).count() == 1


# ------------------------------------------------------------------ by plain forms


def test_all_of_it_by_plain_forms():
    old = over()
    one, two = sides(old)
    path = f"/games/{old.pk}/again/"
    for player, address in ((one, path), (two, None)):
        if address is None:
            offer = Challenge.objects.get()
            address = f"/challenges/{offer.pk}/decline/"
        assert as_(player).post(address)["Location"] == f"/games/{old.pk}/#again"
    refused = as_(one)
    answer = refused.post(path, follow=True)
    assert "does not want to play again now" in answer.content.decode()
    assert as_(two).post(path)["Location"] == f"/games/{old.pk}/#again"
    offer = Challenge.objects.get(answer=Answer.OPEN)
    assert as_(one).get(offer.get_absolute_url())["Location"] == f"/games/{old.pk}/"
    taken = as_(one).post(path)
    assert taken["Location"] == f"/games/{Match.objects.get(status=Status.STARTING).pk}/"
    assert as_(None).post(path)["Location"] == f"/games/{old.pk}/#again"


def test_the_page_costs_the_same_however_often_was_offered(django_assert_max_num_queries):
    old = over()
    one, two = sides(old)
    client = as_(one)

    def queries() -> int:
        with django_assert_max_num_queries(40) as seen:
            assert client.get(f"/games/{old.pk}/").status_code == 200
        return len(seen)

    asks(old, one)
    few = queries()
    for _time in range(3):
        offer = Challenge.objects.get(answer=Answer.OPEN)
        challenges.cancel(challenge_id=offer.pk, player=offer.challenger)
        asks(old, one)
    assert queries() == few
