"$MOONTILE" puzzles verify 03-outer-add --seeds 1000
