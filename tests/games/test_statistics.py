"""The statistics of all packs: the arithmetic, the counting, and what the pages show of it."""

import csv
import io
import math
import random
import re
import threading
from xml.etree import ElementTree

import pytest
from django.core.management import call_command
from django.db import connection
from django.urls import reverse

from basra_site.celery import app
from games.engine import PACK, Deal, fair
from games.models import Kind, Match, MatchDeal, ShuffleStatistics, Status, Uncounted, clock
from games.selectors import statistics
from games.selectors.statistics import Figure, bands, chi_square_tail, distances, shuffle
from games.services import play
from games.services import statistics as counting
from games.tasks import count_shuffles
from tests.factories import a_match, dealt, person, play_on

PLACE = {card: place for place, card in enumerate(PACK)}
PLACE_OF = {str(card): place for place, card in enumerate(PACK)}


def table_of(packs) -> list[list[int]]:
    """The 52 × 52 counts of packs, as the definition has it."""
    counts = [[0] * 52 for _place in PACK]
    for pack in packs:
        for place, card in enumerate(pack):
            counts[place][PLACE[card]] += 1
    return counts


def fair_packs(number: int) -> list:
    """Packs by the site's own shuffle, the same in every run."""
    return [fair.pack(bytes(32), "AbCdEf123456", ("a", "b"), k + 1) for k in range(number)]


def resigned(kind: str = Kind.RANKED, plays: int = 0) -> Match:
    """A finished match, broken off in its first deal."""
    match = play_on(dealt(kind), plays)
    seat = match.seats.select_related("player").order_by("seat").first()
    play.resign(match_id=match.id, player=seat.player)
    return Match.objects.get(pk=match.pk)


def sums() -> ShuffleStatistics:
    return ShuffleStatistics.objects.get(pk=ShuffleStatistics.THE_ROW)


# ------------------------------------------------------------------------------ the arithmetic


def test_the_statistic_by_hand() -> None:
    # 3 × 3, 30 packs, E = 10: Σ(O−E)² = 4+1+1 + 1+1+4 + 1+4+1 = 18, so 2/3 · 18/10.
    table = [[12, 9, 9], [9, 9, 12], [9, 12, 9]]
    assert statistics.statistic(table) == pytest.approx(2 / 3 * (6 + 6 + 6) / 10)
    assert statistics.statistic([[0, 0], [0, 0]]) == 0


def test_one_pack_gives_what_a_fair_shuffle_is_expected_to_give() -> None:
    """Whatever the pack: 52 counts are 51/52 off, the others 1/52; that makes 51² = 2,601."""
    assert statistics.statistic(table_of(fair_packs(1))) == pytest.approx(2601)
    assert statistics.statistic(table_of(fair_packs(1) * 7)) == pytest.approx(7 * 2601)


def test_a_pack_turned_through_all_its_places_is_perfectly_even() -> None:
    turned = [PACK[at:] + PACK[:at] for at in range(52)]
    assert statistics.statistic(table_of(turned)) == 0


@pytest.mark.parametrize(
    ("value", "degrees", "tail"),
    [  # printed tables of χ²
        (2.705543, 1, 0.10), (3.841459, 1, 0.05), (6.634897, 1, 0.01), (18.307038, 10, 0.05),
        (124.342113, 100, 0.05), (77.929465, 100, 0.95), (149.449253, 100, 0.001),
    ],
)  # fmt: skip
def test_the_tail_against_printed_tables(value: float, degrees: int, tail: float) -> None:
    assert chi_square_tail(value, degrees) == pytest.approx(tail, rel=1e-5)


@pytest.mark.parametrize("value", [1.0, 9.5, 24.0, 2400.0, 2590.0, 2602.5, 2745.0, 2900.0])
@pytest.mark.parametrize("half", [1, 5, 1300])
def test_the_tail_against_the_sum_that_even_degrees_have(value: float, half: int) -> None:
    """With 2k degrees the tail is Σ e^-x x^i / i! for i below k, with x half the value."""
    x = value / 2
    terms = (math.exp(i * math.log(x) - x - math.lgamma(i + 1)) for i in range(half))
    assert chi_square_tail(value, 2 * half) == pytest.approx(math.fsum(terms), abs=1e-11)


@pytest.mark.parametrize("value", [0.1, 1.0, 4.0, 30.0])
def test_the_tail_of_one_degree(value: float) -> None:
    assert chi_square_tail(value, 1) == pytest.approx(math.erfc(math.sqrt(value / 2)), rel=1e-12)


def test_the_tail_at_its_ends() -> None:
    assert chi_square_tail(0, 2601) == 1
    assert chi_square_tail(1, 2601) == 1
    assert 0 <= chi_square_tail(1e6, 2601) < 1e-300
    near = [chi_square_tail(2601 + step / 10, 2601) for step in range(-60, 60)]
    assert near == sorted(near, reverse=True)
    assert near[60] == pytest.approx(0.4963, abs=1e-3)


def test_a_fair_shuffle_is_usual_and_a_famous_bad_one_is_found() -> None:
    good = table_of(fair_packs(1000))
    assert 0.01 < chi_square_tail(statistics.statistic(good), statistics.DEGREES) < 0.99
    drawn, bad = random.Random(1), []
    for _pack in range(1000):
        pack = list(PACK)
        for i in range(52):  # j out of all places: not every order is equally likely
            j = drawn.randrange(52)
            pack[i], pack[j] = pack[j], pack[i]
        bad.append(pack)
    assert chi_square_tail(statistics.statistic(table_of(bad)), statistics.DEGREES) < 1e-6


def test_bands_hold_every_count_once() -> None:
    found = bands([-9, -3, -2.5, -0.1, 0, 0.9, 1, 3, 8])
    assert [band.counts for band in found] == [1, 2, 0, 1, 2, 1, 0, 2]
    assert sum(band.expected for band in found) == pytest.approx(9)
    assert found[3].expected == pytest.approx(9 * 0.341345, rel=1e-5)
    off = 5 / math.sqrt(12.5)
    assert distances([[30, 20], [20, 30]]) == [
        pytest.approx([off, -off]),
        pytest.approx([-off, off]),
    ]


def test_what_is_usual_lies_around_what_is_expected() -> None:
    figure = Figure(60, 50, 5)
    assert (figure.low, figure.high, figure.distance) == (40, 60, 2)
    assert Figure(0, 0, 0).distance == 0


def test_the_dealers_share_against_the_engine() -> None:
    """What is worked out agrees with 20,000 deals set up by the engine."""
    drawn, pack, number = random.Random(7), list(PACK), 20_000
    jacks, squares, komi = 0, 0, 0
    for _deal in range(number):
        drawn.shuffle(pack)
        hands = counting._dealt(Deal.start(pack, 1))
        assert [len(hand) for hand in hands] == [24, 24]
        got = sum(card.rank == "J" for card in hands[1])
        jacks, squares, komi = jacks + got, squares + got * got, komi + ("7d" in map(str, hands[1]))
    expected = statistics.dealt_to_dealer()
    assert abs(jacks / number - expected.jacks) < 4 * math.sqrt(expected.jacks_variance / number)
    assert abs(komi / number - expected.komi) < 4 * math.sqrt(expected.komi_variance / number)
    assert squares / number - (jacks / number) ** 2 == pytest.approx(
        expected.jacks_variance, rel=0.03
    )
    assert 0.5 < expected.komi < 0.56


# ------------------------------------------------------------------------------ the counting


def test_a_whole_match_is_counted_as_it_was_played(db: None) -> None:
    match = play_on(dealt(target=51))
    assert counting.count_shuffles() == 1
    deals = list(match.deals.all())
    row = sums()
    assert (row.packs, row.deals, row.finished, row.aborted) == (len(deals), len(deals), 1, 0)
    packs = [[PACK[PLACE_OF[text]] for text in deal.pack.split()] for deal in deals]
    assert shuffle().counts == table_of(packs)
    played = list(match.plays.all())
    dealers = {deal.index: deal.dealer for deal in deals}
    for seat in (0, 1):
        jacks = [p for p in played if p.card[0] == "J" and p.seat == seat]
        assert getattr(row, f"jacks_{seat}") == len(jacks)
        komis = [p for p in played if p.card == "7d" and p.seat == seat]
        assert getattr(row, f"komi_{seat}") == len(komis)
        assert getattr(row, f"packs_{seat}") == list(dealers.values()).count(seat)
        assert getattr(row, f"first_dealer_{seat}") == (match.first_dealer == seat)
    by_dealer = [p.card for p in played if p.seat == dealers[p.deal]]
    assert row.jacks_dealer == sum(card[0] == "J" for card in by_dealer)
    assert row.komi_dealer == by_dealer.count("7d")
    assert row.ties == sum(deal.tally["cards"] == [26, 26] for deal in deals)
    assert row.as_of is not None


def test_ties_are_told_from_other_counts(db: None) -> None:
    match = resigned()
    deal = match.deals.get()
    for index, cards in ((2, [26, 26]), (3, [27, 25]), (4, [26, 26])):
        MatchDeal.objects.create(
            match=match, index=index, dealer=0, pack=deal.pack, points_0=0, points_1=0,
            tally={"cards": cards},
        )  # fmt: skip
    counting.count_shuffles()
    assert (sums().deals, sums().ties, sums().packs) == (3, 2, 4)


def test_the_broken_off_deal_of_a_finished_match_counts(db: None) -> None:
    match = resigned(Kind.PRACTICE, plays=3)
    counting.count_shuffles()
    row = sums()
    assert (row.packs, row.deals, row.finished) == (1, 0, 1)
    assert sum(row.counts) == 52
    assert row.jacks_0 + row.jacks_1 == 4
    assert row.komi_0 + row.komi_1 == 1
    pack = match.deals.get().pack.split()
    assert all(row.counts[52 * place + PLACE_OF[card]] for place, card in enumerate(pack))


def test_running_matches_are_never_counted(db: None) -> None:
    """Not even the pack of a deal that is counted, which is plain in the database already."""
    match = dealt(target=151)
    while match.deal == 1:
        match = play_on(match, 1)
    a_match()
    assert match.deals.get(index=1).pack
    Uncounted.objects.create(match=match)  # even if something put it there
    assert counting.count_shuffles() == 0
    row = sums()
    assert (row.packs, row.finished, sum(row.counts)) == (0, 0, 0)


def test_aborted_matches_stand_apart(db: None) -> None:
    match = a_match()
    play.abort(match_id=match.id, player=match.seats.first().player)
    assert counting.count_shuffles() == 1
    row = sums()
    assert (row.aborted, row.finished, row.packs) == (1, 0, 0)
    assert row.first_dealer_0 + row.first_dealer_1 == 0


def test_each_match_counts_once(db: None) -> None:
    for _match in range(3):
        resigned()
    count_shuffles()
    count_shuffles()
    assert (sums().finished, sums().packs) == (3, 3)
    resigned()
    count_shuffles()
    assert (sums().finished, sums().packs, sum(sums().counts)) == (4, 4, 4 * 52)
    assert not Uncounted.objects.exists()


def test_batches_make_no_difference(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "BATCH", 2)
    for _match in range(5):
        resigned()
    assert counting.count_shuffles() == 5
    assert sums().packs == 5


def test_a_match_that_was_committed_late_is_not_missed(db: None) -> None:
    late = resigned()
    Uncounted.objects.all().delete()
    resigned()
    counting.count_shuffles()
    # Its transaction began long before, and is seen only now.
    Match.objects.filter(pk=late.pk).update(finished_at="2020-01-01T00:00:00Z")
    Uncounted.objects.create(match=late)
    counting.count_shuffles()
    assert sums().packs == 2


def test_a_failure_counts_nothing(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    resigned()
    with monkeypatch.context() as broken:
        broken.setattr(counting, "_add", lambda *_arguments: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            counting.count_shuffles()
    assert Uncounted.objects.count() == 1
    assert counting.count_shuffles() == 1
    assert sums().packs == 1


def test_a_pack_that_is_none_stops_nothing(db: None, caplog: pytest.LogCaptureFixture) -> None:
    broken = resigned()
    MatchDeal.objects.filter(match=broken).update(pack="7d 7d")
    resigned()
    assert counting.count_shuffles() == 2
    assert (sums().packs, sums().finished) == (1, 2)
    assert broken.id in caplog.text


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_several_workers_at_once_count_each_match_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "BATCH", 3)
    for _match in range(10):
        resigned()
    line, failures, counted = threading.Barrier(4), [], []

    def work() -> None:
        try:
            line.wait()
            counted.append(counting.count_shuffles())
        except BaseException as failure:
            failures.append(failure)
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _worker in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []
    assert sum(counted) == 10
    assert (sums().finished, sums().packs, sum(sums().counts)) == (10, 10, 520)


def test_counting_again_gives_the_same(db: None, capsys: pytest.CaptureFixture) -> None:
    for _match in range(3):
        resigned()
    running = dealt()
    counting.count_shuffles()
    before = sums()
    resigned()
    call_command("count_shuffles")
    assert "1 matches counted" in capsys.readouterr().out
    whole = sums()
    ShuffleStatistics.objects.update(packs_0=99, counts=[5] * 52 * 52, ties=7)
    call_command("count_shuffles", "--again")
    again = sums()
    for name in [field.name for field in ShuffleStatistics._meta.fields if field.name != "as_of"]:
        assert getattr(again, name) == getattr(whole, name), name
    assert before.packs == 3
    assert Match.objects.get(pk=running.pk).status == Status.PLAYING


def test_it_is_in_the_timetable() -> None:
    assert app.conf.beat_schedule["count-shuffles"]["task"] == count_shuffles.name
    assert app.conf.beat_schedule["count-shuffles"]["schedule"] == 60


# ------------------------------------------------------------------------------ the pages


def put_in(packs: list) -> ShuffleStatistics:
    """The sums as if these packs had been counted, seats dealing in turn."""
    row = ShuffleStatistics(pk=1, as_of=clock.now(), counts=[0] * 52 * 52)
    for number, pack in enumerate(packs):
        deal = Deal.start(pack, number % 2)
        at = MatchDeal(dealer=number % 2, tally={"cards": [26, 26] if number % 10 == 0 else [1, 2]})
        counting._add_pack(row, at, pack, counting._dealt(deal))
    row.first_dealer_0, row.first_dealer_1 = len(packs) // 8, len(packs) // 8 + 1
    row.finished, row.aborted = len(packs) // 4, 3
    row.save()
    return row


def words(client, name: str = "games:fairness") -> str:
    text = client.get(reverse(name)).content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def test_nothing_is_claimed_of_few_packs(client, db: None) -> None:
    assert "Too few yet" in words(client)
    put_in(fair_packs(99))
    text = words(client)
    assert "Too few yet" in text
    assert "99 Packs" in text or "Packs 99" in text
    assert "in % of cases" not in text
    assert "of cases" not in text


def test_the_page_says_what_the_number_says(client, db: None) -> None:
    put_in(fair_packs(300))
    shown, text = shuffle(), words(client)
    assert shown.statistic == pytest.approx(statistics.statistic(table_of(fair_packs(300))))
    assert f"{shown.statistic:,.1f}" in text
    assert f"A fair shuffle gives a larger value in {shown.larger_percent:.1f}% of cases." in text
    assert "2,601 degrees of freedom" in text
    assert "usual value" in text
    assert f"As of {sums().as_of:%Y-%m-%d %H:%M} UTC" in re.sub(r" +", " ", text)
    assert "5.8 times" in text
    for figure in (*shown.jacks.values(), *shown.komi.values(), *shown.first_dealers.values()):
        assert f" {figure.seen:,} " in text
        assert f"{figure.low:,}–{figure.high:,}" in text
    assert shown.sums.jacks_0 + shown.sums.jacks_1 == 4 * 300
    assert shown.jacks["0"].expected + shown.jacks["1"].expected == pytest.approx(4 * 300)
    assert "Here it is 10.0%." in text
    assert "Too few yet" not in text


@pytest.mark.parametrize(
    ("packs", "said"),
    [
        (list(fair_packs(1)) * 100, "more uneven than chance"),
        ([PACK[at:] + PACK[:at] for at in range(52)] * 2, "more even than chance"),
    ],
)
def test_unusual_values_are_called_so(packs: list, said: str, client, db: None) -> None:
    put_in(packs)
    text = words(client)
    assert said in text
    assert "0.1% of cases" in text or "99.9% of cases" in text


def test_page_and_picture_obey_the_policy(client, db: None) -> None:
    put_in(fair_packs(150))
    page = client.get(reverse("games:fairness"))
    picture = client.get(reverse("games:positions-svg"))
    assert len(page.content) < 60_000
    assert len(picture.content) < 60_000
    for answer in (page, picture):
        assert "default-src 'self'" in answer["Content-Security-Policy"]
        assert not re.search(rb"<[^>]*\sstyle\s*=|<style|<script(?![^>]*src)", answer.content)
    ids = re.findall(r'\sid="([^"]+)"', page.content.decode())
    assert len(ids) == len(set(ids))
    assert reverse("games:positions-svg") in page.content.decode()
    assert reverse("games:positions-csv") in page.content.decode()


@pytest.mark.parametrize("number", [0, 1, 150])
@pytest.mark.parametrize("on", ["", "?on=dark", "?on=%00"])
def test_the_picture_is_one_and_marks_what_is_off(number: int, on: str, client, db: None) -> None:
    if number:
        put_in(fair_packs(number))
    answer = client.get(reverse("games:positions-svg") + on)
    assert answer["Content-Type"].startswith("image/svg+xml")
    root = ElementTree.fromstring(answer.content)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.findtext("{http://www.w3.org/2000/svg}title")
    marked = sum(path.get("d").count("z") for path in root.iter() if path.get("fill-opacity"))
    off = [value for row in shuffle().distances for value in row if not -1 <= value < 1]
    assert marked == len(off)
    assert re.search(r"\d,\d", "".join(path.get("d", "") for path in root.iter())) is None


def test_the_file_of_counts(client, db: None) -> None:
    packs = fair_packs(20)
    put_in(packs)
    answer = client.get(reverse("games:positions-csv"))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    head, *rows = csv.reader(io.StringIO(answer.content.decode()))
    assert head == ["place", *map(str, PACK)]
    assert [int(row[0]) for row in rows] == list(range(52))
    assert [[int(cell) for cell in row[1:]] for row in rows] == table_of(packs)


@pytest.mark.parametrize("name", ["games:positions-svg", "games:positions-csv"])
def test_pictures_and_files_are_only_read(name: str, client, db: None) -> None:
    client.force_login(person())
    assert client.post(reverse(name)).status_code == 405
    assert client.get(reverse(name)).status_code == 200


def test_sums_hold_whatever_the_language_writes_numbers_like(client, db: None, settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    put_in(fair_packs(150))
    for name in ("games:fairness", "games:positions-svg"):
        text = client.get(reverse(name), headers={"accept-language": "de"}).content.decode()
        for drawing in re.findall(r"<svg.*?</svg>", text, re.S):
            for value in re.findall(r'\b(?:x|y|width|height|d|transform)="([^"]*)"', drawing):
                assert "," not in value
