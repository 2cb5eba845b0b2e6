"""The Celery app and its timetable. What is due is in the database; a task is only a nudge."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "basra_site.settings")

app = Celery("basra")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    "sweep": {"task": "games.tasks.sweep", "schedule": 1.0, "options": {"expires": 5}},
    "pair": {"task": "ladder.tasks.pair", "schedule": 1.0, "options": {"expires": 5}},
    "count-shuffles": {
        "task": "games.tasks.count_shuffles",
        "schedule": 60.0,
        "options": {"expires": 55},
    },
    "release-names": {"task": "games.tasks.release_names", "schedule": 3600.0},
}
