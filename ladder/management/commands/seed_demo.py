"""``manage.py seed_demo --players N --matches M``: a believable ladder, by simulated results."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games.models import Match
from games.services.errors import Refused
from ladder.services import demo


class Command(BaseCommand):
    help = (
        "Fill the ladder with players of hidden strength and simulated results between them, so "
        "many in all. For demonstrations and measurements: refuses where people have played."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, default=200, help="how many, in all")
        parser.add_argument("--matches", type=int, default=3000, help="how many, in all")
        parser.add_argument("--seed", type=int, default=1, help="another number, other players")
        parser.add_argument(
            "--sketch", action="store_true", help="ratings without results, to measure the board"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        wanted = options["matches"] - Match.objects.filter(simulated=True).count()
        if min(options["players"], options["matches"]) < 0:
            raise CommandError("Numbers below zero are none.")
        try:
            players = demo.make_players(options["players"], options["seed"])
            if options["sketch"]:
                demo.sketch(players, options["seed"])
            elif wanted > 0:
                with tqdm(total=wanted, unit=" matches", smoothing=0.05) as bar:
                    demo.make_matches(players, wanted, options["seed"], tell=bar.update)
        except Refused as refused:
            raise CommandError(refused.message) from refused
        self.stdout.write(f"{len(players)} players, {options['matches']} matches in all.")
