# Products with asynchronous copies: what is copied is there behind its wait, not before.
. lib/standin.sh
use std
. lib/conform.sh
conform gemm "maca -async=on" 2
