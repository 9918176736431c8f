"$MOONTILE" puzzles verify 13-race --seeds 1000
