"$MOONTILE" puzzles verify 20-two-gemms --seeds "${SEEDS:-50}"
