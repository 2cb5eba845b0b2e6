"""Addresses of the lobby and of standing."""

from django.urls import include, path, re_path

from ladder.views import leaderboard, lobby, profile, published, queue, report, sanctions
from ladder.views.moderation import appeals as moderation_appeals
from ladder.views.moderation import audit as moderation_audit
from ladder.views.moderation import case as moderation_case
from ladder.views.moderation import queue as moderation_queue
from ladder.views.moderation import sanctions as moderation_sanctions
from ladder.views.moderation import staff as moderation_staff

app_name = "ladder"

_CASE = "cases/<int:case_id>/"
moderation = [
    path("", moderation_queue.queue, name="moderation"),
    path("players/<int:player_id>/", moderation_case.open_case, name="moderation-open"),
    path(_CASE, moderation_case.case, name="moderation-case"),
    path(f"{_CASE}claim/", moderation_case.claim, name="moderation-claim"),
    path(f"{_CASE}release/", moderation_case.release, name="moderation-release"),
    path(f"{_CASE}close/", moderation_case.close, name="moderation-close"),
    path(f"{_CASE}note/", moderation_case.note, name="moderation-note"),
    path(f"{_CASE}marks/", moderation_case.marks, name="moderation-marks"),
    path(f"{_CASE}reports/<int:report_id>/", moderation_case.answer, name="moderation-answer"),
    path(f"{_CASE}findings/<int:finding_id>/", moderation_case.clear, name="moderation-clear"),
    path(f"{_CASE}talk/<slug:match_id>/", moderation_case.talk, name="moderation-talk"),
    path(f"{_CASE}matches/<slug:match_id>/", moderation_case.match, name="moderation-match"),
    path(
        "players/<int:player_id>/sanction/",
        moderation_sanctions.sanction,
        name="moderation-sanction",
    ),
    path("sanctions/<int:sanction_id>/undo/", moderation_sanctions.undo, name="moderation-undo"),
    path("matches/<slug:match_id>/annul/", moderation_sanctions.annul, name="moderation-annul"),
    path("appeals/", moderation_appeals.appeals, name="moderation-appeals"),
    path("appeals/<int:appeal_id>/", moderation_appeals.appeal, name="moderation-appeal"),
    path("audit/", moderation_audit.trail, name="moderation-audit"),
    path("audit/trail.csv", moderation_audit.export, name="moderation-export"),
    path("staff/", moderation_staff.members, name="moderation-staff"),
]

urlpatterns = [
    path("", lobby.lobby, name="lobby"),
    path("lobby/mine/", lobby.mine, name="lobby-mine"),
    path("ranked/", queue.ranked, name="ranked"),
    path("ranked/bar/", queue.bar, name="waiting-bar"),
    path("ranked/accept/", queue.accept, name="accept-found"),
    path("ranked/leave/", queue.leave, name="leave-queue"),
    path("leaderboard/", leaderboard.leaderboard, name="leaderboard"),
    path("leaderboard/season/", leaderboard.season, name="season"),
    re_path(
        r"^leaderboard/season/(?P<year>[0-9]{4})-(?P<quarter>[1-4])/$",
        leaderboard.past_season,
        name="past-season",
    ),
    path("leaderboard/following/", leaderboard.following, name="following"),
    path("data/", published.files, name="published"),
    path("data/<str:name>", published.file, name="published-file"),
    path("players/<str:name>/", profile.profile, name="profile"),
    path("report/", report.report, name="report"),
    path("reports/", report.mine, name="my-reports"),
    path("sanctions/", sanctions.sanctions, name="sanctions"),
    path("sanctions/<int:sanction_id>/acknowledge/", sanctions.acknowledge, name="acknowledge"),
    path("sanctions/<int:sanction_id>/appeal/", sanctions.appeal, name="appeal"),
    path("moderation/", include(moderation)),
]
