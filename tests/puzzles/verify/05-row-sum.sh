"$MOONTILE" puzzles verify 05-row-sum --seeds "${SEEDS:-50}"
