"$MOONTILE" puzzles verify 15-persistent --seeds "${SEEDS:-50}"
