"""A seat at a table of Reversi: lines of the arena's protocol in, moves of an engine out."""

import sys


def serve(choose):
    """Answers until the judge ends the game.

    `choose(board, side)` takes 64 characters of `.BW`, row by row, and `B` or `W`, and returns the number of a cell,
    `8 * row + column`, or None for a pass.
    """
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "READY":
            answer = "OK"
        elif words[0] == "FINISH":
            return
        elif words[0] == "TURN":
            number, board = int(words[1]), words[2]
            cell = choose(board, "B" if number % 2 == 1 else "W")
            answer = "PASS" if cell is None else f"MOVE {cell // 8 + 1} {cell % 8 + 1}"
        else:
            print(f"expected READY, TURN or FINISH, found {line!r}", file=sys.stderr)
            continue
        print(answer, flush=True)
