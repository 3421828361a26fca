"""Tools for language models: games, engines and lessons over the Model Context Protocol (MCP).

limits.py      limits of calls and servers: seconds, nodes, characters, calls per minute
requests.py    the arguments of each tool and their one-line errors
answers.py     the answers of each tool, as data and as text
allowlist.py   the games and engines that calls may name: by name only, never a file
open_games.py  the games that this server started
positions.py   the position that a call names
searches.py    exact values, best lines, hints, explanations
reviews.py     reviews of games
tools.py       the table of tools
resources.py   resources and prompts
server.py      the protocol; the only module that needs the library `mcp`
"""
