"""What is stored of standing."""

from ladder.models.board import Board, BoardState, RankThen, RatingCount
from ladder.models.findings import Finding, FindingKind, Mark, MarkKey
from ladder.models.moderation import (
    Appeal,
    AuditEntry,
    Case,
    GivenBack,
    Measure,
    Note,
    Reason,
    Report,
    Sanction,
    SanctionedAddress,
    SiteSetting,
)
from ladder.models.pauses import Lapse, RankedPause, What
from ladder.models.published import PublishedFile
from ladder.models.queue import Failed, Found, Missed, Pairing, QueueEntry
from ladder.models.rating import ChangeKind, Code, Pool, Rating, RatingChange
from ladder.models.roles import MAY, Act, Role, act_of
from ladder.models.season import Badge, Prize, Season, SeasonPlace, season_bounds, season_number

__all__ = [
    "MAY",
    "Act",
    "Appeal",
    "AuditEntry",
    "Badge",
    "Board",
    "BoardState",
    "Case",
    "ChangeKind",
    "Code",
    "Failed",
    "Finding",
    "FindingKind",
    "Found",
    "GivenBack",
    "Lapse",
    "Mark",
    "MarkKey",
    "Measure",
    "Missed",
    "Note",
    "Pairing",
    "Pool",
    "Prize",
    "PublishedFile",
    "QueueEntry",
    "RankThen",
    "RankedPause",
    "Rating",
    "RatingChange",
    "RatingCount",
    "Reason",
    "Report",
    "Role",
    "Sanction",
    "SanctionedAddress",
    "Season",
    "SeasonPlace",
    "SiteSetting",
    "What",
    "act_of",
    "season_bounds",
    "season_number",
]
