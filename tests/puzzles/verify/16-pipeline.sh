"$MOONTILE" puzzles verify 16-pipeline --seeds "${SEEDS:-50}"
