"""The lessons: playable positions, in the order in which they are learnt.

A position and its aim are written here; what a play does, and whether it reaches the aim, the
engine says.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.engine import (
    PACK,
    Basra,
    Breakdown,
    Card,
    Deal,
    Malformed,
    Play,
    Turn,
    basra,
    breakdown,
    captures,
    choices,
    observe,
    parse_card,
    parse_cards,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a play does: the cards it took and the basra it made, and what it left on the floor.

    ``threats`` are the unseen cards with which the opponent could make a basra of what is left.
    Where the lesson is the end of a deal, ``ending`` is that deal after its last card, and
    ``reader`` the reader's seat in it.
    """

    play: Play
    took: tuple[Card, ...]
    basra: Basra
    left: tuple[Card, ...]
    threats: tuple[Card, ...] = ()
    ending: Deal | None = None
    reader: int = 0

    @property
    def empties(self) -> bool:
        """Did it take the whole floor?"""
        return bool(self.took) and not self.left

    @property
    def is_mine_at_last(self) -> bool:
        """Did the reader capture last, so that what was left on the floor is theirs?"""
        return self.ending is not None and self.ending.last_capture == self.reader

    @property
    def rest(self) -> tuple[Turn, ...]:
        """The turns that followed the play until the deal was over."""
        if self.ending is None:
            return ()
        at = next(n for n, turn in enumerate(self.ending.history) if turn.play == self.play)
        return self.ending.history[at + 1 :]

    @property
    def lines(self) -> tuple[Breakdown, Breakdown] | None:
        """How the deal counts, the reader's line first."""
        if self.ending is None:
            return None
        both = breakdown(self.ending)
        return both[self.reader], both[1 - self.reader]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position with an aim. ``best`` is a play that reaches it; ``reaches`` says which do.

    ``deal`` is a deal shortly before its end, played with the engine from a pack of its own; the
    other lessons are a hand and a floor alone.
    """

    name: str
    title: Any
    says: Any
    aim: Any
    done: Any
    better: Any
    best: str
    reaches: Callable[[Outcome], bool]
    hand_text: str = ""
    floor_text: str = ""
    deal: str = ""

    @property
    def hand(self) -> tuple[Card, ...]:
        """The reader's hand, as it is drawn."""
        if self.deal:
            running = self.running
            return tuple(sorted(observe(running, running.turn).hand))
        return tuple(map(parse_card, self.hand_text.split()))

    @property
    def floor(self) -> tuple[Card, ...]:
        """The floor, as it is drawn."""
        if self.deal:
            return tuple(sorted(self.running.floor))
        return tuple(map(parse_card, self.floor_text.split()))

    @property
    def running(self) -> Deal:
        """The deal, at the reader's turn. Raises ``Malformed`` where there is none."""
        return _parsed(self.deal)

    @property
    def piles(self) -> tuple[int, int] | None:
        """How many cards both have, the reader first; None where it does not matter."""
        if not self.deal:
            return None
        deal = self.running
        return deal.pile_counts[deal.turn or 0], deal.pile_counts[1 - (deal.turn or 0)]

    def ways(self, card: Card) -> tuple[frozenset[Card], ...]:
        """The captures between which the reader chooses; one if there is no choice."""
        return choices(self.floor, card)

    def outcome(self, play: Play) -> Outcome:
        """What the engine says that ``play`` does. Raises ``Malformed`` for a card that is not in
        the hand, or a capture that the card does not make."""
        if play.card not in self.hand:
            raise Malformed(f"{play.card} is not in the hand")
        floor = frozenset(self.floor)
        if play.capture not in captures(floor, play.card):
            raise Malformed(f"{play.card} does not take that")
        left = floor - play.capture if play.capture else floor | {play.card}
        common = {
            "play": play,
            "took": tuple(sorted(play.capture)),
            "basra": basra(floor, play.card, play.capture),
            "left": tuple(sorted(left)),
        }
        if self.deal:
            seat = self.running.turn or 0
            return Outcome(**common, ending=_played_out(self.running.play(play)), reader=seat)
        return Outcome(**common, threats=_threats(left, floor.union(self.hand)))

    def is_reached_by(self, play: Play) -> bool:
        """Does ``play`` reach the aim?"""
        return self.reaches(self.outcome(play))


@cache
def _parsed(text: str) -> Deal:
    return Deal.parse(text)


def _threats(left: frozenset[Card], seen: frozenset[Card]) -> tuple[Card, ...]:
    """The cards not ``seen`` that make a basra of the floor ``left``."""
    return tuple(
        card
        for card in PACK
        if card not in seen
        and any(basra(left, card, taken) is not Basra.NONE for taken in captures(left, card))
    )


def _played_out(deal: Deal) -> Deal:
    """The deal after its last card: here nobody has a choice any more."""
    while not deal.over:
        deal = deal.play(deal.legal()[0])
    return deal


# Two deals, hand by hand, up to the play that the lesson asks for (``Deal.text``).
_LAST_CARDS = (
    "1;0;JcKs4cJs7h6dAdQc8d6c5sAsTcQs6h5cJd7dJh9hTs5d3hKh6sTdQh4h8sAc2s9cAh2d4s9s8c7sQd5h7c"
    "2c4dTh9d2h8h3sKdKc3d3c;"
    "Jc:As,5s,6c,8d Qc 4c Ad Js:Ad,4c,Qc 6d Ks 7h Tc 7d:6d,7h,Tc,Ks 5c Jd:5c Qs Jh:Qs 6h "
    "9h 5d Qh Kh 6s:6h 3h 4h Ts Td:Ts 9c:4h,5d,9h 2d Ac 9s 8s 4s:Ac,3h 2s:2d Ah 5h 4d 7s "
    "Th:Ah,4d,5h 8c:8s 2c Qd:Qh 7c:7s 8h 3c 2h:2c Kd:Kh 9d:9s"
)
_COUNTING = (
    "1;0;9h5d9sQhQsAh5s4cTsKc2c2h8s2d6dJdKs3d7sQcJh4dAd7c8h3cJc3s9d9c4hThKh5cAc8dJs7dKdTc4s"
    "6sTdAs5h6h6c3hQd8c2s7h;"
    "9h 4c:2c,2h 9s:9h 5s 5d:5s Ah Qh Qs:Qh Jd:Ah,Ts,Kc Ks 8s 7s 6d 3d 2d Qc Ad "
    "Jc:Ad,2d,3d,6d,7s,8s,Qc,Ks Jh 3s 7c 3c:3s 4d 8h 9c Ac 9d:Ac,8h,9c 8d Th Kh 4h:4d 5c "
    "Kd:Kh Td:Th 7d:5c,7c,8d,Jh 4s Js:4s 6s Tc As 5h 7h:As,6s 6h Qd 3h"
)

LESSONS = (
    Lesson(
        name="capture",
        title=_("The first capture"),
        says=_(
            "Two players take cards from the floor. A number card takes every card of its own rank."
        ),
        aim=_("Tap the card that takes something."),
        done=_("Equal takes equal. Both cards are in your pile now: there they count at the end."),
        better=_("A card that takes nothing stays on the floor. The nine would have found a nine."),
        hand_text="2s 6c 9h Qd",
        floor_text="9c 4s Kd",
        best="9h:9c",
        reaches=lambda outcome: bool(outcome.took),
    ),
    Lesson(
        name="sums",
        title=_("Sums"),
        says=_(
            "A number card also takes cards that add up to it, and as many such groups as there "
            "are. The ace counts one; jack, queen and king count nothing."
        ),
        aim=_("Take four cards with one."),
        done=_("Three and five are eight, two and six are eight: both groups are yours."),
        better=_("The eight makes two sums at once: three and five, two and six."),
        hand_text="4c 8h Ts Kd",
        floor_text="3c 5d 2s 6h Kc",
        best="8h:2s,3c,5d,6h",
        reaches=lambda outcome: len(outcome.took) == 4,
    ),
    Lesson(
        name="both",
        title=_("Rank and sums together"),
        says=_(
            "Own rank and sums go together. You never choose to take less: a card takes all that "
            "it can."
        ),
        aim=_("Take three cards with one."),
        done=_("The ten took the other ten, and six and four besides."),
        better=_("The ten takes the ten, and six and four as well."),
        hand_text="4s 8h Ts Kc",
        floor_text="Th 6c 4d 2s",
        best="Ts:4d,6c,Th",
        reaches=lambda outcome: len(outcome.took) == 3,
    ),
    Lesson(
        name="choosing",
        title=_("A choice"),
        says=_(
            "Sometimes a card can make its sum in different ways that share a card. Then you say "
            "which one it takes."
        ),
        aim=_("Play the six, and take the most that it can take."),
        done=_("Ace, two and three: one card more than ace and five would have been."),
        better=_("The six can take ace and five, or ace, two and three. The second is one more."),
        hand_text="4s 6s Qh Kd",
        floor_text="As 2h 3c 5d",
        best="6s:As,2h,3c",
        reaches=lambda outcome: len(outcome.took) == 3,
    ),
    Lesson(
        name="kings",
        title=_("Queens and kings"),
        says=_("A queen takes all queens and a king takes all kings. They are in no sum."),
        aim=_("Take two cards with one."),
        done=_("Queens take queens: both of them."),
        better=_("One king lies there, but two queens: the queen takes both."),
        hand_text="5c 8d Qs Kh",
        floor_text="Qc Kd 5h Qd",
        best="Qs:Qc,Qd",
        reaches=lambda outcome: len(outcome.took) == 2,
    ),
    Lesson(
        name="jack",
        title=_("The jack"),
        says=_("A jack takes everything that lies on the floor, whatever it is."),
        aim=_("Take the whole floor."),
        done=_("All of it is yours. A jack is worth most when much lies there."),
        better=_("Only the jack clears a floor like this one."),
        hand_text="3c 9s Jh Qd",
        floor_text="9c Kd 2s 5h",
        best="Jh:2s,5h,9c,Kd",
        reaches=lambda outcome: outcome.empties,
    ),
    Lesson(
        name="basra",
        title=_("Basra"),
        says=_(
            "Whoever takes the last cards from the floor makes a basra: 10 points. With a jack it "
            "is none."
        ),
        aim=_("Make a basra."),
        done=_("Two and four are six, and the floor is empty: 10 points."),
        better=_(
            "The six takes both cards and leaves nothing. The jack takes them too, but without "
            "the points."
        ),
        hand_text="4h 6s Jh Qc",
        floor_text="2c 4d",
        best="6s:2c,4d",
        reaches=lambda outcome: outcome.basra is Basra.BASRA,
    ),
    Lesson(
        name="bait",
        title=_("Leaving no basra"),
        says=_(
            "Your opponent wants basras, too. None of these cards takes anything, so one has to be "
            "laid. Look at what could take it all afterwards."
        ),
        aim=_("Leave a floor that no one card can take for a basra."),
        done=_("No sum comes to that, and a jack would get no points for it."),
        better=_(
            "Nine and four are more than ten, so no card takes both. A king is in no sum at all, "
            "so it does as well."
        ),
        hand_text="3c 6s 9d Kd",
        floor_text="4h",
        best="9d",
        reaches=lambda outcome: not outcome.threats,
    ),
    Lesson(
        name="jack-basra",
        title=_("The jack basra"),
        says=_(
            "On an empty floor a jack takes nothing and stays, as bait. Whoever takes it alone, "
            "with a jack or with the seven of diamonds, makes a jack basra: 30 points."
        ),
        aim=_("Make a jack basra."),
        done=_("30 points: as much as the greater part of the cards."),
        better=_("A jack takes the lone jack for 30 points, and so does the seven of diamonds."),
        hand_text="5c 7d Js Kd",
        floor_text="Jd",
        best="Js:Jd",
        reaches=lambda outcome: outcome.basra is Basra.JACK,
    ),
    Lesson(
        name="komi",
        title=_("The komi"),
        says=_(
            "The seven of diamonds is the komi. It takes the whole floor like a jack, and it makes "
            "a basra where some one rank could have taken everything."
        ),
        aim=_("Make a basra."),
        done=_("A ten or a five would have taken all three, so the komi has its basra."),
        better=_(
            "The jack takes all of it without points. A ten could have taken it, so the komi "
            "makes a basra."
        ),
        hand_text="7d 8s Jc Kd",
        floor_text="2c 3d 5h",
        best="7d:2c,3d,5h",
        reaches=lambda outcome: outcome.basra is Basra.BASRA,
    ),
    Lesson(
        name="last-cards",
        title=_("The last cards"),
        says=_(
            "When all cards have been played, what is left on the floor goes to whoever captured "
            "last. So far that is your opponent, whose only card now is the three of spades."
        ),
        aim=_("Get what is left at the end."),
        done=_("You captured last: the rest of the floor is yours."),
        better=_(
            "Take the three while it is there. The king can wait: your opponent then has nothing "
            "to take."
        ),
        deal=_LAST_CARDS,
        best="3d:3c",
        reaches=lambda outcome: outcome.is_mine_at_last,
    ),
    Lesson(
        name="counting",
        title=_("Counting"),
        says=_(
            "27 cards or more bring 30 points; 26 each bring nothing. It is the end of a deal, and "
            "your opponent’s only card is the six of clubs."
        ),
        aim=_("Get 27 cards."),
        done=_("27 cards: 30 points. The eight took last, and the rest of the floor came with it."),
        better=_(
            "The eight is sure to take three and five later, too. Lay the two first: then the "
            "eight is the last capture, and the rest of the floor is yours."
        ),
        deal=_COUNTING,
        best="2s",
        reaches=lambda outcome: bool(outcome.lines and outcome.lines[0].majority_points),
    ),
)
BY_NAME = {lesson.name: lesson for lesson in LESSONS}
LONGEST = 160  # characters of a written progress
_DISMISSED = "-"


@dataclass(frozen=True, slots=True)
class Progress:
    """Which lessons somebody has done, and whether they want to hear of them no more."""

    done: frozenset[str] = frozenset()
    dismissed: bool = False

    @property
    def is_finished(self) -> bool:
        """Has every lesson been done?"""
        return len(self.done) == len(LESSONS)

    @property
    def is_wanted(self) -> bool:
        """Is there still something to learn, for who has not waved it away?"""
        return not (self.is_finished or self.dismissed)

    @property
    def next(self) -> Lesson | None:
        """The first lesson that is not done."""
        return next((lesson for lesson in LESSONS if lesson.name not in self.done), None)

    @property
    def written(self) -> str:
        """The progress as account and cookie keep it: "capture.sums.-"."""
        names = [lesson.name for lesson in LESSONS if lesson.name in self.done]
        return ".".join(names + [_DISMISSED] * self.dismissed)


def read_progress(text: str) -> Progress:
    """The progress that was written. What it cannot mean is passed over."""
    said = set(text[:LONGEST].split("."))
    return Progress(frozenset(said & BY_NAME.keys()), _DISMISSED in said)


def after(lesson: Lesson) -> Lesson | None:
    """The lesson that follows; None after the last."""
    place = LESSONS.index(lesson) + 1
    return LESSONS[place] if place < len(LESSONS) else None


def parse_play(lesson: Lesson, card: str, capture: str | None) -> Play | None:
    """What the reader wants to play; None where the card leaves a choice that is not made.

    Raises ``Malformed`` for what is no card of the hand, or nothing that it can take.
    """
    played = parse_card(card)
    if played not in lesson.hand:
        raise Malformed(f"{played} is not in the hand")
    ways = lesson.ways(played)
    if capture is None:
        return Play(played, ways[0]) if len(ways) == 1 else None
    return lesson.outcome(Play(played, parse_cards(capture))).play
