"""What is stored of standing."""

from ladder.models.pauses import Lapse, RankedPause, What
from ladder.models.queue import Found, Pairing, QueueEntry
from ladder.models.rating import ChangeKind, Pool, Rating, RatingChange

__all__ = [
    "ChangeKind",
    "Found",
    "Lapse",
    "Pairing",
    "Pool",
    "QueueEntry",
    "RankedPause",
    "Rating",
    "RatingChange",
    "What",
]
