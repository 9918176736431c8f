"$MOONTILE" puzzles verify 09-conv1d --seeds 1000
