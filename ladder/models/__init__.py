"""What is stored of standing."""

from ladder.models.queue import QueueEntry
from ladder.models.rating import ChangeKind, Pool, Rating, RatingChange

__all__ = ["ChangeKind", "Pool", "QueueEntry", "Rating", "RatingChange"]
