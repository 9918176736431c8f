"$MOONTILE" puzzles verify 18-grouped-gemm --seeds "${SEEDS:-50}"
