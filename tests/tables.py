"""Tables in a given state, for what is looked at in a browser: the pack is made up, the plays are
real ones through the door that the site uses."""

import itertools
import random
from dataclasses import replace

from django.test import Client

from games.engine import PACK, Deal, Play, parse_card, write_cards
from games.models import Kind, Match, Player, Status, Utterance, clock
from games.models.sealing import unseal
from games.services import play
from ladder.models import Finding, FindingKind, Measure, Rating, Reason, Role
from ladder.services import appeals, board, cases, reports, sanctions
from tests.factories import UNLIKE, a_match, dealt, house, person, play_on, staff

# Four kings lie, and each card laid is lower than all that lie there: nothing can be taken.
FULL = ("Kc Kd Kh Ks", "Qc 9c 7c 5c 3c Ac Jc Qd", "Tc 8c 6c 4c 2c Ts 7d As")
FULL_PLAYS = "Qc Tc 9c 8c 7c 6c 5c 4c 3c 2c Ac"
# A six takes the ace with the five, or the ace with the two and the three.
CHOICE = ("As 5d 2h 3c", "6s Kc 7d Qd", "Jd Kd Qs 9h")
# The leader takes all four, the dealer lays a seven, and the leader takes that one too.
BASRA = ("2c 3c 4c Ad", "Td 7h Qd 6s", "7s Kd Qs 9h")
LONG = "Wilhelmina_"  # and nine letters more: as long as a name can be
NAMES = [
    "Nour", "Salma", "Hassan", "Karim", "Layla", "Omar",
    "Mona", "Tarek", "Yasmin", "Ziad", "Farida", "Adham",
]  # fmt: skip


def session(player: Player) -> str:
    """The key of a session in which ``player`` is logged in."""
    client = Client()
    client.force_login(player)
    return client.cookies["sessionid"].value


def pack_of(opening: str, leads: str, deals: str) -> list[str]:
    """A pack with that floor, whose leader and dealer hold those cards, in batches of four."""
    floor, first, second = opening.split(), leads.split(), deals.split()
    used = {*floor, *first, *second}
    pack = first[:4] + second[:4] + floor
    for at in range(4, len(first), 4):
        pack += first[at : at + 4] + second[at : at + 4]
    return pack + [str(card) for card in PACK if str(card) not in used]


def arranged(pack: list[str], plays: str = "", **how: object) -> Match:
    """A match whose first deal is of ``pack``, after ``plays``: cards, each taking what it can."""
    match = dealt(**how)
    sealed = unseal(match.sealed)
    deal = Deal.start([parse_card(card) for card in pack], match.first_dealer)
    Match.objects.filter(pk=match.pk).update(sealed=replace(sealed, deal=deal).seal())
    for card in plays.split():
        seat = match.seats.select_related("player").get(seat=deal.turn)
        made: Play = next(legal for legal in deal.legal() if str(legal.card) == card)
        match = play.play_card(
            match_id=match.id, player=seat.player, number=match.number,
            card=card, capture=write_cards(made.capture),
        )  # fmt: skip
        deal = deal.play(made)
    return Match.objects.get(pk=match.pk)


def seen_by_the_mover(match: Match) -> list[str]:
    """The match's id, and the session of whoever's turn it is."""
    return [match.id, session(match.seats.select_related("player").get(seat=match.turn).player)]


def two(**who: object) -> list[Player]:
    """Two people, one with the longest name."""
    long = LONG + "".join(random.choices(UNLIKE, k=9))
    return [person(long, **who), person(**who)]


def full_floor(**who: object) -> list[str]:
    """The largest floor that there can be: 15 cards, and three in the hand."""
    return seen_by_the_mover(arranged(pack_of(*FULL), FULL_PLAYS, players=two(**who)))


def full_practice(**who: object) -> list[str]:
    """The same in practice: there can be a hint."""
    return practised(pack_of(*FULL), FULL_PLAYS, **who)


def practised(pack: list[str], plays: str = "", **who: object) -> list[str]:
    """A practice match like ``arranged``, at the person's turn."""
    players = [person(**who), house()]
    match = None
    while match is None or match.turn != 0:
        match = arranged(pack, plays, kind=Kind.PRACTICE, players=players)
    return [match.id, session(players[0])]


def choice(**who: object) -> list[str]:
    """A hand whose six takes in two ways."""
    return seen_by_the_mover(arranged(pack_of(*CHOICE), players=two(**who)))


def choice_practice(**who: object) -> list[str]:
    """The same in practice."""
    return practised(pack_of(*CHOICE), **who)


def basra(**who: object) -> list[str]:
    """Both piles begun, a basra made and lying crosswise."""
    plays = "Td 7s 7h Kd"
    return seen_by_the_mover(arranged(pack_of(*BASRA), plays, players=two(**who)))


def counted(**who: object) -> list[str]:
    """A deal has just been counted. One in many decides the match: then another one."""
    match = dealt(Kind.RANKED, two(**who))
    while match.deal == 1:
        is_over = match.status == Status.FINISHED
        match = dealt(Kind.RANKED, two(**who)) if is_over else play_on(match, 1)
    return seen_by_the_mover(match)


def starting(**who: object) -> list[str]:
    """No seed has been given yet, and this player types it."""
    match = a_match(Kind.RANKED, two(chooses_seed=True, **who))
    return [match.id, session(match.seats.get(seat=0).player)]


def finished(**who: object) -> list[str]:
    """A match is over."""
    match = play_on(dealt(Kind.RANKED, two(**who), target=101))
    return [match.id, session(match.seats.get(seat=match.winner).player)]


def aborted(**who: object) -> list[str]:
    """A match that was left before its deal."""
    match = a_match(Kind.RANKED, two(**who))
    left, stayed = match.seats.select_related("player").order_by("seat")
    play.abort(match_id=match.id, player=left.player)
    return [match.id, session(stayed.player)]


def watched(**who: object) -> list[str]:
    """A running match, and the session of somebody who only watches."""
    match = arranged(pack_of(*BASRA), "Td 7s 7h Kd", players=two())
    return [match.id, session(person(**who))]


def practising(**who: object) -> list[str]:
    """A practice match, whose player is to move."""
    me = person(**who)
    match = dealt(Kind.PRACTICE, [me, house()])
    if match.turn != match.seats.get(player=me).seat:
        play.house_turn(match_id=match.id, number=match.number)
    return [match.id, session(me)]


def last_play(**who: object) -> list[str]:
    """The last play of a deal is to be made."""
    match = play_on(dealt(Kind.RANKED, two(**who)), 47)
    return seen_by_the_mover(match)


def a_ladder(players: int = 12) -> list[str]:
    """Players who have all met, most of them in matches that were given up soon; one of them."""
    people = [person(name) for name in NAMES[:players]]
    for one, other in itertools.combinations(people, 2):
        match = play_on(dealt(Kind.RANKED, [one, other]), random.randrange(8))
        play.resign(match_id=match.id, player=random.choice([one, other, other]))
    for other in people[1:4]:
        play_on(dealt(Kind.RANKED, [people[0], other]))
    dealt(Kind.RANKED, people[5:7])
    return [people[0].get_absolute_url(), session(people[0])]


def a_case() -> list[str]:
    """A case with a report, a finding, a note and a sanction, and an appeal that waits: its number,
    the suspect's and the appeal's; the session of a senior, and that of the suspect."""
    insulted, suspect, boss, other = person(), person(), staff(Role.SENIOR), staff(Role.SENIOR)
    match = play_on(dealt(players=[insulted, suspect]), 3)
    said = {"match": match, "player": suspect, "said_at": clock.now()}
    line = Utterance.objects.create(text="You dog", **said)
    report = reports.report(
        insulted, suspect, Reason.INSULTS, "He calls me names.", match=match, utterance=line
    )
    case = cases.claim(report.case, boss)
    cases.note(case, boss, "The third time this month.")
    finding = Finding.objects.create(
        kind=FindingKind.SHORT, key=f"shown {suspect.pk}", severity=2,
        evidence={"matches": 6, "plays": 31}, found_at=clock.now(), renewed_at=clock.now(),
    )  # fmt: skip
    finding.players.add(suspect)
    mute = sanctions.impose(other, suspect, Measure.MUTE, reason=Reason.INSULTS, days=7)
    appeal = appeals.appeal(mute, suspect, "It was my brother.")
    return [
        str(case.pk), str(suspect.pk), str(appeal.pk), session(boss), session(suspect),
    ]  # fmt: skip


def a_board(above: int = 60) -> list[str]:
    """A board on whose second page somebody stands, who has met the first of it: the session of
    that one, the name, and that of the first."""
    me, best = person("Wilhelmina_Nour"), person("Salma_the_best")
    for number in range(10):
        sides = [me, best] if number % 3 else [best, me]
        play.resign(match_id=dealt(Kind.RANKED, sides).id, player=me if number < 8 else best)
    play_on(dealt(Kind.RANKED, [me, best], target=51))
    met = {"matches": 40, "won": 22, "lost": 18, "opponents": 12, "last_at": clock.now()}
    others = [person() for _number in range(above)]
    Rating.objects.bulk_create(
        Rating(player=player, rating=1700 + number, listed=True, **met)
        for number, player in enumerate(others)
    )
    Rating.objects.filter(player=best).update(rating=2000, listed=True, **met)
    Rating.objects.filter(player=me).update(listed=True, opponents=12)
    board.refresh()
    return [session(me), me.name, best.name]
