"$MOONTILE" puzzles verify 06-softmax --seeds "${SEEDS:-50}"
