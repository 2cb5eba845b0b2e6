"""What moderators do and what players read of it, in the pseudo-language and in Arabic."""

from games.services import play
from ladder.models import Measure, Reason, Role
from ladder.services import annulments, appeals, sanctions
from tests.factories import dealt, person, staff
from tests.i18n.test_walk import Walker, nothing, somebody, walker
from tests.ladder.conftest import beats

__all__ = ["beats", "walker"]


def test_the_player_reads(walker: Walker) -> None:
    boss, other = staff(Role.SENIOR), staff(Role.SENIOR)
    for measure in Measure:
        player = somebody(language=walker.language)
        match = dealt(players=[player, person()])
        made = sanctions.impose(boss, player, measure, reason=Reason.OTHER, days=3)
        walker.as_(player).get("/sanctions/")
        walker.post(f"/sanctions/{made.pk}/appeal/", 409, text="")
        walker.get(match.get_absolute_url(), 200)
        sanctions.acknowledge(made, player)
        walker.get(match.get_absolute_url(), 200)
        play.resign(match_id=match.id, player=player)
        appeal = appeals.appeal(made, player, "xx")
        walker.get("/sanctions/")
        walker.post(f"/sanctions/{made.pk}/appeal/", 409, text="none")
        if measure == Measure.RENAME:
            walker.get("/accounts/name/")
        appeals.decide(appeal, other, measure == Measure.MUTE, "")
        walker.get("/sanctions/")
    walker.as_(somebody()).get("/sanctions/")
    nothing(walker)


def test_refusals_and_notices(walker: Walker, beats) -> None:
    boss, player, victim = staff(Role.SENIOR), somebody(), somebody()
    match = beats(player, victim)
    annulments.annul(boss, match, "")
    walker.as_(boss).get(f"/moderation/matches/{match.id}/annul/")
    walker.get(f"/moderation/matches/{dealt().id}/annul/")
    walker.as_(victim).get(match.get_absolute_url())
    walker.get("/notifications/")
    walker.get("/games/")
    annulments.undo(boss, match, "")
    walker.as_(boss).get(f"/moderation/matches/{match.id}/annul/")
    walker.as_(victim)
    beats(player, victim)
    for measure in (Measure.PAUSE, Measure.MUTE, Measure.CHEAT):
        made = sanctions.impose(boss, player, measure, reason=Reason.OTHER, message="xx", days=1)
        sanctions.acknowledge(made, player)
    walker.get("/notifications/")
    walker.as_(player).post("/ranked/", 303)
    walker.get("/")
    table = dealt(players=[victim, person()])
    walker.get(table.get_absolute_url())
    walker.get("/notifications/")
    nothing(walker)


def test_the_moderators_pages(walker: Walker) -> None:
    boss, other = (staff(Role.SENIOR, language=walker.language) for _ in range(2))
    player = somebody(language=walker.language)
    address = f"/moderation/players/{player.pk}/sanction/"
    walker.as_(boss).get("/moderation/appeals/")
    walker.get(address)
    walker.get(f"{address}?measure=suspend&reason=name&days=30")
    walker.post(address, 409)
    for measure in (Measure.CHEAT, Measure.CLOSURE):
        walker.post(address, measure=measure, reason="other", days="", running="lost")
    walker.post(address, 303, measure="mute", reason="other", days="1", running="go on")
    walker.get(address)
    made = player.sanctions.get()
    appeal = appeals.appeal(made, player, "xx")
    for who in (boss, other):
        walker.as_(who).get("/moderation/appeals/")
        walker.get(f"/moderation/appeals/{appeal.pk}/")
        walker.post(f"/moderation/appeals/{appeal.pk}/", 409, decision="none")
    walker.post(f"/moderation/appeals/{appeal.pk}/", 302, decision="grant")
    walker.get(f"/moderation/appeals/{appeal.pk}/")
    walker.post(f"/moderation/appeals/{appeal.pk}/", 409, decision="reject")
    nothing(walker)
