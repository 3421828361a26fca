"""Go: rules, notation, evaluation."""

from gameplay.games.go.game import Go as Go
