"""A process among several at one ledger: it makes matches, ends them, annuls, or checks.

``python -m tests.ladder.scorer make PEOPLE MATCHES`` makes matches that only have to be ended;
``score PART PARTS`` ends its part of them; ``annul`` and ``check`` go on until a line comes in.
All say ``ready``, wait for a line, and in the end print how often they did it.
"""

import os
import random
import secrets
import select
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "basra_site.settings")
django.setup()

from games.models import Clock, Kind, Match, Player, Seat, Status, clock  # noqa: E402
from games.models.sealing import Sealed  # noqa: E402
from games.services import play  # noqa: E402
from games.services.errors import Refused  # noqa: E402
from ladder.models import ChangeKind, RatingChange  # noqa: E402
from ladder.services import recompute, restitution  # noqa: E402
from tests.factories import person  # noqa: E402


def make(people: str, matches: str) -> int:
    """Ranked matches between these people, dealt as far as ``resign`` asks."""
    everybody = [person(f"s{secrets.token_hex(7)}") for _ in range(int(people))]
    now, sealed = clock.now(), Sealed(secrets.token_bytes(32)).seal()
    rows = [
        Match(
            id=f"{number:012}", kind=Kind.RANKED, status=Status.PLAYING, clock=Clock.NONE,
            commitment=f"{number:064x}", commitment_number=number, sealed=sealed, created_at=now,
        )
        for number in range(int(matches))
    ]  # fmt: skip
    pairs = [random.sample(everybody, 2) for _match in rows]
    Match.objects.bulk_create(rows, batch_size=1000)
    Seat.objects.bulk_create(
        (
            Seat(match=match, seat=seat, player=player)
            for match, pair in zip(rows, pairs, strict=True)
            for seat, player in enumerate(pair)
        ),
        batch_size=1000,
    )
    return len(rows)


def score(part: str, parts: str) -> int:
    """End a part of the matches, in an order of its own: one seat of each resigns."""
    mine = list(Match.objects.values_list("pk", flat=True).order_by("pk")[int(part) :: int(parts)])
    random.shuffle(mine)
    players = Player.objects.in_bulk()
    for match_id in mine:
        loser = random.choice(Seat.objects.filter(match=match_id).values_list("player", flat=True))
        play.resign(match_id=match_id, player=players[loser])
    return len(mine)


def annul() -> int:
    """Annul, refund and reverse at random, until somebody says stop."""
    done = 0
    while not stopped(within=0.2):
        newest = RatingChange.objects.order_by("id").last()
        if newest is None:
            continue
        results = RatingChange.objects.filter(kind=ChangeKind.RESULT)
        row = results.filter(pk__gte=random.randint(1, newest.pk)).first() or newest
        try:
            if done % 2 or row.score:
                rows = restitution.annul(row.match)
            else:
                rows = [restitution.refund(row, 5)]
            if done % 3 == 0:
                restitution.reverse(random.choice(rows))
            done += 1
        except Refused:
            pass
    return done


def check() -> int:
    """Check the whole ledger until somebody says stop: it is never out of order."""
    done = 0
    while not done or not stopped(within=5):
        found = recompute.survey()
        if not found.clean:
            raise AssertionError([*found.ledger, *found.ratings.values()][:10])
        done += 1
    return done


def stopped(within: float) -> bool:
    return bool(select.select([sys.stdin], [], [], within)[0])


def main(act: str, *words: str) -> None:
    print("ready", flush=True)
    sys.stdin.readline()
    print({"make": make, "score": score, "annul": annul, "check": check}[act](*words), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
