"$MOONTILE" puzzles verify 17-flash-attention --seeds "${SEEDS:-50}"
