"$MOONTILE" puzzles verify 10-dequant --seeds 1000
