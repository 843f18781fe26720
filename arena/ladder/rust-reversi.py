#!/usr/bin/env python3
"""The searches of the Python package `rust-reversi` as bots of the arena."""

import argparse

from rust_reversi import (
    AlphaBetaSearch,
    Board,
    LegalNumEvaluator,
    MatrixEvaluator,
    MctsSearch,
    PieceEvaluator,
    Turn,
)

from seat import serve

# Corners, and cells that give them away.
CELLS = [
    [100, -20, 10, 5, 5, 10, -20, 100],
    [-20, -50, -2, -2, -2, -2, -50, -20],
    [10, -2, 1, 1, 1, 1, -2, 10],
    [5, -2, 1, 0, 0, 1, -2, 5],
    [5, -2, 1, 0, 0, 1, -2, 5],
    [10, -2, 1, 1, 1, 1, -2, 10],
    [-20, -50, -2, -2, -2, -2, -50, -20],
    [100, -20, 10, 5, 5, 10, -20, 100],
]

EVALUATORS = {
    "cells": lambda: MatrixEvaluator(CELLS),
    "mobility": LegalNumEvaluator,
    "discs": PieceEvaluator,
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--depth", type=int, default=4, help="plies of alpha-beta (default 4)")
    parser.add_argument("--evaluator", choices=EVALUATORS, default="cells")
    parser.add_argument("--mcts", type=int, metavar="PLAYOUTS", help="tree search instead of alpha-beta")
    return parser.parse_args()


def main():
    given = arguments()
    if given.mcts:
        search = MctsSearch(given.mcts, 1.0, 10)
    else:
        search = AlphaBetaSearch(EVALUATORS[given.evaluator](), given.depth, 1 << 20)

    def choose(cells, side):
        board = Board()
        line = cells.translate(str.maketrans("BW.", "XO-"))
        board.set_board_str(line, Turn.BLACK if side == "B" else Turn.WHITE)
        return None if board.is_pass() else search.get_move(board)

    serve(choose)


if __name__ == "__main__":
    main()
