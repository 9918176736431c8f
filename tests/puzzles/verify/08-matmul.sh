"$MOONTILE" puzzles verify 08-matmul --seeds 1000
