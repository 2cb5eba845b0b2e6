"""Records: a real one passes, and one that was changed fails where it was changed."""

import copy
import json
import pickle
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import PACK, Deal, Play, Tally, Tampered, count, fair, record
from tests.engine.positions import quick

SEED = bytes(range(32))
MATCH = "AbCdEf123456"
SEEDS = ("a4ca83b26b52b08d21870f0bc4ff64de", "house")


@cache
def written(how: str = "points", plays_of_last: int = 17) -> str:
    """A sound record as JSON: won by points, or ended in the third deal."""
    first = fair.first_dealer(SEED, MATCH, SEEDS)
    tally, deals, rng = Tally(101, first), [], Random(2)
    winner = None
    while winner is None:
        deal = Deal.start(fair.pack(SEED, MATCH, SEEDS, len(deals) + 1), tally.dealer)
        stop = plays_of_last if how != "points" and len(deals) == 2 else 48
        while len(deal.history) < stop:
            deal = deal.play(rng.choice(deal.legal()))
        deals.append(deal)
        if not deal.over:
            winner = 0
        else:
            tally = tally.add(count(deal))
            winner = tally.winner
    made = record.build(
        match=MATCH,
        target=101,
        players=["mona", None],
        client_seeds=SEEDS,
        server_seed=SEED,
        first_dealer=first,
        deals=deals,
        winner=winner,
        how=how,
    )
    return json.dumps(made)


def sound(how: str = "points", plays_of_last: int = 17) -> Any:
    return json.loads(written(how, plays_of_last))


def aborted() -> Any:
    return record.build(
        match=MATCH,
        target=51,
        players=["mona", "ali"],
        client_seeds=["x", None],
        server_seed=SEED,
        first_dealer=None,
        deals=[],
        winner=None,
        how="abort",
    )


def failing(changed: object) -> Tampered:
    with pytest.raises(Tampered) as refused:
        record.verify(changed)
    return refused.value


def test_sound_records() -> None:
    for how in ("points", "resignation", "time", "sanction"):
        found = record.verify(sound(how))
        assert found.deals == len(sound(how)["deals"]) > 2
        assert found.plays > 2 * 48
    assert record.verify(sound("resignation", 0)).plays == 96
    assert record.verify(aborted()) == record.Verified(0, 0)


def test_fields_that_are_not_known_are_ignored() -> None:
    made = sound()
    made["clocks"] = [1, 2]
    made["result"]["reason"] = {"text": "…"}
    made["deals"][0]["began"] = "2024"
    record.verify(made)


def test_a_sanction_may_leave_no_winner_and_come_before_the_deal() -> None:
    made = sound("sanction")
    made["result"]["winner"] = None
    record.verify(made)
    made = aborted()
    made["result"]["how"] = "sanction"
    record.verify(made)


Change = Callable[[Any], object]


def put(*path: str | int, to: object) -> Change:
    """Puts a value at a path of the record."""

    def change(made: Any) -> None:
        for step in path[:-1]:
            made = made[step]
        made[path[-1]] = to

    return change


def swap_hex(made: Any) -> None:
    digits = list(made["commitment"])
    digits[9] = "0" if digits[9] != "0" else "1"
    made["commitment"] = "".join(digits)


def swap_cards(made: Any) -> None:
    pack = made["deals"][1]["pack"]
    pack[13], pack[14] = pack[14], pack[13]


def drop_a_deal(made: Any) -> None:
    del made["deals"][-1]


def repeat_a_deal(made: Any) -> None:
    made["deals"].append(copy.deepcopy(made["deals"][-1]))


def drop_a_play(made: Any) -> None:
    del made["deals"][0]["plays"][-1]


def one_play_more(made: Any) -> None:
    made["deals"][0]["plays"].append(["7d", []])


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (put("format", to="basra-record/2"), "format"),
        (put("match", to=5), "match"),
        (put("match", to="a:b"), "match"),
        (put("match", to="\ud800"), "match"),
        (put("rules_version", to=2), "rules_version"),
        (put("rules_version", to=True), "rules_version"),
        (put("target", to=0), "target"),
        (put("target", to="101"), "target"),
        (put("target", to=10**6), "result.how"),
        (put("players", to=["mona"]), "players"),
        (put("players", 1, to=3), "players[1]"),
        (put("client_seeds", 0, to="a:b"), "client_seeds[0]"),
        (put("client_seeds", 0, to=None), "first_dealer"),
        (put("server_seed", to="00" * 32), "server_seed"),
        (put("server_seed", to="00"), "server_seed"),
        (put("server_seed", to="AB" * 32), "server_seed"),
        (swap_hex, "commitment"),
        (put("commitment", to=None), "commitment"),
        (put("first_dealer", to=None), "first_dealer"),
        (put("first_dealer", to=True), "first_dealer"),
        (put("deals", to=[]), "deals"),
        (put("deals", to={}), "deals"),
        (put("deals", 0, to=None), "deals[0]"),
        (put("deals", 0, "dealer", to=2), "deals[0].dealer"),
        (put("deals", 1, "pack", 7, to="xx"), "deals[1].pack[7]"),
        (put("deals", 1, "pack", to=["7d"]), "deals[1].pack"),
        (swap_cards, "deals[1].pack[13]"),
        (put("deals", 0, "plays", 4, to=None), "deals[0].plays[4]"),
        (put("deals", 0, "plays", 4, 0, to="7x"), "deals[0].plays[4][0]"),
        (put("deals", 0, "plays", 4, 1, to=7), "deals[0].plays[4][1]"),
        (put("deals", 0, "plays", 4, 1, to=["zz"]), "deals[0].plays[4][1][0]"),
        (put("deals", 0, "count", to=None), "deals[0].count"),
        (put("deals", 0, "count", 1, to=77), "deals[0].count[1]"),
        (put("deals", 0, "count", 1, to=-1), "deals[0].count[1]"),
        (drop_a_play, "deals[0].count"),
        (one_play_more, "deals[0].plays[48]"),
        (drop_a_deal, "result.totals[0]"),
        (repeat_a_deal, None),
        (put("result", to=[]), "result"),
        (put("result", "totals", 0, to=20), "result.totals[0]"),
        (put("result", "totals", to=None), "result.totals"),
        (put("result", "winner", to=None), "result.winner"),
        (put("result", "how", to="abort"), "result.how"),
        (put("result", "how", to="time"), "result.how"),
        (put("result", "how", to="luck"), "result.how"),
        (put("result", "how", to=[]), "result.how"),
    ],
)
def test_a_changed_record_names_the_place(change: Change, where: str | None) -> None:
    made = sound()
    change(made)
    error = failing(made)
    assert error.where == (f"deals[{len(made['deals']) - 1}]" if where is None else where)
    assert str(error).startswith(f"{error.where}: found ")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.where) == (str(error), error.where)


def test_the_commitments_digit_is_named() -> None:
    made = sound()
    swap_hex(made)
    error = failing(made)
    assert "hex digit is number 10 of 64" in str(error)
    assert error.expected == fair.commitment(SEED)


def test_the_other_winner_and_the_other_dealer_are_named() -> None:
    made = sound()
    made["result"]["winner"] = 1 - made["result"]["winner"]
    assert failing(made).where == "result.winner"
    made = sound()
    made["first_dealer"] = 1 - made["first_dealer"]
    assert failing(made).where == "first_dealer"
    made = sound()
    made["deals"][2]["dealer"] = 1 - made["deals"][2]["dealer"]
    assert failing(made).where == "deals[2].dealer"


def test_other_seeds_are_said_to_make_another_pack() -> None:
    for client_seed in ("b", "c", "d", "e"):
        made = sound()
        made["client_seeds"][1] = client_seed
        error = failing(made)
        assert error.where in ("first_dealer", "deals[0].pack[0]", "deals[0].pack[1]")
        if error.where != "first_dealer":
            assert "the seeds or the match do not make this pack" in str(error)


def test_an_unfinished_deal_is_not_counted_and_comes_last() -> None:
    made = sound("time")
    made["deals"][2]["count"] = [0, 0]
    assert failing(made).where == "deals[2].count"
    made = sound("time")
    made["deals"].append(made["deals"][0])
    assert failing(made).where == "deals[3]"
    made = sound("time")
    del made["deals"][2]
    assert failing(made).where == "deals"
    made = sound("time")
    made["result"]["winner"] = None
    assert failing(made).where == "result.winner"


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (put("first_dealer", to=0), "first_dealer"),
        (put("deals", to=[{}]), "deals"),
        (put("result", "how", to="points"), "result.how"),
        (put("result", "winner", to=0), "result.winner"),
        (put("result", "totals", to=[0, 10]), "result.totals"),
        (put("client_seeds", 1, to="y"), "result.how"),
        (put("server_seed", to="11" * 32), "commitment"),
    ],
)
def test_a_changed_record_of_an_aborted_match(change: Change, where: str) -> None:
    made = aborted()
    change(made)
    assert failing(made).where == where


@quick
@given(st.data())
def test_another_card_anywhere_in_a_pack_is_found(data: st.DataObject) -> None:
    made = sound()
    deal = data.draw(st.integers(0, len(made["deals"]) - 1))
    place = data.draw(st.integers(0, 51))
    pack = made["deals"][deal]["pack"]
    new = data.draw(st.sampled_from([str(c) for c in PACK if str(c) != pack[place]]))
    old, pack[place] = pack[place], new
    error = failing(made)
    assert (error.where, error.found, error.expected) == (f"deals[{deal}].pack[{place}]", new, old)


@quick
@given(st.data())
def test_another_capture_anywhere_is_found(data: st.DataObject) -> None:
    made = sound()
    deal = data.draw(st.integers(0, len(made["deals"]) - 1))
    number = data.draw(st.integers(0, 47))
    play = made["deals"][deal]["plays"][number]
    state = Deal.parse(_text(made, deal, number))
    allowed = {p.capture for p in state.legal() if str(p.card) == play[0]}
    others = data.draw(st.frozensets(st.sampled_from(PACK), max_size=5))
    play[1] = [str(card) for card in others]
    if others in allowed:
        return
    assert failing(made).where == f"deals[{deal}].plays[{number}][1]"


@quick
@given(st.data())
def test_a_card_that_is_not_in_the_hand_is_found(data: st.DataObject) -> None:
    made = sound()
    deal = data.draw(st.integers(0, len(made["deals"]) - 1))
    number = data.draw(st.integers(0, 47))
    state = Deal.parse(_text(made, deal, number))
    assert state.turn is not None
    card = data.draw(st.sampled_from([c for c in PACK if c not in state.hands[state.turn]]))
    made["deals"][deal]["plays"][number][0] = str(card)
    assert failing(made).where == f"deals[{deal}].plays[{number}][0]"


def _text(made: Any, deal: int, number: int) -> str:
    """The snapshot of a recorded deal before a play."""
    recorded = made["deals"][deal]
    plays = [Play.parse(":".join(filter(None, (c, ",".join(t))))) for c, t in recorded["plays"]]
    pack = "".join(recorded["pack"])
    return f"1;{recorded['dealer']};{pack};{' '.join(map(str, plays[:number]))}"


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["7d", "As", "points", "abort", "ab" * 32, "", "basra-record/1"])
    | st.text(st.characters(), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@quick
@given(anything)
def test_anything_at_all_is_tampered(value: object) -> None:
    failing(value)


@quick
@given(st.data())
def test_anything_at_any_place_is_sound_or_tampered(data: st.DataObject) -> None:
    """Nothing but `Tampered` is ever raised, and what passes may pass: the same value, or one
    that nothing in a record can prove."""
    dealt = data.draw(st.booleans())
    made = sound(data.draw(st.sampled_from(KINDS))) if dealt else aborted()
    holder, path = made, []
    while True:
        keys = sorted(holder) if isinstance(holder, dict) else list(range(len(holder)))
        path.append(data.draw(st.sampled_from(keys)))
        inner = holder[path[-1]]
        if not isinstance(inner, (dict, list)) or not inner or data.draw(st.booleans()):
            break
        holder = inner
    if data.draw(st.booleans()) and isinstance(holder, dict):
        del holder[path[-1]]
        failing(made)
        return
    new = data.draw(anything)
    holder[path[-1]] = new
    try:
        record.verify(made)
    except Tampered as error:
        where = error.where
    else:
        where = None
    if where is None:
        unproved = {"players", "target", "how", "winner"}
        # No pack is made of an aborted match's seeds; the last plays of a match may be left out.
        unproved |= {"plays"} if dealt else {"client_seeds", "match"}
        assert json.dumps(new) == json.dumps(inner) or unproved & set(path)


KINDS = ("points", "time", "sanction")


def test_numbers_and_nesting_without_end() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for value in (deep, 10**9000):
        for path in (("format",), ("match",), ("target",), ("deals",), ("result", "how")):
            made = sound()
            put(*path, to=value)(made)
            error = failing(made)
            assert len(str(error)) < 600
