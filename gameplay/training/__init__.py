"""A user's progress: reviews of games, puzzles, quizzes."""
