"""Rules Lawyer: a multilingual rules reference for board games, searched mid-game."""

__version__ = "0.1.0"
