"""Chinese Checkers: rules, notation, evaluation."""

from gameplay.games.chinese_checkers.game import ChineseCheckers as ChineseCheckers
