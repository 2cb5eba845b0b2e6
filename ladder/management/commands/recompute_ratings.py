"""``manage.py recompute_ratings [--check]``: ratings rebuilt from the ledger."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ladder.services import recompute


class Command(BaseCommand):
    help = "Rebuild every rating from the ledger, in the order of its rows."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; exit 1 if anything differs"
        )

    def handle(self, *_args: Any, check: bool, **_options: Any) -> None:
        found = recompute.survey()
        for line in [*found.ledger, *found.ratings.values()]:
            self.stdout.write(line)
        if check and not found.clean:
            raise CommandError("ratings and ledger differ")
        if not check:
            recompute.rebuild(found.ratings)
        if found.ledger:
            raise CommandError("the ledger itself needs looking at: it is never rewritten")
        self.stdout.write("Every rating agrees with the ledger.")
