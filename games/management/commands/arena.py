"""``manage.py arena --a LEVEL --b LEVEL``: two house players play each other, the same packs both
ways. JSON alone on stdout; a progress bar and a table on stderr."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from games.ai import LEVELS
from games.ai.arena import Pair, play_all, report, result

TARGETS = (51, 101, 151)


class Command(BaseCommand):
    help = "Let two levels of house players play each other, and tell how far one is ahead."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--a", choices=LEVELS, required=True, help="who is measured")
        parser.add_argument("--b", choices=LEVELS, required=True, help="against whom")
        parser.add_argument(
            "--pairs", type=at_least_one, default=100, help="pairs of matches, seats exchanged"
        )
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--target", type=int, choices=TARGETS, default=101, help="points")
        parser.add_argument(
            "--processes", type=at_least_one, default=None, help="otherwise one for each core"
        )

    def handle(
        self, *_args: Any, a: str, b: str, pairs: int, seed: int, target: int,
        processes: int | None, **_options: Any,
    ) -> None:  # fmt: skip
        played: list[Pair] = []
        with tqdm(total=pairs, desc=f"{a} – {b}", unit="pair") as bar:
            for pair in play_all(a, b, seed, pairs, target, processes):
                played.append(pair)
                bar.set_postfix_str(f"{result(played).points.mean:+.1f} points a deal")
                bar.update()
        told = report(a, b, seed, target, played)
        self.stderr.write("\n".join(lines(told)))
        self.stdout.write(json.dumps(told))


def at_least_one(text: str) -> int:
    """A number from 1 on. Raises ValueError."""
    if int(text) < 1:
        raise ValueError(text)
    return int(text)


def lines(told: dict[str, Any]) -> list[str]:
    """The report as a table for a terminal."""
    elo, rows = told["elo"], told["plays"]
    found = [
        f"{told['a']} against {told['b']}: {told['pairs']} pairs to {told['target']}, "
        f"{told['deals']} deals, seed {told['seed']}",
        f"  points a deal   {shown(told['points_a_deal'], '{:+.2f}', '{:.2f}')}",
        f"  matches won     {shown(told['matches_won'], '{:.1%}', '{:.1%}')}",
        f"  Elo difference  {shown(elo, '{:+.0f}', '{:.0f}') if elo else 'won or lost them all'}",
        f"  {'a play':<10}{'ms mean':>10}{'95 %':>10}{'most':>10}{'nodes':>10}{'most':>10}",
    ]
    return found + [
        f"  {told[side]:<10}{row['ms_mean']:>10.2f}{row['ms_95']:>10.2f}{row['ms_most']:>10.1f}"
        f"{row['nodes_mean']:>10.0f}{row['nodes_most']:>10}"
        for side, row in rows.items()
    ]


def shown(measure: dict[str, float], mean: str, error: str) -> str:
    """A mean with its standard error."""
    return f"{mean.format(measure['mean'])} ± {error.format(measure['standard_error'])}"
