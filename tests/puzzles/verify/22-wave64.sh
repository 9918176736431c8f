"$MOONTILE" puzzles verify 22-wave64 --seeds "${SEEDS:-50}"
