"""House players: each gets an `Observation` and a generator, and gives a play. No state, no clock.

>>> LEVELS
('novice', 'casual', 'regular', 'expert', 'master')
"""

from games.ai.levels import LEVELS, PLAYERS, Player, choose

__all__ = ["LEVELS", "PLAYERS", "Player", "choose"]
