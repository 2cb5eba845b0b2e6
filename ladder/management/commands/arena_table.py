"""``manage.py arena_table FILE``: every two levels of house players play each other, and the table
of it goes into a page of the documents. What ``make arena`` runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games.ai.arena import levels, play_all, report
from ladder import elo

BEGIN, END = "<!-- arena -->", "<!-- /arena -->"


class Command(BaseCommand):
    help = "Let every two levels play each other, and write the table into a Markdown page."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help=f"a page that holds {BEGIN} and {END}")
        parser.add_argument("--pairs", type=int, default=200, help="of matches, for every two")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--processes", type=int, default=None, help="one for each core")

    def handle(
        self, *_args: Any, file: Path, pairs: int, seed: int, processes: int | None, **_more: Any
    ) -> None:
        page = file.read_text(encoding="utf-8")
        if page.count(BEGIN) != 1 or page.count(END) != 1:
            raise CommandError(f"{file}: {BEGIN} and {END} must stand in it once each.")
        found = []
        for a, b in levels():
            with tqdm(total=pairs, desc=f"{a} – {b}", unit="pair") as bar:
                played = []
                for pair in play_all(a, b, seed, pairs, processes=processes):
                    played.append(pair)
                    bar.update()
            found.append(report(a, b, seed, 101, played))
        before, after = page.split(BEGIN)[0], page.split(END)[1]
        written = f"{before}{BEGIN}\n{ratings(found)}\n\n{table(found)}\n{END}{after}"
        file.write_text(written, encoding="utf-8")


def table(reports: list[dict[str, Any]]) -> str:
    """The reports as a table in Markdown."""
    rows = [
        "| | against | points a deal | matches won | Elo difference | pairs | seed |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for one in reports:
        gap = shown(one["elo"], "{:+.0f}", "{:.0f}") if one["elo"] else "won all"
        rows.append(
            f"| {one['a']} | {one['b']} | {shown(one['points_a_deal'], '{:+.1f}', '{:.1f}')} "
            f"| {shown(one['matches_won'], '{:.1%}', '{:.1%}')} | {gap} "
            f"| {one['pairs']} | {one['seed']} |"
        )
    return "\n".join(rows)


def ratings(reports: list[dict[str, Any]]) -> str:
    """The levels with their fixed practice ratings, and what a play of each takes."""
    rows = [
        "| level | practice rating | ms a play, mean | ms, most | positions a play |",
        "| --- | --- | --- | --- | --- |",
    ]
    for level, rating in elo.HOUSE.items():
        plays = [one["plays"][side] for one in reports for side in ("a", "b") if one[side] == level]
        count = sum(row["count"] for row in plays)
        mean = {
            name: sum(row[name] * row["count"] for row in plays) / count
            for name in ("ms_mean", "nodes_mean")
        }
        most = max(row["ms_most"] for row in plays)
        rows.append(
            f"| {level} | {rating} | {mean['ms_mean']:.2f} | {most:.0f} "
            f"| {mean['nodes_mean']:,.0f} |"
        )
    return "\n".join(rows)


def shown(measure: dict[str, float], mean: str, error: str) -> str:
    """A mean with its standard error."""
    return f"{mean.format(measure['mean'])} ± {error.format(measure['standard_error'])}"
