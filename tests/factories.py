"""People and matches for the tests, made through the doors that the site uses."""

import random
from collections.abc import Callable

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group

from games.engine import Deal, Play, write_cards
from games.models import Kind, Level, Match, Player, PlayerKind, Status
from games.models.sealing import unseal
from games.services import play

UNLIKE = "abdefghkpqstuxyz"  # letters of which no two names look alike by accident


def person(name: str = "", **extra: object) -> Player:
    """A person who cannot log in by password; ``client.force_login`` does."""
    made_up = "".join(random.choices(UNLIKE, k=10))
    return Player.objects.create_user(name or made_up, **extra)


def house(level: str = Level.REGULAR) -> Player:
    """The house player of a level."""
    return Player.objects.get(kind=PlayerKind.HOUSE, level=level)


def a_match(kind: str = Kind.RANKED, players: list[Player] | None = None, **how: object) -> Match:
    """A match that waits for its seeds."""
    opponents = [person(), house() if kind == Kind.PRACTICE else person()]
    return play.start(kind=Kind(kind), players=players or opponents, **how)


def dealt(kind: str = Kind.RANKED, players: list[Player] | None = None, **how: object) -> Match:
    """A match whose first deal has been dealt."""
    match = a_match(kind, players, **how)
    for seat in match.seats.select_related("player"):
        if not seat.client_seed:
            play.give_seed(
                match_id=match.id, player=seat.player, client_seed=f"{random.getrandbits(64):x}"
            )
    return Match.objects.get(pk=match.pk)


def deal_of(match: Match) -> Deal:
    """The running deal, hidden cards too: for tests alone."""
    return unseal(Match.objects.get(pk=match.pk).sealed).deal


def first_legal(deal: Deal) -> Play:
    """The first play that the rules allow."""
    return deal.legal()[0]


def play_on(
    match: Match,
    plays: int = 10_000,
    choose: Callable[[Deal], Play] = first_legal,
    each: Callable[[Match], None] = lambda match: None,
) -> Match:
    """Make up to ``plays`` plays of both seats, or until the match is over."""
    players = [seat.player for seat in match.seats.select_related("player")]
    match = Match.objects.get(pk=match.pk)
    for _play in range(plays):
        if match.status != Status.PLAYING:
            break
        deal = unseal(match.sealed).deal
        chosen = choose(deal)
        match = play.play_card(
            match_id=match.id,
            player=players[deal.turn],
            number=match.number,
            card=str(chosen.card),
            capture=write_cards(chosen.capture),
        )
        each(match)
    return match


def staff(role: str, name: str = "", **extra: object) -> Player:
    """Somebody on the staff, with a second factor."""
    member = person(name, is_staff=True, **extra)
    member.groups.add(Group.objects.get(name=role))
    Authenticator.objects.create(user=member, type=Authenticator.Type.TOTP, data={})
    return member
