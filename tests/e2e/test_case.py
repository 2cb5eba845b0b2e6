"""Two whole cases, from the complaint to the last row of the trail, in browsers of their own."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESK, PHONE, Window
from tests.e2e.playing import PATIENCE_MS

pytestmark = pytest.mark.e2e

INSULT = """
import json
from games.models import clock
from ladder.models import Role
from tests import tables
insulted, suspect = two = [person(), person()]
match = play_on(dealt(players=two), 3)
Utterance.objects.create(match=match, player=suspect, text="You dog", said_at=clock.now())
staff_ = [staff(Role.SENIOR), staff(Role.SENIOR)]
print(json.dumps([match.id, suspect.pk, suspect.name, [tables.session(p) for p in two + staff_],
                  [p.pk for p in staff_]]))
"""
CHEAT = """
import json
from ladder.models import Role
from tests import tables
cheat, boss = person(), staff(Role.SENIOR)
victims = [person(), person()]
for victim in (victims[0], victims[1], victims[0]):
    play.resign(match_id=dealt(players=[cheat, victim]).pk, player=victim)
print(json.dumps([cheat.pk, cheat.name, [v.pk for v in victims], [v.name for v in victims],
                  tables.session(boss), tables.session(victims[0])]))
"""
ACTS = """
import json
from ladder.models import AuditEntry
rows = AuditEntry.objects.filter(player={player}).order_by("id")
print(json.dumps([[row.by, row.act] for row in rows]))
"""
LEDGER = """
import json
from ladder.models import RatingChange
rows = RatingChange.objects.filter(player__in={players}).order_by("id")
print(json.dumps([[row.player_id, row.kind, row.change] for row in rows]))
"""
RATINGS = """
import json
from ladder.models import Rating
print(json.dumps(list(Rating.objects.filter(player__in={players}, pool="ranked")
                      .order_by("player").values_list("rating", flat=True))))
"""


@pytest.fixture
def opened(window, site):
    """Opens the browser of whoever has this session."""

    def one(key: str, viewport: dict[str, int] = DESK) -> Window:
        me = window(viewport)
        me.page.context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
        return me

    return one


def impose(page: Page, measure: str, reason: str) -> None:
    """By the form of the case."""
    page.locator("#measure summary").click()
    page.select_option("#measure [name=measure]", measure)
    page.select_option("#measure [name=reason]", reason)
    page.locator('#measure [data-action="impose"]').click()
    if measure == "cheat":
        page.locator('[data-action="sure"]').click()
    expect(page.locator(".toast")).to_contain_text("It is done")


def test_an_insult_to_the_undone_mute(site, opened):
    match, suspect_id, name, keys, (boss_id, other_id) = json.loads(site.run(INSULT))
    insulted, suspect = opened(keys[0], PHONE), opened(keys[1], PHONE)
    boss, other = opened(keys[2]), opened(keys[3])

    # The report, by the line of talk.
    insulted.go(f"/games/{match}/")
    insulted.page.locator('[data-action="talk"]').click()
    with insulted.page.context.expect_page() as new:
        insulted.page.locator('[data-action="report-line"]').click()
    form = new.value
    form.locator('[name="reason"][value="insults"]').check()
    form.locator('[data-action="send-report"]').click()
    expect(form.locator("#reports")).to_contain_text(name)

    # The queue, the claim, a warning and a mute, the answer.
    desk = boss.page
    boss.go("/moderation/")
    desk.locator("[data-key-item]", has_text=name).click()
    desk.locator('[data-action="claim"]').click()
    impose(desk, "warning", "insults")
    impose(desk, "mute", "insults")
    desk.locator('[data-action="uphold"]').click()
    expect(desk.locator('[data-action="uphold"]')).to_have_count(0)
    desk.locator('[data-action="close-case"]').click()
    expect(desk.locator(".page-head")).to_contain_text("Closed")

    # Both are acknowledged; the voice is gone at the table, and the match goes on.
    page = suspect.page
    suspect.go(f"/games/{match}/")
    expect(page.locator(".held-bar")).to_be_visible()
    suspect.go("/leaderboard/")
    for _notice in range(2):
        expect(page).to_have_url(f"{site.url}/sanctions/")
        page.locator('[data-action="acknowledge"]').first.click()
    expect(page).to_have_url(f"{site.url}/")
    suspect.go(f"/games/{match}/")
    page.locator('[data-action="talk"]').click()
    expect(page.locator("#talk")).to_contain_text("you cannot write at the tables")
    expect(page.locator('.phrase[value="nice"]')).to_be_hidden()

    # The appeal against the mute, which somebody else decides: it is undone.
    suspect.go("/sanctions/")
    mute = page.locator("section", has=page.locator("h2", has_text="Mute"))
    mute.locator("summary").click()
    mute.locator("textarea").fill("It was my brother.")
    mute.locator('[data-action="appeal"]').click()
    expect(page.locator('[data-appeal="waits"]')).to_be_visible()
    other.go("/moderation/appeals/")
    other.page.locator(".list a", has_text=name).click()
    other.page.fill("[name=answer]", "Take care of your phone.")
    other.page.locator('[data-action="grant"]').click()
    suspect.go("/sanctions/")
    expect(page.locator('[data-appeal="granted"]')).to_contain_text("Take care of your phone.")
    suspect.go(f"/games/{match}/")
    page.locator('[data-action="talk"]').click()
    page.locator('.phrase[value="nice"]').click()
    expect(page.locator('[data-by="me"]')).to_have_count(2, timeout=PATIENCE_MS)

    form.goto(site.url + "/notifications/")
    expect(form.locator("#news")).to_contain_text("a moderator agreed with you")
    acts = [tuple(row) for row in json.loads(site.run(ACTS.format(player=suspect_id)))]
    assert acts == [
        (boss_id, "case.claim"),
        (boss_id, "sanction.warning"),
        (boss_id, "sanction.mute"),
        (boss_id, "report.answer"),
        (boss_id, "case.close"),
        (other_id, "appeal.decide"),
        (other_id, "sanction.undo"),
    ]


def test_a_cheat_is_marked_and_unmarked_to_the_point(site, opened):
    cheat, name, victims, names, key, victim_key = json.loads(site.run(CHEAT))
    boss, victim = opened(key), opened(victim_key, PHONE)
    before = json.loads(site.run(RATINGS.format(players=victims)))
    losses = json.loads(site.run(LEDGER.format(players=victims)))
    assert [kind for _player, kind, _change in losses] == ["result"] * 3

    boss.go(f"/players/{name.casefold()}/")
    boss.page.locator('[data-action="open-case"]').click()
    boss.page.locator('[data-action="claim"]').click()
    impose(boss.page, "cheat", "cheating")

    rows = json.loads(site.run(LEDGER.format(players=victims)))[3:]
    assert sorted(rows) == sorted([player, "refund", -change] for player, _kind, change in losses)
    given = json.loads(site.run(RATINGS.format(players=victims)))
    assert given == [1500, 1500]
    victim.go("/notifications/")
    expect(victim.page.locator("#news")).to_contain_text("has cheated")
    victim.go(f"/players/{names[0].casefold()}/")
    expect(victim.page.locator("main")).to_contain_text("1500")
    victim.go("/leaderboard/?q=" + name)
    expect(victim.page.locator(f'[data-player="{name}"]')).to_have_count(0)

    page = boss.page
    undo = page.locator("#sanctions details")
    undo.locator("summary").click()
    undo.locator("[name=why]").fill("The wrong one.")
    undo.locator('[data-action="undo"]').click()
    expect(page.locator("#sanctions details")).to_have_count(0)
    rows = json.loads(site.run(LEDGER.format(players=victims)))[6:]
    assert sorted(rows) == sorted([player, "reversal", change] for player, _kind, change in losses)
    assert json.loads(site.run(RATINGS.format(players=victims))) == before
    ledger = json.loads(site.run(LEDGER.format(players=victims)))
    sums = [1500 + sum(row[2] for row in ledger if row[0] == victim) for victim in victims]
    assert sums == before
    acts = [act for _by, act in json.loads(site.run(ACTS.format(player=cheat)))]
    assert acts == ["case.open", "case.claim", "sanction.cheat", "sanction.undo"]
