"$MOONTILE" puzzles verify 13-race --seeds "${SEEDS:-50}"
