"$MOONTILE" puzzles verify 01-copy --seeds 1000
