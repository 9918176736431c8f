"$MOONTILE" puzzles verify 19-fp8-quant --seeds 1000
