"$MOONTILE" puzzles verify 05-row-sum --seeds 1000
