"""What is stored of playing."""

from games.models.challenge import Answer, Challenge
from games.models.fairness import Commitment, ShuffleStatistics, Uncounted
from games.models.match import Clock, How, Kind, Match, MatchDeal, Play, Seat, Status, Unrated
from games.models.notification import Notification, Topic
from games.models.people import Block, Follow, Mute, Online
from games.models.player import FormerName, Level, Player, PlayerKind, RecoveryCode, Welcome
from games.models.presence import Audience, Lease
from games.models.pulse import Outage, Pulse
from games.models.puzzle import Puzzle, PuzzleAnswer
from games.models.talk import Phrase, Utterance

__all__ = [
    "Answer",
    "Audience",
    "Block",
    "Challenge",
    "Clock",
    "Commitment",
    "Follow",
    "FormerName",
    "How",
    "Kind",
    "Lease",
    "Level",
    "Match",
    "MatchDeal",
    "Mute",
    "Notification",
    "Online",
    "Outage",
    "Phrase",
    "Play",
    "Player",
    "PlayerKind",
    "Pulse",
    "Puzzle",
    "PuzzleAnswer",
    "RecoveryCode",
    "Seat",
    "ShuffleStatistics",
    "Status",
    "Topic",
    "Uncounted",
    "Unrated",
    "Utterance",
    "Welcome",
]
