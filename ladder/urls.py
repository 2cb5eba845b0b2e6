"""Addresses of the lobby and of standing."""

from django.urls import path, re_path

from ladder.views import leaderboard, lobby, profile, published, queue

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
]
