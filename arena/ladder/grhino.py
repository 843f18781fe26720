#!/usr/bin/env python3
"""GRhino, the Reversi program of Debian's package `grhino`, as a bot of the arena.

Options are those of `gtp-rhino`, such as `--level 3` (1 to 5).
"""

import shutil
import subprocess
import sys

from seat import serve


class Rhino:
    """The engine behind its text protocol (GTP)."""

    def __init__(self, options):
        program = shutil.which("gtp-rhino") or "/usr/games/gtp-rhino"
        self.engine = subprocess.Popen(
            [program, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, command):
        """The answer to a command without its mark; an error of the engine ends the bot."""
        print(command, file=self.engine.stdin, flush=True)
        answer = self.engine.stdout.readline()
        if not answer.startswith("="):
            sys.exit(f"gtp-rhino answered {answer!r} to {command!r}")
        self.engine.stdout.readline()  # an empty line ends an answer
        return answer[1:].strip()

    def choose(self, board, side):
        cells = board.translate(str.maketrans("BW.", "XO-"))
        self.ask(f"grhino-setup_board {cells} {'X' if side == 'B' else 'O'}")
        move = self.ask(f"genmove {'black' if side == 'B' else 'white'}").lower()
        if move == "pass":
            return None
        return 8 * (int(move[1]) - 1) + "abcdefgh".index(move[0])


if __name__ == "__main__":
    rhino = Rhino([option for word in sys.argv[1:] for option in word.split()])
    try:
        serve(rhino.choose)
    finally:
        rhino.engine.kill()
