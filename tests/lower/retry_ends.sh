# Going without more and more ends, also where a copy cannot be made in as many rounds as another:
# what is asked for once is not taken back.
"$MOONTILE" --ir-lower sm_75 --ir-check lib/retry_ends.ir 2>&1 | grep -E "rounds|E900|num_stages"
