"$MOONTILE" puzzles verify 11-transpose --seeds "${SEEDS:-50}"
