"$MOONTILE" puzzles verify 22-wave64 --seeds 1000
