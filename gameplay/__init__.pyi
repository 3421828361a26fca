"""The names of `gameplay.__all__` for type checkers: at run time each is loaded when it is asked for."""

from gameplay.api.environments import env as env
from gameplay.api.environments import gym as gym
from gameplay.api.games import engine as engine
from gameplay.api.games import game as game
from gameplay.api.matches import load_run as load_run
from gameplay.api.matches import play_match as play_match
from gameplay.api.matches import play_plan as play_plan
from gameplay.api.matches import resume as resume
from gameplay.api.matches import selfplay as selfplay
from gameplay.api.matches import tournament as tournament
from gameplay.api.result import RunProgress as RunProgress
from gameplay.api.result import RunResult as RunResult
from gameplay.api.reviewing import read_games as read_games
from gameplay.api.reviewing import review as review
from gameplay.api.solving import SolvedGame as SolvedGame
from gameplay.api.solving import solve as solve
from gameplay.api.tracing import SearchTrace as SearchTrace
from gameplay.api.tracing import SearchTree as SearchTree
from gameplay.api.tracing import search_tree as search_tree
from gameplay.api.tracing import trace as trace
from gameplay.board import BACK as BACK
from gameplay.board import Board as Board
from gameplay.board import Tray as Tray
from gameplay.errors import GameplayError as GameplayError
from gameplay.evaluation import Evaluation as Evaluation
from gameplay.position import CHANCE as CHANCE
from gameplay.position import AbstractPosition as AbstractPosition
from gameplay.position import Heuristic as Heuristic
from gameplay.position import Position as Position
from gameplay.position import undoable as undoable
from gameplay.registry import Game as Game
from gameplay.runs.plan import Adjudication as Adjudication
from gameplay.runs.plan import Openings as Openings
from gameplay.runs.plan import Sprt as Sprt
from gameplay.runs.played import Played as Played
from gameplay.search.engine import Engine as Engine
from gameplay.search.limit import Limit as Limit
from gameplay.search.report import Candidate as Candidate
from gameplay.search.report import Report as Report
from gameplay.statistics.rating import Rating as Rating
from gameplay.store.record import Record as Record
from gameplay.suites.solving import MoveSolved as MoveSolved
from gameplay.training.review import Judged as Judged
from gameplay.training.review import Review as Review

__version__: str
