"$MOONTILE" puzzles verify 12-bank-conflicts --seeds 1000
