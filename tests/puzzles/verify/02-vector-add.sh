"$MOONTILE" puzzles verify 02-vector-add --seeds "${SEEDS:-50}"
