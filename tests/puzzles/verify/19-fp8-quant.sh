"$MOONTILE" puzzles verify 19-fp8-quant --seeds "${SEEDS:-50}"
