"$MOONTILE" puzzles verify 01-copy --seeds "${SEEDS:-50}"
