"$MOONTILE" puzzles verify 07-scalar-attention --seeds "${SEEDS:-50}"
