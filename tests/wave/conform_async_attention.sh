# Attention with asynchronous copies.
. lib/wave.sh
use std
. lib/conform.sh
conform attention "maca -async=on" 2
