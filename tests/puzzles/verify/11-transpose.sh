"$MOONTILE" puzzles verify 11-transpose --seeds 1000
