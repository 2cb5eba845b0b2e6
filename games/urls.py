"""Addresses of playing."""

from django.urls import path

from games.views import (
    challenges,
    fairness,
    history,
    language,
    matches,
    notifications,
    people,
    rules,
    settings,
    table,
    talk,
)

app_name = "games"

urlpatterns = [
    path("games/", history.matches, name="matches"),
    path("games/records.jsonl", history.records, name="records"),
    path("games/practice/", matches.practice, name="practice"),
    path("games/<slug:match_id>/", table.table, name="table"),
    path("games/<slug:match_id>/seed/", table.seed, name="seed"),
    path("games/<slug:match_id>/leave/", table.leave, name="leave"),
    path("games/<slug:match_id>/resign/", table.resign, name="resign"),
    path("games/<slug:match_id>/record.json", table.record, name="record"),
    path("games/<slug:match_id>/talk/", talk.talk, name="talk"),
    path("games/<slug:match_id>/talk/mute/", talk.mute, name="talk-mute"),
    path("games/<slug:match_id>/again/", challenges.again, name="again"),
    path("challenges/", challenges.challenges, name="challenges"),
    path("challenges/new/", challenges.new, name="challenge-new"),
    path("challenges/open/", challenges.open_challenges, name="challenges-open"),
    path("challenges/<slug:challenge_id>/", challenges.challenge, name="challenge"),
    path("challenges/<slug:challenge_id>/accept/", challenges.accept, name="challenge-accept"),
    path("challenges/<slug:challenge_id>/decline/", challenges.decline, name="challenge-decline"),
    path("challenges/<slug:challenge_id>/cancel/", challenges.cancel, name="challenge-cancel"),
    path("fairness/", fairness.fairness, name="fairness"),
    path("fairness/commitments.txt", fairness.commitments, name="commitments"),
    path("fairness/positions.svg", fairness.positions_svg, name="positions-svg"),
    path("fairness/positions.csv", fairness.positions_csv, name="positions-csv"),
    path("notifications/", notifications.notifications, name="notifications"),
    path("notifications/bell/", notifications.bell, name="bell"),
    path("notifications/newest/", notifications.newest, name="newest"),
    path("notifications/read/", notifications.read_all, name="read-all"),
    path("notifications/notices/", notifications.notices, name="notices"),
    path("notifications/<int:notification_id>/", notifications.notification, name="notification"),
    path("worker.js", notifications.worker, name="worker"),
    path("people/", people.people, name="people"),
    path("people/tie/", people.tie, name="tie"),
    path("rules/", rules.rules, name="rules"),
    path("settings/", settings.preferences, name="settings"),
    path("language/", language.choose, name="language"),
    path("settings/confirm/", settings.confirm_plays, name="confirm-plays"),
    path("settings/local/", settings.local, name="local"),
]
