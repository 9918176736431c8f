"$MOONTILE" puzzles verify 12-bank-conflicts --seeds "${SEEDS:-50}"
