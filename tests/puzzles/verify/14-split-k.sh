"$MOONTILE" puzzles verify 14-split-k --seeds 1000
