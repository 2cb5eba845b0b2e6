"""A match's published record, `basra-record/1`: writing one, and checking one against the rules.

Pure: a record is what `json.loads` gives. `verify` recomputes the commitment, the dealers, every
pack, play, count and the winner, and trusts nothing in the record but the seeds. It cannot tell
whether somebody really resigned or ran out of time: only that the match was not won by then.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine import fair
from games.engine.deal import Deal
from games.engine.errors import Malformed, RulesError
from games.engine.play import Play, Seat
from games.engine.record_fields import (
    Tampered,
    card_at,
    counts_at,
    field,
    list_at,
    number_at,
    seat_at,
    shown,
    text_at,
)
from games.engine.tally import Tally, count

FORMAT = "basra-record/1"
RULES_VERSION = 1
"""The version of the rules that this engine plays (docs/rules.md, Beyond the sources)."""

ENDINGS = ("points", "resignation", "time", "abort", "sanction")

__all__ = ["ENDINGS", "FORMAT", "RULES_VERSION", "Tampered", "Verified", "build", "verify"]


@dataclass(frozen=True, slots=True)
class Verified:
    """What a sound record held: how many deals and plays were replayed.

    >>> Verified(deals=4, plays=192).plays
    192
    """

    deals: int
    plays: int


def build(
    *,
    match: str,
    target: int,
    players: Sequence[str | None],
    client_seeds: Sequence[str | None],
    server_seed: bytes,
    first_dealer: Seat | None,
    deals: Iterable[Deal],
    winner: Seat | None,
    how: str,
) -> dict[str, Any]:
    """The record of a match that is over, ready for `json.dumps`; `first_dealer` is `None` if it
    was aborted before the deal. Does not check that the parts agree: `verify` does.

    >>> record = build(
    ...     match="AbCdEf123456", target=51, players=["mona", None], client_seeds=["x", None],
    ...     server_seed=bytes(32), first_dealer=None, deals=[], winner=None, how="abort",
    ... )
    >>> verify(record)
    Verified(deals=0, plays=0)
    """
    played = tuple(deals)
    counted = [count(deal) if deal.over else None for deal in played]
    totals = [sum(points[seat] for points in counted if points) for seat in (0, 1)]
    return {
        "format": FORMAT,
        "match": match,
        "rules_version": RULES_VERSION,
        "target": target,
        "players": list(players),
        "client_seeds": list(client_seeds),
        "server_seed": server_seed.hex(),
        "commitment": fair.commitment(server_seed),
        "first_dealer": first_dealer,
        "deals": [
            {
                "dealer": deal.dealer,
                "pack": [str(card) for card in deal.pack],
                "plays": [
                    [str(play.card), [str(card) for card in sorted(play.capture)]]
                    for _, play, _ in deal.history
                ],
                "count": list(points) if points else None,
            }
            for deal, points in zip(played, counted, strict=True)
        ],
        "result": {"winner": winner, "how": how, "totals": totals},
    }


def verify(record: object) -> Verified:
    """Check a record in full. Raises `Tampered` for the first item that fails, and nothing else
    whatever it is given; unknown fields are ignored.

    Order: the form of the head, commitment, first dealer, then each deal's dealer, pack, plays and
    count, then totals, winner and ending.

    >>> verify({"format": "basra-record/2"})
    Traceback (most recent call last):
    games.engine.record_fields.Tampered: format: found 'basra-record/2', expected 'basra-record/1'
    """
    written = field(record, "format", "")
    if written != FORMAT:
        raise Tampered("format", written, FORMAT)
    match = text_at(record, "match", "")
    if number_at(record, "rules_version", "") != RULES_VERSION:
        raise Tampered("rules_version", field(record, "rules_version", ""), RULES_VERSION)
    target = number_at(record, "target", "")
    if target < 1:
        raise Tampered("target", target, "1 or more")
    for seat, name in enumerate(list_at(record, "players", "", 2)):
        if name is not None and not isinstance(name, str):
            raise Tampered(f"players[{seat}]", name, "a name or null")
    how = _how(record)
    seeds = _client_seeds(record)
    server_seed = _server_seed(record)
    deals = list_at(record, "deals", "")
    if seeds is None:
        _check_commitment(record, server_seed, None)
        return _verify_undealt(record, how, deals)
    if how == "abort":
        raise Tampered("result.how", how, "another ending: both seeds were there, so it was dealt")
    shuffle = _Shuffle(server_seed, match, seeds)
    _check_commitment(record, server_seed, shuffle)
    _check_first_dealer(record, shuffle)
    if not deals:
        raise Tampered("deals", deals, "at least one deal")
    tally, running = Tally(target, shuffle.first_dealer()), None
    plays = 0
    for number, written_deal in enumerate(deals):
        where = f"deals[{number}]"
        if running is not None:
            raise Tampered(where, written_deal, "no deal: the one before it is not over")
        if tally.winner is not None:
            raise Tampered(where, written_deal, "no deal: the match was won before it")
        deal = _verify_deal(written_deal, where, tally.dealer, shuffle.pack(number + 1))
        plays += len(deal.history)
        if deal.over:
            tally = tally.add(count(deal))
        else:
            running = deal
    _check_result(record, how, tally, running)
    return Verified(len(deals), plays)


@dataclass(frozen=True, slots=True)
class _Shuffle:
    """What the seeds of a record make."""

    seed: bytes
    match: str
    client_seeds: tuple[str, str]

    def first_dealer(self) -> Seat:
        return fair.first_dealer(self.seed, self.match, self.client_seeds)

    def pack(self, deal: int) -> list[str]:
        return [str(c) for c in fair.pack(self.seed, self.match, self.client_seeds, deal)]


def _how(record: object) -> str:
    how = field(field(record, "result", ""), "how", "result")
    if not isinstance(how, str) or how not in ENDINGS:
        raise Tampered("result.how", how, f"one of {', '.join(ENDINGS)}")
    return how


def _client_seeds(record: object) -> tuple[str, str] | None:
    """The two client seeds; `None` if one is missing."""
    seeds = list_at(record, "client_seeds", "", 2)
    for seat, seed in enumerate(seeds):
        if seed is not None and not fair.is_client_seed(seed):
            raise Tampered(
                f"client_seeds[{seat}]", seed, "1 to 64 characters of A-Z a-z 0-9 . _ - or null"
            )
    return None if None in seeds else (seeds[0], seeds[1])


def _server_seed(record: object) -> bytes:
    seed = field(record, "server_seed", "")
    if not _is_hex(seed):
        raise Tampered("server_seed", seed, "64 digits of lower-case hex")
    return bytes.fromhex(seed)


def _is_hex(text: object) -> bool:
    return isinstance(text, str) and len(text) == 64 and set(text) <= set("0123456789abcdef")


def _check_commitment(record: object, seed: bytes, shuffle: _Shuffle | None) -> None:
    """The commitment is the server seed's. If not, the seed is the one to blame when nothing that
    was dealt comes from it either."""
    expected, found = fair.commitment(seed), field(record, "commitment", "")
    if not _is_hex(found):
        raise Tampered("commitment", found, "64 digits of lower-case hex")
    if found == expected:
        return
    if shuffle is not None and not _deals_agree(record, shuffle):
        raise Tampered(
            "server_seed", seed.hex(), f"the seed whose SHA-256 is the commitment {found}"
        )
    digit = next(i for i in range(64) if found[i] != expected[i])
    raise Tampered(
        "commitment", found, expected, f"the first wrong hex digit is number {digit + 1} of 64"
    )


def _deals_agree(record: object, shuffle: _Shuffle) -> bool:
    deals = list_at(record, "deals", "")
    first = deals[0].get("pack") if deals and isinstance(deals[0], dict) else None
    if not isinstance(first, list):
        return False
    try:
        expected = shuffle.pack(1)
    except Malformed:
        return False
    same = [card for card, due in zip(first, expected, strict=False) if card == due]
    return len(same) > len(expected) // 2


def _check_first_dealer(record: object, shuffle: _Shuffle) -> None:
    found = seat_at(record, "first_dealer", "")
    try:
        expected = shuffle.first_dealer()
    except Malformed as error:
        raise Tampered("match", shuffle.match, str(error)) from None
    if found != expected:
        raise Tampered("first_dealer", found, expected)


def _verify_undealt(record: object, how: str, deals: list[Any]) -> Verified:
    """A match that ended before both seeds were there: nothing was dealt."""
    dealer = field(record, "first_dealer", "")
    if dealer is not None:
        raise Tampered("first_dealer", dealer, None, "a client seed is missing")
    if deals:
        raise Tampered("deals", deals, [], "a client seed is missing")
    if how not in ("abort", "sanction"):
        raise Tampered("result.how", how, "abort", "a client seed is missing")
    result = field(record, "result", "")
    totals = list(counts_at(result, "totals", "result"))
    if totals != [0, 0]:
        raise Tampered("result.totals", totals, [0, 0])
    winner = field(result, "winner", "result")
    if winner is not None and (how == "abort" or seat_at(result, "winner", "result") is None):
        raise Tampered("result.winner", winner, None)
    return Verified(0, 0)


def _verify_deal(written: object, where: str, dealer: Seat, pack: list[str]) -> Deal:
    """The deal as replayed; `dealer` and `pack` are the expected ones."""
    found = seat_at(written, "dealer", where)
    if found != dealer:
        raise Tampered(f"{where}.dealer", found, dealer)
    cards = list_at(written, "pack", where, len(pack))
    wrong = [place for place, card in enumerate(pack) if cards[place] != card]
    if wrong:
        hint = "the seeds or the match do not make this pack" if len(wrong) > len(pack) / 2 else ""
        raise Tampered(f"{where}.pack[{wrong[0]}]", cards[wrong[0]], pack[wrong[0]], hint)
    deal = Deal.start([card_at(cards, place, f"{where}.pack") for place in range(52)], dealer)
    for number, play in enumerate(list_at(written, "plays", where)):
        deal = _verify_play(deal, play, f"{where}.plays[{number}]")
    points = field(written, "count", where)
    if not deal.over:
        if points is not None:
            raise Tampered(f"{where}.count", points, None, "the deal is not over")
        return deal
    if points is None:
        raise Tampered(f"{where}.count", None, list(count(deal)))
    found_points = counts_at(written, "count", where)
    for seat, expected in enumerate(count(deal)):
        if found_points[seat] != expected:
            raise Tampered(f"{where}.count[{seat}]", found_points[seat], expected)
    return deal


def _verify_play(deal: Deal, written: object, where: str) -> Deal:
    if deal.turn is None:
        raise Tampered(where, written, "no play: the deal is over")
    if not isinstance(written, list) or len(written) != 2:
        raise Tampered(where, written, "a card and a list of cards")
    card = card_at(written, 0, where)
    capture = list_at(written, 1, where)
    taken = [card_at(capture, place, f"{where}[1]") for place in range(len(capture))]
    if card not in deal.hands[deal.turn]:
        hand = " ".join(map(str, sorted(deal.hands[deal.turn])))
        raise Tampered(f"{where}[0]", str(card), f"one of {hand}", f"seat {deal.turn} plays")
    try:
        if len(set(taken)) != len(taken):
            raise Malformed("a card stands twice")
        return deal.play(Play(card, taken))
    except RulesError:
        legal = [sorted(map(str, p.capture)) for p in deal.legal() if p.card is card]
        expected = legal[0] if len(legal) == 1 else f"one of {shown(legal)}"
        raise Tampered(f"{where}[1]", capture, expected, f"what {card} takes") from None


def _check_result(record: object, how: str, tally: Tally, running: Deal | None) -> None:
    result = field(record, "result", "")
    totals = counts_at(result, "totals", "result")
    for seat, expected in enumerate(tally.totals):
        if totals[seat] != expected:
            raise Tampered(f"result.totals[{seat}]", totals[seat], expected)
    written = field(result, "winner", "result")
    if how == "points":
        if tally.winner is None:
            raise Tampered("result.how", how, "another ending: nobody has won by points")
        if seat_at(result, "winner", "result") != tally.winner:
            raise Tampered("result.winner", written, tally.winner)
        return
    if tally.winner is not None:
        raise Tampered("result.how", how, "points", f"seat {tally.winner} has won by points")
    if running is None:
        raise Tampered("deals", len(field(record, "deals", "")), "a deal that is not over, at last")
    if how == "sanction" and written is None:
        return
    seat_at(result, "winner", "result")
