"""The arena: the same packs for everybody, the same result everywhere, and honest errors."""

import json
from io import StringIO
from math import sqrt

import pytest
from django.core.management import CommandError, call_command

from games.ai.arena import Pair, Plays, levels, pack, play_all, play_pair, result
from games.engine import PACK
from ladder.management.commands.arena_table import BEGIN, END

NONE = Plays(0, 0, ())


def test_packs_depend_on_seed_pair_and_deal_alone() -> None:
    packs = {pack(seed, pair, deal) for seed in (1, 2) for pair in (0, 1) for deal in (1, 2)}
    assert len(packs) == 8
    assert pack(1, 0, 1) in packs
    assert sorted(pack(1, 0, 1)) == sorted(PACK)


def test_a_level_against_itself_comes_out_even() -> None:
    """Both seats, both dealers, the same packs: what one wins in one match it loses in the other.
    Levels that draw at random differ a little."""
    pairs = list(play_all("regular", "regular", 1, pairs=20, processes=1))
    found = result(pairs)
    assert abs(found.points.mean) < 4 * found.points.error + 1
    assert abs(found.won.mean - 0.5) < 0.2


def test_the_order_of_the_levels_only_turns_the_sign() -> None:
    one = [play_pair("expert", "casual", 3, number) for number in range(6)]
    other = [play_pair("casual", "expert", 3, number) for number in range(6)]
    assert result(one).points.mean > 5
    assert result(other).points.mean < -5


@pytest.mark.parametrize(("level", "target", "least"), [("expert", 101, 8), ("master", 51, 14)])
def test_twenty_pairs_against_regular(level: str, target: int, least: float) -> None:
    """A small part of what docs/house-players.md reports, always the same twenty pairs."""
    pairs = list(play_all(level, "regular", seed=1, pairs=20, target=target))
    assert [pair.number for pair in pairs] == list(range(20))
    assert result(pairs).points.mean > least
    assert result(pairs).won.mean > 0.6


def test_the_error_is_that_of_the_pairs() -> None:
    """With as many deals in each pair it is the usual one: the deviation by the root."""
    points = [80, 40, 0, 120, 60, 60]
    pairs = [Pair(n, value, 8, 1, NONE, NONE) for n, value in enumerate(points)]
    mean = sum(points) / 6
    deviation = sqrt(sum((value - mean) ** 2 for value in points) / 5)
    found = result(pairs)
    assert found.points.mean == mean / 8
    assert found.points.error == pytest.approx(deviation / sqrt(6) / 8)
    assert found.won == (0.5, 0)
    assert found.elo == (0, 0)


def test_who_wins_them_all_is_ahead_by_no_number() -> None:
    assert result([Pair(n, 100, 8, 2, NONE, NONE) for n in range(3)]).elo is None


def test_the_command_writes_json_alone() -> None:
    out, err = StringIO(), StringIO()
    call_command(
        "arena", "--a", "casual", "--b", "novice", "--pairs", "3", "--seed", "5", "--target", "51",
        "--processes", "1", stdout=out, stderr=err,
    )  # fmt: skip
    told = json.loads(out.getvalue())
    assert (told["a"], told["b"], told["pairs"], told["seed"]) == ("casual", "novice", 3, 5)
    again = result(list(play_all("casual", "novice", 5, pairs=3, target=51, processes=1)))
    assert told["points_a_deal"]["mean"] == round(again.points.mean, 4)
    assert set(told["points_a_deal"]) == {"mean", "standard_error"}
    assert told["plays"]["a"]["nodes_mean"] > 0
    assert "points a deal" in err.getvalue()


@pytest.mark.parametrize("wrong", [["--pairs", "0"], ["--pairs", "x"], ["--target", "100"]])
def test_the_command_refuses_what_cannot_be(wrong: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("arena", "--a", "casual", "--b", "novice", *wrong)


def test_the_table_goes_into_the_page_and_nowhere_else(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("ladder.management.commands.arena_table.levels", lambda: levels()[:3])
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    monkeypatch.setattr("ladder.management.commands.arena_table.elo.HOUSE", {"casual": 1332})
    call_command("arena_table", page, "--pairs", "2", "--processes", "1")
    written = page.read_text()
    assert written.startswith(f"before\n{BEGIN}\n")
    assert written.endswith(f"{END}\nafter\n")
    assert "old" not in written
    assert "| casual | novice | " in written
    assert "| casual | 1332 | " in written


def test_a_page_without_a_place_is_left_alone(tmp_path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing to see")
    with pytest.raises(CommandError):
        call_command("arena_table", page, "--pairs", "1")
    assert page.read_text() == "nothing to see"
