"$MOONTILE" puzzles verify 16-pipeline --seeds 1000
