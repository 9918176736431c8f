"$MOONTILE" puzzles verify 18-grouped-gemm --seeds 1000
