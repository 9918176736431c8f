"$MOONTILE" puzzles verify 15-persistent --seeds 1000
