"$MOONTILE" puzzles verify 08-matmul --seeds "${SEEDS:-50}"
