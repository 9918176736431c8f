"$MOONTILE" puzzles verify 14-split-k --seeds "${SEEDS:-50}"
