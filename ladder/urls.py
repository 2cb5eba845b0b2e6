"""Addresses of the lobby and of standing."""

from django.urls import path, re_path

from ladder.views import leaderboard, lobby, profile, published, queue, sanctions
from ladder.views.moderation import appeals as moderation_appeals
from ladder.views.moderation import sanctions as moderation_sanctions

app_name = "ladder"

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
    path("sanctions/", sanctions.sanctions, name="sanctions"),
    path("sanctions/<int:sanction_id>/acknowledge/", sanctions.acknowledge, name="acknowledge"),
    path("sanctions/<int:sanction_id>/appeal/", sanctions.appeal, name="appeal"),
    path(
        "moderation/players/<int:player_id>/sanction/",
        moderation_sanctions.sanction,
        name="moderation-sanction",
    ),
    path(
        "moderation/sanctions/<int:sanction_id>/undo/",
        moderation_sanctions.undo,
        name="moderation-undo",
    ),
    path(
        "moderation/matches/<slug:match_id>/annul/",
        moderation_sanctions.annul,
        name="moderation-annul",
    ),
    path("moderation/appeals/", moderation_appeals.appeals, name="moderation-appeals"),
    path(
        "moderation/appeals/<int:appeal_id>/", moderation_appeals.appeal, name="moderation-appeal"
    ),
]
