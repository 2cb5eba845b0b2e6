"""The review of a match: who may have it, how it is made, and what it says."""

import random
import re
from datetime import timedelta
from random import Random

import pytest

from basra_site.celery import app
from games.ai.greedy import worth
from games.ai.heuristic import options
from games.ai.search import Thought, Valued, think
from games.engine import Basra, observe
from games.models import Kind, Match, Review, ReviewState, Status, clock
from games.selectors.held import held_about
from games.selectors.reviews import Looked, accuracy, reviewable, summary_of, turns_of
from games.services import play, reviews, thinking
from games.tasks import make_review, resume_reviews
from tests.factories import deal_of, dealt, house, person, play_on
from tests.secrecy.test_match import swapped

pytestmark = pytest.mark.django_db


def stand_in(seen, _seed, *_how) -> Thought:
    """Stands for the search: what makes points and takes cards now is worth that."""
    plays = [option.play for option in options(seen)]
    valued = [Valued(made, float(sum(worth(seen.floor, made))), 1) for made in plays]
    valued.sort(key=lambda one: -one.value)
    return Thought(valued[0].play, tuple(valued), 1)


@pytest.fixture(autouse=True)
def asked(monkeypatch) -> list:
    """What the search was asked."""
    seen = []

    def noting(observation, *how):
        seen.append(observation)
        return stand_in(observation, *how)

    monkeypatch.setattr(thinking, "think", noting)
    return seen


def over(kind: str = Kind.RANKED, plays: int = 10_000, **how: object) -> tuple[Match, list]:
    """A match that is over, and its two players."""
    match = dealt(kind, **how)
    players = [seat.player for seat in match.seats.select_related("player")]
    match = play_on(match, plays, choose=lambda deal: random.choice(deal.legal()))
    if match.status == Status.PLAYING:
        match = play.resign(match_id=match.id, player=players[0])
    return match, players


def reviewed(match: Match, player: object) -> Review:
    review = reviews.ask(match_id=match.id, player=player)
    make_review(review.pk)
    review.refresh_from_db()
    return review


def path(match: Match) -> str:
    return f"/games/{match.id}/review/"


@pytest.mark.parametrize("kind", list(Kind))
def test_each_player_of_any_finished_match_has_one_of_their_own_plays(client, kind):
    match, players = over(kind)
    for seat, player in enumerate(players):
        if player.is_house:
            continue
        client.force_login(player)
        assert b'data-action="review"' in client.get(f"/games/{match.id}/").content
        assert b'data-state="none"' in client.get(path(match)).content
        assert client.post(path(match)).status_code == 302
        assert b"<progress" in client.get(path(match)).content
        review = Review.objects.get(match=match, seat=seat)
        make_review(review.pk)
        page = client.get(path(match)).content.decode()
        assert 'data-state="ready"' in page
        rows = match.plays.filter(seat=seat)
        assert page.count("<tr data-play=") == rows.count() == review.total
        assert f"?deal=1&amp;play={1 if rows[0].number == 1 else 2}#replay" in page


def test_a_screen_reader_hears_each_quarter_once_and_that_it_is_ready(client):
    match, players = over()
    client.force_login(players[0])
    review = reviews.ask(match_id=match.id, player=players[0])
    make_review(review.pk)
    review.refresh_from_db()
    kept, half = review.plays, review.total // 2
    assert 'id="review-said" role="status"' in client.get(path(match)).content.decode()

    def said(quarters: int) -> str:
        htmx = {"HX-Request": "true"}
        page = client.get(f"{path(match)}?said={quarters}", headers=htmx).content.decode()
        return re.sub(r'.*id="review-said"[^>]*>|</span>\s*$', "", page, flags=re.S)

    Review.objects.update(state=ReviewState.RUNNING, plays=kept[:half])
    assert said(1) == f"Looked at: {half} of {review.total}"
    assert "Looked at" not in said(2)
    Review.objects.update(state=ReviewState.READY, plays=kept)
    assert said(2) == "The review is ready."


def test_nobody_else_has_it_and_none_of_a_match_that_runs(client):
    match, players = over(plays=20)
    running = play_on(dealt(players=players), 20)
    chief = person(is_staff=True, is_superuser=True)
    for viewer in (None, person(), chief):
        if viewer:
            client.force_login(viewer)
        assert client.get(path(match)).status_code == 404
        assert client.post(path(match)).status_code == 404
    client.force_login(players[0])
    assert client.get(path(running)).status_code == 404
    assert client.post(path(running)).status_code == 404
    assert not Review.objects.exists()
    with pytest.raises(ValueError, match="not over"):
        list(turns_of(running, 0))


def test_it_sees_only_what_the_player_saw(asked):
    match, players = over(plays=30)
    reviewed(match, players[0])
    assert all(seen.seat == 0 for seen in asked)
    again = dealt(players=players)
    while again.turn != 0 or again.number < 4:
        again = play_on(again, 1)
    deal = deal_of(again)
    assert observe(swapped(deal, 0), 0) == observe(deal, 0)
    play_on(again, 1)
    play.resign(match_id=again.id, player=players[0])
    turn = [*turns_of(Match.objects.get(pk=again.pk), 0)][-1]
    assert turn.seen == observe(deal, 0)


def test_what_a_play_gave_up_is_against_the_best_and_a_better_capture_is_missed():
    match, players = over()
    summary = summary_of(reviewed(match, players[1]))
    turns = list(turns_of(match, 1))
    assert len(turns) == len(summary.plays)
    for turn, looked in zip(turns, summary.plays, strict=True):
        values = [sum(worth(turn.seen.floor, o.play)) for o in options(turn.seen)]
        mine = sum(worth(turn.seen.floor, turn.play))
        assert (looked.less, looked.between) == (max(values) - mine, max(values) - min(values))
        assert looked.score == turn.lead + max(values)
        makes_basra = any(
            worth(turn.seen.floor, o.play)[0] > worth(turn.seen.floor, turn.play)[0]
            for o in options(turn.seen)
        )
        assert bool(looked.basra) == makes_basra
    assert summary.basras or summary.captures
    assert [play.less for play in summary.turning] == sorted(
        (play.less for play in summary.turning), reverse=True
    )
    assert sum(deal.less for deal in summary.deals) == summary.less
    for turn in turns:
        if turn.deal == 1:
            before = match.plays.filter(number__lt=turn.number)
            made = [[Basra(p.kind).points for p in before if p.seat == seat] for seat in (0, 1)]
            assert turn.lead == sum(made[1]) - sum(made[0])
    assert summary.end == match.points_1 - match.points_0


def test_accuracy_is_the_share_of_what_lay_between():
    one = {"deal": 1, "place": 1, "score": 0.0}
    made = next(iter(turns_of(over(plays=4)[0], 0))).play
    plays = [
        Looked(**one, play=made, best=made, less=less, between=between)
        for less, between in ((0.0, 10.0), (5.0, 10.0), (0.0, 0.0))
    ]
    assert accuracy(tuple(plays)) == 75
    assert accuracy(tuple(plays[2:])) == 100


def test_asked_twice_it_is_made_once(client, asked, sent_tasks):
    match, players = over(plays=30)
    client.force_login(players[0])
    for _click in range(3):
        client.post(path(match))
    review = Review.objects.get()
    assert make_review.run(review.pk) is None
    looked_at = len(asked)
    make_review(review.pk)
    client.post(path(match))
    make_review(review.pk)
    assert len(asked) == looked_at == review.total
    assert Review.objects.count() == 1


def test_what_was_lost_with_its_worker_goes_on_where_it_was(monkeypatch, asked, sent_tasks):
    match, players = over()
    review = reviews.ask(match_id=match.id, player=players[0])

    class Killed(BaseException):
        """The process is gone: nothing is tidied up."""

    def dies(observation, *how):
        if len(asked) == 20:
            raise Killed
        asked.append(observation)
        return stand_in(observation, *how)

    monkeypatch.setattr(thinking, "think", dies)
    with pytest.raises(Killed):
        make_review(review.pk)
    review.refresh_from_db()
    assert (review.state, review.done) == (ReviewState.RUNNING, 18)
    resume_reviews()
    make_review(review.pk)
    assert len(asked) == 20  # somebody may still be at it
    late = clock.now() - timedelta(minutes=2)
    Review.objects.update(beat_at=late)
    sent_tasks.clear()
    resume_reviews()
    assert sent_tasks == [("games.tasks.make_review", [review.pk])]
    asked.clear()
    monkeypatch.setattr(thinking, "think", lambda *a: (asked.append(a[0]), stand_in(*a))[1])
    make_review(review.pk)
    review.refresh_from_db()
    assert review.state == ReviewState.READY
    assert len(asked) == review.total - 18
    assert [Looked.parse(kept).play for kept in review.plays] == [
        turn.play for turn in turns_of(match, 0)
    ]
    assert app.conf.beat_schedule["resume-reviews"]["task"] == "games.tasks.resume_reviews"


def test_thoughts_that_do_not_come_fail_it_and_it_can_be_asked_for_again(client, monkeypatch):
    match, players = over(plays=30)
    client.force_login(players[0])

    def nothing(*_question):
        raise thinking.NoAnswer("gone")

    monkeypatch.setattr(thinking, "think", nothing)
    review = reviewed(match, players[0])
    assert review.state == ReviewState.FAILED
    assert b"could not be finished" in client.get(path(match)).content
    monkeypatch.setattr(thinking, "think", stand_in)
    client.post(path(match))
    make_review(review.pk)
    assert b'data-state="ready"' in client.get(path(match)).content


def test_few_at_once_and_few_for_one_person(client, sent_tasks):
    players = [person(), person()]
    matches = [over(players=players, plays=8)[0] for _match in range(reviews.COMING + 1)]
    client.force_login(players[0])
    for match in matches:
        assert client.post(path(match)).status_code == 302
    assert Review.objects.count() == reviews.COMING
    assert b"ask again in a minute" in client.get(path(matches[-1])).content
    first, second, third = Review.objects.order_by("pk")
    Review.objects.filter(pk__in=[first.pk, second.pk]).update(state=ReviewState.RUNNING)
    assert not reviews.make(third.pk)
    Review.objects.filter(pk=first.pk).update(state=ReviewState.WAITING)
    sent_tasks.clear()
    assert reviews.make(third.pk)
    assert sent_tasks == [("games.tasks.make_review", [first.pk])]


def test_a_match_without_a_play_has_nothing_to_review(client):
    match, players = over(plays=0)
    client.force_login(players[0])
    client.post(path(match))
    assert b"nothing to review" in client.get(path(match)).content
    assert not Review.objects.exists()


def test_only_its_player_is_told_what_was_made_unasked(client):
    match, players = over(plays=8)
    review = reviews.prepare(match, 0)
    make_review(review.pk)
    client.force_login(players[0])
    assert b'data-state="none"' in client.get(path(match)).content
    client.post(path(match))
    assert b'data-state="ready"' in client.get(path(match)).content


def test_a_page_costs_the_same_however_long_the_match(client, django_assert_max_num_queries):
    counts = []
    for plays in (8, 10_000):
        match, players = over(plays=plays)
        reviewed(match, players[0])
        client.force_login(players[0])
        client.get(path(match))
        with django_assert_max_num_queries(20) as captured:
            client.get(path(match))
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_the_polled_part_is_the_part_alone(client):
    match, players = over(plays=8)
    client.force_login(players[0])
    client.post(path(match))
    part = client.get(path(match), headers={"HX-Request": "true"}).content.decode()
    assert part.strip().startswith('<div class="narrow stack" id="review"')
    assert "every 1s" in part


def test_the_work_of_a_deal_is_bounded(monkeypatch):
    """The real search. By the clock, 120,000 positions are about 0.8 s: docs/house-players.md."""
    nodes = []

    def counted(seen, seed, iterations, least, _limit):
        thought = think(seen, Random(seed), iterations, least)
        nodes.append(thought.nodes)
        return thought

    monkeypatch.setattr(thinking, "think", counted)
    match, players = over(plays=48)
    seat = reviewable(match.id, players[0])
    first = [turn for turn in turns_of(match, seat.seat) if turn.deal == 1]
    for turn in first:
        reviews.look_at(match.id, turn)
    assert len(nodes) == 24
    assert max(nodes) <= 4 * reviews.ITERATIONS
    assert sum(nodes) <= 200_000


def test_the_house_has_none():
    match, _players = over(Kind.PRACTICE, plays=8)
    with pytest.raises(Match.DoesNotExist):
        reviewable(match.id, person())
    assert reviewable(match.id, house()).seat == 1


def test_what_was_asked_for_is_in_the_file_of_all_that_is_held():
    match, players = over(plays=8)
    reviewed(match, players[0])
    make_review(reviews.prepare(match, 1).pk)
    (entry,) = dict(held_about(players[0]))["reviews"]
    assert (entry["match"], len(entry["plays"])) == (match.pk, 4)
    assert not list(dict(held_about(players[1]))["reviews"])
