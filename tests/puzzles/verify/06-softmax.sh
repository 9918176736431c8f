"$MOONTILE" puzzles verify 06-softmax --seeds 1000
