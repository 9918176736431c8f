"$MOONTILE" puzzles verify 20-two-gemms --seeds 1000
