"""``manage.py serve`` that notes in the file ``rendered`` of its folder what it renders for those
who watch: a line for each rendering, with the match and the language.

``python -m tests.concurrency.counted``
"""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "basra_site.settings")
django.setup()

from django.conf import settings  # noqa: E402  (needs the apps)
from django.core.management import call_command  # noqa: E402

from games import gallery  # noqa: E402
from games.rendering import Fragment, Reading  # noqa: E402

render = gallery.watched_table_fragment


def noted(match_id: str, reading: Reading) -> Fragment:
    with (settings.VAR_DIR / "rendered").open("a") as notes:
        notes.write(f"{match_id} {reading.language}\n")
    return render(match_id, reading)


if __name__ == "__main__":
    gallery.watched_table_fragment = noted
    call_command("serve")
