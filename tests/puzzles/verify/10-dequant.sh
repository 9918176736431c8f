"$MOONTILE" puzzles verify 10-dequant --seeds "${SEEDS:-50}"
