"""``manage.py verify_record FILE``: is this record what it says it is?"""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.record import Tampered, verify


class Command(BaseCommand):
    help = "Check a record.json: commitment, dealer, packs, every play, the counts, the result."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a record.json as the site serves it")

    def handle(self, *_args: Any, file: str, **_options: Any) -> None:
        try:
            record = json.loads(Path(file).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise CommandError(f"{file}: not a record: {error}") from error
        try:
            verify(record)
        except Tampered as error:
            raise CommandError(f"{file}: {error}") from error
        deals, plays = record["deals"], sum(len(deal["plays"]) for deal in record["deals"])
        self.stdout.write(
            f"{record['match']}: commitment, dealer, {len(deals)} packs, {plays} plays, "
            "counts and result agree."
        )
