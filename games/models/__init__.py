"""What is stored of playing."""

from games.models.account import Device, Export, ExportState, HeldName, Login
from games.models.challenge import Answer, Challenge
from games.models.contact import ContactMessage
from games.models.fairness import Commitment, ShuffleStatistics, Uncounted
from games.models.match import Clock, How, Kind, Match, MatchDeal, Play, Seat, Status, Unrated
from games.models.notification import Notification, Topic
from games.models.people import Block, Follow, Mute, Online
from games.models.player import FormerName, Level, Mask, Player, PlayerKind, RecoveryCode, Welcome
from games.models.presence import Audience, Lease
from games.models.pulse import Outage, Pulse
from games.models.puzzle import Puzzle, PuzzleAnswer
from games.models.review import Review, ReviewState
from games.models.talk import Phrase, Utterance

__all__ = [
    "Answer",
    "Audience",
    "Block",
    "Challenge",
    "Clock",
    "Commitment",
    "ContactMessage",
    "Device",
    "Export",
    "ExportState",
    "Follow",
    "FormerName",
    "HeldName",
    "How",
    "Kind",
    "Lease",
    "Level",
    "Login",
    "Mask",
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
    "Review",
    "ReviewState",
    "Seat",
    "ShuffleStatistics",
    "Status",
    "Topic",
    "Uncounted",
    "Unrated",
    "Utterance",
    "Welcome",
]
