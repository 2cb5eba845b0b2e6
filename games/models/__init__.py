"""What is stored of playing."""

from games.models.fairness import Commitment, ShuffleStatistics, Uncounted
from games.models.match import Clock, How, Kind, Match, MatchDeal, Play, Seat, Status
from games.models.player import Level, Player, PlayerKind, RecoveryCode
from games.models.presence import Lease
from games.models.pulse import Outage, Pulse

__all__ = [
    "Clock",
    "Commitment",
    "How",
    "Kind",
    "Lease",
    "Level",
    "Match",
    "MatchDeal",
    "Outage",
    "Play",
    "Player",
    "PlayerKind",
    "Pulse",
    "RecoveryCode",
    "Seat",
    "ShuffleStatistics",
    "Status",
    "Uncounted",
]
