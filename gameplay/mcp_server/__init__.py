"""Tools for language models: games, engines and lessons over the Model Context Protocol (MCP).

bounds.py      what a call and a server may use: seconds, nodes, characters, calls a minute
requests.py    the arguments of each tool; wrong ones become one line
answers.py     what each tool returns, as data and as text
offer.py       the games and engines that may be named: by name only, never a file
table.py       the games that were started here
positions.py   the position that a call is about
searches.py    exact values, best lines, hints, explanations
reviews.py     reviews of finished games
tools.py       the table of tools
material.py    resources and prompts
server.py      the protocol; the only module that needs the library `mcp`
"""
