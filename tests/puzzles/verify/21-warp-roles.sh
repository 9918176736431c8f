"$MOONTILE" puzzles verify 21-warp-roles --seeds "${SEEDS:-50}"
