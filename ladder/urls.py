"""Addresses of the lobby and of standing."""

from django.urls import path

from ladder.views import leaderboard, lobby, profile, queue

app_name = "ladder"

urlpatterns = [
    path("", lobby.lobby, name="lobby"),
    path("ranked/", queue.ranked, name="ranked"),
    path("ranked/leave/", queue.leave, name="leave-queue"),
    path("leaderboard/", leaderboard.leaderboard, name="leaderboard"),
    path("players/<str:name>/", profile.profile, name="profile"),
]
