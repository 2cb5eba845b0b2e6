"""Addresses of playing."""

from django.urls import path

from games.views import fairness, history, language, matches, rules, settings, table

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
    path("fairness/", fairness.fairness, name="fairness"),
    path("fairness/commitments.txt", fairness.commitments, name="commitments"),
    path("fairness/positions.svg", fairness.positions_svg, name="positions-svg"),
    path("fairness/positions.csv", fairness.positions_csv, name="positions-csv"),
    path("rules/", rules.rules, name="rules"),
    path("settings/", settings.preferences, name="settings"),
    path("language/", language.choose, name="language"),
    path("settings/confirm/", settings.confirm_plays, name="confirm-plays"),
    path("settings/local/", settings.local, name="local"),
]
