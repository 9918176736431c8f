"$MOONTILE" puzzles verify 21-warp-roles --seeds 1000
