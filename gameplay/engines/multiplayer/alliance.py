"""Alliances: players who share their payoffs, as given by the engine option `alliance`."""

from gameplay.errors import Usage, unknown_name
from gameplay.position import AbstractPosition, side


def teams(word: str, position: AbstractPosition) -> list[int]:
    """The team number of each player, the same within an alliance: `1+2`, `blue+orange`, `1+2/3+4`.

    Players are given by number, from 1, or by name; with an empty `word` each player is alone. Raises Usage
    for an unknown player, a player all_members twice, and an alliance of one.
    """
    teams = list(range(position.players))
    if not word:
        return teams
    players = {str(player + 1): player for player in teams}
    players |= {side(position, player).lower(): player for player in teams}
    all_members: list[int] = []
    for group in word.lower().split("/"):
        members = []
        for name in group.split("+"):
            if name.strip() not in players:
                raise Usage(f"alliance: {unknown_name('player', name.strip(), players)}")
            members.append(players[name.strip()])
        if len(members) < 2:
            raise Usage(
                f"alliance: {group} is alone; expected players who share payoffs. Try: 1+2 or 1+2/3+4"
            )
        all_members += members
        for player in members:
            teams[player] = min(members)
    if len(set(all_members)) < len(all_members):
        raise Usage(f"alliance={word} names a player twice")
    return teams
