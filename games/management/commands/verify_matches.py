"""``manage.py verify_matches``: can every match be rebuilt from its packs, plays and ending?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Match
from games.services.rebuild import Broken, rebuild


class Command(BaseCommand):
    help = "Rebuild every match from its packs, plays and ending, and compare it with its row."

    def handle(self, *_args: Any, **_options: Any) -> None:
        looked, broken = 0, 0
        for match_id in (
            Match.objects.filter(simulated=False)
            .values_list("pk", flat=True)
            .iterator(chunk_size=500)
        ):
            looked += 1
            try:
                rebuild(match_id)
            except Match.DoesNotExist:  # its guest has been deleted meanwhile
                looked -= 1
            except Broken as error:
                broken += 1
                self.stderr.write(f"{match_id}: {error}")
        if broken:
            raise CommandError(f"{broken} of {looked} matches cannot be rebuilt.")
        self.stdout.write(f"{looked} matches rebuilt, no difference.")
