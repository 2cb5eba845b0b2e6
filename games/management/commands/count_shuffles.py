"""``manage.py count_shuffles``: the public statistics of the shuffle, now; or anew from nothing."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.services import statistics


class Command(BaseCommand):
    help = "Count the packs of matches that have ended into the statistics of the shuffle."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--again", action="store_true", help="count every match anew, from nothing"
        )

    def handle(self, *_args: Any, again: bool, **_options: Any) -> None:
        counted = statistics.count_again() if again else statistics.count_shuffles()
        self.stdout.write(f"{counted} matches counted.")
