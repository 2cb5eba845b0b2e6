"""The addresses of the pages, for tests that walk them all."""

OPEN_TO_ALL = [
    "/", "/leaderboard/", "/rules/", "/fairness/", "/settings/", "/settings/local/", "/nothing/",
    "/learn/", "/learn/choosing/", "/puzzle/", "/puzzle/archive/",
    "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/accounts/recover/",
]  # fmt: skip
PLAYERS_OWN = [
    "/", "/games/", "/settings/", "/people/", "/notifications/",
    "/challenges/", "/challenges/new/",
]  # fmt: skip
ACCOUNT = [
    "overview/", "name/", "email/", "password/change/", "close/", "logout/", "recovery-code/",
    "2fa/", "sessions/", "export/",
]  # fmt: skip
