"""The puzzle of the day: how it is chosen, answered and counted."""

import random
from datetime import UTC, date, datetime, timedelta
from random import Random

import pytest
from django.db import IntegrityError
from django.test import Client

from basra_site.celery import app
from games import ai, solved
from games.ai.heuristic import options
from games.ai.search import Thought, Valued, think
from games.engine import (
    PACK,
    Deal,
    Malformed,
    Observation,
    Play,
    observe,
    parse_card,
    parse_cards,
)
from games.models import Kind, Match, Player, Puzzle, PuzzleAnswer, clock
from games.selectors import puzzles as selector
from games.services import play, puzzles, thinking
from games.services.errors import Refused
from games.tasks import choose_puzzles
from games.templatetags.puzzles import speaks_against, speaks_for
from tests.factories import dealt, person, play_on

pytestmark = pytest.mark.django_db
TODAY = date(2026, 5, 20)
NOON = datetime(2026, 5, 20, 12, tzinfo=UTC)


class Search:
    """Stands for the search: in every position the play that the house's ``regular`` would not
    make is best, by ``lead`` points."""

    def __init__(self) -> None:
        self.lead = 12.0
        self.asked: list[Observation] = []

    def __call__(self, seen: Observation, seed: int, iterations: int, least: int) -> Thought:
        self.asked.append(seen)
        plays = [option.play for option in options(seen)]
        easy = ai.choose("regular", seen, Random(seed))
        plays.sort(key=lambda play: (play.card is easy.card, str(play)))
        valued = [
            Valued(p, self.lead if p is plays[0] else -float(n), 9) for n, p in enumerate(plays)
        ]
        return Thought(plays[0], tuple(valued), 9)


@pytest.fixture
def search(monkeypatch) -> Search:
    stand_in = Search()
    monkeypatch.setattr(thinking, "think", stand_in)
    return stand_in


@pytest.fixture
def at(monkeypatch):
    """Sets the time."""

    def set_to(moment: datetime) -> None:
        monkeypatch.setattr(clock, "now", lambda: moment)

    return set_to


def over(players: list[Player] | None = None, plays: int = 100, kind: str = Kind.RANKED) -> Match:
    """A match that was played for a while, and resigned."""
    match = play_on(dealt(kind, players), plays, choose=lambda deal: random.choice(deal.legal()))
    play.resign(match_id=match.id, player=match.seats.select_related("player").first().player)
    return Match.objects.get(pk=match.pk)


def a_puzzle(day: date = TODAY, seed: int = 1) -> Puzzle:
    """A puzzle of the house, with the stand-in for the search."""
    return puzzles.choose(day, Random(f"{day}{seed}"))


# ------------------------------------------------------------------------------ choosing


def test_a_real_position_is_chosen_as_its_player_saw_it(search, at, monkeypatch):
    monkeypatch.setattr(puzzles, "FEW", 1)
    match = over()
    at(NOON)
    (puzzle,) = puzzles.choose_due(Random(1))
    assert (puzzle.day, puzzle.match) == (TODAY, match)
    dealt_row = match.deals.get(index=puzzle.deal)
    made = [
        Play(parse_card(row.card), parse_cards(row.captured))
        for row in match.plays.filter(deal=puzzle.deal).order_by("number")[: puzzle.place]
    ]
    deal = Deal.replay(map(parse_card, dealt_row.pack.split()), dealt_row.dealer, made)
    seen = observe(deal, deal.turn)
    position = selector.position_of(puzzle)
    assert set(position.hand) == seen.hand
    assert set(position.floor) == seen.floor
    assert puzzle.position == selector.drawn(seen)
    assert [row["play"] for row in puzzle.plays][0] == str(search(seen, 1, 1, 1).play)
    assert puzzle.plays[0]["points"] - puzzle.plays[1]["points"] >= puzzles.CLEARLY


def test_only_finished_ranked_matches_of_who_is_published(search, at, monkeypatch):
    monkeypatch.setattr(puzzles, "FEW", 1)
    play_on(dealt(), 60)
    over(kind=Kind.CHALLENGE)
    over([person(publishes=False), person()])
    Match.objects.filter(pk=over().pk).update(simulated=True)
    at(NOON)
    (puzzle,) = puzzles.choose_due(Random(1))
    assert puzzle.match is None
    assert list(puzzles._matches()) == []


def test_while_there_are_few_matches_the_house_plays_against_itself(search, at):
    over()
    at(NOON)
    (puzzle,) = puzzles.choose_due(Random(3))
    assert (puzzle.match, puzzle.deal, puzzle.place) == (None, None, None)
    position = selector.position_of(puzzle)
    assert len({*position.hand, *position.floor, *position.gone}) <= 52


def test_it_is_safe_to_run_twice_and_tomorrows_is_ready_before_midnight(search, at):
    at(NOON)
    assert len(puzzles.choose_due(Random(1))) == 1
    assert puzzles.choose_due(Random(2)) == []
    at(NOON + timedelta(hours=10, minutes=30))
    (late,) = puzzles.choose_due(Random(3))
    assert late.day == TODAY + timedelta(days=1)
    assert puzzles.choose_due(Random(4)) == []
    assert Puzzle.objects.count() == 2
    choose_puzzles()
    assert Puzzle.objects.count() == 2


def test_of_two_that_choose_at_once_one_is_kept(search, monkeypatch):
    first = a_puzzle()
    assert puzzles.choose(TODAY, Random(5)) is None
    assert list(Puzzle.objects.all()) == [first]


def test_never_two_days_the_same_position(search, monkeypatch):
    first = a_puzzle()
    assert puzzles.choose(TODAY + timedelta(days=1), Random(f"{TODAY}1")).key != first.key
    with pytest.raises(IntegrityError):
        Puzzle.objects.create(
            day=TODAY + timedelta(days=9), key=first.key, position={}, plays=[], chosen_at=NOON
        )


def test_a_match_gives_one_puzzle(search, at, monkeypatch):
    monkeypatch.setattr(puzzles, "FEW", 1)
    match = over()
    assert puzzles.choose(TODAY, Random(1)).match == match
    assert puzzles.choose(TODAY + timedelta(days=1), Random(1)).match is None


def test_no_puzzle_where_nothing_is_clearly_best(search, monkeypatch):
    monkeypatch.setattr(puzzles, "AT_MOST", 40)
    search.lead = 6.9
    assert puzzles.choose(TODAY, Random(1)) is None
    search.lead = 7.0
    assert puzzles.choose(TODAY, Random(1)) is not None


def test_a_search_that_does_not_answer_costs_one_position(monkeypatch):
    def no_answer(*_question):
        raise thinking.NoAnswer("too slow")

    monkeypatch.setattr(puzzles, "AT_MOST", 10)
    monkeypatch.setattr(thinking, "think", no_answer)
    assert puzzles.choose(TODAY, Random(1)) is None


def test_the_real_search_agrees_that_one_play_is_best(monkeypatch):
    """A puzzle by the search itself: what it keeps is what the search thinks of what was seen."""
    asked = []

    def here(seen: Observation, seed: int, iterations: int, least: int) -> Thought:
        thought = think(seen, Random(seed), iterations, least)
        asked.append((seen, thought))
        return thought

    monkeypatch.setattr(thinking, "think", here)
    monkeypatch.setattr(puzzles, "LOOKED_AT", 1)
    puzzle = puzzles.choose(TODAY, Random(1))
    seen, thought = next(pair for pair in asked if selector.key_of(pair[0]) == puzzle.key)
    assert puzzle.plays[0]["play"] == str(thought.play)
    assert puzzle.plays[0]["points"] >= puzzle.plays[1]["points"] + puzzles.CLEARLY - 0.1
    assert len(puzzle.plays) == len(options(seen))


def test_it_is_in_the_timetable():
    entry = app.conf.beat_schedule["choose-puzzles"]
    assert entry["task"] == choose_puzzles.name


# ------------------------------------------------------------------------------ answering


def form(puzzle: Puzzle, place: int) -> dict[str, str]:
    card, _colon, capture = puzzle.plays[place]["play"].partition(":")
    return {"card": card, "capture": capture}


def words(client: Client, puzzle: Puzzle) -> str:
    return client.get(puzzle.get_absolute_url()).content.decode()


def test_a_persons_first_answer_counts(search, at, client):
    at(NOON)
    puzzle, player = a_puzzle(), person()
    client.force_login(player)
    assert 'data-answered="no"' in words(client, puzzle)
    assert client.post(puzzle.get_absolute_url(), form(puzzle, 1)).status_code == 302
    assert client.post(puzzle.get_absolute_url(), form(puzzle, 1)).status_code == 302
    again = client.post(puzzle.get_absolute_url(), form(puzzle, 0))
    assert again.status_code == 409
    assert "the first answer counts" in again.content.decode()
    row = PuzzleAnswer.objects.get(puzzle=puzzle, player=player)
    assert (row.choice, row.is_solved, row.in_time) == (1, False, True)
    assert 'data-answered="missed"' in words(client, puzzle)


def test_a_card_of_another_suit_is_the_same_play(search, at):
    at(NOON)
    puzzle = Puzzle(
        plays=[
            {"play": "9d:4c,5c", "points": 9.0, "why": NOTHING},
            {"play": "Kd", "points": 0.0, "why": NOTHING},
        ],
        position={"hand": ["9c", "9d", "Kd"], "floor": ["4c", "5c", "5d"], **_empty()},
    )
    assert selector.choice_of(puzzle, "9c", "4c,5d") == 0
    assert selector.choice_of(puzzle, "9d", "4c,5c") == 0
    assert selector.choice_of(puzzle, "Kd", "") == 1
    for card, capture in (("9c", ""), ("9c", "5c"), ("Kc", ""), ("", ""), ("9c", "4c,4c")):
        with pytest.raises(Malformed):
            selector.choice_of(puzzle, card, capture)


def _empty() -> dict[str, object]:
    side = {"hand": 3, "pile": 0, "basras": 0}
    return {
        "gone": [], "under": [], "stock": 8, "batch": 5, "dealer": "me", "last": "none",
        "me": side, "opponent": side, "latest": "",
    }  # fmt: skip


def test_strangers_and_guests_answer_in_a_cookie(search, at, client):
    at(NOON)
    puzzle = a_puzzle()
    client.post("/games/practice/", {"level": "novice"})
    for somebody in (Client(), client):
        assert somebody.post(puzzle.get_absolute_url(), form(puzzle, 0)).status_code == 302
        assert somebody.cookies[solved.COOKIE].value == "2026-05-20.0"
        assert 'data-answered="solved"' in words(somebody, puzzle)
        assert somebody.post(puzzle.get_absolute_url(), form(puzzle, 1)).status_code == 409
        assert 'data-answered="solved"' in words(somebody, puzzle)
        assert "data-streak" not in words(somebody, puzzle)
    assert not PuzzleAnswer.objects.exists()
    client.post("/accounts/logout/")
    assert client.cookies[solved.COOKIE].value == ""


@pytest.mark.parametrize("text", ["x", "2026-05-20.99", "2026-05-20.-1", '"', "." * 99])
def test_a_cookie_that_means_nothing_breaks_nothing(text, search, at, client):
    at(NOON)
    puzzle = a_puzzle()
    client.cookies[solved.COOKIE] = text
    assert 'data-answered="no"' in words(client, puzzle)


@pytest.mark.parametrize(
    "posted",
    [
        {}, {"card": "\x00"}, {"card": "9h" * 999}, {"card": "Zz", "capture": "Ac"},
        {"card": "Ac", "capture": "\x00"}, {"capture": "Ac,Ac"},
    ],
)  # fmt: skip
def test_a_bad_answer_gets_a_sentence(posted, search, at, client):
    at(NOON)
    puzzle = a_puzzle()
    client.force_login(person())
    answer = client.post(puzzle.get_absolute_url(), posted)
    assert answer.status_code == 409
    assert "Choose one that is here" in answer.content.decode()
    assert not PuzzleAnswer.objects.exists()


def test_picking_a_card_shows_what_it_takes_and_writes_nothing(search, at, client):
    at(NOON)
    puzzle = a_puzzle()
    card, _colon, capture = puzzle.plays[0]["play"].partition(":")
    picked = client.get(puzzle.get_absolute_url(), {"card": card}, headers={"HX-Request": "true"})
    assert f'data-capture="{capture}"' in picked.content.decode()
    assert "<html" not in picked.content.decode()
    for nonsense in ("", "zz", "\x00", "x" * 999):
        page = client.get(puzzle.get_absolute_url(), {"card": nonsense})
        assert page.status_code == 200
        assert 'id="choices"' not in page.content.decode()


def test_addresses_that_are_none(search, at, client):
    at(NOON)
    a_puzzle(TODAY + timedelta(days=1))
    for day in ("2026-05-21", "2026-05-19", "2026-5-20", "20260520", "2026-W21-3", "x", "9" * 40):
        assert client.get(f"/puzzle/{day}/").status_code == 404
        assert client.post(f"/puzzle/{day}/", {"card": "Ac"}).status_code == 404
    assert "being chosen" in client.get("/puzzle/").content.decode()
    for before in ("x", "", "2026-05-20", "0001-01-01", "\x00"):
        assert client.get("/puzzle/archive/", {"before": before}).status_code == 200


def test_the_answer_tells_what_each_play_is_worth_and_leads_to_the_match(
    search, at, client, monkeypatch
):
    monkeypatch.setattr(puzzles, "FEW", 1)
    match = over()
    at(NOON)
    puzzle = a_puzzle()
    page = words(client, puzzle)
    assert match.id not in page
    for seat in match.seats.select_related("player"):
        assert seat.player.name not in page
    client.post(puzzle.get_absolute_url(), form(puzzle, 1))
    page = words(client, puzzle)
    where = f"/games/{match.id}/?deal={puzzle.deal}&amp;play={puzzle.place}#replay"
    assert where in page
    assert page.count("data-play=") == len(puzzle.plays)
    assert "+12.0" in page
    assert client.get(where.replace("&amp;", "&")).status_code == 200


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_pages_in_both_directions(language, search, at, client):
    at(NOON)
    puzzle = a_puzzle()
    client.cookies["language"] = language
    direction = f'dir="{"rtl" if language == "ar" else "ltr"}"'
    for answered in (False, True):
        for path in ("/puzzle/", puzzle.get_absolute_url(), "/puzzle/archive/", "/"):
            assert direction in client.get(path).content.decode()
        if not answered:
            client.post(puzzle.get_absolute_url(), form(puzzle, 0))


# ------------------------------------------------------------------------------ days and streaks


def test_it_turns_at_midnight_utc(search, at, client):
    first, second = a_puzzle(), a_puzzle(TODAY + timedelta(days=1))
    at(datetime(2026, 5, 20, 23, 59, 59, tzinfo=UTC))
    assert f'data-day="{first.day}"' in client.get("/puzzle/").content.decode()
    at(datetime(2026, 5, 21, 0, 0, 0, tzinfo=UTC))
    assert f'data-day="{second.day}"' in client.get("/puzzle/").content.decode()


def solve(client: Client, at, moment: datetime, day: date, place: int = 0) -> None:
    at(moment)
    puzzle = Puzzle.objects.get(day=day)
    client.post(puzzle.get_absolute_url(), form(puzzle, place))


def days(search, number: int) -> list[date]:
    found = [TODAY + timedelta(days=n) for n in range(number)]
    for day in found:
        a_puzzle(day)
    return found


def test_a_streak_grows_by_the_day_and_a_miss_ends_it(search, at, client):
    player = person()
    client.force_login(player)
    for n, day in enumerate(days(search, 4)):
        solve(client, at, NOON + timedelta(days=n), day, place=1 if n == 2 else 0)
        assert selector.streak(player).now == [1, 2, 0, 1][n]
    assert selector.streak(player) == selector.Streak(now=1, best=2, solved=3, answered=4)
    assert 'data-streak="1"' in client.get("/puzzle/archive/").content.decode()


@pytest.mark.parametrize("hours_from_utc", [3, -8, 14, -12])
def test_who_solves_one_each_day_by_their_own_clock_misses_none(hours_from_utc, search, at, client):
    """Half past eleven at night and half past midnight in turn, as the reader's clock has it: at
    each visit today's is solved, and yesterday's where it is still open."""
    player = person()
    client.force_login(player)
    all_days = days(search, 8)
    local = timedelta(hours=hours_from_utc)
    for n in range(1, 7):
        clock_says = timedelta(hours=23, minutes=30) if n % 2 else timedelta(minutes=30)
        moment = datetime(2026, 5, 20, tzinfo=UTC) + timedelta(days=n) + clock_says - local
        at(moment)
        text = client.get("/puzzle/").content.decode()
        if n > 1 and 'data-action="yesterday"' in text:
            solve(client, at, moment, moment.date() - timedelta(days=1))
        if moment.date() in all_days:
            solve(client, at, moment, moment.date())
    solved_days = PuzzleAnswer.objects.filter(player=player)
    assert all(row.in_time for row in solved_days)
    kept = selector.streak(player)
    assert kept.now == kept.solved == solved_days.count() >= 5


def test_an_old_puzzle_may_be_solved_but_does_not_mend_a_streak(search, at, client):
    player = person()
    client.force_login(player)
    first, second, third = days(search, 3)
    solve(client, at, NOON, first)
    solve(client, at, NOON + timedelta(days=2), third)
    assert selector.streak(player).now == 2  # the second still counts, and is open
    assert 'data-action="yesterday"' in client.get("/puzzle/").content.decode()
    solve(client, at, NOON + timedelta(days=3, minutes=1), second)
    assert selector.streak(player) == selector.Streak(now=1, best=1, solved=3, answered=3)


def test_a_day_without_a_puzzle_breaks_no_streak(search, at, client):
    player = person()
    client.force_login(player)
    for n in (0, 2):
        a_puzzle(TODAY + timedelta(days=n))
        solve(client, at, NOON + timedelta(days=n), TODAY + timedelta(days=n))
    assert selector.streak(player).now == 2


# ------------------------------------------------------------------------------ lists


def test_the_archive_goes_back_by_pages_that_cost_the_same(
    search, at, client, django_assert_max_num_queries
):
    at(NOON + timedelta(days=40))
    one = a_puzzle()
    player = person()
    client.force_login(player)
    PuzzleAnswer.objects.create(
        puzzle=one, player=player, choice=0, in_time=False, answered_at=NOON
    )
    Puzzle.objects.bulk_create(
        Puzzle(day=TODAY + timedelta(days=n), key=f"k{n}", position={}, plays=[], chosen_at=NOON)
        for n in range(1, 42)
    )
    with django_assert_max_num_queries(6):
        page = client.get("/puzzle/archive/").content.decode()
    assert page.count("/puzzle/2026-") == 30
    assert "/puzzle/2026-06-30/" not in page  # tomorrow's
    assert "?before=2026-05-31" in page
    older = client.get("/puzzle/archive/?before=2026-05-31").content.decode()
    assert "/puzzle/2026-05-20/" in older
    assert "tag-good" in older
    assert ">Older<" not in older


def test_the_lobby_says_whether_todays_is_solved(search, at, client):
    at(NOON)
    assert "Today’s is being chosen" in client.get("/").content.decode()
    puzzle = a_puzzle()
    client.force_login(person())
    assert "Solve it" in client.get("/").content.decode()
    client.post(puzzle.get_absolute_url(), form(puzzle, 0))
    assert "Look at it" in client.get("/").content.decode()


# ------------------------------------------------------------------------------ reasons


NOTHING = {"points": 0, "cards": 0, "basra_cards": 0, "clears": False, "keeps": []}


def told(play: str, stock: int = 8, **why: object) -> str:
    """All that the page says for and against a play."""
    row = {"play": play, "points": 1.0, "why": NOTHING | why}
    puzzle = Puzzle(plays=[row], position={"hand": ["6s"], "floor": [], **_empty(), "stock": stock})
    (worth,) = selector.worths(puzzle)
    said = speaks_for(selector.position_of(puzzle), worth) + speaks_against(worth)
    return " ".join(said)


def test_what_is_said_of_a_play():
    basra = told("6s:2c,4d", points=10, cards=3, keeps=["Jd"], clears=True)
    assert basra == "It makes a basra. It brings 3 cards. It keeps the jack for later."
    assert "a jack basra" in told("Js:Jd", points=30, cards=2)
    assert "It leaves nothing that a hidden card could take" in told("9d")
    laid = told("6s", basra_cards=4)
    assert "4 hidden cards would take for a basra" in laid
    assert "It leaves nothing" not in laid
    assert "It gives the komi away." in told("7d", keeps=["Jc"])
    assert "exactly the opponent’s hand" in told("6s", stock=0)


def test_no_card_stands_twice_in_a_position(search):
    pack = list(PACK)
    Random(4).shuffle(pack)
    deal = Deal.start(pack, 0)
    while not deal.over:
        kept = selector.drawn(observe(deal, deal.turn))
        named = [*kept["hand"], *kept["floor"], *kept["gone"]]
        assert len(named) == len(set(named))
        hidden = {str(c) for c in (*deal.hands[1 - deal.turn], *deal.stock)}
        assert not hidden & set(named)
        deal = deal.play(deal.legal()[0])


def test_a_second_answer_is_refused_by_the_service(search, at):
    at(NOON)
    puzzle, player = a_puzzle(), person()
    puzzles.answer(puzzle=puzzle, player=player, **form(puzzle, 0))
    with pytest.raises(Refused):
        puzzles.answer(puzzle=puzzle, player=player, **form(puzzle, 1))
