"$MOONTILE" puzzles verify 03-outer-add --seeds "${SEEDS:-50}"
