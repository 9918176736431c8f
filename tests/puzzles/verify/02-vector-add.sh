"$MOONTILE" puzzles verify 02-vector-add --seeds 1000
