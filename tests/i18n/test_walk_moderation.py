"""The moderators' pages and the reports, in the pseudo-language and in Arabic."""

from django.utils import timezone

from games.models import Kind, Utterance
from games.services import play
from ladder.models import Act, Finding, FindingKind, Reason, Role, Sanction
from ladder.services import cases, marks, reports
from tests.factories import dealt, house, staff
from tests.i18n.test_walk import Walker, nothing, somebody, walker  # noqa: F401

NOW = timezone.now()


def test_reporting(walker: Walker) -> None:  # noqa: F811
    me, other = somebody(), somebody()
    match = dealt(players=[me, other])
    said = Utterance.objects.create(match=match, player=other, phrase="hello", said_at=NOW)
    walker.as_(me)
    for query in (f"player={other.pk}", f"match={match.pk}", f"line={said.pk}"):
        walker.get(f"/report/?{query}")
    walker.post(f"/report/?player={other.pk}", suspect="x", reason="x", text="1" * 501)
    walker.post(f"/report/?player={other.pk}", 409, suspect=other.pk, reason="other")
    walker.get("/reports/")
    walker.get(f"/games/{match.pk}/")
    walker.get(other.get_absolute_url())
    for number, reason in enumerate(Reason):
        suspect = somebody()
        made = reports.report(me, suspect, reason, text="17")
        by = staff(Role.HELPER)
        cases.claim(made.case, by)
        if number < 4:
            reports.answer(made, by, upheld=number % 2 == 0)
    walker.get("/reports/", label="reports with answers")
    walker.get("/notifications/", label="answers")
    walker.as_(somebody()).get(f"/report/?match={match.pk}", label="one of two")
    walker.post(f"/report/?match={match.pk}", reason="x")
    nothing(walker)


def test_moderating(walker: Walker) -> None:  # noqa: F811
    suspect, by = somebody(), staff(Role.ADMINISTRATOR)
    client = walker.as_(by)
    client.get("/moderation/")
    client.get("/moderation/?tab=mine")
    client.get("/moderation/?tab=closed")
    client.get("/moderation/audit/")
    other = somebody()
    match = dealt(players=[suspect, other])
    said = Utterance.objects.create(match=match, player=suspect, phrase="hello", said_at=NOW)
    made = reports.report(other, suspect, "insults", "17", match, said)
    reports.queue_hit(suspect, "name", "18", {})
    practice = dealt(Kind.PRACTICE, [suspect, house()])
    play.resign(match_id=practice.pk, player=suspect)
    play.resign(match_id=match.pk, player=suspect)
    for number, kind in enumerate(FindingKind):
        finding = Finding.objects.create(
            kind=kind, key=kind, found_at=NOW, renewed_at=NOW, severity=2,
            evidence={"matches": number, "plays": [1], "leads": [2], "longest_ms": 3,
                      "spent_ms": 4, "share": 0.5, "given_away": 5, "marks": 6, "others": 7,
                      "won": [1, 2], "loser": other.pk, "winners": {str(suspect.pk): 2}},
        )  # fmt: skip
        finding.players.set([suspect, other])
        finding.matches.set([practice])
    marks.note(suspect, agent="a", language="b", address="192.0.2.1")
    address = f"/moderation/cases/{made.case_id}/"
    client.get(address, label="nobody's case")
    client.get("/moderation/", label="a queue")
    cases.claim(made.case, staff(Role.HELPER))
    client.get(address, label="somebody's case")
    client.post(f"{address}claim/", 409)
    made.case.claimed_until = NOW
    made.case.save()
    cases.claim(made.case, by)
    for player in (other, somebody()):
        marks.note(player, agent="a", language="b", address="192.0.2.1")
    for undone in (None, NOW):
        Sanction.objects.create(
            player=suspect, measure="mute", reason="insults", message="19", by=by, began_at=NOW,
            until=NOW, undone_at=undone,
        )  # fmt: skip
    cases.note(made.case, by, "20")
    client.get(address, label="my case")
    client.get(f"{address}?over=time")
    client.post(f"{address}close/", 409)
    client.post(f"{address}note/", 409, text="")
    client.post(f"{address}talk/{match.pk}/")
    client.post(f"{address}talk/{practice.pk}/")
    client.post(f"{address}marks/")
    client.client.post(f"{address}reports/{made.pk}/", {"upheld": "no"})
    client.get(address, label="answered")
    cases.close(made.case, by, rest=True, why="21")
    client.get(address, label="closed")
    client.get("/moderation/?tab=closed", label="closed cases")
    client.get("/moderation/?after=1")
    client.get("/moderation/audit/", label="a trail")
    client.get("/moderation/audit/?since=x&until=9999-12-31&act=x&by=nobody1")
    client.get("/moderation/audit/?act=setting.change")
    client.get("/moderation/staff/")
    client.post("/moderation/staff/", name="nobody1", role="x")
    client.post("/moderation/staff/", 409, name=by.name, role="helper", why="22")
    for act in Act:
        walker.check(f"<p>{act.label}</p>", act)
    nothing(walker)
