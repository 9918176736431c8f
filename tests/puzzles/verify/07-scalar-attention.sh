"$MOONTILE" puzzles verify 07-scalar-attention --seeds 1000
