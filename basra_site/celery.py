"""The Celery app and its timetable. What is due is in the database; a task is only a nudge."""

import os

from celery import Celery
from celery.schedules import crontab

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "basra_site.settings")

HOURLY = crontab(minute=7)  # by the clock: an interval would begin anew at each start

app = Celery("basra")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    "sweep": {"task": "games.tasks.sweep", "schedule": 1.0, "options": {"expires": 5}},
    "pair": {"task": "ladder.tasks.pair", "schedule": 1.0, "options": {"expires": 5}},
    "expire-challenges": {
        "task": "games.tasks.expire_challenges",
        "schedule": 2.0,
        "options": {"expires": 5},
    },
    "count-shuffles": {
        "task": "games.tasks.count_shuffles",
        "schedule": 60.0,
        "options": {"expires": 55},
    },
    "refresh-board": {
        "task": "ladder.tasks.refresh_board",
        "schedule": 60.0,
        "options": {"expires": 55},
    },
    "end-lapsed-sanctions": {
        "task": "ladder.tasks.end_lapsed_sanctions",
        "schedule": 60.0,
        "options": {"expires": 55},
    },
    "choose-puzzles": {
        "task": "games.tasks.choose_puzzles",
        "schedule": crontab(minute="*/10"),
        "options": {"expires": 550},
    },
    "turn-seasons": {"task": "ladder.tasks.turn_seasons", "schedule": HOURLY},
    # At six, and again for whoever could not be reached; nobody gets two.
    "send-digest": {"task": "ladder.tasks.send_digest", "schedule": crontab(hour="6-9", minute=10)},
    "look-for-findings": {"task": "ladder.tasks.look_for_findings", "schedule": HOURLY},
    "look-for-machines": {
        "task": "ladder.tasks.look_for_machines",
        "schedule": crontab(minute=37),
    },
    "forget-marks": {"task": "ladder.tasks.forget_marks", "schedule": HOURLY},
    "forget-reported-talk": {"task": "ladder.tasks.forget_reported_talk", "schedule": HOURLY},
    "publish-months": {"task": "ladder.tasks.publish_months", "schedule": HOURLY},
    "release-names": {"task": "games.tasks.release_names", "schedule": HOURLY},
    "forget-guests": {"task": "games.tasks.forget_guests", "schedule": HOURLY},
    "forget-sessions": {"task": "games.tasks.forget_sessions", "schedule": HOURLY},
    "forget-devices": {"task": "games.tasks.forget_devices", "schedule": HOURLY},
    "forget-closed": {"task": "games.tasks.forget_closed", "schedule": HOURLY},
    "forget-exports": {"task": "games.tasks.forget_exports", "schedule": HOURLY},
    "resume-exports": {
        "task": "games.tasks.resume_exports",
        "schedule": 60.0,
        "options": {"expires": 55},
    },
    "resume-reviews": {
        "task": "games.tasks.resume_reviews",
        "schedule": 60.0,
        "options": {"expires": 55},
    },
    "forget-talk": {"task": "games.tasks.forget_talk", "schedule": HOURLY},
    "forget-messages": {"task": "games.tasks.forget_messages", "schedule": HOURLY},
    "forget-notifications": {"task": "games.tasks.forget_notifications", "schedule": HOURLY},
}
