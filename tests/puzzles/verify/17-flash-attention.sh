"$MOONTILE" puzzles verify 17-flash-attention --seeds 1000
