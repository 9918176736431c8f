"$MOONTILE" puzzles verify 09-conv1d --seeds "${SEEDS:-50}"
