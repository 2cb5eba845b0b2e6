"""How the services say no, each with a sentence for the reader."""

from django.utils.translation import gettext as _

from games.engine import NotNow


class Refused(Exception):
    """The act cannot be done; ``message`` says why in the reader's language. Nothing changed."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Stale(Refused):
    """The play names a number that is past or not yet there: the table has moved on."""

    def __init__(self) -> None:
        super().__init__(_("The table had moved on: this is how it stands now."))


class NotSeated(Refused):
    """Somebody who holds no seat at this table wanted to act at it."""

    def __init__(self) -> None:
        super().__init__(_("You are watching this match: only its players can act."))


class ChoiceNeeded(Refused):
    """The card can take different sets of ranks; the player has to say which."""

    def __init__(self, number: int, card: str) -> None:
        super().__init__(_("Choose what the card takes."))
        self.number, self.card = number, card


class TooLate(NotNow):
    """The time of the turn was up before the play arrived."""

    def __init__(self) -> None:
        super().__init__(_("Your time was up before this play arrived."))


class HintUnrates(Refused):
    """The first hint of a match that would be rated, which has to be agreed to."""

    def __init__(self) -> None:
        super().__init__(_("With a hint this match will not be rated."))
