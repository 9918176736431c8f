"$MOONTILE" puzzles verify 04-backward --seeds "${SEEDS:-50}"
