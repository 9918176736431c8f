"$MOONTILE" puzzles verify 04-backward --seeds 1000
